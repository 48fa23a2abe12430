// Is the MLIR that memplan calls the one that its host uses?

#include "memplan-c/Shim.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Pass/Pass.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

#include <dlfcn.h>
#include <link.h>
#include <string>

namespace {
struct Objects {
  uintptr_t self;
  uintptr_t mlir;
  int index = 0;
  int selfIndex = -1;
  int mlirIndex = -1;
};
} // namespace

// The loader lists objects in the order in which they came. A libMLIR listed
// after this object came only because this object needs it: the host has
// another MLIR, or none.
static int visit(dl_phdr_info *info, size_t, void *data) {
  auto &objects = *static_cast<Objects *>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD)
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    uintptr_t end = begin + header.p_memsz;
    if (begin <= objects.self && objects.self < end)
      objects.selfIndex = objects.index;
    if (begin <= objects.mlir && objects.mlir < end)
      objects.mlirIndex = objects.index;
  }
  ++objects.index;
  return 0;
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
  // Traits are told apart by names that the compiler gives them. If this
  // object and libMLIR come from compilers that differ there, no trait would
  // ever be found.
  {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto module =
        mlir::RegisteredOperationName::lookup("builtin.module", &context);
    if (!module || !module->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return "memplan and libMLIR.so were built by compilers that name types "
             "differently; build memplan with LLVM's own clang++; no pass is "
             "registered";
  }
  Objects objects;
  objects.self = reinterpret_cast<uintptr_t>(&memplanHostProblem);
  // An address inside the MLIR that this object's calls are bound to.
  objects.mlir = reinterpret_cast<uintptr_t>(
      static_cast<const mlir::PassInfo *(*)(llvm::StringRef)>(
          &mlir::PassInfo::lookup));
  dl_iterate_phdr(visit, &objects);
  if (objects.selfIndex >= 0 && objects.mlirIndex > objects.selfIndex)
    return "memplan: the host carries an MLIR of its own, not libMLIR.so." //
           LLVM_VERSION_STRING
           "; load the plugin into a tool that links libMLIR.so; no pass is "
           "registered";
  return nullptr;
}
