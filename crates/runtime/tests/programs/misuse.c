/* Misuses the runtime in one way, or provokes a report at exit. The argument
 * names the case. */
#include "memplan_runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int64_t shared;

static void *fill(void *unused) {
  int i;
  (void)unused;
  for (i = 0; i < 10000000; i++) {
    int64_t mark = memplan_region_mark(shared);
    memplan_region_allocate(shared, 4096, 8);
    memplan_region_release_to(shared, mark);
  }
  return NULL;
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  int64_t region = memplan_region_make(), other = memplan_region_make(), mark;
  char *bytes = (char *)memplan_region_allocate(region, 100, 8);
#define IS(name) (strcmp(what, name) == 0)
  /* Stays in the buffer until the end. */
  printf("started\n");
  if (IS("release")) {
    memplan_region_release(region);
    memplan_region_release(region);
  } else if (IS("retain")) {
    memplan_region_release(region);
    memplan_region_retain(region);
  } else if (IS("allocate")) {
    memplan_region_release(region);
    memplan_region_allocate(region, 8, 8);
  } else if (IS("take")) {
    struct memplan_region_head *head = memplan_region_head(region);
    memplan_region_release(region);
    other = memplan_region_make();
    memplan_region_allocate(other, 8, 8);
    memplan_region_take(head, region, 8, 8);
  } else if (IS("head")) {
    memplan_region_release(region);
    memplan_region_head(region);
  } else if (IS("reused")) {
    /* The header belongs to another region by now. */
    memplan_region_release(region);
    other = memplan_region_make();
    memplan_region_allocate(other, 8, 8);
    memplan_region_allocate(region, 8, 8);
  } else if (IS("clear")) {
    memplan_region_release(region);
    memplan_region_clear(region);
  } else if (IS("garbage")) {
    memplan_region_allocate(0x123456789abcdef, 8, 8);
  } else if (IS("cycle")) {
    memplan_region_refer(region, other);
    memplan_region_refer(other, region);
  } else if (IS("negative")) {
    memplan_region_allocate(region, -8, 8);
  } else if (IS("overflow")) {
    memplan_region_allocate(region, INT64_MAX - 7, 64);
  } else if (IS("alignment")) {
    memplan_region_allocate(region, 8, 48);
  } else if (IS("ahead")) {
    int64_t start = memplan_region_mark(region);
    memplan_region_allocate(region, 8, 8);
    mark = memplan_region_mark(region);
    memplan_region_release_to(region, start);
    memplan_region_release_to(region, mark);
  } else if (IS("foreign")) {
    /* Of all pairs of regions that are made one after the other. */
    int64_t marks[40], regions[40];
    int i, j;
    for (i = 0; i < 40; i++) {
      regions[i] = memplan_region_make();
      memplan_region_allocate(regions[i], 4000, 8);
      marks[i] = memplan_region_mark(regions[i]);
      memplan_region_allocate(regions[i], 100, 8);
    }
    for (i = 0; i < 40; i++)
      for (j = 0; j < 40; j++)
        if (i != j && memplan_region_try_release_to(regions[i], marks[j]) != MEMPLAN_REGION_NOT_A_MARK)
          return 1;
    for (i = 0; i < 40; i++) {
      if (memplan_region_bytes(regions[i]) < 4100)
        return 1;
      memplan_region_release_to(regions[i], marks[i]);
      if (memplan_region_bytes(regions[i]) >= 4100)
        return 1;
    }
    memplan_region_release_to(regions[0], marks[1]);
  } else if (IS("cleared")) {
    mark = memplan_region_mark(region);
    memplan_region_clear(region);
    memplan_region_release_to(region, mark);
  } else if (IS("limit")) {
    memplan_region_allocate(region, 2 << 20, 8);
  } else if (IS("limited")) {
    /* Fills the region up to the limit repeatedly, with blocks and with chunks.
     */
    void *memory;
    int i, j;
    for (i = 0; i < 100; i++) {
      for (j = 0; j < 100; j++)
        memplan_region_allocate(region, 5000, 8);
      memplan_region_clear(region);
      memplan_region_allocate(region, 700 << 10, 8);
      if (memplan_region_try_allocate(region, 700 << 10, 8, &memory) != MEMPLAN_REGION_OVER_LIMIT)
        return 1;
      memplan_region_clear(region);
    }
    memplan_region_release(region);
    memplan_region_release(other);
  } else if (IS("after")) {
    bytes[100] = 1;
    memplan_region_release(region);
  } else if (IS("between")) {
    bytes[103] = 1;
    memplan_region_allocate(region, 8, 8);
  } else if (IS("after clear")) {
    memplan_region_clear(region);
    bytes[5] = 1;
    memplan_region_allocate(region, 100, 8);
  } else if (IS("poison")) {
    int i;
    for (i = 0; i < 100; i++)
      if ((unsigned char)bytes[i] != 0xcd)
        return 1;
    mark = memplan_region_mark(region);
    memplan_region_clear(region);
    for (i = 0; i < 100; i++)
      if ((unsigned char)bytes[i] != 0xdd)
        return 1;
    memplan_region_release(region);
    memplan_region_release(other);
  } else if (IS("leak")) {
    memplan_region_retain(other);
    memplan_region_allocate(other, 1000, 8);
    memplan_region_release(region);
  } else if (IS("threads")) {
    pthread_t thread;
    shared = region;
    if (pthread_create(&thread, NULL, fill, NULL) != 0)
      return 1;
    fill(NULL);
    pthread_join(thread, NULL);
  } else if (IS("none")) {
    memplan_region_release(region);
    memplan_region_release(other);
  } else {
    return 2;
  }
  return 0;
}
