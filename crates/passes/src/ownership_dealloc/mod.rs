//! `memplan-ownership-dealloc`: ownership-based deallocation, with frees after last uses or at the ends of
//! blocks.
//!
//! read (`read`) -> decide (memplan-ownership, and `flag_slots` for the places of ownership flags) -> write
//! (`write`). If the plan compares views whose data starts elsewhere than that of their source, the source is
//! forwarded along with the view (`base_memrefs`), and the function is read again.

mod already_deallocated;
mod assumed_new;
mod base_memrefs;
mod callees;
mod clones;
mod error;
mod feasible_plan;
mod flag_returning;
mod flag_returning_module;
mod flag_slots;
mod flagless_parameters;
mod infer_summary;
mod ownership_summary;
mod ownership_transfer;
mod read;
pub(crate) mod returned_allocators;
mod returned_arguments;
mod write;

use crate::{
    codes::{INTERNAL, NEEDS_MODULE},
    failure::fail_as,
    unbufferized,
};
use callees::FlagReturns;
use error::{Error, ErrorKind};
use feasible_plan::{NoPlan, plan_after_last_uses, plan_at_block_ends};
use memplan_declarations::ownership_dealloc::{CLONES, PLACEMENT, PLACEMENTS, PRIVATE, codes};
use memplan_mlir::{
    build::has_strict_casts,
    calls,
    diagnostics::{Diagnostic, deduplicated},
    ir::{Identity, Op, Region, holds_memref, operands, type_of},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_ownership::{function::ValueId, plan::Ownership};
use memplan_semantics::{Readings, Semantics, attributes, functions, names::Names};
use memplan_summaries::{FreesArgument, FunctionSummary};
use ownership_summary::{Callees, OwnershipSummary};
use read::{BaseMemrefs, IrEdge, ReadConstraints, Reading};
use write::{WriteError, WriteOptions};

/// The pass.
pub struct OwnershipDealloc;

impl Pass for OwnershipDealloc {
    const DECLARATION: &'static Declaration = &memplan_declarations::ownership_dealloc::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        unbufferized::warn(run.op);
        match Names::default().info(run.op).is_function() {
            true => run_on_functions(run, true),
            // A function may be visited twice, with and without a region.
            false => deduplicated(run.op, || run_on_functions(run, false)),
        }
    }
}

/// Frees the memory that functions allocate: of a single function (`is_alone`), or of all in a module.
fn run_on_functions(run: &Run<'_>, is_alone: bool) -> Result<(), Failed> {
    let has_strict_casts = has_strict_casts(run.op);
    if run.values.flag(CLONES) {
        return functions::visit_all(run.op, |function| {
            let clones = clones::clones_in(function, &mut Semantics::default());
            clones::expand(&clones, has_strict_casts)
                .map(|_| ())
                .map_err(|error| fail_to_write(function, error))
        });
    }
    let groups = functions::groups(run.op);
    let functions: Vec<Op<'_>> = groups.iter().flatten().copied().collect();
    let readings = Readings::of(run, functions.iter().copied());
    let context = DeallocContext {
        readings: &readings,
        at_block_ends: run.values.text(PLACEMENT) == PLACEMENTS[1],
        is_alone,
        has_strict_casts,
    };
    let flag_returns = match run.values.flag(PRIVATE) {
        false => FlagReturns::Needed,
        true if is_alone => {
            let message = format!(
                "{PRIVATE} concerns more than one function: schedule the pass on builtin.module"
            );
            return Err(fail_as::<OwnershipDealloc>(run.op, NEEDS_MODULE, message));
        }
        true => FlagReturns::All,
    };
    let calls = callees::calls_in(&functions);
    assumed_new::mark_all(&calls);
    let (summaries, with_flags) =
        callees::summarize(run.op, &functions, &calls, flag_returns, &readings);
    if with_flags.contains(&true) {
        return flag_returning_module::run(run.op, functions, context, &summaries, with_flags);
    }
    let result = functions::visit_groups(run.op, &groups, |function| {
        context
            .dealloc_function(function, &Callees::new(&summaries), false)
            .map(|_| ())
    });
    if !readings.are_changed() {
        run.preserve_all();
    }
    readings.save(run, functions);
    result
}

