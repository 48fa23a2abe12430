// What a pass has changed, found by hashes of all operations, and its verifier.

#ifndef MEMPLAN_SNAPSHOT_H
#define MEMPLAN_SNAPSHOT_H

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <vector>

namespace memplan {
// An operation and all that it holds, as they were. It is not to be printed, as
// it goes by addresses; operations of it may be erased.
class Snapshot {
public:
  Snapshot() = default;
  explicit Snapshot(mlir::Operation *root);

  bool isEmpty() const { return all.empty(); }
  bool operator==(const Snapshot &other) const { return all == other.all; }

  enum class Outcome {
    // What may be wrong now was verified.
    Valid,
    // It is wrong, and that was said.
    Invalid,
    // Too much has changed, or what is wrong was not said: all is to be
    // verified.
    Unknown
  };

  // Verifies what is other than it was `before`, which was verified: operations
  // that have changed with all that they hold, what holds them, and what uses
  // their results, and theirs; and that each value is defined where it is used.
  Outcome verifySince(const Snapshot &before) const;

private:
  struct One {
    mlir::Operation *op;
    // Of the operation itself: name, attributes, operands, types, block, and the
    // control flow among its blocks.
    uint64_t self;
    // Of which operations it holds, in which order.
    uint64_t held;
    bool operator==(const One &other) const {
      return op == other.op && self == other.self && held == other.held;
    }
  };

  void add(mlir::Operation *op);

  // In walk order, each before those in it.
  std::vector<One> all;
};
} // namespace memplan

#endif
