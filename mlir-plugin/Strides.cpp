// Memrefs with other strides: the types of their views, and transposed views.

#include "StridedLayout.h"
#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

// The type of the first result of an operation that may be a view.
static MemRefType resultType(Operation *op) {
  return op->getNumResults() == 0
             ? MemRefType()
             : dyn_cast<MemRefType>(op->getResult(0).getType());
}

// The groups of dimensions that are collapsed, or that a dimension is expanded
// to.
static SmallVector<ReassociationIndices> reassociation(Operation *op) {
  SmallVector<ReassociationIndices> groups;
  if (auto given = op->getAttrOfType<ArrayAttr>("reassociation"))
    for (auto group : given.getAsRange<ArrayAttr>())
      groups.push_back(llvm::map_to_vector<2>(
          group.getAsRange<IntegerAttr>(),
          [](IntegerAttr dimension) { return dimension.getInt(); }));
  return groups;
}

MlirType memplanSlicedType(MlirOperation wrapped, MlirType wrappedSource) {
  auto op = dyn_cast<OffsetSizeAndStrideOpInterface>(unwrap(wrapped));
  auto source = dyn_cast<MemRefType>(unwrap(wrappedSource));
  MemRefType result = resultType(unwrap(wrapped));
  if (!op || !source || !result)
    return wrap(Type());
  Type type = memref::SubViewOp::inferRankReducedResultType(
      result.getShape(), source, op.getMixedOffsets(), op.getMixedSizes(),
      op.getMixedStrides());
  return wrap(type);
}

MlirType memplanExpandedType(MlirOperation wrapped, MlirType wrappedSource) {
  auto source = dyn_cast<MemRefType>(unwrap(wrappedSource));
  MemRefType result = resultType(unwrap(wrapped));
  if (!source || !result)
    return wrap(Type());
  FailureOr<MemRefType> type = memref::ExpandShapeOp::computeExpandedType(
      source, result.getShape(), reassociation(unwrap(wrapped)));
  return wrap(succeeded(type) ? Type(*type) : Type());
}

MlirType memplanCollapsedType(MlirOperation wrapped, MlirType wrappedSource) {
  auto source = dyn_cast<MemRefType>(unwrap(wrappedSource));
  SmallVector<ReassociationIndices> groups = reassociation(unwrap(wrapped));
  if (!source ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(source, groups))
    return wrap(Type());
  Type type = memref::CollapseShapeOp::computeCollapsedType(source, groups);
  return wrap(type);
}

// True if each number of the first list is dynamic, or equal in the second.
static bool leavesOpen(ArrayRef<int64_t> given, ArrayRef<int64_t> actual) {
  return llvm::all_of(llvm::zip_equal(given, actual), [](auto pair) {
    return ShapedType::isDynamic(std::get<0>(pair)) ||
           std::get<0>(pair) == std::get<1>(pair);
  });
}

MlirType memplanCastType(MlirOperation wrapped, MlirType wrappedSource) {
  auto source = dyn_cast<MemRefType>(unwrap(wrappedSource));
  MemRefType result = resultType(unwrap(wrapped));
  SmallVector<int64_t> strides, given;
  int64_t offset = 0, givenOffset = 0;
  if (!source || !result || source.getRank() != result.getRank() ||
      failed(memplan::stridesAndOffset(source, strides, offset)) ||
      failed(memplan::stridesAndOffset(result, given, givenOffset)))
    return wrap(Type());
  if (leavesOpen(given, strides) && leavesOpen(givenOffset, offset))
    return wrap(Type(result));
  auto layout = StridedLayoutAttr::get(source.getContext(), offset, strides);
  Type type = MemRefType::get(result.getShape(), result.getElementType(),
                              layout, result.getMemorySpace());
  return wrap(type);
}

bool memplanIsLastDimUnitStride(MlirType memref) {
  auto type = dyn_cast<MemRefType>(unwrap(memref));
  return type && type.isLastDimUnitStride();
}