/// The settings and shared data for all functions.
#[derive(Clone, Copy)]
struct DeallocContext<'w> {
    /// The semantics that have been read of the functions.
    readings: &'w Readings,
    /// Memory is freed at the ends of blocks.
    at_block_ends: bool,
    /// The pass runs on single functions, so callers do not learn what their callees do.
    is_alone: bool,
    /// Some cast relies on the strides of an unranked memref.
    has_strict_casts: bool,
}

impl DeallocContext<'_> {
    /// Deallocates in a function. Returns the summary of its results for its callers, if it returns ownership
    /// flags (`returns_flags`).
    fn dealloc_function(
        self,
        function: Op<'_>,
        callees: &Callees<'_>,
        returns_flags: bool,
    ) -> Result<Vec<OwnershipSummary>, Failed> {
        attributes::remark_old_function(function);
        let Some(body) = calls::function_body(function) else {
            return Ok(Vec::new());
        };
        self.readings.with(function, |semantics| {
            self.dealloc_body(function, body, callees, returns_flags, semantics)
        })
    }

    fn dealloc_body<'c>(
        self,
        function: Op<'c>,
        body: Region<'c>,
        callees: &Callees<'_>,
        returns_flags: bool,
        semantics: &mut Semantics,
    ) -> Result<Vec<OwnershipSummary>, Failed> {
        let mut bases = BaseMemrefs::default();
        let mut constraints = ReadConstraints::default();
        let mut is_at_block_ends = self.at_block_ends;
        let (reading, plan, slots) = loop {
            let reading = read::read(body, &bases, &constraints, callees, semantics);
            let mut reading = reading.map_err(|error| error.emit())?;
            reading.borrowed_is_never_new = borrows_only_arguments(function, callees);
            if self.is_alone && reading.is_already_deallocated {
                check_conditional_frees(function, semantics)?;
            }
            if reading.is_already_deallocated {
                let unfreed =
                    already_deallocated::unfreed_memory(function, &reading, callees, semantics);
                if !constraints.program_frees_by_flags
                    && !function.has_attribute(ownership_summary::MARK)
                    && (!unfreed.is_empty()
                        || already_deallocated::returns_unowned(function, &reading))
                {
                    constraints.program_frees_by_flags = true;
                    continue;
                }
                let by =
                    already_deallocated::first_conditional_free_or_flag_call(function, semantics)
                        .unwrap_or(function);
                for value in unfreed {
                    warn_not_freed(
                        &reading,
                        value,
                        "is not freed: the function has been through deallocation",
                        (by, "has flags"),
                    );
                }
            }
            if reading.is_already_deallocated || function.has_attribute(ownership_summary::MARK) {
                return Ok(Vec::new());
            }
            if bases.is_empty() && !reading.clones.is_empty() {
                let is_changed = clones::expand(&reading.clones, self.has_strict_casts)
                    .map_err(|error| fail_to_write(function, error))?;
                if is_changed {
                    continue;
                }
            }
            if let Some(op) = return_with_other_allocator(&reading, callees.of_function(function)) {
                let kind = ErrorKind::ReturnsMixed;
                return Err(Error { op, kind }.emit());
            }
            if self.is_alone {
                check_unknown_callers(function, &reading, semantics)?;
            }
            let planned = if self.at_block_ends {
                plan_at_block_ends(&reading, semantics)
            } else {
                None
            };
            let (plan, slots) = match planned {
                Some(planned) => planned,
                None => {
                    let (planned, at_block_ends) = plan_after_last_uses(&mut reading, semantics);
                    is_at_block_ends = self.at_block_ends || at_block_ends;
                    match planned {
                        Ok(planned) => planned,
                        Err(NoPlan::Unplaceable(more)) => {
                            constraints.unplaceable.extend(more);
                            continue;
                        }
                        Err(NoPlan::Error(error))
                            if is_perhaps_freed(&reading, &error)
                                && constraints.left_to_program.insert(error.op.key()) =>
                        {
                            continue;
                        }
                        Err(_) if !reading.values_in_memory.is_empty() => {
                            constraints.without_promotion = true;
                            continue;
                        }
                        Err(no_plan) => return Err(no_plan.emit(function)),
                    }
                }
            };
            if reading.has_shifts && bases.is_empty() {
                bases = base_memrefs::forward_bases(&reading, &plan, semantics)
                    .map_err(|error| fail_as::<OwnershipDealloc>(function, INTERNAL, error))?;
                if !bases.is_empty() {
                    // Operations have been recreated.
                    constraints.unplaceable.clear();
                    constraints.left_to_program.clear();
                    continue;
                }
            }
            break (reading, plan, slots);
        };
        for call in &reading.old_names {
            attributes::remark_old_call(*call);
        }
        for call in &reading.disagreeing_calls {
            Diagnostic::new(
                codes::NOT_FREED,
                call.location(),
                "its result is not freed: some possible callees say that it is borrowed, and \
                others do not",
            )
            .emit();
        }
        for (value, op) in &reading.disowned {
            warn_escaped(&reading, *value, *op, semantics);
        }
        for (value, op) in &reading.unplaceable {
            warn_not_freed(
                &reading,
                *value,
                "is not freed: no operation can be inserted where it is dead",
                (*op, "between this and a successor block"),
            );
        }
        for (value, op) in &reading.perhaps_freed {
            // The ownership of a select is that of its operands.
            let mut origins = reading.origins(*value).into_iter();
            if plan.ownership_of(*value) != Ownership::Never
                || origins.any(|from| plan.ownership_of(from) != Ownership::Never)
            {
                Diagnostic::new(
                    codes::PERHAPS_FREED,
                    op.location(),
                    "frees an argument, but perhaps not on all paths: it leaks on the others",
                )
                .emit();
            }
        }
        for op in &reading.left_to_program {
            Diagnostic::new(
                codes::PERHAPS_FREED,
                op.location(),
                "frees an argument, but perhaps not on all paths: on the others, only the \
                 deallocations of this function free it",
            )
            .emit();
        }
        let mut ownership = Vec::new();
        if returns_flags {
            ownership = infer_summary::infer(&reading, callees);
            infer_summary::refine(&mut ownership, &reading, &plan);
        }
        let options = WriteOptions {
            returns_flags,
            marks_changes: is_at_block_ends,
            has_bases: !bases.is_empty(),
            has_strict_casts: self.has_strict_casts,
        };
        let mut shifted = base_memrefs::shifted_values(&reading, callees, semantics);
        if infer_summary::may_have_shifted_views(callees, &reading) {
            shifted.extend(reading.values_in_memory.iter().map(|stored| stored.value));
        }
        write::write(
            function, reading, &plan, slots, options, &shifted, semantics,
        )
        .map_err(|error| fail_to_write(function, error))?;
        Ok(ownership)
    }
}

