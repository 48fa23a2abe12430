//! Pipelines: passes that run together, in this order.

use crate::{
    assign_spaces, check_bounded, elide_copies, expand_loops, explain, fold_merges, hoist,
    lower_dealloc, merge_alloc, merge_results, merge_workgroup, ownership_dealloc, recompute,
    regions, reorder, results_to_out_params, reuse_arguments, reuse_results, simplify_dealloc,
    split, tree_scan, treeify, verify,
};
use memplan_interface::{
    Example, OptionDeclaration, OptionKind,
    pipeline::{Pipeline, PipelineStep},
};

/// From allocations without deallocations to a program that frees its memory. Options of passes that are
/// named here are options of the pipeline.
pub static DEALLOC: Pipeline = Pipeline {
    argument: "memplan-dealloc-pipeline",
    summary: "Free the allocations of a program: ownership, simplification and lowering",
    description: "\
Inserts deallocations by `memplan-ownership-dealloc`, after MLIR's \
`expand-realloc` and `memplan-fold-merges`, which removes merges that would need a flag. If \
run-time checks remain, `memplan-simplify-dealloc`, `memplan-lower-dealloc` and \
`memplan-fold-merges` follow. A pass without work is not run, and its output is not verified \
again. `canonicalize` and `cse` are not run: other operations stay as they are. The pipeline \
replaces `buffer-deallocation-pipeline`, on a module or on functions. Its options are those of \
the passes.",
    example: Example {
        before: "\
func.func @f(%a: memref<8xf32>, %c: i1) {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = scf.if %c -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  memref.copy %d, %a : memref<8xf32> to memref<8xf32>
  return
}",
        after: "\
func.func @f(%a: memref<8xf32>, %c: i1) {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = arith.select %c, %a, %b : memref<8xf32>
  memref.copy %d, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}",
    },
    steps: &[
        PipelineStep::IfPresent(
            "memref.realloc",
            &[PipelineStep::Upstream(
                "expand-realloc{emit-deallocs=false}",
            )],
        ),
        PipelineStep::IfPresent(
            "bufferization.clone",
            &[PipelineStep::PassWith(
                &ownership_dealloc::DECLARATION,
                "only-clones=true",
                &[],
            )],
        ),
        // A memref that may be one of several needs a flag, unless the merge folds.
        PipelineStep::Pass(&fold_merges::DECLARATION, &[]),
        PipelineStep::Pass(
            &ownership_dealloc::DECLARATION,
            &["private-function-dynamic-ownership", "placement"],
        ),
        // Most programs need no check at run time. If a flag decides whether one memref is freed, it becomes
        // a branch.
        PipelineStep::IfPresent(
            "bufferization.dealloc",
            &[
                PipelineStep::Pass(&simplify_dealloc::DECLARATION, &[]),
                PipelineStep::Pass(&lower_dealloc::DECLARATION, &[]),
                PipelineStep::Pass(&fold_merges::DECLARATION, &[]),
            ],
        ),
    ],
};

/// From a program with loops and branches to one on a stack of static size.
pub static BOUNDED: Pipeline = Pipeline {
    argument: "memplan-bounded-pipeline",
    summary: "Plan a bounded program on one stack: check, expand loops, duplicate branches, lay \
    out",
    description: "\
Runs the four passes for bounded programs: `memplan-check-bounded`, \
`memplan-expand-loops`, `memplan-treeify` and `memplan-tree-scan`. MLIR's `lower-affine` runs \
before the third if there is an `affine.if`. It runs on a module or on functions. Its options \
are those of the last pass, and `max-ops` of the second and third.",
    example: Example {
        before: "\
func.func @f(%c: i1, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  }
  return
}",
        after: "\
func.func @f(%c: i1, %x: memref<4xf32>) {
  %stack = memref.alloc() {alignment = 4 : i64, bufferization.manual_deallocation, memplan.arena} : memref<16xi8>
  %first = arith.constant 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.view %stack[%first][] {memplan.buffer = 0 : i64} : memref<16xi8> to memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  %b = memref.view %stack[%first][] {memplan.buffer = 1 : i64} : memref<16xi8> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %stack {bufferization.manual_deallocation} : memref<16xi8>
  return
}",
    },
    steps: &[
        PipelineStep::Pass(&check_bounded::DECLARATION, &[]),
        PipelineStep::Pass(&expand_loops::DECLARATION, &["max-ops"]),
        PipelineStep::IfPresent("affine.if", &[PipelineStep::Upstream("lower-affine")]),
        PipelineStep::Pass(&treeify::DECLARATION, &["max-ops"]),
        PipelineStep::Pass(
            &tree_scan::DECLARATION,
            &[
                "mode",
                "values",
                "fit",
                "move-budget",
                "apply",
                "arena",
                "alignment",
                "effort",
                "verify",
                "report",
                "remarks",
            ],
        ),
    ],
};

