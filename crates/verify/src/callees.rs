//! The arguments that functions may return, as their bodies show. A call's result is none of the other arguments.
//!
//! A body is read like one that is checked ([`read`]), but only for aliases between values. From each returned
//! value, the analysis goes backwards through views, selections, control-flow edges, calls, and memory of memrefs
//! that do not leave the function. Values from elsewhere may be anything. Functions that call each other are solved
//! together: the fixpoint starts from the assumption that they return nothing, and the sets only grow.

use crate::{
    program::{Action, ValueId, Values},
    read::{self, Call, Reading},
};
use memplan_mlir::{
    calls::{call_arguments, callee_symbol, flat_name, function_body},
    ir::{Identity, Key, Op, Val, arguments, blocks, operands, parent, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::names::Names;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The memory that a result of a function may be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Returned {
    /// One of these arguments, or memory that no argument refers to.
    Arguments(BTreeSet<u32>),
    /// Any memory.
    Anything,
}

/// The functions that calls may call, with the facts about their results.
pub struct Callees<'c> {
    /// By symbol table and name.
    functions: FxHashMap<(Key, String), Op<'c>>,
    names: Names,
    /// For each function that was analysed, its results.
    known: FxHashMap<Key, Vec<Returned>>,
}

/// A function whose results are being analysed.
struct Body {
    function: Key,
    /// The values that each value may be; empty for results of calls.
    sources: Vec<Values>,
    /// Values that may be anything.
    unknown: Vec<ValueId>,
    arguments: FxHashMap<ValueId, u32>,
    /// For each return, the operands that may refer to memory.
    returned: Vec<Vec<Option<ValueId>>>,
    calls: FxHashMap<ValueId, Source>,
}

/// A result of a call.
struct Source {
    callee: Key,
    number: usize,
    /// The number of results of the call.
    count: usize,
    /// The arguments that the callee receives.
    arguments: Vec<Option<ValueId>>,
}

impl<'c> Callees<'c> {
    /// Indexes all of `functions` that have a final body of their own.
    pub fn of(functions: impl IntoIterator<Item = Op<'c>>) -> Self {
        // A function that may be replaced by the linker is left out.
        let is_final = |op: &Op<'c>| {
            !["linkage", "llvm.linkage"]
                .map(|name| op.has_attribute(name))
                .contains(&true)
        };
        let functions = functions.into_iter().filter(is_final);
        let by_name = |op: Op<'c>| Some(((parent(op)?.key(), symbol_name(op)), op));
        Self {
            functions: functions.filter_map(by_name).collect(),
            names: Names::default(),
            known: FxHashMap::default(),
        }
    }

    /// Removes from the aliases of call results the arguments that callees do not return.
    pub fn narrow(&mut self, reading: &mut Reading<'c>) {
        let calls = std::mem::take(&mut reading.calls);
        self.narrow_results(reading, &calls);
        // What a callee returns is not lost.
        let mut returned: FxHashMap<Key, Values> = FxHashMap::default();
        for call in &calls {
            if let Some(Action::Alias { sources, .. }) =
                call.step.map(|step| &reading.program.actions[step].action)
            {
                let all = returned.entry(call.op.key()).or_default();
                all.extend_from_slice(sources);
            }
        }
        for step in &reading.donations {
            let action = &mut reading.program.actions[*step];
            let call = reading.ops[action.op.index()].key();
            if let Action::Donate { value, is_lost, .. } = &mut action.action {
                *is_lost = returned.get(&call).is_none_or(|all| !all.contains(value));
            }
        }
    }

    fn narrow_results(&mut self, reading: &mut Reading<'c>, calls: &[Call<'c>]) {
        for call in calls {
            let (Some(step), Some(callee)) = (call.step, self.body_of(call.op)) else {
                continue;
            };
            self.analyse(callee);
            let source = source(callee.key(), call);
            let found = returned(&self.known, &source);
            if let (Returned::Arguments(numbers), Action::Alias { sources, .. }) =
                (found, &mut reading.program.actions[step].action)
            {
                let kept: Values = received(&source, numbers).collect();
                sources.retain(|value| kept.contains(value));
            }
        }
    }

    /// The called function, if its body is known and receives all operands of the call as arguments.
    pub fn body_of(&mut self, call: Op<'c>) -> Option<Op<'c>> {
        let name = flat_name(callee_symbol(call)?)?;
        let mut table = parent(call)?;
        while !self.names.info(table).is_symbol_table() {
            table = parent(table)?;
        }
        let callee = *self.functions.get(&(table.key(), name))?;
        let entry = blocks(function_body(callee)?).next()?;
        let count = arguments(entry).count();
        (call_arguments(call)?.len() == count).then_some(callee)
    }

    /// The operands of a call that a result of it may be; `None` if it may be any memory.
    pub fn returned_arguments(&mut self, call: Op<'c>, number: usize) -> Option<Vec<Val<'c>>> {
        let callee = self.body_of(call)?;
        self.analyse(callee);
        let results = self.known.get(&callee.key());
        let results = results.filter(|results| results.len() == call.result_count())?;
        let Returned::Arguments(numbers) = results.get(number)? else {
            return None;
        };
        let first = call_arguments(call)?.start;
        let argument = |at: &u32| operands(call).nth(first + *at as usize);
        numbers.iter().map(argument).collect()
    }

    /// Analyses a function, and the functions whose results it uses.
    fn analyse(&mut self, function: Op<'c>) {
        let mut bodies: Vec<Body> = Vec::new();
        let mut indices: FxHashMap<Key, usize> = FxHashMap::default();
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            let key = function.key();
            if self.known.contains_key(&key) || indices.contains_key(&key) {
                continue;
            }
            let Some(reading) = read::read_unplanned(function) else {
                continue;
            };
            indices.insert(key, bodies.len());
            let mut calls = FxHashMap::default();
            let mut unknown = reading.unknown.clone();
            for call in &reading.calls {
                match self.body_of(call.op) {
                    Some(callee) => {
                        calls.insert(call.result, source(callee.key(), call));
                        open.push(callee);
                    }
                    None => unknown.push(call.result),
                }
            }
            bodies.push(Body::of(key, &reading, unknown, calls));
        }
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
        for (at, body) in bodies.iter().enumerate() {
            let count = body.returned.first().map_or(0, Vec::len);
            let nothing = Returned::Arguments(BTreeSet::new());
            self.known.insert(body.function, vec![nothing; count]);
            for source in body.calls.values() {
                if let Some(callee) = indices.get(&source.callee) {
                    callers[*callee].push(at);
                }
            }
        }
        // The last ones found come first: others call them.
        let mut waiting: Vec<usize> = (0..bodies.len()).collect();
        while let Some(at) = waiting.pop() {
            let found = bodies[at].results(&self.known);
            if self.known.get(&bodies[at].function) != Some(&found) {
                self.known.insert(bodies[at].function, found);
                waiting.extend(&callers[at]);
            }
        }
    }
}

