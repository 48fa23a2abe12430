/* Loads a program from a shared library and runs it. Also has the functions that programs call, and their heap. Every
   allocation is between guard bytes, is filled when it is allocated and freed, and is checked when it is freed and at
   the end. With PLAIN, the heap is the system's: for valgrind. */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xEE };
static const uint64_t LIVE = UINT64_C(0x5AFE11ED5AFE11ED);
static const uint64_t FRAME = UINT64_C(0xF4A3EF4A3EF4A3E5);

struct head {
    uint64_t state;
    size_t size;
    struct head *next;
};

static struct head *all;
static long allocations, peak, bytes, live, live_before;
/* Of the program that runs: the most bytes that it held at once, with how many allocations these were. */
static long program_peak, at_peak, bytes_before;
static int in_program;
static long invalid_frees, overruns;
static unsigned char fill;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned char *data_of(struct head *head) { return (unsigned char *)head + GUARD; }

static void check(struct head *head) {
    unsigned char *data = data_of(head);
    for (size_t at = sizeof *head; at < GUARD; at++)
        if (((unsigned char *)head)[at] != GUARD_BYTE) {
            overruns++;
            return;
        }
    for (size_t at = 0; at < GUARD; at++)
        if (data[head->size + at] != GUARD_BYTE) {
            overruns++;
            return;
        }
}

/* Freed memory is not reused, so that a second free is detected; programs are small. */
void *fuzz_alloc(size_t size) {
#ifdef PLAIN
    return malloc(size);
#else
    struct head *head = aligned_alloc(GUARD, (size + 3 * GUARD - 1) / GUARD * GUARD);
    if (!head) abort();
    pthread_mutex_lock(&lock);
    memset((unsigned char *)head + sizeof *head, GUARD_BYTE, GUARD - sizeof *head);
    memset(data_of(head), (unsigned char)(fill + allocations * 17), size);
    memset(data_of(head) + size, GUARD_BYTE, GUARD);
    head->state = LIVE;
    head->size = size;
    head->next = all;
    all = head;
    allocations++;
    live++;
    bytes += size;
    if (bytes > peak) peak = bytes;
    if (bytes - bytes_before > program_peak) {
        program_peak = bytes - bytes_before;
        at_peak = live - live_before;
    }
    pthread_mutex_unlock(&lock);
    return data_of(head);
#endif
}

/* The frame of a coroutine, which is no allocation of the program. */
void *fuzz_frame(size_t alignment, size_t size) {
#ifdef PLAIN
    return aligned_alloc(alignment, size);
#else
    if (alignment > GUARD) abort();
    struct head *head = aligned_alloc(GUARD, (size + 2 * GUARD - 1) / GUARD * GUARD);
    if (!head) abort();
    head->state = FRAME;
    return data_of(head);
#endif
}

void fuzz_free(void *data) {
#ifdef PLAIN
    free(data);
#else
    if (!data) return;
    struct head *head = (struct head *)((unsigned char *)data - GUARD);
    if (head->state == FRAME) {
        free(head);
        return;
    }
    pthread_mutex_lock(&lock);
    /* Only the start of an allocation has this mark before it. */
    if (head->state != LIVE) {
        invalid_frees++;
    } else {
        check(head);
        head->state = 0;
        live--;
        bytes -= head->size;
        memset(data, (unsigned char)~fill, head->size);
    }
    pthread_mutex_unlock(&lock);
#endif
}

void fuzz_start(int64_t byte) {
    fill = (unsigned char)byte;
    all = NULL;
    allocations = peak = bytes = live = invalid_frees = overruns = 0;
    live_before = bytes_before = program_peak = at_peak = 0;
    in_program = 0;
    printf("start\n");
}

/* Prints the allocations that the program leaves, and the most that it held. */
static void leave(void) {
    if (in_program) printf("left %ld\nheld %ld %ld\n", live - live_before, program_peak, at_peak);
    live_before = live;
    bytes_before = bytes;
    program_peak = at_peak = 0;
}

void fuzz_program(int64_t number) {
    leave();
    in_program = 1;
    printf("program %" PRId64 "\n", number);
    fflush(stdout);
}

void fuzz_end(void) {
    leave();
    for (struct head *head = all; head; head = head->next)
        if (head->state == LIVE) check(head);
    printf("heap allocations=%ld live=%ld peak=%ld invalid=%ld overruns=%ld\n", allocations, live, peak, invalid_frees,
           overruns);
    fflush(stdout);
}

/* Nothing unwinds. */
int fuzz_personality(int version, ...) {
  (void)version;
  return 8;
}

void fuzz_print(int64_t number) { printf("%" PRId64 "\n", number); }

// A memref of one dimension.
struct memref {
    void *base;
    int64_t *data;
    int64_t offset, size, stride;
};

// Stores a memref in a memref of memrefs.
void fuzz_put(void *base, struct memref *cells, int64_t offset, int64_t size, int64_t stride, void *given_base,
              int64_t *given_data, int64_t given_offset, int64_t given_size, int64_t given_stride) {
    (void)base, (void)size, (void)stride;
    cells[offset] = (struct memref){given_base, given_data, given_offset, given_size, given_stride};
}

// A byte in memory that is no allocation, and that LLVM knows nothing about.
struct memref fuzz_byte(void) {
    static char byte;
    return (struct memref){&byte, (int64_t *)&byte, 0, 1, 1};
}

int64_t fuzz_look(void *base, int64_t *data, int64_t offset, int64_t size, int64_t stride) {
    int64_t sum = 0;
    (void)base;
    for (int64_t at = 0; at < size; at++) sum = (int64_t)((uint64_t)sum * 31u + (uint64_t)data[offset + at * stride]);
    return sum;
}

int main(int count, char **arguments) {
    void *library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*program)(void);
    void *symbol = library ? dlsym(library, "main") : NULL;
    if (!symbol) {
        fprintf(stderr, "%s\n", library || count == 2 ? dlerror() : "which library?");
        return 1;
    }
    memcpy(&program, &symbol, sizeof program);
    program();
    return 0;
}
