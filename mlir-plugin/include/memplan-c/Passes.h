/* memplan's passes, in the style of mlir-c.
 *
 *   memplanRegisterPasses();
 *   MlirPass pass = memplanCreateMergeAlloc(
 *       mlirStringRefCreateFromCString("planner=exact verify=true"), NULL, NULL);
 *   mlirPassManagerAddOwnedPass(manager, pass);
 *
 * Options are written as between the braces of a textual pipeline;
 * `memplan help PASS` lists those of a pass. */
#ifndef MEMPLAN_C_PASSES_H
#define MEMPLAN_C_PASSES_H

#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers all passes and pipelines with MLIR, and the passes of MLIR that
 * they use. The other functions require this call. May be called repeatedly. If
 * the process has another LLVM than the one that memplan was built with,
 * returns false and prints the reason to standard error. */
MLIR_CAPI_EXPORTED bool memplanRegisterPasses(void);

/* Creates a pass by its name, such as "memplan-merge-alloc". If there is no
 * such pass or the options are invalid, the result is null (`pass.ptr` is
 * NULL), and the reason is reported to `error`, or on standard error if that is
 * NULL. The caller owns the pass, as mlirPassManagerAddOwnedPass requires. */
MLIR_CAPI_EXPORTED MlirPass memplanCreatePass(MlirStringRef name,
                                              MlirStringRef options,
                                              MlirStringCallback error,
                                              void *userData);

/* Adds the passes of a pipeline, such as "memplan", to a pass manager on
 * modules. A failure is reported as for memplanCreatePass. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanBuildPipeline(
    MlirOpPassManager manager, MlirStringRef name, MlirStringRef options,
    MlirStringCallback error, void *userData);

/* One function for each pass and pipeline: memplanCreateMergeAlloc and so on. */
#include "memplan-c/Passes.h.inc"

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_PASSES_H */
