//! `memplan-elide-copies`: computes the contents of a part of a buffer in place.
//!
//! read (memplan-lifetimes, and operations that copy contents) -> `decide` (which buffers become parts of
//! others, guarded by the load) -> `write`.

mod argument_memory;
mod buffer_part;
mod carried;
mod dead;
mod decide;
mod dimensions;
mod donated;
mod donated_calls;
mod donated_checks;
mod donated_results;
mod fills;
mod globals;
mod live_range_splitting;
mod old_contents;
mod read;
mod reshaped;
mod self_copies;
mod targets;
mod types;
mod write;

use crate::{
    coalescing::{self, PackingOptions},
    codes::OPTION,
    counts::Counts,
    failure::fail,
};
pub use decide::Guard;
use globals::Globals;
use memplan_declarations::{
    elide_copies::{DONATED, RESULTS, Refusal, codes},
    merge_alloc::CALLS,
};
use memplan_lifetimes::{Analysis, Callees, NoCallees, Summaries, program::Position};
use memplan_mlir::{
    codes::Code,
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Identity, Key, Op, Val, symbol_name, type_of},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, attributes, functions, names::Names};

pub use argument_memory::ArgumentMemory;
pub use write::forget;

use rustc_hash::FxHashSet;
use std::{
    iter,
    sync::atomic::{AtomicBool, Ordering},
};

/// The pass.
pub struct ElideCopies;

impl Pass for ElideCopies {
    const DECLARATION: &'static Declaration = &memplan_declarations::elide_copies::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::of(values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings =
            Settings::of(&run.values).map_err(|message| fail(run.op, OPTION, message))?;
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
        let is_function = Names::default().info(run.op).is_function();
        let globals = Globals::new(!is_function);
        // A function pass must not inspect other functions, which other threads may change.
        let callees = || -> Box<dyn Callees> {
            match is_function {
                true => Box::new(NoCallees::new(bodyless_keep)),
                false => Box::new(Summaries::as_written(
                    run.op,
                    all(),
                    bodyless_keep,
                    &readings,
                )),
            }
        };
        if settings.donates_all && settings.results {
            let callees = callees();
            if donated::mark_all(
                run.op,
                all(),
                is_function,
                &readings,
                |function, semantics| settings.how.analyse(function, semantics, &*callees),
            ) {
                changed.store(true, Ordering::Relaxed);
                all().for_each(|function| readings.forget(function));
            }
        }
        let donated = match settings.results {
            true => donated::all(run.op, all(), is_function)?,
            false => Vec::new(),
        };
        if !donated.is_empty() {
            let callees = callees();
            donated_checks::check(&donated, &readings, is_function, |function, semantics| {
                settings.how.analyse(function, semantics, &*callees)
            })?;
            if !is_function {
                donated::check_calls(all(), &readings, |function, semantics| {
                    settings.how.analyse(function, semantics, &*callees)
                })?;
            }
        }
        for round in 0..MOST_ROUNDS {
            let mut reused = 0;
            if !donated.is_empty() {
                let callees = callees();
                reused = donated::run(&donated, &readings, |function, semantics| {
                    settings.how.analyse(function, semantics, &*callees)
                });
                counts.add([reused as u64, 0]);
                changed.fetch_or(reused > 0, Ordering::Relaxed);
            }
            // Results may be arguments now.
            let callees = callees();
            if !donated.is_empty() {
                donated::mark_results(&donated, &readings, |function, semantics| {
                    settings.how.analyse(function, semantics, &*callees)
                });
            }
            if round > 0 && reused == 0 {
                break;
            }
            let context = Context {
                callees: &*callees,
                globals: &globals,
                settings,
                counts: &counts,
            };
            functions::visit_groups(run.op, &groups, |function| {
                if function.has_attribute(attributes::KEEP_FORM) {
                    return Ok(());
                }
                let has_changed =
                    readings.with(function, |semantics| one(function, semantics, context));
                changed.fetch_or(has_changed, Ordering::Relaxed);
                Ok(())
            })?;
            // What is gone may have kept an argument from being used again.
            if donated.is_empty() {
                break;
            }
        }
        readings.save(run, all());
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.publish(run);
        Ok(())
    }
}

/// For each buffer, whether it can be at any address: only views refer to it, no asynchronous operation uses it, and nothing
/// says where it is.
pub fn can_be_anywhere(analysis: &Analysis<'_>) -> Vec<bool> {
    let facts = read::buffers(analysis);
    let all = facts.iter();
    all.map(|fact| fact.moves && !types::speaks_of_address(fact.value, 0))
        .collect()
}

/// Whether a buffer may be memory of its type at any address that is aligned as the type says.
pub fn accepts_same_type<'c>(value: Val<'c>, semantics: &mut Semantics) -> bool {
    types::may_be(value, type_of(value), semantics).is_ok()
}

#[derive(Clone, Copy)]
struct Settings {
    guard: Guard,
    /// Whether buffers may become memory of the caller.
    results: bool,
    /// Whether all arguments are donated.
    donates_all: bool,
    remarks: bool,
    /// Options of the plan that follows.
    how: PackingOptions,
}