/// Whether results of private functions become memory of their callers.
static OUT_PARAMS: OptionDeclaration = OptionDeclaration {
    name: "out-params",
    description: "Functions that write their results to memory of their callers: private ones, \
    or none",
    kind: OptionKind::Choice {
        default: "private",
        choices: &["private", "none"],
    },
};

/// Whether the report says what other options would give.
static EXPLAIN: OptionDeclaration = OptionDeclaration {
    name: "explain",
    description: "Plan copies of the program with other options first, and report what each gives (memplan explain \
    FILE); takes some 15 times as long",
    kind: OptionKind::Flag(false),
};

/// How allocations of dynamic size are handled.
static DYNAMIC: OptionDeclaration = OptionDeclaration {
    name: "dynamic",
    description: "Allocations of dynamic size: slots of the arena, regions, or the heap",
    kind: OptionKind::Choice {
        default: "slots",
        choices: &["slots", "regions", "malloc"],
    },
};

/// Whether allocations of dynamic size are hoisted out of loops.
static HOIST: OptionDeclaration = OptionDeclaration {
    name: "hoist",
    description: "Hoist allocations of dynamic size, and the computation of the size, out of \
    loops first",
    kind: OptionKind::Choice {
        default: "none",
        choices: &["none", "loops"],
    },
};

/// Whether copies are computed in place, if that lowers the peak.
static ELIDE: OptionDeclaration = OptionDeclaration {
    name: "elide",
    description: "Compute parts of buffers in place, and make views of copies, if that lowers \
    the peak",
    kind: OptionKind::Choice {
        default: "copies",
        choices: &["none", "copies"],
    },
};

/// Whether chains of operations run strip by strip, if that lowers the peak.
static SPLIT: OptionDeclaration = OptionDeclaration {
    name: "split",
    description: "Run chains of operations strip by strip, if that lowers the peak further than \
    elided copies and another order",
    kind: OptionKind::Choice {
        default: "chains",
        choices: &["none", "chains"],
    },
};

/// Whether operations are reordered, if that lowers the peak.
static ORDER: OptionDeclaration = OptionDeclaration {
    name: "reorder",
    description: "Reorder the operations of blocks, if that lowers the peak",
    kind: OptionKind::Choice {
        default: "blocks",
        choices: &["none", "blocks"],
    },
};

/// Whether cheap buffers are computed again, if that lowers the peak.
static RECOMPUTE: OptionDeclaration = OptionDeclaration {
    name: "recompute",
    description: "Compute cheap buffers again next to late uses (cheap), if that makes the plan smaller: up to \
    max-recompute percent of the iterations, 3 if that is 0",
    kind: OptionKind::Choice {
        default: "none",
        choices: &["none", "cheap"],
    },
};

/// Elides copies.
const ELIDE_COPIES: PipelineStep = PipelineStep::Choice(
    &ELIDE,
    &[
        ("none", &[]),
        (
            "copies",
            &[PipelineStep::Pass(
                &elide_copies::DECLARATION,
                ELIDE_OPTIONS,
            )],
        ),
    ],
);

/// Computes buffers again, after which more copies may lower the peak. What is planned after that are the buffers that it compares. `max-recompute` is that of strips,
/// too.
const RECOMPUTE_BUFFERS: PipelineStep = PipelineStep::Choice(
    &RECOMPUTE,
    &[
        ("none", &[]),
        (
            "cheap",
            &[
                PipelineStep::Pass(
                    &recompute::DECLARATION,
                    &[
                        "max-recompute",
                        "alignment",
                        "in-place",
                        "min-size",
                        "max-size",
                        "calls",
                        "remarks",
                    ],
                ),
                ELIDE_COPIES,
            ],
        ),
    ],
);

