//! Operations with regions. Sequential regions are followed block by block. Parallel regions are scopes of
//! their own. An operation with regions of unknown order is one step.

use super::{LifetimeReader, Mode, OpContext};
use crate::{
    Reason,
    asynchronous::Source,
    program::{
        BlockFact, BlockId, InStep, NodeFact, NodeId, Outer, Position, ScopeFact, ScopeId,
        Successor, UseKind, ValueKind,
    },
};
use memplan_mlir::ir::{
    Identity, Op, Region, arguments, blocks, is_memref, ops, parent, regions, results, type_of,
};
use memplan_mlir::melior::ir::operation::OperationLike;
use memplan_semantics::{
    OpMemory, RegionOrder, Semantics,
    attributes::STRIPS,
    graph::{self, ControlGraph, End, Enter, EnteredId, RegionId},
    names::NameInfo,
};
use smallvec::SmallVec;

/// Control-flow graph of a body. It enters regions with known control flow, and parallel regions.
pub(super) fn control<'c>(body: Region<'c>, semantics: &mut Semantics) -> ControlGraph<'c> {
    ControlGraph::of(body, semantics, &mut |op, info, semantics| {
        let order = semantics.region_order(op);
        if info.is_isolated() || graph::ends_block(op, info) {
            Enter::No
        } else if runs_in_parallel(order) {
            Enter::Yes
        } else if order.outlives() || semantics.element_loop(op).is_some() {
            Enter::No
        } else {
            Enter::IfKnown
        }
    })
}

const fn runs_in_parallel(order: RegionOrder) -> bool {
    matches!(order, RegionOrder::Parallel | RegionOrder::Asynchronous)
}

