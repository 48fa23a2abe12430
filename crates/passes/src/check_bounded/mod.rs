//! `memplan-check-bounded`: whether all that a program does is bounded before it runs.
//!
//! read (`faults`: what each function does that is not) -> decide (`verdicts`: who calls whom) -> diagnostics,
//! and how large each function becomes. The IR stays as it is.

mod codes;
mod faults;
mod verdicts;

use crate::{
    bounded::size::Sizes,
    codes::{NEEDS_MODULE, REPORT},
    collector::Collector,
    treeify::operations,
};
use memplan_mlir::{
    calls,
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, location_text, symbol_name},
    melior::ir::operation::OperationLike,
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, Pass, Refusal, Run, Values,
    },
};
use memplan_report::{BoundedReport, FunctionReport, SizeReport};
use memplan_semantics::{Semantics, functions, names::Names};
use verdicts::Verdicts;

/// The pass.
pub struct CheckBounded {
    collector: Collector,
}

impl Pass for CheckBounded {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-check-bounded",
        summary: "Check that loops have constant trip counts and nothing recurses, and say how large programs become",
        description: "\
A program is bounded if it has no `scf.while`, no loop whose turns cannot be counted, no blocks that lead back to each \
other, no recursion, and no call of what is not bounded or not there. Each thing of that kind is an error where it \
stands; that of a call tells the chain of calls behind it. A bound is constant if it follows from constants, or from \
induction variables of loops around; where it is so only after inlining or constant propagation, the error says that. A \
function without a body is taken to be bounded if it is marked `memplan.bounded`.

The pass changes nothing. With `remarks`, it says of each loop how often it turns, and of each function how many paths \
it has and how many operations it would have with loops written out (`memplan-expand-loops`) and with what follows \
branches duplicated (`memplan-treeify`): numbers of any size, worked out without writing anything. Conditions that are \
constant only behind that count as branches. On a function, calls are refused: it takes a module to look at others.",
        example: Example {
            before: "\
func.func @f(%n: index, %m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}",
            after: "\
error: memplan-check-bounded: the turns of the loop cannot be counted: its upper bound depends on an argument of the \
function: it is constant only after inlining, if callers pass constants [memplan-E602]",
        },
        options: &[
            OptionDeclaration {
                name: "report",
                description: "Write trip counts and sizes as JSON to this file; - is standard error",
                kind: OptionKind::Text {
                    default: "",
                    stands_for: "FILE",
                },
            },
            OptionDeclaration {
                name: "remarks",
                description: "A remark at each loop and each function, with its numbers",
                kind: OptionKind::Flag(false),
            },
        ],
        statistics: &[],
        codes: &[codes::ALL, &[REPORT, NEEDS_MODULE]],
        dialects: &[],
        module_only: false,
    };

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn initialize(&self, values: &Values) -> Result<(), Refusal> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.start();
        run.preserve_all();
        let sees_all = !Names::default().info(run.op).is_function();
        let functions: Vec<Op<'_>> = functions::groups(run.op).into_iter().flatten().collect();
        let verdicts = Verdicts::of(&functions, sees_all);
        let mut result = Ok(());
        for (number, function) in functions.iter().enumerate() {
            if verdicts.tell(number) {
                result = Err(Failed);
            } else {
                self.describe(*function, run.values.flag("remarks"));
            }
        }
        result
    }
}

/// An error of this pass.
fn error<'c>(op: Op<'c>, code: &Code, message: &str) -> Diagnostic<'c> {
    let name = CheckBounded::DECLARATION.argument;
    Diagnostic::new(code, op.location(), format!("{name}: {message}"))
}

impl CheckBounded {
    fn describe(&self, function: Op<'_>, remarks: bool) {
        if !remarks && !self.collector.is_open() {
            return;
        }
        let Some(body) = calls::function_body(function) else {
            return;
        };
        let mut semantics = Semantics::default();
        let mut sizes = Sizes::new(&mut semantics, false);
        let Ok(size) = sizes.region(body) else {
            return;
        };
        if remarks {
            for (op, turns) in &sizes.loops {
                let turns = match turns {
                    Some(turns) => format!("{turns} turns"),
                    None => "turns that depend on a loop around".to_owned(),
                };
                Diagnostic::new(codes::LOOP_TURNS, op.location(), turns).emit();
            }
            let message = format!(
                "bounded: paths {}, operations {}, with loops written out {}, as a tree {}",
                size.paths,
                operations(function),
                size.flat,
                size.tree
            );
            Diagnostic::new(codes::SIZE, function.location(), message).emit();
        }
        if self.collector.is_open() {
            let loops = sizes.loops.iter();
            let loops = loops.map(|(op, turns)| (location_text(op.location()), *turns));
            let report = SizeReport {
                loops: loops.collect(),
                operations: operations(function),
                expanded: size.flat.to_string(),
                tree: size.tree.to_string(),
                paths: size.paths.to_string(),
            };
            self.collector.add(
                function,
                FunctionReport {
                    name: symbol_name(function),
                    bounded: Some(BoundedReport {
                        size: Some(report),
                        layout: None,
                    }),
                    ..FunctionReport::default()
                },
            );
        }
    }
}