/// Assigns buffers to the memory spaces of a machine, within their limits.
const ASSIGN_SPACES: PipelineStep = PipelineStep::Pass(
    &assign_spaces::DECLARATION,
    &[
        "budget",
        "machine",
        "promote",
        "search",
        "points",
        "curve",
        "calls",
        "alignment",
        "in-place",
        "min-size",
        "max-size",
        "remarks",
    ],
);

/// Whether buffers live in memory of the caller.
static REUSE: OptionDeclaration = OptionDeclaration {
    name: "reuse",
    description: "Buffers that live in memory of the caller while nothing needs that: in arguments \
    and results (all), in one kind, or in none",
    kind: OptionKind::Choice {
        default: "all",
        choices: &["all", "arguments", "results", "none"],
    },
};

const REUSE_ARGUMENTS: PipelineStep = PipelineStep::Pass(
    &reuse_arguments::DECLARATION,
    &[
        "results", "calls", "in-place", "min-size", "max-size", "remarks",
    ],
);

const REUSE_RESULTS: PipelineStep = PipelineStep::Pass(
    &reuse_results::DECLARATION,
    &[
        "results",
        "calls",
        "arena",
        "min-trips",
        "in-place",
        "min-size",
        "max-size",
        "remarks",
    ],
);

/// Lets buffers live in memory of the caller, in the order in which operations stay.
const REUSE_CALLERS: PipelineStep = PipelineStep::Choice(
    &REUSE,
    &[
        ("all", &[REUSE_ARGUMENTS, REUSE_RESULTS]),
        ("arguments", &[REUSE_ARGUMENTS]),
        ("results", &[REUSE_RESULTS]),
        ("none", &[]),
    ],
);

/// What results are: separate allocations, or parts of one.
static RESULTS: OptionDeclaration = OptionDeclaration {
    name: "results",
    description: "Use memory of the caller early, and count results (on), or not (off). `arena`: as on, and \
    results of public functions are parts of one allocation",
    kind: OptionKind::Choice {
        default: "on",
        choices: &["on", "off", "arena"],
    },
};

/// Lets the results of public functions be parts of one allocation, if requested.
const MERGE_RESULTS: PipelineStep = PipelineStep::Choice(
    &RESULTS,
    &[
        ("on", &[]),
        ("off", &[]),
        (
            "arena",
            &[PipelineStep::Pass(
                &merge_results::DECLARATION,
                &["calls", "alignment"],
            )],
        ),
    ],
);

/// Whether buffers in workgroup memory are merged.
static WORKGROUP: OptionDeclaration = OptionDeclaration {
    name: "workgroup",
    description: "Let buffers in workgroup memory of GPU kernels share bytes between barriers",
    kind: OptionKind::Choice {
        default: "true",
        choices: &["true", "false"],
    },
};

/// Merges buffers in workgroup memory. `memplan-merge-alloc` leaves them alone.
const MERGE_WORKGROUP: PipelineStep = PipelineStep::Choice(
    &WORKGROUP,
    &[
        (
            "true",
            &[PipelineStep::Pass(
                &merge_workgroup::DECLARATION,
                &["insert-barriers", "verify", "remarks"],
            )],
        ),
        ("false", &[]),
    ],
);

/// Reorders operations, if that lowers the peak. Not before `memplan-regions`: regions release memory in the
/// order of its allocation.
const REORDER: PipelineStep = PipelineStep::Choice(
    &ORDER,
    &[
        ("none", &[]),
        (
            "blocks",
            &[PipelineStep::Pass(&reorder::DECLARATION, REWRITE_OPTIONS)],
        ),
    ],
);

/// Runs chains of operations strip by strip. It tries the forms that the passes after it would give the
/// function, and leaves it to them if these have as small a plan.
const SPLIT_CHAINS: PipelineStep = PipelineStep::Choice(
    &SPLIT,
    &[
        ("none", &[]),
        (
            "chains",
            &[
                PipelineStep::Choice(
                    &ELIDE,
                    &[("none", &[SPLIT_PLAIN]), ("copies", &[SPLIT_ELIDED])],
                ),
                // The passes that follow may change strips.
                PipelineStep::If("verify", &[PipelineStep::Pass(&verify::DECLARATION, &[])]),
            ],
        ),
    ],
);

/// Tries the function as it is.
const SPLIT_PLAIN: PipelineStep = split("below=forms forms=plain");

