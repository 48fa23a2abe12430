/* What memplan needs of MLIR and the C API lacks. In the manner of mlir-c:
 * plain structs, one function per interface method, results handed to a
 * callback where their number is not known beforehand.
 *
 * The same header is read by the C++ that implements it (Interfaces.cpp,
 * Pass.cpp) and by bindgen for Rust. Nothing here is exported by the plugin. */
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

/* What the name of an operation alone decides: traits and interfaces. Callers
 * cache it by the identity of the name (mlirOperationGetName is interned). */
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
  /* The value that the effect is on; null when it is on none in particular. */
  MlirValue value;
  /* The resource is AutomaticAllocationScopeResource (stack memory). */
  bool automatic_scope;
  /* The resource is the default one, or the automatic one: memory. */
  bool memory;
} MemplanEffect;

typedef void (*MemplanEffectCallback)(const MemplanEffect *effect, void *user);
/* Calls back for each effect that the operation itself declares. Returns false
 * where it does not implement the interface. */
MLIR_CAPI_EXPORTED bool memplanOperationEffects(MlirOperation op,
                                                MemplanEffectCallback callback,
                                                void *user);
/* True if the operation, and all nested in it, have no effect on memory. */
MLIR_CAPI_EXPORTED bool memplanOperationIsMemoryEffectFree(MlirOperation op);

/*===-- Contents -----------------------------------------------------------===*/

/* Every element of operand `written` is written, and through that operand none
 * is read; or, unless `read` is -1: it is written element by element, and each
 * element of operand `read`, which has the same shape, is read before the one at
 * its place is written, and not after; through other operands of the same value
 * neither. The latter is of operations whose regions do not touch memory. */
typedef void (*MemplanContentsCallback)(intptr_t written, intptr_t read,
                                        void *user);
/* Calls back for each thing that is known for certain of an operation that
 * implements LinalgOp; operands are numbers. */
MLIR_CAPI_EXPORTED void
memplanStructuredContents(MlirOperation op, MemplanContentsCallback callback,
                          void *user);

/* Is an operand an input or output of an operation that implements LinalgOp, and
 * works on memrefs? */
MLIR_CAPI_EXPORTED bool memplanIsStructuredOperand(MlirOperation op,
                                                   intptr_t operand);

/* Has the vector that an operation transfers (VectorTransferOpInterface) exactly
 * the elements of the memref, without a mask? */
MLIR_CAPI_EXPORTED bool memplanTransferCovers(MlirOperation op);

/* Has a vector exactly the elements of a memref that is laid out row by row, if
 * it starts at the first one? */
MLIR_CAPI_EXPORTED bool memplanVectorCovers(MlirType vector, MlirType memref);

/*===-- Strides ------------------------------------------------------------===*/

/* The type of a view by an operation like memref.subview, memref.expand_shape,
 * memref.collapse_shape or memref.cast of a memref of type `source`, which has
 * the shape and elements of its own source; null where there is none. */
