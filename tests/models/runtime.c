// What compiled networks call, as libmlir_c_runner_utils.so has it; that loads all of LLVM, which takes seconds under
// valgrind.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void printI64(int64_t i) { fprintf(stdout, "%" PRId64, i); }
void printF64(double d) { fprintf(stdout, "%lg", d); }
void printNewline(void) { fputc('\n', stdout); }

// A memref of a rank that is not in its type: `layout` has the sizes, and behind these the strides.
struct descriptor {
    char *allocated, *aligned;
    int64_t offset, layout[];
};
struct unranked {
    int64_t rank;
    struct descriptor *memref;
};

static void copy(int64_t size, int64_t rank, int64_t axis, const char *from, const int64_t *by, char *to,
                 const struct descriptor *result) {
    if (axis == rank) {
        memcpy(to, from, size);
        return;
    }
    for (int64_t at = 0; at < result->layout[axis]; at++)
        copy(size, rank, axis + 1, from + at * by[axis] * size, by, to + at * result->layout[rank + axis] * size,
             result);
}

void memrefCopy(int64_t size, struct unranked *from, struct unranked *to) {
    const struct descriptor *source = from->memref, *result = to->memref;
    copy(size, to->rank, 0, source->aligned + source->offset * size, source->layout + from->rank,
         result->aligned + result->offset * size, result);
}
