/* Calls every function of the header, from C and as C++. Prints "ok", or the
 * line of the first check that fails. */
#include "memplan_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
      exit(1);                                                 \
    }                                                          \
  } while (0)

static void memory(void) {
  int64_t region = memplan_region_make();
  int64_t size, alignment;
  for (size = 1; size < 100000; size = size * 3 + 1)
    for (alignment = 1; alignment <= 1 << 16; alignment *= 2) {
      char *bytes = (char *)memplan_region_allocate(region, size, alignment);
      CHECK(((uintptr_t)bytes & (uintptr_t)(alignment - 1)) == 0);
      memset(bytes, 7, (size_t)size);
    }
  CHECK(memplan_region_allocate(region, 0, 4096) != NULL);
  CHECK((uintptr_t)memplan_region_allocate(region, 0, 4096) % 4096 == 0);
  memplan_region_release(region);
}

/* memplan_region_take allocates as much as calls do in another region, and
 * overwrites no earlier allocation. */
static void inlined(void) {
  int64_t region = memplan_region_make(), other = memplan_region_make();
  struct memplan_region_head *head = memplan_region_head(region), *none = NULL;
  struct memplan_region_usage usage, others;
  int64_t size, alignment;
  int round;
  for (round = 0; round < 3; round++) {
    char *before = NULL;
    for (size = 0; size < 20000; size = size * 5 / 4 + 1)
      for (alignment = 1; alignment <= 1 << 10; alignment *= 4) {
        char *bytes = (char *)memplan_region_take(head, region, size, alignment);
        CHECK(bytes != NULL && ((uintptr_t)bytes & (uintptr_t)(alignment - 1)) == 0);
        if (before)
          CHECK(*before == 7);
        memset(bytes, 9, (size_t)size);
        if (before)
          CHECK(*before == 7);
        if (size)
          *(before = bytes + size - 1) = 7;
        memplan_region_allocate(other, size, alignment);
      }
    CHECK(memplan_region_statistics(region, &usage) == MEMPLAN_REGION_DONE);
    CHECK(memplan_region_statistics(other, &others) == MEMPLAN_REGION_DONE);
    CHECK(usage.allocations == others.allocations);
    memplan_region_clear(region);
    memplan_region_clear(other);
  }
  memplan_region_release(region);
  memplan_region_release(other);
  CHECK(memplan_region_try_head(region, &none) == MEMPLAN_REGION_FREED && none == NULL);
  CHECK(memplan_region_try_head(1, &none) == MEMPLAN_REGION_NOT_A_REGION);
  region = memplan_region_make();
  CHECK(memplan_region_try_head(region, &none) == MEMPLAN_REGION_DONE);
  CHECK(memplan_region_take(none, region, 16, 16) != NULL && memplan_region_bytes(region) == 16);
  memplan_region_release(region);
}

static void marks(void) {
  int64_t region = memplan_region_make();
  int64_t mark, copy, held;
  char *kept = (char *)memplan_region_allocate(region, 8, 8);
  void *after_mark;
  memcpy(kept, "kept...", 8);
  mark = memplan_region_mark(region);
  after_mark = memplan_region_allocate(region, 100, 8);
  memplan_region_allocate(region, 1 << 20, 64);
  CHECK(memplan_region_bytes(region) >= 108 + (1 << 20));
  held = memplan_region_held();
  CHECK(memplan_region_try_mark(region, &copy) == MEMPLAN_REGION_DONE && copy > mark);
  memplan_region_release_to(region, mark);
  CHECK(memplan_region_held() <= held - (1 << 20));
  CHECK(memplan_region_try_release_to(region, copy) == MEMPLAN_REGION_MARK_AHEAD);
  CHECK(memplan_region_try_release_to(region, -1) == MEMPLAN_REGION_NOT_A_MARK);
  CHECK(memplan_region_allocate(region, 100, 8) == after_mark);
  CHECK(memplan_region_try_release_to(region, mark) == MEMPLAN_REGION_DONE);
  CHECK(strcmp(kept, "kept...") == 0);
  CHECK(memplan_region_try_clear(region) == MEMPLAN_REGION_DONE);
  CHECK(memplan_region_bytes(region) == 0);
  CHECK(memplan_region_try_release_to(region, mark) == MEMPLAN_REGION_NOT_A_MARK);
  CHECK(memplan_region_try_release(region) == MEMPLAN_REGION_DONE);
  CHECK(memplan_region_try_release(region) == MEMPLAN_REGION_FREED);
}

static void parents(void) {
  int64_t child = memplan_region_make(), parent = memplan_region_make();
  int64_t *value = (int64_t *)memplan_region_allocate(parent, sizeof *value, 8);
  struct memplan_region_usage usage;
  *value = 42;
  memplan_region_refer(child, parent);
  memplan_region_refer(child, parent);
  memplan_region_release(parent);
  CHECK(memplan_region_statistics(child, &usage) == MEMPLAN_REGION_DONE);
  CHECK(usage.parents == 1 && usage.references == 1);
  CHECK(memplan_region_statistics(parent, &usage) == MEMPLAN_REGION_DONE);
  CHECK(usage.references == 1 && usage.allocations == 1);
  CHECK(usage.bytes >= 8 && usage.most_bytes == usage.bytes && usage.total_bytes == usage.bytes);
  CHECK(usage.blocks == 1 && usage.chunks == 0 && usage.held_bytes >= 64 && usage.held_bytes <= 256);
  CHECK(memplan_region_try_refer(parent, child) == MEMPLAN_REGION_CYCLE);
  CHECK(memplan_region_try_refer(child, child) == MEMPLAN_REGION_CYCLE);
  CHECK(*value == 42);
  memplan_region_release(child);
  CHECK(memplan_region_statistics(parent, &usage) == MEMPLAN_REGION_FREED);
}

