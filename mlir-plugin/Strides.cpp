// Which operations take a memref of other strides, and what their views of it
// are then.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

// The type of a view of `source` by `op`, which is a view of its first operand.
// Null where it cannot be one.
static MemRefType viewOf(Operation *op, MemRefType source) {
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return memref::SubViewOp::inferRankReducedResultType(
        subview.getType().getShape(), source, subview.getMixedOffsets(),
        subview.getMixedSizes(), subview.getMixedStrides());
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    FailureOr<MemRefType> type = memref::ExpandShapeOp::computeExpandedType(
        source, expand.getResultType().getShape(),
        expand.getReassociationIndices());
    return succeeded(type) ? *type : MemRefType();
  }
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(source, groups))
      return {};
    return memref::CollapseShapeOp::computeCollapsedType(source, groups);
  }
  return {};
}

// True if an operation that gets `type` for its operand, in place of another
// layout of the same elements, does the same. `operand` is none of a view.
static bool takesAnyStrides(OpOperand &operand, MemRefType type) {
  Operation *op = operand.getOwner();
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    return linalg.hasPureBufferSemantics() &&
           operand.getOperandNumber() <
               linalg.getNumDpsInputs() + linalg.getNumDpsInits();
  // What is said of the address does not hold of another one.
  if (op->hasAttr("alignment"))
    return false;
  // What a store keeps may be a memref, too.
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return &operand == &store.getMemrefMutable();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return &operand == &store.getMemrefMutable();
  if (isa<memref::LoadOp, memref::CopyOp, memref::DimOp, memref::RankOp,
          memref::PrefetchOp, affine::AffineLoadOp, vector::TransferReadOp,
          vector::TransferWriteOp>(op))
    return true;
  if (isa<vector::LoadOp, vector::StoreOp>(op))
    return type.isLastDimUnitStride();
  return false;
}

MemplanRetyped memplanRetype(MlirOperation wrapped, intptr_t operand,
                             MlirType wrappedType, MlirType *view) {
  Operation *op = unwrap(wrapped);
  auto type = dyn_cast<MemRefType>(unwrap(wrappedType));
  if (!type)
    return MEMPLAN_REFUSES;
  if (isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
          op)) {
    MemRefType result = operand == 0 ? viewOf(op, type) : MemRefType();
    if (!result)
      return MEMPLAN_REFUSES;
    *view = wrap(static_cast<Type>(result));
    return MEMPLAN_VIEWS;
  }
  return takesAnyStrides(op->getOpOperand(operand), type) ? MEMPLAN_TAKES
                                                          : MEMPLAN_REFUSES;
}

bool memplanIsInjective(MlirType wrapped) {
  auto type = dyn_cast<MemRefType>(unwrap(wrapped));
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return false;
  SmallVector<std::pair<int64_t, int64_t>> dimensions;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape())) {
    if (size == 0)
      return false;
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(stride) || stride <= 0)
      return false;
    dimensions.emplace_back(stride, size);
  }
  llvm::sort(dimensions);
  // The place behind all that is reached within the dimensions so far.
  int64_t reached = 1;
  for (auto [index, dimension] : llvm::enumerate(dimensions)) {
    auto [stride, size] = dimension;
    if (stride < reached)
      return false;
    if (ShapedType::isDynamic(size))
      return index + 1 == dimensions.size();
    if (llvm::MulOverflow(stride, size - 1, size) ||
        llvm::AddOverflow(reached, size, reached))
      return false;
  }
  return true;
}

bool memplanHaveSameElements(MlirType one, MlirType other) {
  auto first = dyn_cast<MemRefType>(unwrap(one));
  auto second = dyn_cast<MemRefType>(unwrap(other));
  return first && second && first.getShape() == second.getShape() &&
         first.getElementType() == second.getElementType();
}

// `type` with its dimensions in another order.
static MemRefType transposed(MemRefType type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (static_cast<size_t>(type.getRank()) != order.size() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return {};
  SmallVector<int64_t> shape, permuted;
  for (int64_t from : order) {
    if (from < 0 || from >= type.getRank())
      return {};
    shape.push_back(type.getDimSize(from));
    permuted.push_back(strides[from]);
  }
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, permuted);
  return MemRefType::get(shape, type.getElementType(), layout,
                         type.getMemorySpace());
}

MlirType memplanTransposedType(MlirType wrapped, intptr_t count,
                               const int64_t *order) {
  auto type = dyn_cast<MemRefType>(unwrap(wrapped));
  Type result = type ? transposed(type, {order, static_cast<size_t>(count)})
                     : MemRefType();
  return wrap(result);
}

MlirValue memplanTransposedView(MlirOperation before, MlirValue source,
                                intptr_t count, const int64_t *order) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  SmallVector<unsigned> places;
  for (int64_t from : ArrayRef<int64_t>(order, count))
    places.push_back(static_cast<unsigned>(from));
  AffineMap map = AffineMap::getPermutationMap(places, at->getContext());
  auto view = memref::TransposeOp::create(builder, at->getLoc(),
                                          unwrap(source),
                                          AffineMapAttr::get(map));
  return wrap(static_cast<Value>(view.getResult()));
}
