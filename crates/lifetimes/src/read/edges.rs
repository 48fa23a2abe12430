//! Where control and values go at the end of a block.

use super::{Mode, Place, Reader};
use crate::{
    asynchronous::Source,
    program::{Position, Successor, UseKind, ValueId},
    reason::Reason,
};
use memplan_mlir::{
    flow::{self, RegionEdge},
    ir::{
        Block, Identity, Op, Val, arguments, blocks, is_memref, parent_block, regions, results,
        successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::NameInfo,
};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    pub(super) fn terminator(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        place: Place,
        position: Position,
    ) {
        let memrefs = self.memref_operands(op);
        let node = self.program.blocks[place.block.index()].node;
        if op.successor_count() > 0 {
            for memref in &memrefs {
                self.uses(*memref, place, position, UseKind::Forward);
            }
            for (index, successor) in successors(op).enumerate() {
                self.branch(op, info, (index, successor), place, &memrefs);
            }
            if regions(op).next().is_some() {
                let mode = Mode::Escape(Reason::UnknownEffects);
                self.nested(op, Place { mode, ..place });
            }
            return;
        }
        if self.program.nodes[node.index()].parent.is_none() {
            self.handles.exits[place.scope.index()].push(op);
            self.leave(op, place, position, &memrefs);
            return;
        }
        if self.semantics.is_never_left(op) {
            return;
        }
        // Whoever opened the node has made sure that the edges are known.
        for memref in &memrefs {
            self.uses(*memref, place, position, UseKind::Forward);
        }
        let edges = flow::terminator_edges(op).unwrap_or_default();
        if let Some(parent) = memplan_mlir::ir::parent(op) {
            for successor in self.region_edges(parent, Source::Block(place.block), &edges) {
                let successors = &mut self.program.blocks[place.block.index()].successors;
                if !successors.contains(&successor) {
                    successors.push(successor);
                }
            }
        }
    }

    /// A terminator that leaves the scope.
    pub(super) fn leave(
        &mut self,
        op: Op<'c>,
        place: Place,
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
        // What a terminator such as scf.reduce does inside happens after the scope's arena is freed.
        if regions(op).next().is_some() {
            let nested = Place {
                mode: Mode::Escape(Reason::UsedByTerminator),
                ..place
            };
            self.nested(op, nested);
        }
    }

    pub(super) fn branch(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        (index, block): (usize, Block<'c>),
        place: Place,
        memrefs: &[ValueId],
    ) {
        let Some(target) = self.blocks.get(&block.key()).copied() else {
            return;
        };
        let successors = &mut self.program.blocks[place.block.index()].successors;
        if !successors.contains(&Successor::Block(target)) {
            successors.push(Successor::Block(target));
        }
        let branch = if info.is_branch() {
            flow::branch_operands(op, index)
        } else {
            None
        };
        let (produced, values) = match &branch {
            Some(branch) => (branch.produced, branch.forwarded.as_slice()),
            None => (0, &[][..]),
        };
        self.hand_over_to_block(
            Source::Block(place.block),
            (block, target),
            produced,
            values,
        );
        for (at, argument) in arguments(block).enumerate() {
            if !is_memref(type_of(argument)) {
                continue;
            }
            let argument = self.value(argument);
            let forwarded = branch.as_ref().and_then(|branch| {
                let at = at.checked_sub(branch.produced)?;
                branch.forwarded.get(at).copied()
            });
            match forwarded {
                Some(value) if is_memref(type_of(value)) => {
                    let value = self.value(value);
                    self.source(argument, value);
                }
                _ => self.external(argument),
            }
        }
        if branch.is_none() {
            for memref in memrefs {
                self.escape(*memref, Reason::UnknownEffects);
            }
        }
    }

    /// Connects the values of region edges, and returns where control goes.
    pub(super) fn region_edges(
        &mut self,
        parent: Op<'c>,
        source: Source,
        edges: &[RegionEdge<'c>],
    ) -> SmallVec<[Successor; 2]> {
        let mut successors = SmallVec::new();
        for edge in edges {
            let entry = edge
                .region
                .and_then(|index| regions(parent).nth(index))
                .and_then(|region| blocks(region).next());
            let targets: SmallVec<[Val<'c>; 4]> = match (edge.region, entry) {
                (None, _) => results(parent).collect(),
                (Some(_), Some(block)) => arguments(block).collect(),
                // An empty region: control comes straight back.
                (Some(_), None) => SmallVec::new(),
            };
            let successor = entry.map_or(Successor::Exit, |block| {
                Successor::Block(self.blocks[&block.key()])
            });
            successors.push(successor);
            self.hand_over(source, successor, targets.iter().copied(), &edge.values);
            for target in targets {
                if !is_memref(type_of(target)) {
                    continue;
                }
                let from = edge.values.iter().find(|(_, to)| *to == target);
                let target = self.value(target);
                match from {
                    Some((from, _)) if is_memref(type_of(*from)) => {
                        let from = self.value(*from);
                        self.source(target, from);
                    }
                    _ => self.external(target),
                }
            }
        }
        successors
    }
}

/// True for the last operation of its block. One that is not registered may be a terminator there.
pub(super) fn is_last(op: Op<'_>) -> bool {
    parent_block(op)
        .and_then(terminator)
        .is_some_and(|last| last.key() == op.key())
}
