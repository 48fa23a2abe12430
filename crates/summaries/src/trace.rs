//! A body as a [`ValueGraph`]: where the addresses that a function has go, and where numbers do, if that is asked.
//!
//! Operations are taken as [`OpMemory`] says, edges as the [`ControlGraph`] has them, calls as summaries say. What stands in
//! regions that are not followed may be executed in any order; what goes out of them at their ends is captured. Order matters in
//! two places only: what an asynchronous operation uses is captured unless each path waits for it ([`pending`]), and an
//! argument is freed for certain only if each path passes what frees it.

mod calls;
mod flags;
mod ops;
mod pending;

use crate::{
    callee::Callees,
    spilled::Words,
    value_graph::{Node, Nodes, Roots, ValueGraph},
};
use memplan_flow::{EntitySet, PrimaryMap, SecondaryMap};
use memplan_mlir::{
    copy::integer_width,
    ir::{Op, Region, Val, arguments, blocks, operands, regions, type_of},
};
use memplan_semantics::{
    Allocator, OpMemory, RegionOrder, Semantics, TypeClass,
    graph::{
        self, ControlGraph, EdgeKind, End, Enter, EnteredId, RegionId, SegmentId, Sources, Taken,
    },
};
use smallvec::SmallVec;
use std::sync::Arc;

/// By what contract functions call each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    /// As bodies say: what a function returns may be an argument, and `bufferization.dealloc` and clones may free what they
    /// receive.
    AsWritten,
    /// The same, for who asks which memrefs are the same memory while clones stand: these are copies.
    ClonesCopy,
    /// That of ownership-based deallocation: what a function returns without owning it is copied, unless it returns a flag
    /// that says whether it is new; `bufferization.dealloc` frees only what its flags say is not an argument; clones are copies.
    Ownership,
}

/// What is asked of a body.
#[derive(Clone, Copy)]
pub struct Question {
    /// The contract.
    pub contract: Contract,
    /// Numbers and pointers are followed; otherwise each address that is taken is captured.
    pub numbers: bool,
    /// What an operation does to memory.
    pub describe: fn(Op<'_>, &mut Semantics) -> Arc<OpMemory>,
}

/// An operation that frees memory.
pub(crate) struct Free<'c> {
    segment: SegmentId,
    node: Node,
    /// Each path through the segment passes it, once.
    in_order: bool,
    /// It frees the memory for certain.
    is_certain: bool,
    /// What is freed.
    value: Val<'c>,
    /// The operand that must be true.
    flag: Option<Val<'c>>,
    /// Is it, where the memory is an argument?
    holds: Holds,
    /// The argument that the flag is.
    flag_argument: Option<u32>,
    /// The flag is the caller's, or a callee's: it does not say that the memory is no argument.
    is_others_flag: bool,
}

/// Is a flag true?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Always,
    Sometimes,
    Never,
}

/// An asynchronous operation.
struct Started<'c> {
    op: Op<'c>,
    used: Vec<Val<'c>>,
}

/// An argument.
#[derive(Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) nodes: Nodes,
    pub(crate) is_memref: bool,
}

/// What frees memory that can be one argument only.
#[derive(Clone, Copy, Default)]
pub(crate) struct Freed {
    /// Each path to where the function returns passes it.
    pub(crate) on_all_paths: bool,
    /// A flag says when, and it may hold.
    pub(crate) by_flag: bool,
    /// Where the flag that is this argument is true, each path to where the function returns passes it; otherwise none does.
    pub(crate) if_flag: Option<u32>,
}

/// What a function returns at one place.
#[derive(Clone, Copy)]
pub(crate) struct Returned {
    pub(crate) is_memref: bool,
    pub(crate) address: Node,
    pub(crate) numbers: Node,
}

/// A body that was traced.
pub(crate) struct Trace<'c> {
    pub(crate) graph: ValueGraph,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) returned: Vec<Returned>,
    /// New memory, and what frees it.
    pub(crate) new: Vec<(Node, Option<Allocator>)>,
    /// Values that are addresses that were taken.
    pub(crate) taken: Vec<Node>,
    control: ControlGraph<'c>,
    pub(crate) frees: Vec<Free<'c>>,
    /// Which argument memory can be; with frees, by the contract of ownership.
    pub(crate) roots: Option<Roots>,
    /// Who frees what was decided before.
    is_done: bool,
}

/// Where an operation stands.
#[derive(Clone, Copy)]
struct OpContext {
    segment: SegmentId,
    /// Each path through the segment passes it, once.
    in_order: bool,
    /// Nothing is known of what is around it.
    escapes: bool,
}

