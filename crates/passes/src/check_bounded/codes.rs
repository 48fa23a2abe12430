//! What the pass says.

use memplan_mlir::codes;

codes! {
    CIRCLE = "memplan-E601" {
        summary: "Blocks lead back to each other",
        meaning: "A branch goes back to a block that control came from: a loop of blocks, whose turns are not counted.",
        advice: "Write the loop as `scf.for`, or run `lift-cf-to-scf` and see whether its bounds are constant.",
    }
    TURNS = "memplan-E602" {
        summary: "The turns of a loop cannot be counted",
        meaning: "A bound or the step does not follow from constants, or the step does not go up. The message says which, and \
                  what it depends on.",
        advice: "Where the message says so, inline or propagate constants first. Else give the loop constant bounds, such as \
                 an upper bound with an `scf.if` inside.",
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
        summary: "`scf.while` may turn any number of times",
        meaning: "Whether it goes on is decided turn by turn.",
        advice: "Write it as an `scf.for` of the most turns that it can take, with an `scf.if` inside.",
    }
    UNKNOWN = "memplan-E604" {
        summary: "Nothing is known of an operation",
        meaning: "Its dialect is not registered, so it may do anything, for ever.",
        advice: "Register its dialect, or lower it before.",
        example: "memplan-check-bounded" => "\
func.func @f() {
  \"somebody.acts\"() : () -> ()
  return
}",
    }
    ANY_SIZE = "memplan-E605" {
        summary: "An operation goes over a memref of a size that only the run knows",
        meaning: "`memref.copy` and operations of `linalg` turn once for each element, and no type tells how many these are.",
        advice: "Give the memref a static shape, or take a view of known size of it.",
    }
    INDIRECT = "memplan-E606" {
        summary: "What is called is a value",
        meaning: "Which function that is, and whether it is bounded, is not known.",
        advice: "Call the function by its name.",
    }
    NO_BODY = "memplan-E607" {
        summary: "What is called cannot be looked into",
        meaning: "The function has no body, or is not in the module.",
        advice: "If all that it does is bounded, declare it with the attribute `memplan.bounded`.",
    }
    RECURSION = "memplan-E608" {
        summary: "A call leads back to the function that it stands in",
        meaning: "Functions call each other in a circle. Notes follow the calls.",
        advice: "Write the recursion as a loop of a constant trip count.",
    }
    CALLS_UNBOUNDED = "memplan-E609" {
        summary: "What is called is not bounded",
        meaning: "The callee, or what it calls in turn, has an error of its own. Notes follow the calls down to it.",
        advice: "Mend what the last note is at.",
    }
    LOOP_TURNS = "memplan-R601" {
        summary: "How often a loop turns",
        meaning: "With `remarks=true`. Turns that depend on the induction variable of a loop around differ from turn to turn \
                  of that.",
        advice: "Nothing.",
    }
    SIZE = "memplan-R602" {
        summary: "How large a function would become",
        meaning: "With `remarks=true`: how many paths go through the function, and how many operations it has now, would have \
                  behind `memplan-expand-loops`, and behind `memplan-treeify`. Worked out without writing anything.",
        advice: "Compare with `max-ops` of these passes. A tree that is too large fits `memplan-tree-scan{virtual=true}`, \
                 which writes nothing out.",
    }
}
