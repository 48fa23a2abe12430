//! Operations with regions, and terminators.

use super::{MOVE, ProgramReader};
use crate::program::{Action, Escape, NodeId, Token, ValueId};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Region, Val, arguments, blocks, is_tensor, operands, ops, regions,
        results, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Form, RegionOrder, Semantics,
    graph::{BlockId, ControlGraph, End, Enter, EnteredId, RegionId, SegmentId, Taken},
    names::NameInfo,
};
use rustc_hash::FxHashSet;

/// The operation whose regions are read.
pub(super) struct Frame<'c> {
    pub op: Op<'c>,
    /// Whether the operation is the function.
    pub is_function: bool,
    /// For regions of unknown order: the node to which control returns, and a value that may be anything that the
    /// operation or a region passes on.
    pub hub: Option<(NodeId, ValueId)>,
}

/// Reads the control-flow graph of a body. Operations with regions are entered if something in them may touch
/// memory, except loops over elements, which are one access.
pub(super) fn control<'c>(
    body: Region<'c>,
    touching: &FxHashSet<Key>,
    semantics: &mut Semantics,
) -> ControlGraph<'c> {
    ControlGraph::of(body, semantics, &mut |op, _, semantics| {
        let is_entered = touching.contains(&op.key()) && !op.has_attribute(MOVE);
        match is_entered && semantics.element_loop(op).is_none() {
            true => Enter::Yes,
            false => Enter::No,
        }
    })
}

