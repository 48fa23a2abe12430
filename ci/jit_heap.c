// A preloaded heap for a program that mlir-runner or lli compiles and runs. The program calls it by these names instead of the C
// library's. When the process ends, it writes to the file HEAP_COUNTS: allocations, peak bytes, leaked bytes, frees of blocks that it
// has not allocated or that were freed before, and blocks that were written to after they were freed. It fills new memory with the
// byte HEAP_FILL, and freed memory with another, so that reads of freed memory show. It does not reuse freed memory.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Bytes in regions, if memplan's runtime is loaded.
int64_t memplan_region_held(void) __attribute__((weak));

enum { FREED = 0xa5 };
// The most bytes of freed memory that are kept; blocks beyond are returned to the C library.
static const size_t most_kept = (size_t)1 << 30;

struct block {
    uintptr_t address;
    size_t size;
    int live;
};
// A hash table with linear probing. Its size is a power of two, and at most half of it is used.
static struct block *blocks;
static size_t places, taken;
static size_t allocations, now, most, wrong, kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct block *place_of(struct block *table, size_t count, uintptr_t address) {
    size_t at = (address >> 4) * 0x9e3779b97f4a7c15u & (count - 1);
    while (table[at].address && table[at].address != address)
        at = (at + 1) & (count - 1);
    return &table[at];
}

static void grow(void) {
    size_t count = places ? 2 * places : 1 << 12;
    struct block *table = calloc(count, sizeof *table);
    if (!table)
        abort();
    for (size_t at = 0; at < places; at++)
        if (blocks[at].address)
            *place_of(table, count, blocks[at].address) = blocks[at];
    free(blocks);
    blocks = table;
    places = count;
}

static int fill(void) {
    const char *text = getenv("HEAP_FILL");
    return text ? atoi(text) : 0;
}

static void *counted(void *memory, size_t size) {
    if (!memory)
        return memory;
    memset(memory, fill(), size);
    pthread_mutex_lock(&mutex);
    if (2 * taken >= places)
        grow();
    struct block *block = place_of(blocks, places, (uintptr_t)memory);
    taken += !block->address;
    *block = (struct block){(uintptr_t)memory, size, 1};
    allocations++;
    now += size;
    most = now > most ? now : most;
    pthread_mutex_unlock(&mutex);
    return memory;
}

void *jit_heap_malloc(size_t size) { return counted(malloc(size ? size : 1), size); }

void *jit_heap_aligned_alloc(size_t alignment, size_t size) {
    return counted(aligned_alloc(alignment, size ? size : alignment), size);
}

void jit_heap_free(void *memory) {
    if (!memory)
        return;
    int gone = 0;
    pthread_mutex_lock(&mutex);
    struct block *block = places ? place_of(blocks, places, (uintptr_t)memory) : NULL;
    if (block && block->address && block->live) {
        block->live = 0;
        now -= block->size;
        memset(memory, FREED, block->size);
        kept += block->size;
        // The C library may return the address again, which makes the block live.
        gone = kept > most_kept;
        if (gone)
            block->size = 0;
    } else {
        wrong++;
    }
    pthread_mutex_unlock(&mutex);
    if (gone)
        free(memory);
}

// The number of blocks that were written to after they were freed.
static size_t overwritten(void) {
    size_t count = 0;
    for (size_t at = 0; at < places; at++) {
        const unsigned char *bytes = (const unsigned char *)blocks[at].address;
        if (!bytes || blocks[at].live)
            continue;
        for (size_t byte = 0; byte < blocks[at].size; byte++)
            if (bytes[byte] != FREED) {
                count++;
                break;
            }
    }
    return count;
}

__attribute__((destructor)) static void write_counts(void) {
    const char *path = getenv("HEAP_COUNTS");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file < 0)
        return;
    size_t left = now + (memplan_region_held ? (size_t)memplan_region_held() : 0);
    char text[160];
    int length = snprintf(text, sizeof text, "%zu %zu %zu %zu %zu\n", allocations, most, left, wrong, overwritten());
    if (write(file, text, length) != length)
        abort();
    close(file);
}
