// The parts of memplanExpandOps. Each returns the number of operations that it
// expanded.

#ifndef MEMPLAN_EXPANDOPS_H
#define MEMPLAN_EXPANDOPS_H

#include <cstdint>

namespace mlir {
class Operation;
}

namespace memplan {

// Masked reads with values for the elements that are not read, and masked
// transfers of one element.
int64_t expandMasks(mlir::Operation *root);

// Structured control flow that waits in a coroutine.
int64_t expandCoroutines(mlir::Operation *root);

} // namespace memplan

#endif // MEMPLAN_EXPANDOPS_H
