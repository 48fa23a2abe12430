/* A tool with another LLVM: what its loader of plugins does first. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

struct info {
  uint32_t api_version;
  const char *name, *version;
  void (*register_passes)(void);
};

/* Found before that of the library that the plugin brings along. */
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = MAJOR, *minor = MINOR, *patch = 7;
}

int main(int count, char **arguments) {
  struct info (*info)(void);
  void *plugin = count > 1 ? dlopen(arguments[1], RTLD_NOW) : 0;
  if (!plugin)
    return 2;
  *(void **)&info = dlsym(plugin, "mlirGetPassPluginInfo");
  printf("%u\n", info().api_version);
  return 0;
}
