// Bodies that take the place of others.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Region.h"

using namespace mlir;

void memplanReplaceBody(MlirRegion wrappedOld, MlirRegion wrappedFresh) {
  Region *old = unwrap(wrappedOld);
  // Blocks use each other's values, in any order.
  old->dropAllReferences();
  old->getBlocks().clear();
  old->takeBody(*unwrap(wrappedFresh));
}
