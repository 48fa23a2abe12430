/* memplan's regions: reference-counted arenas, for C, C++ and what MLIR lowers to.
 *
 * Link with -lmemplan_runtime (libmemplan_runtime.so), or with libmemplan_runtime.a and -lpthread -ldl -lm.
 *
 * A region is memory that is filled piece by piece and given back at once. A handle is a number, not an address. It is
 * never 0, and no two regions of a process have the same: one whose region was freed is told in every call.
 *
 * Handles may be used by all threads. A region is filled by one thread at a time: memplan_region_allocate, _take,
 * _clear, _empty, _mark, _release_to, and _refer for the child. References are counted atomically.
 *
 * Misuse ends in one line on standard error and abort(). Each function that can be misused has a sister with `try_` in
 * its name that gives a status instead and then has changed nothing, neither the region nor where a result would go.
 *
 * The environment is read when the first region is made; a value that makes no sense ends the process:
 *   MEMPLAN_REGION_STATS=1      the table of memplan_region_report at exit
 *   MEMPLAN_REGION_DEBUG=1      memory is 0xcd in each byte when allocated and 0xdd when given back; writes behind an
 *                               allocation or to what was given back end the process when that memory is used again or
 *                               given back; so do two threads that fill a region at once; regions that are alive at
 *                               exit are listed, and the exit status is 70 then
 *   MEMPLAN_REGION_LIMIT=BYTES  the most that the process may hold for regions, in bytes or with k, M or G for 2^10,
 *                               2^20 or 2^30 of them. Threads keep no blocks then: all that is held is in use
 *
 * All sizes and alignments are in bytes.
 */
#ifndef MEMPLAN_RUNTIME_H
#define MEMPLAN_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions with `try_` give. */
enum memplan_region_status {
  MEMPLAN_REGION_DONE = 0,
  MEMPLAN_REGION_FREED = 1,               /* the region has been freed already */
  MEMPLAN_REGION_NOT_A_REGION = 2,        /* not the handle of a region, ever */
  MEMPLAN_REGION_CYCLE = 3,               /* the parent would keep itself alive */
  MEMPLAN_REGION_NEGATIVE_SIZE = 4,
  MEMPLAN_REGION_ALIGNMENT = 5,           /* no power of two */
  MEMPLAN_REGION_TOO_LARGE = 6,           /* no memory has so many bytes */
  MEMPLAN_REGION_OVER_LIMIT = 7,          /* MEMPLAN_REGION_LIMIT would be exceeded */
  MEMPLAN_REGION_OUT_OF_MEMORY = 8,       /* the system has none left */
  MEMPLAN_REGION_MARK_AHEAD = 9,          /* what was behind the mark has been given back by an earlier one */
  MEMPLAN_REGION_NOT_A_MARK = 10,         /* of another region, or of before a clear */
  MEMPLAN_REGION_BUSY = 11,               /* another thread fills the region; with MEMPLAN_REGION_DEBUG=1 only */
  MEMPLAN_REGION_TOO_MANY_REGIONS = 12,   /* 2^24 are alive */
  MEMPLAN_REGION_TOO_MANY_REFERENCES = 13, /* 2^32 - 1 */
  MEMPLAN_REGION_NO_PLACE = 14            /* a null pointer where the result goes */
};

/* What a status means, in words; NULL for other numbers. The text is not to be freed. */
const char *memplan_region_message(enum memplan_region_status status);

/* A new region, empty, with one reference, which is the caller's. */
int64_t memplan_region_make(void);
enum memplan_region_status memplan_region_try_make(int64_t *region);

/* Adds a reference. */
void memplan_region_retain(int64_t region);
enum memplan_region_status memplan_region_try_retain(int64_t region);

/* Takes a reference away. With the last, all memory is given back, and the references to the parents are released. */
void memplan_region_release(int64_t region);
enum memplan_region_status memplan_region_try_release(int64_t region);

/* Memory of `size` bytes, its address a multiple of `alignment`, which is any power of two. It is not zeroed, and
 * there until the region is cleared or freed, or a mark of before is released to. For 0 bytes, an aligned pointer that
 * is not NULL and that nothing may be read from; that takes no memory. */
void *memplan_region_allocate(int64_t region, int64_t size, int64_t alignment);
enum memplan_region_status memplan_region_try_allocate(int64_t region, int64_t size, int64_t alignment, void **memory);

/* The same without a call, in the usual case: memory of at most 8 KiB, where the newest block has room and is aligned so
 * far. Else it calls. The head is that of the region, once asked for; it may be kept as long as the process lives, and
 * belongs to the region's handle alone. What is allocated is the same as with calls, and so are all checks.
 *
 *   struct memplan_region_head *head = memplan_region_head(region);
 *   for (...)
 *     double *row = memplan_region_take(head, region, n * sizeof(double), 8);
 */
struct memplan_region_head {
  uint64_t life; /* in the upper half, as in the region's handle */
  uint64_t next; /* the address of what is given next */
  uint64_t end;  /* behind the last that is given without a call; 0 in debug */
  uint64_t shift;
  uint64_t allocations;
};
struct memplan_region_head *memplan_region_head(int64_t region);
enum memplan_region_status memplan_region_try_head(int64_t region, struct memplan_region_head **head);