MLIR_CAPI_EXPORTED MlirType memplanSlicedType(MlirOperation op,
                                              MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanExpandedType(MlirOperation op,
                                                MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanCollapsedType(MlirOperation op,
                                                 MlirType source);
MLIR_CAPI_EXPORTED MlirType memplanCastType(MlirOperation op, MlirType source);

/* Are elements of the last dimension next to each other? */
MLIR_CAPI_EXPORTED bool memplanIsLastDimUnitStride(MlirType memref);

/* Do no two elements of a memref type have the same place, for certain? */
bool memplanIsInjective(MlirType type);

/* Have two memref types the same shape and elements? */
bool memplanHaveSameElements(MlirType one, MlirType other);

/* A strided memref type with its dimensions in another order: place i is the
 * dimension order[i]. Null if it has no strides. */
MlirType memplanTransposedType(MlirType type, intptr_t count,
                               const int64_t *order);

/* A view of `source`, in front of `before`, of that type. */
MlirValue memplanTransposedView(MlirOperation before, MlirValue source,
                                intptr_t count, const int64_t *order);

/*===-- Control flow -------------------------------------------------------===*/

typedef struct {
  /* Region of the parent that control goes to; -1: back to the parent. */
  intptr_t region;
  /* Values that are forwarded, and what they become: block arguments of the
   * region, or results of the parent. Both have `count` entries. */
  intptr_t count;
  const MlirValue *operands;
  const MlirValue *inputs;
} MemplanRegionEdge;

typedef void (*MemplanRegionEdgeCallback)(const MemplanRegionEdge *edge,
                                          void *user);
/* RegionBranchOpInterface: where control goes when the operation starts. */
MLIR_CAPI_EXPORTED bool
memplanRegionBranchEntry(MlirOperation op, MemplanRegionEdgeCallback callback,
                         void *user);
/* RegionBranchTerminatorOpInterface: where control goes after a terminator.
 * False if the parent or the terminator does not implement its interface, or
 * if the number of operands and inputs of an edge differ. */
MLIR_CAPI_EXPORTED bool
memplanRegionBranchTerminator(MlirOperation terminator,
                              MemplanRegionEdgeCallback callback, void *user);

typedef void (*MemplanBranchCallback)(intptr_t produced, intptr_t count,
                                      const MlirValue *forwarded, void *user);
/* BranchOpInterface: the first `produced` arguments of the successor are made
 * by the branch itself; the following ones are `forwarded`. */
MLIR_CAPI_EXPORTED bool memplanBranchOperands(MlirOperation op,
                                              intptr_t successor,
                                              MemplanBranchCallback callback,
                                              void *user);

/* What a result of an operation is, given constants for its operands, null
 * where none is known: an attribute, or a value that it always is; the other
 * one is left as it was. False if neither is known. The operation stays as it
 * is. */
MLIR_CAPI_EXPORTED bool memplanFold(MlirOperation op, intptr_t result,
                                    intptr_t count,
                                    const MlirAttribute *operands,
                                    MlirAttribute *attribute, MlirValue *value);

/* Who owns a memref that an operation gives. */
typedef enum MemplanModelGives {
  /* The owners of its operands, or somebody else. */
  MEMPLAN_GIVES_SHARED,
  /* Whoever gets it. */
  MEMPLAN_GIVES_NEW,
} MemplanModelGives;

/* BufferDeallocationOpInterface: asks the model of an operation without
 * regions and successors, which stays as it is. One of `takes` an operand: a
 * memref that its owner does not own any more behind the operation. One of
 * `gives` a result; of those that are memrefs. False where the model does
 * what these cannot say. */
MLIR_CAPI_EXPORTED bool memplanDeallocationModel(MlirOperation op, bool *takes,
                                                 MemplanModelGives *gives);

/* LoopLikeOpInterface: the trip count where it is a constant that fits;
 * otherwise -1. */
MLIR_CAPI_EXPORTED int64_t memplanLoopStaticTripCount(MlirOperation op);
/* What LoopLikeOpInterface says of a loop. Of bounds and steps, there is one
 * for each dimension. */
typedef enum MemplanLoopPart {
  MEMPLAN_LOOP_INDUCTION,
  MEMPLAN_LOOP_LOWER,
  MEMPLAN_LOOP_UPPER,
  MEMPLAN_LOOP_STEP,
  /* What is carried into the first iteration, what that is in an iteration,
   * and what an iteration hands to the next one. */
  MEMPLAN_LOOP_START,
  MEMPLAN_LOOP_CARRIED,
  MEMPLAN_LOOP_YIELDED,
} MemplanLoopPart;

/* Either the value or the constant is null. */
typedef void (*MemplanLoopCallback)(MemplanLoopPart part, MlirValue value,
                                    MlirAttribute constant, void *user);
/* LoopLikeOpInterface: the parts of a loop, those of one kind in order; none of
 * a kind of which the loop says nothing. False if it is not implemented. */
MLIR_CAPI_EXPORTED bool
memplanLoopParts(MlirOperation op, MemplanLoopCallback callback, void *user);

/* LoopLikeOpInterface: true if `region` is one of the loop's bodies. */
MLIR_CAPI_EXPORTED bool memplanLoopHasRegion(MlirOperation op,
                                             MlirRegion region);

/*===-- Views, calls, functions --------------------------------------------===*/

/* ViewLikeOpInterface: the value that is viewed; null if not implemented. */
MLIR_CAPI_EXPORTED MlirValue memplanViewSource(MlirOperation op);

/* CallOpInterface: the operation called, looked up by its symbol; null where
 * the callee is a value, or is not found. */
MLIR_CAPI_EXPORTED MlirOperation memplanCallResolve(MlirOperation op);
/* CallOpInterface: the symbol called; null where the callee is a value. */
MLIR_CAPI_EXPORTED MlirAttribute memplanCallSymbol(MlirOperation op);
/* CallOpInterface: the value that is called; null where a symbol is. */
MLIR_CAPI_EXPORTED MlirValue memplanCallValue(MlirOperation op);
/* CallOpInterface: the range of operands that are arguments. */
MLIR_CAPI_EXPORTED bool memplanCallArguments(MlirOperation op, intptr_t *first,
                                             intptr_t *count);

/* The last operation of a block if it is a terminator, or is not registered
 * and may be one; else null. */
MLIR_CAPI_EXPORTED MlirOperation memplanBlockTerminator(MlirBlock block);

/* FunctionOpInterface: the body; null region where there is none. */
MLIR_CAPI_EXPORTED MlirRegion memplanFunctionBody(MlirOperation op);
/* FunctionOpInterface: one more argument behind the others, with a dictionary
 * of attributes. False if the function cannot have it. */
MLIR_CAPI_EXPORTED bool memplanFunctionAppendArgument(MlirOperation op,
                                                      MlirType type,
                                                      MlirAttribute attributes,
                                                      MlirLocation location);
/* FunctionOpInterface: one more result in the type, behind the others. False if
 * the function cannot have it. */
MLIR_CAPI_EXPORTED bool memplanFunctionAppendResult(MlirOperation op,
                                                    MlirType type);

/* Gives a result of a function one more attribute, by itself. False if there is no such result. */
MLIR_CAPI_EXPORTED bool memplanFunctionMarkResult(MlirOperation op,
                                                  intptr_t result,
                                                  MlirStringRef name);

/* Has a result of a function an attribute? */
MLIR_CAPI_EXPORTED bool
memplanFunctionResultHas(MlirOperation op, intptr_t result, MlirStringRef name);
/* Calls back for each symbol that an attribute of `op`, or of what it holds,
 * refers to, with the operation that has the attribute. The callee of a
 * func.call is left out. */
typedef void (*MemplanReferenceCallback)(MlirOperation user, MlirStringRef name,
                                         void *data);
MLIR_CAPI_EXPORTED void memplanReferences(MlirOperation op,
                                          MemplanReferenceCallback callback,
                                          void *data);
/* The symbol name of any operation that has one; else empty. */
MLIR_CAPI_EXPORTED MlirStringRef memplanSymbolName(MlirOperation op);

/*===-- Data layout --------------------------------------------------------===*/

typedef struct {
  void *ptr;
} MemplanDataLayout;

/* The layout in force at the operation. Destroy it after use. */
MLIR_CAPI_EXPORTED MemplanDataLayout memplanDataLayoutAt(MlirOperation op);
MLIR_CAPI_EXPORTED void memplanDataLayoutDestroy(MemplanDataLayout layout);

/* Bytes from one element of a memref to the next, and its alignment, as the
 * LLVM lowering lays memrefs out; false where it does not know the type. */
MLIR_CAPI_EXPORTED bool memplanElementLayout(MemplanDataLayout layout,
                                             MlirType element, uint64_t *stride,
                                             uint64_t *alignment);
/* The memref is laid out row by row without gaps (identity layout). */
MLIR_CAPI_EXPORTED bool memplanMemRefIsIdentity(MlirType memref);

/*===-- Types --------------------------------------------------------------===*/

/* The type is `!async.group`. */
MLIR_CAPI_EXPORTED bool memplanIsAsyncGroup(MlirType type);
/* What an `!async.value` is of; null where the type is none. */
MLIR_CAPI_EXPORTED MlirType memplanAsyncValueElement(MlirType type);
/* The type is a struct or array of the LLVM dialect, or a tuple, of nothing but
 * numbers, vectors of them and other such types. */
MLIR_CAPI_EXPORTED bool memplanIsDataAggregate(MlirType type);

/*===-- Values -------------------------------------------------------------===*/

/* Of two values of type index: proven that left <= right whenever both are
 * defined, by ValueBoundsOpInterface (arithmetic without overflow). */
MLIR_CAPI_EXPORTED bool memplanIndexAtMost(MlirValue left, MlirValue right);
/* A constant that an index value never exceeds, or never stays below. */
MLIR_CAPI_EXPORTED bool memplanIndexConstantBound(MlirValue value, bool upper,
                                                  int64_t *bound);
/* The operation is free of effects on memory, and upstream's interface says
 * that it may run where it would not have run. */
MLIR_CAPI_EXPORTED bool memplanIsSpeculatable(MlirOperation op);
/* A divisor is known not to be zero nor, if the division is signed, -1. */
MLIR_CAPI_EXPORTED bool memplanIsSafeDivisor(MlirValue divisor, bool isSigned);
/* A constant that is zero. */
MLIR_CAPI_EXPORTED bool memplanIsZero(MlirValue value);
/* An integer constant that is not negative. */
MLIR_CAPI_EXPORTED bool memplanIsConstantNotNegative(MlirValue value);
/* The operation has an affine map of that name, which divides by positive
 * constants alone. */
MLIR_CAPI_EXPORTED bool memplanDividesByConstants(MlirOperation op,
                                                  MlirStringRef name);

/*===-- More operands, results and blocks ----------------------------------===*/

/* The operation anew, with more operands and results behind those that it has;
 * `operandSegmentSizes` counts the operands to the last segment, and the results
 * have no attributes. The old one is erased. */
MLIR_CAPI_EXPORTED MlirOperation memplanRecreate(MlirOperation op,
                                                 intptr_t operand_count,
                                                 const MlirValue *operands,
                                                 intptr_t result_count,
                                                 const MlirType *results);

/* An operation anew, without some of its results, which have no use, and without
 * the operands of those numbers of the last operations of its blocks. The old
 * one is erased. */
MLIR_CAPI_EXPORTED MlirOperation memplanDropResults(MlirOperation op,
                                                    intptr_t count,
                                                    const intptr_t *numbers);

/* Forwards more values to a successor of a branch. False without
 * BranchOpInterface. */
MLIR_CAPI_EXPORTED bool memplanBranchAppend(MlirOperation branch,
                                            intptr_t successor, intptr_t count,
                                            const MlirValue *values);

/* Puts a block in front of a successor of a branch, for that edge alone.
 * Returns the branch that ends it; null where the branch makes operands of its
 * own. */
MLIR_CAPI_EXPORTED MlirOperation memplanSplitEdge(MlirOperation branch,
                                                  intptr_t successor);

/* Gives each edge into the block that starts with an operation a block of its
 * own, which starts with a copy of the operation and ends in a branch. The
 * block gets the results as arguments behind its others, and the operation is
 * erased. False, and nothing is changed, where a predecessor is no branch, or
 * makes operands of its own. */
MLIR_CAPI_EXPORTED bool memplanSplitLandingPad(MlirOperation first);

/* Gives an scf.if or affine.if without results and else-branch an empty one.
 * Returns its terminator; null for what is neither. */
MLIR_CAPI_EXPORTED MlirOperation memplanAddElse(MlirOperation op);

/* Puts the blocks of `fresh`, which no operation has, in place of those of
 * `old`. */
MLIR_CAPI_EXPORTED void memplanReplaceBody(MlirRegion old, MlirRegion fresh);

/* Erases the blocks of a region that its first one does not lead to, and those
 * of regions in it. */
MLIR_CAPI_EXPORTED void memplanEraseUnreachableBlocks(MlirRegion region);

/*===-- Diagnostics, IR ----------------------------------------------------===*/

enum MemplanSeverity {
  MEMPLAN_ERROR,
  MEMPLAN_WARNING,
  MEMPLAN_REMARK,
};
/* Emits a diagnostic with notes; `notes` holds `count` locations and texts. */
MLIR_CAPI_EXPORTED void memplanEmit(enum MemplanSeverity severity,
                                    MlirLocation location,
                                    MlirStringRef message, intptr_t count,
                                    const MlirLocation *note_locations,
                                    const MlirStringRef *notes);

/* Calls `body(user)`. What is said in there a second time, notes included, in the
 * same words at the same known locations, is not said. */
MLIR_CAPI_EXPORTED void memplanSaidOnce(MlirContext context,
                                        void (*body)(void *), void *user);

/* True if the context collects optimization remarks (mlir-opt --remarks-filter). */
MLIR_CAPI_EXPORTED bool memplanRemarksEnabled(MlirContext context);
/* Hands an optimization remark to the context's engine: something was done, or
 * was missed. `category` is the pass, `name` says which kind of remark. The
 * text is asked for only if the engine wants the remark; false if it does not,
 * which holds for all remarks of that category and outcome. */
MLIR_CAPI_EXPORTED bool
memplanOptimizationRemark(bool passed, MlirLocation location,
                          MlirStringRef category, MlirStringRef name,
                          MlirStringRef function,
                          MlirStringRef (*text)(void *user), void *user);

/* Replaces every use of one value by another. */
MLIR_CAPI_EXPORTED void memplanReplaceAllUses(MlirValue from, MlirValue to);

/* Calls `body(i, user)` for each i below `count`, on the context's threads
 * where it has any. Diagnostics come out in the order of i. */
MLIR_CAPI_EXPORTED void memplanParallelFor(MlirContext context, intptr_t count,
                                           void (*body)(intptr_t, void *),
                                           void *user);

/*===-- Passes -------------------------------------------------------------===*/

/* A pass is declared in Rust and handed over once; everything it points to
 * lives as long as the process. */
typedef struct {
  const char *name;
  const char *description;
  const char *value;         /* what stands for the value in --help */
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
  const char *takes; /* the error behind one about an unknown option */
  intptr_t statistic_count;
  const MemplanStatistic *statistics;
  intptr_t dialect_count;
  const char *const *dialects; /* dependent dialects, by namespace */
  bool module_only;            /* schedules on builtin.module alone */

  /* Handed back to each callback. */
  const void *user;
  /* State that all clones of a pass share; counted by Rust. */
  void *(*state_new)(const void *user);
  void *(*state_clone)(void *state);
  void (*state_drop)(void *state);
  /* Checks the options as texts, in the order above. Returns false after
   * handing an error to `error`. */
  bool (*check_options)(const void *user, const MlirStringRef *values,
                        void (*error)(MlirStringRef, void *), void *error_user);
  /* Before any run, without IR. False fails the pipeline. */
  bool (*initialize)(const void *user, void *state, MlirContext context,
                     const MlirStringRef *values);
  /* One run. False fails the pass. */
  bool (*run)(const void *user, void *state, MlirOperation op,
              const MlirStringRef *values, MemplanRun *run);
} MemplanPassDescriptor;

MLIR_CAPI_EXPORTED void
memplanRegisterPass(const MemplanPassDescriptor *descriptor);
/* A pass with options as a pipeline writes them between braces; null after
 * handing an error to `error`. */
MLIR_CAPI_EXPORTED MlirPass
memplanMakePass(const MemplanPassDescriptor *descriptor, MlirStringRef options,
                void (*error)(MlirStringRef, void *), void *error_user);
/* Adds to a statistic of the pass that is running. */
MLIR_CAPI_EXPORTED void memplanRunAddStatistic(MemplanRun *run, intptr_t index,
                                               uint64_t amount);
/* Keeps the analyses: the pass changed nothing. */
MLIR_CAPI_EXPORTED void memplanRunPreserveAll(MemplanRun *run);
/* A value of the caller's that an analysis of MLIR's AnalysisManager holds, and
 * drops when it falls. Null where there is none. */
typedef struct {
  void *value;
  void (*drop)(void *value);
} MemplanHeld;
/* What is held of an operation that is that of the run, or below it. It falls
 * after a pass that does not preserve it. Not to be asked for by several
 * threads at once. */
MLIR_CAPI_EXPORTED MemplanHeld *memplanRunHeld(MemplanRun *run,
                                               MlirOperation op);
/* Keeps what is held of operations, though the pass may have changed some. */
MLIR_CAPI_EXPORTED void memplanRunPreserveHeld(MemplanRun *run);
/* What is held of the operation of the run as long as the pass manager runs. */
MLIR_CAPI_EXPORTED MemplanHeld *memplanRunShared(MemplanRun *run);

/*===-- Pipelines ----------------------------------------------------------===*/

typedef void (*MemplanTextCallback)(MlirStringRef text, void *user);

typedef struct {
  const char *argument;
  const char *summary;
  intptr_t option_count;
  const MemplanOption *options;
  const char *takes; /* the error behind one about an unknown option */
  /* Handed back. */
  const void *user;
  /* Hands the passes to `text`, as a pipeline is written, for the options as
   * texts. Returns false after handing an error to `text`. */
  bool (*passes)(const void *user, const MlirStringRef *values,
                 MemplanTextCallback text, void *text_user);
} MemplanPipelineDescriptor;

MLIR_CAPI_EXPORTED void
memplanRegisterPipeline(const MemplanPipelineDescriptor *descriptor);
/* Makes the passes of MLIR's known that pipelines are made of. */
MLIR_CAPI_EXPORTED void memplanRegisterStockPasses(void);
/* Adds the passes of a pipeline, with options as above. False after handing
 * an error to `error`. */
MLIR_CAPI_EXPORTED bool
memplanAddPipeline(const MemplanPipelineDescriptor *descriptor,
                   MlirOpPassManager manager, MlirStringRef options,
                   void (*error)(MlirStringRef, void *), void *error_user);
/* The pass memplan-where{op=NAME passes=PIPELINE}; what its errors end in. */
MLIR_CAPI_EXPORTED void memplanRegisterWhere(const char *end);

/* Null if the MLIR in this process is the one that memplan was built for, and
 * is the host's own; else one line that says what is wrong. */
MLIR_CAPI_EXPORTED const char *memplanHostProblem(void);

/*===-- Units of a module --------------------------------------------------===*/

/* Parses a module, text or bytecode; null, with diagnostics, where it is none.
 * Locations name the source. */
MLIR_CAPI_EXPORTED MlirModule memplanParse(MlirContext context,
                                           MlirStringRef text,
                                           MlirStringRef name);

/* An empty module with the attributes of another. */
MLIR_CAPI_EXPORTED MlirModule memplanModuleLike(MlirModule module);

enum MemplanSymbolKind {
  MEMPLAN_SYMBOL_FUNCTION, /* func.func or llvm.func with a body */
  MEMPLAN_SYMBOL_DATA,     /* memref.global or llvm.mlir.global with a value */
  MEMPLAN_SYMBOL_DECLARED, /* one of these, defined elsewhere */
  MEMPLAN_SYMBOL_OTHER,
};

/* An operation of a module. */
typedef struct {
  enum MemplanSymbolKind kind;
  bool is_local;     /* defined for this module alone */
  bool is_constant;  /* data that nobody writes to */
  bool calls_values; /* holds a call of who knows whom */
  int64_t ops;       /* that it holds, and itself */
} MemplanSymbol;

typedef void (*MemplanUseCallback)(MlirStringRef name, bool is_call,
                                   void *data);

/* What an operation of a module is, and the symbols that it refers to, each at
 * most once by calls and once otherwise. */
MLIR_CAPI_EXPORTED void memplanSymbol(MlirOperation op, MemplanSymbol *symbol,
                                      MemplanUseCallback callback, void *data);

/* Lets other modules refer to what an operation defines. */
MLIR_CAPI_EXPORTED void memplanShare(MlirOperation op);

/* A declaration of what a function or data defines; nobody's yet. */
MLIR_CAPI_EXPORTED MlirOperation memplanDeclaration(MlirOperation op);

/* What a private memref.global holds for ever, the same attribute where it is
 * the same; null for others. */
MLIR_CAPI_EXPORTED MlirAttribute memplanConstantContents(MlirOperation op);

/* Gives the new name of a symbol, or null for the one that it has. */
typedef MlirAttribute (*MemplanRenameCallback)(MlirAttribute name, void *data);

/* Renames symbols where something in an operation refers to them. */
MLIR_CAPI_EXPORTED void
memplanRenameUses(MlirOperation op, MemplanRenameCallback callback, void *data);

/* Whether two operations are the same but for locations. */
MLIR_CAPI_EXPORTED bool memplanSame(MlirOperation one, MlirOperation other);

/*===-- Machine code -------------------------------------------------------===*/

/* Hands one line to `text` that says why no code can be made for a target, or
 * no object that can be joined; nothing where it can. Targets must have been
 * initialized. */
MLIR_CAPI_EXPORTED void
memplanTargetProblem(MlirStringRef triple, MlirStringRef cpu,
                     MlirStringRef features, bool forObject,
                     MemplanTextCallback text, void *user);

/*===-- Tools --------------------------------------------------------------===*/

/* mlir-opt with the dialects of a registry, and all passes that are registered.
 * Returns what the process is to end with. `version`, a line, lives on. */
MLIR_CAPI_EXPORTED int memplanOptMain(int argc, char **argv,
                                      const char *version,
                                      MlirDialectRegistry registry);

/* MLIR's language server, the same. */
MLIR_CAPI_EXPORTED int memplanLspMain(int argc, char **argv,
                                      MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif
#endif /* MEMPLAN_C_SHIM_H */
