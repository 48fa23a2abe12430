/* libmemplan.so, the plugin: compares the tool's LLVM with that of memplan, and
 * loads the library with the passes.
 *
 * It needs libc alone, so that it also starts where that LLVM is missing. It is
 * in C because a shared library in Rust needs libgcc_s: one without the standard
 * library does not build where panics unwind, as all else here does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The struct that MLIR's plugin loader expects
 * (mlir/Tools/Plugins/PassPlugin.h). */
struct PassPluginLibraryInfo {
  uint32_t apiVersion;
  const char *pluginName;
  const char *pluginVersion;
  void (*registerPasses)(void);
};

/* The entry, here and in the library. */
#define ENTRY "mlirGetPassPluginInfo"
__attribute__((visibility("default"))) struct PassPluginLibraryInfo
mlirGetPassPluginInfo(void);

static void registerNothing(void) {}

/* Of no version with which a tool goes on. */
static const struct PassPluginLibraryInfo none = {0, "memplan", MEMPLAN_VERSION,
                                                  registerNothing};

/* Whether the tool has another LLVM: MLIR would abort at the first pass that
 * both know. LLVM without a visible function is linked into the tool; the
 * library compares that MLIR with its own. */
static int isForeign(void) {
  void (*version)(unsigned *, unsigned *, unsigned *);
  unsigned major = 0, minor = 0, patch = 0;
  *(void **)&version = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  if (!version)
    return 0;
  version(&major, &minor, &patch);
  if (major == LLVM_MAJOR && minor == LLVM_MINOR)
    return 0;
  fprintf(stderr,
          "memplan: error: this plugin is built for LLVM %u.%u, and this tool "
          "has LLVM %u.%u: load it into the tools of LLVM %u.%u\n",
          LLVM_MAJOR, LLVM_MINOR, major, minor, LLVM_MAJOR, LLVM_MINOR);
  return 1;
}

/* The path of the library in the folder of this file, symbolic links resolved.
 * False if there is none. The entry's address may be that of another plugin,
 * which has the same name. */
static int findBeside(char path[PATH_MAX]) {
  Dl_info self;
  char *name;
  if (!dladdr(&none, &self) || !realpath(self.dli_fname, path))
    return 0;
  name = strrchr(path, '/') + 1;
  if ((size_t)(path + PATH_MAX - name) < sizeof MEMPLAN_LIBRARY)
    return 0;
  strcpy(name, MEMPLAN_LIBRARY);
  return !access(path, F_OK);
}

/* A compiler may have linked the library: passes are registered from one copy.
 * One that is there and does not load is not replaced by another one. */
static void *openLibrary(char path[PATH_MAX]) {
  void *loaded = dlopen(MEMPLAN_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
  if (loaded)
    return loaded;
  if (!findBeside(path))
    strcpy(path, MEMPLAN_LIBRARY);
  return dlopen(path, RTLD_LAZY);
}

/* Says why the library was not loaded. */
static void refuse(const char *path, const char *why) {
  fprintf(stderr,
          "memplan: error: cannot load " MEMPLAN_LIBRARY
          ", which belongs beside libmemplan.so: %s%s\n",
          path, why);
}

struct PassPluginLibraryInfo mlirGetPassPluginInfo(void) {
  static int isLoading = 0;
  struct PassPluginLibraryInfo (*entry)(void) = 0;
  struct PassPluginLibraryInfo info;
  char path[PATH_MAX] = "";
  void *library;
  if (isForeign())
    return none;
  /* A copy of this file under the library's name would call itself. */
  if (isLoading) {
    refuse("", "it is a copy of libmemplan.so");
    return none;
  }
  library = openLibrary(path);
  if (library)
    *(void **)&entry = dlsym(library, ENTRY);
  if (!entry) {
    const char *why = dlerror();
    /* The dynamic linker says that a file for another architecture is missing.
     */
    int isThere = !library && *path == '/' && !access(path, R_OK);
    if (isThere && why && strstr(why, "No such file") &&
        !strncmp(why, path, strlen(path)))
      refuse(path, " is for another architecture");
    else
      refuse("", why ? why : "unknown");
    return none;
  }
  isLoading = 1;
  info = entry();
  isLoading = 0;
  return info;
}
