// One C++ class implements all passes. Each instance is built from a descriptor
// that Rust passes, and calls back into Rust to check options and to run.

#include "Bounds.h"
#include "Snapshot.h"
#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <mutex>
#include <set>
#include <vector>

using namespace mlir;

namespace {
using remark::detail::RemarkEngine;

/// Whether an engine wants remarks of a category.
bool wantsRemarks(const RemarkEngine &engine, StringRef category);

// That is private to the engine, but an explicit instantiation may name private
// members.
template <auto isPassedWanted, auto isMissedWanted>
struct EngineAccess {
  friend bool wantsRemarks(const RemarkEngine &engine, StringRef category) {
    return (engine.*isPassedWanted)(category) ||
           (engine.*isMissedWanted)(category);
  }
};
template struct EngineAccess<&RemarkEngine::isPassedOptRemarkEnabled,
                             &RemarkEngine::isMissedOptRemarkEnabled>;
} // namespace

/// An option of a pass or a pipeline, as text.
template <typename Option, typename Parent>
static std::unique_ptr<Option> makeOption(Parent &parent,
                                          const MemplanOption &option) {
  auto result = std::make_unique<Option>(
      parent, option.name, llvm::cl::desc(option.description),
      llvm::cl::value_desc(option.placeholder),
      llvm::cl::init(std::string(option.default_value)));
  if (option.flag)
    result->setValueExpectedFlag(llvm::cl::ValueOptional);
  return result;
}

namespace {
// A value of the caller, dropped with the analysis.
struct CachedAnalysis : MemplanCachedAnalysis {
  explicit CachedAnalysis(Operation *)
      : MemplanCachedAnalysis{nullptr, nullptr} {}
  CachedAnalysis(const CachedAnalysis &) = delete;
  CachedAnalysis &operator=(const CachedAnalysis &) = delete;
  ~CachedAnalysis() {
    if (value)
      drop(value);
  }
};

// A value that is invalidated unless a pass preserves it. Passes of others that
// change the program do not.
struct OperationCache : CachedAnalysis {
  using CachedAnalysis::CachedAnalysis;
  bool isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) {
    return !preserved.isPreserved<OperationCache>();
  }
};

// A value that no change of the program invalidates.
struct RunCache : CachedAnalysis {
  using CachedAnalysis::CachedAnalysis;
  bool isInvalidated(const AnalysisManager::PreservedAnalyses &) {
    return false;
  }
};

// The program after memplan's last pass. Any change invalidates it. If a pass
// of others preserves it after a change, memplan verifies more.
struct LastSnapshot {
  explicit LastSnapshot(Operation *) {}
  memplan::Snapshot program;
};

class DescribedPass : public Pass {
public:
  explicit DescribedPass(const MemplanPassDescriptor *descriptor)
      : Pass(TypeID::getFromOpaquePointer(descriptor),
             descriptor->module_only
                 ? std::optional<StringRef>("builtin.module")
                 : std::nullopt),
        descriptor(descriptor), state(descriptor->state_new(descriptor->user)) {
    declare();
  }

  DescribedPass(const DescribedPass &other)
      : Pass(other), descriptor(other.descriptor),
        state(descriptor->state_clone(other.state)) {
    declare();
  }

  ~DescribedPass() override { descriptor->state_drop(state); }

  StringRef getName() const override { return descriptor->argument; }
  StringRef getArgument() const override { return descriptor->argument; }
  StringRef getDescription() const override { return descriptor->summary; }

