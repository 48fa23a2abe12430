//! Donated arguments: the caller needs their contents no more, so buffers that start as copies of them, or are computed from
//! them element by element, become them.
//!
//! Such an operation is in the function's first block, is the last one to use the argument, and the first one to use the
//! buffer. A result that is always a donated argument is marked as borrowed: its memory stays the caller's.

use super::{
    codes::DONATED,
    dead, donated_calls, donated_checks,
    donated_results::{self, is_returned_alone},
    read::{Fact, Positions, buffers, holds_elements_once, is_within, ready},
    self_copies,
    types::may_be,
    write::{Order, forget, replace},
};
use memplan_lifetimes::{
    Analysis,
    alias::Root,
    program::{BufferId, InStep, Position, Successor, Use, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    calls::{callee, function_body},
    diagnostics::Diagnostic,
    ir::{
        Identity, Op, Origin, Val, blocks, erase, is_memref, origin, parent_block, type_of, users,
    },
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols::{self, function_type, is_private},
};
use memplan_semantics::{
    Readings, Semantics,
    attributes::{self, BORROWED},
    functions,
    names::Names,
};
use memplan_summaries::CallGraph;
use rustc_hash::FxHashSet;

/// The functions that have donated arguments; an error where `memplan.donated` has no meaning. `is_function`: the pass runs
/// on one function, and must not look at others.
pub fn all<'c>(
    root: Op<'c>,
    bodies: impl Iterator<Item = Op<'c>>,
    is_function: bool,
) -> Result<Vec<Op<'c>>, Failed> {
    let mut found = Vec::new();
    let mut failed = false;
    let declared = match is_function {
        true => Vec::new(),
        false => functions::declarations(root, &mut Names::default()),
    };
    for function in bodies.chain(declared) {
        match has_donated(function) {
            Ok(true) => found.push(function),
            Ok(false) => {}
            Err(Failed) => failed = true,
        }
    }
    if failed { Err(Failed) } else { Ok(found) }
}

/// Marks memref arguments of public functions that no function of the module names as donated, if they can be, and the function
/// does not write them: what it writes may be for the caller. Returns whether there are any that were not.
pub fn mark_all<'c>(
    root: Op<'c>,
    bodies: impl Iterator<Item = Op<'c>>,
    is_function: bool,
    readings: &Readings,
    analyse: impl Fn(Op<'c>, &mut Semantics) -> Analysis<'c>,
) -> bool {
    let bodies: Vec<Op<'c>> = bodies.collect();
    let graph = (!is_function).then(|| CallGraph::of(root, bodies.clone()));
    let mut is_changed = false;
    for (at, function) in bodies.iter().enumerate() {
        let is_used = graph
            .as_ref()
            .is_some_and(|graph| !graph.callers[at].is_empty() || graph.referrer(at).is_some());
        let Some(form) = function_type(*function).filter(|_| !is_used && !is_private(*function))
        else {
            continue;
        };
        let (problems, written) = readings.with(*function, |semantics| {
            let analysis = analyse(*function, semantics);
            let problems = donated_checks::problems(*function, &analysis, false);
            (problems, written_arguments(&analysis))
        });
        for place in 0..form.input_count() {
            let can_be = form.input(place).is_ok_and(is_memref)
                && !attributes::is_read_only(*function, place)
                && !written.contains(&place)
                && !problems.iter().any(|problem| problem.place == place);
            if can_be && !attributes::is_donated(*function, place) {
                is_changed |= symbols::mark_argument(*function, place, attributes::DONATED);
            }
        }
    }
    is_changed
}

/// The numbers of arguments that a function may write.
fn written_arguments(analysis: &Analysis<'_>) -> FxHashSet<usize> {
    let program = &analysis.program;
    let is_return = |used: &Use| {
        let block = &program.blocks[used.block.index()];
        used.position + 1 == block.end && block.successors.contains(&Successor::Exit)
    };
    let written = program
        .uses
        .iter()
        .filter(|used| used.writes && !is_return(used));
    let roots = written.flat_map(|used| analysis.aliases.roots(used.value));
    let numbers = roots.filter_map(|root| match root {
        Root::Argument(number) => Some(program.argument_places[*number as usize]),
        Root::Buffer(_) => None,
    });
    numbers.collect()
}

