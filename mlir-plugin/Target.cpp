// Checks that LLVM supports a target, and that LLVM IR has an operation and its
// types. If code generation finds a problem with a target, LLVM only prints it,
// again for each function.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

static bool canJoinObjects(const llvm::Triple &triple) {
  return triple.isOSBinFormatELF() && triple.isArch64Bit() && !triple.isX32() &&
         (triple.getArch() == llvm::Triple::x86_64 ||
          triple.getArch() == llvm::Triple::aarch64 ||
          triple.getArch() == llvm::Triple::riscv64);
}

static std::string problem(llvm::StringRef name, llvm::StringRef cpu,
                           llvm::StringRef features, bool forObject) {
  llvm::Triple triple(name);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return error;
  if (forObject && !canJoinObjects(triple))
    return "objects are made for x86-64, AArch64 and RISC-V with 64 bits and "
           "ELF alone, not for '" +
           name.str() + "'; assembly is made for others";
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known)
    return "";
  if (!cpu.empty() && !known->isCPUStringValid(cpu))
    return "'" + cpu.str() + "' is no processor of '" + name.str() + "'";
  llvm::SmallVector<llvm::StringRef> parts;
  features.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    llvm::StringRef feature = part;
    if (!feature.consume_front("+") && !feature.consume_front("-"))
      return "feature '" + part.str() + "' begins with neither + nor -";
    if (llvm::none_of(known->getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &one) {
                        return feature == one.Key;
                      }))
      return "'" + feature.str() + "' is no feature of '" + name.str() + "'";
  }
  return "";
}

void memplanTargetProblem(MlirStringRef triple, MlirStringRef cpu,
                          MlirStringRef features, bool forObject,
                          MemplanTextCallback text, void *user) {
  std::string found =
      problem(unwrap(triple), unwrap(cpu), unwrap(features), forObject);
  if (!found.empty())
    text(wrap(llvm::StringRef(found)), user);
}

enum MemplanLlvmForm memplanLlvmForm(MlirOperation op) {
  mlir::Operation *found = unwrap(op);
  mlir::Dialect *dialect = found->getDialect();
  // Of the builtin dialect, casts alone have operands.
  if (llvm::isa_and_nonnull<mlir::BuiltinDialect>(dialect) &&
      found->getNumOperands() > 0)
    return MEMPLAN_LLVM_CAST;
  bool translates =
      dialect &&
      dialect->getRegisteredInterface<mlir::LLVMTranslationDialectInterface>();
  return translates ? MEMPLAN_LLVM_TRANSLATED : MEMPLAN_LLVM_NONE;
}

// Calls `visit` with the types of the operation: operands, results, arguments
// of its blocks, and types in its properties, such as that of a function.
static void visitTypes(mlir::Operation *op,
                       llvm::function_ref<void(mlir::Type)> visit) {
  for (mlir::Type type : op->getOperandTypes())
    visit(type);
  for (mlir::Type type : op->getResultTypes())
    visit(type);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      for (mlir::Type type : block.getArgumentTypes())
        visit(type);
  for (mlir::NamedAttribute attribute : op->getAttrs())
    if (auto type = llvm::dyn_cast<mlir::TypeAttr>(attribute.getValue()))
      visit(type.getValue());
}

// Why a memref has no descriptor; empty if it has one.
static std::string problem(mlir::BaseMemRefType type,
                           const mlir::LLVMTypeConverter &converter) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (failed(converter.getMemRefAddressSpace(type))) {
    out << type << " has the memory space " << type.getMemorySpace()
        << ", which is not a number";
  } else if (auto memref = llvm::dyn_cast<mlir::MemRefType>(type)) {
    llvm::SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      out << type << " has a layout that has no strides";
  }
  return text;
}

void memplanMemrefProblem(MlirOperation op, MemplanTextCallback text,
                          void *user) {
  mlir::Operation *found = unwrap(op);
  mlir::LLVMTypeConverter converter(found->getContext());
  std::string first;
  visitTypes(found, [&](mlir::Type whole) {
    whole.walk([&](mlir::BaseMemRefType type) {
      if (first.empty())
        first = problem(type, converter);
    });
  });
  if (!first.empty())
    text(wrap(llvm::StringRef(first)), user);
}

MlirOperation memplanLargeVector(MlirOperation root, int64_t limit,
                                 int64_t *elements) {
  mlir::Operation *found = nullptr;
  unwrap(root)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto visit = [&](mlir::Type whole) {
      while (auto array = llvm::dyn_cast<mlir::LLVM::LLVMArrayType>(whole))
        whole = array.getElementType();
      auto vector = llvm::dyn_cast<mlir::VectorType>(whole);
      // Of several dimensions, the last one becomes a vector of LLVM's.
      int64_t size =
          vector && vector.getRank() > 0 ? vector.getShape().back() : 1;
      if (found || size <= limit)
        return;
      found = op;
      *elements = size;
    };
    for (mlir::Type type : op->getOperandTypes())
      visit(type);
    for (mlir::Type type : op->getResultTypes())
      visit(type);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return wrap(found);
}