struct Tracer<'c, 'r> {
    trace: Trace<'c>,
    semantics: &'r mut Semantics,
    callees: &'r dyn Callees,
    question: Question,
    words: Words<'c>,
    started: Vec<Started<'c>>,
    /// For each region, the asynchronous operations around.
    around: PrimaryMap<RegionId, SmallVec<[usize; 1]>>,
    /// Those around the operation that is looked at.
    open: SmallVec<[usize; 1]>,
}

/// Traces a body.
pub(crate) fn of<'c>(
    body: Region<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    question: Question,
) -> Trace<'c> {
    let control = ControlGraph::of(body, semantics, &mut |op, info, semantics| {
        if info.is_isolated() || graph::ends_block(op, info) {
            Enter::No
        } else if semantics.region_order(op) == RegionOrder::Sequential {
            Enter::IfKnown
        } else {
            Enter::Yes
        }
    });
    let entry = blocks(body).next();
    let mut tracer = Tracer {
        trace: Trace {
            graph: ValueGraph::default(),
            arguments: Vec::new(),
            returned: Vec::new(),
            new: Vec::new(),
            taken: Vec::new(),
            control: ControlGraph::default(),
            frees: Vec::new(),
            roots: None,
            is_done: false,
        },
        semantics,
        callees,
        question,
        words: Words::default(),
        started: Vec::new(),
        around: PrimaryMap::default(),
        open: SmallVec::new(),
    };
    for argument in entry.into_iter().flat_map(arguments) {
        let is_memref = tracer.semantics.class(type_of(argument)).holds_memref();
        let nodes = tracer.trace.graph.of(argument);
        tracer.trace.graph.outside(argument);
        tracer.trace.arguments.push(Argument { nodes, is_memref });
    }
    tracer.asynchronous_regions(&control);
    tracer.body(&control);
    tracer.pending(&control);
    if question.contract == Contract::Ownership && !tracer.trace.frees.is_empty() {
        let roots = tracer.trace.roots();
        tracer.flags(&control, &roots);
        tracer.trace.roots = Some(roots);
    }
    tracer.trace.control = control;
    tracer.trace.settle_frees(question.contract);
    tracer.trace
}

