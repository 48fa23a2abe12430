// memplan's passes, for compilers in C++.
//
//   memplan::registerMemplanPasses();
//   mlir::PassManager pm(&context);
//   memplan::MergeAllocOptions options;
//   options.planner = "exact";
//   pm.addPass(memplan::createMergeAllocPass(options));
//
// or the whole job: memplan::buildMemplanPipeline(pm, {});
#ifndef MEMPLAN_PASSES_H
#define MEMPLAN_PASSES_H

#include "memplan-c/Passes.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <string>

namespace memplan {

/// Registers all passes and pipelines with MLIR, and the passes of MLIR that
/// they use. All other functions here do so themselves. If the process has
/// another LLVM than the one that memplan was built with, returns false and
/// prints the reason to standard error.
inline bool registerMemplanPasses() { return memplanRegisterPasses(); }

namespace detail {
inline void appendText(MlirStringRef text, void *message) {
  static_cast<std::string *>(message)->append(text.data, text.length);
}

/// Takes the place of a pass with invalid options: it fails with the reason.
class FailingPass : public mlir::Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)

  explicit FailingPass(std::string why)
      : mlir::Pass(mlir::TypeID::get<FailingPass>()), why(std::move(why)) {}

  llvm::StringRef getName() const override { return "memplan-refused"; }
  bool canScheduleOn(mlir::RegisteredOperationName) const override {
    return true;
  }
  void runOnOperation() override {
    mlir::emitError(getOperation()->getLoc()) << why;
    signalPassFailure();
  }
  std::unique_ptr<mlir::Pass> clonePass() const override {
    return std::make_unique<FailingPass>(why);
  }

private:
  std::string why;
};

inline std::unique_ptr<mlir::Pass> create(llvm::StringRef name,
                                          const std::string &options) {
  std::string message;
  if (memplanRegisterPasses()) {
    MlirPass pass = memplanCreatePass(
        wrap(name), wrap(llvm::StringRef(options)), appendText, &message);
    if (pass.ptr)
      return std::unique_ptr<mlir::Pass>(unwrap(pass));
  } else {
    message = "memplan was built with another LLVM";
  }
  return std::make_unique<FailingPass>(std::move(message));
}

inline void build(mlir::OpPassManager &pm, llvm::StringRef name,
                  const std::string &options) {
  std::string message;
  if (!memplanRegisterPasses())
    message = "memplan was built with another LLVM";
  else if (mlirLogicalResultIsSuccess(memplanBuildPipeline(
               wrap(&pm), wrap(name), wrap(llvm::StringRef(options)),
               appendText, &message)))
    return;
  pm.addPass(std::make_unique<FailingPass>(std::move(message)));
}

/// Options, written as between the braces of a textual pipeline.
class OptionText {
public:
  void add(const char *name, const std::string &value) {
    // The text of a pipeline cannot hold these characters: an unknown option
    // reports that.
    if (value.find_first_of("{}'\"\n") != std::string::npos)
      return start((std::string("what-no-text-can-hold-of-") + name).c_str());
    start(name);
    bool plain = !value.empty() && value.find(' ') == std::string::npos;
    text += plain ? value : "{" + value + "}";
  }
  void add(const char *name, bool value) {
    start(name);
    text += value ? "true" : "false";
  }
  void add(const char *name, int64_t value) {
    start(name);
    text += std::to_string(value);
  }
  std::string take() { return std::move(text); }

private:
  void start(const char *name) {
    if (!text.empty())
      text += ' ';
    text += name;
    text += '=';
  }
  std::string text;
};
} // namespace detail

// For each pass: a struct of its options with their defaults, and a function
// that creates it. For each pipeline: a function that adds its passes. A pass
// with invalid options fails with the reason when it runs.
#include "memplan/Passes.h.inc"

} // namespace memplan

#endif // MEMPLAN_PASSES_H
