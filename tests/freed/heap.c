/* A heap that counts allocations, and records the last touch of each. New and freed memory is filled, so that a program
   that reads it prints something else. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEW = 0x5A, FREED = 0xA5 };

/* An allocation: its requested size, and the times of its allocation and of its last touch. */
struct block {
    unsigned char *data;
    size_t size;
    long born, touched;
    int is_held;
};

static struct block *blocks;
static size_t count, room;
static long now, start = -1, stop = -1;
static long frees;
static size_t live, peak, base, most;

void *heap_aligned_alloc(size_t alignment, size_t size) {
    void *data = aligned_alloc(alignment, size);
    if (count == room) {
        room = room ? 2 * room : 1024;
        blocks = realloc(blocks, room * sizeof *blocks);
    }
    if (!data || !blocks) abort();
    memset(data, NEW, size);
    blocks[count++] = (struct block){data, size, now, now, 1};
    now++;
    live += size;
    if (live > peak) peak = live;
    return data;
}

void *heap_malloc(size_t size) { return heap_aligned_alloc(16, (size + 15) / 16 * 16); }

/* The allocation that contains an address, if any: most are recent. */
static struct block *block_of(unsigned char *address) {
    for (size_t at = count; at-- > 0;) {
        struct block *block = &blocks[at];
        if (block->is_held && (block->data == address || (uintptr_t)address - (uintptr_t)block->data < block->size))
            return block;
    }
    return NULL;
}

void heap_free(void *data) {
    if (!data) return;
    struct block *block = block_of(data);
    if (!block || block->data != data) {
        fprintf(stderr, "free of what is not held\n");
        _Exit(1);
    }
    memset(data, FREED, block->size);
    block->is_held = 0;
    live -= block->size;
    frees++;
    free(data);
}

void heap_touch(int64_t address) {
    struct block *block = block_of((unsigned char *)(uintptr_t)address);
    if (block) block->touched = now;
    now++;
}

void heap_start(void) {
    start = now++;
    base = peak = live;
}

void heap_stop(void) {
    stop = now++;
    most = peak - base;
}

/* The maximum number of bytes at one time between start and stop, if each allocation were freed at its last touch. */
static size_t load(long *allocated) {
    size_t highest = 0, live_bytes = 0;
    *allocated = 0;
    /* The bytes freed at each time. */
    size_t *ends = calloc((size_t)now + 1, sizeof *ends);
    size_t next = 0;
    if (!ends) abort();
    for (long time = 0; time < now; time++) {
        if (next < count && blocks[next].born == time) {
            struct block *block = &blocks[next++];
            if (time > start && time < stop) {
                ++*allocated;
                live_bytes += block->size;
                ends[block->touched] += block->size;
                if (live_bytes > highest) highest = live_bytes;
            }
        }
        live_bytes -= ends[time];
    }
    free(ends);
    return highest;
}

/* One line: the allocations and frees of the run; then allocations, peak and load between start and stop. */
void heap_report(void) {
    long allocated;
    size_t least = load(&allocated);
    printf("heap %zu %ld %ld %zu %zu\n", count, frees, allocated, most, least);
    fflush(stdout);
}
