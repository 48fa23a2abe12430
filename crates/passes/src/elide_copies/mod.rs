//! `memplan-elide-copies`: what is copied to a part of another buffer is computed there.
//!
//! read (memplan-lifetimes, and which operations move contents) -> `decide` (which buffers become parts of
//! others, guarded by the load) -> `write`.

mod buffer_part;
mod codes;
mod decide;
mod fills;
mod live_range_splitting;
mod load;
mod read;
mod refusal;
mod write;

use crate::{
    coalescing::{self, PackingOptions},
    codes::OPTION,
    counts::Counts,
    failure::fail,
    merge_alloc,
};
use decide::Guard;
use memplan_lifetimes::{Analysis, Callees, NoCallees, Summaries, program::Position};
use memplan_mlir::{
    codes::Code,
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Identity, Key, Op, symbol_name},
    melior::ir::operation::OperationLike,
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, Pass, Run,
        StatisticDeclaration, Values,
    },
};
use memplan_semantics::{Readings, Semantics, functions, names::Names};
use refusal::Refusal;

use rustc_hash::FxHashSet;
use std::{
    iter,
    sync::atomic::{AtomicBool, Ordering},
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
that are live at once in the arenas of `memplan-merge-alloc`, which comes behind, become fewer; `guard=equal` also does it where they do \
not become more, for the sake of the copies, and `guard=none` wherever it can be done.

A buffer that is written all over once more when nothing needs it any more, and that the program does not free itself, becomes \
another one, as CSE makes one of many; the plan gives each its place. With `guard=none`, those that have come to nothing else are one again.

The bytes are those of a plan by the same `alignment`, `in-place`, `min-size` and `max-size`, in the arenas of the function itself: \
those of its callees and of bodies that run in parallel, which `scope=module` and `hoist-parallel` put into these, do not \
count, and then a plan may take more. Dimensions that only the run knows count as if they came to 16 for each buffer: in a run \
in which a larger buffer is much larger than what is computed there, more may be held than before.

A copy of a buffer that `linalg.fill` fills once, and nothing else writes, becomes a fill, as CSE makes one such buffer of \
many, which then lives through the function.

Where nothing else writes what a copy or a `linalg.transpose` makes, and nothing writes what it was made from as long \
as it is read, it becomes a view. That is read by strides, which is done only if it lowers the bytes.",
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
            coalescing::ALIGNMENT,
            coalescing::IN_PLACE,
            coalescing::MIN_SIZE,
            coalescing::MAX_SIZE,
            OptionDeclaration {
                name: "guard",
                description: "What is done: what lowers the most bytes live at once, what leaves them equal, too, or all that can be (none)",
                kind: OptionKind::Choice {
                    default: "lower",
                    of: &["lower", "equal", "none"],
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

    fn check(values: &Values) -> Result<(), String> {
        Settings::of(values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings =
            Settings::of(&run.values).map_err(|message| fail(run.op, OPTION, message))?;
        let bodyless_keep = run.values.text(merge_alloc::CALLS.name) == "capture";
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
        let visit_all = |callees: &dyn Callees| {
            functions::visit_groups(run.op, &groups, |function| {
                let has_changed = readings.with(function, |semantics| {
                    one(function, semantics, callees, settings, &counts)
                });
                changed.fetch_or(has_changed, Ordering::Relaxed);
                Ok(())
            })
        };
        // A function pass must not look at other functions, which may be changing at this moment.
        if Names::default().info(run.op).is_function() {
            visit_all(&NoCallees::new(bodyless_keep))?;
        } else {
            visit_all(&Summaries::as_written(
                run.op,
                all(),
                bodyless_keep,
                &readings,
            ))?;
        }
        readings.leave(run, all());
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.tell(run);
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Settings {
    guard: Guard,
    remarks: bool,
    /// What the plan behind does.
    how: PackingOptions,
}

impl Settings {
    /// Of checked values.
    fn of(values: &Values) -> Result<Self, String> {
        Ok(Self {
            guard: match values.text("guard") {
                "equal" => Guard::Equal,
                "none" => Guard::None,
                _ => Guard::Lower,
            },
            remarks: values.flag("remarks"),
            how: PackingOptions::of(ElideCopies::DECLARATION.argument, values)?,
        })
    }
}

/// The work on one function; whether that has changed it.
fn one<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: Settings,
    counts: &Counts<2>,
) -> bool {
    let mut changed = false;
    for round in 1..=MOST_ROUNDS {
        let mut apart = Apart::default();
        let mut looks = 0;
        // What has been done may make more possible, such as joins in place.
        while looks < MOST_LOOKS {
            let is_again = round < MOST_ROUNDS && looks > 0;
            if !look(
                (function, semantics),
                callees,
                settings,
                counts,
                &mut apart,
                is_again,
            ) {
                break;
            }
            looks += 1;
        }
        changed |= looks > 0 || apart.was_split;
        // A plan gives each life the place that is best for it. Where it needs more for that, and without a plan, there
        // are no more allocations than before.
        if settings.guard == Guard::None || apart.costs {
            // The last ones first: one of a buffer's lives may have become several again.
            apart
                .lives
                .iter()
                .rev()
                .for_each(live_range_splitting::LiveRanges::join);
        }
        // With what has been done, it may not need more any longer.
        if looks == 0 || !apart.costs {
            break;
        }
    }
    changed
}

/// Times that a function is begun with.
const MOST_ROUNDS: usize = 4;
/// Times that a function is looked at, as long as something is done.
const MOST_LOOKS: usize = 32;

/// Buffers that are several for now.
#[derive(Default)]
struct Apart<'c> {
    lives: Vec<live_range_splitting::LiveRanges<'c>>,
    /// Does a plan take more for that?
    costs: bool,
    /// Have there been any?
    was_split: bool,
}

/// Looks at a function once; whether something was done. Where nothing was, it is said why, but where `is_again` and
/// lives cost something: then the function is begun with again.
fn look<'c>(
    (function, semantics): (Op<'c>, &mut Semantics),
    callees: &dyn Callees,
    settings: Settings,
    counts: &Counts<2>,
    apart: &mut Apart<'c>,
    is_again: bool,
) -> bool {
    let how = settings.how;
    let mut analysis = how.analyse(function, semantics, callees);
    if analysis.program.has_arena {
        return false;
    }
    let mut filled = 0;
    let mut fill =
        |analysis: &mut Analysis<'c>, semantics: &mut Semantics, apart: &mut Apart<'c>| {
            let mut gone = FxHashSet::default();
            let count = fills::run(analysis, semantics, &mut gone, |copy| {
                say(function, copy, codes::ELIDED, "filled", settings, || {
                    "elided: what it copies is filled once, and so is this".to_owned()
                });
            });
            if count > 0 {
                apart.forget(&gone);
                *analysis = how.analyse(function, semantics, callees);
            }
            filled += count;
        };
    fill(&mut analysis, semantics, apart);
    let mut limit = None;
    // Without a plan, what the program does not free itself is there to the end, and would be more then.
    if settings.guard != Guard::None || analysis.program.deallocs.is_empty() {
        let lives = live_range_splitting::run(&analysis, semantics);
        if !lives.is_empty() {
            let split = how.analyse(function, semantics, callees);
            let (before, after) = (
                coalescing::planned(&analysis, how.alignment),
                coalescing::planned(&split, how.alignment),
            );
            apart.costs |= after > before;
            limit = Some(before.min(after));
            apart.was_split = true;
            apart.lives.extend(lives);
            analysis = split;
            // One life may be filled once where the buffer is not.
            fill(&mut analysis, semantics, apart);
        }
    }
    let (facts, positions) = read::read(&analysis, semantics);
    if facts.moves.is_empty() && facts.lends.is_empty() {
        tell(
            function,
            &facts,
            &decide::Decision::default(),
            settings,
            filled == 0 && !(is_again && apart.costs),
        );
        counts.add([filled as u64, 0]);
        return filled > 0;
    }
    let decision = decide::decide(
        &analysis,
        &facts,
        &positions,
        semantics,
        settings.guard,
        how.alignment,
        limit,
    );
    let done = filled + decision.moves.len() + decision.lends.len();
    let is_over = done == 0 && !(is_again && apart.costs);
    tell(function, &facts, &decision, settings, is_over);
    counts.add([
        done as u64,
        decision.bytes.0.saturating_sub(decision.bytes.1),
    ]);
    let moves = decision.moves.iter().map(|place| &facts.moves[*place]);
    // What a view is of now is needed for longer.
    let lends = decision.lends.iter().map(|place| &facts.lends[*place]);
    let lends = lends.flat_map(|one| iter::once(one.to).chain(one.buffer));
    let buffers = moves.flat_map(|one| [one.from, one.into]).chain(lends);
    let changed = buffers.map(|buffer| analysis.handles.buffers[buffer.index()].key());
    apart.forget(&changed.collect());
    write::write(&analysis, &facts, &decision, &positions, semantics);
    done > 0
}

impl Apart<'_> {
    /// Leaves out allocations that are gone, or that others have become part or views of.
    fn forget(&mut self, changed: &FxHashSet<Key>) {
        self.lives
            .iter_mut()
            .for_each(|lives| lives.forget(changed));
        self.lives
            .retain(live_range_splitting::LiveRanges::are_several);
    }
}

/// Remarks, in the order of the text: as diagnostics if that is wanted, and to MLIR's remark engine.
fn tell(
    function: Op<'_>,
    facts: &read::Facts<'_>,
    decision: &decide::Decision,
    settings: Settings,
    with_refusals: bool,
) {
    if !settings.remarks && !collects_remarks(function) {
        return;
    }
    let mut said: Vec<(Position, Op<'_>, Option<Refusal>)> = Vec::new();
    let moved = |place: usize| (facts.moves[place].position, facts.moves[place].op);
    let lent = |place: usize| (facts.lends[place].position, facts.lends[place].op);
    let done = decision.moves.iter().map(|place| moved(*place));
    let done = done.chain(decision.lends.iter().map(|place| lent(*place)));
    said.extend(done.map(|(position, op)| (position, op, None)));
    if with_refusals {
        let refused = decision.refused.iter().map(|one| (moved(one.0), one.1));
        let kept = decision.kept.iter().map(|one| (lent(one.0), one.1));
        let declined = facts.declined.iter();
        let declined = declined.map(|one| ((one.position, one.op), one.because));
        let refused = refused.chain(kept).chain(declined);
        said.extend(refused.map(|((position, op), refusal)| (position, op, Some(refusal))));
    }
    said.sort_by_key(|(position, ..)| *position);
    // Of a copy that could go both ways, what was done counts.
    said.dedup_by(|next, one| next.0 == one.0 && (one.2.is_none() || next.2.is_some()));
    for (_, op, refusal) in said {
        match refusal {
            None => say(function, op, codes::ELIDED, "elided", settings, || {
                let (before, after) = decision.bytes;
                let assumed = match facts.has_unknown_sizes {
                    true => UNKNOWN_SIZES,
                    false => "",
                };
                format!("elided; {after} bytes are live at once, {before} before{assumed}")
            }),
            Some(refusal) => say(
                function,
                op,
                codes::NOT_ELIDED,
                refusal.id(),
                settings,
                || format!("not elided: {} [{}]", refusal.text(), refusal.id()),
            ),
        }
    }
}

/// What is said with bytes where not all are known.
const UNKNOWN_SIZES: &str = ", if dimensions that only the run knows come to 16 for each buffer";

/// A remark at an operation.
fn say(
    function: Op<'_>,
    op: Op<'_>,
    code: &'static Code,
    kind: &str,
    settings: Settings,
    text: impl Fn() -> String,
) {
    let outcome = match std::ptr::eq(code, codes::ELIDED) {
        true => Outcome::Passed,
        false => Outcome::Missed,
    };
    if collects_remarks(function) {
        let (pass, name) = (ElideCopies::DECLARATION.argument, symbol_name(function));
        optimization_remark(code, outcome, op.location(), pass, kind, &name, &text);
    }
    if settings.remarks {
        Diagnostic::new(code, op.location(), text()).emit();
    }
}
