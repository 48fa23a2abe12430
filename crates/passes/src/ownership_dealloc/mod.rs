//! `memplan-ownership-dealloc`: who frees what, and where.
//!
//! read (`read`) -> decide (memplan-ownership, and `slots` for where flags can travel) -> write
//! (`write`). Where views are compared that start elsewhere than what they are views of, that travels too (`bases`), and all
//! is read again.

pub(crate) mod allocators;
mod already_deallocated;
mod base_memrefs;
mod callees;
mod clones;
mod codes;
mod declared;
mod dynamic_ownership;
mod error;
mod feasible_plan;
mod flag_returning;
mod flag_slots;
mod flagless_parameters;
mod infer_summary;
mod ownership_summary;
mod ownership_transfer;
mod read;
mod returned_arguments;
mod write;

use crate::{
    codes::{INTERNAL, NEEDS_MODULE},
    failure::fail_as,
};
use callees::Telling;
use error::{Error, ErrorKind};
use feasible_plan::{Refusal, after_uses, at_ends};
use memplan_mlir::{
    build::has_strict_casts,
    calls,
    diagnostics::{Diagnostic, deduplicated},
    ir::{Identity, Op, Region, holds_memref, operands, type_of},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Example, Failed, OptionDeclaration, OptionKind, Pass, Run},
};
use memplan_ownership::{function::ValueId, plan::Flag};
use memplan_semantics::{Readings, Semantics, attributes, functions, names::Names};
use memplan_summaries::{FreesArgument, FunctionSummary};
use ownership_summary::{Callees, OwnershipSummary};
use read::{Bases, IrEdge, Reading, Stays};
use write::{WriteError, WriteOptions};

/// The option by which private functions return flags.
const PRIVATE: &str = "private-function-dynamic-ownership";

/// The option by which frees stand at the ends of blocks.
const PLACEMENT: &str = "placement";

/// The option by which nothing is freed.
const CLONES: &str = "only-clones";

/// The values of [`PLACEMENT`].
const PLACEMENTS: [&str; 2] = ["last-use", "block-end"];

/// The pass.
pub struct OwnershipDealloc;

impl Pass for OwnershipDealloc {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-ownership-dealloc",
        summary: "Free the allocations of a function, after their last use on each path",
        description: "\
Arguments are owned by the caller. Results of calls and returned memrefs \
are owned by the function that receives them. So a function copies a memref that it returns but \
does not own, with a warning.

Memory is freed after its last use on each path through blocks, branches and loops. If its \
owner is known, `memref.dealloc` frees it; this includes buffers that a loop replaces or swaps. \
If the owner is known only at run time, a flag of type `i1` is forwarded with the memref \
through arguments and results, and `bufferization.dealloc` checks it. If a function already has \
a `bufferization.dealloc`, the program owns the memory that it names. Such a function is not \
changed if it frees all other memory, too, as after deallocation.

With `placement=block-end`, memory is freed at the ends of blocks, as \
`ownership-based-buffer-deallocation` does. A `bufferization.dealloc` before the terminator \
takes all memory that the block may own, with a flag for each, and retains the memrefs that are \
forwarded. A `cf.cond_br` has one for each successor. Flags are forwarded as block arguments \
and with the operands and results of regions. Where that is impossible, as between the \
iterations of a reduction, or where an operation consumes memory, deallocations are placed \
after last uses.

A private function need not copy the arguments that it returns if all its calls are known. A \
result that is never new memory is marked `memplan.borrowed`. If a result may be either, the \
function returns flags.

With `private-function-dynamic-ownership`, all private functions return such a flag for each \
memref, after their other results, and copy nothing. The results may then be arguments, and \
later writes to these are visible through them. This requires that all references to the \
function are calls by `func.call`; other functions copy. As all calls change with the function, \
the pass has to run on `builtin.module`. Changed functions and calls are marked \
`memplan.owned_results`, and later runs do not change them.",
        example: Example {
            before: "\
func.func @f(%n: index, %init: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %init, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}",
            after: "\
func.func @f(%n: index, %init: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %init, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %b : memref<8xf32>
}",
        },
        options: &[
            OptionDeclaration {
                name: PRIVATE,
                description: "private functions do not copy results, and return a flag for each \
                              memref that says whether the caller owns it; without the option, \
                              only functions that would copy arguments do",
                kind: OptionKind::Flag(false),
            },
            OptionDeclaration {
                name: PLACEMENT,
                description: "Placement of deallocations: after the last use on each path, or \
                at the ends of blocks",
                kind: OptionKind::Choice {
                    default: PLACEMENTS[0],
                    choices: &PLACEMENTS,
                },
            },
            OptionDeclaration {
                name: CLONES,
                description: "Replace each bufferization.clone by memref.alloc and memref.copy, \
                              and free nothing: for use before canonicalize, which may replace \
                              a clone by its source although the source is freed",
                kind: OptionKind::Flag(false),
            },
        ],
        statistics: &[],
        codes: &[codes::ALL, &[NEEDS_MODULE]],
        dialects: &["arith", "bufferization", "cf", "memref", "scf"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        match Names::default().info(run.op).is_function() {
            true => free(run, true),
            // A function may be there in two versions, with and without a region.
            false => deduplicated(run.op, || free(run, false)),
        }
    }
}

