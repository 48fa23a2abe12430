// Changes of existing operations: more or fewer operands and results, and new
// blocks.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

static constexpr StringLiteral segments = "operandSegmentSizes";
static constexpr StringLiteral resultAttributes = "res_attrs";

MlirOperation memplanRecreate(MlirOperation wrapped, intptr_t operandCount,
                              const MlirValue *operands, intptr_t resultCount,
                              const MlirType *results) {
  Operation *op = unwrap(wrapped);
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  for (intptr_t i = 0; i < operandCount; ++i)
    state.operands.push_back(unwrap(operands[i]));
  state.addTypes(op->getResultTypes());
  for (intptr_t i = 0; i < resultCount; ++i)
    state.types.push_back(unwrap(results[i]));
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    auto sizes = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (attribute.getName() == segments && sizes && !sizes.empty()) {
      SmallVector<int32_t> grown(sizes.asArrayRef());
      grown.back() += static_cast<int32_t>(operandCount);
      state.addAttribute(segments, builder.getDenseI32ArrayAttr(grown));
      continue;
    }
    auto each = dyn_cast<ArrayAttr>(attribute.getValue());
    if (attribute.getName() == resultAttributes && each &&
        each.size() == op->getNumResults()) {
      SmallVector<Attribute> grown(each.getValue());
      grown.append(resultCount, builder.getDictionaryAttr({}));
      state.addAttribute(resultAttributes, builder.getArrayAttr(grown));
      continue;
    }
    state.attributes.push_back(attribute);
  }
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *created = builder.create(state);
  for (auto [before, now] : llvm::zip(op->getResults(), created->getResults()))
    before.replaceAllUsesWith(now);
  op->erase();
  return wrap(created);
}

MlirOperation memplanDropResults(MlirOperation wrapped, intptr_t count,
                                 const intptr_t *numbers) {
  Operation *op = unwrap(wrapped);
  llvm::BitVector dropped(op->getNumResults());
  for (intptr_t i = 0; i < count; ++i)
    dropped.set(numbers[i]);
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  for (OpResult result : op->getResults())
    if (!dropped.test(result.getResultNumber()))
      state.addTypes(result.getType());
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    auto each = dyn_cast<ArrayAttr>(attribute.getValue());
    if (attribute.getName() == resultAttributes && each &&
        each.size() == op->getNumResults()) {
      SmallVector<Attribute> left;
      for (auto [i, one] : llvm::enumerate(each))
        if (!dropped.test(i))
          left.push_back(one);
      state.addAttribute(resultAttributes, builder.getArrayAttr(left));
      continue;
    }
    state.attributes.push_back(attribute);
  }
  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      block.back().eraseOperands(dropped);
    state.addRegion()->takeBody(region);
  }
  Operation *created = builder.create(state);
  auto next = created->result_begin();
  for (OpResult result : op->getResults())
    if (!dropped.test(result.getResultNumber()))
      result.replaceAllUsesWith(*next++);
  op->erase();
  return wrap(created);
}

// An iteration argument that each iteration passes on, or sets to its first
// value.
static bool isInvariant(Value argument, Value first, Value next) {
  return next == argument || next == first;
}

MlirOperation memplanDropInvariants(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return {nullptr};
  MutableArrayRef<OpOperand> inits = loop.getInitsMutable();
  Block *body = &op->getRegion(0).front();
  Operation *last = body->getTerminator();
  size_t count = inits.size();
  if (op->getNumResults() != count || last->getNumOperands() != count ||
      loop.getRegionIterArgs().size() != count ||
      loop.getYieldedValues().size() != count)
    return {nullptr};
  llvm::BitVector dropped(inits.size());
  for (auto [i, init] : llvm::enumerate(inits)) {
    Value argument = loop.getRegionIterArgs()[i];
    if (isa<MemRefType>(argument.getType()) &&
        isInvariant(argument, init.get(), last->getOperand(i))) {
      argument.replaceAllUsesWith(init.get());
      op->getResult(i).replaceAllUsesWith(init.get());
      dropped.set(i);
    }
  }
  if (dropped.none())
    return wrapped;
  unsigned firstInit = inits.front().getOperandNumber();
  unsigned firstArgument =
      cast<BlockArgument>(loop.getRegionIterArgs().front()).getArgNumber();
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isInit = number >= firstInit && number < firstInit + dropped.size();
    if (!isInit || !dropped.test(number - firstInit))
      state.operands.push_back(operand.get());
  }
  for (OpResult result : op->getResults())
    if (!dropped.test(result.getResultNumber()))
      state.addTypes(result.getType());
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    auto sizes = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (attribute.getName() == segments && sizes && !sizes.empty()) {
      SmallVector<int32_t> fewer(sizes.asArrayRef());
      fewer.back() -= static_cast<int32_t>(dropped.count());
      state.addAttribute(segments, builder.getDenseI32ArrayAttr(fewer));
      continue;
    }
    state.attributes.push_back(attribute);
  }
  last->eraseOperands(dropped);
  llvm::BitVector arguments(body->getNumArguments());
  for (unsigned i : dropped.set_bits())
    arguments.set(firstArgument + i);
  body->eraseArguments(arguments);
  state.addRegion()->takeBody(op->getRegion(0));
  Operation *created = builder.create(state);
  auto next = created->result_begin();
  for (OpResult result : op->getResults())
    if (!dropped.test(result.getResultNumber()))
      result.replaceAllUsesWith(*next++);
  op->erase();
  return wrap(created);
}

