/* Functions of MLIR that memplan needs and the C API lacks. In the style of
 * mlir-c: plain structs, one function per interface method, and callbacks for
 * results whose number is not known in advance.
 *
 * The C++ that implements this header includes it, and bindgen reads it for
 * Rust. The plugin exports nothing of it. */
#ifndef MEMPLAN_C_SHIM_H
#define MEMPLAN_C_SHIM_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Operation names ----------------------------------------------------===*/

/* Facts that depend on an operation's name alone: traits and interfaces.
 * Callers cache them by the identity of the name (mlirOperationGetName is
 * interned). */
enum MemplanNameFlag {
  MEMPLAN_REGISTERED = 1 << 0,
  MEMPLAN_MEMORY_EFFECTS = 1 << 1,    /* MemoryEffectOpInterface */
  MEMPLAN_RECURSIVE_EFFECTS = 1 << 2, /* HasRecursiveMemoryEffects */
  MEMPLAN_REGION_BRANCH = 1 << 3,
  MEMPLAN_REGION_TERMINATOR = 1 << 4,
  MEMPLAN_BRANCH = 1 << 5,
  MEMPLAN_LOOP_LIKE = 1 << 6,
  MEMPLAN_VIEW_LIKE = 1 << 7,
  MEMPLAN_CALL = 1 << 8,
  MEMPLAN_FUNCTION = 1 << 9,
  MEMPLAN_ALLOCATION_SCOPE = 1 << 10, /* AutomaticAllocationScope */
  MEMPLAN_PARALLEL_REGION = 1 << 11,  /* HasParallelRegion */
  MEMPLAN_ISOLATED = 1 << 12,
  MEMPLAN_TERMINATOR = 1 << 13,
  MEMPLAN_RETURN_LIKE = 1 << 14,
  MEMPLAN_SYMBOL_TABLE = 1 << 15,
  MEMPLAN_DEALLOCATION_MODEL = 1 << 16,
  MEMPLAN_SYMBOL_USER = 1 << 17, /* SymbolUserOpInterface */
};
MLIR_CAPI_EXPORTED uint32_t memplanOperationNameFlags(MlirOperation op);

/*===-- Memory effects -----------------------------------------------------===*/

enum MemplanEffectKind {
  MEMPLAN_EFFECT_READ,
  MEMPLAN_EFFECT_WRITE,
  MEMPLAN_EFFECT_ALLOCATE,
  MEMPLAN_EFFECT_FREE,
};

typedef struct {
  enum MemplanEffectKind kind;
  /* The value that the effect is on; null if the operation names none. */
  MlirValue value;
  /* The resource is AutomaticAllocationScopeResource (stack memory). */
  bool automatic_scope;
  /* The resource is memory: the default one, or the automatic one. */
  bool memory;
} MemplanEffect;

typedef void (*MemplanEffectCallback)(const MemplanEffect *effect, void *user);
/* Calls back for each effect that the operation itself declares. Returns false
 * if it does not implement the interface. */
MLIR_CAPI_EXPORTED bool memplanOperationEffects(MlirOperation op,
                                                MemplanEffectCallback callback,
                                                void *user);
/* True if the operation, with all nested ones, has no effect on memory. */
MLIR_CAPI_EXPORTED bool memplanOperationIsMemoryEffectFree(MlirOperation op);

/*===-- Structured operations ----------------------------------------------===*/

/* If `read` is -1: every element of operand `written` is written, and none is
 * read through that operand. Otherwise: `written` is written element by
 * element. Each element of operand `read`, which has the same shape, is read
 * before the element at the same index is written, and not after; nor is it
 * read after that through other operands of the same value. This holds only if
 * the regions of the operation do not access memory. */
typedef void (*MemplanStructuredAccessCallback)(intptr_t written, intptr_t read,
                                                void *user);
/* Calls back for each certain fact about an operation that implements LinalgOp;
 * operands are given by number. */
MLIR_CAPI_EXPORTED void
memplanStructuredAccess(MlirOperation op,
                        MemplanStructuredAccessCallback callback, void *user);

/* An operation that does nothing else: with a rank of 0 or more, it copies the
 * elements of operand `from` to `to`, of which dimension i is dimension order[i]
 * of `from`, or repeats it if order[i] is -1. Other dimensions of `from` are read
 * at index 0. With a rank of -1, it writes operand `from`, or for -1 a value from
 * outside, to all elements of `to`. */
typedef void (*MemplanStructuredTransferCallback)(intptr_t from, intptr_t to,
                                                  intptr_t rank,
                                                  const int64_t *order,
                                                  void *user);
/* Calls back if an operation that implements LinalgOp is such a one. */
MLIR_CAPI_EXPORTED void memplanStructuredTransfer(
    MlirOperation op, MemplanStructuredTransferCallback callback, void *user);

/* A loop of a structured operation, outermost first; `extent` is negative if it is
 * not static. */
