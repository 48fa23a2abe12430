// Bounds of values that MLIR does not know yet.

#include "Bounds.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

namespace {
struct SizesOfView
    : ValueBoundsOpInterface::ExternalModel<SizesOfView, memref::ViewOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    // Sizes follow the source and the shift; static dimensions are in the type.
    unsigned at = cast<MemRefType>(value.getType()).getDynamicDimIndex(dim);
    cstr.bound(value)[dim] == cstr.getExpr(op->getOperand(2 + at));
  }
};
} // namespace

void memplan::addBoundsOfViews(DialectRegistry &registry) {
  // If a later MLIR has its own model, that one is kept.
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    memref::ViewOp::attachInterface<SizesOfView>(*context);
  });
}
