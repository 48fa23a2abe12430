//! Operations with regions: what runs in sequence is told apart block by block, what runs in parallel
//! gets a scope of its own, and what runs in an order that is not known is taken as one step.

use super::{Mode, Place, Reader};
use crate::{
    asynchronous::Source,
    program::{
        BlockFact, BlockId, NodeFact, NodeId, Outer, Position, ScopeFact, ScopeId, Successor,
        UseKind, ValueKind,
    },
    reason::Reason,
};
use memplan_mlir::{
    flow,
    ir::{
        Block, Identity, Op, Region, arguments, blocks, is_memref, ops, regions, results, type_of,
    },
    names::NameInfo,
};
use memplan_semantics::{OpMemory, RegionOrder};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    pub(super) fn with_regions(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        memory: &OpMemory,
        place: Place,
        position: Position,
    ) {
        // Functions and modules are visited for themselves.
        if info.is_function() || info.is_symbol_table() {
            self.simple(op, memory, place, position);
            return;
        }
        let flow = matches!(place.mode, Mode::Flow);
        let in_parallel = matches!(
            memory.regions,
            RegionOrder::Parallel | RegionOrder::Asynchronous
        );
        if flow && in_parallel && !info.is_isolated() {
            self.parallel(op, memory, place, position);
            return;
        }
        let in_sequence =
            info.is_region_branch() && !memory.regions.outlives() && !info.is_isolated();
        if flow && in_sequence && self.semantics.paths_are_known(op) {
            self.sequential(op, place, position);
            return;
        }
        // The order inside is not known.
        let known = info.has_memory_effects() || info.has_recursive_effects();
        let mode = match place.mode {
            Mode::Escape(reason) => Mode::Escape(reason),
            _ if memory.regions.outlives() => Mode::Escape(Reason::Asynchronous),
            _ if known => Mode::Opaque,
            _ => Mode::Escape(Reason::UnknownEffects),
        };
        if let Mode::Escape(reason) = mode {
            self.escapes(op, place, position, reason);
            self.nested(op, Place { mode, ..place });
            return;
        }
        self.simple(op, memory, place, position);
        self.nested(op, Place { mode, ..place });
    }

    /// Walks what is nested in an operation without telling blocks apart.
    pub(super) fn nested(&mut self, op: Op<'c>, place: Place) {
        let position = self.position - 1;
        for region in regions(op) {
            for block in blocks(region) {
                for argument in arguments(block) {
                    if is_memref(type_of(argument)) {
                        // May be anything that the operation or a block around it has got.
                        let value = self.value(argument);
                        self.define(value, ValueKind::Merge, place.block, position);
                        self.external(value);
                        for operand in self.memref_operands(op) {
                            self.source(value, operand);
                            self.escape(operand, Reason::UnknownEffects);
                        }
                    }
                }
                for nested in ops(block) {
                    if self.names.info(nested).is_terminator() {
                        // Where its operands go is not known.
                        for memref in self.memref_operands(nested) {
                            self.escape(memref, Reason::UnknownEffects);
                        }
                    }
                    self.op(nested, place);
                }
            }
        }
    }

    /// An operation whose regions run one after another, each any number of times.
    pub(super) fn sequential(&mut self, op: Op<'c>, place: Place, start: Position) {
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
        });
        let bodies: SmallVec<[Region<'c>; 2]> = regions(op).collect();
        self.make_blocks(node, &bodies);
        let edges = flow::entry_edges(op).unwrap_or_default();
        for successor in self.region_edges(op, Source::Node(node), &edges) {
            let fact = &mut self.program.nodes[node.index()];
            match successor {
                Successor::Block(block) => fact.entries.push(block),
                Successor::Exit => fact.passes = true,
            }
        }
        for body in bodies {
            for block in blocks(body) {
                self.block(block, place.scope);
            }
        }
        let end = self.next();
        self.program.nodes[node.index()].end = end;
        for result in results(op) {
            if is_memref(type_of(result)) {
                let value = self.value(result);
                self.define(value, ValueKind::Merge, place.block, end);
            }
        }
    }

    /// An operation whose bodies run at the same time: scopes of their own.
    pub(super) fn parallel(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        place: Place,
        position: Position,
    ) {
        let asynchronous = memory.regions.outlives() || memory.start.is_some();
        let start = match &memory.start {
            Some(start) => self.starts(op, start, place, position),
            None => None,
        };
        let first_use = self.program.uses.len();
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
        }
        let bodies: SmallVec<[Region<'c>; 1]> = regions(op)
            .filter(|body| blocks(*body).next().is_some())
            .collect();
        let mut scopes: SmallVec<[ScopeId; 1]> = SmallVec::new();
        for body in bodies {
            let outer = Outer {
                scope: place.scope,
                block: place.block,
                span: (position, position),
            };
            let scope = self.scope(op, Some(outer), &[body]);
            scopes.push(scope);
            for argument in blocks(body).next().into_iter().flat_map(arguments) {
                if is_memref(type_of(argument)) {
                    // Such as a private copy: not followed.
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
            self.scope_blocks(scope, &[body]);
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

    /// What was used since, from outside of an operation that spans these positions, escapes.
    fn escape_used(&mut self, first_use: usize, (start, end): (Position, Position)) {
        for index in first_use..self.program.uses.len() {
            let value = self.program.uses[index].value;
            let defined = self.program.values[value.index()].position;
            if !(start < defined && defined <= end) {
                self.escape(value, Reason::Asynchronous);
            }
        }
    }

    /// Opens a scope over the bodies of an operation: makes its blocks, does not walk them.
    pub(super) fn scope(
        &mut self,
        op: Op<'c>,
        outer: Option<Outer>,
        bodies: &[Region<'c>],
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
        });
        self.make_blocks(node, bodies);
        let entries = bodies
            .iter()
            .filter_map(|body| blocks(*body).next())
            .map(|block| self.blocks[&block.key()])
            .collect();
        self.program.nodes[node.index()].entries = entries;
        let first = bodies.iter().find_map(|body| blocks(*body).next());
        if let Some(first) = first {
            self.handles.scopes.push((op, first));
        }
        self.handles.exits.push(Vec::new());
        scope
    }

    pub(super) fn scope_blocks(&mut self, scope: ScopeId, bodies: &[Region<'c>]) {
        let node = self.program.scopes[scope.index()].body;
        for body in bodies {
            for block in blocks(*body) {
                self.block(block, scope);
            }
        }
        self.program.nodes[node.index()].end = self.position;
    }

    pub(super) fn make_blocks(&mut self, node: NodeId, bodies: &[Region<'c>]) {
        for body in bodies {
            for block in blocks(*body) {
                let id = BlockId::new(self.program.blocks.len());
                self.program.blocks.push(BlockFact {
                    node,
                    first: 0,
                    end: 0,
                    successors: SmallVec::new(),
                    predecessors: SmallVec::new(),
                });
                self.program.nodes[node.index()].blocks.push(id);
                self.blocks.insert(block.key(), id);
            }
        }
    }

    pub(super) fn block(&mut self, block: Block<'c>, scope: ScopeId) {
        let id = self.blocks[&block.key()];
        let first = self.next();
        self.program.blocks[id.index()].first = first;
        for argument in arguments(block) {
            if is_memref(type_of(argument)) {
                let value = self.value(argument);
                // Arguments of the function are defined already.
                if self.program.values[value.index()].kind == ValueKind::Unknown {
                    self.define(value, ValueKind::Merge, id, first);
                }
                self.place_value(value, id, first);
            }
        }
        let place = Place {
            scope,
            block: id,
            mode: Mode::Flow,
        };
        for op in ops(block) {
            self.op(op, place);
        }
        self.program.blocks[id.index()].end = self.position;
    }
}
