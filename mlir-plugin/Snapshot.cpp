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
  Hash self, held;
  self.pointer(op->getBlock());
  self.pointer(op->getName().getAsOpaquePointer());
  self.pointer(op->getLoc().getAsOpaquePointer());
  self.pointer(op->getRawDictionaryAttrs().getAsOpaquePointer());
  self.number(op->hashProperties());
  for (Value operand : op->getOperands())
    self.of(operand);
  for (Type type : op->getResultTypes())
    self.pointer(type.getAsOpaquePointer());
  size_t place = all.size();
  all.push_back({op, 0, 0});
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      self.pointer(&block);
      for (BlockArgument argument : block.getArguments())
        self.of(argument);
      for (Operation &nested : block) {
        held.pointer(&nested);
        for (Block *successor : nested.getSuccessors())
          self.pointer(successor);
        add(&nested);
      }
      // How blocks end is verified with all that they hold.
      self.pointer(block.empty() ? nullptr : &block.back());
    }
  all[place].self = self.value;
  all[place].held = held.value;
}

// Where a value is used, it is defined.
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
  Operation *root = all.front().op;
  llvm::DenseMap<Operation *, const One *> known;
  for (const One &one : before.all)
    known.try_emplace(one.op, &one);
  // Verified with all that they hold; with these; and without.
  SmallVector<Operation *> changed;
  llvm::DenseSet<Operation *> covered;
  llvm::SetVector<Operation *> affected;
  for (const One &one : all) {
    const One *old = known.lookup(one.op);
    if (one.op != root && covered.contains(one.op->getParentOp())) {
      covered.insert(one.op);
    } else if (!old || old->self != one.self) {
      covered.insert(one.op);
      changed.push_back(one.op);
    } else if (old->held != one.held) {
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
    if (2 * (covered.size() + affected.size()) > all.size())
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
  // Last: dominance takes blocks that end as they should.
  return areDefined(root) ? Outcome::Valid : Outcome::Unknown;
}
