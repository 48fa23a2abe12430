/* The sizes of arenas. Written by memplan header. */
#ifndef MEMPLAN_PLAN_H
#define MEMPLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MEMPLAN_ARENA
#define MEMPLAN_ARENA
/* The bytes of an arena, and the alignment of its start. */
typedef struct {
  int64_t size, alignment;
} memplan_arena;
#endif

/* The arena of @work. d0: dimension 0 of argument 1. arg2: argument 2. */
memplan_arena work_arena_size(int64_t d0, int32_t arg2);

/* The arena of @fixed. */
memplan_arena fixed_arena_size(void);

/* The arena of @a.* /b. No prototype of @a.* /b_arena_size: C has no such name. */

#ifdef __cplusplus
}
#endif

#endif
