// Passes that run only where there is something for them: a pass that does
// nothing still costs a walk and a verification of the whole program.

#include "memplan-c/Shim.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {
// Runs passes, or not. Derived has `Name` and `Description`.
template <typename Derived>
class ConditionalPass : public PassWrapper<Derived, OperationPass<>> {
public:
  explicit ConditionalPass(const char *end) : end(end) {}
  // Copies for threads are made of what is initialized.
  ConditionalPass(const ConditionalPass &other)
      : PassWrapper<Derived, OperationPass<>>(other), end(other.end),
        pipeline(other.pipeline) {}

  StringRef getName() const override { return Derived::Name; }
  StringRef getArgument() const override { return Derived::Name; }
  StringRef getDescription() const override { return Derived::Description; }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(Pass::initializeOptions(text, errorHandler)))
      return failure();
    std::string message;
    llvm::raw_string_ostream stream(message);
    OpPassManager parsed;
    if (failed(parsePassPipeline(passes, parsed, stream)))
      return errorHandler(Twine(Derived::Name) +
                          ": option 'passes' takes passes as in a pipeline" +
                          end + "\n" + message);
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager parsed;
    if (succeeded(parsePassPipeline(passes, parsed, llvm::nulls())))
      parsed.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *) override {
    pipeline = OpPassManager();
    return parsePassPipeline(passes, pipeline);
  }

protected:
  const char *end;
  Pass::Option<std::string> passes{
      *this, "passes", llvm::cl::desc("The passes, as in a pipeline"),
      llvm::cl::value_desc("PIPELINE")};
  OpPassManager pipeline;
};

class WherePass : public ConditionalPass<WherePass> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WherePass)
  static constexpr StringLiteral Name = "memplan-where";
  static constexpr StringLiteral Description =
      "Run passes where there is an operation of a name, and else nothing";

  using ConditionalPass::ConditionalPass;
  WherePass(const WherePass &other) : ConditionalPass(other) {}

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(ConditionalPass::initializeOptions(text, errorHandler)))
      return failure();
    if (op.empty())
      return errorHandler(Twine("memplan-where: option 'op' takes the name of "
                                "an operation") +
                          end + "\n");
    return success();
  }

  void runOnOperation() override {
    OperationName name(op, &getContext());
    WalkResult found = getOperation()->walk([&](Operation *nested) {
      return nested->getName() == name &&
                     nested->getNumOperands() >= minOperands
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted() && failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    // The passes have said themselves what they changed, and were verified.
    markAllAnalysesPreserved();
  }

private:
  Option<std::string> op{*this, "op", llvm::cl::desc("The name"),
                         llvm::cl::value_desc("OPERATION")};
  Option<unsigned> minOperands{
      *this, "min-operands", llvm::cl::init(0),
      llvm::cl::desc("How many operands it has at least")};
};

// Types decide alone: what flows where is for the passes to find out.
class WhereMergingPass : public ConditionalPass<WhereMergingPass> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WhereMergingPass)
  static constexpr StringLiteral Name = "memplan-where-merging";
  static constexpr StringLiteral Description =
      "Run passes on functions where a value may be one of several memrefs, "
      "other than those that loops carry";

  using ConditionalPass::ConditionalPass;
  WhereMergingPass(const WhereMergingPass &other) : ConditionalPass(other) {}

  void runOnOperation() override {
    SmallVector<Operation *> functions;
    getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface op) {
      if (op->walk([](Operation *nested) {
              return merges(nested) ? WalkResult::interrupt()
                                    : WalkResult::advance();
            }).wasInterrupted())
        functions.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *function : functions)
      if (failed(runPipeline(pipeline, function)))
        return signalPassFailure();
    // What is known of the functions that were run on has fallen already; what
    // is known of an operation around them falls here.
    if (!functions.empty() && functions.front() != getOperation())
      getAnalysisManager().invalidate({});
    // The passes were verified.
    markAllAnalysesPreserved();
  }

private:
  static bool isMemref(Type type) { return isa<BaseMemRefType>(type); }

  // May one of its results, or an argument of a block in it that is not a
  // function's first, be one of several memrefs? What a loop carries is what
  // the iteration before left: that is followed as it is.
  static bool merges(Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return false;
    if (llvm::any_of(op->getResultTypes(), isMemref) &&
        (op->getNumRegions() != 0 ||
         llvm::count_if(op->getOperandTypes(), isMemref) > 1))
      return true;
    bool isFunction = isa<FunctionOpInterface>(op);
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return llvm::any_of(region, [&](Block &block) {
        return !(isFunction && block.isEntryBlock()) &&
               llvm::any_of(block.getArgumentTypes(), isMemref);
      });
    });
  }
};
} // namespace

void memplanRegisterWhere(const char *end) {
  registerPass([end]() -> std::unique_ptr<Pass> {
    return std::make_unique<WherePass>(end);
  });
  registerPass([end]() -> std::unique_ptr<Pass> {
    return std::make_unique<WhereMergingPass>(end);
  });
}
