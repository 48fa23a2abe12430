// Interface queries that the C API lacks. One function per interface method;
// no decision is taken here.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

uint32_t memplanOperationNameFlags(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  uint32_t flags = 0;
  auto set = [&](bool holds, MemplanNameFlag flag) {
    if (holds)
      flags |= flag;
  };
  set(op->isRegistered(), MEMPLAN_REGISTERED);
  set(isa<MemoryEffectOpInterface>(op), MEMPLAN_MEMORY_EFFECTS);
  set(op->hasTrait<OpTrait::HasRecursiveMemoryEffects>(),
      MEMPLAN_RECURSIVE_EFFECTS);
  set(isa<RegionBranchOpInterface>(op), MEMPLAN_REGION_BRANCH);
  set(isa<RegionBranchTerminatorOpInterface>(op), MEMPLAN_REGION_TERMINATOR);
  set(isa<BranchOpInterface>(op), MEMPLAN_BRANCH);
  set(isa<LoopLikeOpInterface>(op), MEMPLAN_LOOP_LIKE);
  set(isa<ViewLikeOpInterface>(op), MEMPLAN_VIEW_LIKE);
  set(isa<CallOpInterface>(op), MEMPLAN_CALL);
  set(isa<FunctionOpInterface>(op), MEMPLAN_FUNCTION);
  set(op->hasTrait<OpTrait::AutomaticAllocationScope>(),
      MEMPLAN_ALLOCATION_SCOPE);
  set(op->hasTrait<OpTrait::HasParallelRegion>(), MEMPLAN_PARALLEL_REGION);
  set(op->hasTrait<OpTrait::IsIsolatedFromAbove>(), MEMPLAN_ISOLATED);
  set(op->hasTrait<OpTrait::IsTerminator>(), MEMPLAN_TERMINATOR);
  set(op->hasTrait<OpTrait::ReturnLike>(), MEMPLAN_RETURN_LIKE);
  set(op->hasTrait<OpTrait::SymbolTable>(), MEMPLAN_SYMBOL_TABLE);
  set(isa<bufferization::BufferDeallocationOpInterface>(op),
      MEMPLAN_DEALLOCATION_MODEL);
  set(isa<SymbolUserOpInterface>(op), MEMPLAN_SYMBOL_USER);
  return flags;
}

bool memplanOperationEffects(MlirOperation wrapped,
                             MemplanEffectCallback callback, void *user) {
  auto op = dyn_cast<MemoryEffectOpInterface>(unwrap(wrapped));
  if (!op)
    return false;
  SmallVector<MemoryEffects::EffectInstance, 8> effects;
  op.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    MemplanEffect out;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      out.kind = MEMPLAN_EFFECT_READ;
    else if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      out.kind = MEMPLAN_EFFECT_ALLOCATE;
    else if (isa<MemoryEffects::Free>(effect.getEffect()))
      out.kind = MEMPLAN_EFFECT_FREE;
    else
      out.kind = MEMPLAN_EFFECT_WRITE;
    Value value = effect.getValue();
    out.value = value ? wrap(value) : MlirValue{nullptr};
    // Compared by id: each shared object may have its own singleton of a
    // resource.
    TypeID resource = effect.getResource()->getResourceID();
    out.automatic_scope =
        resource ==
        SideEffects::AutomaticAllocationScopeResource::getResourceID();
    out.memory = out.automatic_scope ||
                 resource == SideEffects::DefaultResource::getResourceID();
    callback(&out, user);
  }
  return true;
}

bool memplanOperationIsMemoryEffectFree(MlirOperation op) {
  return isMemoryEffectFree(unwrap(op));
}

static bool report(Operation *parent, const RegionSuccessor &successor,
                   OperandRange operands, MemplanRegionEdgeCallback callback,
                   void *user) {
  SmallVector<MlirValue, 8> from, to;
  for (Value operand : operands)
    from.push_back(wrap(operand));
  for (Value input : successor.getSuccessorInputs())
    to.push_back(wrap(input));
  if (from.size() != to.size())
    return false;
  MemplanRegionEdge edge;
  edge.region = successor.isParent()
                    ? intptr_t(-1)
                    : intptr_t(successor.getSuccessor()->getRegionNumber());
  edge.count = from.size();
  edge.operands = from.data();
  edge.inputs = to.data();
  callback(&edge, user);
  return true;
}

bool memplanRegionBranchEntry(MlirOperation wrapped,
                              MemplanRegionEdgeCallback callback, void *user) {
  auto op = dyn_cast<RegionBranchOpInterface>(unwrap(wrapped));
  if (!op)
    return false;
  SmallVector<RegionSuccessor, 4> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (const RegionSuccessor &successor : successors)
    if (!report(op, successor, op.getEntrySuccessorOperands(successor),
                callback, user))
      return false;
  return true;
}

