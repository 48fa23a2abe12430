// MLIR's own tools, with memplan's passes.

#include "memplan-c/Shim.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

// The producer that the header of bytecode names, after the magic number and
// the version; empty if there is none.
static StringRef producerOf(StringRef bytecode) {
  constexpr size_t magicSize = 4;
  StringRef rest = bytecode.drop_front(std::min(bytecode.size(), magicSize));
  if (rest.empty())
    return {};
  // The version is a number of variable length, whose first byte has as many
  // zeros at its end as bytes follow. Those in use have one byte.
  if (!(rest.front() & 1))
    return {};
  return rest.drop_front().take_until([](char c) { return c == '\0'; });
}

// Is this bytecode of an MLIR with another major version?
static bool isOfOtherVersion(StringRef producer) {
  unsigned major = 0;
  return producer.consume_front("MLIR") && !producer.consumeInteger(10, major) &&
         major != LLVM_VERSION_MAJOR;
}

static LogicalResult optMain(int argc, char **argv, DialectRegistry &registry) {
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "mlir-opt with memplan", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  bool isTyped = input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(
                                     fileno(stdin));
  if (isTyped || config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, input, output, registry);
  llvm::InitLLVM init(argc, argv);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (isBytecode(buffer->getMemBufferRef())) {
    StringRef producer = producerOf(buffer->getBuffer());
    if (isOfOtherVersion(producer)) {
      llvm::errs() << buffer->getBufferIdentifier()
                   << ":0:0: error: this is bytecode of " << producer
                   << ", and memplan has MLIR" LLVM_VERSION_STRING
                      "; bytecode is for one version: pass the program as "
                      "text\n";
      return failure();
    }
  }
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return failure();
  file->keep();
  return success();
}

int memplanOptMain(int argc, char **argv, const char *version,
                   MlirDialectRegistry registry) {
  llvm::cl::AddExtraVersionPrinter(
      [version](llvm::raw_ostream &out) { out << version << '\n'; });
  return asMainReturnCode(optMain(argc, argv, *unwrap(registry)));
}

int memplanLspMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}
