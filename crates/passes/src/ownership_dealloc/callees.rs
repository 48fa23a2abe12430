//! What called functions do to memory that a caller has to know of, as far as reading their bodies shows it: arguments
//! that they free, or that something may hold on to behind the call, and addresses that they give as numbers.

use super::{
    always::always,
    facts::{ByCall, ByFunction, Facts, Freed},
    kinds::Returned,
    read::{self, Bases, Reading},
    tellers, tells,
    told::{self, Callees, Told},
    trails::{Trails, gives_address},
};
use crate::{block_graph::walk, regions::lent, words::Words};
use memplan_mlir::{
    calls::function_body,
    ir::{
        Block, Identity, Op, Region, arguments, blocks, is_memref, nested_memrefs, operands,
        parent_block, results, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{NameSays, Readings, Semantics, TypeClass};
use memplan_summaries::{CallGraph, Fixpoint, Target, solve};
use smallvec::SmallVec;
use std::{collections::BTreeMap, rc::Rc, sync::Arc};

/// So many functions that call each other in circles are read, again and again, until nothing more is found out.
const MOST_READ: usize = 4096;
/// How often each of them is read at least.
const ROUNDS: usize = 16;

/// Of a function by itself: nothing is known of what it calls.
pub fn alone<'c>(reading: &Reading<'c>, body: Region<'c>, semantics: &mut Semantics) -> Facts {
    let mut facts = facts_of(reading, body, semantics);
    let mut gives = false;
    let mut words = Words::default();
    walk(body, &mut |op| {
        gives |= gives_address(op, &mut words, semantics);
    });
    if gives {
        Trails::new(&ByCall::default(), semantics).tell(body, &mut facts);
    }
    facts
}

/// As a reading shows them.
fn facts_of<'c>(reading: &Reading<'c>, body: Region<'c>, semantics: &mut Semantics) -> Facts {
    let mut facts = Facts::default();
    // What frees an argument for certain wherever control comes to it, by argument.
    let mut certain: BTreeMap<usize, SmallVec<[Op<'c>; 2]>> = BTreeMap::new();
    let through: SmallVec<[_; 2]> = blocks(body).next().into_iter().chain(exit(body)).collect();
    for (op, value, always) in &reading.freed {
        let everywhere = parent_block(*op).is_some_and(|block| through.contains(&block));
        // What an earlier run frees on some ways it frees where a flag says that it is new, not an argument given back.
        let origins = if reading.is_done && !everywhere {
            reading.new_origins(*value)
        } else {
            reading.origins(*value)
        };
        let is_certain = *always && origins.len() == 1;
        for argument in origins
            .iter()
            .filter_map(|from| tells::argument(reading, *from))
        {
            if is_certain {
                certain.entry(argument).or_default().push(*op);
            }
            facts.free(Freed {
                argument,
                always: false,
            });
        }
    }
    for (argument, ops) in certain {
        let always = always(ops, body, semantics);
        facts.free(Freed { argument, always });
    }
    facts.returned = reading.returned.clone();
    for value in &reading.lost {
        facts.keep(tells::argument(reading, *value));
    }
    facts
}

/// Of all calls at or below a module, which are `calls` in `all` of its functions, and whose private functions say what they return if they are `telling`. Nobody else may
/// change it meanwhile.
pub fn of_run<'c>(
    root: Op<'c>,
    all: &[Op<'c>],
    calls: &[Op<'c>],
    is_private: bool,
    readings: &Readings,
) -> ByFunction {
    let mut semantics = Semantics::default();
    if semantics.info(root).is_function() || calls.is_empty() {
        return ByFunction::default();
    }
    let (mut tells, mut gives_addresses, mut has_others) = (false, false, false);
    let mut words = Words::default();
    for body in all.iter().filter_map(|function| function_body(*function)) {
        walk(body, &mut |op| {
            tells |= is_telling(op, &mut semantics);
            gives_addresses |= gives_address(op, &mut words, &mut semantics);
            has_others |= is_other_allocator(op, &mut semantics);
        });
    }
    let lends: Vec<bool> = all
        .iter()
        .map(|function| lent::may_lend(*function))
        .collect();
    tells |= lends.contains(&true);
    if !tells {
        return ByFunction::default();
    }
    let graph = CallGraph::of(root, all.to_vec());
    let count = graph.functions.len();
    let calls_values = graph
        .calls
        .iter()
        .flatten()
        .any(|call| call.target == Target::Unknown);
    let mut telling = if is_private {
        tellers::telling(&graph, &mut semantics)
    } else {
        vec![false; count]
    };
    // What an earlier run changed tells still whose memory it gives.
    for (function, telling) in graph.functions.iter().zip(&mut telling) {
        *telling |= function.has_attribute(told::MARK);
    }
    let mut module = Module {
        graph: Rc::new(graph),
        telling,
        facts: vec![Arc::default(); count],
        lends,
        calls_values,
        of_taken: None,
        told: vec![Rc::from([]); count],
        semantics,
        readings,
        gives_addresses,
        has_others,
        is_settled: vec![!has_others; count],
    };
    module.read_all();
    // Of what never returns, nothing more will be known.
    module.is_settled.fill(true);
    let mut by_function = ByFunction::default();
    for function in 0..count {
        let by_call = module.of_calls(function);
        if !by_call.is_empty() {
            by_function.insert(module.graph.functions[function].key(), by_call);
        }
    }
    by_function
}

/// The calls in these functions, and operations of which nothing is known, which may call anything.
pub fn calls_in<'c>(functions: &[Op<'c>]) -> Vec<Op<'c>> {
    let mut semantics = Semantics::default();
    let mut calls = Vec::new();
    let bodies = functions.iter().copied().filter_map(function_body);
    for body in bodies {
        walk(body, &mut |op| {
            let info = semantics.info(op);
            if info.is_call() || !info.is_registered() {
                calls.push(op);
            }
        });
    }
    calls
}

