//! `memplan-elide-copies`: what is copied to a part of another buffer is computed there.
//!
//! read (memplan-lifetimes, and which operations move contents) -> `decide` (which buffers become parts of
//! others, guarded by the load) -> `write`.

mod codes;
mod decide;
mod load;
mod places;
mod read;
mod write;

use crate::{counts::Counts, functions, merge_alloc};
use memplan_lifetimes::{Callees, NoCallees, Summaries, Wanted, analyse_wanted};
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
    names::Names,
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, Pass, Run,
        StatisticDeclaration,
    },
};

/// The pass.
pub struct ElideCopies;

impl Pass for ElideCopies {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-elide-copies",
        summary: "Compute in place what is copied to a part of another buffer: pads, concatenations, insertions",
        description: "\
A buffer whose contents an operation writes to a part of a larger one, element by element, and that nothing \
needs behind it, becomes that part: it is computed there, and a copy goes. So does the chain behind it: what the buffer took over \
from, element by element. The larger buffer is allocated earlier for that, and what else writes it, such as the fill of a \
padded one, is done earlier. The part has strides, so all that uses the buffer has to take these: operations of \
linalg, loads, stores, copies, transfers of vectors, and views that can be views of it.

Nothing else may touch that part of the larger buffer until the operation; parts of a concatenation are apart if \
numbers tell. A larger buffer that is returned takes others, too, which then need no place in an arena.

As a larger buffer is allocated for longer, this may cost more than it saves. It is done only where the most bytes \
that are live at once in the arenas of `memplan-merge-alloc`, which comes behind, become fewer; `keep=all` also does where they do \
not become more, for the sake of the copies.",
        example: Example {
            before: "\
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %part = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %a, %part : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  %first = memref.subview %b[0] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1]>>
  memref.copy %first, %y : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}",
            after: "\
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<10xf32>
  %part = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%part : memref<8xf32, strided<[1], offset: 1>>)
  %first = memref.subview %b[0] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1]>>
  memref.copy %first, %y : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}",
        },
        options: &[
            merge_alloc::CALLS,
            OptionDeclaration {
                name: "keep",
                description: "What is done: what lowers the most bytes live at once, or all that does not raise them",
                kind: OptionKind::Choice {
                    default: "lower",
                    of: &["lower", "all"],
                },
            },
            OptionDeclaration {
                name: "remarks",
                description: "A remark at each operation that moves a buffer's contents: what was done, or why not",
                kind: OptionKind::Flag(false),
            },
        ],
        statistics: &[
            StatisticDeclaration {
                name: "elided",
                description: "Buffers that have become parts of others",
            },
            StatisticDeclaration {
                name: "bytes",
                description: "Fewer bytes live at once",
            },
        ],
        codes: &[codes::ALL],
        dialects: &[],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings {
            all: run.values.text("keep") == "all",
            remarks: run.values.flag("remarks"),
        };
        let bodyless_keep = run.values.text(merge_alloc::CALLS.name) == "capture";
        let counts = Counts::default();
        // A function pass must not look at other functions, which may be changing at this moment.
        if Names::default().info(run.op).is_function() {
            let callees = NoCallees::new(bodyless_keep);
            functions::visit_all(run.op, |function| {
                one(function, &callees, settings, &counts)
            })?;
        } else {
            let all = functions::groups(run.op).into_iter().flatten();
            let callees = Summaries::of(all, bodyless_keep);
            functions::visit_all(run.op, |function| {
                one(function, &callees, settings, &counts)
            })?;
        }
        counts.tell(run);
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Settings {
    all: bool,
    remarks: bool,
}

fn one(
    function: Op<'_>,
    callees: &dyn Callees,
    settings: Settings,
    counts: &Counts<2>,
) -> Result<(), Failed> {
    let mut names = Names::default();
    let wanted = Wanted {
        dynamic: true,
        ..Wanted::default()
    };
    let analysis = analyse_wanted(function, &mut names, callees, &wanted);
    if analysis.program.has_arena || analysis.program.in_step.is_empty() {
        return Ok(());
    }
    let (facts, positions) = read::read(&analysis, &mut names);
    if facts.moves.is_empty() && facts.lends.is_empty() {
        return Ok(());
    }
    let decision = decide::decide(&analysis, &facts, &positions, &mut names, settings.all);
    tell(function, &facts, &decision, settings);
    counts.add([
        (decision.moves.len() + decision.lends.len()) as u64,
        decision.bytes.0.saturating_sub(decision.bytes.1),
    ]);
    write::write(&analysis, &facts, &decision, &positions);
    Ok(())
}

/// Remarks, in the order of the text: as diagnostics if that is wanted, and to MLIR's remark engine.
fn tell(
    function: Op<'_>,
    facts: &read::Facts<'_>,
    decision: &decide::Decision,
    settings: Settings,
) {
    if !settings.remarks && !collects_remarks(function) {
        return;
    }
    let name = symbol_name(function);
    let mut said: Vec<(usize, Option<decide::Refusal>)> = Vec::new();
    said.extend(decision.moves.iter().map(|place| (*place, None)));
    let refused = decision.refused.iter();
    said.extend(refused.map(|(place, refusal)| (*place, Some(*refusal))));
    said.sort_by_key(|(place, _)| *place);
    for (place, refusal) in said {
        let op = facts.moves[place].op;
        let (code, outcome, kind, text) = match refusal {
            None => (
                codes::ELIDED,
                Outcome::Passed,
                "elided",
                format!(
                    "elided: computed in its place; {} bytes are live at once, {} before",
                    decision.bytes.1, decision.bytes.0
                ),
            ),
            Some(refusal) => (
                codes::NOT_ELIDED,
                Outcome::Missed,
                refusal.id(),
                format!("not elided: {} [{}]", refusal.text(), refusal.id()),
            ),
        };
        let pass = ElideCopies::DECLARATION.argument;
        optimization_remark(code, outcome, op.location(), pass, kind, &name, || {
            text.clone()
        });
        if settings.remarks {
            Diagnostic::new(code, op.location(), text).emit();
        }
    }
}