impl Settings {
    /// Reads the options.
    fn of(values: &OptionValues) -> Result<Self, String> {
        Ok(Self {
            guard: match values.text("guard") {
                "equal" => Guard::Equal,
                "none" => Guard::None,
                _ => Guard::Lower,
            },
            results: values.text(RESULTS.name) != "off",
            donates_all: values.text(DONATED.name) == "all",
            remarks: values.flag("remarks"),
            how: PackingOptions::of(ElideCopies::DECLARATION.argument, values)?,
        })
    }
}

/// What the functions of a run share.
#[derive(Clone, Copy)]
struct Context<'a, 'c> {
    callees: &'a dyn Callees,
    globals: &'a Globals<'c>,
    settings: Settings,
    counts: &'a Counts<2>,
}

/// Elides copies of one function, without a look at others; returns whether it changed.
pub fn elide<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    guard: Guard,
    how: PackingOptions,
) -> bool {
    let context = Context {
        callees,
        globals: &Globals::new(false),
        settings: Settings {
            guard,
            results: true,
            donates_all: false,
            remarks: false,
            how,
        },
        counts: &Counts::default(),
    };
    one(function, semantics, context)
}

/// Works on one function; returns whether it changed.
fn one<'c>(function: Op<'c>, semantics: &mut Semantics, context: Context<'_, 'c>) -> bool {
    let mut changed = false;
    for round in 1..=MOST_ROUNDS {
        let mut apart = Apart::default();
        let mut looks = 0;
        // A change may enable others, such as in-place reuse.
        while looks < MOST_LOOKS {
            let is_again = round < MOST_ROUNDS && looks > 0;
            if !look((function, semantics), context, &mut apart, is_again) {
                break;
            }
            looks += 1;
        }
        changed |= looks > 0 || apart.was_split;
        // A plan finds the best offset for each live range. If it needs more bytes with them, or if there is
        // no plan, they are joined: there are no more allocations than before.
        if context.settings.guard == Guard::None || apart.costs {
            // The last ones first: a live range may have been split again.
            apart
                .lives
                .iter()
                .rev()
                .for_each(live_range_splitting::LiveRanges::join);
        }
        // After the changes, they may not need more any more.
        if looks == 0 || !apart.costs {
            break;
        }
    }
    if changed {
        attributes::forget_pieces(function);
    }
    changed
}

/// Largest number of restarts for a function.
const MOST_ROUNDS: usize = 4;
/// Largest number of rounds for a function, while it changes.
const MOST_LOOKS: usize = 32;

/// Buffers that are split for now.
#[derive(Default)]
struct Apart<'c> {
    lives: Vec<live_range_splitting::LiveRanges<'c>>,
    /// Whether a plan needs more bytes with them.
    costs: bool,
    /// Have there been any?
    was_split: bool,
}