typedef void (*MemplanNestLoopCallback)(int64_t extent, bool parallel,
                                    void *user);
/* A memref operand, before its indices. */
typedef void (*MemplanNestAccessCallback)(intptr_t operand, bool reads, bool writes,
                                      void *user);
/* An index of the last operand: the sum of all loops times their coefficients, and
 * a constant. */
typedef void (*MemplanNestIndexCallback)(const int64_t *coefficients,
                                     int64_t constant, void *user);
/* Calls back for each loop, then for each operand with its indices, if an
 * operation implements LinalgOp, works on memrefs, and has indices that are linear
 * in its loops. Returns whether that is so. */
MLIR_CAPI_EXPORTED bool memplanLoopNest(MlirOperation op,
                                        MemplanNestLoopCallback loop,
                                        MemplanNestAccessCallback access,
                                        MemplanNestIndexCallback index, void *user);

/* Lowers affine loops, and what is in them, to operations of scf, arith and memref.
 * Returns what the operation becomes; null if something is not lowered. */
MLIR_CAPI_EXPORTED MlirOperation memplanLowerAffine(MlirOperation op);

/* A linalg.fill of a memref with a value, inserted before `before`. */
MLIR_CAPI_EXPORTED MlirOperation memplanCreateFill(MlirOperation before,
                                                   MlirValue value,
                                                   MlirValue memref);

/* True if an operand is an input or output of an operation that implements
 * LinalgOp and works on memrefs. */
MLIR_CAPI_EXPORTED bool memplanIsStructuredOperand(MlirOperation op,
                                                   intptr_t operand);

/* True if an operation (VectorTransferOpInterface) transfers all elements of
 * the memref in their order, without a mask. */
MLIR_CAPI_EXPORTED bool memplanTransferCovers(MlirOperation op);

/* True if a vector has all elements of a memref with the identity layout in
 * their order, if it starts at the first one. */
MLIR_CAPI_EXPORTED bool memplanVectorCovers(MlirType vector, MlirType memref);

/*===-- Strides ------------------------------------------------------------===*/

/* The result type of a view by an operation like memref.subview,
 * memref.expand_shape, memref.collapse_shape or memref.cast, if its source had
 * type `source`, which has the same shape and element type as the actual
 * source. Null if there is no such view. */
