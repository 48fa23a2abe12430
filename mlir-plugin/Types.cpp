// Queries of types that the C API lacks.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

bool memplanIsAsyncGroup(MlirType type) {
  return isa<async::GroupType>(unwrap(type));
}

MlirType memplanAsyncValueElement(MlirType type) {
  auto value = dyn_cast<async::ValueType>(unwrap(type));
  return wrap(value ? value.getValueType() : Type());
}

bool memplanIsDataAggregate(MlirType type) {
  Type whole = unwrap(type);
  if (!isa<LLVM::LLVMStructType, LLVM::LLVMArrayType, TupleType>(whole))
    return false;
  // Structs have names, so one may be part of many others.
  SmallPtrSet<Type, 8> seen = {whole};
  SmallVector<Type> open = {whole};
  auto visit = [&](Type part) {
    if (seen.insert(part).second)
      open.push_back(part);
  };
  while (!open.empty()) {
    Type part = open.pop_back_val();
    if (auto parts = dyn_cast<LLVM::LLVMStructType>(part)) {
      if (parts.isOpaque() || (parts.isIdentified() && !parts.isInitialized()))
        return false;
      llvm::for_each(parts.getBody(), visit);
    } else if (auto tuple = dyn_cast<TupleType>(part)) {
      llvm::for_each(tuple.getTypes(), visit);
    } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(part)) {
      visit(array.getElementType());
    } else if (auto vector = dyn_cast<VectorType>(part)) {
      visit(vector.getElementType());
    } else if (!isa<IntegerType, IndexType, FloatType, ComplexType>(part)) {
      return false;
    }
  }
  return true;
}
