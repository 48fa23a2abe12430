//! What the pass says.

use memplan_interface::codes;

codes! {
    UNSTRUCTURED_LOOP = "memplan-E601" {
        summary: "Blocks form an unstructured loop",
        meaning: "A branch leads back to an earlier block, so that blocks form a loop. The \
        iterations of such a loop are not counted.",
        advice: "Write the loop as `scf.for`, or run `lift-cf-to-scf` and see whether its \
        bounds are constant.",
    }
    NO_TRIP_COUNT = "memplan-E602" {
        summary: "The trip count of a loop is not constant",
        meaning: "A bound or the step is not computed from constants, or the step is not \
                  positive. The message says which, and what it depends on.",
        advice: "Where the message says so, inline functions or propagate constants first. \
                 Otherwise give the loop constant bounds, such as an upper bound with an \
                 `scf.if` inside.",
        example: "memplan-check-bounded" => "\
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}",
    }
    WHILE = "memplan-E603" {
        summary: "`scf.while` has no constant trip count",
        meaning: "Each iteration decides whether another one follows.",
        advice: "Write it as an `scf.for` with the largest trip count that it can have, and an \
        `scf.if` inside.",
    }
    UNKNOWN = "memplan-E604" {
        summary: "An operation is unknown",
        meaning: "Its dialect is not registered, so it may do anything and may never end.",
        advice: "Register its dialect, or lower the operation first.",
        example: "memplan-check-bounded" => "\
func.func @f() {
  \"somebody.acts\"() : () -> ()
  return
}",
    }
    ANY_SIZE = "memplan-E605" {
        summary: "An operation iterates over a memref of dynamic size",
        meaning: "`memref.copy` and operations of `linalg` have one iteration for each element, \
        and the type does not give the number of elements.",
        advice: "Give the memref a static shape, or use a view of static size.",
    }
    INDIRECT = "memplan-E606" {
        summary: "A call is indirect",
        meaning: "The called function is unknown, so it may be unbounded.",
        advice: "Call the function by its symbol.",
    }
    NO_BODY = "memplan-E607" {
        summary: "The callee has no body in the module",
        meaning: "The function is a declaration, or its symbol is not found.",
        advice: "If the function is bounded, declare it with the attribute `memplan.bounded`.",
    }
    RECURSION = "memplan-E608" {
        summary: "A function is recursive",
        meaning: "Functions call each other in a cycle. The notes follow the calls.",
        advice: "Write the recursion as a loop of a constant trip count.",
    }
    CALLS_UNBOUNDED = "memplan-E609" {
        summary: "A callee is not bounded",
        meaning: "The callee, or a function that it calls, has an error of its own. The notes \
        follow the calls to it.",
        advice: "Fix the operation at the last note.",
    }
    TRIP_COUNT = "memplan-R601" {
        summary: "Trip count of a loop",
        meaning: "With `remarks=true`: the trip count of each loop. A trip count that depends \
                  on the induction variable of an enclosing loop differs between iterations of \
                  that loop.",
        advice: "Nothing.",
    }
    SIZE = "memplan-R602" {
        summary: "Size of a function after expansion",
        meaning: "With `remarks=true`: the number of paths through the function, and the number \
                  of operations today, after `memplan-expand-loops`, and after \
                  `memplan-treeify`. The numbers are computed without rewriting the function.",
        advice: "Compare the numbers with `max-ops` of these passes. If a tree is too large, \
                 use `memplan-tree-scan{virtual=true}`, which does not duplicate code.",
    }
}
