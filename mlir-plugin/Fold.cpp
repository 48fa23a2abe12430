// Folding of operations with some constant operands.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

// An operation may be changed in place before it folds: constants may move
// after other operands, for instance.
static constexpr int kMaxFolds = 4;

// Constants, and dialects whose operations fold without looking at surrounding
// operations.
static bool foldsAlone(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         llvm::StringSwitch<bool>(op->getName().getDialectNamespace())
             .Cases({"affine", "arith", "index", "memref", "vector"}, true)
             .Default(false);
}

// Folds a load of an element of a constant global.
static Attribute foldLoad(memref::LoadOp load, ArrayRef<Attribute> operands) {
  auto get = load.getMemRef().getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return {};
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  if (!global || !global.getConstant())
    return {};
  auto elements =
      dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
  if (!elements)
    return {};
  ArrayRef<int64_t> shape = elements.getType().getShape();
  ArrayRef<Attribute> indices = operands.drop_front();
  if (indices.size() != shape.size())
    return {};
  uint64_t at = 0;
  for (auto [size, index] : llvm::zip(shape, indices)) {
    auto number = dyn_cast_or_null<IntegerAttr>(index);
    if (!number || number.getInt() < 0 || number.getInt() >= size)
      return {};
    at = at * static_cast<uint64_t>(size) +
         static_cast<uint64_t>(number.getInt());
  }
  return elements.getValues<Attribute>()[at];
}

bool memplanFold(MlirOperation wrapped, intptr_t number, intptr_t count,
                 const MlirAttribute *constants, MlirAttribute *attribute,
                 MlirValue *value) {
  Operation *op = unwrap(wrapped);
  if (op->getNumRegions() != 0 || !op->isRegistered() || !foldsAlone(op) ||
      static_cast<intptr_t>(op->getNumOperands()) != count)
    return false;
  SmallVector<Attribute> operands;
  llvm::DenseMap<Value, Attribute> known;
  for (intptr_t index = 0; index < count; ++index) {
    operands.push_back(unwrap(constants[index]));
    known[op->getOperand(index)] = operands.back();
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Attribute element = foldLoad(load, operands);
    *attribute = wrap(element);
    return static_cast<bool>(element);
  }
  if (!isMemoryEffectFree(op))
    return false;
  // The operation itself stays unchanged.
  Operation *copy = op->cloneWithoutRegions();
  bool found = false;
  for (int attempt = 0; attempt < kMaxFolds; ++attempt) {
    SmallVector<OpFoldResult> results;
    if (failed(copy->fold(operands, results)))
      break;
    if (number < static_cast<intptr_t>(results.size())) {
      OpFoldResult result = results[number];
      if (auto constant = dyn_cast_if_present<Attribute>(result)) {
        *attribute = wrap(constant);
        found = true;
      } else if (auto other = dyn_cast_if_present<Value>(result);
                 other && other.getDefiningOp() != copy) {
        *value = wrap(other);
        found = true;
      }
      break;
    }
    operands.clear();
    for (Value operand : copy->getOperands())
      operands.push_back(known.lookup(operand));
  }
  copy->destroy();
  return found;
}
