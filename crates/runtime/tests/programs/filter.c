/* Filters rows that are created one by one. The first argument says how memory
 * is freed: "rows" clears the region after each row, "marks" also releases the
 * temporary values of a row to a mark, "array" keeps all rows in the region.
 * Prints the sum of the rows that pass, the peak of held bytes, and the bytes
 * held at the end. */
#include "memplan_runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t *numbers(int64_t region, int64_t count, int64_t start) {
  int64_t *made = (int64_t *)memplan_region_allocate(region, count * (int64_t)sizeof *made, 64);
  int64_t i;
  for (i = 0; i < count; i++)
    made[i] = start + i;
  return made;
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  int64_t rows = count > 2 ? atoll(arguments[2]) : 0, row, sum = 0;
  int64_t region = memplan_region_make();
  for (row = 0; row < rows; row++) {
    /* Every hundredth row is large. */
    int64_t length = row % 100 == 99 ? 20000 : row % 700;
    int64_t *values = numbers(region, length, row), mark = memplan_region_mark(region), i;
    int64_t *doubled = numbers(region, length, 0);
    for (i = 0; i < length; i++)
      doubled[i] = 2 * values[i];
    if (row % 3 == 0 && length > 0)
      sum += doubled[length - 1];
    if (strcmp(mode, "marks") == 0) {
      memplan_region_release_to(region, mark);
      if (length > 0)
        sum += values[length - 1] - (row + length - 1);
    }
    if (strcmp(mode, "array") != 0)
      memplan_region_clear(region);
  }
  memplan_region_release(region);
  printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", sum, memplan_region_most_held(), memplan_region_held());
  return 0;
}
