// Asks a model of BufferDeallocationOpInterface what its operation does with
// memory. A model answers by what it writes and what it tells a state that only
// C++ can make; so it is asked about a copy, in a function made for that.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using bufferization::Ownership;

static bool isMemref(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

// Does a flag follow from the arguments of its block alone? Not where a
// constant may stand for one of them: then it is not the owner of one of them
// who owns.
static bool followsFromArguments(Value flag, Block *block) {
  llvm::SetVector<Value> all;
  all.insert(flag);
  for (size_t at = 0; at < all.size(); ++at) {
    Operation *made = all[at].getDefiningOp();
    if (!made)
      continue;
    if (matchPattern(all[at], m_Zero()))
      continue;
    if (made->getBlock() != block || made->getNumRegions() != 0 ||
        made->hasTrait<OpTrait::ConstantLike>() || !isMemoryEffectFree(made))
      return false;
    all.insert(made->operand_begin(), made->operand_end());
  }
  return true;
}

bool memplanDeallocationModel(MlirOperation wrapped, bool *takes,
                              MemplanModelGives *gives) {
  Operation *op = unwrap(wrapped);
  if (!isa<bufferization::BufferDeallocationOpInterface>(op) ||
      op->getNumRegions() != 0 || op->getNumSuccessors() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;

  // A function like the one around, of one block, whose arguments are the
  // operands and a flag for each of them.
  Location loc = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Operation *outer = module->getOperation();
  if (auto function = op->getParentOfType<FunctionOpInterface>()) {
    outer = function->cloneWithoutRegions();
    module->push_back(outer);
  }
  Block *block = new Block();
  if (outer == module->getOperation())
    block = module->getBody();
  else
    outer->getRegion(0).push_back(block);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  SmallVector<Value> operands, flags;
  for (Value operand : op->getOperands()) {
    operands.push_back(block->addArgument(operand.getType(), loc));
    flags.push_back(isMemref(operand)
                        ? Value(block->addArgument(builder.getI1Type(), loc))
                        : Value());
  }
  Operation *copy = op->cloneWithoutRegions();
  copy->setOperands(operands);
  builder.insert(copy);

  SymbolTableCollection symbols;
  bufferization::DeallocationState state(outer, symbols);
  for (auto [operand, flag] : llvm::zip(operands, flags)) {
    if (!flag)
      continue;
    state.updateOwnership(operand, flag, block);
    state.addMemrefToDeallocate(operand, block);
  }
  // No operation but func.call is changed with the functions that it calls.
  bufferization::DeallocationOptions options;
  options.privateFuncDynamicOwnership = false;
  auto model = cast<bufferization::BufferDeallocationOpInterface>(copy);
  FailureOr<Operation *> answer = model.process(state, options);
  if (failed(answer) || *answer != copy || copy->getBlock() != block ||
      !llvm::equal(copy->getOperands(), operands))
    return false;
  // What it writes beside the operation must be for flags alone.
  for (Operation &other : *block)
    if (&other != copy && !isMemoryEffectFree(&other))
      return false;

  // Who is still to be freed here, and if what holds; told as what they are
  // views of, by operations written for that.
  Operation *written = &block->back();
  SmallVector<Value> left, conditions;
  builder.setInsertionPointToEnd(block);
  if (failed(state.getMemrefsAndConditionsToDeallocate(builder, loc, block,
                                                       left, conditions)))
    return false;
  llvm::DenseMap<Value, Value> freed;
  for (auto [memref, condition] : llvm::zip(left, conditions)) {
    Value whole = memref;
    for (Operation *view = whole.getDefiningOp();
         view && written->isBeforeInBlock(view); view = whole.getDefiningOp())
      whole = view->getOperand(0);
    freed[whole] = condition;
  }
  for (auto [at, flag] : llvm::enumerate(flags)) {
    Value condition = freed.lookup(operands[at]);
    takes[at] = flag && (!condition || matchPattern(condition, m_Zero()));
    if (flag && !takes[at] && condition != flag)
      return false;
  }
  for (auto [at, result] : llvm::enumerate(copy->getResults())) {
    gives[at] = MEMPLAN_GIVES_SHARED;
    if (!isMemref(result))
      continue;
    Ownership ownership = state.getOwnership(result, block);
    if (ownership.isUninitialized())
      return false;
    if (ownership.isUnknown())
      continue;
    if (matchPattern(ownership.getIndicator(), m_One()))
      gives[at] = MEMPLAN_GIVES_NEW;
    else if (!followsFromArguments(ownership.getIndicator(), block))
      return false;
  }
  return true;
}
