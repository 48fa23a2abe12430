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

/// Makes all passes and pipelines known to MLIR, with what these take of MLIR's
/// own; everything else here does so itself. False, and why on standard error,
/// where the process has another LLVM than the one that memplan was built with.
inline bool registerMemplanPasses() { return memplanRegisterPasses(); }

namespace detail {
inline void listen(MlirStringRef text, void *said) {
  static_cast<std::string *>(said)->append(text.data, text.length);
}

/// In place of a pass whose options are none: fails, and says why.
class Refused : public mlir::Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Refused)

  explicit Refused(std::string why)
      : mlir::Pass(mlir::TypeID::get<Refused>()), why(std::move(why)) {}

  llvm::StringRef getName() const override { return "memplan-refused"; }
  bool canScheduleOn(mlir::RegisteredOperationName) const override {
    return true;
  }
  void runOnOperation() override {
    mlir::emitError(getOperation()->getLoc()) << why;
    signalPassFailure();
  }
  std::unique_ptr<mlir::Pass> clonePass() const override {
    return std::make_unique<Refused>(why);
  }

private:
  std::string why;
};

inline std::unique_ptr<mlir::Pass> create(llvm::StringRef name,
                                          const std::string &options) {
  std::string said;
  if (memplanRegisterPasses()) {
    MlirPass pass = memplanCreatePass(
        wrap(name), wrap(llvm::StringRef(options)), listen, &said);
    if (pass.ptr)
      return std::unique_ptr<mlir::Pass>(unwrap(pass));
  } else {
    said = "memplan was built with another LLVM";
  }
  return std::make_unique<Refused>(std::move(said));
}

inline void build(mlir::OpPassManager &pm, llvm::StringRef name,
                  const std::string &options) {
  std::string said;
  if (!memplanRegisterPasses())
    said = "memplan was built with another LLVM";
  else if (mlirLogicalResultIsSuccess(memplanBuildPipeline(
               wrap(&pm), wrap(name), wrap(llvm::StringRef(options)), listen,
               &said)))
    return;
  pm.addPass(std::make_unique<Refused>(std::move(said)));
}

/// Options as between the braces of a textual pipeline.
class OptionText {
public:
  void add(const char *name, const std::string &value) {
    // No text of a pipeline holds these: an option that there is not says so.
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

// For each pass a struct of its options with their defaults, and a function
// that creates it; for each pipeline one that builds it. A pass whose options
// are none fails when it runs, and says why.
#include "memplan/Passes.h.inc"

} // namespace memplan

#endif // MEMPLAN_PASSES_H
