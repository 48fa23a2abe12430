// A third-party dialect, as a plugin: models declare the effects of its operations on memory to upstream's
// deallocation.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace pool {

using Answer = FailureOr<Operation *>;

// The common base of the operations.
template <typename Self, template <typename> class... Traits>
struct Plain : Op<Self, OpTrait::VariadicOperands, OpTrait::VariadicResults,
                  OpTrait::ZeroSuccessors, Traits...> {
  using Op<Self, OpTrait::VariadicOperands, OpTrait::VariadicResults,
           OpTrait::ZeroSuccessors, Traits...>::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static void print(Operation *op, OpAsmPrinter &printer, StringRef) {
    printer.printGenericOp(op, false);
  }
};

#define OPERATION(NAME, TEXT, ...)                                             \
  struct NAME : Plain<NAME, __VA_ARGS__> {                                     \
    using Plain<NAME, __VA_ARGS__>::Plain;                                     \
    static StringRef getOperationName() { return "pool." TEXT; }               \
  };                                                                           \
  struct NAME##Model                                                           \
      : BufferDeallocationOpInterface::ExternalModel<NAME##Model, NAME> {      \
    Answer process(Operation *op, DeallocationState &state,                    \
                   const DeallocationOptions &) const;                         \
  };                                                                           \
  Answer NAME##Model::process(Operation *op, DeallocationState &state,         \
                              const DeallocationOptions &) const

static Value constant(Operation *op, bool value) {
  OpBuilder builder(op);
  return arith::ConstantOp::create(builder, op->getLoc(),
                                   builder.getBoolAttr(value));
}

static Value owner(Operation *op, DeallocationState &state, unsigned at) {
  OpBuilder builder(op);
  return state
      .getMemrefWithUniqueOwnership(builder, op->getOperand(at), op->getBlock())
      .second;
}

static Value choice(Operation *op, Value yes, Value no) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  return arith::SelectOp::create(builder, op->getLoc(), op->getOperand(0), yes,
                                 no);
}

// Allocates memory.
OPERATION(Get, "get", OpTrait::ZeroRegions) {
  state.updateOwnership(op->getResult(0), constant(op, true));
  state.addMemrefToDeallocate(op->getResult(0), op->getBlock());
  return op;
}

// One of two memrefs, selected by the first operand.
OPERATION(Pick, "pick", OpTrait::ZeroRegions) {
  state.updateOwnership(op->getResult(0),
                        choice(op, owner(op, state, 1), owner(op, state, 2)));
  return op;
}

// Memory that somebody else owns.
OPERATION(Share, "share", OpTrait::ZeroRegions) {
  state.updateOwnership(op->getResult(0), constant(op, false));
  return op;
}

// Takes ownership of the memory.
OPERATION(Keep, "keep", OpTrait::ZeroRegions) {
  state.resetOwnerships(op->getOperand(0), op->getBlock());
  state.updateOwnership(op->getOperand(0), constant(op, false));
  state.dropMemrefToDeallocate(op->getOperand(0), op->getBlock());
  return op;
}

// Only uses the memory.
OPERATION(Use, "use", OpTrait::ZeroRegions) { return op; }

// New memory or an operand, selected by the first operand.
OPERATION(Renew, "renew", OpTrait::ZeroRegions) {
  state.updateOwnership(op->getResult(0),
                        choice(op, constant(op, true), owner(op, state, 1)));
  return op;
}

// Is replaced by another operation.
OPERATION(Swap, "swap", OpTrait::ZeroRegions) {
  Operation *other = op->clone();
  op->getBlock()->getOperations().insertAfter(op->getIterator(), other);
  return other;
}

// Fails.
OPERATION(Fail, "fail", OpTrait::ZeroRegions) {
  return op->emitError("never can");
}

// Runs its region.
OPERATION(Scope, "scope", OpTrait::OneRegion, OpTrait::NoTerminator) {
  return op;
}

// Runs its region, of any number of blocks, several times in parallel.
OPERATION(Each, "each", OpTrait::OneRegion, OpTrait::HasParallelRegion) {
  return op;
}

class PoolDialect : public Dialect {
public:
  explicit PoolDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<PoolDialect>()) {
    context->getOrLoadDialect<arith::ArithDialect>();
    context->getOrLoadDialect<BufferizationDialect>();
    addOperations<Get, Pick, Share, Keep, Use, Renew, Swap, Fail, Scope,
                  Each>();
    Get::attachInterface<GetModel>(*context);
    Pick::attachInterface<PickModel>(*context);
    Share::attachInterface<ShareModel>(*context);
    Keep::attachInterface<KeepModel>(*context);
    Use::attachInterface<UseModel>(*context);
    Renew::attachInterface<RenewModel>(*context);
    Swap::attachInterface<SwapModel>(*context);
    Fail::attachInterface<FailModel>(*context);
    Scope::attachInterface<ScopeModel>(*context);
    Each::attachInterface<EachModel>(*context);
  }
  static StringRef getDialectNamespace() { return "pool"; }
};

} // namespace pool

extern "C" DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pool", "1", [](DialectRegistry *registry) {
            registry->insert<pool::PoolDialect>();
          }};
}