/// Whether an error is caused by a callee that frees memory on some paths only.
fn is_perhaps_freed(reading: &Reading<'_>, error: &Error<'_>) -> bool {
    let mut all = reading.perhaps_freed.iter();
    matches!(error.kind, ErrorKind::ConsumedWhileLive)
        && all.any(|(_, op)| op.key() == error.op.key())
}

fn fail_to_write(function: Op<'_>, error: WriteError<'_>) -> Failed {
    match error {
        WriteError::Unsupported(error) => error.emit(),
        WriteError::Build(error) => fail_as::<OwnershipDealloc>(function, INTERNAL, error),
    }
}

/// Warns that memory is never freed because it escapes.
fn warn_escaped(reading: &Reading<'_>, value: ValueId, by: Op<'_>, semantics: &mut Semantics) {
    if semantics.table_facts(by).frees_by_flags {
        return warn_not_freed(
            reading,
            value,
            "is freed only if a flag of the program is true",
            (by, "freed under a flag here"),
        );
    }
    // Operations that free memory, or declare that they do, need no warning.
    let memory = semantics.of(by);
    if memory.opaque.is_some() || !memory.frees() {
        warn_not_freed(
            reading,
            value,
            "is not freed: it escapes, so it may be in use for longer than the function shows",
            (by, "it escapes here"),
        );
    }
}