/// May an operation do what a caller has to know of?
fn is_telling(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let says = semantics.says(op);
    says.frees
        || says.gives_addresses
        || says.may_outlive
        || says.is_described
        || says.models_deallocation
        || allocates_otherwise(says)
        || operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
        || ((says.may_store_by_symbol || gives_more_than_data(op, semantics))
            && operands(op).any(|operand| is_memref(type_of(operand))))
}

/// May an operation make memory that is not given back by `memref.dealloc`?
fn is_other_allocator(op: Op<'_>, semantics: &mut Semantics) -> bool {
    allocates_otherwise(semantics.says(op))
}

fn allocates_otherwise(says: NameSays) -> bool {
    let by = says.allocates;
    by.is_some_and(|by| by.dealloc_name().is_some()) || says.is_described
}

/// Does an operation give what is neither a memref nor data, such as a pointer?
fn gives_more_than_data(op: Op<'_>, semantics: &mut Semantics) -> bool {
    results(op)
        .map(|result| semantics.class(type_of(result)))
        .any(|given| !matches!(given, TypeClass::Memref | TypeClass::Data))
}

/// How often so many functions are read.
fn rounds(count: usize) -> usize {
    (MOST_READ / count.max(1)).max(ROUNDS)
}

struct Module<'c, 'r> {
    readings: &'r Readings,
    graph: Rc<CallGraph<'c>>,
    telling: Vec<bool>,
    facts: Vec<Arc<Facts>>,
    /// For each, whether it says of results that they stay somebody else's.
    lends: Vec<bool>,
    /// Somebody calls a value, which may be any function that somebody refers to.
    calls_values: bool,
    /// What holds of any function that is called as a value, as long as no more is known of one.
    of_taken: Option<Arc<Facts>>,
    told: Vec<Rc<[Told]>>,
    semantics: Semantics,
    /// Somebody takes the address of memory.
    gives_addresses: bool,
    /// Somebody makes memory that is not given back by `memref.dealloc`.
    has_others: bool,
    /// For each, whether it is known how what it returns is given back.
    is_settled: Vec<bool>,
}

impl<'c> Module<'c, '_> {
    /// Callees before callers; those that call each other until nothing more is found out. What is called as a
    /// value may be any function that somebody refers to, so that all functions are read until then.
    fn read_all(&mut self) {
        let graph = Rc::clone(&self.graph);
        for _ in 0..rounds(graph.functions.len()) {
            if !solve(&graph, rounds, self) || !self.calls_values {
                return;
            }
        }
        self.give_up(&graph.order);
    }

    /// Does anybody ask what a function does?
    fn is_asked(&self, function: usize) -> bool {
        !self.graph.callers[function].is_empty()
            || (self.calls_values && self.graph.referrer(function).is_some())
    }

    /// Of the calls of a function.
    fn of_calls(&mut self, function: usize) -> ByCall {
        let mut by_call = ByCall::default();
        for at in 0..self.graph.calls[function].len() {
            let call = &self.graph.calls[function][at];
            let (op, target) = (call.op, call.target);
            let facts = match target {
                Target::Function(callee) if self.lends[callee] => {
                    let function = self.graph.functions[callee];
                    let mut facts = Facts::clone(&self.facts[callee]);
                    let results = 0..results(op).count();
                    facts.lends = results
                        .filter(|at| lent::is_lent_by(function, *at))
                        .collect();
                    Arc::new(facts)
                }
                Target::Function(callee) => Arc::clone(&self.facts[callee]),
                Target::Unknown => self.of_taken_like(op),
                Target::Declared { .. } => continue,
            };
            let facts = match target {
                Target::Function(callee) if self.is_pending(function, callee) => Arc::new(Facts {
                    returned: Returned::Pending,
                    ..Facts::clone(&facts)
                }),
                _ => facts,
            };
            if !facts.is_nothing() {
                by_call.insert(op.key(), facts);
            }
        }
        by_call
    }

    /// Is what a callee returns found out only together with its caller?
    fn is_pending(&self, function: usize, callee: usize) -> bool {
        !self.is_settled[callee] && self.graph.component[callee] == self.graph.component[function]
    }

    /// Of whichever function is called as a value by this call.
    fn of_taken_like(&mut self, call: Op<'c>) -> Arc<Facts> {
        let facts = self.of_taken();
        if !facts.returned.has_others() {
            return facts;
        }
        let mut taken = (0..self.facts.len()).filter(|at| self.graph.referrer(*at).is_some());
        let has_others = |at: usize| self.facts[at].returned.has_others();
        if taken.any(|at| has_others(at) && gives_like(self.graph.functions[at], call)) {
            return facts;
        }
        Arc::new(Facts {
            returned: Returned::default(),
            ..Facts::clone(&facts)
        })
    }

    /// Of whichever function is called as a value.
    fn of_taken(&mut self) -> Arc<Facts> {
        let (facts, taken) = (&self.facts, self.graph.references());
        let of_taken = self.of_taken.get_or_insert_with(|| {
            let mut any = Facts {
                returns_numbers: Some(SmallVec::new()),
                ..Facts::default()
            };
            for (facts, taken) in facts.iter().zip(taken) {
                if taken.is_some() {
                    any.or(facts);
                }
            }
            Arc::new(any)
        });
        Arc::clone(of_taken)
    }

    /// More is known of a function.
    fn tell(&mut self, function: usize, facts: Facts) {
        self.facts[function] = Arc::new(facts);
        self.of_taken = None;
    }
}