#if defined(__GNUC__)
static inline void *memplan_region_take(struct memplan_region_head *head, int64_t region, int64_t size, int64_t alignment) {
  /* Statistics are read by other threads: relaxed, which costs nothing. */
  const uint64_t next = __atomic_load_n(&head->next, __ATOMIC_RELAXED);
  const uint64_t bytes = (uint64_t)size, aligned = (uint64_t)alignment;
  const uint64_t after = next + ((bytes + 15) & ~(uint64_t)15);
  if (bytes - 1 < 8192 && ((aligned | next) & (aligned - 1)) == 0 &&
      (__atomic_load_n(&head->life, __ATOMIC_RELAXED) ^ (uint64_t)region) >> 32 == 0 &&
      after <= __atomic_load_n(&head->end, __ATOMIC_RELAXED)) {
    __atomic_store_n(&head->next, after, __ATOMIC_RELAXED);
    __atomic_store_n(&head->allocations, __atomic_load_n(&head->allocations, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    return (void *)(uintptr_t)next;
  }
  return memplan_region_allocate(region, size, alignment);
}
#endif

/* Gives back all memory, and releases the references to the parents. At most one block of 64 KiB is kept for what
 * comes next. */
void memplan_region_clear(int64_t region);
enum memplan_region_status memplan_region_try_clear(int64_t region);

/* The same, and no block is kept: for a region of which it is not known what comes next, or when. What is given back
 * goes to the blocks that the thread keeps for all of its regions. */
void memplan_region_empty(int64_t region);
enum memplan_region_status memplan_region_try_empty(int64_t region);

/* A mark: where the region is now. */
int64_t memplan_region_mark(int64_t region);
enum memplan_region_status memplan_region_try_mark(int64_t region, int64_t *mark);

/* Gives back what was allocated behind a mark, and releases the references to parents that were added behind it. The
 * mark stays good; marks behind it do not. One that lies behind what is there is told; once as much has been allocated
 * again, it may not be. One of before a clear is told, unless a multiple of
 * 2^15 clears lies between. */
void memplan_region_release_to(int64_t region, int64_t mark);
enum memplan_region_status memplan_region_try_release_to(int64_t region, int64_t mark);

/* Makes `parent` a parent of `child`, which keeps it alive: values in `child` may point into it. Nothing where it is
 * one already. */
void memplan_region_refer(int64_t child, int64_t parent);
enum memplan_region_status memplan_region_try_refer(int64_t child, int64_t parent);

/* What a region has. Bytes in use count the gaps in front of what is aligned. */
struct memplan_region_usage {
  uint64_t references;  /* those of its children among them */
  uint64_t parents;     /* regions that it keeps alive */
  uint64_t allocations; /* since it was made, those of 0 bytes among them */
  uint64_t bytes;       /* in use */
  uint64_t most_bytes;  /* the most that ever were in use at once */
  uint64_t total_bytes; /* that were ever allocated */
  uint64_t held_bytes;  /* of its blocks and chunks, with their heads */
  uint64_t blocks;
  uint64_t chunks;
};
enum memplan_region_status memplan_region_statistics(int64_t region, struct memplan_region_usage *usage);

/* What the process has. */
struct memplan_process_usage {
  uint64_t regions_made;
  uint64_t regions_alive;
  uint64_t most_regions_alive;
  uint64_t allocations;     /* in all regions that ever were */
  uint64_t total_bytes;     /* that were ever allocated */
  uint64_t bytes;           /* in use, in the regions that are alive */
  uint64_t region_bytes;    /* of their blocks and chunks */
  uint64_t held_bytes;      /* of these, and of the blocks that threads keep */
  uint64_t most_held_bytes; /* the most that it ever held */
  uint64_t system_blocks;   /* blocks that the system gave */
  uint64_t system_chunks;   /* chunks that the system gave */
};
enum memplan_region_status memplan_region_process_statistics(struct memplan_process_usage *usage);

/* The same in single numbers: regions that are alive; bytes in use in one; bytes of blocks and chunks of all that are
 * alive; the most that the process ever held. */
int64_t memplan_region_alive(void);
int64_t memplan_region_bytes(int64_t region);
int64_t memplan_region_held(void);
int64_t memplan_region_most_held(void);

/* Writes a table of what the process has to standard error. */
void memplan_region_report(void);

/* For MLIR: each function is there as _mlir_ciface_NAME, too, as `llvm.emit_c_interface` calls it. Of two, memrefs take
 * the place of pointers:
 *
 *   func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>)
 *       attributes {llvm.emit_c_interface}
 *   func.func private @memplan_region_statistics(i64, memref<9xi64>) attributes {llvm.emit_c_interface}
 *
 * The first stores a memref<?xi8> in a slot of the caller's, from memref.alloca. No function gives a memref: what a
 * call gives, deallocation passes take for the caller's and free. */

#ifdef __cplusplus
}
#endif

#endif
