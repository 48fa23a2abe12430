#include "Snapshot.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

namespace {
struct Hash {
  uint64_t value = 0;

  void number(uint64_t other) {
    value = (value ^ other) * 0x9e3779b97f4a7c15;
    value ^= value >> 32;
  }
  void pointer(const void *other) {
    number(reinterpret_cast<uintptr_t>(other));
  }
  void of(Value other) {
    pointer(other.getAsOpaquePointer());
    if (other)
      pointer(other.getType().getAsOpaquePointer());
  }
};
} // namespace

Snapshot::Snapshot(Operation *root) { add(root); }

void Snapshot::add(Operation *op) {
  Hash self, nestedHash;
  self.pointer(op->getBlock());
  self.pointer(op->getName().getAsOpaquePointer());
  self.pointer(op->getLoc().getAsOpaquePointer());
  self.pointer(op->getRawDictionaryAttrs().getAsOpaquePointer());
  self.number(op->hashProperties());
  for (Value operand : op->getOperands())
    self.of(operand);
  for (Type type : op->getResultTypes())
    self.pointer(type.getAsOpaquePointer());
  size_t index = operations.size();
  operations.push_back({op, 0, 0});
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      self.pointer(&block);
      for (BlockArgument argument : block.getArguments())
        self.of(argument);
      for (Operation &nested : block) {
        nestedHash.pointer(&nested);
        for (Block *successor : nested.getSuccessors())
          self.pointer(successor);
        add(&nested);
      }
      // The end of a block is verified with the operation that contains it.
      self.pointer(block.empty() ? nullptr : &block.back());
    }
  operations[index].self = self.value;
  operations[index].nested = nestedHash.value;
}

// True if all values are defined where they are used.
static bool areDefined(Operation *root) {
  DominanceInfo dominance;
  return !root->walk([&](Operation *op) {
                return llvm::all_of(op->getOperands(),
                                    [&](Value operand) {
                                      return operand &&
                                             dominance.properlyDominates(
                                                 operand, op);
                                    })
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

Snapshot::Outcome Snapshot::verifySince(const Snapshot &before) const {
  Operation *root = operations.front().op;
  llvm::DenseMap<Operation *, const OperationHash *> known;
  for (const OperationHash &one : before.operations)
    known.try_emplace(one.op, &one);
  // Operations that are verified with all nested ones; those and their nested
  // operations; operations that are verified without nested ones.
  SmallVector<Operation *> changed;
  llvm::DenseSet<Operation *> covered;
  llvm::SetVector<Operation *> affected;
  for (const OperationHash &one : operations) {
    const OperationHash *old = known.lookup(one.op);
    if (one.op != root && covered.contains(one.op->getParentOp())) {
      covered.insert(one.op);
    } else if (!old || old->self != one.self) {
      covered.insert(one.op);
      changed.push_back(one.op);
    } else if (old->nested != one.nested) {
      affected.insert(one.op);
    }
  }
  SmallVector<Operation *> work(changed);
  llvm::append_range(work, affected);
  auto affect = [&](Operation *op) {
    if (!covered.contains(op) && affected.insert(op))
      work.push_back(op);
  };
  while (!work.empty()) {
    if (2 * (covered.size() + affected.size()) > operations.size())
      return Outcome::Unknown;
    Operation *op = work.pop_back_val();
    if (op != root)
      affect(op->getParentOp());
    for (Operation *user : op->getUsers())
      affect(user);
  }
  for (Operation *op : changed)
    if (failed(verify(op)))
      return Outcome::Invalid;
  for (Operation *op : affected)
    if (failed(verify(op, /*verifyRecursively=*/false)))
      return Outcome::Invalid;
  // Last, as dominance requires that blocks end in terminators.
  return areDefined(root) ? Outcome::Valid : Outcome::Unknown;
}
