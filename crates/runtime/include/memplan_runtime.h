/* memplan's regions: reference-counted arenas, for C, C++ and what MLIR lowers to.
 *
 * Link with -lmemplan_runtime (libmemplan_runtime.so), or with libmemplan_runtime.a and -lpthread -ldl -lm.
 *
 * A region is memory that is filled piece by piece and freed at once. A handle is a number, not an address. It is
 * never 0, and no two regions of a process have the same handle. So every call detects a handle whose region was
 * freed.
 *
 * Handles may be used by all threads. A region is filled by one thread at a time: memplan_region_allocate, _take,
 * _clear, _empty, _mark, _release_to, and _refer for the child. References are counted atomically.
 *
 * On misuse, a function prints one line to standard error and calls abort(). Each function that can be misused has a
 * twin with `try_` in its name. The twin returns a status instead. If it fails, it changes neither the region nor the
 * result.
 *
 * The environment is read when the first region is made. An invalid value aborts the process:
 *   MEMPLAN_REGION_STATS=1      print the table of memplan_region_report at exit
 *   MEMPLAN_REGION_DEBUG=1      each byte of memory is 0xcd when it is allocated and 0xdd when it is freed. A write after
 *                               the end of an allocation, or to freed memory, aborts the process when that memory is
 *                               used again or freed. So do two threads that fill a region at once. Regions that are
 *                               alive at exit are listed, and the exit status is 70 then
 *   MEMPLAN_REGION_LIMIT=BYTES  the most that the process may hold for regions, in bytes or with k, M or G for 2^10,
 *                               2^20 or 2^30 of them. Threads cache no blocks then: all that is held is in use
 *
 * All sizes and alignments are in bytes. */
#ifndef MEMPLAN_RUNTIME_H
#define MEMPLAN_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of the functions with `try_` in their names. */
enum memplan_region_status {
  MEMPLAN_REGION_DONE = 0,
  MEMPLAN_REGION_FREED = 1,               /* the region has been freed already */
  MEMPLAN_REGION_NOT_A_REGION = 2,        /* never was the handle of a region */
  MEMPLAN_REGION_CYCLE = 3,               /* the parent would keep itself alive */
  MEMPLAN_REGION_NEGATIVE_SIZE = 4,
  MEMPLAN_REGION_ALIGNMENT = 5,           /* no power of two */
  MEMPLAN_REGION_TOO_LARGE = 6,           /* larger than any memory */
  MEMPLAN_REGION_OVER_LIMIT = 7,          /* MEMPLAN_REGION_LIMIT would be exceeded */
  MEMPLAN_REGION_OUT_OF_MEMORY = 8,       /* the system has no memory left */
  MEMPLAN_REGION_MARK_AHEAD = 9,          /* the mark lies after the current position: its memory was freed */
  MEMPLAN_REGION_NOT_A_MARK = 10,         /* of another region, or made before a clear */
  MEMPLAN_REGION_BUSY = 11,               /* another thread fills the region; only with MEMPLAN_REGION_DEBUG=1 */
  MEMPLAN_REGION_TOO_MANY_REGIONS = 12,   /* 2^24 are alive */
  MEMPLAN_REGION_TOO_MANY_REFERENCES = 13, /* 2^32 - 1 */
  MEMPLAN_REGION_NO_PLACE = 14            /* the pointer for the result is null */
};

/* The meaning of a status, in words; NULL for other numbers. The text must not be freed. */
const char *memplan_region_message(enum memplan_region_status status);

/* Makes an empty region with one reference, which the caller owns. */
int64_t memplan_region_make(void);
enum memplan_region_status memplan_region_try_make(int64_t *region);

/* Adds a reference. */
void memplan_region_retain(int64_t region);
enum memplan_region_status memplan_region_try_retain(int64_t region);

/* Releases a reference. With the last reference, all memory is freed, and the references to the parents are released.
 */
void memplan_region_release(int64_t region);
enum memplan_region_status memplan_region_try_release(int64_t region);

/* Allocates `size` bytes at a multiple of `alignment`, which is any power of two. The memory is not zeroed. It stays
 * until the region is cleared or freed, or an earlier mark is released to. For 0 bytes, an aligned pointer that is
 * not NULL and must not be read from; that takes no memory. */
void *memplan_region_allocate(int64_t region, int64_t size, int64_t alignment);
enum memplan_region_status memplan_region_try_allocate(int64_t region, int64_t size, int64_t alignment, void **memory);

/* The same as memplan_region_allocate, inlined for the frequent case: at most 8 KiB, in a newest block that has as
 * many bytes left and whose fill position has the alignment. In all other cases it calls memplan_region_allocate.
 * `head` is the head of the region, from memplan_region_head. It may be kept as long as the process lives, and is
 * only valid with the handle of this region. The memory and all checks are the same as with calls.
 *
 *   struct memplan_region_head *head = memplan_region_head(region);
 *   for (...)
 *     double *row = memplan_region_take(head, region, n * sizeof(double), 8);
 */