/// Tries the function with copies elided, and in another order unless operations stay where they are.
const SPLIT_ELIDED: PipelineStep = PipelineStep::Choice(
    &ORDER,
    &[
        ("none", &[SPLIT_IN_ORDER]),
        (
            "blocks",
            &[PipelineStep::Choice(
                &DYNAMIC,
                &[
                    ("slots", &[SPLIT_ALL]),
                    ("regions", &[SPLIT_IN_ORDER]),
                    ("malloc", &[SPLIT_ALL]),
                ],
            )],
        ),
    ],
);

const SPLIT_IN_ORDER: PipelineStep = split("below=forms forms=plain,lower,equal,none");

const SPLIT_ALL: PipelineStep = split("below=forms");

const fn split(forms: &'static str) -> PipelineStep {
    PipelineStep::PassWith(&split::DECLARATION, forms, SPLIT_OPTIONS)
}

/// Options of strips that are options of the pipeline.
const SPLIT_OPTIONS: &[&str] = &[
    "results",
    "max-strips",
    "max-copy",
    "max-recompute",
    "strip-cost",
    "split-parallel",
    "max-code-growth",
    "budget",
    "machine",
    "promote",
    "alignment",
    "in-place",
    "min-size",
    "max-size",
    "calls",
    "remarks",
];

/// Options of the passes that rewrite before the plan; all but `results` are options of the plan.
const REWRITE_OPTIONS: &[&str] = &[
    "results",
    "alignment",
    "in-place",
    "min-size",
    "max-size",
    "calls",
    "remarks",
];

/// The same with those of copies alone.
const ELIDE_OPTIONS: &[&str] = &[
    "results",
    "donated",
    "alignment",
    "in-place",
    "min-size",
    "max-size",
    "calls",
    "remarks",
];

/// Options of the plan that are options of the pipeline.
const PLAN_OPTIONS: &[&str] = &[
    "planner",
    "effort",
    "alignment",
    "free",
    "in-place",
    "arena",
    "scope",
    "share",
    "state",
    "alloca-limit",
    "arena-limit",
    "assert-bounds",
    "assert-size",
    "bounds",
    "shape",
    "min-trips",
    "hoist-parallel",
    "min-size",
    "max-size",
    "capacity",
    "budget",
    "forbid",
    "spill",
    "calls",
    "allocas",
    "verify",
    "report",
    "machine",
    "plan",
    "remarks",
];

/// Options of regions that are options of the pipeline.
const REGION_OPTIONS: &[&str] = &[
    "sizes",
    "loops",
    "release",
    "public-abi",
    "single-region",
    "auto",
    "alignment",
    "report",
    "remarks",
];

