/* What a compiler brings itself: planners, and what the operations of its
 * dialects do to memory.
 *
 * Everything here is known by name, in all contexts of the process, from the
 * call on and for as long as the process lives. Any thread may call what is
 * registered, several at once, with the `userData` that was given. Texts that
 * a callback returns are copied before it is called again by that thread. No
 * exception may leave a callback; the C++ header sees to that. */
#ifndef MEMPLAN_C_EXTEND_H
#define MEMPLAN_C_EXTEND_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Planners ----------------------------------------------------------===*/

/* Times from `start` up to `end`, not among them. */
typedef struct {
  uint64_t start;
  uint64_t end;
} MemplanLiveRange;

/* Memory that is wanted for some time. */
typedef struct {
  uint64_t id;
  uint64_t size;      /* bytes */
  uint64_t alignment; /* of the offset, in bytes; a power of two */
  int64_t fixed;      /* the offset that it has to have; -1: any */
  intptr_t rangeCount;
  const MemplanLiveRange *ranges; /* sorted, disjoint */
} MemplanBuffer;

/* Buffers for one arena. Two that are live at once must not share a byte. */
typedef struct {
  intptr_t bufferCount;
  const MemplanBuffer *buffers;
  int64_t capacity; /* bytes that there are; -1: as many as it takes */
} MemplanProblem;

/* Writes an offset in bytes for each buffer, in their order, and returns NULL;
 * or returns why it does not. The same problem has to give the same offsets. */
typedef const char *(*MemplanPlanner)(const MemplanProblem *problem,
                                      uint64_t *offsets, void *userData);

/* From now on, `planner=NAME` asks this one. What it gives is checked before
 * use; what is no plan fails the pass with what is wrong. Fails where memplan
 * has a planner of that name, or the name has other characters than letters,
 * digits, '-', '_' and '.'. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanRegisterPlanner(
    MlirStringRef name, MemplanPlanner planner, void *userData);

/*===-- What operations do to memory --------------------------------------===*/

/* What is said of one operation. */
typedef struct MemplanOperation MemplanOperation;

/* Says what an operation does, by the functions below, and returns NULL; or
 * returns what is wrong with it, which fails the pass that asks. */
typedef const char *(*MemplanDescribe)(MlirOperation op,
                                       MemplanOperation *description,
                                       void *userData);

/* From now on, `describe` is asked about all operations of this name, in place
 * of their interfaces, by all passes. Fails, and says why to `error`, or to
 * standard error where that is NULL, where the name is registered already, a
 * pass has asked about it (register before passes run), or memplan knows the
 * operation.
 *
 * Operations with regions, those that end a block, calls, and descriptions that
 * contradict themselves or name what the operation does not have fail the pass
 * that asks, at the operation. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanRegisterOperation(
    MlirStringRef name, MemplanDescribe describe, void *userData,
    MlirStringCallback error, void *errorData);

/* The same, also for an operation that memplan knows: what it knows of it is
 * replaced. Passes still write such operations where they do today, and take
 * loops, calls and branches for what they are. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanOverrideOperation(
    MlirStringRef name, MemplanDescribe describe, void *userData,
    MlirStringCallback error, void *errorData);

/* From now on, descriptions may name this allocator: an operation named
 * `freeOperation`, with the memref as its only operand, frees its memory;
 * where the name is empty, the program alone does. Fails where another
 * allocator has the name, which is "memref" or empty. */
MLIR_CAPI_EXPORTED MlirLogicalResult
memplanRegisterAllocator(MlirStringRef name, MlirStringRef freeOperation);

/* From now on, values of the type that prints so ("!npu.token") are tokens. */
MLIR_CAPI_EXPORTED void memplanRegisterTokenType(MlirStringRef type);

/* Operands and results are counted from 0, among all of the operation's. A
 * description is complete: a memref operand that nothing is said of is read,
 * a memref result that nothing is said of may be any of the memref operands,
 * or memory that is not followed. */

/* Uses sizes, strides or the address, and no byte. The address goes nowhere. */
MLIR_CAPI_EXPORTED void
memplanOperationDescriptor(MemplanOperation *description, intptr_t operand);
MLIR_CAPI_EXPORTED void memplanOperationReads(MemplanOperation *description,
                                              intptr_t operand);
/* Some bytes may stay as they are. */
MLIR_CAPI_EXPORTED void memplanOperationWrites(MemplanOperation *description,
                                               intptr_t operand);
/* Writes every element, and reads none through this operand. */
MLIR_CAPI_EXPORTED void
memplanOperationOverwrites(MemplanOperation *description, intptr_t operand);
/* Copies all elements of `from` to `to`, of the same shape and elements. */
MLIR_CAPI_EXPORTED void memplanOperationCopies(MemplanOperation *description,
                                               intptr_t from, intptr_t to);
