/* A tool with another LLVM: what its loader of plugins does first, for each
   plugin on the command line. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

struct info {
  uint32_t api_version;
  const char *name, *version;
  void (*register_passes)(void);
};

#ifdef MAJOR
/* Found before that of the library that the plugin brings along. */
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = MAJOR, *minor = MINOR, *patch = 7;
}
#endif

/* As if another plugin had been loaded before. */
struct info mlirGetPassPluginInfo(void) {
  struct info another = {1, "another", "1", 0};
  return another;
}

int main(int count, char **arguments) {
  for (int i = 1; i < count; ++i) {
    struct info (*info)(void);
    void *plugin = dlopen(arguments[i], RTLD_LAZY | RTLD_GLOBAL);
    if (!plugin) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    *(void **)&info = dlsym(plugin, "mlirGetPassPluginInfo");
    struct info found = info();
    printf("%u %s\n", found.api_version, found.name);
  }
  return 0;
}
