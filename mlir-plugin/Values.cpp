// What is known of index values: bounds, and whether the operations that make
// them may run where they would not have run.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <optional>

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

// A division traps for a divisor of zero and, if it is signed, where the least
// number is divided by -1. Upstream calls remainders, `floordivsi` and those of
// the index dialect speculatable all the same, whatever their divisors are.
static std::optional<bool> isSafeDivision(Operation *op) {
  if (isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp, index::DivUOp,
          index::CeilDivUOp, index::RemUOp>(op))
    return matchPattern(op->getOperand(1), m_IntRangeWithoutZeroU());
  if (isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
          arith::RemSIOp, index::DivSOp, index::CeilDivSOp, index::FloorDivSOp,
          index::RemSOp>(op))
    return matchPattern(op->getOperand(1), m_IntRangeWithoutZeroS()) &&
           matchPattern(op->getOperand(1), m_IntRangeWithoutNegOneS());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return dividesByConstants(apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return dividesByConstants(min.getAffineMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return dividesByConstants(max.getAffineMap());
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    return llvm::all_of(split.getStaticBasis(),
                        [](int64_t size) { return size > 0; });
  // Zero to the power of a negative number.
  if (auto power = dyn_cast<math::IPowIOp>(op)) {
    APInt exponent;
    return matchPattern(power.getRhs(), m_ConstantInt(&exponent)) &&
           exponent.isNonNegative();
  }
  return std::nullopt;
}

// Of dialects that compute scalars and vectors, what is pure and no division
// never traps.
static bool computesValues(Operation *op) {
  if (isa<memref::DimOp, linalg::IndexOp, affine::AffineLinearizeIndexOp>(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained(
          ArrayRef<StringRef>{"arith", "complex", "index", "math", "vector"},
          dialect))
    return false;
  auto isValue = [](Type type) {
    return isa<IntegerType, IndexType, FloatType, ComplexType, VectorType>(
        type);
  };
  return llvm::all_of(op->getOperandTypes(), isValue) &&
         llvm::all_of(op->getResultTypes(), isValue);
}

bool memplanIsSafeToSpeculate(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (std::optional<bool> safe = isSafeDivision(op))
    return *safe;
  return computesValues(op) && isMemoryEffectFree(op) && isSpeculatable(op);
}