/// Warns that the function never frees a piece of memory, with a reason and the cause.
fn warn_not_freed(
    reading: &Reading<'_>,
    value: ValueId,
    why: &'static str,
    (by, note): (Op<'_>, &'static str),
) {
    let fact = reading.function.value(value);
    if let Some(step) = fact.step {
        let allocation = reading.steps[fact.segment.index()][step as usize];
        Diagnostic::new(codes::NOT_FREED, allocation.location(), why)
            .note(by.location(), note)
            .emit();
    }
}

/// A return of memory from another allocator than the one that callers assume by the summary.
fn return_with_other_allocator<'c>(
    reading: &Reading<'c>,
    summary: Option<&FunctionSummary>,
) -> Option<Op<'c>> {
    let summary = summary?;
    let mut returns = reading.ir_edges.iter().filter_map(|ir_edge| match ir_edge {
        IrEdge::Return(op) => Some(*op),
        _ => None,
    });
    returns.find(|op| {
        let memrefs = operands(*op).enumerate();
        let memrefs = memrefs.filter(|(_, value)| holds_memref(type_of(*value)));
        memrefs.enumerate().any(|(at, (number, _))| {
            let allocator = summary.result(number).and_then(|result| result.freed_by);
            allocator.is_some_and(|allocator| allocator != reading.returned_allocators.of(at))
        })
    })
}

/// Whether all borrowed results of a function are arguments, never new memory.
fn borrows_only_arguments(function: Op<'_>, callees: &Callees<'_>) -> bool {
    callees.of_function(function).is_some_and(|summary| {
        let results = summary.results.iter().enumerate();
        let mut borrowed = results
            .filter(|(at, _)| attributes::is_result_borrowed(function, *at))
            .map(|(_, result)| result)
            .peekable();
        borrowed.peek().is_some() && borrowed.all(|one| !one.is_new() && !one.may_be.is_empty())
    })
}

/// Reports effects that callers would have to know of where they cannot: they would free memory again, or too
/// early.
fn check_unknown_callers<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(), Failed> {
    let summary = callees::summarize_alone(function, semantics);
    let captures = |summary: &FunctionSummary| {
        let mut arguments = summary.arguments.iter();
        arguments.any(|argument| argument.is_captured) || summary.returns_addresses()
    };
    if summary.as_ref().is_some_and(captures) {
        Diagnostic::new(
            codes::HOLDS_ON,
            function.location(),
            "may capture memory of the caller, which a function pass cannot update: schedule \
             the pass on builtin.module",
        )
        .emit();
    }
    let mut failed = false;
    if let Some((_, name)) = reading.returned_allocators.0.first() {
        let mut ir_edges = reading.ir_edges.iter();
        let returns = ir_edges.find_map(|ir_edge| match ir_edge {
            IrEdge::Return(op) => Some(*op),
            _ => None,
        });
        let kind = ErrorKind::AllocatorUnknownToCaller(name);
        let op = returns.unwrap_or(function);
        Error { op, kind }.emit();
        failed = true;
    }
    for (op, value) in &reading.freed {
        let origins = reading.origins(*value);
        if origins
            .iter()
            .any(|origin| infer_summary::argument_number(reading, *origin).is_some())
        {
            let kind = ErrorKind::CallerUnaware;
            Error { op: *op, kind }.emit();
            failed = true;
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

/// Reports frees under a flag that callers would have to know of, in a function that is deallocated already.
fn check_conditional_frees<'c>(function: Op<'c>, semantics: &mut Semantics) -> Result<(), Failed> {
    let Some(op) = already_deallocated::first_conditional_free(function, semantics) else {
        return Ok(());
    };
    let summary = callees::summarize_alone(function, semantics);
    let arguments = summary.iter().flat_map(|summary| &summary.arguments);
    let mut freed = arguments.filter(|argument| argument.frees != FreesArgument::No);
    match freed.next() {
        Some(_) => {
            let kind = ErrorKind::CallerUnaware;
            Err(Error { op, kind }.emit())
        }
        None => Ok(()),
    }
}
