// Construction of views of memrefs at an insertion point.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

static OpBuilder builderAt(MemplanPoint point) {
  OpBuilder builder(unwrap(point.location).getContext());
  Block *block = unwrap(point.block);
  if (mlirOperationIsNull(point.before))
    builder.setInsertionPointToEnd(block);
  else
    builder.setInsertionPoint(unwrap(point.before));
  return builder;
}

// Numbers, of which those that are kDynamic are the next values.
static SmallVector<OpFoldResult> mixed(OpBuilder &builder,
                                       ArrayRef<int64_t> numbers,
                                       const MlirValue *&values) {
  return llvm::map_to_vector(numbers, [&](int64_t number) -> OpFoldResult {
    if (ShapedType::isDynamic(number))
      return unwrap(*values++);
    return builder.getIndexAttr(number);
  });
}

// Groups of dimensions, given by the size of each.
static SmallVector<ReassociationIndices> groupsOf(intptr_t count,
                                                  const intptr_t *sizes) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (intptr_t size : ArrayRef<intptr_t>(sizes, count)) {
    ReassociationIndices &group = groups.emplace_back();
    for (intptr_t at = 0; at < size; ++at)
      group.push_back(next++);
  }
  return groups;
}

// The type of a subview without the dimensions that are dropped.
static MemRefType withoutDropped(MemRefType type, const bool *dropped) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> shape, kept;
  for (auto [at, size] : llvm::enumerate(type.getShape())) {
    if (dropped[at])
      continue;
    shape.push_back(size);
    kept.push_back(strides[at]);
  }
  if (static_cast<int64_t>(shape.size()) == type.getRank())
    return type;
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, kept);
  return MemRefType::get(shape, type.getElementType(), layout,
                         type.getMemorySpace());
}

MlirValue memplanCreatePart(MemplanPoint point, MlirValue wrapped,
                            intptr_t rank, const int64_t *numbers,
                            const MlirValue *values, const bool *dropped) {
  OpBuilder builder = builderAt(point);
  Value source = unwrap(wrapped);
  auto type = cast<MemRefType>(source.getType());
  auto all = [&](int part) {
    return ArrayRef<int64_t>(numbers + part * rank, rank);
  };
  SmallVector<OpFoldResult> offsets = mixed(builder, all(0), values);
  SmallVector<OpFoldResult> sizes = mixed(builder, all(1), values);
  SmallVector<OpFoldResult> strides = mixed(builder, all(2), values);
  MemRefType result = withoutDropped(
      memref::SubViewOp::inferResultType(type, offsets, sizes, strides),
      dropped);
  auto part = memref::SubViewOp::create(builder, unwrap(point.location), result,
                                        source, offsets, sizes, strides);
  return wrap(static_cast<Value>(part.getResult()));
}

// Finds the dimensions of one type, from `at` on, that are those of another one,
// from `other` on. The others have size 1 and are dropped.
static bool findDropped(MemRefType full, MemRefType kept, int64_t at,
                        int64_t other, bool *dropped) {
  if (at == full.getRank())
    return other == kept.getRank();
  auto stride = [](MemRefType type, int64_t dimension) {
    return type.getStridesAndOffset().first[dimension];
  };
  if (other < kept.getRank() &&
      full.getDimSize(at) == kept.getDimSize(other) &&
      stride(full, at) == stride(kept, other)) {
    dropped[at] = false;
    if (findDropped(full, kept, at + 1, other + 1, dropped))
      return true;
  }
  if (full.getDimSize(at) != 1)
    return false;
  dropped[at] = true;
  return findDropped(full, kept, at + 1, other, dropped);
}

bool memplanDroppedDimensions(MlirOperation wrapped, intptr_t rank,
                              bool *dropped) {
  Operation *op = unwrap(wrapped);
  auto part = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  if (!part || op->getNumResults() != 1)
    return false;
  auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
  auto result = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (!source || !result || source.getRank() != rank)
    return false;
  MemRefType full = memref::SubViewOp::inferResultType(
      source, part.getMixedOffsets(), part.getMixedSizes(),
      part.getMixedStrides());
  return findDropped(full, result, 0, 0, dropped);
}

MlirValue memplanCreateExpanded(MemplanPoint point, MlirValue wrapped,
                                intptr_t rank, const int64_t *shape,
                                const MlirValue *values, intptr_t groupCount,
                                const intptr_t *groupSizes) {
  OpBuilder builder = builderAt(point);
  Value source = unwrap(wrapped);
  SmallVector<ReassociationIndices> groups = groupsOf(groupCount, groupSizes);
  ArrayRef<int64_t> target(shape, rank);
  FailureOr<MemRefType> type = memref::ExpandShapeOp::computeExpandedType(
      cast<MemRefType>(source.getType()), target, groups);
  if (failed(type))
    return {nullptr};
  SmallVector<OpFoldResult> sizes = mixed(builder, target, values);
  auto view =
      memref::ExpandShapeOp::create(builder, unwrap(point.location), *type,
                                    source, groups, sizes);
  return wrap(static_cast<Value>(view.getResult()));
}

/// Whether the dimensions of each group may be beside each other, as far as
/// strides and sizes are known.
static bool mayCollapse(MemRefType type,
                        ArrayRef<ReassociationIndices> groups) {
  if (memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
    return true;
  auto [strides, offset] = type.getStridesAndOffset();
  for (const ReassociationIndices &group : groups) {
    // The stride that the next dimension outward has to have.
    std::optional<int64_t> expected;
    for (int64_t at : llvm::reverse(group)) {
      int64_t size = type.getDimSize(at), stride = strides[at];
      if (size == 1)
        continue;
      bool isKnown = !ShapedType::isDynamic(stride);
      if (expected && isKnown && *expected != stride)
        return false;
      expected = isKnown && !ShapedType::isDynamic(size)
                     ? std::optional(stride * size)
                     : std::nullopt;
    }
  }
  return true;
}

MlirValue memplanCreateCollapsed(MemplanPoint point, MlirValue wrapped,
                                 intptr_t groupCount,
                                 const intptr_t *groupSizes) {
  OpBuilder builder = builderAt(point);
  Value source = unwrap(wrapped);
  SmallVector<ReassociationIndices> groups = groupsOf(groupCount, groupSizes);
  // Where strides are not known, the caller says that they fit.
  if (!mayCollapse(cast<MemRefType>(source.getType()), groups))
    return {nullptr};
  auto view = memref::CollapseShapeOp::create(builder, unwrap(point.location),
                                              source, groups);
  return wrap(static_cast<Value>(view.getResult()));
}

MlirValue memplanCreateTransposed(MemplanPoint point, MlirValue source,
                                  intptr_t rank, const int64_t *order) {
  OpBuilder builder = builderAt(point);
  SmallVector<unsigned> places;
  for (int64_t from : ArrayRef<int64_t>(order, rank))
    places.push_back(static_cast<unsigned>(from));
  AffineMap map = AffineMap::getPermutationMap(places, builder.getContext());
  auto view =
      memref::TransposeOp::create(builder, unwrap(point.location),
                                  unwrap(source), AffineMapAttr::get(map));
  return wrap(static_cast<Value>(view.getResult()));
}

MlirOperation memplanCreateElementCopy(MemplanPoint point, MlirValue from,
                                       MlirValue to) {
  OpBuilder builder = builderAt(point);
  auto copy =
      linalg::CopyOp::create(builder, unwrap(point.location),
                             ValueRange{unwrap(from)}, ValueRange{unwrap(to)});
  return wrap(copy.getOperation());
}
