// MLIR's own tools, with memplan's passes.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int memplanOptMain(int argc, char **argv, const char *version,
                   MlirDialectRegistry registry) {
  llvm::cl::AddExtraVersionPrinter(
      [version](llvm::raw_ostream &out) { out << version << '\n'; });
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "mlir-opt with memplan", *unwrap(registry)));
}

int memplanLspMain(int argc, char **argv, MlirDialectRegistry registry) {
  return mlir::asMainReturnCode(
      mlir::MlirLspServerMain(argc, argv, *unwrap(registry)));
}