impl Fixpoint for Module<'_, '_> {
    fn step(&mut self, function: usize) -> bool {
        let body = function_body(self.graph.functions[function]);
        let Some(body) = body.filter(|_| self.is_asked(function)) else {
            return false;
        };
        let by_call = self.of_calls(function);
        let mut tells = self.telling[function] || !by_call.is_empty() || self.gives_addresses;
        if !tells {
            walk(body, &mut |op| tells |= is_telling(op, &mut self.semantics));
        }
        if !tells {
            return !std::mem::replace(&mut self.is_settled[function], true);
        }
        let mut callees = Callees::new(Some(&by_call));
        for call in &self.graph.calls[function] {
            if let Some(callee) = call
                .target
                .function()
                .filter(|callee| self.telling[*callee])
            {
                callees.insert(call.op, Rc::clone(&self.told[callee]));
            }
        }
        // What is in the way is told when the function is worked on.
        let read = self
            .readings
            .with(self.graph.functions[function], |semantics| {
                let reading = read::read(body, &Bases::default(), &callees, semantics).ok()?;
                let facts = facts_of(&reading, body, semantics);
                Some((reading, facts))
            });
        let Some((reading, mut facts)) = read else {
            return false;
        };
        if self.gives_addresses {
            Trails::new(&by_call, &mut self.semantics).tell(body, &mut facts);
        }
        let before = Arc::clone(&self.facts[function]);
        facts.keep_numbers(before.keeps_numbers.iter().copied());
        before.frees.iter().for_each(|freed| facts.free(*freed));
        facts.keep(before.keeps.iter().copied());
        facts.returns_addresses |= before.returns_addresses;
        if let (Some(returned), Some(before)) =
            (&mut facts.returns_numbers, &before.returns_numbers)
        {
            returned.extend(before.iter().copied());
            returned.sort_unstable();
            returned.dedup();
        }
        facts.frees.sort_unstable_by_key(|freed| freed.argument);
        facts.keeps.sort_unstable();
        facts.keeps_numbers.sort_unstable();
        let told = if self.telling[function] {
            tells::of(&reading, &callees)
        } else {
            Vec::new()
        };
        let mut changed = facts != *before || *told != *self.told[function];
        if facts.returned != Returned::Pending {
            changed |= !std::mem::replace(&mut self.is_settled[function], true);
        }
        if facts != *before {
            self.tell(function, facts);
        }
        self.told[function] = told.into();
        changed
    }

    /// Nobody knows what these do.
    fn give_up(&mut self, functions: &[usize]) {
        for function in functions {
            if let Some(body) = function_body(self.graph.functions[*function]) {
                let count = blocks(body)
                    .next()
                    .map_or(0, |block| arguments(block).count());
                let mut facts = Facts::anything(count);
                if self.has_others {
                    facts.returned = Returned::Anything;
                }
                self.tell(*function, facts);
                self.told[*function] = Told::anything(self.told[*function].len()).into();
            }
        }
    }
}

/// Does a function return what a call gets, by the types?
fn gives_like<'c>(function: Op<'c>, call: Op<'c>) -> bool {
    let ends = function_body(function).into_iter().flat_map(blocks);
    let mut ends = ends
        .filter_map(terminator)
        .filter(|last| successors(*last).next().is_none());
    ends.any(|last| {
        let given = operands(last).map(type_of);
        given.eq(results(call).map(type_of))
    })
}

/// The block by which all ways leave a function, if there is one.
fn exit<'c>(body: Region<'c>) -> Option<Block<'c>> {
    let leaves =
        |block: &Block<'c>| terminator(*block).is_none_or(|last| successors(last).next().is_none());
    let mut exits = blocks(body).filter(leaves);
    let exit = exits.next();
    exit.filter(|_| exits.next().is_none())
}
