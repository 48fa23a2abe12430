// Fast queries of memref layouts.

#ifndef MEMPLAN_STRIDED_LAYOUT_H
#define MEMPLAN_STRIDED_LAYOUT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace memplan {
// Same as type.getLayout().isIdentity(), which creates an affine map of strides
// for each call.
inline bool isIdentity(mlir::MemRefType type) {
  mlir::MemRefLayoutAttrInterface layout = type.getLayout();
  auto strided = llvm::dyn_cast<mlir::StridedLayoutAttr>(
      static_cast<mlir::Attribute>(layout));
  if (!strided)
    return layout.isIdentity();
  // The map has one result, so only a layout of rank 1 can be the identity.
  return strided.getOffset() == 0 && strided.getStrides().size() == 1 &&
         strided.getStrides().front() == 1;
}

// Same as type.getStridesAndOffset(), which creates an affine map to compute
// the strides of the identity layout.
inline llvm::LogicalResult
stridesAndOffset(mlir::MemRefType type, llvm::SmallVectorImpl<int64_t> &strides,
                 int64_t &offset) {
  if (llvm::isa<mlir::StridedLayoutAttr>(
          static_cast<mlir::Attribute>(type.getLayout())) ||
      !type.getLayout().isIdentity())
    return type.getStridesAndOffset(strides, offset);
  offset = 0;
  strides.assign(type.getRank(), 1);
  for (int64_t at = type.getRank() - 1; at > 0; --at) {
    int64_t size = type.getDimSize(at), stride = strides[at];
    strides[at - 1] =
        mlir::ShapedType::isDynamic(size) || mlir::ShapedType::isDynamic(stride)
            ? mlir::ShapedType::kDynamic
            : stride * size;
  }
  return llvm::success();
}
} // namespace memplan

#endif
