// Queries the BufferDeallocationOpInterface model of an operation. A model
// answers by writing IR, and by updating a state that only C++ can create. So
// it is applied to a copy of the operation, in a function created for that.

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

// True if a flag depends only on the arguments of its block. False if a
// constant may take the place of an argument: then the owner is not the owner
// of an operand.
static bool followsFromArguments(Value flag, Block *block) {
  llvm::SetVector<Value> all;
  all.insert(flag);
  for (size_t at = 0; at < all.size(); ++at) {
    Operation *definition = all[at].getDefiningOp();
    if (!definition)
      continue;
    if (matchPattern(all[at], m_Zero()))
      continue;
    if (definition->getBlock() != block || definition->getNumRegions() != 0 ||
        definition->hasTrait<OpTrait::ConstantLike>() ||
        !isMemoryEffectFree(definition))
      return false;
    all.insert(definition->operand_begin(), definition->operand_end());
  }
  return true;
}

bool memplanDeallocationModel(MlirOperation wrapped, bool *consumed,
                              MemplanResultOwnership *results) {
  Operation *op = unwrap(wrapped);
  if (!isa<bufferization::BufferDeallocationOpInterface>(op) ||
      op->getNumRegions() != 0 || op->getNumSuccessors() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;

  // A function like the enclosing one, with one block. Its arguments are the
  // operands, and a flag for each memref operand.
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
  // Only func.call changes together with the functions that it calls.
  bufferization::DeallocationOptions options;
  options.privateFuncDynamicOwnership = false;
  auto model = cast<bufferization::BufferDeallocationOpInterface>(copy);
  FailureOr<Operation *> answer = model.process(state, options);
  if (failed(answer) || *answer != copy || copy->getBlock() != block ||
      !llvm::equal(copy->getOperands(), operands))
    return false;
  // All other operations that the model writes must compute flags.
  for (Operation &other : *block)
    if (&other != copy && !isMemoryEffectFree(&other))
      return false;

  // The memrefs that are still to be freed, and their conditions. The state
  // returns views of them by operations that it writes for this purpose.
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
    consumed[at] = flag && (!condition || matchPattern(condition, m_Zero()));
    if (flag && !consumed[at] && condition != flag)
      return false;
  }
  for (auto [at, result] : llvm::enumerate(copy->getResults())) {
    results[at] = MEMPLAN_RESULT_SHARED;
    if (!isMemref(result))
      continue;
    Ownership ownership = state.getOwnership(result, block);
    if (ownership.isUninitialized())
      return false;
    if (ownership.isUnknown())
      continue;
    if (matchPattern(ownership.getIndicator(), m_One()))
      results[at] = MEMPLAN_RESULT_NEW;
    else if (!followsFromArguments(ownership.getIndicator(), block))
      return false;
  }
  return true;
}