impl<'c> Tracer<'c, '_> {
    /// Notes which operations with regions go on after control has passed them, and what stands in them.
    fn asynchronous_regions(&mut self, control: &ControlGraph<'c>) {
        let mut own: SecondaryMap<EnteredId, Option<usize>> = SecondaryMap::default();
        for (id, entered) in control.entered.iter() {
            let memory = self.describe(entered.op);
            if memory.start.is_some() || memory.regions.outlives() {
                own[id] = Some(self.started.len());
                self.goes_on(entered.op);
            }
        }
        for (_, region) in control.regions.iter() {
            let mut around = SmallVec::new();
            if let Some(of) = region.of {
                let before = control.segments[control.entered[of].before].block;
                around = self.around[control.blocks[before].region].clone();
                around.extend(own[of]);
            }
            self.around.push(around);
        }
    }

    fn body(&mut self, control: &ControlGraph<'c>) {
        let reached = reached(control, |_| false);
        for (at, segment) in control.segments.iter() {
            if !reached.contains(at) {
                continue;
            }
            self.open = self.around[control.blocks[segment.block].region].clone();
            let place = OpContext {
                segment: at,
                in_order: true,
                escapes: false,
            };
            for op in control.ops(at) {
                self.op(op, place);
            }
            match segment.end {
                End::Enters(entered) => self.entered(control, entered),
                End::Terminator(op, _) => self.ends(control, at, op, place),
                End::NeverLeft(_) | End::Falls => {}
            }
            self.edges(control, at);
        }
    }

    /// An operation whose regions are followed.
    fn entered(&mut self, control: &ControlGraph<'c>, entered: EnteredId) {
        let entered = &control.entered[entered];
        self.uses_inside(entered.op);
        if !entered.is_known && self.describe(entered.op).opaque.is_some() {
            self.captures_all(entered.op);
        }
    }

    /// The operation that ends a block.
    fn ends(&mut self, control: &ControlGraph<'c>, at: SegmentId, op: Op<'c>, place: OpContext) {
        self.uses_inside(op);
        let mut edges = control.edges_from(at);
        if edges.any(|edge| matches!(edge.kind, EdgeKind::Return(_))) {
            for (number, value) in operands(op).enumerate() {
                self.returns(number, value);
            }
        } else if control.edges_from(at).any(|edge| !edge.is_told) {
            self.captures_all(op);
        }
        let info = self.semantics.info(op);
        if info.is_call() {
            let memory = self.describe(op);
            self.call(op, &memory, place);
        }
        if regions(op).next().is_some() {
            let escapes = OpContext {
                in_order: false,
                escapes: true,
                ..place
            };
            self.nested(op, None, escapes);
        }
    }

    fn returns(&mut self, number: usize, value: Val<'c>) {
        while self.trace.returned.len() <= number {
            let graph = &mut self.trace.graph;
            let (address, numbers) = (graph.node(), graph.node());
            self.trace.returned.push(Returned {
                is_memref: false,
                address,
                numbers,
            });
        }
        if !self.is_followed(value) {
            return;
        }
        let is_memref = self.semantics.class(type_of(value)).holds_memref();
        let to = &mut self.trace.returned[number];
        to.is_memref |= is_memref;
        let to = *to;
        let nodes = self.trace.graph.of(value);
        self.trace.graph.edge(nodes.address, to.address);
        self.trace.graph.edge(nodes.numbers, to.numbers);
        // Callers are not told what is stored there.
        self.trace.graph.edge(nodes.contents, Node::CAPTURED);
        self.trace.graph.edge(nodes.deep, Node::CAPTURED);
    }

    /// What the edges out of a segment forward, and what the operation produces there.
    fn edges(&mut self, control: &ControlGraph<'c>, at: SegmentId) {
        for edge in control.edges_from(at) {
            let Some(to) = edge.to.filter(|_| edge.taken != Taken::Never) else {
                continue;
            };
            let values = control.values(edge);
            for (from, to) in values {
                if self.is_followed(*from) && self.is_followed(*to) {
                    self.trace.graph.alias(*from, *to);
                }
            }
            let targets = control.targets(to);
            if values.len() >= targets.len() {
                continue;
            }
            let of = match edge.kind {
                EdgeKind::Enter(entered) => Some(control.entered[entered].op),
                _ => control.last_op(at),
            };
            let around = match control.segments[to].after {
                Some(entered) => Some(control.entered[entered].op),
                None => control.regions[control.blocks[control.segments[to].block].region]
                    .of
                    .map(|of| control.entered[of].op),
            };
            let mut sources = Sources::of(values);
            for target in targets {
                if sources.of_target(target).is_none() {
                    let of = of.filter(|_| !edge.is_told);
                    self.produced(target, around.into_iter().chain(of));
                }
            }
        }
    }

    /// A value that an operation with regions, or the end of one, produces, of what it has.
    fn produced(&mut self, target: Val<'c>, by: impl Iterator<Item = Op<'c>>) {
        if !self.is_followed(target) {
            return;
        }
        self.trace.graph.elsewhere(target);
        for operand in by.flat_map(operands) {
            self.may_be_part(operand, target);
        }
    }

    /// `to` is computed by an operation, in a way that is not known, from `from` or what is stored there.
    fn may_be_part(&mut self, from: Val<'c>, to: Val<'c>) {
        if !self.is_followed(from) || !self.is_followed(to) {
            return;
        }
        match (self.is_data(from), self.is_data(to)) {
            (false, true) => {
                self.trace.graph.load(from, to);
                let (from, to) = (self.trace.graph.of(from), self.trace.graph.of(to));
                self.trace.graph.edge(from.numbers, to.address);
            }
            (true, false) => self.number_of(from, to),
            _ => self.trace.graph.alias(from, to),
        }
    }

    /// `number` is one of the numbers of a memref, or what a pointer is computed from.
    fn number_of(&mut self, number: Val<'c>, to: Val<'c>) {
        let is_memref = self.semantics.class(type_of(to)).holds_memref();
        let (number, to) = (self.trace.graph.of(number), self.trace.graph.of(to));
        let to = if is_memref { to.numbers } else { to.address };
        self.trace.graph.edge(number.address, to);
    }

    fn captures_all(&mut self, op: Op<'c>) {
        for operand in operands(op) {
            self.captures(operand);
        }
    }

    fn captures(&mut self, value: Val<'c>) {
        if self.is_followed(value) {
            self.trace.graph.captured(value);
        }
    }

    /// What asynchronous operations around use.
    fn uses_inside(&mut self, op: Op<'c>) {
        for at in self.open.clone() {
            let used: SmallVec<[Val<'c>; 4]> =
                operands(op).filter(|value| self.refers(*value)).collect();
            self.started[at].used.extend(used);
        }
    }

    fn describe(&mut self, op: Op<'c>) -> Arc<OpMemory> {
        (self.question.describe)(op, self.semantics)
    }

    fn is_data(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)) == TypeClass::Data
    }

    /// May a value refer to memory by what it is, other than as a number?
    fn refers(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)).refers_to_memory()
    }

    /// Is it followed where a value goes? A flag is no address.
    fn is_followed(&mut self, value: Val<'c>) -> bool {
        let r#type = type_of(value);
        match self.semantics.class(r#type) {
            TypeClass::Memref | TypeClass::FutureMemref => true,
            TypeClass::Token | TypeClass::Group => false,
            TypeClass::Data => self.question.numbers && integer_width(r#type) != Some(1),
            TypeClass::UnknownToken | TypeClass::Tensor | TypeClass::Pointer => {
                self.question.numbers
            }
        }
    }
}

