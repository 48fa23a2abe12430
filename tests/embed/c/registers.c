/* A compiler in C that describes the operations of its dialect, some of them incorrectly.
 *
 *   registers FILE PIPELINE...
 *
 * Prints the errors of registration, one on each line; then the messages of the passes, and
 * the module after them. */
#include <memplan-c/Extend.h>
#include <memplan-c/Passes.h>

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>

static MlirStringRef text(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void print(MlirStringRef text, void *user) {
  (void)user;
  fwrite(text.data, 1, text.length, stdout);
}

static void printLine(MlirStringRef text, void *user) {
  print(text, user);
  putchar('\n');
}

static MlirLogicalResult say(MlirDiagnostic said, void *user) {
  mlirDiagnosticPrint(said, print, user);
  putchar('\n');
  return mlirLogicalResultSuccess();
}

#define DESCRIBE(NAME, STATEMENTS)                                             \
  static const char *NAME(MlirOperation op, MemplanOperation *it,              \
                          void *user) {                                        \
    (void)op, (void)user;                                                      \
    STATEMENTS return NULL;                                                    \
  }

DESCRIBE(flat, memplanOperationViews(it, 0, 0, MEMPLAN_START_SAME);)
DESCRIBE(part, memplanOperationViewsShifted(it, 0, 0, 1);)
DESCRIBE(start, memplanOperationReads(it, 0); memplanOperationOverwrites(it, 1);
         memplanOperationStarts(it, 0);)
DESCRIBE(waits, memplanOperationWaits(it);)
DESCRIBE(fetch, memplanOperationAllocates(it, 0, text("npu"));)
DESCRIBE(captures, memplanOperationCaptures(it, 0);)
DESCRIBE(reads, memplanOperationReads(it, 0);)
DESCRIBE(contradicts, memplanOperationDescriptor(it, 0);
         memplanOperationReads(it, 0);)
DESCRIBE(miscounts, memplanOperationReads(it, -1);)

static const char *refuses(MlirOperation op, MemplanOperation *it, void *user) {
  (void)op, (void)it;
  return user;
}

/* If registration fails, the reason is printed to standard output. */
static void add(const char *name, MemplanDescribe describe) {
  memplanRegisterOperation(text(name), describe, "not for this target",
                           printLine, NULL);
}

int main(int argc, char **argv) {
  static char source[1 << 16];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file || !memplanRegisterPasses())
    return 2;
  source[fread(source, 1, sizeof source - 1, file)] = 0;
  fclose(file);

  memplanRegisterTokenType(text("!npu.token"));
  memplanRegisterAllocator(text("npu"), text("npu.release"));
  if (mlirLogicalResultIsSuccess(
          memplanRegisterAllocator(text("npu"), text("npu.drop"))))
    puts("two allocators of one name");
  add("npu.flat", flat);
  add("npu.part", part);
  add("npu.start", start);
  add("npu.wait", waits);
  add("npu.fetch", fetch);
  add("npu.contradicts", contradicts);
  add("npu.miscounts", miscounts);
  add("npu.refuses", refuses);
  add("npu.regions", reads);
  add("npu.last", reads);
  /* Errors: registered twice, a known operation, no name, no description. */
  add("npu.flat", flat);
  add("gpu.memset", captures);
  add("npu", reads);
  add("npu.nobody", NULL);
  memplanOverrideOperation(text("gpu.memset"), captures, NULL, printLine, NULL);

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, say, NULL, NULL);
  MlirModule module = mlirModuleCreateParse(context, text(source));
  int failed = mlirModuleIsNull(module);
  for (int at = 2; !failed && at < argc; ++at) {
    MlirPassManager manager = mlirPassManagerCreate(context);
    MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
    MlirOperation op = mlirModuleGetOperation(module);
    failed = mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
                 passes, text(argv[at]), printLine, NULL)) ||
             mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op));
    mlirPassManagerDestroy(manager);
  }
  if (!failed)
    mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  /* Too late, if the module has such an operation. */
  add("npu.late", reads);
  if (module.ptr)
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return failed;
}
