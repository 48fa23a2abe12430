// What is known of index values: bounds, and whether the operations that make
// them may run where they would not have run.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

bool memplanIndexAtMost(MlirValue left, MlirValue right) {
  Value a = unwrap(left), b = unwrap(right);
  if (a == b)
    return true;
  if (!a.getType().isIndex() || !b.getType().isIndex())
    return false;
  return ValueBoundsConstraintSet::compare(
      a, ValueBoundsConstraintSet::ComparisonOperator::LE, b);
}

bool memplanIndexConstantBound(MlirValue wrapped, bool upper, int64_t *bound) {
  Value value = unwrap(wrapped);
  if (!value.getType().isIndex())
    return false;
  // Without a condition of ours, the first bound is taken: zero for any size.
  FailureOr<int64_t> found = ValueBoundsConstraintSet::computeConstantBound(
      upper ? presburger::BoundType::UB : presburger::BoundType::LB, value,
      [](Value, std::optional<int64_t>, ValueBoundsConstraintSet &) {
        return false;
      },
      /*closedUB=*/true);
  if (failed(found))
    return false;
  *bound = *found;
  return true;
}

// An affine map may divide by a symbol, which may be zero; its operations are
// "pure" all the same.
static bool dividesByConstants(AffineMap map) {
  bool fine = true;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      if (part.getKind() != AffineExprKind::FloorDiv &&
          part.getKind() != AffineExprKind::CeilDiv &&
          part.getKind() != AffineExprKind::Mod)
        return;
      auto by =
          dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
      fine &= by && by.getValue() > 0;
    });
  return fine;
}

bool memplanIsSafeToSpeculate(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return dividesByConstants(apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return dividesByConstants(min.getAffineMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return dividesByConstants(max.getAffineMap());
  StringRef name = op->getName().getStringRef();
  bool scalar = isa<memref::DimOp>(op) || name.starts_with("arith.");
  if (name.consume_front("index."))
    scalar = llvm::is_contained(
        ArrayRef<StringRef>{"add", "sub", "mul", "maxs", "maxu", "mins", "minu",
                            "and", "or", "xor", "casts", "castu", "cmp",
                            "constant", "bool.constant"},
        name);
  return scalar && isMemoryEffectFree(op) && isSpeculatable(op);
}