  void getDependentDialects(DialectRegistry &registry) const override {
    memplan::addBoundsOfViews(registry);
    for (StringRef name :
         ArrayRef(descriptor->dialects, descriptor->dialect_count)) {
      if (name == "arith")
        registry.insert<arith::ArithDialect>();
      else if (name == "bufferization")
        registry.insert<bufferization::BufferizationDialect>();
      else if (name == "cf")
        registry.insert<cf::ControlFlowDialect>();
      else if (name == "func")
        registry.insert<func::FuncDialect>();
      else if (name == "gpu")
        registry.insert<gpu::GPUDialect>();
      else if (name == "linalg")
        registry.insert<linalg::LinalgDialect>();
      else if (name == "llvm")
        registry.insert<LLVM::LLVMDialect>();
      else if (name == "math")
        registry.insert<math::MathDialect>();
      else if (name == "memref")
        registry.insert<memref::MemRefDialect>();
      else if (name == "scf")
        registry.insert<scf::SCFDialect>();
      else if (name == "vector")
        registry.insert<vector::VectorDialect>();
      else
        llvm::report_fatal_error("memplan: no such dependent dialect");
    }
  }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(Pass::initializeOptions(text, [&](const Twine &message) {
          (void)errorHandler(message);
          (void)errorHandler(descriptor->usage);
          return failure();
        })))
      return failure();
    for (intptr_t i = 0; i < descriptor->option_count; ++i)
      if (descriptor->options[i].flag && options[i]->getValue().empty())
        options[i]->setValue("true");
    auto forward = [](MlirStringRef message, void *user) {
      auto &handler =
          *static_cast<function_ref<LogicalResult(const Twine &)> *>(user);
      (void)handler(unwrap(message));
    };
    SmallVector<MlirStringRef> values = texts();
    return success(descriptor->check_options(descriptor->user, values.data(),
                                             forward, &errorHandler));
  }

  LogicalResult initialize(MLIRContext *context) override {
    SmallVector<MlirStringRef> values = texts();
    return success(descriptor->initialize(descriptor->user, state,
                                          wrap(context), values.data()));
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    if (name.getStringRef() == ModuleOp::getOperationName())
      return true;
    return !descriptor->module_only && name.hasInterface<FunctionOpInterface>();
  }

  void runOnOperation() override {
    SmallVector<MlirStringRef> values = texts();
    memplan::Snapshot before = std::move(getAnalysis<LastSnapshot>().program);
    if (before.isEmpty())
      before = memplan::Snapshot(getOperation());
    if (!descriptor->run(descriptor->user, state, wrap(getOperation()),
                         values.data(), reinterpret_cast<MemplanRun *>(this)))
      return signalPassFailure();
    // If the pass says that nothing changed, the program is not compared.
    if (!getPassState().preservedAnalyses.isAll())
      return finish(before, memplan::Snapshot(getOperation()));
    getAnalysis<LastSnapshot>().program = std::move(before);
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<DescribedPass>(*this);
  }

  void addStatistic(intptr_t index, uint64_t amount) {
    *statisticValues[index] += amount;
  }
  void preserveAll() { markAllAnalysesPreserved(); }
  MemplanCachedAnalysis *runCache() { return &getAnalysis<RunCache>(); }

  MemplanCachedAnalysis *operationCache(Operation *op) {
    AnalysisManager manager = getAnalysisManager();
    if (op != getOperation())
      manager = manager.nest(op);
    return &manager.getAnalysis<OperationCache>();
  }
  void preserveOperationCache() { markAnalysesPreserved<OperationCache>(); }

private:
  // The verifier takes longer than a whole pass, and most passes change little.
  // So only the changes are verified: the rest was verified before.
  void finish(const memplan::Snapshot &before, memplan::Snapshot after) {
    if (!(after == before)) {
      switch (after.verifySince(before)) {
      case memplan::Snapshot::Outcome::Valid:
        break;
      case memplan::Snapshot::Outcome::Invalid:
        return signalPassFailure();
      case memplan::Snapshot::Outcome::Unknown:
        return;
      }
      getAnalysisManager().invalidate(getPassState().preservedAnalyses);
    }
    getAnalysis<LastSnapshot>().program = std::move(after);
    // Otherwise the pass manager would verify the whole program.
    markAllAnalysesPreserved();
  }

  void declare() {
    for (const MemplanOption &option :
         ArrayRef(descriptor->options, descriptor->option_count))
      options.push_back(makeOption<Option<std::string>>(*this, option));
    for (const MemplanStatistic &statistic :
         ArrayRef(descriptor->statistics, descriptor->statistic_count))
      statisticValues.push_back(std::make_unique<Statistic>(
          this, statistic.name, statistic.description));
  }

  SmallVector<MlirStringRef> texts() const {
    SmallVector<MlirStringRef> values;
    for (const auto &option : options)
      values.push_back(wrap(StringRef(option->getValue())));
    return values;
  }

  const MemplanPassDescriptor *descriptor;
  void *state;
  SmallVector<std::unique_ptr<Option<std::string>>> options;
  SmallVector<std::unique_ptr<Statistic>> statisticValues;
};
} // namespace

