//! Traces a body as a [`ValueGraph`]: where its addresses flow, and if requested, its numbers.
//!
//! Effects of operations come from [`OpMemory`], edges from the [`ControlGraph`], effects of calls from
//! summaries. Operations in regions that are not followed may execute in any order; values that leave such a
//! region at its end are captured. Order matters in two cases only. Memory that an asynchronous operation
//! uses is captured unless each path waits for it ([`pending`]). An argument counts as always freed only if
//! each path passes a deallocation of it.

mod calls;
mod flags;
mod heap;
mod ops;
mod pending;

use crate::{
    callee::Callees,
    spilled::SpilledDescriptors,
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

/// Calling convention for ownership.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    /// As written: a function may return an argument, and `bufferization.dealloc` and clones may free their
    /// operands.
    AsWritten,
    /// As written, but clones are copies: for analyses of which memrefs are the same memory while clones
    /// exist.
    ClonesCopy,
    /// That of ownership-based deallocation. A memref that a function returns without owning it is copied,
    /// unless the function returns a flag for it. `bufferization.dealloc` frees an operand only if its flag
    /// says that it is not an argument. Clones are copies.
    Ownership,
}

/// Parameters of a trace.
#[derive(Clone, Copy)]
pub struct Question {
    /// The contract.
    pub contract: Contract,
    /// Follow numbers and pointers; otherwise each address that is taken is captured.
    pub numbers: bool,
    /// Effects of an operation.
    pub describe: fn(Op<'_>, &mut Semantics) -> Arc<OpMemory>,
}

/// A deallocation.
pub(crate) struct Free<'c> {
    segment: SegmentId,
    node: Node,
    /// Whether each path through the segment passes it exactly once.
    in_order: bool,
    /// Whether it always frees the memory.
    is_certain: bool,
    /// The freed value.
    value: Val<'c>,
    /// The condition operand, if there is one.
    flag: Option<Val<'c>>,
    /// Whether the condition holds if the memory is an argument.
    holds: Holds,
    /// The index of the argument that is the condition, if it is one.
    flag_argument: Option<u32>,
    /// Whether the condition comes from the caller or a callee: it does not imply that the memory is no
    /// argument.
    is_others_flag: bool,
}

/// Whether a flag is true.
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

/// Deallocations of memory that can be one argument only.
#[derive(Clone, Copy, Default)]
pub(crate) struct Freed {
    /// Whether each path to a return passes one.
    pub(crate) on_all_paths: bool,
    /// Whether one has a condition that may hold.
    pub(crate) by_flag: bool,
    /// The flag argument under which each path to a return passes one, and no path otherwise.
    pub(crate) if_flag: Option<u32>,
}

/// A value that a function returns at one place.
#[derive(Clone, Copy)]
pub(crate) struct Returned {
    pub(crate) is_memref: bool,
    pub(crate) address: Node,
    pub(crate) numbers: Node,
}

/// A traced body.
pub(crate) struct Trace<'c> {
    pub(crate) graph: ValueGraph,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) returned: Vec<Returned>,
    /// New memory with its allocators.
    pub(crate) new: Vec<(Node, Option<Allocator>)>,
    /// Addresses that were taken.
    pub(crate) taken: Vec<Node>,
    /// Heap memory of the function and its callees, under the contract `AsWritten`.
    allocated: Vec<heap::Allocated>,
    control: ControlGraph<'c>,
    pub(crate) frees: Vec<Free<'c>>,
    /// Under the ownership contract: the argument that memory can be, for the deallocations.
    pub(crate) roots: Option<Roots>,
    /// Whether the function has been through deallocation.
    is_done: bool,
}

/// Context of an operation.
#[derive(Clone, Copy)]
struct OpContext {
    segment: SegmentId,
    /// Whether each path through the segment passes it exactly once.
    in_order: bool,
    /// Whether the enclosing control flow is unknown.
    escapes: bool,
}