bool memplanBranchAppend(MlirOperation wrapped, intptr_t successor,
                         intptr_t count, const MlirValue *values) {
  auto branch = dyn_cast<BranchOpInterface>(unwrap(wrapped));
  if (!branch)
    return false;
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  for (intptr_t i = 0; i < count; ++i)
    operands.append(unwrap(values[i]));
  return true;
}

MlirOperation memplanSplitEdge(MlirOperation wrapped, intptr_t successor) {
  Operation *op = unwrap(wrapped);
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return {nullptr};
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  if (operands.getProducedOperandCount() != 0)
    return {nullptr};
  Block *target = op->getSuccessor(successor);
  SmallVector<Value> forwarded(operands.getForwardedOperands());
  Block *between = new Block();
  between->insertBefore(target);
  OpBuilder builder = OpBuilder::atBlockEnd(between);
  Operation *jump =
      cf::BranchOp::create(builder, op->getLoc(), target, forwarded);
  if (operands.size() != 0)
    operands.erase(0, operands.size());
  op->setSuccessor(between, successor);
  return wrap(jump);
}

bool memplanSplitLandingPad(MlirOperation wrapped) {
  Operation *first = unwrap(wrapped);
  Block *pad = first->getBlock();
  SmallVector<BlockOperand *> edges;
  for (BlockOperand &edge : pad->getUses()) {
    auto branch = dyn_cast<BranchOpInterface>(edge.getOwner());
    if (!branch || branch.getSuccessorOperands(edge.getOperandNumber())
                           .getProducedOperandCount() != 0)
      return false;
    edges.push_back(&edge);
  }
  for (BlockOperand *edge : llvm::reverse(edges)) {
    Operation *op = edge->getOwner();
    auto branch = cast<BranchOpInterface>(op);
    SuccessorOperands operands =
        branch.getSuccessorOperands(edge->getOperandNumber());
    SmallVector<Value> forwarded(operands.getForwardedOperands());
    IRMapping mapping;
    mapping.map(pad->getArguments(), forwarded);
    Block *between = new Block();
    between->insertBefore(pad);
    OpBuilder builder = OpBuilder::atBlockEnd(between);
    Operation *copy = builder.clone(*first, mapping);
    llvm::append_range(forwarded, copy->getResults());
    cf::BranchOp::create(builder, op->getLoc(), pad, forwarded);
    if (operands.size() != 0)
      operands.erase(0, operands.size());
    edge->set(between);
  }
  for (Value result : first->getResults())
    result.replaceAllUsesWith(
        pad->addArgument(result.getType(), result.getLoc()));
  first->erase();
  return true;
}

MlirOperation memplanAddElse(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  if (op->getNumRegions() != 2 || !op->getRegion(1).empty())
    return {nullptr};
  OpBuilder builder(op->getContext());
  builder.createBlock(&op->getRegion(1));
  if (isa<affine::AffineIfOp>(op))
    return wrap(
        affine::AffineYieldOp::create(builder, op->getLoc()).getOperation());
  if (isa<scf::IfOp>(op))
    return wrap(scf::YieldOp::create(builder, op->getLoc()).getOperation());
  return {nullptr};
}