impl<'c> ProgramReader<'c, '_> {
    pub(super) fn operation_with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        info: NameInfo,
    ) {
        let op = graph.entered[entered].op;
        let parallel = self.semantics.region_order(op) != RegionOrder::Sequential;
        let (scope, around) = (self.scope, self.around);
        if parallel {
            (self.scope, self.around) = (Some(op.key()), scope);
        }
        match graph.entered[entered].is_known && !parallel {
            true => self.declared_regions(graph, entered, info),
            false => self.unordered_regions(graph, entered, info),
        }
        (self.scope, self.around) = (scope, around);
    }

    /// Reads regions whose control flow the operation declares.
    fn declared_regions(&mut self, graph: &ControlGraph<'c>, entered: EnteredId, info: NameInfo) {
        let op = graph.entered[entered].op;
        let memory = self.semantics.of(op);
        self.accesses(op, info, &memory);
        let after = self.node();
        if let Some(segment) = graph.entered[entered].after {
            self.starts[segment] = after;
        }
        for region in graph.regions_of(entered) {
            self.blocks(graph, region);
        }
        self.edges(graph, graph.entered[entered].before, op);
        let frame = Frame {
            op,
            is_function: false,
            hub: None,
        };
        for region in graph.regions_of(entered) {
            self.region(graph, region, &frame);
        }
        self.start(after);
    }

    /// Reads regions that may run in any order and any number of times, before, between and after the operation's own
    /// effects: bodies that run in parallel, and unknown operations. `hub` is the node from which they start and to
    /// which they return.
    fn unordered_regions(&mut self, graph: &ControlGraph<'c>, entered: EnteredId, info: NameInfo) {
        let op = graph.entered[entered].op;
        let memory = self.semantics.of(op);
        let (hub, after, pool) = (self.node(), self.node(), self.new_value());
        let mut handed = self.references(operands(op));
        let referring = self.references(results(op));
        self.unknown.extend(&referring);
        // A token stands for the asynchronous effects in the regions. A tensor is a value: the operations that read
        // memory into tensors are checked themselves.
        let tokens = results(op).filter(|result| !is_tensor(type_of(*result)));
        let is_named = !self.references(tokens).is_empty();
        let captured = match is_named || memory.start.is_some() {
            true => self.captured(op),
            false => Vec::new(),
        };
        if is_named {
            handed.extend(&captured);
        }
        self.edge(hub, to_one(&handed, pool));
        self.start(hub);
        self.accesses(op, info, &memory);
        for region in graph.regions_of(entered) {
            self.blocks(graph, region);
        }
        let frame = Frame {
            op,
            is_function: false,
            hub: Some((hub, pool)),
        };
        for entry in graph.entries(entered) {
            let arguments = self.references(graph.targets(entry).into_iter());
            self.unknown.extend(&arguments);
            self.edge(self.starts[entry], from_one(pool, &arguments));
        }
        self.edge(after, from_one(pool, &referring));
        for region in graph.regions_of(entered) {
            self.region(graph, region, &frame);
        }
        self.start(after);
        let mut used = self.references(operands(op));
        used.extend(captured);
        self.tokens(op, &memory, &used);
    }

    /// The values defined outside that the regions of an operation use.
    fn captured(&mut self, op: Op<'c>) -> Vec<ValueId> {
        let mut captured = Vec::new();
        let mut inside = FxHashSet::default();
        let mut open: Vec<Region<'c>> = regions(op).collect();
        let mut used: Vec<Val<'c>> = Vec::new();
        while let Some(region) = open.pop() {
            for block in blocks(region) {
                inside.extend(arguments(block).map(|argument| argument.key()));
                for op in ops(block) {
                    inside.extend(results(op).map(|result| result.key()));
                    used.extend(operands(op));
                    open.extend(regions(op));
                }
            }
        }
        used.retain(|value| inside.insert(value.key()));
        captured.extend(self.references(used.into_iter()));
        captured
    }

    /// Creates the nodes of a region's blocks.
    pub(super) fn blocks(&mut self, graph: &ControlGraph<'c>, region: RegionId) {
        for block in graph.blocks_of(region) {
            let block = &graph.blocks[block];
            let node = self.node();
            self.starts[block.first] = node;
            self.nodes.insert(block.block.key(), node);
        }
    }

    pub(super) fn region(&mut self, graph: &ControlGraph<'c>, region: RegionId, frame: &Frame<'c>) {
        for block in graph.blocks_of(region) {
            self.block(graph, block, frame);
        }
    }

    fn block(&mut self, graph: &ControlGraph<'c>, block: BlockId, frame: &Frame<'c>) {
        let mut at = graph.blocks[block].first;
        self.start(self.starts[at]);
        loop {
            for op in graph.ops(at) {
                self.op(graph, op, None);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    self.op(graph, graph.entered[entered].op, Some(entered));
                    match graph.entered[entered].after {
                        Some(after) => at = after,
                        None => return,
                    }
                }
                End::Terminator(op, entered) => {
                    self.op(graph, op, entered);
                    return self.leave(graph, at, Some(op), frame);
                }
                End::NeverLeft(op) => return self.op(graph, op, None),
                End::NoTerminator => {
                    let last = terminator(graph.blocks[block].block);
                    return self.leave(graph, at, last, frame);
                }
            }
        }
    }

    /// Adds the edges at the end of a block with the terminator `end`.
    fn leave(
        &mut self,
        graph: &ControlGraph<'c>,
        at: SegmentId,
        end: Option<Op<'c>>,
        frame: &Frame<'c>,
    ) {
        let Some(end) = end else {
            if frame.is_function {
                self.returned.push((self.current, Vec::new()));
            }
            return self.leave_undeclared(None, frame);
        };
        let block = graph.blocks[graph.segments[at].block].block;
        self.end_iteration(block, end);
        if self.semantics.form(frame.op) == Form::Scope {
            self.leave_stack(block, end);
        }
        if end.successor_count() > 0 {
            return self.edges(graph, at, end);
        }
        if frame.is_function {
            let all = operands(end).map(|value| self.reference(value)).collect();
            self.returned.push((self.current, all));
            let returned = self.references(operands(end));
            let id = self.id(end);
            self.action(id, Action::Token(Token::Leave));
            self.end_of_addresses(id);
            return self.escape(id, &returned, Escape::Returned);
        }
        match frame.hub {
            None => self.edges(graph, at, end),
            Some(_) => self.leave_undeclared(Some(end), frame),
        }
    }

    /// Adds the edges at the end of a region whose control flow is not declared.
    fn leave_undeclared(&mut self, end: Option<Op<'c>>, frame: &Frame<'c>) {
        let handed = end.map_or_else(Vec::new, |end| self.references(operands(end)));
        if let Some((hub, pool)) = frame.hub {
            let mut binds = to_one(&handed, pool);
            binds.push((pool, pool));
            self.edge(hub, binds);
        }
    }

    /// Adds the edges at the end of a segment, which `end` terminates. A target value that no edge binds may be any
    /// operand of `end`.
    fn edges(&mut self, graph: &ControlGraph<'c>, at: SegmentId, end: Op<'c>) {
        let sources = self.references(operands(end));
        let taken = graph.edges_from(at);
        for edge in taken.filter(|edge| edge.taken != Taken::Never) {
            let Some(to) = edge.to else { continue };
            let mut binds = Vec::new();
            for &(from, into) in graph.values(edge) {
                if self.refers(from) && self.refers(into) {
                    if let Some(from) = self.reference(from) {
                        binds.push((from, self.value(into)));
                    }
                } else {
                    binds.extend(self.bind_token(from, into));
                }
            }
            let bound: FxHashSet<ValueId> = binds.iter().map(|(_, into)| *into).collect();
            let targets = self.references(graph.targets(to).into_iter());
            let unbound: Vec<ValueId> = targets
                .into_iter()
                .filter(|target| !bound.contains(target))
                .collect();
            self.unknown.extend(&unbound);
            binds.extend(all_to_all(&sources, &unbound));
            self.edge(self.starts[to], binds);
        }
    }
}

fn to_one(from: &[ValueId], to: ValueId) -> Vec<(ValueId, ValueId)> {
    from.iter().map(|from| (*from, to)).collect()
}

fn from_one(from: ValueId, to: &[ValueId]) -> Vec<(ValueId, ValueId)> {
    to.iter().map(|to| (from, *to)).collect()
}

fn all_to_all(from: &[ValueId], to: &[ValueId]) -> Vec<(ValueId, ValueId)> {
    to.iter()
        .flat_map(|to| from.iter().map(move |from| (*from, *to)))
        .collect()
}