bool memplanElementRange(MlirType wrapped, int64_t *start, int64_t *end) {
  auto type = dyn_cast<MemRefType>(unwrap(wrapped));
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || failed(memplan::stridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamic(offset) || offset < 0)
    return false;
  int64_t last = offset;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape())) {
    int64_t length = 0;
    if (ShapedType::isDynamic(size) || size == 0 ||
        (size > 1 && (ShapedType::isDynamic(stride) || stride < 0)))
      return false;
    if (size > 1 && (llvm::MulOverflow(size - 1, stride, length) ||
                     llvm::AddOverflow(last, length, last)))
      return false;
  }
  *start = offset;
  return !llvm::AddOverflow<int64_t>(last, 1, *end);
}

bool memplanIsInjective(MlirType wrapped) {
  auto type = dyn_cast<MemRefType>(unwrap(wrapped));
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  // The strides of dynamic sizes are dynamic, but elements follow each other.
  if (type && memplan::isIdentity(type) &&
      !llvm::is_contained(type.getShape(), 0))
    return true;
  if (!type || failed(memplan::stridesAndOffset(type, strides, offset)))
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
  // One more than the largest index reached by the dimensions so far.
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
      failed(memplan::stridesAndOffset(type, strides, offset)))
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

MlirType memplanTransposedViewType(MlirOperation wrapped, MlirType source) {
  auto type = dyn_cast<MemRefType>(unwrap(source));
  auto map = unwrap(wrapped)->getAttrOfType<AffineMapAttr>("permutation");
  if (!type || !map || !map.getValue().isPermutation() ||
      map.getValue().getNumResults() != type.getRank())
    return wrap(Type());
  SmallVector<int64_t> order;
  for (AffineExpr expr : map.getValue().getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  return wrap(Type(transposed(type, order)));
}

MlirType memplanBroadcastType(MlirType source, MlirType target, intptr_t count,
                              const int64_t *order) {
  auto from = dyn_cast<MemRefType>(unwrap(source));
  auto to = dyn_cast<MemRefType>(unwrap(target));
  SmallVector<int64_t> strides, all;
  int64_t offset = 0;
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      to.getRank() != count ||
      failed(memplan::stridesAndOffset(from, strides, offset)))
    return {};
  for (intptr_t dimension = 0; dimension < count; ++dimension) {
    int64_t read = order[dimension];
    if (read >= from.getRank() ||
        (read >= 0 && from.getDimSize(read) != to.getDimSize(dimension)))
      return {};
    all.push_back(read < 0 ? 0 : strides[read]);
  }
  auto layout = StridedLayoutAttr::get(from.getContext(), offset, all);
  return wrap(MemRefType::get(to.getShape(), from.getElementType(), layout,
                              from.getMemorySpace()));
}

MlirValue memplanBroadcastView(MlirOperation before, MlirValue source,
                               MlirType wrapped, const int64_t *order) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  auto type = cast<MemRefType>(unwrap(wrapped));
  auto layout = cast<StridedLayoutAttr>(type.getLayout());
  OpFoldResult offset = builder.getIndexAttr(layout.getOffset());
  SmallVector<OpFoldResult> sizes, strides;
  for (int64_t size : type.getShape())
    sizes.push_back(builder.getIndexAttr(size));
  for (int64_t stride : layout.getStrides())
    strides.push_back(builder.getIndexAttr(stride));
  if (ShapedType::isDynamic(layout.getOffset()) ||
      llvm::any_of(layout.getStrides(), ShapedType::isDynamic)) {
    // Numbers that the type leaves open are those of the source.
    auto metadata = memref::ExtractStridedMetadataOp::create(
        builder, at->getLoc(), unwrap(source));
    if (ShapedType::isDynamic(layout.getOffset()))
      offset = metadata.getOffset();
    for (auto [dimension, stride] : llvm::enumerate(layout.getStrides()))
      if (ShapedType::isDynamic(stride))
        strides[dimension] = metadata.getStrides()[order[dimension]];
  }
  auto view = memref::ReinterpretCastOp::create(
      builder, at->getLoc(), type, unwrap(source), offset, sizes, strides);
  return wrap(static_cast<Value>(view.getResult()));
}