/// Does one round on a function; returns whether it changed. Without a change, emits the reasons, unless
/// `is_again` holds and split buffers cost bytes: the function is then started again.
fn look<'c>(
    (function, semantics): (Op<'c>, &mut Semantics),
    context: Context<'_, 'c>,
    apart: &mut Apart<'c>,
    is_again: bool,
) -> bool {
    let Context {
        callees,
        globals,
        settings,
        counts,
    } = context;
    let how = settings.how;
    let mut analysis = how.analyse(function, semantics, callees);
    if analysis.program.has_arena {
        return false;
    }
    let mut reshapes = FxHashSet::default();
    // One at a time: each erases operations of the analysis.
    let are_reshaped = reshaped::run(&analysis, semantics, &mut reshapes) > 0
        || dimensions::run(&analysis, semantics) > 0;
    if are_reshaped {
        apart.forget(&reshapes);
        analysis = how.analyse(function, semantics, callees);
    }
    let mut gone = FxHashSet::default();
    let carried = carried::run(&analysis, semantics, &mut gone, |alloc| {
        say(function, alloc, codes::ELIDED, "carried", settings, || {
            "removed: each iteration writes the buffer that the loop carries".to_owned()
        });
    });
    if carried > 0 {
        apart.forget(&gone);
        counts.add([carried as u64, 0]);
        return true;
    }
    let itself = self_copies::run(&analysis, semantics, |copy| {
        say(function, copy, codes::ELIDED, "itself", settings, || {
            "elided: it copies a memory to itself".to_owned()
        });
    });
    if itself > 0 {
        return true;
    }
    let mut filled = 0;
    let mut fill =
        |analysis: &mut Analysis<'c>, semantics: &mut Semantics, apart: &mut Apart<'c>| {
            let mut gone = FxHashSet::default();
            let count = fills::run(analysis, semantics, globals, &mut gone, |copy| {
                say(function, copy, codes::ELIDED, "filled", settings, || {
                    "elided: the source is filled with one value, and now this buffer is, too"
                        .to_owned()
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
    // Without a plan, a buffer that the program does not free is live to the end, so that split buffers would
    // need more.
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
            // A live range may be filled once although the buffer is not.
            fill(&mut analysis, semantics, apart);
        }
    }
    let mut gone = FxHashSet::default();
    let dead = dead::run(&analysis, semantics, &mut gone, |alloc| {
        say(function, alloc, codes::ELIDED, "dead", settings, || {
            "removed: nothing reads the buffer".to_owned()
        });
    });
    if dead > 0 {
        apart.forget(&gone);
        counts.add([dead as u64, 0]);
        return true;
    }
    let (mut facts, positions) = read::read(&analysis, semantics, globals);
    let is_empty = facts.moves.is_empty() && facts.view_candidates.is_empty();
    let decision = match is_empty {
        true => decide::Decision::default(),
        false => decide::decide(
            &analysis,
            &facts,
            &positions,
            semantics,
            settings.guard,
            how.alignment,
            limit,
        ),
    };
    let done = filled + decision.moves.len() + decision.views.len();
    // Memory of the caller restricts what may be done with a buffer, so this is the last.
    if settings.results && done == 0 && !are_reshaped {
        let targets = targets::run(function, &analysis, semantics, globals, |op| {
            say(function, op, codes::ELIDED, "elided", settings, || {
                "elided: the buffer is memory of the caller now".to_owned()
            });
        });
        apart.forget(&targets.gone);
        if !targets.gone.is_empty() {
            counts.add([targets.gone.len() as u64, 0]);
            return true;
        }
        facts.declined.extend(targets.refused);
    }
    let is_over = done == 0 && !are_reshaped && !(is_again && apart.costs);
    tell(function, &facts, &decision, settings, is_over);
    counts.add([
        done as u64,
        decision.bytes.0.saturating_sub(decision.bytes.1),
    ]);
    let moves = decision.moves.iter().map(|place| &facts.moves[*place]);
    // The source of a new view is needed for longer.
    let views = decision
        .views
        .iter()
        .map(|place| &facts.view_candidates[*place]);
    let views = views.flat_map(|one| iter::once(one.to).chain(one.buffer));
    let buffers = moves.flat_map(|one| [one.from, one.into]).chain(views);
    let changed = buffers.map(|buffer| analysis.handles.buffers[buffer.index()].key());
    apart.forget(&changed.collect());
    write::write(&analysis, &facts, &decision, &positions, semantics);
    done > 0 || are_reshaped
}

impl Apart<'_> {
    /// Removes allocations that are gone, or of which others became parts or views.
    fn forget(&mut self, changed: &FxHashSet<Key>) {
        self.lives
            .iter_mut()
            .for_each(|lives| lives.forget(changed));
        self.lives
            .retain(live_range_splitting::LiveRanges::are_several);
    }
}

/// Emits remarks, in program order: as diagnostics if requested, and to MLIR's remark engine.
fn tell(
    function: Op<'_>,
    facts: &read::Facts<'_>,
    decision: &decide::Decision,
    settings: Settings,
    with_refusals: bool,
) {
    if !settings.remarks && !collects_remarks(function, ElideCopies::DECLARATION.argument) {
        return;
    }
    let mut said: Vec<(Position, Op<'_>, Option<Refusal>)> = Vec::new();
    let moved = |place: usize| (facts.moves[place].position, facts.moves[place].op);
    let candidate = |place: usize| {
        (
            facts.view_candidates[place].position,
            facts.view_candidates[place].op,
        )
    };
    let done = decision.moves.iter().map(|place| moved(*place));
    let done = done.chain(decision.views.iter().map(|place| candidate(*place)));
    said.extend(done.map(|(position, op)| (position, op, None)));
    if with_refusals {
        let refused = decision.refused.iter().map(|one| (moved(one.0), one.1));
        let kept = decision.kept.iter().map(|one| (candidate(one.0), one.1));
        let declined = facts.declined.iter();
        let declined = declined.map(|one| ((one.position, one.op), one.because));
        let refused = refused.chain(kept).chain(declined);
        said.extend(refused.map(|((position, op), refusal)| (position, op, Some(refusal))));
    }
    said.sort_by_key(|(position, ..)| *position);
    // For a copy with two possible elisions, the one that was done counts.
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

/// Suffix of byte counts if some sizes are dynamic.
const UNKNOWN_SIZES: &str = ", if the product of the dynamic dimensions of each buffer is 16";

/// Emits a remark at an operation.
fn say(
    function: Op<'_>,
    op: Op<'_>,
    code: &'static Code,
    kind: &str,
    settings: Settings,
    text: impl Fn() -> String,
) {
    let outcome = match code == codes::ELIDED {
        true => Outcome::Passed,
        false => Outcome::Missed,
    };
    if collects_remarks(function, ElideCopies::DECLARATION.argument) {
        let (pass, name) = (ElideCopies::DECLARATION.argument, symbol_name(function));
        optimization_remark(code, outcome, op.location(), pass, kind, &name, &text);
    }
    if settings.remarks {
        Diagnostic::new(code, op.location(), text()).emit();
    }
}
