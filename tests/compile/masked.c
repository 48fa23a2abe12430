// Compares the functions of masked.mlir with the definitions of their operations.
#include <stdio.h>
#include <stdlib.h>

typedef struct { float *allocated, *aligned; long offset; } Rank0;
typedef struct { float *allocated, *aligned; long offset, sizes[1], strides[1]; } Rank1;
typedef struct { float *allocated, *aligned; long offset, sizes[2], strides[2]; } Rank2;

void _mlir_ciface_all(Rank2 *, Rank1 *, char, long, long, Rank1 *, Rank1 *, Rank1 *);
void _mlir_ciface_ones(Rank0 *, _Bool, Rank1 *, Rank1 *, Rank1 *);

static void same(const char *what, int bits, float is, float should_be) {
  if (is == should_be)
    return;
  printf("%s, mask %x: %g and not %g\n", what, bits, is, should_be);
  exit(1);
}

int main(void) {
  float m[15], other[24], row[8], column[4], turned[24];
  for (int at = 0; at < 15; ++at)
    m[at] = at + 1;
  for (int at = 0; at < 24; ++at)
    other[at] = -100 - at;
  Rank2 matrix = {m, m, 0, {3, 5}, {5, 1}};
  Rank1 values = {other, other, 0, {24}, {1}}, rows = {row, row, 0, {8}, {1}};
  Rank1 columns = {column, column, 0, {4}, {1}}, all = {turned, turned, 0, {24}, {1}};
  for (int bits = 0; bits < 256; ++bits)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j) {
        _mlir_ciface_all(&matrix, &values, (char)bits, i, j, &rows, &columns, &all);
        for (int y = 0; y < 2; ++y)
          for (int x = 0; x < 4; ++x) {
            float read = i + y < 3 && j + x < 5 ? m[(i + y) * 5 + j + x] : -9;
            int on = bits >> (y * 4 + x) & 1;
            same("row", bits, row[y * 4 + x], on ? read : other[y * 4 + x]);
            for (int k = 0; k < 3; ++k) {
              int at = (x * 3 + k) * 2 + y;
              same("turned", bits, turned[at], on ? read : other[at]);
            }
          }
        for (int y = 0; y < 4; ++y) {
          float read = i + y < 3 ? m[(i + y) * 5 + j] : -9;
          same("column", bits, column[y], bits >> y & 1 ? read : other[y]);
        }
      }
  for (int on = 0; on < 2; ++on) {
    float element = 5, *nowhere = NULL, one[4], either[4];
    // What the mask excludes is not read: there may be no memory.
    Rank0 scalar = {on ? &element : nowhere, on ? &element : nowhere, 0};
    Rank1 of4 = {other, other, 0, {4}, {1}}, ones = {one, one, 0, {4}, {1}}, ors = {either, either, 0, {4}, {1}};
    _mlir_ciface_ones(&scalar, on, &of4, &ones, &ors);
    for (int at = 0; at < 4; ++at) {
      same("one", on, one[at], on ? 5 : -9);
      same("one_or", on, either[at], on ? 5 : other[at]);
    }
    same("increment", on, element, on ? 6 : 5);
  }
  puts("same");
}