// A view of the same elements with fewer or more dimensions, or null.
static Value regrouped(OpBuilder &builder, Location loc, Value source,
                       MemRefType target) {
  auto type = cast<MemRefType>(source.getType());
  auto groups = getReassociationIndicesForReshape(type, target);
  if (!groups || type.getRank() == target.getRank())
    return {};
  if (type.getRank() > target.getRank())
    return memref::CollapseShapeOp::create(builder, loc, target, source,
                                           *groups);
  return memref::ExpandShapeOp::create(builder, loc, target, source, *groups);
}

MlirValue memplanReshapedView(MlirOperation before, MlirValue wrapped,
                              MlirType type) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  Location loc = at->getLoc();
  Value source = unwrap(wrapped);
  auto target = cast<MemRefType>(unwrap(type));
  if (target.getNumElements() != 0) {
    if (Value view = regrouped(builder, loc, source, target))
      return wrap(view);
    auto row =
        MemRefType::get({target.getNumElements()}, target.getElementType(),
                        AffineMap(), target.getMemorySpace());
    if (Value between = regrouped(builder, loc, source, row)) {
      if (Value view = regrouped(builder, loc, between, target))
        return wrap(view);
      between.getDefiningOp()->erase();
    }
  }
  auto [strides, offset] = target.getStridesAndOffset();
  auto layout = StridedLayoutAttr::get(at->getContext(), offset, strides);
  auto form = MemRefType::get(target.getShape(), target.getElementType(),
                              layout, target.getMemorySpace());
  Value view = memref::ReinterpretCastOp::create(
      builder, loc, form, source, offset, target.getShape(), strides);
  return wrap(static_cast<Value>(
      memref::CastOp::create(builder, loc, target, view).getResult()));
}

MlirValue memplanLeadingView(MlirOperation before, MlirValue wrapped,
                             MlirType wrappedType) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  Location loc = at->getLoc();
  Value source = unwrap(wrapped);
  auto target = cast<MemRefType>(unwrap(wrappedType));
  auto row = [&](int64_t count) {
    return MemRefType::get({count}, target.getElementType(), AffineMap(),
                           target.getMemorySpace());
  };
  auto type = cast<MemRefType>(source.getType());
  if (type == target)
    return wrapped;
  if (type.getRank() != 1) {
    source = regrouped(builder, loc, source, row(type.getNumElements()));
    if (!source)
      return {nullptr};
  }
  Value view = source;
  if (type.getNumElements() != target.getNumElements()) {
    auto part = memref::SubViewOp::create(
        builder, loc, source, ArrayRef<OpFoldResult>(builder.getIndexAttr(0)),
        ArrayRef<OpFoldResult>(builder.getIndexAttr(target.getNumElements())),
        ArrayRef<OpFoldResult>(builder.getIndexAttr(1)));
    view = memref::CastOp::create(builder, loc, row(target.getNumElements()),
                                  part);
  }
  if (target.getRank() != 1)
    view = regrouped(builder, loc, view, target);
  return wrap(view);
}

MlirValue memplanTransposedView(MlirOperation before, MlirValue source,
                                intptr_t count, const int64_t *order) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  SmallVector<unsigned> places;
  for (int64_t from : ArrayRef<int64_t>(order, count))
    places.push_back(static_cast<unsigned>(from));
  AffineMap map = AffineMap::getPermutationMap(places, at->getContext());
  auto view = memref::TransposeOp::create(builder, at->getLoc(), unwrap(source),
                                          AffineMapAttr::get(map));
  return wrap(static_cast<Value>(view.getResult()));
}
