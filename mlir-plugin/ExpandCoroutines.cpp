// Branches in place of structured control flow that waits in a coroutine. MLIR
// splits blocks where a coroutine waits, and a body of `scf` has one block. And
// pointers in place of tokens that branches pass.

#include "ExpandOps.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

// The innermost function or operation around this one that becomes a coroutine.
static Operation *coroutineOf(Operation *op) {
  while ((op = op->getParentOp()))
    if (isa<async::ExecuteOp, async::FuncOp>(op))
      return op;
  return nullptr;
}

static bool isControlFlow(Operation *op) {
  return isa_and_nonnull<scf::SCFDialect>(op->getDialect()) &&
         op->getNumRegions() > 0;
}

// Marks the structured control flow around each operation of `async` that is in
// a coroutine, up to this coroutine.
static llvm::SmallPtrSet<Operation *, 8> waiting(Operation *root) {
  llvm::SmallPtrSet<Operation *, 8> found;
  root->walk([&](Operation *op) {
    if (!isa_and_nonnull<async::AsyncDialect>(op->getDialect()))
      return;
    Operation *coroutine = coroutineOf(op);
    if (!coroutine)
      return;
    for (Operation *parent = op->getParentOp(); parent != coroutine;
         parent = parent->getParentOp())
      if (isControlFlow(parent))
        found.insert(parent);
  });
  return found;
}

// Moves the body of the operation, which may have one block only, into an
// operation that may have several. MLIR moves them to a function that it makes.
static scf::ExecuteRegionOp wrapBody(async::ExecuteOp execute) {
  Block *body = execute.getBody();
  Operation *end = body->getTerminator();
  OpBuilder builder(end);
  Location loc = execute.getLoc();
  auto wrapped =
      scf::ExecuteRegionOp::create(builder, loc, end->getOperandTypes());
  Block *inner = builder.createBlock(&wrapped.getRegion());
  inner->getOperations().splice(inner->end(), body->getOperations(),
                                body->begin(), Block::iterator(wrapped));
  builder.setInsertionPointToEnd(inner);
  scf::YieldOp::create(builder, loc, end->getOperands());
  end->setOperands(wrapped.getResults());
  return wrapped;
}

// True where MLIR's passes have counted the references already: the operations
// that these passes lower are gone.
static bool isCounted(Operation *root) {
  return !root->walk([](Operation *op) {
                if (!isa_and_nonnull<async::AsyncDialect>(op->getDialect()))
                  return WalkResult::advance();
                StringRef name = op->getName().stripDialect();
                bool isLow =
                    name.starts_with("runtime.") || name.starts_with("coro.");
                return isLow ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static Value cast(OpBuilder &builder, Location loc, Type type, Value value) {
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

// Makes the argument a pointer, which MLIR's conversion leaves to others, and
// these do not know its type. False if a predecessor cannot pass a pointer.
static bool makePointer(BlockArgument argument) {
  Block *block = argument.getOwner();
  unsigned number = argument.getArgNumber();
  for (Block *before : block->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(before->getTerminator());
    if (!branch)
      return false;
    for (auto [at, successor] : llvm::enumerate(branch->getSuccessors()))
      if (successor == block &&
          number < branch.getSuccessorOperands(at).getProducedOperandCount())
        return false;
  }
  Type type = argument.getType();
  Location loc = argument.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(type.getContext());
  llvm::SmallPtrSet<Block *, 4> done;
  for (Block *before : block->getPredecessors()) {
    if (!done.insert(before).second)
      continue;
    auto branch = mlir::cast<BranchOpInterface>(before->getTerminator());
    OpBuilder builder(branch);
    for (auto [at, successor] : llvm::enumerate(branch->getSuccessors())) {
      if (successor != block)
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(at);
      unsigned passed = number - operands.getProducedOperandCount();
      MutableOperandRange forwarded =
          operands.getMutableForwardedOperands().slice(passed, 1);
      forwarded.assign(cast(builder, loc, pointer, operands[number]));
    }
  }
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  argument.setType(pointer);
  Value same = cast(builder, loc, type, argument);
  argument.replaceAllUsesExcept(same, same.getDefiningOp());
  return true;
}

static int64_t makePointers(Operation *root) {
  SmallVector<BlockArgument> arguments;
  root->walk([&](Block *block) {
    if (!block->isEntryBlock())
      for (BlockArgument argument : block->getArguments())
        if (isa<async::TokenType, async::ValueType, async::GroupType>(
                argument.getType()))
          arguments.push_back(argument);
  });
  if (arguments.empty() || !isCounted(root))
    return 0;
  return llvm::count_if(arguments, makePointer);
}

int64_t memplan::expandCoroutines(Operation *root) {
  llvm::SmallPtrSet<Operation *, 8> found = waiting(root);
  if (found.empty())
    return makePointers(root);
  llvm::SetVector<Operation *> bodies;
  root->walk([&](Operation *op) {
    if (found.contains(op))
      if (auto execute = dyn_cast<async::ExecuteOp>(coroutineOf(op)))
        bodies.insert(execute);
  });
  llvm::SmallPtrSet<Operation *, 8> wrapped;
  for (Operation *body : bodies)
    wrapped.insert(wrapBody(cast<async::ExecuteOp>(body)));
  RewritePatternSet patterns(root->getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*root->getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  // The conversion makes loops of other loops, which wait as well.
  target.addDynamicallyLegalDialect<scf::SCFDialect>([&](Operation *op) {
    if (!isControlFlow(op) || wrapped.contains(op))
      return true;
    Operation *coroutine = coroutineOf(op);
    if (!coroutine)
      return true;
    return !op->walk([&](Operation *nested) {
                return isa_and_nonnull<async::AsyncDialect>(
                           nested->getDialect()) &&
                               coroutineOf(nested) == coroutine
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              }).wasInterrupted();
  });
  // What cannot be converted stays, and is an error of a pass after this one.
  (void)applyPartialConversion(root, target, std::move(patterns));
  return found.size();
}