/// Frees what functions allocate; the only function, alone, or all of a module.
fn free(run: &Run<'_>, is_alone: bool) -> Result<(), Failed> {
    let has_strict_casts = has_strict_casts(run.op);
    if run.values.flag(CLONES) {
        return functions::visit_all(run.op, |function| {
            let clones = clones::inside(function, &mut Semantics::default());
            clones::write_out(&clones, has_strict_casts)
                .map(|_| ())
                .map_err(|error| not_written(function, error))
        });
    }
    let groups = functions::groups(run.op);
    let functions: Vec<Op<'_>> = groups.iter().flatten().copied().collect();
    let readings = Readings::of(run, functions.iter().copied());
    let work = Work {
        readings: &readings,
        at_ends: run.values.text(PLACEMENT) == PLACEMENTS[1],
        is_alone,
        has_strict_casts,
    };
    let telling = match run.values.flag(PRIVATE) {
        false => Telling::Needed,
        true if is_alone => {
            let message = format!(
                "{PRIVATE} concerns more than one function: schedule the pass on builtin.module"
            );
            return Err(fail_as::<OwnershipDealloc>(run.op, NEEDS_MODULE, message));
        }
        true => Telling::All,
    };
    let calls = callees::calls_in(&functions);
    declared::tell(&calls);
    let (summaries, with_flags) = callees::of_run(run.op, &functions, &calls, telling, &readings);
    if with_flags.contains(&true) {
        return dynamic_ownership::run(run.op, functions, work, &summaries, with_flags);
    }
    let result = functions::visit_groups(run.op, &groups, |function| {
        work.function(function, &Callees::new(&summaries), false)
            .map(|_| ())
    });
    if !readings.are_changed() {
        run.preserve_all();
    }
    readings.save(run, functions);
    result
}

/// What is done to each function.
#[derive(Clone, Copy)]
struct Work<'w> {
    /// The functions, as they were read.
    readings: &'w Readings,
    /// Memory is given back at the ends of blocks.
    at_ends: bool,
    /// The pass runs on functions by themselves: nobody tells their callers anything.
    is_alone: bool,
    /// Somebody relies on strides of what has no rank.
    has_strict_casts: bool,
}