static void long_chain(void) {
  int64_t first = memplan_region_make(), last = first, next;
  int i;
  for (i = 0; i < 300000; i++) {
    next = memplan_region_make();
    memplan_region_refer(next, last);
    memplan_region_release(last);
    last = next;
  }
  CHECK(memplan_region_alive() == 300001);
  CHECK(memplan_region_try_refer(first, last) == MEMPLAN_REGION_CYCLE);
  memplan_region_release(last);
  CHECK(memplan_region_alive() == 0);
}

static void refused(void) {
  int64_t region = 0, mark = 5;
  void *memory = &region;
  struct memplan_region_usage before, after;
  CHECK(memplan_region_try_make(NULL) == MEMPLAN_REGION_NO_PLACE);
  CHECK(memplan_region_try_make(&region) == MEMPLAN_REGION_DONE && region != 0);
  CHECK(memplan_region_statistics(region, &before) == MEMPLAN_REGION_DONE);
  CHECK(memplan_region_try_allocate(region, -1, 8, &memory) == MEMPLAN_REGION_NEGATIVE_SIZE);
  CHECK(memplan_region_try_allocate(region, 8, 0, &memory) == MEMPLAN_REGION_ALIGNMENT);
  CHECK(memplan_region_try_allocate(region, 8, 24, &memory) == MEMPLAN_REGION_ALIGNMENT);
  CHECK(memplan_region_try_allocate(region, 8, INT64_MIN, &memory) == MEMPLAN_REGION_ALIGNMENT);
  CHECK(memplan_region_try_allocate(region, INT64_MAX, 8, &memory) == MEMPLAN_REGION_TOO_LARGE);
  CHECK(memplan_region_try_allocate(region, INT64_MAX / 2, 8, &memory) == MEMPLAN_REGION_OUT_OF_MEMORY);
  CHECK(memplan_region_try_allocate(region, 8, 8, NULL) == MEMPLAN_REGION_NO_PLACE);
  CHECK(memory == &region);
  CHECK(memplan_region_statistics(region, &after) == MEMPLAN_REGION_DONE);
  CHECK(memcmp(&before, &after, sizeof before) == 0);
  CHECK(memplan_region_try_allocate(region, 8, 8, &memory) == MEMPLAN_REGION_DONE && memory != &region);
  CHECK(memplan_region_try_retain(region) == MEMPLAN_REGION_DONE);
  memplan_region_retain(region);
  CHECK(memplan_region_statistics(region, NULL) == MEMPLAN_REGION_NO_PLACE);
  memplan_region_clear(region);
  CHECK(memplan_region_statistics(region, &after) == MEMPLAN_REGION_DONE && after.bytes == 0 && after.blocks == 1);
  memplan_region_empty(region);
  CHECK(memplan_region_statistics(region, &after) == MEMPLAN_REGION_DONE && after.blocks == 0 && after.held_bytes == 0);
  CHECK(memplan_region_try_empty(region) == MEMPLAN_REGION_DONE);
  memplan_region_release(region);
  memplan_region_release(region);
  memplan_region_release(region);
  CHECK(memplan_region_try_retain(region) == MEMPLAN_REGION_FREED);
  CHECK(memplan_region_try_empty(region) == MEMPLAN_REGION_FREED);
  CHECK(memplan_region_try_clear(region) == MEMPLAN_REGION_FREED);
  CHECK(memplan_region_try_mark(region, &mark) == MEMPLAN_REGION_FREED && mark == 5);
  CHECK(memplan_region_try_allocate(region, 8, 8, &memory) == MEMPLAN_REGION_FREED);
  CHECK(memplan_region_try_refer(region, memplan_region_alive()) == MEMPLAN_REGION_FREED);
  CHECK(memplan_region_try_allocate(0, 8, 8, &memory) == MEMPLAN_REGION_NOT_A_REGION);
  CHECK(memplan_region_try_allocate(-1, 8, 8, &memory) == MEMPLAN_REGION_NOT_A_REGION);
  CHECK(memplan_region_try_retain((int64_t)(uintptr_t)&region) == MEMPLAN_REGION_NOT_A_REGION);
}

static void messages(void) {
  int status;
  for (status = 0; status <= MEMPLAN_REGION_NO_PLACE; status++)
    CHECK(memplan_region_message((enum memplan_region_status)status) != NULL);
  CHECK(memplan_region_message((enum memplan_region_status)status) == NULL);
}

int main(void) {
  struct memplan_process_usage usage;
  memory();
  inlined();
  marks();
  parents();
  long_chain();
  refused();
  messages();
  CHECK(memplan_region_process_statistics(&usage) == MEMPLAN_REGION_DONE);
  CHECK(usage.regions_alive == 0 && usage.bytes == 0 && usage.region_bytes == 0);
  CHECK(usage.most_regions_alive == 300001 && usage.regions_made == 300009);
  CHECK(usage.held_bytes <= 2 << 20 && memplan_region_most_held() == (int64_t)usage.most_held_bytes);
  CHECK(memplan_region_held() == 0);
  memplan_region_report();
  puts("ok");
  return 0;
}
