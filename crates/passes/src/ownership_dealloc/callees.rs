//! What called functions do to memory that a caller has to know of, as far as their bodies show it: arguments
//! that they free, and addresses that they give as numbers.

use crate::{
    call_graph::{CallGraph, Target},
    functions,
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls::{self, function_body},
    flow,
    ir::{
        Block, Identity, Key, Op, Origin, Region, Val, arguments, blocks, is_memref, operands, ops,
        origin, parent_block, regions, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, Names},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An argument that a function frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// Its number.
    pub argument: usize,
    /// Whichever way the function goes, as far as can be seen.
    pub always: bool,
}

/// Of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The arguments that it frees.
    pub frees: SmallVec<[Freed; 1]>,
    /// It takes the address of some memory.
    pub takes_addresses: bool,
}

/// By call; those are left out of which nothing is to be known.
pub type ByCall = FxHashMap<Key, Facts>;

/// Of all calls at or below a module. Nobody else may change it meanwhile.
pub fn of_run<'c>(root: Op<'c>) -> ByCall {
    let mut names = Names::default();
    let all: Vec<Op<'c>> = functions::groups(root).into_iter().flatten().collect();
    let is_told = |op: Op<'c>, names: &mut Names| {
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
    let mut passed: FxHashMap<usize, Passed<'c>> = FxHashMap::default();
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
            let passed = passed.entry(*function).or_insert_with(|| Passed::new(body));
            let through: SmallVec<[_; 2]> =
                blocks(body).next().into_iter().chain(exit(body)).collect();
            let mut free = |val: Val<'c>, by: Op<'c>, always: bool, facts: &mut Facts| {
                let found = passed.arguments(val, &mut names);
                let always = always
                    && found.len() == 1
                    && parent_block(by).is_some_and(|block| through.contains(&block));
                for argument in found {
                    match facts
                        .frees
                        .iter_mut()
                        .find(|freed| freed.argument == argument)
                    {
                        Some(freed) => freed.always |= always,
                        None => facts.frees.push(Freed { argument, always }),
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
                for freed in &known.frees {
                    operands(call.op)
                        .nth(first + freed.argument)
                        .into_iter()
                        .for_each(|val| free(val, call.op, freed.always, &mut facts));
                }
            }
            let mut names = Names::default();
            walk(body, &mut |op| match names.info(op).known {
                Known::ExtractPointer => facts.takes_addresses = true,
                Known::Dealloc | Known::GpuDealloc if !op.has_attribute(MANUAL_DEALLOCATION) => {
                    operands(op).for_each(|val| free(val, op, true, &mut facts));
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

/// All operations of a region and of those inside that are ever reached.
fn walk<'c>(region: Region<'c>, visit: &mut impl FnMut(Op<'c>)) {
    let mut open: SmallVec<[Block<'c>; 4]> = blocks(region).take(1).collect();
    let mut seen: FxHashSet<Key> = open.iter().map(|block| block.key()).collect();
    while let Some(block) = open.pop() {
        for op in ops(block) {
            visit(op);
            for nested in regions(op) {
                walk(nested, visit);
            }
            open.extend(successors(op).filter(|next| seen.insert(next.key())));
        }
    }
}

/// The block by which all ways leave a function, if there is one.
fn exit<'c>(body: Region<'c>) -> Option<Block<'c>> {
    let leaves =
        |block: &Block<'c>| terminator(*block).is_none_or(|last| successors(last).next().is_none());
    let mut exits = blocks(body).filter(leaves);
    let exit = exits.next();
    exit.filter(|_| exits.next().is_none())
}

/// What values of a function may be, through views, selects, blocks and regions.
struct Passed<'c> {
    body: Region<'c>,
    /// What is passed for arguments of blocks, and given as results of operations with regions; read when it is first
    /// asked for.
    sources: Option<FxHashMap<Key, SmallVec<[Val<'c>; 2]>>>,
}

impl<'c> Passed<'c> {
    const fn new(body: Region<'c>) -> Self {
        let sources = None;
        Self { body, sources }
    }

    /// The arguments of the function whose memory a value may be.
    fn arguments(&mut self, val: Val<'c>, names: &mut Names) -> SmallVec<[usize; 1]> {
        let entry = blocks(self.body).next();
        let mut open: SmallVec<[Val<'c>; 4]> = SmallVec::from_slice(&[val]);
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let mut found = SmallVec::new();
        while let Some(val) = open.pop() {
            if !seen.insert(val.key()) {
                continue;
            }
            match origin(val) {
                Some(Origin::Argument(block, at)) if entry == Some(block) => found.push(at),
                Some(Origin::Result(op, _)) if names.info(op).known == Known::Select => {
                    open.extend(operands(op).skip(1));
                }
                Some(Origin::Result(op, _)) if regions(op).next().is_none() => {
                    open.extend(calls::view_source(op));
                }
                Some(_) => {
                    let body = self.body;
                    let sources = self.sources.get_or_insert_with(|| sources(body, names));
                    open.extend(sources.get(&val.key()).into_iter().flatten().copied());
                }
                None => {}
            }
        }
        found
    }
}

/// What is passed for each memref that is an argument of a block or a result of an operation with regions.
fn sources<'c>(body: Region<'c>, names: &mut Names) -> FxHashMap<Key, SmallVec<[Val<'c>; 2]>> {
    let mut all: FxHashMap<Key, SmallVec<[Val<'c>; 2]>> = FxHashMap::default();
    walk(body, &mut |op| {
        let info = names.info(op);
        let mut pass = |from: Val<'c>, to: Val<'c>| {
            if is_memref(type_of(to)) {
                all.entry(to.key()).or_default().push(from);
            }
        };
        let entered = flow::entry_edges(op).filter(|_| info.is_region_branch());
        let left = flow::terminator_edges(op).filter(|_| info.is_region_terminator());
        for edge in entered.into_iter().chain(left).flatten() {
            edge.values.iter().for_each(|(from, to)| pass(*from, *to));
        }
        for (number, successor) in successors(op).enumerate() {
            let branch = flow::branch_operands(op, number).filter(|_| info.is_branch());
            if let Some(branch) = branch {
                let to = arguments(successor).skip(branch.produced);
                branch
                    .forwarded
                    .iter()
                    .zip(to)
                    .for_each(|(from, to)| pass(*from, to));
            }
        }
    });
    all
}