impl Work<'_> {
    /// Works on a function; what its callers are told of what it returns, if that is a flag for each
    /// memref: `tells`.
    fn function(
        self,
        function: Op<'_>,
        callees: &Callees<'_>,
        tells: bool,
    ) -> Result<Vec<OwnershipSummary>, Failed> {
        attributes::remark_old_function(function);
        let Some(body) = calls::function_body(function) else {
            return Ok(Vec::new());
        };
        self.readings.with(function, |semantics| {
            self.body(function, body, callees, tells, semantics)
        })
    }

    fn body<'c>(
        self,
        function: Op<'c>,
        body: Region<'c>,
        callees: &Callees<'_>,
        tells: bool,
        semantics: &mut Semantics,
    ) -> Result<Vec<OwnershipSummary>, Failed> {
        let mut bases = Bases::default();
        let mut stays = Stays::default();
        let mut is_at_ends = self.at_ends;
        let (reading, plan, slots) = loop {
            let reading = read::read(body, &bases, &stays, callees, semantics);
            let mut reading = reading.map_err(|trouble| trouble.emit())?;
            reading.is_never_new = lends_nothing_new(function, callees);
            if self.is_alone && reading.is_done {
                tells_nobody_of_flags(function, semantics)?;
            }
            if reading.is_done {
                let left = already_deallocated::left(function, &reading, callees, semantics);
                if !stays.by_flags
                    && !function.has_attribute(ownership_summary::MARK)
                    && (!left.is_empty() || already_deallocated::returns_others(function, &reading))
                {
                    stays.by_flags = true;
                    continue;
                }
                let by = already_deallocated::first_by_flag_or_told(function, semantics)
                    .unwrap_or(function);
                for value in left {
                    tell_not_freed(
                        &reading,
                        value,
                        "is not freed: the function has been through deallocation",
                        (by, "has flags"),
                    );
                }
            }
            if reading.is_done || function.has_attribute(ownership_summary::MARK) {
                return Ok(Vec::new());
            }
            if bases.is_empty() && !reading.clones.is_empty() {
                let is_changed = clones::write_out(&reading.clones, self.has_strict_casts)
                    .map_err(|error| not_written(function, error))?;
                if is_changed {
                    continue;
                }
            }
            if let Some(op) = returned_otherwise(&reading, callees.of_function(function)) {
                let what = ErrorKind::ReturnsMixed;
                return Err(Error { op, what }.emit());
            }
            if self.is_alone {
                tells_nobody(function, &reading, semantics)?;
            }
            let settled = if self.at_ends {
                at_ends(&reading, semantics)
            } else {
                None
            };
            let (plan, slots) = match settled {
                Some(settled) => settled,
                None => {
                    let (settled, at_ends) = after_uses(&mut reading, semantics);
                    is_at_ends = self.at_ends || at_ends;
                    match settled {
                        Ok(settled) => settled,
                        Err(Refusal::Stranded(more)) => {
                            stays.stranded.extend(more);
                            continue;
                        }
                        Err(Refusal::Trouble(trouble))
                            if is_perhaps_freed(&reading, &trouble)
                                && stays.left.insert(trouble.op.key()) =>
                        {
                            continue;
                        }
                        Err(_) if !reading.held_in.is_empty() => {
                            stays.without_variables = true;
                            continue;
                        }
                        Err(refusal) => return Err(refusal.emit(function)),
                    }
                }
            };
            if reading.has_shifts && bases.is_empty() {
                bases = base_memrefs::travel(&reading, &plan, semantics)
                    .map_err(|error| fail_as::<OwnershipDealloc>(function, INTERNAL, error))?;
                if !bases.is_empty() {
                    // Operations have been made anew.
                    stays.stranded.clear();
                    stays.left.clear();
                    continue;
                }
            }
            break (reading, plan, slots);
        };
        for call in &reading.old_names {
            attributes::remark_old_call(*call);
        }
        for call in &reading.disagreed {
            Diagnostic::new(
                codes::GIVEN_AWAY,
                call.location(),
                "its result is not freed: some possible callees say that it is borrowed, and \
                others do not",
            )
            .emit();
        }
        for (value, op) in &reading.given_away {
            tell_given_away(&reading, *value, *op, semantics);
        }
        for (value, op) in &reading.stranded {
            tell_not_freed(
                &reading,
                *value,
                "is not freed: no operation can be inserted where it is dead",
                (*op, "between this and a successor block"),
            );
        }
        for (value, op) in &reading.perhaps_freed {
            // Of a select, what it may be says whose it is.
            let mut origins = reading.origins(*value).into_iter();
            if plan.flag(*value) != Flag::No || origins.any(|from| plan.flag(from) != Flag::No) {
                Diagnostic::new(
                    codes::PERHAPS_FREED,
                    op.location(),
                    "frees an argument, but perhaps not on all paths: it leaks on the others",
                )
                .emit();
            }
        }
        for op in &reading.left {
            Diagnostic::new(
                codes::PERHAPS_FREED,
                op.location(),
                "frees an argument, but perhaps not on all paths: on the others, only the \
                 deallocations of this function free it",
            )
            .emit();
        }
        let mut told = Vec::new();
        if tells {
            told = infer_summary::of(&reading, callees);
            infer_summary::sharpen(&mut told, &reading, &plan);
        }
        let manner = WriteOptions {
            tells,
            marks: is_at_ends,
            has_bases: !bases.is_empty(),
            has_strict_casts: self.has_strict_casts,
        };
        let mut hidden = base_memrefs::hidden(&reading, callees, semantics);
        if infer_summary::may_shift(callees, &reading) {
            hidden.extend(reading.held_in.iter().map(|held| held.value));
        }
        write::write(function, reading, &plan, slots, manner, &hidden, semantics)
            .map_err(|error| not_written(function, error))?;
        Ok(told)
    }
}

/// Does a callee free memory, but perhaps not on all paths, which is in the way of freeing the rest?
fn is_perhaps_freed(reading: &Reading<'_>, trouble: &Error<'_>) -> bool {
    let mut all = reading.perhaps_freed.iter();
    matches!(trouble.what, ErrorKind::Taken) && all.any(|(_, op)| op.key() == trouble.op.key())
}

fn not_written(function: Op<'_>, error: WriteError<'_>) -> Failed {
    match error {
        WriteError::Trouble(trouble) => trouble.emit(),
        WriteError::Build(error) => fail_as::<OwnershipDealloc>(function, INTERNAL, error),
    }
}