bool memplanRegionBranchTerminator(MlirOperation wrapped,
                                   MemplanRegionEdgeCallback callback,
                                   void *user) {
  auto terminator =
      dyn_cast<RegionBranchTerminatorOpInterface>(unwrap(wrapped));
  if (!terminator)
    return false;
  auto parent =
      dyn_cast_or_null<RegionBranchOpInterface>(terminator->getParentOp());
  if (!parent)
    return false;
  SmallVector<RegionSuccessor, 4> successors;
  parent.getSuccessorRegions(RegionBranchPoint(terminator), successors);
  for (const RegionSuccessor &successor : successors)
    if (!report(parent, successor, terminator.getSuccessorOperands(successor),
                callback, user))
      return false;
  return true;
}

bool memplanBranchOperands(MlirOperation wrapped, intptr_t successor,
                           MemplanBranchCallback callback, void *user) {
  auto op = dyn_cast<BranchOpInterface>(unwrap(wrapped));
  if (!op)
    return false;
  SuccessorOperands operands = op.getSuccessorOperands(successor);
  SmallVector<MlirValue, 8> forwarded;
  for (Value value : operands.getForwardedOperands())
    forwarded.push_back(wrap(value));
  callback(operands.getProducedOperandCount(), forwarded.size(),
           forwarded.data(), user);
  return true;
}

int64_t memplanLoopStaticTripCount(MlirOperation wrapped) {
  auto op = dyn_cast<LoopLikeOpInterface>(unwrap(wrapped));
  if (!op)
    return -1;
  std::optional<llvm::APInt> count = op.getStaticTripCount();
  if (!count || count->getActiveBits() > 63)
    return -1;
  return static_cast<int64_t>(count->getZExtValue());
}

bool memplanLoopParts(MlirOperation wrapped, MemplanLoopCallback callback,
                      void *user) {
  auto op = dyn_cast<LoopLikeOpInterface>(unwrap(wrapped));
  if (!op)
    return false;
  auto reportValue = [&](MemplanLoopPart part, Value value) {
    callback(part, wrap(value), wrap(Attribute()), user);
  };
  auto reportBounds = [&](MemplanLoopPart part,
                          std::optional<SmallVector<OpFoldResult>> bounds) {
    if (!bounds)
      return;
    for (OpFoldResult bound : *bounds) {
      if (auto value = dyn_cast<Value>(bound))
        reportValue(part, value);
      else
        callback(part, wrap(Value()), wrap(cast<Attribute>(bound)), user);
    }
  };
  if (auto variables = op.getLoopInductionVars())
    for (Value variable : *variables)
      reportValue(MEMPLAN_LOOP_INDUCTION, variable);
  reportBounds(MEMPLAN_LOOP_LOWER, op.getLoopLowerBounds());
  reportBounds(MEMPLAN_LOOP_UPPER, op.getLoopUpperBounds());
  reportBounds(MEMPLAN_LOOP_STEP, op.getLoopSteps());
  for (OpOperand &start : op.getInitsMutable())
    reportValue(MEMPLAN_LOOP_INIT, start.get());
  for (BlockArgument carried : op.getRegionIterArgs())
    reportValue(MEMPLAN_LOOP_ITER_ARG, carried);
  if (auto yielded = op.getYieldedValuesMutable())
    for (OpOperand &value : *yielded)
      reportValue(MEMPLAN_LOOP_YIELDED, value.get());
  return true;
}

bool memplanLoopHasRegion(MlirOperation wrapped, MlirRegion region) {
  auto op = dyn_cast<LoopLikeOpInterface>(unwrap(wrapped));
  return op && llvm::is_contained(op.getLoopRegions(), unwrap(region));
}

MlirValue memplanViewSource(MlirOperation wrapped) {
  auto op = dyn_cast<ViewLikeOpInterface>(unwrap(wrapped));
  return op ? wrap(op.getViewSource()) : MlirValue{nullptr};
}

MlirOperation memplanCallResolve(MlirOperation wrapped) {
  auto call = dyn_cast<CallOpInterface>(unwrap(wrapped));
  if (!call)
    return MlirOperation{nullptr};
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return MlirOperation{nullptr};
  return wrap(SymbolTable::lookupNearestSymbolFrom(call, symbol));
}

MlirAttribute memplanCallSymbol(MlirOperation wrapped) {
  auto call = dyn_cast<CallOpInterface>(unwrap(wrapped));
  if (!call)
    return MlirAttribute{nullptr};
  return wrap(Attribute(dyn_cast<SymbolRefAttr>(call.getCallableForCallee())));
}

MlirValue memplanCallValue(MlirOperation wrapped) {
  auto call = dyn_cast<CallOpInterface>(unwrap(wrapped));
  if (!call)
    return MlirValue{nullptr};
  return wrap(dyn_cast<Value>(call.getCallableForCallee()));
}

bool memplanCallArguments(MlirOperation wrapped, intptr_t *first,
                          intptr_t *count) {
  auto call = dyn_cast<CallOpInterface>(unwrap(wrapped));
  if (!call)
    return false;
  OperandRange arguments = call.getArgOperands();
  *first = arguments.empty() ? 0 : arguments.getBeginOperandIndex();
  *count = arguments.size();
  return true;
}