void memplanRegisterPass(const MemplanPassDescriptor *descriptor) {
  registerPass([descriptor]() -> std::unique_ptr<Pass> {
    return std::make_unique<DescribedPass>(descriptor);
  });
}

MlirPass memplanCreateDescribedPass(const MemplanPassDescriptor *descriptor,
                                    MlirStringRef options,
                                    void (*error)(MlirStringRef, void *),
                                    void *errorUser) {
  auto pass = std::make_unique<DescribedPass>(descriptor);
  if (failed(
          pass->initializeOptions(unwrap(options), [&](const Twine &message) {
            std::string text = message.str();
            error(wrap(StringRef(text)), errorUser);
            return failure();
          })))
    return MlirPass{nullptr};
  return wrap(static_cast<Pass *>(pass.release()));
}

namespace {
struct PipelineOptions : public detail::PassOptions {
  explicit PipelineOptions(const MemplanPipelineDescriptor *descriptor) {
    for (const MemplanOption &option :
         ArrayRef(descriptor->options, descriptor->option_count))
      values.push_back(makeOption<Option<std::string>>(*this, option));
  }
  SmallVector<std::unique_ptr<Option<std::string>>> values;
};
} // namespace

static LogicalResult
buildPipeline(const MemplanPipelineDescriptor *descriptor, OpPassManager &pm,
              StringRef text,
              function_ref<LogicalResult(const Twine &)> errorHandler) {
  PipelineOptions options(descriptor);
  std::string message;
  llvm::raw_string_ostream stream(message);
  ArrayRef<MemplanOption> declared(descriptor->options,
                                   descriptor->option_count);
  if (failed(options.parseFromString(text, stream)))
    return errorHandler(message + descriptor->usage);
  SmallVector<MlirStringRef> values;
  for (auto [option, value] : llvm::zip(declared, options.values)) {
    if (option.flag && value->getValue().empty())
      value->setValue("true");
    values.push_back(wrap(StringRef(value->getValue())));
  }
  std::string passes;
  auto collect = [](MlirStringRef text, void *user) {
    *static_cast<std::string *>(user) = unwrap(text).str();
  };
  if (!descriptor->passes(descriptor->user, values.data(), collect, &passes))
    return errorHandler(passes);
  if (failed(parsePassPipeline(passes, pm, stream)))
    return errorHandler(message);
  return success();
}

void memplanRegisterPipeline(const MemplanPipelineDescriptor *descriptor) {
  registerPassPipeline(
      descriptor->argument, descriptor->summary,
      [descriptor](OpPassManager &pm, StringRef text,
                   function_ref<LogicalResult(const Twine &)> errorHandler) {
        return buildPipeline(descriptor, pm, text, errorHandler);
      },
      [descriptor](function_ref<void(const detail::PassOptions &)> visit) {
        visit(PipelineOptions(descriptor));
      });
}

void memplanRegisterUpstreamPasses() {
  registerTransformsPasses();
  registerLowerAffinePass();
  bufferization::registerBufferizationPasses();
  memref::registerMemRefPasses();
}

bool memplanAddPipeline(const MemplanPipelineDescriptor *descriptor,
                        MlirOpPassManager manager, MlirStringRef options,
                        void (*error)(MlirStringRef, void *), void *errorUser) {
  return succeeded(buildPipeline(descriptor, *unwrap(manager), unwrap(options),
                                 [&](const Twine &message) {
                                   std::string text = message.str();
                                   error(wrap(StringRef(text)), errorUser);
                                   return failure();
                                 }));
}

bool memplanCheckPasses(MlirStringRef passes,
                        void (*error)(MlirStringRef, void *), void *errorUser) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  OpPassManager manager(ModuleOp::getOperationName());
  if (succeeded(parsePassPipeline(unwrap(passes), manager, stream)))
    return true;
  error(wrap(StringRef(message)), errorUser);
  return false;
}

