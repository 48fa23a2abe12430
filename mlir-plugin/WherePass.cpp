// A pass that runs other passes only if the program has operations of some names.
// A pass that does nothing still costs a walk and a verification of the whole
// program.

#include "memplan-c/Shim.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {
class WherePass : public PassWrapper<WherePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WherePass)
  static constexpr StringLiteral Name = "memplan-where";

  explicit WherePass(const char *end) : end(end) {}
  // Copies for threads are made from initialized passes.
  WherePass(const WherePass &other)
      : PassWrapper<WherePass, OperationPass<>>(other), end(other.end),
        pipeline(other.pipeline) {}

  StringRef getName() const override { return Name; }
  StringRef getArgument() const override { return Name; }
  StringRef getDescription() const override {
    return "Run passes where there is an operation of a name, and else nothing";
  }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(Pass::initializeOptions(text, errorHandler)))
      return failure();
    std::string message;
    llvm::raw_string_ostream stream(message);
    OpPassManager parsed;
    if (failed(parsePassPipeline(passes, parsed, stream)))
      return errorHandler(Twine(Name) +
                          ": option 'passes' takes passes as in a pipeline" +
                          end + "\n" + message);
    if (llvm::any_of(llvm::split(StringRef(op), ','),
                     [](StringRef name) { return name.empty(); }))
      return errorHandler(Twine(Name) +
                          ": option 'op' takes the name of an operation" + end +
                          "\n");
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

  void runOnOperation() override {
    SmallVector<OperationName> names;
    SmallVector<StringRef> dialects;
    for (StringRef name : llvm::split(StringRef(op), ',')) {
      if (name.consume_back(".*"))
        dialects.push_back(name);
      else
        names.emplace_back(name, &getContext());
    }
    WalkResult found = getOperation()->walk([&](Operation *nested) {
      bool isNamed = llvm::is_contained(names, nested->getName()) ||
                     (!dialects.empty() &&
                      llvm::is_contained(
                          dialects, nested->getName().getDialectNamespace()));
      return isNamed && hasType(nested) ? WalkResult::interrupt()
                                        : WalkResult::advance();
    });
    if (found.wasInterrupted() && failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    // The passes themselves reported what they changed, and were verified.
    markAllAnalysesPreserved();
  }

private:
  // Whether an operand or a result has one of the element types, if there are
  // any.
  bool hasType(Operation *nested) const {
    if (type.empty())
      return true;
    auto isNamed = [&](Type one) {
      std::string name;
      llvm::raw_string_ostream(name) << getElementTypeOrSelf(one);
      return llvm::is_contained(type, name);
    };
    return llvm::any_of(nested->getOperandTypes(), isNamed) ||
           llvm::any_of(nested->getResultTypes(), isNamed);
  }

  const char *end;
  Option<std::string> passes{*this, "passes",
                             llvm::cl::desc("The passes, as in a pipeline"),
                             llvm::cl::value_desc("PIPELINE")};
  Option<std::string> op{*this, "op",
                         llvm::cl::desc("Names, separated by commas; "
                                        "DIALECT.* for all of a dialect"),
                         llvm::cl::value_desc("OPERATION")};
  ListOption<std::string> type{
      *this, "type",
      llvm::cl::desc("Element types, separated by commas, of which an operand "
                     "or result must have one; empty for any"),
      llvm::cl::value_desc("TYPE")};
  OpPassManager pipeline;
};
} // namespace

void memplanRegisterWhere(const char *end) {
  registerPass([end]() -> std::unique_ptr<Pass> {
    return std::make_unique<WherePass>(end);
  });
}