struct Tracer<'c, 'r> {
    trace: Trace<'c>,
    semantics: &'r mut Semantics,
    callees: &'r dyn Callees,
    question: Question,
    spilled: SpilledDescriptors<'c>,
    started: Vec<Started<'c>>,
    /// For each region, the enclosing asynchronous operations.
    around: PrimaryMap<RegionId, SmallVec<[usize; 1]>>,
    /// Those that enclose the current operation.
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
            allocated: Vec::new(),
            control: ControlGraph::default(),
            frees: Vec::new(),
            roots: None,
            is_done: false,
        },
        semantics,
        callees,
        question,
        spilled: SpilledDescriptors::default(),
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
    /// Records asynchronous operations with regions, and the operations in them.
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
                End::NeverLeft(_) | End::NoTerminator => {}
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

    /// The terminator of a block.
    fn ends(&mut self, control: &ControlGraph<'c>, at: SegmentId, op: Op<'c>, place: OpContext) {
        self.uses_inside(op);
        let mut edges = control.edges_from(at);
        if edges.any(|edge| matches!(edge.kind, EdgeKind::Return(_))) {
            for (number, value) in operands(op).enumerate() {
                self.returns(number, value);
            }
        } else if control.edges_from(at).any(|edge| !edge.forwards_known) {
            self.captures_all(op);
        }
        let info = self.semantics.info(op);
        if info.is_call() {
            let memory = self.describe(op);
            self.allocates(op, &memory, place);
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
        // Summaries do not describe what is stored there.
        self.trace.graph.edge(nodes.contents, Node::CAPTURED);
        self.trace.graph.edge(nodes.deep, Node::CAPTURED);
    }

    /// Records the values that the edges out of a segment forward, and those that the operation produces.
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
                    let of = of.filter(|_| !edge.forwards_known);
                    self.produced(target, around.into_iter().chain(of));
                }
            }
        }
    }

    /// A value that an operation with regions, or the end of a region, computes from its operands.
    fn produced(&mut self, target: Val<'c>, by: impl Iterator<Item = Op<'c>>) {
        if !self.is_followed(target) {
            return;
        }
        self.trace.graph.elsewhere(target);
        for operand in by.flat_map(operands) {
            self.may_be_part(operand, target);
        }
    }

    /// Records that an operation computes `to` from `from` or its contents, without knowing how.
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

    /// Records that `number` is a number of the descriptor of a memref, or that a pointer is computed from
    /// it.
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

    /// Records the memory that enclosing asynchronous operations use.
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

    /// Whether a value may refer to memory by its type, other than as a number.
    fn refers(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)).refers_to_memory()
    }

    /// Whether the flow of a value is followed. A flag is not an address.
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
    /// Records where memory is freed: at each deallocation; under the ownership contract, not where a flag
    /// implies that the memory is an argument that a callee returned.
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

    /// The argument that memory can be.
    fn roots(&self) -> Roots {
        let arguments = self.arguments.iter();
        let arguments: Vec<Node> = arguments.map(|one| one.nodes.address).collect();
        let mut others: Vec<Node> = self.new.iter().map(|(node, _)| *node).collect();
        others.extend([Node::ELSEWHERE, Node::FOREIGN]);
        self.graph.roots(&arguments, &others)
    }

    /// Deallocations of memory whose address is at one of the nodes that are `alone`.
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

    /// Whether each path to a return passes one of these segments.
    fn are_on_all_paths(&self, segments: &[SegmentId]) -> bool {
        if segments.is_empty() {
            return false;
        }
        let reached = reached(&self.control, |at| segments.contains(&at));
        let leaves = |at: SegmentId| {
            !segments.contains(&at)
                && match self.control.segments[at].end {
                    End::NoTerminator => self.control.edges_from(at).len() == 0,
                    _ => self.control.edges_from(at).any(|edge| edge.to.is_none()),
                }
        };
        let mut all = self.control.segments.keys();
        !all.any(|at| reached.contains(at) && leaves(at))
    }

    /// Blocks that all paths through the body pass: the entry block, and the only block that returns.
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

/// Segments that are reachable from the start without passing one that `stops`.
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
