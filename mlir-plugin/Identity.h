// Whether a memref is laid out row by row.

#ifndef MEMPLAN_IDENTITY_H
#define MEMPLAN_IDENTITY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace memplan {
// As type.getLayout().isIdentity(), which makes an affine map of strides each
// time that it is asked.
inline bool isIdentity(mlir::MemRefType type) {
  mlir::MemRefLayoutAttrInterface layout = type.getLayout();
  auto strided = llvm::dyn_cast<mlir::StridedLayoutAttr>(
      static_cast<mlir::Attribute>(layout));
  if (!strided)
    return layout.isIdentity();
  // The map has one result, so only one dimension can be the identity.
  return strided.getOffset() == 0 && strided.getStrides().size() == 1 &&
         strided.getStrides().front() == 1;
}

// As type.getStridesAndOffset(), which asks an affine map for the strides of a
// memref that is laid out row by row.
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
