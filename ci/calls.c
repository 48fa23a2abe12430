// What a network's call takes, told on standard error: seconds of CPU, allocations, most bytes held, bytes left, copies, and
// the bytes that these write. Counted is what the program itself asks for, where it is linked with -Wl,--wrap=malloc,--wrap=free; else that is 0. With CALLS=N, N
// calls are timed, and the network does not print.
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

// What the linker gives where it wraps, and the runtime where it is there.
void *__real_malloc(size_t) __attribute__((weak));
void __real_free(void *) __attribute__((weak));
int64_t memplan_region_most_held(void) __attribute__((weak));

// The size stands in front, in as many bytes as malloc aligns by.
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

// The calls are over; what is allocated now holds copies of what the last one gave.
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

// What they gave has been freed.
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
