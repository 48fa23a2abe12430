//! What called functions do to memory that a caller has to know of, as far as their bodies show it: arguments
//! that they free, and addresses that they give as numbers.

use crate::{
    call_graph::{CallGraph, Target},
    functions,
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls::{self, function_body},
    ir::{Identity, Key, Op, Origin, Region, Val, blocks, operands, ops, origin, regions},
    melior::ir::operation::OperationLike,
    names::{Known, Names},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The numbers of the arguments that it frees.
    pub frees: SmallVec<[usize; 1]>,
    /// It takes the address of some memory.
    pub takes_addresses: bool,
}

/// By call; those are left out of which nothing is to be known.
pub type ByCall = FxHashMap<Key, Facts>;

/// Of all calls at or below a module. Nobody else may change it meanwhile.
pub fn of_run(root: Op<'_>) -> ByCall {
    let mut names = Names::default();
    let all: Vec<Op<'_>> = functions::groups(root).into_iter().flatten().collect();
    let is_told = |op: Op<'_>, names: &mut Names| {
        matches!(
            names.info(op).known,
            Known::Dealloc | Known::GpuDealloc | Known::ExtractPointer
        )
    };
    let mut tells = false;
    for body in all.iter().filter_map(|function| function_body(*function)) {
        walk(body, &mut |op| tells |= is_told(op, &mut names));
    }
    if !tells || names.info(root).is_function() {
        return ByCall::default();
    }
    let graph = CallGraph::of(root, all);
    let mut of_function: Vec<Facts> = vec![Facts::default(); graph.functions.len()];
    let mut by_call = ByCall::default();
    // Once, but for functions that call each other in a circle: what they free and tell only grows.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for function in &graph.order {
            let Some(body) = function_body(graph.functions[*function]) else {
                continue;
            };
            let mut facts = of_function[*function].clone();
            let mut free = |val: Val<'_>, facts: &mut Facts| {
                for at in arguments_of(val, body, &mut names) {
                    if !facts.frees.contains(&at) {
                        facts.frees.push(at);
                    }
                }
            };
            for call in &graph.calls[*function] {
                let Target::Function(callee) = call.target else {
                    continue;
                };
                let known = &of_function[callee];
                facts.takes_addresses |= known.takes_addresses;
                let first = calls::call_arguments(call.op).map_or(0, |range| range.start);
                for at in &known.frees {
                    operands(call.op)
                        .nth(first + at)
                        .into_iter()
                        .for_each(|val| free(val, &mut facts));
                }
            }
            let mut names = Names::default();
            walk(body, &mut |op| match names.info(op).known {
                Known::ExtractPointer => facts.takes_addresses = true,
                Known::Dealloc | Known::GpuDealloc if !op.has_attribute(MANUAL_DEALLOCATION) => {
                    operands(op).for_each(|val| free(val, &mut facts));
                }
                _ => {}
            });
            changed |= facts != of_function[*function];
            of_function[*function] = facts;
        }
    }
    for call in graph.calls.iter().flatten() {
        if let Target::Function(callee) = call.target {
            let facts = &of_function[callee];
            if facts.takes_addresses || !facts.frees.is_empty() {
                by_call.insert(call.op.key(), facts.clone());
            }
        }
    }
    by_call
}

/// All operations of a region, but for those of functions and symbol tables inside.
fn walk<'c>(region: Region<'c>, visit: &mut impl FnMut(Op<'c>)) {
    for op in blocks(region).flat_map(ops) {
        visit(op);
        for nested in regions(op) {
            walk(nested, visit);
        }
    }
}

/// The arguments of a function whose memory a value may be, through views and selects.
fn arguments_of(val: Val<'_>, body: Region<'_>, names: &mut Names) -> SmallVec<[usize; 1]> {
    let mut open: SmallVec<[Val<'_>; 4]> = SmallVec::from_slice(&[val]);
    let mut found = SmallVec::new();
    let entry = blocks(body).next();
    // Selects of selects may name a value over and over.
    for _ in 0..256 {
        let Some(val) = open.pop() else { break };
        match origin(val) {
            Some(Origin::Argument(block, at)) if entry == Some(block) => found.push(at),
            Some(Origin::Result(op, _)) => match names.info(op).known {
                Known::Select => open.extend(operands(op).skip(1)),
                _ => open.extend(calls::view_source(op)),
            },
            Some(Origin::Argument(..)) | None => {}
        }
    }
    found
}
