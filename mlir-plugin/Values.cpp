// Facts about values: bounds, and conditions for computing them early.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
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
  // Without a stop condition, the first bound is taken: zero for any size.
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

// Divisions by constants are defined; a symbol may be zero.
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

bool memplanLeastConstantOfMap(MlirOperation op, MlirStringRef name,
                               int64_t *least) {
  auto map = unwrap(op)->getAttrOfType<AffineMapAttr>(unwrap(name));
  bool found = false;
  for (AffineExpr expr :
       map ? map.getAffineMap().getResults() : ArrayRef<AffineExpr>())
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      int64_t value = constant.getValue();
      *least = found ? std::min(*least, value) : value;
      found = true;
    }
  return found;
}

bool memplanDividesByConstants(MlirOperation op, MlirStringRef name) {
  auto map = unwrap(op)->getAttrOfType<AffineMapAttr>(unwrap(name));
  return map && dividesByConstants(map.getAffineMap());
}

bool memplanIsSafeDivisor(MlirValue wrapped, bool isSigned) {
  Value divisor = unwrap(wrapped);
  if (!isSigned)
    return matchPattern(divisor, m_IntRangeWithoutZeroU());
  return matchPattern(divisor, m_IntRangeWithoutZeroS()) &&
         matchPattern(divisor, m_IntRangeWithoutNegOneS());
}

bool memplanIsZero(MlirValue value) {
  return matchPattern(unwrap(value), m_Zero());
}

bool memplanIsConstantNotNegative(MlirValue wrapped) {
  APInt value;
  return matchPattern(unwrap(wrapped), m_ConstantInt(&value)) &&
         value.isNonNegative();
}

bool memplanIsSpeculatable(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  return isMemoryEffectFree(op) && isSpeculatable(op);
}
