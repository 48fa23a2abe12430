// Bounds of loops that are written anew, and affine loops as loops of scf.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

bool memplanSetUpperBound(MlirOperation wrapped, intptr_t dimension,
                          MlirValue bound) {
  Operation *op = unwrap(wrapped);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    loop.setUpperBound(unwrap(bound));
    return true;
  }
  auto loop = dyn_cast<scf::ParallelOp>(op);
  if (!loop || dimension >= static_cast<intptr_t>(loop.getNumLoops()))
    return false;
  loop.getUpperBoundMutable()[dimension].set(unwrap(bound));
  return true;
}

MlirOperation memplanLowerAffineLoops(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  WalkResult found = op->walk([](Operation *nested) {
    bool isLoop = isa<affine::AffineForOp, affine::AffineParallelOp>(nested);
    return isLoop ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return wrapped;
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
