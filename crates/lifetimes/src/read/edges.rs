//! Control-flow edges, and the values that they forward.

use super::{LifetimeReader, Mode, OpContext};
use crate::{
    Reason,
    asynchronous::Source,
    program::{Position, Successor, UseKind, ValueId},
};
use memplan_mlir::{
    ir::{Identity, Op, is_memref, operands, regions, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::graph::{ControlGraph, End, SegmentId, Sources, Taken};
use smallvec::SmallVec;

impl<'c> LifetimeReader<'c, '_> {
    /// The operation that ends a block.
    pub(super) fn terminator(
        &mut self,
        graph: &ControlGraph<'c>,
        at: SegmentId,
        op: Op<'c>,
        place: OpContext,
        position: Position,
    ) {
        let memrefs = self.memref_operands(op);
        let node = self.program.blocks[place.block.index()].node;
        let is_branch = op.successor_count() > 0;
        if !is_branch && self.program.nodes[node.index()].parent.is_none() {
            self.handles.exits[place.scope.index()].push(op);
            self.leave(op, place, position, &memrefs);
            return;
        }
        if matches!(graph.segments[at].end, End::NeverLeft(_)) {
            return;
        }
        // If it is not a branch, the edges are known: the node is followed only then.
        for memref in &memrefs {
            self.uses(*memref, place, position, UseKind::Forward);
        }
        for successor in self.edges(graph, at, Source::Block(place.block)) {
            let successors = &mut self.program.blocks[place.block.index()].successors;
            if !successors.contains(&successor) {
                successors.push(successor);
            }
        }
        if graph.edges_from(at).any(|edge| !edge.forwards_known) {
            for memref in memrefs {
                self.escape(memref, Reason::UnknownEffects);
            }
        }
        if is_branch && regions(op).next().is_some() {
            let mode = Mode::Escape(Reason::UnknownEffects);
            self.nested(op, OpContext { mode, ..place });
        }
    }

    /// A terminator that leaves its scope.
    pub(super) fn leave(
        &mut self,
        op: Op<'c>,
        place: OpContext,
        position: Position,
        memrefs: &SmallVec<[ValueId; 4]>,
    ) {
        self.program.blocks[place.block.index()]
            .successors
            .push(Successor::Exit);
        let is_function = self.program.scopes[place.scope.index()].outer.is_none();
        for memref in memrefs {
            self.uses(*memref, place, position, UseKind::Touch);
            self.escape(
                *memref,
                if is_function {
                    Reason::Returned
                } else {
                    Reason::UsedByTerminator
                },
            );
        }
        if is_function {
            for (number, operand) in (0_u32..).zip(operands(op)) {
                if is_memref(type_of(operand)) {
                    let value = self.value(operand);
                    self.program.returned.push((number, value));
                }
            }
        }
        // The regions of a terminator such as scf.reduce execute after the scope's arena is freed.
        if regions(op).next().is_some() {
            let nested = OpContext {
                mode: Mode::Escape(Reason::UsedByTerminator),
                ..place
            };
            self.nested(op, nested);
        }
    }

    /// Connects the forwarded values of the edges out of a segment, and returns the destinations. Ignores edges that
    /// are never taken.
    pub(super) fn edges(
        &mut self,
        graph: &ControlGraph<'c>,
        from: SegmentId,
        source: Source,
    ) -> SmallVec<[Successor; 2]> {
        let mut successors = SmallVec::new();
        let taken = graph.edges_from(from);
        for edge in taken.filter(|edge| edge.taken != Taken::Never) {
            let (Some(to), values) = (edge.to, graph.values(edge)) else {
                continue;
            };
            let segment = &graph.segments[to];
            let successor = match segment.after {
                Some(_) => Successor::Exit,
                None => Successor::Block(self.blocks[&graph.blocks[segment.block].block.key()]),
            };
            successors.push(successor);
            let targets = graph.targets(to);
            self.forward_handles(source, successor, targets.iter().copied(), values);
            let mut sources = Sources::of(values);
            for target in targets {
                if !is_memref(type_of(target)) {
                    continue;
                }
                let from = sources.of_target(target);
                let target = self.value(target);
                match from.filter(|from| is_memref(type_of(*from))) {
                    Some(from) => {
                        let from = self.value(from);
                        self.source(target, from);
                    }
                    None => self.external(target),
                }
            }
        }
        successors
    }
}