/// From bufferized IR to a program that needs few allocations, and frees them.
pub static ALL: Pipeline = Pipeline {
    argument: "memplan",
    summary: "Merge the allocations of a program, and free the rest",
    description: "\
The complete memory planning of bufferized IR, on a module: \
`memplan-merge-alloc` plans allocations, and `memplan-dealloc-pipeline` frees the rest. \
`memplan-merge-workgroup` merges buffers in workgroup memory of GPU kernels unless `workgroup=false`. \
`dynamic` selects how allocations of dynamic size are handled: `slots` of the arena, `regions` \
by `memplan-regions`, which need `libmemplan_runtime`, or `malloc`. `hoist=loops` runs \
`memplan-hoist` first. Before the plan, `memplan-results-to-out-params` runs unless \
`out-params=none`, `memplan-split` unless `split=none`, `memplan-elide-copies` unless `elide=none`, `memplan-reorder` unless `reorder=none` or \
`dynamic=regions`, and `memplan-reuse-arguments` and `memplan-reuse-results` unless `reuse=none`. \
With `recompute=cheap`, `memplan-recompute` and again `memplan-elide-copies` follow unless `dynamic=regions`. \
`results=arena` runs `memplan-merge-results`. `memplan-assign-spaces` runs if a machine or `budget` limits memory spaces. Other options are those of the \
passes; `effort` and `report` concern the plan, and `remarks` and `statistics` all passes. `verify=true` checks \
the plan and the regions before memory is freed: the folding that follows may produce valid \
programs that `memplan-verify` cannot follow.",
    example: Example {
        before: "\
func.func @f(%x: memref<8x8xf32>, %n: index) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  memref.copy %a, %x : memref<8x8xf32> to memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  memref.copy %b, %x : memref<8x8xf32> to memref<8x8xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  return %r : memref<?xf32>
}
",
        after: "\
func.func @f(%x: memref<8x8xf32>, %n: index) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  memref.copy %a, %x : memref<8x8xf32> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  memref.copy %b, %x : memref<8x8xf32> to memref<8x8xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<256xi8>
  %r = memref.alloc(%n) : memref<?xf32>
  return %r : memref<?xf32>
}
",
    },
    steps: &[
        PipelineStep::Explain(&EXPLAIN, &explain::DECLARATION, &["report"]),
        // Declared here, before the passes that have an option of this name.
        PipelineStep::Choice(&RESULTS, &[("on", &[]), ("off", &[]), ("arena", &[])]),
        PipelineStep::Choice(
            &HOIST,
            &[
                ("none", &[]),
                (
                    "loops",
                    &[PipelineStep::Pass(&hoist::DECLARATION, &["calls"])],
                ),
            ],
        ),
        PipelineStep::Choice(
            &OUT_PARAMS,
            &[
                ("none", &[]),
                (
                    "private",
                    &[PipelineStep::Pass(
                        &results_to_out_params::DECLARATION,
                        &["calls"],
                    )],
                ),
            ],
        ),
        SPLIT_CHAINS,
        ELIDE_COPIES,
        MERGE_WORKGROUP,
        MERGE_RESULTS,
        PipelineStep::Choice(
            &DYNAMIC,
            &[
                (
                    "slots",
                    &[
                        REORDER,
                        REUSE_CALLERS,
                        RECOMPUTE_BUFFERS,
                        ASSIGN_SPACES,
                        PipelineStep::PassWith(&merge_alloc::DECLARATION, "when-larger=leave", PLAN_OPTIONS),
                    ],
                ),
                (
                    "regions",
                    &[
                        REUSE_CALLERS,
                        ASSIGN_SPACES,
                        PipelineStep::PassWith(&merge_alloc::DECLARATION, "dynamic=skip when-larger=leave", PLAN_OPTIONS),
                        PipelineStep::Pass(&regions::DECLARATION, REGION_OPTIONS),
                        PipelineStep::If("verify", &[PipelineStep::Pass(&verify::DECLARATION, &[])]),
                    ],
                ),
                (
                    "malloc",
                    &[
                        REORDER,
                        REUSE_CALLERS,
                        RECOMPUTE_BUFFERS,
                        ASSIGN_SPACES,
                        PipelineStep::PassWith(&merge_alloc::DECLARATION, "dynamic=skip when-larger=leave", PLAN_OPTIONS),
                    ],
                ),
            ],
        ),
        PipelineStep::Pipeline(&DEALLOC),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The options that a pipeline forwards, with the default of each pass.
    fn forwarded(steps: &[PipelineStep], all: &mut Vec<(&'static str, &'static str, String)>) {
        for step in steps {
            match step {
                PipelineStep::Pass(pass, names)
                | PipelineStep::PassWith(pass, _, names)
                | PipelineStep::Explain(_, pass, names) => {
                    let own = pass.options.iter().filter(|one| names.contains(&one.name));
                    all.extend(own.map(|one| (pass.argument, one.name, one.kind.default_text())));
                }
                PipelineStep::Choice(_, choices) => {
                    choices.iter().for_each(|(_, steps)| forwarded(steps, all));
                }
                PipelineStep::If(_, steps) => forwarded(steps, all),
                PipelineStep::Upstream(_)
                | PipelineStep::Pipeline(_)
                | PipelineStep::IfPresent(..) => {}
            }
        }
    }

    #[test]
    fn passes_with_other_defaults_are_known() {
        let mut differ = Vec::new();
        for pipeline in [&DEALLOC, &BOUNDED, &ALL] {
            let mut all = Vec::new();
            forwarded(pipeline.steps, &mut all);
            for (pass, name, default) in all {
                let mut options = pipeline.options();
                let own = options.find(|option| option.name == name);
                if own.is_some_and(|option| option.kind.default_text() != default) {
                    differ.push((pass, name));
                }
            }
        }
        differ.sort_unstable();
        differ.dedup();
        assert_eq!(differ, [("memplan-recompute", "max-recompute")]);
    }
}