bool memplanRunOnCopy(MlirOperation module, MlirStringRef passes) {
  Operation *op = unwrap(module);
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  PassManager manager(op->getContext(), op->getName().getStringRef());
  if (failed(parsePassPipeline(unwrap(passes), manager, llvm::nulls())))
    return false;
  OwningOpRef<Operation *> copy = op->clone();
  return succeeded(manager.run(*copy));
}

void memplanRunAddStatistic(MemplanRun *run, intptr_t index, uint64_t amount) {
  reinterpret_cast<DescribedPass *>(run)->addStatistic(index, amount);
}

void memplanRunPreserveAll(MemplanRun *run) {
  reinterpret_cast<DescribedPass *>(run)->preserveAll();
}

MemplanCachedAnalysis *memplanRunCachedAnalysis(MemplanRun *run,
                                                MlirOperation op) {
  return reinterpret_cast<DescribedPass *>(run)->operationCache(unwrap(op));
}

void memplanRunPreserveCachedAnalysis(MemplanRun *run) {
  reinterpret_cast<DescribedPass *>(run)->preserveOperationCache();
}

MemplanCachedAnalysis *memplanRunSharedCache(MemplanRun *run) {
  return reinterpret_cast<DescribedPass *>(run)->runCache();
}

void memplanEmit(MemplanSeverity severity, MlirLocation location,
                 MlirStringRef message, intptr_t count,
                 const MlirLocation *noteLocations,
                 const MlirStringRef *notes) {
  InFlightDiagnostic diagnostic =
      severity == MEMPLAN_ERROR     ? emitError(unwrap(location))
      : severity == MEMPLAN_WARNING ? emitWarning(unwrap(location))
                                    : emitRemark(unwrap(location));
  diagnostic << unwrap(message);
  for (intptr_t i = 0; i < count; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(notes[i]);
}

void memplanDeduplicateDiagnostics(MlirContext context, void (*body)(void *),
                                   void *user) {
  // Each element is a diagnostic with its notes: locations and texts.
  std::set<std::vector<std::pair<const void *, std::string>>> seen;
  ScopedDiagnosticHandler handler(unwrap(context), [&](Diagnostic &diagnostic) {
    // At an unknown location, the same text may be about something else.
    if (isa<UnknownLoc>(diagnostic.getLocation()))
      return failure();
    std::vector<std::pair<const void *, std::string>> all;
    auto add = [&](Diagnostic &one) {
      all.emplace_back(one.getLocation().getAsOpaquePointer(), one.str());
    };
    add(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      add(note);
    // Success suppresses the diagnostic; after a failure, the next handler
    // is called.
    return success(!seen.insert(std::move(all)).second);
  });
  body(user);
}

bool memplanWantsRemarks(MlirContext context, MlirStringRef category) {
  RemarkEngine *engine = unwrap(context)->getRemarkEngine();
  return engine && wantsRemarks(*engine, unwrap(category));
}

bool memplanOptimizationRemark(bool passed, MlirLocation location,
                               MlirStringRef category, MlirStringRef name,
                               MlirStringRef function,
                               MlirStringRef (*text)(void *), void *user) {
  // The engine is not thread-safe.
  static std::mutex mutex;
  std::lock_guard<std::mutex> guard(mutex);
  remark::RemarkOpts options = remark::RemarkOpts::name(unwrap(name))
                                   .category(unwrap(category))
                                   .function(unwrap(function));
  auto remark = passed ? remark::passed(unwrap(location), options)
                       : remark::missed(unwrap(location), options);
  if (!remark)
    return false;
  remark << unwrap(text(user));
  return true;
}

void memplanReplaceAllUses(MlirValue from, MlirValue to) {
  unwrap(from).replaceAllUsesWith(unwrap(to));
}

void memplanParallelFor(MlirContext wrapped, intptr_t count,
                        void (*body)(intptr_t, void *), void *user) {
  parallelFor(unwrap(wrapped), 0, count,
              [&](size_t index) { body(index, user); });
}
