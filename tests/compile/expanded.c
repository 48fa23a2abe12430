// Prints what the functions of expanded.mlir compute.
#include <stdio.h>

typedef struct { float *allocated, *aligned; long offset, sizes[1], strides[1]; } Rank1;
typedef struct { float *allocated, *aligned; long offset, sizes[2], strides[2]; } Rank2;
typedef struct { double *allocated, *aligned; long offset, sizes[2], strides[2]; } Doubles;
typedef struct { float *allocated, *aligned; long offset, sizes[3], strides[3]; } Rank3;

void _mlir_ciface_softmax(Rank3 *, Rank3 *);
void _mlir_ciface_softmax_in_place(Doubles *);
void _mlir_ciface_softmax_temp(Rank2 *, Rank2 *);
void _mlir_ciface_pad(Rank2 *, Rank2 *);
void _mlir_ciface_scan(Rank1 *, Rank1 *);
void _mlir_ciface_clone(Rank2 *, Rank2 *);
long _mlir_ciface_zero(long, Rank1 *);

static void print(const char *name, const float *numbers, int count) {
  printf("%s", name);
  for (int at = 0; at < count; ++at)
    printf(" %.4g", numbers[at]);
  puts("");
}

int main(void) {
  float from[24], to[64];
  for (int at = 0; at < 24; ++at)
    from[at] = (at * 7 % 11) / 3.0f;
  Rank3 cube = {from, from, 0, {2, 3, 4}, {12, 4, 1}}, cube_to = {to, to, 0, {2, 3, 4}, {12, 4, 1}};
  _mlir_ciface_softmax(&cube, &cube_to);
  print("softmax", to, 24);

  double doubles[6] = {1, 2, 3, -1e300, 0, 5};
  Doubles matrix = {doubles, doubles, 0, {2, 3}, {3, 1}};
  _mlir_ciface_softmax_in_place(&matrix);
  for (int at = 0; at < 6; ++at)
    to[at] = (float)doubles[at];
  print("in place", to, 6);

  Rank2 wide = {from, from, 0, {2, 8}, {8, 1}}, wide_to = {to, to, 0, {2, 8}, {8, 1}};
  _mlir_ciface_softmax_temp(&wide, &wide_to);
  print("of another", to, 16);

  for (int at = 0; at < 64; ++at)
    to[at] = -1;
  Rank2 small = {from, from, 0, {4, 4}, {4, 1}}, large = {to, to, 0, {8, 8}, {8, 1}};
  _mlir_ciface_pad(&small, &large);
  print("pad", to, 64);

  Rank1 line = {from, from, 0, {8}, {1}}, line_to = {to, to, 0, {8}, {1}};
  _mlir_ciface_scan(&line, &line_to);
  print("scan", to, 8);

  Rank2 transposed = {from, from, 0, {4, 4}, {1, 4}}, plain = {to, to, 0, {4, 4}, {4, 1}};
  _mlir_ciface_clone(&transposed, &plain);
  print("clone", to, 16);
  printf("zero %ld\n", _mlir_ciface_zero(5, &line));
}
