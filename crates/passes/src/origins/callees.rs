//! What called functions return and keep, by their bodies.

use super::{MOVED, has_sites, read};
use memplan_mlir::{
    calls,
    ir::{Op, is_memref, operands, results, type_of},
};
use memplan_ownership::{
    function::ValueId,
    origins::{MayBe, Origins, Relation},
};
use memplan_semantics::{Readings, Semantics};
use memplan_summaries::{CallGraph, Targets};
use smallvec::{SmallVec, smallvec};

/// What a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// One of these arguments, perhaps.
    pub arguments: Vec<u32>,
    /// New memory, if there are any numbers; results that have none in common are other memory.
    pub new: SmallVec<[u32; 1]>,
    /// Memory of someone else, perhaps.
    pub foreign: bool,
    /// Perhaps something that is not known.
    pub unknown: bool,
    /// New memory may be known elsewhere, too.
    pub out: bool,
    /// Marks of all of it.
    pub marks: u8,
}

/// What a function does with memrefs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// For each result, if it is a memref.
    pub results: Vec<Option<Returned>>,
    /// For each argument: may it be known elsewhere, behind the call?
    kept: Vec<bool>,
}

impl Summary {
    /// May an argument be known elsewhere, behind the call?
    pub fn keeps(&self, argument: usize) -> bool {
        self.kept.get(argument).copied().unwrap_or(true)
    }
}

/// What the callees of calls do.
#[derive(Debug, Default)]
pub struct Calls {
    targets: Targets,
    /// For each function that was read, what it does; `None` also where it never returns.
    summaries: Vec<Option<Summary>>,
}

impl Calls {
    /// What the callee does, if that is known.
    pub fn of(&self, call: Op<'_>) -> Option<&Summary> {
        self.summaries[self.targets.of(call).function()?].as_ref()
    }
}

/// What is called by the functions with deallocs at or below `op`. A pass that runs on a function must not
/// look at another one. Reads only.
pub fn of_run<'c>(
    op: Op<'c>,
    functions: impl Iterator<Item = Op<'c>>,
    readings: &Readings,
) -> Calls {
    let mut semantics = Semantics::default();
    if semantics.info(op).is_function() {
        return Calls::default();
    }
    let functions: Vec<Op<'_>> = functions.collect();
    let has_sites: Vec<bool> = functions
        .iter()
        .map(|function| has_sites(*function, &mut semantics))
        .collect();
    if !has_sites.contains(&true) {
        return Calls::default();
    }
    let mut graph = CallGraph::of(op, functions);
    let is_asked = asked(&graph, &has_sites);
    let mut finder = Finder {
        calls: Calls {
            targets: graph.take_targets(),
            summaries: vec![None; graph.functions.len()],
        },
        graph: &graph,
        is_asked,
        readings,
    };
    // Of those that call each other, each is read once: nothing is known of the ones behind it.
    for function in &graph.order {
        finder.read(*function);
    }
    finder.calls
}

/// For each function, does one with deallocs call it with memrefs, or one of those?
fn asked(graph: &CallGraph<'_>, has_sites: &[bool]) -> Vec<bool> {
    let has_memrefs = |call: Op<'_>| {
        let mut touched = operands(call).chain(results(call));
        touched.any(|val| is_memref(type_of(val)))
    };
    let callees = |caller: usize| {
        let calls = graph.calls[caller].iter();
        let calls = calls.filter(|call| has_memrefs(call.op));
        calls.filter_map(|call| call.target.function())
    };
    let mut is_asked = vec![false; has_sites.len()];
    let with_sites = (0..has_sites.len()).filter(|at| has_sites[*at]);
    let mut open: Vec<usize> = with_sites.flat_map(callees).collect();
    while let Some(function) = open.pop() {
        if !std::mem::replace(&mut is_asked[function], true) {
            open.extend(callees(function));
        }
    }
    is_asked
}

struct Finder<'g, 'c> {
    graph: &'g CallGraph<'c>,
    is_asked: Vec<bool>,
    readings: &'g Readings,
    calls: Calls,
}

