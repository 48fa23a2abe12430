#include <stdio.h>

int all(void);
int fw(void);
extern int *addr;
extern int (*table[2])(void);
extern int gialias;
extern _Thread_local int gt;

int main(void) {
  printf("%d %d %d %d %d %d %d\n", all(), fw(), *addr, table[0](), table[1](),
         gialias, gt);
  return 0;
}