/// Whether a function has donated arguments; an error if `memplan.donated` is where it has no meaning.
fn has_donated(function: Op<'_>) -> Result<bool, Failed> {
    let Some(r#type) =
        function_type(function).filter(|_| attributes::may_describe_arguments(function))
    else {
        return Ok(false);
    };
    let (mut found, mut failed) = (false, false);
    for place in (0..r#type.input_count()).filter(|place| attributes::is_donated(function, *place))
    {
        let is_memref = r#type.input(place).is_ok_and(is_memref);
        let why = match function_body(function) {
            _ if !is_memref => "is no memref",
            None => "belongs to a function without a body",
            Some(_) => {
                found = true;
                continue;
            }
        };
        if symbols::has_argument_mark(function, place, attributes::DONATED) {
            let text = format!("argument {place} is donated, but {why}");
            Diagnostic::new(DONATED, function.location(), text).emit();
            failed = true;
        }
    }
    if failed { Err(Failed) } else { Ok(found) }
}

/// Checks the calls of donating functions.
pub fn check_calls<'c>(
    functions: impl Iterator<Item = Op<'c>>,
    readings: &Readings,
    analyse: impl Fn(Op<'c>, &mut Semantics) -> Analysis<'c>,
) -> Result<(), Failed> {
    let mut result = Ok(());
    for function in functions {
        let checked = readings.with(function, |semantics| {
            let analysis = analyse(function, semantics);
            donated_calls::check(&analysis, semantics)
        });
        result = result.and(checked);
    }
    result
}

/// Lets buffers of these functions be donated arguments; returns their number.
pub fn run<'c>(
    functions: &[Op<'c>],
    readings: &Readings,
    analyse: impl Fn(Op<'c>, &mut Semantics) -> Analysis<'c>,
) -> usize {
    let mut count = 0;
    for function in functions {
        readings.with(*function, |semantics| {
            loop {
                let analysis = analyse(*function, semantics);
                let reused = match analysis.program.has_arena {
                    true => 0,
                    false => reuse_once(*function, &analysis, semantics),
                };
                count += reused;
                if reused == 0 {
                    break;
                }
            }
        });
    }
    count
}

/// Marks results of these functions that are always donated arguments as borrowed.
pub fn mark_results<'c>(
    functions: &[Op<'c>],
    readings: &Readings,
    analyse: impl Fn(Op<'c>, &mut Semantics) -> Analysis<'c>,
) {
    let results = functions.iter().flat_map(|function| {
        readings.with(*function, |semantics| {
            let analysis = analyse(*function, semantics);
            passed(*function, &analysis, semantics)
        })
    });
    mark(results.collect());
}

/// Does the first of these steps that changes something; returns the number of its changes.
fn reuse_once<'c>(function: Op<'c>, analysis: &Analysis<'c>, semantics: &mut Semantics) -> usize {
    // What is dead, or does nothing, does not keep an argument in use.
    let steps: [&mut dyn FnMut(&mut Semantics) -> usize; 4] = [
        &mut |semantics| dead::run(analysis, semantics, &mut FxHashSet::default(), |_| {}),
        &mut |semantics| self_copies::run(analysis, semantics, |_| {}),
        &mut |semantics| reuse(function, analysis, semantics),
        &mut |semantics| give_results(function, analysis, semantics),
    ];
    let mut steps = steps.into_iter().map(|step| step(semantics));
    steps.find(|changes| *changes > 0).unwrap_or(0)
}

/// Lets results be donated arguments whose contents nothing needs then; returns their number.
fn give_results<'c>(function: Op<'c>, analysis: &Analysis<'c>, semantics: &mut Semantics) -> usize {
    let program = &analysis.program;
    let may_take = |argument: u32| {
        let is_it = |value: ValueId| may_be_argument(analysis, value, argument);
        is_known(analysis, argument)
            && !program.returned.iter().any(|(_, value)| is_it(*value))
            && !program.deallocs.iter().any(|free| is_it(free.value))
    };
    donated_results::run(function, analysis, semantics, may_take)
}

/// A buffer that becomes a donated argument.
struct Reuse<'c> {
    value: Val<'c>,
    view: Val<'c>,
    op: Op<'c>,
    copies: bool,
    first: Position,
}

/// Lets buffers be donated arguments; returns their number. The analysis is invalid if there are any.
fn reuse<'c>(function: Op<'c>, analysis: &Analysis<'c>, semantics: &mut Semantics) -> usize {
    let positions = Positions::of(analysis);
    let facts = buffers(analysis);
    let mut taken = FxHashSet::default();
    let mut reuses = Vec::new();
    let out = copied_out(analysis);
    for step in &analysis.program.in_step {
        if out.contains(&step.written) {
            continue;
        }
        let ends = [step.read, step.written].map(|value| analysis.aliases.base(value));
        if !ends.iter().any(|end| taken.contains(end))
            && let Some(reuse) = found(function, analysis, &positions, &facts, semantics, step)
        {
            taken.extend(ends);
            reuses.push(reuse);
        }
    }
    let mut order = Order::new(analysis, &positions);
    for reuse in &reuses {
        order.raise_value(reuse.view, reuse.first);
    }
    for reuse in &reuses {
        forget(reuse.value, semantics);
        replace(reuse.value, reuse.view, semantics);
        if reuse.copies {
            erase(reuse.op);
        }
        if let Some(Origin::Result(alloc, _)) = origin(reuse.value) {
            erase(alloc);
        }
    }
    reuses.len()
}

