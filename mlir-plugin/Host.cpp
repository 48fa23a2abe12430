// Checks that memplan calls the same MLIR as its host.

#include "memplan-c/Shim.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Pass/Pass.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

namespace {
/// A loaded object.
struct Object {
  bool hasSelf = false;
  bool hasMlir = false;
  std::string name; // the soname, by which others refer to it
  std::vector<std::string> needed;
};

struct Objects {
  uintptr_t self;
  uintptr_t mlir;
  std::vector<Object> all;
};
} // namespace

static void readDynamic(const dl_phdr_info &info, const ElfW(Phdr) & header,
                        Object &object) {
  auto *entries =
      reinterpret_cast<const ElfW(Dyn) *>(info.dlpi_addr + header.p_vaddr);
  const char *strings = nullptr;
  for (auto *entry = entries; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
  for (auto *entry = entries; strings && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED)
      object.needed.push_back(strings + entry->d_un.d_val);
    else if (entry->d_tag == DT_SONAME && object.hasMlir)
      object.name = strings + entry->d_un.d_val;
  }
}

static int visit(dl_phdr_info *info, size_t, void *data) {
  auto &objects = *static_cast<Objects *>(data);
  Object object;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD)
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    uintptr_t end = begin + header.p_memsz;
    object.hasSelf |= begin <= objects.self && objects.self < end;
    object.hasMlir |= begin <= objects.mlir && objects.mlir < end;
  }
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      readDynamic(*info, info->dlpi_phdr[i], object);
  objects.all.push_back(std::move(object));
  return 0;
}

/// True if only memplan needs the loaded libMLIR: then the host has another
/// MLIR, or none.
static bool bringsMlir(const Objects &objects) {
  const std::vector<Object> &all = objects.all;
  auto mlir = llvm::find_if(all, [](const Object &one) { return one.hasMlir; });
  // The program itself, or one that exports its own MLIR.
  if (mlir == all.end() || mlir->hasSelf || mlir == all.begin() ||
      all.front().hasSelf)
    return false;
  return llvm::none_of(all, [&](const Object &one) {
    return !one.hasSelf && llvm::is_contained(one.needed, mlir->name);
  });
}

const char *memplanHostProblem(void) {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major != LLVM_VERSION_MAJOR) {
    static std::string message =
        "memplan is built for LLVM " + std::to_string(LLVM_VERSION_MAJOR) +
        ", but its host runs LLVM " + std::to_string(major) +
        "; no pass is registered";
    return message.c_str();
  }
  // MLIR identifies traits by names that the compiler generates. If this object
  // and libMLIR come from compilers with different names, no trait would ever
  // be found.
  {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto module =
        mlir::RegisteredOperationName::lookup("builtin.module", &context);
    if (!module || !module->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return "memplan and libMLIR.so were built by compilers that name types "
             "differently; build memplan with LLVM's own clang++; no pass is "
             "registered";
  }
  Objects objects{};
  objects.self = reinterpret_cast<uintptr_t>(&memplanHostProblem);
  // An address inside the MLIR that this object calls.
  objects.mlir = reinterpret_cast<uintptr_t>(
      static_cast<const mlir::PassInfo *(*)(llvm::StringRef)>(
          &mlir::PassInfo::lookup));
  dl_iterate_phdr(visit, &objects);
  if (bringsMlir(objects))
    return "memplan: the host carries an MLIR of its own, not libMLIR.so." //
        LLVM_VERSION_STRING
           "; load the plugin into a tool that links libMLIR.so; no pass is "
           "registered";
  return nullptr;
}
