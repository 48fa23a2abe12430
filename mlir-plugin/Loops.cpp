// Affine loops as loops of scf.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

MlirOperation memplanLowerAffine(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  Operation *next = op->getNextNode();
  Block *block = op->getBlock();
  MLIRContext *context = op->getContext();
  ConversionTarget target(*context);
  target.addIllegalDialect<affine::AffineDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  if (failed(applyPartialConversion(op, target, std::move(patterns))))
    return {nullptr};
  Operation *lowered = next ? next->getPrevNode() : &block->back();
  return wrap(lowered);
}
