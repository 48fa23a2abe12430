/* Extensions by a compiler: planners, and the memory behavior of the operations
 * of its dialects.
 *
 * Everything here is registered by name, for all contexts of the process, from
 * the call on and for as long as the process lives. Any thread may call a
 * registered function, several at once, with the `userData` that was given.
 * memplan copies a string that a callback returns before the same thread calls
 * it again. No exception may leave a callback; the C++ header catches them. */
#ifndef MEMPLAN_C_EXTEND_H
#define MEMPLAN_C_EXTEND_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Planners ----------------------------------------------------------===*/

/* Times from `start` up to, and not including, `end`. */
typedef struct {
  uint64_t start;
  uint64_t end;
} MemplanLiveRange;

/* Memory that is needed for some time. */
typedef struct {
  uint64_t id;
  uint64_t size;      /* bytes */
  uint64_t alignment; /* of the offset, in bytes; a power of two */
  int64_t fixed;      /* a required offset; -1: any */
  intptr_t rangeCount;
  const MemplanLiveRange *ranges; /* sorted, disjoint */
} MemplanBuffer;

/* Buffers for one arena. Two that are live at once must not share a byte. */
typedef struct {
  intptr_t bufferCount;
  const MemplanBuffer *buffers;
  int64_t capacity; /* available bytes; -1: unlimited */
} MemplanProblem;

/* Writes an offset in bytes for each buffer, in their order, and returns NULL;
 * or returns the reason why it does not. The same problem must have the same
 * offsets. */
typedef const char *(*MemplanPlanner)(const MemplanProblem *problem,
                                      uint64_t *offsets, void *userData);

/* Registers a planner, which `planner=NAME` then selects. Its offsets are
 * checked before use; an invalid plan fails the pass with the reason. Fails if
 * memplan has a planner of that name, or if the name has other characters than
 * letters, digits, '-', '_' and '.'. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanRegisterPlanner(
    MlirStringRef name, MemplanPlanner planner, void *userData);

/* ===-- Memory behavior of operations -------------------------------------===
 */

/* The description of an operation. */
typedef struct MemplanOperation MemplanOperation;

/* Describes an operation with the functions below, and returns NULL; or returns
 * the problem with the operation, which fails the pass. */
typedef const char *(*MemplanDescribe)(MlirOperation op,
                                       MemplanOperation *description,
                                       void *userData);

/* Registers `describe` for all operations of this name. All passes use it in
 * place of the interfaces of the operation. Fails if the name is registered
 * already, if a pass has looked it up (register before passes run), or if
 * memplan knows the operation. Then it reports the reason to `error`, or on
 * standard error if that is NULL.
 *
 * The pass fails, with an error at the operation, for operations with regions,
 * for terminators and calls, and for a description that contradicts itself or
 * names an operand or result that does not exist. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanRegisterOperation(
    MlirStringRef name, MemplanDescribe describe, void *userData,
    MlirStringCallback error, void *errorData);

/* As memplanRegisterOperation, also for an operation that memplan knows: the
 * description replaces memplan's own. Passes still create such operations where
 * they do today, and treat loops, calls and branches as before. */
MLIR_CAPI_EXPORTED MlirLogicalResult memplanOverrideOperation(
    MlirStringRef name, MemplanDescribe describe, void *userData,
    MlirStringCallback error, void *errorData);

/* Registers an allocator, which descriptions may name. An operation named
 * `freeOperation`, with the memref as its only operand, frees its memory; if
 * that name is empty, only the program frees it. Fails if another allocator has
 * the name, or if the name is "memref" or empty. */
MLIR_CAPI_EXPORTED MlirLogicalResult
memplanRegisterAllocator(MlirStringRef name, MlirStringRef freeOperation);

/* Registers the type with this textual form ("!npu.token") as a token type. */
MLIR_CAPI_EXPORTED void memplanRegisterTokenType(MlirStringRef type);

/* Operands and results are numbered from 0, among all of the operation's. A
 * description is complete: a memref operand without a statement is read. A
 * memref result without a statement may be any of the memref operands, or
 * memory that is not tracked. */

/* Uses sizes, strides or the address, and no byte. The address is not captured.
 */
MLIR_CAPI_EXPORTED void
memplanOperationDescriptor(MemplanOperation *description, intptr_t operand);
MLIR_CAPI_EXPORTED void memplanOperationReads(MemplanOperation *description,
                                              intptr_t operand);
/* Writes some bytes; others may stay as they are. */
MLIR_CAPI_EXPORTED void memplanOperationWrites(MemplanOperation *description,
                                               intptr_t operand);