/// Buffers that are copied to memory of the caller: they may become that, without a copy.
fn copied_out(analysis: &Analysis<'_>) -> FxHashSet<ValueId> {
    let kind = |value: ValueId| analysis.program.values[value.index()].kind;
    let copies = analysis.program.in_step.iter().filter(|step| {
        let target = kind(analysis.aliases.base(step.written));
        step.copy.is_some() && matches!(target, ValueKind::Argument(_))
    });
    copies
        .map(|step| analysis.aliases.base(step.read))
        .collect()
}

fn found<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    positions: &Positions,
    facts: &[Fact<'c>],
    semantics: &mut Semantics,
    step: &InStep,
) -> Option<Reuse<'c>> {
    let (program, aliases, handles) = (&analysis.program, &analysis.aliases, &analysis.handles);
    let base = aliases.base(step.read);
    let ValueKind::Argument(argument) = program.values[base.index()].kind else {
        return None;
    };
    let ValueKind::Alloc(to) = program.values[step.written.index()].kind else {
        return None;
    };
    let place = program.argument_places[argument as usize];
    let op = handles.op_at(step.position)?;
    let block = parent_block(op)?;
    let entry = function_body(function).and_then(|body| blocks(body).next())?;
    let copies = step.copy.is_some();
    let fact = &facts[to.index()];
    let (value, view) = (fact.value, handles.values[step.read.index()]);
    let is_possible = attributes::is_donated(function, place)
        && step.same_elements
        && (copies || !step.apart)
        && block.key() == entry.key()
        && fact.takes
        && is_known(analysis, argument)
        && memory_space(type_of(value)) == memory_space(type_of(view))
        && holds_elements_once(view, semantics, 0)
        && is_within(view, handles.values[base.index()], semantics)
        && is_last(analysis, step, argument, to)
        && is_returned_alone(analysis, to)
        && may_be(value, type_of(view), semantics).is_ok();
    if !is_possible {
        return None;
    }
    let user = users(value).filter_map(|user| positions.in_block(user, block));
    let first = user.min()?;
    (ready(
        view,
        block,
        handles.values[base.index()],
        positions,
        semantics,
        0,
    ) < first)
        .then_some(Reuse {
            value,
            view,
            op,
            copies,
            first,
        })
}

/// Whether nothing uses an argument that is not followed, or asynchronously.
fn is_known(analysis: &Analysis<'_>, argument: u32) -> bool {
    let program = &analysis.program;
    let (_, escapes) = analysis.aliases.escapes(program, |_| true);
    let mut pending = program.pending.iter().flat_map(|entry| &entry.values);
    escapes[argument as usize].is_none()
        && !pending.any(|value| may_be_argument(analysis, *value, argument))
}