impl Finder<'_, '_> {
    fn read(&mut self, at: usize) {
        let function = self.graph.functions[at];
        if let Some(body) = calls::function_body(function).filter(|_| self.is_asked[at]) {
            let read = |semantics: &mut Semantics| read(function, body, semantics, &self.calls);
            let reading = self.readings.with(function, read);
            self.calls.summaries[at] = describe(&reading);
        }
    }
}

/// What a function that was read does; `None` if it never returns.
fn describe(reading: &super::Reading<'_>) -> Option<Summary> {
    let mut origins = Origins::of(&reading.memory);
    let kept = reading
        .arguments
        .iter()
        .map(|argument| argument.is_some_and(|id| origins.got_out(id)))
        .collect();
    let first = reading.returned.first()?;
    let mut results: Vec<Option<Returned>> = Vec::new();
    // For each result, the values that returns give, which stand at different places.
    let mut values: Vec<Vec<ValueId>> = Vec::new();
    for at in 0..first.len() {
        let mut all = Vec::new();
        let mut joined: Option<Returned> = None;
        for returned in &reading.returned {
            let Some((id, is_moved)) = returned.get(at).copied().flatten() else {
                joined = None;
                break;
            };
            all.push(id);
            let mut one = returned_of(reading, &origins, id);
            if is_moved {
                one.marks |= MOVED;
            }
            joined = Some(match joined {
                None => one,
                Some(other) => join(other, one),
            });
        }
        values.push(all);
        results.push(joined);
    }
    number_new(reading, &mut origins, &mut results, &values);
    Some(Summary { results, kept })
}

fn returned_of(reading: &super::Reading<'_>, origins: &Origins<'_>, id: ValueId) -> Returned {
    let unknown = Returned {
        arguments: Vec::new(),
        new: smallvec![0],
        foreign: true,
        unknown: true,
        out: true,
        marks: origins.marks(id) | MOVED,
    };
    let number = |value: &ValueId| {
        let mut arguments = reading.arguments.iter();
        arguments.position(|argument| *argument == Some(*value))
    };
    match origins.may_be(id) {
        Some(MayBe {
            news,
            foreign: Some(foreign),
            unknown: is_unknown,
            out,
        }) => Returned {
            arguments: foreign
                .iter()
                .filter_map(|value| number(value).map(|number| number as u32))
                .collect(),
            new: news.iter().take(1).map(|_| 0).collect(),
            foreign: foreign.iter().any(|value| number(value).is_none()),
            unknown: is_unknown,
            out,
            marks: origins.marks(id),
        },
        // Any argument may be among what is not known.
        _ => Returned {
            arguments: (0..reading.arguments.len() as u32).collect(),
            ..unknown
        },
    }
}

fn join(one: Returned, other: Returned) -> Returned {
    let mut arguments = [one.arguments, other.arguments].concat();
    arguments.sort_unstable();
    arguments.dedup();
    Returned {
        arguments,
        new: match one.new.is_empty() {
            true => other.new,
            false => one.new,
        },
        foreign: one.foreign || other.foreign,
        unknown: one.unknown || other.unknown,
        out: one.out || other.out,
        marks: one.marks | other.marks,
    }
}

/// Gives results that may be the same new memory a number in common.
fn number_new(
    reading: &super::Reading<'_>,
    origins: &mut Origins<'_>,
    results: &mut [Option<Returned>],
    values: &[Vec<ValueId>],
) {
    let returns = reading.returned.len();
    let is_new = |result: &Option<Returned>| result.as_ref().is_some_and(|one| !one.new.is_empty());
    for at in 0..results.len() {
        if !is_new(&results[at]) {
            continue;
        }
        let mut numbers: SmallVec<[u32; 1]> = SmallVec::new();
        for before in (0..at).filter(|before| is_new(&results[*before])) {
            let mut turns = 0..returns;
            let may_be_same = turns.any(|turn| {
                let (one, other) = (values[before][turn], values[at][turn]);
                origins.relation(one, other) != Relation::Never
            });
            // It may be another one on each way.
            if let Some(other) = results[before].as_ref().filter(|_| may_be_same) {
                numbers.extend(other.new.iter().copied());
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            numbers.push(at as u32);
        }
        if let Some(result) = &mut results[at] {
            result.new = numbers;
        }
    }
}
