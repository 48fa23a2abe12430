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
} // namespace memplan

#endif