fn may_be_argument(analysis: &Analysis<'_>, value: ValueId, argument: u32) -> bool {
    let roots = analysis.aliases.roots(value);
    roots.contains(&Root::Argument(argument)) || analysis.aliases.is_wide(value)
}

/// Whether a step is the last use of an argument, and the first one of a buffer.
fn is_last(analysis: &Analysis<'_>, step: &InStep, argument: u32, to: BufferId) -> bool {
    let program = &analysis.program;
    let is_argument = |value: ValueId| may_be_argument(analysis, value, argument);
    let is_buffer = |value: ValueId| analysis.aliases.buffers(value).any(|buffer| buffer == to);
    let mut uses = program
        .uses
        .iter()
        .filter(|used| used.kind != UseKind::Mention);
    let mut returned = program.returned.iter();
    let mut deallocs = program.deallocs.iter();
    uses.all(|used| {
        let is_after = used.position > step.position
            || used.position == step.position && used.value != step.read;
        let is_before = used.position < step.position
            || used.position == step.position && used.value != step.written;
        !(is_after && is_argument(used.value) || is_before && is_buffer(used.value))
    }) && !returned.any(|(_, value)| is_argument(*value))
        && !deallocs.any(|dealloc| is_argument(dealloc.value))
}

/// A result that is always a donated argument.
struct Passed<'c> {
    /// The function.
    function: Op<'c>,
    /// The number of the result.
    result: usize,
    /// The calls that it may be a result of, with the number of the result of each.
    calls: Vec<(Op<'c>, usize)>,
}

/// The results of a function that are always donated arguments.
fn passed<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
) -> Vec<Passed<'c>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let mut all = Vec::new();
    let mut numbers: Vec<u32> = program.returned.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let values = program
            .returned
            .iter()
            .filter(|(other, _)| *other == number);
        let values: Vec<ValueId> = values.map(|(_, value)| *value).collect();
        let is_donated = |root: &Root| match root {
            Root::Argument(argument) => {
                attributes::is_donated(function, program.argument_places[*argument as usize])
            }
            Root::Buffer(_) => false,
        };
        let always = values.iter().all(|value| {
            let roots = aliases.roots(*value);
            !roots.is_empty() && roots.iter().all(is_donated) && !aliases.is_unknown(*value)
        });
        // Whether a result is freed is not decided at run time beside one that never is.
        let is_new = |root: &Root| matches!(root, Root::Buffer(_));
        let never = values
            .iter()
            .all(|value| aliases.roots(*value).iter().all(is_new) && !aliases.is_unknown(*value));
        if !always && !never {
            return Vec::new();
        }
        if always {
            all.push(Passed {
                function,
                result: number as usize,
                calls: calls(analysis, values, semantics),
            });
        }
    }
    all
}

/// The calls whose results values may be.
fn calls<'c>(
    analysis: &Analysis<'c>,
    values: Vec<ValueId>,
    semantics: &mut Semantics,
) -> Vec<(Op<'c>, usize)> {
    let mut seen = FxHashSet::default();
    let mut work = values;
    let mut calls = Vec::new();
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        let fact = &analysis.program.values[value.index()];
        work.extend(fact.sources.iter().copied());
        if let Some(Origin::Result(op, number)) = origin(analysis.handles.values[value.index()])
            && semantics.of(op).is_call
        {
            calls.push((op, number));
        }
    }
    calls
}

/// Marks results that are always donated arguments as borrowed. A result of a call has to be borrowed for that.
fn mark(mut all: Vec<Passed<'_>>) {
    loop {
        let is_borrowed = |(call, number): &(Op<'_>, usize)| {
            callee(*call).is_some_and(|callee| attributes::is_result_borrowed(callee, *number))
        };
        let count = all.len();
        let (ready, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|one| one.calls.iter().all(is_borrowed));
        for one in &ready {
            if !attributes::is_result_borrowed(one.function, one.result) {
                symbols::mark_result(one.function, one.result, BORROWED);
            }
        }
        all = others;
        if all.len() == count {
            return;
        }
    }
}
