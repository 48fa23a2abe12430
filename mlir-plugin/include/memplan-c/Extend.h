/* What a compiler brings itself: planners, and what the operations of its
 * dialects do with memory.
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

/*===-- What operations do with memory ------------------------------------===*/

typedef struct MemplanRules MemplanRules;

/* Says what an operation does, by the functions below, and returns NULL; or
 * returns what is wrong with it, which fails the pass that asks. */
typedef const char *(*MemplanCollector)(MlirOperation op, MemplanRules *rules,
                                        void *userData);

/* From now on, `collector` is asked about operations of this name that have no
 * regions, in place of their interfaces. All passes go by it. Calls, operations
 * that end a block, and those that memplan knows by itself have no rules: to
 * give some for these fails the pass. */
MLIR_CAPI_EXPORTED void memplanRegisterRules(MlirStringRef name,
                                             MemplanCollector collector,
                                             void *userData);

/* Operands and results are counted from 0, among all of the operation's. A
 * memref operand that nothing is said of is read. */
MLIR_CAPI_EXPORTED void memplanRulesReads(MemplanRules *rules,
                                          intptr_t operand);
MLIR_CAPI_EXPORTED void memplanRulesWrites(MemplanRules *rules,
                                           intptr_t operand);
/* Writes every element, and reads none through this operand. */
MLIR_CAPI_EXPORTED void memplanRulesOverwrites(MemplanRules *rules,
                                               intptr_t operand);
/* Reads each element of `read` before it writes the one at the same place of
 * `written`, which has the same shape, and not after. */
MLIR_CAPI_EXPORTED void memplanRulesInStep(MemplanRules *rules, intptr_t read,
                                           intptr_t written);
/* Gives the memory back. */
MLIR_CAPI_EXPORTED void memplanRulesFrees(MemplanRules *rules,
                                          intptr_t operand);
/* May keep it for longer than can be said: memplan leaves it alone. */
MLIR_CAPI_EXPORTED void memplanRulesKeeps(MemplanRules *rules,
                                          intptr_t operand);
/* A result is new memory, which the program gives back itself, or a
 * deallocation handler says how. */
MLIR_CAPI_EXPORTED void memplanRulesMakes(MemplanRules *rules, intptr_t result);
/* All memref results are views of this operand. Goes with reads and writes of
 * other operands alone. */
MLIR_CAPI_EXPORTED void memplanRulesViews(MemplanRules *rules,
                                          intptr_t operand);
/* It goes on when control has passed it: what it uses is needed until the
 * token among its results, of which there is one, has been waited for. If it
 * waits, too, it starts when that is done. */
MLIR_CAPI_EXPORTED void memplanRulesGoesOn(MemplanRules *rules);
/* What the tokens among its operands stand for is done when it is. */
MLIR_CAPI_EXPORTED void memplanRulesWaits(MemplanRules *rules);
/* Of this one, what its interfaces say holds after all. */
MLIR_CAPI_EXPORTED void memplanRulesByInterfaces(MemplanRules *rules);

/* From now on, values of the type that prints so ("!npu.token") are tokens. */
MLIR_CAPI_EXPORTED void memplanRegisterTokenType(MlirStringRef type);

/*===-- Who gives memory back ---------------------------------------------===*/

typedef struct MemplanDeallocation MemplanDeallocation;

/* As a collector, for memplan-ownership-dealloc. Others do not ask it: an
 * operation that takes memory has rules, too, which say that it keeps it. */
typedef const char *(*MemplanDeallocationHandler)(
    MlirOperation op, MemplanDeallocation *deallocation, void *userData);

/* From now on, `handler` is asked about operations of this name without
 * regions: once for each memref among the results, in their order, it says
 * what that is, and which operands the operation takes. */
MLIR_CAPI_EXPORTED void
memplanRegisterDeallocation(MlirStringRef name,
                            MemplanDeallocationHandler handler, void *userData);

/* The next memref is new memory, which an operation named `freedBy`, with the
 * memref for its only operand, gives back; an empty name is memref.dealloc. */
MLIR_CAPI_EXPORTED void
memplanDeallocationGivesNew(MemplanDeallocation *deallocation,
                            MlirStringRef freedBy);
/* The next memref is the memory of any of these operands. */
MLIR_CAPI_EXPORTED void
memplanDeallocationGivesOperands(MemplanDeallocation *deallocation,
                                 intptr_t count, const intptr_t *operands);
/* The next memref is memory of someone else. */
MLIR_CAPI_EXPORTED void
memplanDeallocationGivesForeign(MemplanDeallocation *deallocation);
/* The function does not give the memory of this operand back any more. */
MLIR_CAPI_EXPORTED void
memplanDeallocationTakes(MemplanDeallocation *deallocation, intptr_t operand);
/* Of this one, what its interfaces say holds after all. */
MLIR_CAPI_EXPORTED void
memplanDeallocationByInterfaces(MemplanDeallocation *deallocation);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_EXTEND_H */