impl<'c> LifetimeReader<'c, '_> {
    /// An operation whose regions are followed.
    pub(super) fn enters(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        match runs_in_parallel(memory.regions) {
            true => self.parallel(graph, entered, memory, place, position),
            false => self.sequential(graph, entered, place, position),
        }
    }

    /// An operation with regions that are not followed.
    pub(super) fn with_regions(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        // Functions and modules are visited separately.
        if info.is_function() || info.is_symbol_table() {
            self.simple(op, memory, place, position);
            return;
        }
        // The order of execution of its regions is unknown.
        let known = info.has_memory_effects() || info.has_recursive_effects();
        let mode = match place.mode {
            Mode::Escape(reason) => Mode::Escape(reason),
            _ if memory.regions.outlives() => Mode::Escape(Reason::Asynchronous),
            _ if known => Mode::Opaque,
            _ => Mode::Escape(Reason::UnknownEffects),
        };
        if let Mode::Escape(reason) = mode {
            self.escapes(op, place, position, reason);
            self.nested(op, OpContext { mode, ..place });
            return;
        }
        self.simple(op, memory, place, position);
        self.nested(op, OpContext { mode, ..place });
        if matches!(place.mode, Mode::Flow) {
            self.element_loop(op, place, position);
        }
    }

    /// A nest of loops that is one step: each element of a memref is read before another one is written in its place.
    fn element_loop(&mut self, op: Op<'c>, place: OpContext, position: Position) {
        let nest = self.semantics.element_loop(op);
        for (read, written) in nest.into_iter().flat_map(|nest| nest.pairs) {
            let (read, written) = (self.value(read), self.value(written));
            self.program.in_step.push(InStep {
                read,
                written,
                block: place.block,
                position,
                same_bytes: true,
                same_elements: false,
                copy: None,
                apart: false,
            });
        }
    }

    /// Visits the nested operations without following control flow.
    pub(super) fn nested(&mut self, op: Op<'c>, place: OpContext) {
        if self.semantics.holds_nothing(op) {
            return;
        }
        let position = self.position - 1;
        let mut given = self.memref_operands(op);
        if self.semantics.info(op).is_terminator()
            && let Some(around) = parent(op)
        {
            // A reduction, for example, starts with an operand of the enclosing loop.
            given.extend(self.memref_operands(around));
        }
        for region in regions(op) {
            for block in blocks(region) {
                for argument in arguments(block) {
                    if is_memref(type_of(argument)) {
                        // It may be any operand of the operation or of its parent.
                        let value = self.value(argument);
                        self.define(value, ValueKind::Merge, place.block, position);
                        self.external(value);
                        for operand in &given {
                            self.source(value, *operand);
                            self.escape(*operand, Reason::UnknownEffects);
                        }
                    }
                }
                for nested in ops(block) {
                    if self.semantics.info(nested).is_terminator() {
                        // It is unknown where its operands are forwarded to.
                        for memref in self.memref_operands(nested) {
                            self.escape(memref, Reason::UnknownEffects);
                        }
                    }
                    self.op(nested, place);
                }
            }
        }
    }

    /// An operation with sequential regions, each of which executes any number of times.
    fn sequential(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpContext,
        start: Position,
    ) {
        let op = graph.entered[entered].op;
        for memref in self.memref_operands(op) {
            self.uses(memref, place, start, UseKind::Forward);
        }
        let node = NodeId::new(self.program.nodes.len());
        self.program.nodes.push(NodeFact {
            parent: Some(place.block),
            scope: place.scope,
            start,
            end: start,
            blocks: Vec::new(),
            entries: SmallVec::new(),
            passes: false,
            runs_in_loop: self.loops_over_strips > 0,
        });
        self.make_blocks(graph, node, graph.regions_of(entered));
        let before = graph.entered[entered].before;
        for successor in self.edges(graph, before, Source::Node(node)) {
            let fact = &mut self.program.nodes[node.index()];
            match successor {
                Successor::Block(block) => fact.entries.push(block),
                Successor::Exit => fact.passes = true,
            }
        }
        let strips = u32::from(op.has_attribute(STRIPS));
        self.loops_over_strips += strips;
        for body in graph.regions_of(entered) {
            self.region(graph, body, place.scope);
        }
        self.loops_over_strips -= strips;
        let end = self.next();
        self.program.nodes[node.index()].end = end;
        for result in results(op) {
            if is_memref(type_of(result)) {
                let value = self.value(result);
                self.define(value, ValueKind::Merge, place.block, end);
            }
        }
    }

    /// An operation with parallel regions: scopes of their own.
    fn parallel(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        let op = graph.entered[entered].op;
        let asynchronous = memory.regions.outlives() || memory.start.is_some();
        let start = match &memory.start {
            Some(start) => self.starts(op, start, place, position),
            None => None,
        };
        let first_use = self.program.uses.len();
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
        }
        let mut scopes: SmallVec<[ScopeId; 1]> = SmallVec::new();
        for body in graph.regions_of(entered) {
            let Some(entry) = graph.entry(body) else {
                continue;
            };
            let outer = Outer {
                scope: place.scope,
                block: place.block,
                span: (position, position),
            };
            let scope = self.scope(op, Some(outer), graph, body);
            scopes.push(scope);
            for argument in arguments(graph.blocks[entry].block) {
                if is_memref(type_of(argument)) {
                    // A private copy, for example: not followed.
                    let value = self.value(argument);
                    let block = self.program.nodes[self.program.scopes[scope.index()].body.index()]
                        .entries[0];
                    self.define(value, ValueKind::Merge, block, position);
                    self.external(value);
                    for operand in self.memref_operands(op) {
                        self.source(value, operand);
                    }
                }
            }
            self.scope_blocks(graph, body, scope);
        }
        let end = self.next();
        for scope in scopes {
            if let Some(outer) = &mut self.program.scopes[scope.index()].outer {
                outer.span.1 = end;
            }
        }
        match start {
            Some(start) => self.started(start),
            None if asynchronous => self.escape_used(first_use, (position, end)),
            None => {}
        }
        self.merge_results(op, place, end, true);
    }

    /// Values used since `first_use` escape, if they are defined outside of an operation with this span.
    fn escape_used(&mut self, first_use: usize, (start, end): (Position, Position)) {
        for index in first_use..self.program.uses.len() {
            let value = self.program.uses[index].value;
            let defined = self.program.values[value.index()].position;
            if !(start < defined && defined <= end) {
                self.escape(value, Reason::Asynchronous);
            }
        }
    }

    /// Creates a scope for a body of an operation, with its blocks. Does not visit their operations.
    pub(super) fn scope(
        &mut self,
        op: Op<'c>,
        outer: Option<Outer>,
        graph: &ControlGraph<'c>,
        body: RegionId,
    ) -> ScopeId {
        let scope = ScopeId::new(self.program.scopes.len());
        let node = NodeId::new(self.program.nodes.len());
        self.program.scopes.push(ScopeFact { body: node, outer });
        self.program.nodes.push(NodeFact {
            parent: None,
            scope,
            start: self.position,
            end: self.position,
            blocks: Vec::new(),
            entries: SmallVec::new(),
            passes: false,
            runs_in_loop: false,
        });
        self.make_blocks(graph, node, [body]);
        if let Some(entry) = graph.entry(body) {
            let entry = graph.blocks[entry].block;
            let id = self.blocks[&entry.key()];
            self.program.nodes[node.index()].entries.push(id);
            self.handles.scopes.push((op, entry));
        }
        self.handles.exits.push(Vec::new());
        scope
    }

    pub(super) fn scope_blocks(
        &mut self,
        graph: &ControlGraph<'c>,
        body: RegionId,
        scope: ScopeId,
    ) {
        let node = self.program.scopes[scope.index()].body;
        self.region(graph, body, scope);
        self.program.nodes[node.index()].end = self.position;
    }

    fn make_blocks(
        &mut self,
        graph: &ControlGraph<'c>,
        node: NodeId,
        bodies: impl IntoIterator<Item = RegionId>,
    ) {
        for block in bodies.into_iter().flat_map(|body| graph.blocks_of(body)) {
            let id = BlockId::new(self.program.blocks.len());
            self.program.blocks.push(BlockFact {
                node,
                first: 0,
                end: 0,
                successors: SmallVec::new(),
                predecessors: SmallVec::new(),
            });
            self.program.nodes[node.index()].blocks.push(id);
            self.blocks.insert(graph.blocks[block].block.key(), id);
        }
    }

    fn region(&mut self, graph: &ControlGraph<'c>, region: RegionId, scope: ScopeId) {
        for block in graph.blocks_of(region) {
            self.block(graph, block, scope);
        }
    }

    fn block(&mut self, graph: &ControlGraph<'c>, block: graph::BlockId, scope: ScopeId) {
        let mut at = graph.blocks[block].first;
        let block = graph.blocks[block].block;
        let id = self.blocks[&block.key()];
        let first = self.next();
        self.program.blocks[id.index()].first = first;
        for argument in arguments(block) {
            if is_memref(type_of(argument)) {
                let value = self.value(argument);
                // Arguments of the function are already defined.
                if self.program.values[value.index()].kind == ValueKind::Unknown {
                    self.define(value, ValueKind::Merge, id, first);
                }
                self.place_value(value, id, first);
            }
        }
        let place = OpContext {
            scope,
            block: id,
            mode: Mode::Flow,
        };
        loop {
            for op in graph.ops(at) {
                self.op(op, place);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    self.entered(graph, entered, place);
                    match graph.entered[entered].after {
                        Some(after) => at = after,
                        None => break,
                    }
                }
                End::Terminator(op, _) | End::NeverLeft(op) => {
                    self.ends(graph, at, op, place);
                    break;
                }
                End::NoTerminator => break,
            }
        }
        self.program.blocks[id.index()].end = self.position;
    }
}