MlirOperation memplanBlockTerminator(MlirBlock wrapped) {
  Block *block = unwrap(wrapped);
  return wrap(block->mightHaveTerminator() ? &block->back() : nullptr);
}

MlirRegion memplanFunctionBody(MlirOperation wrapped) {
  auto op = dyn_cast<FunctionOpInterface>(unwrap(wrapped));
  if (!op || op.isExternal())
    return MlirRegion{nullptr};
  return wrap(&op.getFunctionBody());
}

bool memplanFunctionAppendArgument(MlirOperation op, MlirType type,
                                   MlirAttribute attributes,
                                   MlirLocation location) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  auto dictionary = dyn_cast_if_present<DictionaryAttr>(unwrap(attributes));
  if (!function || !dictionary)
    return false;
  return succeeded(function.insertArgument(
      function.getNumArguments(), unwrap(type), dictionary, unwrap(location)));
}

bool memplanFunctionAppendResult(MlirOperation op, MlirType type) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  return function &&
         succeeded(function.insertResult(function.getNumResults(), unwrap(type),
                                         DictionaryAttr()));
}

bool memplanFunctionDropResults(MlirOperation op, intptr_t count,
                                const intptr_t *numbers) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function)
    return false;
  llvm::BitVector dropped(function.getNumResults());
  for (intptr_t i = 0; i < count; ++i) {
    if (numbers[i] < 0 || numbers[i] >= static_cast<intptr_t>(dropped.size()))
      return false;
    dropped.set(numbers[i]);
  }
  return succeeded(function.eraseResults(dropped));
}

bool memplanFunctionDropArgument(MlirOperation op, intptr_t number) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function || number < 0 ||
      number >= static_cast<intptr_t>(function.getNumArguments()) ||
      !function.getArgument(number).use_empty())
    return false;
  return succeeded(function.eraseArgument(number));
}

bool memplanFunctionMarkResult(MlirOperation op, intptr_t result,
                               MlirStringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function || result >= static_cast<intptr_t>(function.getNumResults()))
    return false;
  function.setResultAttr(result, unwrap(name),
                         UnitAttr::get(function.getContext()));
  return true;
}

bool memplanFunctionResultHas(MlirOperation op, intptr_t result,
                              MlirStringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function || result >= static_cast<intptr_t>(function.getNumResults()))
    return false;
  Attribute mark = function.getResultAttr(result, unwrap(name));
  // A mark with the value false counts as absent.
  auto truth = dyn_cast_or_null<BoolAttr>(mark);
  return mark && (!truth || truth.getValue());
}

bool memplanFunctionMarkArgument(MlirOperation op, intptr_t argument,
                                 MlirStringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function ||
      argument >= static_cast<intptr_t>(function.getNumArguments()))
    return false;
  function.setArgAttr(argument, unwrap(name),
                      UnitAttr::get(function.getContext()));
  return true;
}

bool memplanFunctionArgumentInteger(MlirOperation op, intptr_t argument,
                                    MlirStringRef name, int64_t *value) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function ||
      argument >= static_cast<intptr_t>(function.getNumArguments()))
    return false;
  auto number = function.getArgAttrOfType<IntegerAttr>(argument, unwrap(name));
  if (!number || number.getValue().getActiveBits() > 63)
    return false;
  *value = number.getInt();
  return true;
}

bool memplanFunctionArgumentHasOther(MlirOperation op, intptr_t argument,
                                     MlirStringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function ||
      argument >= static_cast<intptr_t>(function.getNumArguments()))
    return false;
  return llvm::any_of(function.getArgAttrs(argument), [&](NamedAttribute one) {
    return one.getName() != unwrap(name);
  });
}

bool memplanFunctionArgumentHas(MlirOperation op, intptr_t argument,
                                MlirStringRef name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(op));
  if (!function ||
      argument >= static_cast<intptr_t>(function.getNumArguments()))
    return false;
  Attribute mark = function.getArgAttr(argument, unwrap(name));
  // A mark with the value false counts as absent.
  auto truth = dyn_cast_or_null<BoolAttr>(mark);
  return mark && (!truth || truth.getValue());
}

void memplanReferences(MlirOperation op, MemplanReferenceCallback callback,
                       void *data) {
  unwrap(op)->walk([&](Operation *user) {
    bool isCall = user->getName().getStringRef() == "func.call";
    for (NamedAttribute attribute : user->getAttrs()) {
      if (isCall && attribute.getName() == "callee")
        continue;
      attribute.getValue().walk([&](SymbolRefAttr reference) {
        callback(wrap(user), wrap(reference.getLeafReference().getValue()),
                 data);
        callback(wrap(user), wrap(reference.getRootReference().getValue()),
                 data);
      });
    }
  });
}

MlirStringRef memplanSymbolName(MlirOperation wrapped) {
  auto name = unwrap(wrapped)->getAttrOfType<StringAttr>(
      SymbolTable::getSymbolAttrName());
  return name ? wrap(name.getValue()) : wrap(StringRef());
}
