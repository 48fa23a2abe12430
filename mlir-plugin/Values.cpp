// Facts about values: bounds, and conditions for computing them early.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

// The dimension of a memref that has another one: upstream crashes.
static bool isOutOfRange(Operation *op) {
  auto dim = dyn_cast_if_present<ShapedDimOpInterface>(op);
  if (!dim)
    return false;
  auto shaped = dyn_cast<ShapedType>(dim.getShapedValue().getType());
  std::optional<int64_t> number = getConstantIntValue(dim.getDimension());
  return shaped && shaped.hasRank() && number &&
         (*number < 0 || *number >= shaped.getRank());
}

// Whether a dimension may be a product of others, or is one of what is no memref.
static bool isUnknownDimension(Value value) {
  auto result = dyn_cast<MemRefType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!result || !op)
    return !result;
  auto isLarger = [&](Value operand) {
    auto from = dyn_cast<MemRefType>(operand.getType());
    return from && from.getRank() > result.getRank();
  };
  return op->getNumOperands() == 1 && isLarger(op->getOperand(0));
}

namespace {
using Condition = ValueBoundsConstraintSet::StopConditionFn;

Condition opaqueWhere(bool (*isOpaque)(MlirValue, void *), void *user) {
  return [=](Value value, std::optional<int64_t> dim,
             ValueBoundsConstraintSet &) {
    if (dim)
      return isUnknownDimension(value);
    return isOutOfRange(value.getDefiningOp()) || isOpaque(wrap(value), user);
  };
}

// As upstream's comparison, which follows everything.
class NumberComparison : public ValueBoundsConstraintSet {
  int64_t positions[2] = {-1, -1};

  NumberComparison(MLIRContext *context, ComparisonOperator by,
                   Condition isOpaque)
      : ValueBoundsConstraintSet(
            context,
            [this, by, isOpaque](Value value, std::optional<int64_t> dim,
                                 ValueBoundsConstraintSet &all) {
              return isOpaque(value, dim, all) ||
                     (positions[1] >= 0 &&
                      comparePos(positions[0], by, positions[1]));
            },
            /*addConservativeSemiAffineBounds=*/true) {}

public:
  static bool holds(Value left, ComparisonOperator by, Value right,
                    Condition isOpaque) {
    if (left == right)
      return true;
    if (!left.getType().isIndex() || !right.getType().isIndex())
      return false;
    NumberComparison all(left.getContext(), by, std::move(isOpaque));
    all.positions[0] = all.insert(left, std::nullopt, /*isSymbol=*/false);
    all.positions[1] = all.insert(right, std::nullopt, /*isSymbol=*/false);
    all.processWorklist();
    return all.comparePos(all.positions[0], by, all.positions[1]);
  }
};
} // namespace

bool memplanIndexCompare(MlirValue left, bool equal, MlirValue right,
                         bool (*isOpaque)(MlirValue, void *), void *user) {
  auto by = equal ? ValueBoundsConstraintSet::EQ : ValueBoundsConstraintSet::LE;
  return NumberComparison::holds(unwrap(left), by, unwrap(right),
                                 opaqueWhere(isOpaque, user));
}

bool memplanIndexConstantBound(MlirValue wrapped, bool upper, int64_t *bound,
                               bool (*isOpaque)(MlirValue, void *),
                               void *user) {
  Value value = unwrap(wrapped);
  if (!value.getType().isIndex())
    return false;
  // Without a stop condition, the first bound is taken: zero for any size.
  FailureOr<int64_t> found = ValueBoundsConstraintSet::computeConstantBound(
      upper ? presburger::BoundType::UB : presburger::BoundType::LB, value,
      opaqueWhere(isOpaque, user), /*closedUB=*/true);
  if (failed(found))
    return false;
  *bound = *found;
  return true;
}

// The numbers in a sum; nothing if it has a product.
static std::optional<int64_t> numbersOf(AffineExpr expr, int64_t &added,
                                        bool &divides) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    added = std::max(added, constant.getValue());
    return 0;
  }
  if (!isa<AffineBinaryOpExpr>(expr))
    return 1;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  auto left = numbersOf(binary.getLHS(), added, divides);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  if (isSum) {
    auto right = numbersOf(binary.getRHS(), added, divides);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (!constant)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return constant.getValue() == -1 ? left : std::nullopt;
  divides = true;
  return constant.getValue() > 0 ? left : std::nullopt;
}

bool memplanSumsOfMap(MlirOperation op, MlirStringRef name, int64_t *numbers,
                      int64_t *added, bool *divides) {
  auto map = unwrap(op)->getAttrOfType<AffineMapAttr>(unwrap(name));
  *numbers = *added = 0;
  *divides = false;
  for (AffineExpr expr :
       map ? map.getAffineMap().getResults() : ArrayRef<AffineExpr>()) {
    auto found = numbersOf(expr, *added, *divides);
    if (!found)
      return false;
    *numbers = std::max(*numbers, *found);
  }
  return bool(map);
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