/// Memory that is never freed by the function, because something holds on to it that is not followed.
fn tell_given_away(reading: &Reading<'_>, value: ValueId, by: Op<'_>, semantics: &mut Semantics) {
    if semantics.table_facts(by).frees_by_flags {
        return tell_not_freed(
            reading,
            value,
            "is freed only if a flag of the program is true",
            (by, "freed under a flag here"),
        );
    }
    // Who frees memory, or says that it does so itself, knows.
    let memory = semantics.of(by);
    if memory.opaque.is_some() || !memory.frees() {
        tell_not_freed(
            reading,
            value,
            "is not freed: it escapes, so it may be in use for longer than the function shows",
            (by, "it escapes here"),
        );
    }
}

/// Memory that is never freed by the function, why, and because of what.
fn tell_not_freed(
    reading: &Reading<'_>,
    value: ValueId,
    why: &'static str,
    (by, note): (Op<'_>, &'static str),
) {
    let fact = reading.function.value(value);
    if let Some(step) = fact.step {
        let made = reading.steps[fact.segment.index()][step as usize];
        Diagnostic::new(codes::GIVEN_AWAY, made.location(), why)
            .note(by.location(), note)
            .emit();
    }
}

/// A return of memory that is not freed by what callers were told frees it.
fn returned_otherwise<'c>(
    reading: &Reading<'c>,
    summary: Option<&FunctionSummary>,
) -> Option<Op<'c>> {
    let summary = summary?;
    let mut returns = reading.ways.iter().filter_map(|way| match way {
        IrEdge::Return(op) => Some(*op),
        _ => None,
    });
    returns.find(|op| {
        let memrefs = operands(*op).enumerate();
        let memrefs = memrefs.filter(|(_, value)| holds_memref(type_of(*value)));
        memrefs.enumerate().any(|(at, (number, _))| {
            let told = summary.result(number).and_then(|result| result.freed_by);
            told.is_some_and(|told| told != reading.returned.of(at))
        })
    })
}

/// Is what a function lends never new memory?
fn lends_nothing_new(function: Op<'_>, callees: &Callees<'_>) -> bool {
    callees.of_function(function).is_some_and(|summary| {
        let results = summary.results.iter().enumerate();
        let mut lent = results
            .filter(|(at, _)| attributes::is_result_borrowed(function, *at))
            .map(|(_, result)| result)
            .peekable();
        lent.peek().is_some() && lent.all(|one| !one.is_new() && !one.may_be.is_empty())
    })
}

/// What callers would have to know of: without, they free what is freed already, or what something holds on to.
fn tells_nobody<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(), Failed> {
    let summary = callees::alone(function, semantics);
    let holds_on = |summary: &FunctionSummary| {
        let mut arguments = summary.arguments.iter();
        arguments.any(|argument| argument.is_captured) || summary.returns_addresses()
    };
    if summary.as_ref().is_some_and(holds_on) {
        Diagnostic::new(
            codes::HOLDS_ON,
            function.location(),
            "may capture memory of the caller, which a function pass cannot update: schedule \
             the pass on builtin.module",
        )
        .emit();
    }
    let mut failed = false;
    if let Some((_, name)) = reading.returned.0.first() {
        let mut ways = reading.ways.iter();
        let returns = ways.find_map(|way| match way {
            IrEdge::Return(op) => Some(*op),
            _ => None,
        });
        let what = ErrorKind::AllocatorUntold(name);
        let op = returns.unwrap_or(function);
        Error { op, what }.emit();
        failed = true;
    }
    for (op, value) in &reading.freed {
        let origins = reading.origins(*value);
        if origins
            .iter()
            .any(|origin| infer_summary::argument(reading, *origin).is_some())
        {
            let what = ErrorKind::Untold;
            Error { op: *op, what }.emit();
            failed = true;
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

/// Callers would have to know of what is freed by a flag, although nothing else is left to be done.
fn tells_nobody_of_flags<'c>(function: Op<'c>, semantics: &mut Semantics) -> Result<(), Failed> {
    let Some(op) = already_deallocated::first_by_flag(function, semantics) else {
        return Ok(());
    };
    let summary = callees::alone(function, semantics);
    let arguments = summary.iter().flat_map(|summary| &summary.arguments);
    let mut freed = arguments.filter(|argument| argument.frees != FreesArgument::No);
    match freed.next() {
        Some(_) => {
            let what = ErrorKind::Untold;
            Err(Error { op, what }.emit())
        }
        None => Ok(()),
    }
}
