/* A compiler in C with memplan inside: reads a module, plans it with a planner of its own, and prints it.
 *
 *   embed-c FILE [stack|heap]
 *
 * The module may use operations of the dialect "npu", which is defined at run time. */
#include <memplan-c/Extend.h>
#include <memplan-c/Passes.h>

#include "mlir-c/Dialect/IRDL.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef text(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

/* Nothing is reused: each buffer is placed after the one before. */
static const char *planStack(const MemplanProblem *problem, uint64_t *offsets,
                             void *userData) {
  (void)userData;
  uint64_t end = 0;
  for (intptr_t at = 0; at < problem->bufferCount; ++at) {
    const MemplanBuffer *buffer = &problem->buffers[at];
    end = (end + buffer->alignment - 1) / buffer->alignment * buffer->alignment;
    offsets[at] = end;
    end += buffer->size;
  }
  return NULL;
}

/* Invalid: all buffers at one offset. memplan rejects it. */
static const char *planHeap(const MemplanProblem *problem, uint64_t *offsets,
                            void *userData) {
  (void)userData;
  memset(offsets, 0, sizeof *offsets * (size_t)problem->bufferCount);
  return NULL;
}

static const char *describeStart(MlirOperation op, MemplanOperation *start,
                                 void *userData) {
  (void)userData;
  if (mlirOperationGetNumOperands(op) != 2)
    return "npu.start has a source and a destination";
  memplanOperationReads(start, 0);
  memplanOperationOverwrites(start, 1);
  memplanOperationStarts(start, 0);
  return NULL;
}

static const char *describeWait(MlirOperation op, MemplanOperation *wait,
                                void *userData) {
  (void)op, (void)userData;
  memplanOperationWaits(wait);
  return NULL;
}

static const char *describeFetch(MlirOperation op, MemplanOperation *fetch,
                                 void *userData) {
  (void)op, (void)userData;
  memplanOperationAllocates(fetch, 0, text("npu"));
  return NULL;
}

static int registerNpu(void) {
  const struct {
    const char *name;
    MemplanDescribe describe;
  } all[] = {{"npu.start", describeStart},
             {"npu.wait", describeWait},
             {"npu.fetch", describeFetch}};
  MlirLogicalResult done =
      memplanRegisterAllocator(text("npu"), text("npu.release"));
  // clang-format off: as the manual shows it
  for (size_t at = 0; at < sizeof all / sizeof *all; ++at)
    if (mlirLogicalResultIsSuccess(done))
      done = memplanRegisterOperation(text(all[at].name), all[at].describe, NULL,
                                      print, stderr);
  // clang-format on
  return mlirLogicalResultIsSuccess(done);
}

/* A dialect without a C++ class. */
static const char *const npu =
    "irdl.dialect @npu {\n"
    "  irdl.type @token\n"
    "  irdl.operation @start {\n"
    "    %memory = irdl.any\n"
    "    %token = irdl.base @npu::@token\n"
    "    irdl.operands(source: %memory, destination: %memory)\n"
    "    irdl.results(done: %token)\n"
    "  }\n"
    "  irdl.operation @wait {\n"
    "    %token = irdl.base @npu::@token\n"
    "    irdl.operands(done: %token)\n"
    "  }\n"
    "  irdl.operation @fetch {\n"
    "    %memory = irdl.any\n"
    "    irdl.results(memory: %memory)\n"
    "  }\n"
    "}\n";

static int loadNpu(MlirContext context) {
  MlirModule dialects = mlirModuleCreateParse(context, text(npu));
  if (mlirModuleIsNull(dialects))
    return 0;
  MlirLogicalResult loaded = mlirLoadIRDLDialects(dialects);
  mlirModuleDestroy(dialects);
  return mlirLogicalResultIsSuccess(loaded);
}

static char *readFile(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  size_t length = (size_t)ftell(file);
  rewind(file);
  char *content = calloc(length + 1, 1);
  if (content && fread(content, 1, length, file) != length) {
    free(content);
    content = NULL;
  }
  fclose(file);
  return content;
}

int main(int argc, char **argv) {
  char *source = argc > 1 ? readFile(argv[1]) : NULL;
  if (!source) {
    fputs("usage: embed-c FILE [stack|heap]\n", stderr);
    return 2;
  }
  if (!memplanRegisterPasses())
    return 2;
  memplanRegisterPlanner(text("embed.stack"), planStack, NULL);
  memplanRegisterPlanner(text("embed.heap"), planHeap, NULL);
  memplanRegisterTokenType(text("!npu.token"));
  if (!registerNpu())
    return 2;

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  MlirModule module = {NULL};
  if (loadNpu(context))
    module = mlirModuleCreateParse(context, text(source));
  int failed = mlirModuleIsNull(module);
  if (!failed) {
    char options[64];
    snprintf(options, sizeof options, "planner=embed.%s verify=true",
             argc > 2 ? argv[2] : "stack");
    MlirPassManager manager = mlirPassManagerCreate(context);
    MlirPass pass = memplanCreateMergeAlloc(text(options), print, stderr);
    failed = !pass.ptr;
    if (!failed) {
      mlirPassManagerAddOwnedPass(manager, pass);
      MlirOperation op = mlirModuleGetOperation(module);
      failed = mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op));
      if (!failed)
        mlirOperationPrint(op, print, stdout);
    }
    mlirPassManagerDestroy(manager);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  free(source);
  return failed;
}
