// Measures calls of a network and prints on standard error: seconds of CPU time, allocations, peak bytes, leaked bytes,
// copies, and the bytes that the copies write. Counts the program's own allocations if it is linked with
// -Wl,--wrap=malloc,--wrap=free; otherwise these counts are 0. With CALLS=N, N calls are timed, and the network does not
// print.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct heap {
    size_t now, most, allocations;
} heap, before, after;
static struct copies {
    size_t made, bytes;
} copies, copies_before, copies_after;
static size_t kept;
static double start, seconds;

// Defined by the linker if it wraps these functions, and by the runtime if it is linked.
void *__real_malloc(size_t) __attribute__((weak));
void __real_free(void *) __attribute__((weak));
int64_t memplan_region_most_held(void) __attribute__((weak));

// The size is stored before the block, in a header as large as malloc's alignment.
void *__wrap_malloc(size_t size) {
    size_t *block = __real_malloc(size + 16);
    *block = size;
    heap.allocations++;
    heap.now += size;
    if (heap.now > heap.most)
        heap.most = heap.now;
    return block + 2;
}

void __wrap_free(void *memory) {
    if (!memory)
        return;
    size_t *block = (size_t *)memory - 2;
    heap.now -= *block;
    __real_free(block);
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int64_t calls_count(void) {
    const char *text = getenv("CALLS");
    return text ? atol(text) : 1;
}

void calls_start(void) {
    heap.most = heap.now;
    before = heap;
    copies_before = copies;
    start = cpu_seconds();
}

// Ends the measurement of the calls. Later allocations are copies of the last call's results.
void calls_over(void) {
    seconds = cpu_seconds() - start;
    after = heap;
    copies_after = copies;
    if (memplan_region_most_held)
        after.most += memplan_region_most_held();
}

void calls_copied(void) { kept = heap.now - after.now; }

void calls_moved(int64_t bytes) {
    copies.made++;
    copies.bytes += bytes;
}

// Called after the results of the calls were freed. Prints the measurements.
void calls_stop(void) {
    fprintf(stderr, "%.9f %zu %zu %td %zu %zu\n", seconds / calls_count(), after.allocations - before.allocations,
            after.most - before.now, (ptrdiff_t)(heap.now - kept - before.now), copies_after.made - copies_before.made,
            copies_after.bytes - copies_before.bytes);
    if (getenv("CALLS"))
        exit(0);
}

void driver(void);
int main(void) {
    driver();
    return 0;
}