/* Writes every element, and reads none through this operand. */
MLIR_CAPI_EXPORTED void
memplanOperationOverwrites(MemplanOperation *description, intptr_t operand);
/* Copies all elements of `from` to `to`, of the same shape and element type. */
MLIR_CAPI_EXPORTED void memplanOperationCopies(MemplanOperation *description,
                                               intptr_t from, intptr_t to);
/* Reads each element of `read` before it writes the element of `written` at the
 * same index, and not after. Both have the same shape. The only other statement
 * about the two may be that `written` is overwritten. */
MLIR_CAPI_EXPORTED void memplanOperationInStep(MemplanOperation *description,
                                               intptr_t read, intptr_t written);
/* Frees the operand: its memory returns to the allocator. "memref" is the
 * allocator of memref.dealloc. */
MLIR_CAPI_EXPORTED void memplanOperationFrees(MemplanOperation *description,
                                              intptr_t operand,
                                              MlirStringRef allocator);
/* Takes ownership: somebody else frees the operand from now on. */
MLIR_CAPI_EXPORTED void memplanOperationTakes(MemplanOperation *description,
                                              intptr_t operand);
/* Unknown code may know the address from now on: memplan does not plan or free
 * the memory. */
MLIR_CAPI_EXPORTED void memplanOperationCaptures(MemplanOperation *description,
                                                 intptr_t operand);
/* Stores the operand in the memory of another operand, a memref of memrefs. */
MLIR_CAPI_EXPORTED void
memplanOperationStoresInto(MemplanOperation *description, intptr_t operand,
                           intptr_t memory);
/* Behaves the same if this operand is in another memory space. Only has an
 * effect if it is stated for all memref operands. */
MLIR_CAPI_EXPORTED void
memplanOperationTakesAnySpace(MemplanOperation *description, intptr_t operand);
/* Behaves the same if this operand has other strides and another start, aligned
 * only to its elements. */
MLIR_CAPI_EXPORTED void
memplanOperationTakesAnyStrides(MemplanOperation *description,
                                intptr_t operand);

/* The result is new memory of the allocator. "memref" is the allocator of
 * memref.dealloc. */
MLIR_CAPI_EXPORTED void memplanOperationAllocates(MemplanOperation *description,
                                                  intptr_t result,
                                                  MlirStringRef allocator);
/* Start of a view's data: that of its source, or unknown. */
typedef enum { MEMPLAN_START_SAME, MEMPLAN_START_UNKNOWN } MemplanStart;
/* The result is a view of the operand. Can only be combined with reads and
 * writes of other operands. */
MLIR_CAPI_EXPORTED void memplanOperationViews(MemplanOperation *description,
                                              intptr_t result, intptr_t operand,
                                              MemplanStart start);
/* As memplanOperationViews. The data starts later by the number of bytes in
 * operand `bytes`, of type index. */
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
/* The result is memory that somebody else owns, and that is never freed here.
 */
MLIR_CAPI_EXPORTED void memplanOperationBorrowed(MemplanOperation *description,
                                                 intptr_t result);
/* The result, which is not a memref, is or holds the operand's address: a
 * number, a pointer, a structure. */
MLIR_CAPI_EXPORTED void memplanOperationAddressOf(MemplanOperation *description,
                                                  intptr_t result,
                                                  intptr_t operand);

/* The operation is asynchronous: the memory that it uses is needed until this
 * token, its only one, has been waited for. */
MLIR_CAPI_EXPORTED void memplanOperationStarts(MemplanOperation *description,
                                               intptr_t tokenResult);
/* The tokens of the operation are done no earlier than this operand. Control
 * does not wait for it. */
MLIR_CAPI_EXPORTED void memplanOperationAfter(MemplanOperation *description,
                                              intptr_t tokenOperand);
/* Control waits for all token operands. */
MLIR_CAPI_EXPORTED void memplanOperationWaits(MemplanOperation *description);
/* No operation may be moved across this one: input and output, a barrier,
 * memory that no operand names. */
MLIR_CAPI_EXPORTED void memplanOperationFence(MemplanOperation *description);
/* The operation may be executed speculatively. Only valid if it accesses no
 * byte. */
MLIR_CAPI_EXPORTED void
memplanOperationSpeculatable(MemplanOperation *description);
/* For this operation, its interfaces and memplan's own knowledge hold, and
 * nothing else. */
MLIR_CAPI_EXPORTED void
memplanOperationByInterfaces(MemplanOperation *description);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_EXTEND_H */
