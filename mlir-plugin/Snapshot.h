// Changes of a pass, found by hashing all operations, and a verifier for them.

#ifndef MEMPLAN_SNAPSHOT_H
#define MEMPLAN_SNAPSHOT_H

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <vector>

namespace memplan {
// The state of an operation and all nested ones. It depends on addresses, so it
// must not be printed. The operations may be erased.
class Snapshot {
public:
  Snapshot() = default;
  explicit Snapshot(mlir::Operation *root);

  bool isEmpty() const { return operations.empty(); }
  bool operator==(const Snapshot &other) const {
    return operations == other.operations;
  }

  enum class Outcome {
    // Everything that may have become invalid was verified.
    Valid,
    // The program is invalid, and an error was emitted.
    Invalid,
    // Too much has changed, or no error was emitted for an invalid program: the
    // whole program must be verified.
    Unknown
  };

  // Verifies the changes since `before`, which was valid: changed operations
  // with all nested ones, the operations that contain them, and the users of
  // their results, transitively; and that each value is defined where it is
  // used.
  Outcome verifySince(const Snapshot &before) const;

private:
  struct OperationHash {
    mlir::Operation *op;
    // Hash of the operation itself: name, attributes, operands, types, block,
    // and the control flow among its blocks.
    uint64_t self;
    // Hash of the nested operations and their order.
    uint64_t nested;
    bool operator==(const OperationHash &other) const {
      return op == other.op && self == other.self && nested == other.nested;
    }
  };

  void add(mlir::Operation *op);

  // In walk order, each before those nested in it.
  std::vector<OperationHash> operations;
};
} // namespace memplan

#endif