impl Body {
    fn of(
        function: Key,
        reading: &Reading<'_>,
        unknown: Vec<ValueId>,
        calls: FxHashMap<ValueId, Source>,
    ) -> Self {
        let program = &reading.program;
        let mut sources = vec![Values::new(); program.values.len()];
        for step in &program.actions {
            if let Action::Alias {
                result,
                sources: from,
            } = &step.action
                && !calls.contains_key(result)
            {
                sources[result.index()].extend(from.iter().copied());
            }
        }
        for edge in program.nodes.iter().flat_map(|node| &node.edges) {
            for &(from, to) in &edge.binds {
                sources[to.index()].push(from);
            }
        }
        for (result, stored) in &reading.loaded {
            sources[result.index()].extend(stored.iter().copied());
        }
        let arguments = reading.arguments.iter().zip(0..);
        let arguments = arguments.filter_map(|(value, at)| Some(((*value)?, at)));
        Self {
            function,
            sources,
            unknown,
            arguments: arguments.collect(),
            returned: reading.returned.clone(),
            calls,
        }
    }

    /// The memory that each result may be, range the results of callees.
    fn results(&self, known: &FxHashMap<Key, Vec<Returned>>) -> Vec<Returned> {
        let count = self.returned.first().map_or(0, Vec::len);
        let is_even = self.returned.iter().all(|values| values.len() == count);
        (0..count)
            .map(|result| match is_even {
                true => self.result(result, known),
                false => Returned::Anything,
            })
            .collect()
    }

    fn result(&self, result: usize, known: &FxHashMap<Key, Vec<Returned>>) -> Returned {
        let mut found = BTreeSet::new();
        let mut seen = vec![false; self.sources.len()];
        let mut open: Vec<ValueId> = Vec::new();
        open.extend(self.returned.iter().filter_map(|values| values[result]));
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            found.extend(self.arguments.get(&value));
            open.extend(&self.sources[value.index()]);
            if let Some(source) = self.calls.get(&value) {
                match returned(known, source) {
                    Returned::Arguments(numbers) => open.extend(received(source, numbers)),
                    Returned::Anything => return Returned::Anything,
                }
            }
        }
        match self.unknown.iter().any(|value| seen[value.index()]) {
            true => Returned::Anything,
            false => Returned::Arguments(found),
        }
    }
}

fn source(callee: Key, call: &Call<'_>) -> Source {
    let range = call_arguments(call.op).unwrap_or_default();
    Source {
        callee,
        number: call.number,
        count: call.op.result_count(),
        arguments: call.operands.get(range).unwrap_or_default().to_vec(),
    }
}

/// The memory that a result of a call may be.
fn returned<'k>(known: &'k FxHashMap<Key, Vec<Returned>>, source: &Source) -> &'k Returned {
    let results = known.get(&source.callee);
    let results = results.filter(|results| results.len() == source.count);
    let found = results.and_then(|results| results.get(source.number));
    found.unwrap_or(&Returned::Anything)
}

/// The values that a callee receives as these arguments.
fn received<'s>(
    source: &'s Source,
    numbers: &'s BTreeSet<u32>,
) -> impl Iterator<Item = ValueId> + 's {
    let mut numbers = numbers.iter();
    std::iter::from_fn(move || {
        numbers.find_map(|number| *source.arguments.get(*number as usize)?)
    })
}
