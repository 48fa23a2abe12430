// Types that the C API has no questions for.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Async/IR/Async.h"

using namespace mlir;

bool memplanIsAsyncGroup(MlirType type) {
  return isa<async::GroupType>(unwrap(type));
}

MlirType memplanAsyncValueElement(MlirType type) {
  auto value = dyn_cast<async::ValueType>(unwrap(type));
  return wrap(value ? value.getValueType() : Type());
}
