// Replacement of region bodies, and erasure of unreachable blocks.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Region.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

void memplanReplaceBody(MlirRegion wrappedOld, MlirRegion wrappedFresh) {
  Region *old = unwrap(wrappedOld);
  // Blocks use each other's values, in any order.
  old->dropAllReferences();
  old->getBlocks().clear();
  old->takeBody(*unwrap(wrappedFresh));
}

void memplanEraseUnreachableBlocks(MlirRegion wrapped) {
  Region *region = unwrap(wrapped);
  IRRewriter rewriter(region->getContext());
  (void)eraseUnreachableBlocks(rewriter, MutableArrayRef<Region>(*region));
}