impl<'c> Trace<'c> {
    /// What is freed is freed where an operation says so; by the contract of ownership, not where a flag says that it is an
    /// argument that a callee has returned.
    fn settle_frees(&mut self, contract: Contract) {
        let is_done = self.is_done && contract == Contract::Ownership;
        let through = self.on_all_paths();
        for free in &self.frees {
            let block = self.control.segments[free.segment].block;
            let sink = match is_done && !(free.in_order && through.contains(&block)) {
                true => Node::FREED_IF_OWNED,
                false => Node::FREED,
            };
            if free.flag.is_none() || contract != Contract::Ownership {
                self.graph.edge(free.node, sink);
            } else if free.is_others_flag {
                self.graph.edge(free.node, Node::FREED);
            }
        }
    }

    /// Which argument memory can be.
    fn roots(&self) -> Roots {
        let arguments = self.arguments.iter();
        let arguments: Vec<Node> = arguments.map(|one| one.nodes.address).collect();
        let mut others: Vec<Node> = self.new.iter().map(|(node, _)| *node).collect();
        others.extend([Node::ELSEWHERE, Node::FOREIGN]);
        self.graph.roots(&arguments, &others)
    }

    /// What frees memory whose address is at one of the nodes that are `alone`.
    pub(crate) fn frees_of(&self, alone: impl Fn(Node) -> bool) -> Freed {
        let mut freed = Freed::default();
        let mut certain: SmallVec<[SegmentId; 4]> = SmallVec::new();
        let all = self.frees.iter();
        let all = all.filter(|free| alone(free.node) && free.holds != Holds::Never);
        let all: SmallVec<[&Free<'c>; 4]> = all.collect();
        for free in &all {
            freed.by_flag |= free.flag.is_some();
            if free.in_order && free.is_certain && free.holds == Holds::Always {
                certain.push(free.segment);
            }
        }
        freed.on_all_paths = self.are_on_all_paths(&certain);
        let flag = all.first().and_then(|free| free.flag_argument);
        let is_alike =
            |free: &&Free<'c>| free.in_order && free.is_certain && free.flag_argument == flag;
        if flag.is_some() && all.iter().all(is_alike) {
            let segments: SmallVec<[SegmentId; 4]> = all.iter().map(|free| free.segment).collect();
            freed.if_flag = flag.filter(|_| self.are_on_all_paths(&segments));
        }
        freed
    }

    /// Does each path to where the function returns pass one of these segments?
    fn are_on_all_paths(&self, segments: &[SegmentId]) -> bool {
        if segments.is_empty() {
            return false;
        }
        let reached = reached(&self.control, |at| segments.contains(&at));
        let leaves = |at: SegmentId| {
            !segments.contains(&at)
                && match self.control.segments[at].end {
                    End::Falls => self.control.edges_from(at).len() == 0,
                    _ => self.control.edges_from(at).any(|edge| edge.to.is_none()),
                }
        };
        let mut all = self.control.segments.keys();
        !all.any(|at| reached.contains(at) && leaves(at))
    }

    /// The blocks that all paths through the body pass: the first, and the only one that it is left from.
    fn on_all_paths(&self) -> SmallVec<[graph::BlockId; 2]> {
        let blocks = self.control.blocks_of(graph::BODY);
        let leaves = |block: &graph::BlockId| {
            let mut edges = self.control.edges_from(self.control.blocks[*block].last);
            edges.len() == 0 || edges.any(|edge| edge.to.is_none())
        };
        let mut exits = blocks.clone().filter(leaves);
        let exit = exits.next();
        let exit = exit.filter(|_| exits.next().is_none());
        blocks.take(1).chain(exit).collect()
    }
}

/// The segments that control comes to from the start, past none that `stops`.
fn reached(control: &ControlGraph<'_>, stops: impl Fn(SegmentId) -> bool) -> EntitySet<SegmentId> {
    let mut seen = EntitySet::new();
    let mut open: Vec<SegmentId> = control.segments.keys().take(1).collect();
    while let Some(at) = open.pop() {
        if !seen.insert(at) || stops(at) {
            continue;
        }
        let taken = control.edges_from(at);
        let taken = taken.filter(|edge| edge.taken != Taken::Never);
        open.extend(taken.filter_map(|edge| edge.to));
    }
    seen
}