/* Reads each element of `read` before it writes the one at the same place of
 * `written`, which has the same shape, and not after. Beside it, nothing is
 * said of the two but that `written` is overwritten. */
MLIR_CAPI_EXPORTED void memplanOperationInStep(MemplanOperation *description,
                                               intptr_t read, intptr_t written);
/* Frees it: its memory goes back to the allocator. "memref" is that of
 * memref.dealloc. */
MLIR_CAPI_EXPORTED void memplanOperationFrees(MemplanOperation *description,
                                              intptr_t operand,
                                              MlirStringRef allocator);
/* Takes ownership: somebody else frees it from now on. */
MLIR_CAPI_EXPORTED void memplanOperationTakes(MemplanOperation *description,
                                              intptr_t operand);
/* Code that is not seen may know the address, for ever: memplan leaves the
 * memory alone. */
MLIR_CAPI_EXPORTED void memplanOperationCaptures(MemplanOperation *description,
                                                 intptr_t operand);
/* Stores it in the memory of another operand, a memref of memrefs. */
MLIR_CAPI_EXPORTED void
memplanOperationStoresInto(MemplanOperation *description, intptr_t operand,
                           intptr_t memory);
/* Does the same where this operand is in another memory space. Counts where it
 * is said of all memref operands. */
MLIR_CAPI_EXPORTED void
memplanOperationTakesAnySpace(MemplanOperation *description, intptr_t operand);
/* Does the same where this operand has other strides and starts elsewhere,
 * aligned to its elements alone. */
MLIR_CAPI_EXPORTED void
memplanOperationTakesAnyStrides(MemplanOperation *description,
                                intptr_t operand);

/* The result is new memory of the allocator. "memref" is that of
 * memref.dealloc. */
MLIR_CAPI_EXPORTED void memplanOperationAllocates(MemplanOperation *description,
                                                  intptr_t result,
                                                  MlirStringRef allocator);
/* Where the data of a view starts: where that of its source does, or
 * anywhere. */
typedef enum { MEMPLAN_START_SAME, MEMPLAN_START_UNKNOWN } MemplanStart;
/* The result is a view of the operand. Goes with reads and writes of other
 * operands alone. */
MLIR_CAPI_EXPORTED void memplanOperationViews(MemplanOperation *description,
                                              intptr_t result, intptr_t operand,
                                              MemplanStart start);
/* The same, whose data starts as many bytes later as the operand `bytes` says,
 * of type index. */
MLIR_CAPI_EXPORTED void
memplanOperationViewsShifted(MemplanOperation *description, intptr_t result,
                             intptr_t operand, intptr_t bytes);
/* The result is the memory of one of these operands. */
MLIR_CAPI_EXPORTED void memplanOperationAnyOf(MemplanOperation *description,
                                              intptr_t result, intptr_t count,
                                              const intptr_t *operands);
/* The result is an element of the operand, a memref of memrefs. */
MLIR_CAPI_EXPORTED void memplanOperationLoads(MemplanOperation *description,
                                              intptr_t result,
                                              intptr_t operand);
/* The result is memory of somebody else, which is never freed here. */
MLIR_CAPI_EXPORTED void memplanOperationBorrowed(MemplanOperation *description,
                                                 intptr_t result);
/* The result, which is not a memref, is the operand's address, or holds it: a
 * number, a pointer, a structure. */
MLIR_CAPI_EXPORTED void memplanOperationAddressOf(MemplanOperation *description,
                                                  intptr_t result,
                                                  intptr_t operand);

/* It goes on after control has passed it: what it uses is needed until this
 * token, its only one, has been waited for. */
MLIR_CAPI_EXPORTED void memplanOperationStarts(MemplanOperation *description,
                                               intptr_t tokenResult);
/* Its tokens are done no earlier than this operand, for which control does not
 * wait. */
MLIR_CAPI_EXPORTED void memplanOperationAfter(MemplanOperation *description,
                                              intptr_t tokenOperand);
/* Control waits for all its token operands. */
MLIR_CAPI_EXPORTED void memplanOperationWaits(MemplanOperation *description);
/* Nothing changes places with it: input and output, a barrier, memory that no
 * operand names. */
MLIR_CAPI_EXPORTED void memplanOperationFence(MemplanOperation *description);
/* It may run where it would not have run. Only where it touches no byte. */
MLIR_CAPI_EXPORTED void
memplanOperationSpeculatable(MemplanOperation *description);
/* Of this one, what its interfaces and memplan itself say holds after all, and
 * nothing else. */
MLIR_CAPI_EXPORTED void
memplanOperationByInterfaces(MemplanOperation *description);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_EXTEND_H */