MLIR_CAPI_EXPORTED MlirType memplanSlicedType(MlirOperation op,
                                              MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanExpandedType(MlirOperation op,
                                                MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanCollapsedType(MlirOperation op,
                                                 MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanCastType(MlirOperation op, MlirType source);

/* As memplanSlicedType, for a view like memref.transpose. */
MLIR_CAPI_EXPORTED MlirType memplanTransposedViewType(MlirOperation view,
                                                      MlirType source);

/* True if the last dimension has stride 1. */
MLIR_CAPI_EXPORTED bool memplanIsLastDimUnitStride(MlirType memref);

/* The elements from `start` to before `end`, counted from the address of the
 * memref's memory, that a memref type with static sizes, strides and offset
 * spans. False for other types, and without elements. */
MLIR_CAPI_EXPORTED bool memplanElementRange(MlirType memref, int64_t *start,
                                            int64_t *end);

/* True if it is certain that no two elements have the same address. */
bool memplanIsInjective(MlirType type);

/* True if two memref types have the same shape and element type. */
bool memplanHaveSameElements(MlirType one, MlirType other);

/* A strided memref type with permuted dimensions: dimension i of the result is
 * dimension order[i]. Null if it has no strides. */
MlirType memplanTransposedType(MlirType type, intptr_t count,
                               const int64_t *order);

/* The type of a view of `source` with the shape of `target`, both static shapes:
 * dimension i is dimension order[i] of `source`, or repeats it if that is -1.
 * Null if there is none. */
MlirType memplanBroadcastType(MlirType source, MlirType target, intptr_t count,
                              const int64_t *order);

/* A view of that type and order, inserted before `before`. */
MlirValue memplanBroadcastView(MlirOperation before, MlirValue source,
                               MlirType type, const int64_t *order);

/* A view of the first elements of a memref as a memref type with no more, both of
 * static shape without zeros and with the identity layout, inserted before
 * `before`. */
MLIR_CAPI_EXPORTED MlirValue memplanLeadingView(MlirOperation before,
                                                MlirValue source,
                                                MlirType type);

/* A view of `source` as a memref type of static shape and identity layout with
 * as many elements, inserted before `before`. */
MlirValue memplanReshapedView(MlirOperation before, MlirValue source,
                              MlirType type);

/* A view of `source` with permuted dimensions, inserted before `before`. */
MlirValue memplanTransposedView(MlirOperation before, MlirValue source,
                                intptr_t count, const int64_t *order);

/*===-- Construction of views ----------------------------------------------===*/

/* Before an operation, or at the end of the block if that is null. */
typedef struct {
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
} MemplanPoint;

/* A memref.subview. `numbers` has an offset for each dimension, then a size, then a
 * stride; kDynamic stands for the next of `values`. Dimensions that are `dropped`
 * have size 1. */
MlirValue memplanCreatePart(MemplanPoint point, MlirValue source, intptr_t rank,
                            const int64_t *numbers, const MlirValue *values,
                            const bool *dropped);
/* The dimensions of the source that a memref.subview leaves out. False for other
 * operations, or another rank. */
bool memplanDroppedDimensions(MlirOperation part, intptr_t rank, bool *dropped);
/* A memref.expand_shape of this shape; kDynamic stands for the next of `values`.
 * Each dimension of the source is divided into as many as its group has. Null if
 * there is none. */
MlirValue memplanCreateExpanded(MemplanPoint point, MlirValue source,
                                intptr_t rank, const int64_t *shape,
                                const MlirValue *values, intptr_t groupCount,
                                const intptr_t *groupSizes);
/* A memref.collapse_shape; each dimension is merged from as many as its group has.
 * Null if there is none. */
MlirValue memplanCreateCollapsed(MemplanPoint point, MlirValue source,
                                 intptr_t groupCount,
                                 const intptr_t *groupSizes);
/* A memref.transpose. */
MlirValue memplanCreateTransposed(MemplanPoint point, MlirValue source,
                                  intptr_t rank, const int64_t *order);
/* A linalg.copy. */
MlirOperation memplanCreateElementCopy(MemplanPoint point, MlirValue from,
                                       MlirValue to);

/*===-- Control flow -------------------------------------------------------===*/

typedef struct {
  /* Region of the parent that control enters; -1: the parent is left. */
  intptr_t region;
  /* Forwarded values, and the values that they become: block arguments of the
   * region, or results of the parent. Both arrays have `count` entries. */
  intptr_t count;
  const MlirValue *operands;
  const MlirValue *inputs;
} MemplanRegionEdge;

typedef void (*MemplanRegionEdgeCallback)(const MemplanRegionEdge *edge,
                                          void *user);
/* RegionBranchOpInterface: the edges that control may take when the operation
 * starts. */
MLIR_CAPI_EXPORTED bool
memplanRegionBranchEntry(MlirOperation op, MemplanRegionEdgeCallback callback,
                         void *user);
/* RegionBranchTerminatorOpInterface: the edges that control may take after a
 * terminator. False if the parent or the terminator does not implement its
 * interface, or if the numbers of operands and inputs of an edge differ. */
MLIR_CAPI_EXPORTED bool
memplanRegionBranchTerminator(MlirOperation terminator,
                              MemplanRegionEdgeCallback callback, void *user);

typedef void (*MemplanBranchCallback)(intptr_t produced, intptr_t count,
                                      const MlirValue *forwarded, void *user);
/* BranchOpInterface: the branch itself produces the first `produced` arguments
 * of the successor; the following ones are `forwarded`. */
MLIR_CAPI_EXPORTED bool memplanBranchOperands(MlirOperation op,
                                              intptr_t successor,
                                              MemplanBranchCallback callback,
                                              void *user);

/* Folds a result, given constants for the operands, or null for unknown ones.
 * Sets the attribute or the value, and leaves the other unchanged. False if it
 * does not fold. The operation stays unchanged. */
MLIR_CAPI_EXPORTED bool memplanFold(MlirOperation op, intptr_t result,
                                    intptr_t count,
                                    const MlirAttribute *operands,
                                    MlirAttribute *attribute, MlirValue *value);

/* The owner of a memref result. */
typedef enum MemplanResultOwnership {
  /* The owner of an operand, or somebody else. */
  MEMPLAN_RESULT_SHARED,
  /* The caller owns new memory. */
  MEMPLAN_RESULT_NEW,
} MemplanResultOwnership;

/* BufferDeallocationOpInterface: queries the model of an operation without
 * regions and successors, which stays unchanged. `consumed` has an entry for
 * each operand: true for a memref whose owner no longer owns it after the
 * operation. `results` has an entry for each result, only meaningful for
 * memrefs. False if the model does more than these can express. */
MLIR_CAPI_EXPORTED bool
memplanDeallocationModel(MlirOperation op, bool *consumed,
                         MemplanResultOwnership *results);

/* LoopLikeOpInterface: the trip count where it is a constant that fits;
 * otherwise -1. */
MLIR_CAPI_EXPORTED int64_t memplanLoopStaticTripCount(MlirOperation op);
/* The parts of a loop, according to LoopLikeOpInterface. There is one bound and
 * one step for each dimension. */
typedef enum MemplanLoopPart {
  MEMPLAN_LOOP_INDUCTION,
  MEMPLAN_LOOP_LOWER,
  MEMPLAN_LOOP_UPPER,
  MEMPLAN_LOOP_STEP,
  /* Initial values of the iteration arguments, these arguments, and the values
   * that an iteration yields to the next one. */
  MEMPLAN_LOOP_INIT,
  MEMPLAN_LOOP_ITER_ARG,
  MEMPLAN_LOOP_YIELDED,
} MemplanLoopPart;

/* Either the value or the constant is null. */
typedef void (*MemplanLoopCallback)(MemplanLoopPart part, MlirValue value,
                                    MlirAttribute constant, void *user);
/* LoopLikeOpInterface: calls back for the parts of a loop, those of one kind in
 * order; for none of a kind that the loop does not provide. False if the
 * interface is not implemented. */
MLIR_CAPI_EXPORTED bool
memplanLoopParts(MlirOperation op, MemplanLoopCallback callback, void *user);

/* LoopLikeOpInterface: true if `region` is one of the loop's bodies. */
MLIR_CAPI_EXPORTED bool memplanLoopHasRegion(MlirOperation op,
                                             MlirRegion region);

/*===-- Views, calls, functions --------------------------------------------===*/

/* ViewLikeOpInterface: the source of the view; null if the interface is not
 * implemented. */
MLIR_CAPI_EXPORTED MlirValue memplanViewSource(MlirOperation op);

/* CallOpInterface: the callee, looked up by its symbol; null for an indirect
 * call, or if it is not found. */
MLIR_CAPI_EXPORTED MlirOperation memplanCallResolve(MlirOperation op);
/* CallOpInterface: the symbol of the callee; null for an indirect call. */
MLIR_CAPI_EXPORTED MlirAttribute memplanCallSymbol(MlirOperation op);
/* CallOpInterface: the callee of an indirect call; null for a direct call. */
MLIR_CAPI_EXPORTED MlirValue memplanCallValue(MlirOperation op);
/* CallOpInterface: the range of operands that are arguments. */
MLIR_CAPI_EXPORTED bool memplanCallArguments(MlirOperation op, intptr_t *first,
                                             intptr_t *count);

/* The last operation of a block if it is a terminator, or is unregistered and
 * so may be one; null otherwise. */
MLIR_CAPI_EXPORTED MlirOperation memplanBlockTerminator(MlirBlock block);

/* FunctionOpInterface: the body; a null region for a declaration. */
MLIR_CAPI_EXPORTED MlirRegion memplanFunctionBody(MlirOperation op);
/* FunctionOpInterface: appends an argument with a dictionary of attributes.
 * False if the function cannot have it. */
MLIR_CAPI_EXPORTED bool memplanFunctionAppendArgument(MlirOperation op,
                                                      MlirType type,
                                                      MlirAttribute attributes,
                                                      MlirLocation location);
/* FunctionOpInterface: appends a result to the type. False if the function
 * cannot have it. */
MLIR_CAPI_EXPORTED bool memplanFunctionAppendResult(MlirOperation op,
                                                    MlirType type);

/* FunctionOpInterface: removes results from the type, with their attributes.
 * False if the function cannot be without them. */
MLIR_CAPI_EXPORTED bool memplanFunctionDropResults(MlirOperation op,
                                                   intptr_t count,
                                                   const intptr_t *numbers);

/* FunctionOpInterface: removes an unused argument. False if the function cannot
 * be without it. */
MLIR_CAPI_EXPORTED bool memplanFunctionDropArgument(MlirOperation op,
                                                    intptr_t number);

/* Sets a unit attribute of a function argument. False if there is no such
 * argument. */
MLIR_CAPI_EXPORTED bool memplanFunctionMarkArgument(MlirOperation op,
                                                    intptr_t argument,
                                                    MlirStringRef name);

/* Has a function argument an attribute of another name? */
MLIR_CAPI_EXPORTED bool memplanFunctionArgumentHasOther(MlirOperation op,
                                                        intptr_t argument,
                                                        MlirStringRef name);

/* An integer attribute of a function argument. False if it has none of this
 * name. */
MLIR_CAPI_EXPORTED bool memplanFunctionArgumentInteger(MlirOperation op,
                                                       intptr_t argument,
                                                       MlirStringRef name,
                                                       int64_t *value);

/* Sets a unit attribute of a function result. False if there is no such result.
 */
MLIR_CAPI_EXPORTED bool memplanFunctionMarkResult(MlirOperation op,
                                                  intptr_t result,
                                                  MlirStringRef name);

/* True if a function result has an attribute that is not false. */
MLIR_CAPI_EXPORTED bool
memplanFunctionResultHas(MlirOperation op, intptr_t result, MlirStringRef name);

/* The same for a function argument. */
MLIR_CAPI_EXPORTED bool memplanFunctionArgumentHas(MlirOperation op,
                                                   intptr_t argument,
                                                   MlirStringRef name);
/* Calls back for each symbol that an attribute of `op`, or of a nested
 * operation, refers to, with the operation that has the attribute. The callee
 * of a func.call is left out. */
typedef void (*MemplanReferenceCallback)(MlirOperation user, MlirStringRef name,
                                         void *data);
MLIR_CAPI_EXPORTED void memplanReferences(MlirOperation op,
                                          MemplanReferenceCallback callback,
                                          void *data);
/* The symbol name of an operation; empty if it has none. */
MLIR_CAPI_EXPORTED MlirStringRef memplanSymbolName(MlirOperation op);

/*===-- Data layout --------------------------------------------------------===*/

typedef struct {
  void *ptr;
} MemplanDataLayout;

/* The data layout in force at the operation. Destroy it after use. */
MLIR_CAPI_EXPORTED MemplanDataLayout memplanDataLayoutAt(MlirOperation op);
MLIR_CAPI_EXPORTED void memplanDataLayoutDestroy(MemplanDataLayout layout);

/* Bytes from one element of a memref to the next, and its alignment, as the
 * LLVM lowering lays memrefs out. False if the type is not known. */
MLIR_CAPI_EXPORTED bool memplanElementLayout(MemplanDataLayout layout,
                                             MlirType element, uint64_t *stride,
                                             uint64_t *alignment);
/* True if the memref has the identity layout: row-major without gaps. */
MLIR_CAPI_EXPORTED bool memplanMemRefIsIdentity(MlirType memref);

/* The value of the first entry with this key in `dlti.target_system_spec` of
 * the operation, or of one around it; null if there is none. */
MLIR_CAPI_EXPORTED MlirAttribute memplanTargetEntry(MlirOperation op,
                                                    MlirStringRef key);

/*===-- Types --------------------------------------------------------------===*/

/* True if the type is `!async.group`. */
MLIR_CAPI_EXPORTED bool memplanIsAsyncGroup(MlirType type);
/* The element type of an `!async.value`; null for other types. */
MLIR_CAPI_EXPORTED MlirType memplanAsyncValueElement(MlirType type);
/* True if the type is a struct or array of the LLVM dialect, or a tuple, that
 * contains only numbers, vectors of them and other such types. */
MLIR_CAPI_EXPORTED bool memplanIsDataAggregate(MlirType type);

/*===-- Values -------------------------------------------------------------===*/

/* True if left <= right, or left == right, is proven for two values of type
 * index whenever both are defined, by ValueBoundsOpInterface: those of
 * mathematical integers. Values for which a callback is true are not followed.
 */
MLIR_CAPI_EXPORTED bool
memplanIndexCompare(MlirValue left, bool equal, MlirValue right,
                    bool (*isOpaque)(MlirValue value, void *user), void *user);
/* A constant upper or lower bound of an index value, in the same way. */
MLIR_CAPI_EXPORTED bool
memplanIndexConstantBound(MlirValue value, bool upper, int64_t *bound,
                          bool (*isOpaque)(MlirValue value, void *user),
                          void *user);
/* The most numbers that a result of an affine map of that name is a sum or
 * difference of, the largest constant that is added, and whether it divides;
 * false if there is a product. */
MLIR_CAPI_EXPORTED bool memplanSumsOfMap(MlirOperation op, MlirStringRef name,
                                         int64_t *numbers, int64_t *added,
                                         bool *divides);
/* True if the operation is free of memory effects, and speculatable according
 * to upstream's interface. */
MLIR_CAPI_EXPORTED bool memplanIsSpeculatable(MlirOperation op);
/* True if a divisor is proven not to be 0 nor, if the division is signed, -1.
 */
MLIR_CAPI_EXPORTED bool memplanIsSafeDivisor(MlirValue divisor, bool isSigned);
/* True for the constant zero. */
MLIR_CAPI_EXPORTED bool memplanIsZero(MlirValue value);
/* True for a non-negative integer constant. */
MLIR_CAPI_EXPORTED bool memplanIsConstantNotNegative(MlirValue value);
/* The least constant among the results of an affine map of that name; false
 * if there is none. */
MLIR_CAPI_EXPORTED bool memplanLeastConstantOfMap(MlirOperation op,
                                                  MlirStringRef name,
                                                  int64_t *least);
/* True if the operation has an affine map of that name in which all divisors
 * are positive constants. */
MLIR_CAPI_EXPORTED bool memplanDividesByConstants(MlirOperation op,
                                                  MlirStringRef name);

/*===-- More operands, results and blocks ----------------------------------===*/

/* Replaces an operation by one with more operands and results, appended to
 * those that it has. `operandSegmentSizes` counts the operands in the last
 * segment, and the results have no attributes. The old operation is erased. */
MLIR_CAPI_EXPORTED MlirOperation memplanRecreate(MlirOperation op,
                                                 intptr_t operand_count,
                                                 const MlirValue *operands,
                                                 intptr_t result_count,
                                                 const MlirType *results);

/* Replaces an operation by one without some of its results, which must be
 * unused. The terminators of its blocks lose the operands of the same numbers.
 * The old operation is erased. */
MLIR_CAPI_EXPORTED MlirOperation memplanDropResults(MlirOperation op,
                                                    intptr_t count,
                                                    const intptr_t *numbers);

/* Replaces a loop like `scf.for` by one without the iteration arguments of
 * memref type that are always their first value; their uses, and those of the
 * results, use that value. Returns the loop that is there now, or null for
 * another operation. */
MLIR_CAPI_EXPORTED MlirOperation memplanDropInvariants(MlirOperation loop);

/* Forwards more values to a successor of a branch. False without
 * BranchOpInterface. */
MLIR_CAPI_EXPORTED bool memplanBranchAppend(MlirOperation branch,
                                            intptr_t successor, intptr_t count,
                                            const MlirValue *values);

/* Inserts a block on the edge to a successor of a branch. Returns the branch at
 * its end; null if the branch produces operands itself. */
MLIR_CAPI_EXPORTED MlirOperation memplanSplitEdge(MlirOperation branch,
                                                  intptr_t successor);

/* Inserts a block on each edge to the block that starts with an operation. Each
 * new block has a copy of the operation and a branch. The old block gets the
 * results as arguments, after its other arguments, and the operation is erased.
 * Returns false and changes nothing if a predecessor is no branch, or produces
 * operands itself. */
MLIR_CAPI_EXPORTED bool memplanSplitLandingPad(MlirOperation first);

/* Adds an empty else-branch to an scf.if or affine.if without results and
 * else-branch. Returns its terminator; null for other operations. */
MLIR_CAPI_EXPORTED MlirOperation memplanAddElse(MlirOperation op);

/* Replaces the blocks of `old` by those of `fresh`, which belongs to no
 * operation. */
MLIR_CAPI_EXPORTED void memplanReplaceBody(MlirRegion old, MlirRegion fresh);

/* Erases the unreachable blocks of a region, and of regions nested in it. */
MLIR_CAPI_EXPORTED void memplanEraseUnreachableBlocks(MlirRegion region);

/*===-- Diagnostics, IR ----------------------------------------------------===*/

enum MemplanSeverity {
  MEMPLAN_ERROR,
  MEMPLAN_WARNING,
  MEMPLAN_REMARK,
};
/* Emits a diagnostic with `count` notes. */
MLIR_CAPI_EXPORTED void memplanEmit(enum MemplanSeverity severity,
                                    MlirLocation location,
                                    MlirStringRef message, intptr_t count,
                                    const MlirLocation *note_locations,
                                    const MlirStringRef *notes);

/* Calls `body(user)`, and suppresses diagnostics that repeat an earlier one of
 * it: same text, notes and known locations. */
MLIR_CAPI_EXPORTED void memplanDeduplicateDiagnostics(MlirContext context,
                                                      void (*body)(void *),
                                                      void *user);

/* True if the context collects optimization remarks of a category (mlir-opt
 * --remarks-filter). */
MLIR_CAPI_EXPORTED bool memplanWantsRemarks(MlirContext context,
                                            MlirStringRef category);
/* Emits an optimization remark through the context's engine: an optimization
 * was done, or was missed. `category` is the pass, `name` the kind of remark.
 * The text is only computed if the engine wants the remark. Returns false if it
 * does not; that holds for all remarks of that category and outcome. */
MLIR_CAPI_EXPORTED bool
memplanOptimizationRemark(bool passed, MlirLocation location,
                          MlirStringRef category, MlirStringRef name,
                          MlirStringRef function,
                          MlirStringRef (*text)(void *user), void *user);

/* Replaces all uses of one value by another. */
MLIR_CAPI_EXPORTED void memplanReplaceAllUses(MlirValue from, MlirValue to);

/* Calls `body(i, user)` for each i below `count`, on the context's threads if
 * it has any. Diagnostics are printed in the order of i. */
MLIR_CAPI_EXPORTED void memplanParallelFor(MlirContext context, intptr_t count,
                                           void (*body)(intptr_t, void *),
                                           void *user);

/*===-- Passes -------------------------------------------------------------===*/

/* Rust declares a pass and passes its descriptor once; everything it points to
 * lives as long as the process. */
typedef struct {
  const char *name;
  const char *description;
  const char *placeholder;   /* of the value in --help */
  const char *default_value; /* as text */
  bool flag;                 /* may stand without a value, for "true" */
} MemplanOption;

typedef struct {
  const char *name;
  const char *description;
} MemplanStatistic;

struct MemplanRun;
typedef struct MemplanRun MemplanRun;

typedef struct MemplanPassDescriptor {
  const char *argument;
  const char *summary;
  intptr_t option_count;
  const MemplanOption *options;
  const char *usage; /* the note after an error about an unknown option */
  intptr_t statistic_count;
  const MemplanStatistic *statistics;
  intptr_t dialect_count;
  const char *const *dialects; /* dependent dialects, by namespace */
  bool module_only;            /* schedules on builtin.module only */

  /* Passed to each callback. */
  const void *user;
  /* State that all clones of a pass share; Rust counts the references. */
  void *(*state_new)(const void *user);
  void *(*state_clone)(void *state);
  void (*state_drop)(void *state);
  /* Checks the options as texts, in the order above. Returns false after
   * reporting an error to `error`. */
  bool (*check_options)(const void *user, const MlirStringRef *values,
                        void (*error)(MlirStringRef, void *), void *error_user);
  /* Runs before any run of the pass, without IR. False fails the pipeline. */
  bool (*initialize)(const void *user, void *state, MlirContext context,
                     const MlirStringRef *values);
  /* One run. False fails the pass. */
  bool (*run)(const void *user, void *state, MlirOperation op,
              const MlirStringRef *values, MemplanRun *run);
} MemplanPassDescriptor;

MLIR_CAPI_EXPORTED void
memplanRegisterPass(const MemplanPassDescriptor *descriptor);
/* Creates a pass with options, written as between braces in a pipeline. Null
 * after reporting an error to `error`. */
MLIR_CAPI_EXPORTED MlirPass memplanCreateDescribedPass(
    const MemplanPassDescriptor *descriptor, MlirStringRef options,
    void (*error)(MlirStringRef, void *), void *error_user);
/* Adds to a statistic of the pass that is running. */
MLIR_CAPI_EXPORTED void memplanRunAddStatistic(MemplanRun *run, intptr_t index,
                                               uint64_t amount);
/* Preserves all analyses, as the pass changed nothing. */
MLIR_CAPI_EXPORTED void memplanRunPreserveAll(MemplanRun *run);
/* A value of the caller that an analysis of MLIR's AnalysisManager holds. It is
 * dropped when the analysis is invalidated. Null if there is none. */
typedef struct {
  void *value;
  void (*drop)(void *value);
} MemplanCachedAnalysis;
/* The slot for an operation, which is that of the run or nested in it. A pass
 * that does not preserve it invalidates it. Not thread-safe. */
MLIR_CAPI_EXPORTED MemplanCachedAnalysis *
memplanRunCachedAnalysis(MemplanRun *run, MlirOperation op);
/* Preserves the slots of operations, though the pass may have changed some
 * operations. */
MLIR_CAPI_EXPORTED void memplanRunPreserveCachedAnalysis(MemplanRun *run);
/* The slot for the operation of the run that stays valid while the pass manager
 * runs. */
MLIR_CAPI_EXPORTED MemplanCachedAnalysis *
memplanRunSharedCache(MemplanRun *run);

/*===-- Pipelines ----------------------------------------------------------===*/

typedef void (*MemplanTextCallback)(MlirStringRef text, void *user);

typedef struct {
  const char *argument;
  const char *summary;
  intptr_t option_count;
  const MemplanOption *options;
  const char *usage; /* the note after an error about an unknown option */
  /* Passed to the callback. */
  const void *user;
  /* Passes the pipeline as text to `text`, for the options as texts. Returns
   * false after reporting an error to `text`. */
  bool (*passes)(const void *user, const MlirStringRef *values,
                 MemplanTextCallback text, void *text_user);
} MemplanPipelineDescriptor;

MLIR_CAPI_EXPORTED void
memplanRegisterPipeline(const MemplanPipelineDescriptor *descriptor);
/* Registers the passes of MLIR that pipelines use. */
MLIR_CAPI_EXPORTED void memplanRegisterUpstreamPasses(void);
/* Adds the passes of a pipeline, with options as above. False after reporting
 * an error to `error`. */
MLIR_CAPI_EXPORTED bool
memplanAddPipeline(const MemplanPipelineDescriptor *descriptor,
                   MlirOpPassManager manager, MlirStringRef options,
                   void (*error)(MlirStringRef, void *), void *error_user);
/* Whether a text is one of passes on a module. If not, `error` gets what is
 * wrong. */
MLIR_CAPI_EXPORTED bool memplanCheckPasses(MlirStringRef passes,
                                           void (*error)(MlirStringRef, void *),
                                           void *error_user);
/* Runs passes, as in a textual pipeline, on a copy of a module, which is then
 * dropped, and so are its diagnostics. Whether they succeeded. */
MLIR_CAPI_EXPORTED bool memplanRunOnCopy(MlirOperation module,
                                         MlirStringRef passes);
/* Registers the pass memplan-where{op=NAME passes=PIPELINE}; its errors end in
 * `end`. */
MLIR_CAPI_EXPORTED void memplanRegisterWhere(const char *end);

/* Expands strided copies, softmax on memrefs, scans of vectors, masked
 * transfers, and control flow that waits in an operation. Returns how many were
 * expanded. */
MLIR_CAPI_EXPORTED int64_t memplanExpandOps(MlirOperation op);

/* Null if the MLIR in this process is the host's own and the version that
 * memplan was built for; otherwise the problem, in one line. */
MLIR_CAPI_EXPORTED const char *memplanHostProblem(void);

/*===-- Splitting a module -------------------------------------------------===*/

/* Parses a module, text or bytecode; null, with diagnostics, if that fails.
 * Locations name the source. */
MLIR_CAPI_EXPORTED MlirModule memplanParse(MlirContext context,
                                           MlirStringRef text,
                                           MlirStringRef name);

/* An empty module with the attributes of another one. */
MLIR_CAPI_EXPORTED MlirModule memplanModuleLike(MlirModule module);

enum MemplanSymbolKind {
  MEMPLAN_SYMBOL_FUNCTION, /* func.func or llvm.func with a body */
  MEMPLAN_SYMBOL_DATA,     /* memref.global or llvm.mlir.global with a value */
  MEMPLAN_SYMBOL_DECLARED, /* a declaration of one of these */
  MEMPLAN_SYMBOL_OTHER,
};

/* An operation of a module. */
typedef struct {
  enum MemplanSymbolKind kind;
  bool is_local;    /* only visible in this module */
  bool is_constant; /* data that is never written */
  bool
      calls_values; /* has indirect calls, or operations with unknown effects */
  int64_t ops;      /* number of operations, itself and nested ones */
} MemplanSymbol;

typedef void (*MemplanUseCallback)(MlirStringRef name, bool is_call,
                                   void *data);

/* The symbol that an operation of a module defines. Calls back for the symbols
 * that it refers to, each at most once by calls and once otherwise. */
MLIR_CAPI_EXPORTED void memplanSymbol(MlirOperation op, MemplanSymbol *symbol,
                                      MemplanUseCallback callback, void *data);

/* Makes a definition visible to other modules. */
MLIR_CAPI_EXPORTED void memplanMakeExternal(MlirOperation op);

/* Creates a declaration of a function or data. Nothing owns it yet. */
MLIR_CAPI_EXPORTED MlirOperation memplanDeclaration(MlirOperation op);

/* The contents of a private constant memref.global. Equal contents are the same
 * attribute; null for others. */
MLIR_CAPI_EXPORTED MlirAttribute memplanConstantContents(MlirOperation op);

/* Returns the new name of a symbol, or null to keep it. */
typedef MlirAttribute (*MemplanRenameCallback)(MlirAttribute name, void *data);

/* Renames symbols in all references of an operation. */
MLIR_CAPI_EXPORTED void
memplanRenameUses(MlirOperation op, MemplanRenameCallback callback, void *data);

/* True if two operations are equal except for their locations. */
MLIR_CAPI_EXPORTED bool memplanIsEquivalent(MlirOperation one,
                                            MlirOperation other);

/*===-- Machine code -------------------------------------------------------===*/

/* Passes one line to `text` with the reason why no code can be generated for a
 * target, or no object that can be joined with others; nothing if there is
 * none. Targets must have been initialized. */
MLIR_CAPI_EXPORTED void
memplanTargetProblem(MlirStringRef triple, MlirStringRef cpu,
                     MlirStringRef features, bool forObject,
                     MemplanTextCallback text, void *user);

enum MemplanLlvmForm {
  MEMPLAN_LLVM_TRANSLATED, /* MLIR translates it to LLVM IR */
  MEMPLAN_LLVM_CAST,       /* joins types that were not converted */
  MEMPLAN_LLVM_NONE,
};

/* What an operation is in LLVM IR. Dialects have registered their translations
 * in the context. */
MLIR_CAPI_EXPORTED enum MemplanLlvmForm memplanLlvmForm(MlirOperation op);

/* Gives the reason why a memref of the operation has no descriptor in LLVM, if
 * there is one. */
MLIR_CAPI_EXPORTED void
memplanMemrefProblem(MlirOperation op, MemplanTextCallback text, void *user);

/* The first operation in `root` that has a vector of more than `limit` elements
 * in their last dimension as an operand or a result, and the number of these;
 * null if there is none. Arrays of vectors count as their vectors. */
MLIR_CAPI_EXPORTED MlirOperation memplanLargeVector(MlirOperation root,
                                                    int64_t limit,
                                                    int64_t *elements);

/*===-- Tools --------------------------------------------------------------===*/

/* Runs mlir-opt with the dialects of a registry, and all registered passes.
 * Returns the exit status. `version` is a line; it is not copied. */
MLIR_CAPI_EXPORTED int memplanOptMain(int argc, char **argv,
                                      const char *version,
                                      MlirDialectRegistry registry);

/* Runs MLIR's language server, with the same arguments. */
MLIR_CAPI_EXPORTED int memplanLspMain(int argc, char **argv,
                                      MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif
#endif /* MEMPLAN_C_SHIM_H */
