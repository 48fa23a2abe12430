/* memplan's passes, in the manner of mlir-c.
 *
 *   memplanRegisterPasses();
 *   MlirPass pass = memplanCreateMergeAlloc(
 *       mlirStringRefCreateFromCString("planner=exact verify=true"), NULL, NULL);
 *   mlirPassManagerAddOwnedPass(manager, pass);
 *
 * Options are written as between the braces of a textual pipeline; `memplan
 * help PASS` lists those of a pass. */
#ifndef MEMPLAN_C_PASSES_H
#define MEMPLAN_C_PASSES_H

#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes all passes and pipelines known to MLIR, with what these take of MLIR's
 * own; the others need it first. Again is no harm. False, and why on standard
 * error, where the process has another LLVM than the one that memplan was
 * built with. */
MLIR_CAPI_EXPORTED bool memplanRegisterPasses(void);

/* A pass by its name, such as "memplan-merge-alloc". Null where there is none
 * of that name (`pass.ptr` is NULL), or it does not take these options; then
 * `error` is told why,
 * or, where that is NULL, standard error. The caller owns the pass, as
 * mlirPassManagerAddOwnedPass wants it. */
MLIR_CAPI_EXPORTED MlirPass memplanCreatePass(MlirStringRef name,
                                              MlirStringRef options,
                                              MlirStringCallback error,
                                              void *userData);

/* Adds the passes of a pipeline, such as "memplan", to a pass manager on
 * modules. A failure is told as above. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanBuildPipeline(
    MlirOpPassManager manager, MlirStringRef name, MlirStringRef options,
    MlirStringCallback error, void *userData);

/* memplanCreateMergeAlloc and so on: one function for each pass and pipeline. */
#include "memplan-c/Passes.h.inc"

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_PASSES_H */