struct memplan_region_head {
  uint64_t life; /* in the upper half, as in the region's handle */
  uint64_t next; /* the address of the next allocation */
  uint64_t end;  /* the end of the bytes that are allocated without a call; 0 in debug */
  uint64_t shift;
  uint64_t allocations;
};
struct memplan_region_head *memplan_region_head(int64_t region);
enum memplan_region_status memplan_region_try_head(int64_t region, struct memplan_region_head **head);

#if defined(__GNUC__)
static inline void *memplan_region_take(struct memplan_region_head *head, int64_t region, int64_t size, int64_t alignment) {
  /* Other threads read the statistics: relaxed, which costs nothing. */
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

/* Frees all memory, and releases the references to the parents. At most one block, of at most 64 KiB, is kept for the
 * next allocations. */
void memplan_region_clear(int64_t region);
enum memplan_region_status memplan_region_try_clear(int64_t region);

/* The same as memplan_region_clear, but keeps no block: for a region whose next use is not known. The freed blocks go
 * to the cache that the thread has for all its regions. */
void memplan_region_empty(int64_t region);
enum memplan_region_status memplan_region_try_empty(int64_t region);

/* A mark: the current position of the region. */
int64_t memplan_region_mark(int64_t region);
enum memplan_region_status memplan_region_try_mark(int64_t region, int64_t *mark);

/* Frees the memory that was allocated after a mark, and releases the references to parents that were added after it.
 * The mark stays valid; later marks do not. A mark after the current position is an error, but it may go undetected
 * once as many bytes have been allocated again. A mark of another region, or one made before a clear, is an error,
 * but of 2^15 such marks, one goes undetected. */
void memplan_region_release_to(int64_t region, int64_t mark);
enum memplan_region_status memplan_region_try_release_to(int64_t region, int64_t mark);

/* Makes `parent` a parent of `child`, which keeps it alive: values in `child` may point into it. Does nothing if it
 * is one already. */
void memplan_region_refer(int64_t child, int64_t parent);
enum memplan_region_status memplan_region_try_refer(int64_t child, int64_t parent);

/* Counters of a region. Bytes in use include alignment gaps. */
struct memplan_region_usage {
  uint64_t references;  /* those of its children included */
  uint64_t parents;     /* regions that it keeps alive */
  uint64_t allocations; /* since it was made, those of 0 bytes included */
  uint64_t bytes;       /* in use */
  uint64_t most_bytes;  /* peak of `bytes` */
  uint64_t total_bytes; /* ever allocated */
  uint64_t held_bytes;  /* of its blocks and chunks, with their heads */
  uint64_t blocks;
  uint64_t chunks;
};
enum memplan_region_status memplan_region_statistics(int64_t region, struct memplan_region_usage *usage);

/* Counters of the process. */
struct memplan_process_usage {
  uint64_t regions_made;
  uint64_t regions_alive;
  uint64_t most_regions_alive;
  uint64_t allocations;     /* in all regions, freed ones included */
  uint64_t total_bytes;     /* ever allocated */
  uint64_t bytes;           /* in use, in live regions */
  uint64_t region_bytes;    /* of the blocks and chunks of live regions */
  uint64_t held_bytes;      /* of these, and of the blocks that threads cache */
  uint64_t most_held_bytes; /* peak of held_bytes */
  uint64_t system_blocks;   /* blocks allocated from the system */
  uint64_t system_chunks;   /* chunks allocated from the system */
};
enum memplan_region_status memplan_region_process_statistics(struct memplan_process_usage *usage);

/* Single counters: live regions; bytes in use in one region; bytes of the blocks and chunks of all live regions; the
 * most bytes that the process ever held. */
int64_t memplan_region_alive(void);
int64_t memplan_region_bytes(int64_t region);
int64_t memplan_region_held(void);
int64_t memplan_region_most_held(void);

/* Prints the table of the process's counters to standard error. */
void memplan_region_report(void);

/* For MLIR: each function also exists as _mlir_ciface_NAME, which `llvm.emit_c_interface` calls. Two of them have
 * memrefs in place of pointers:
 *
 *   func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>)
 *       attributes {llvm.emit_c_interface}
 *   func.func private @memplan_region_statistics(i64, memref<9xi64>) attributes {llvm.emit_c_interface}
 *
 * The first stores a memref<?xi8> in a slot of the caller's, from memref.alloca. No function returns a memref:
 * deallocation passes assume that the caller owns a call's memref results, and free them. */

#ifdef __cplusplus
}
#endif

#endif
