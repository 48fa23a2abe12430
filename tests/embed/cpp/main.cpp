// A compiler in C++ with memplan inside: reads a module, plans it with a planner of its own, and prints it.
//
//   embed FILE [stack|heap|throws]
//
// The module may use operations of a dialect that MLIR does not know. "npu.start" copies its first operand to its
// second one asynchronously, until "npu.wait" receives its token. The memory that "npu.fetch" allocates is freed by
// "npu.release".
#include <memplan/Extend.h>
#include <memplan/Passes.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <stdexcept>

using Offsets = std::vector<uint64_t>;

/// Places each buffer after all that were placed before and are live at the same time.
static std::optional<Offsets> planUpwards(const memplan::Problem &problem) {
  llvm::ArrayRef<memplan::Buffer> buffers = problem.buffers();
  Offsets offsets;
  for (const memplan::Buffer &buffer : buffers) {
    uint64_t offset = 0;
    for (size_t other = 0; other < offsets.size(); ++other) {
      auto meets = [&](memplan::LiveRange range) {
        return llvm::any_of(
            memplan::Problem::live(buffers[other]), [&](memplan::LiveRange at) {
              return at.start < range.end && range.start < at.end;
            });
      };
      if (llvm::any_of(memplan::Problem::live(buffer), meets))
        offset = std::max(offset, offsets[other] + buffers[other].size);
    }
    offsets.push_back(llvm::alignTo(offset, buffer.alignment));
  }
  return offsets;
}

/// Registers the effects of the dialect's operations on memory. Returns false and the reason if memplan rejects them.
static bool registerNpu(std::string &why) {
  using memplan::Description, memplan::registerOperation, mlir::Operation;
  memplan::registerTokenType("!npu.token");
  if (failed(registerOperation(
          "npu.start",
          [](Operation *, Description &op) {
            op.reads(0).overwrites(1).starts(0);
          },
          &why)))
    return false;
  if (failed(registerOperation(
          "npu.wait", [](Operation *, Description &op) { op.waits(); }, &why)))
    return false;

  if (failed(memplan::registerAllocator("npu", "npu.release")))
    return false;
  if (failed(registerOperation(
          "npu.fetch",
          [](Operation *, Description &op) { op.allocates(0, "npu"); }, &why)))
    return false;
  return succeeded(registerOperation(
      "npu.release", [](Operation *, Description &op) { op.frees(0, "npu"); },
      &why));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: embed FILE [stack|heap|throws]\n";
    return 2;
  }
  if (!memplan::registerMemplanPasses())
    return 2;

  (void)memplan::registerPlanner("embed.stack", planUpwards);
  // Invalid: all buffers at one offset. memplan rejects it.
  (void)memplan::registerPlanner("embed.heap", [](const memplan::Problem &all) {
    return std::optional<Offsets>(Offsets(all.buffers().size(), 0));
  });
  (void)memplan::registerPlanner(
      "embed.throws", [](const memplan::Problem &) -> std::optional<Offsets> {
        throw std::runtime_error("out of ideas");
      });
  std::string why;
  if (!registerNpu(why)) {
    llvm::errs() << why << "\n";
    return 2;
  }

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  memplan::MemplanPipelineOptions options;
  options.planner = std::string("embed.") + (argc > 2 ? argv[2] : "stack");
  options.verify = true;
  mlir::PassManager pm(&context);
  memplan::buildMemplanPipeline(pm, options);
  if (mlir::failed(pm.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
