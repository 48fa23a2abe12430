//! Where an arena is allocated and freed: right before its first use and right after its last one, in the innermost
//! block that has all uses and does not repeat.

use super::{
    block_tree::BlockTree,
    plan::{Arena, Plan},
};
use memplan_lifetimes::{Analysis, program::Position};
use memplan_mlir::{
    build::Builder,
    ir::{Block, Identity, Op, parent, parent_block, terminator},
    melior::ir::operation::OperationLike,
};

/// The operations of one block around all uses of an arena.
#[derive(Clone, Copy)]
pub struct Held<'c> {
    /// The first one.
    first: Op<'c>,
    /// The last one.
    last: Op<'c>,
}

impl<'c> Held<'c> {
    /// Where the arena is allocated.
    pub fn start(&self) -> Option<Builder<'c>> {
        Builder::before(self.first, self.first.location())
    }

    /// Where it is freed. An operation that ends its block uses no bytes that it frees: they are dead then.
    pub fn end(&self) -> Option<Builder<'c>> {
        let location = self.last.location();
        let block = parent_block(self.last)?;
        match terminator(block).is_some_and(|end| end.key() == self.last.key()) {
            true => Builder::before(self.last, location),
            false => Builder::after(self.last, location),
        }
    }
}

/// Where an arena is held; `None` if that is all of its scope.
pub fn held<'c>(
    analysis: &Analysis<'c>,
    tree: &BlockTree<'_>,
    plan: &Plan,
    arena: &Arena,
) -> Option<Held<'c>> {
    if arena.dynamic.is_some() {
        return None;
    }
    let uses = uses(analysis, plan, arena)?;
    let (block, _) = tree.around(arena.scope, uses)?;
    let fact = &analysis.program.blocks[block.index()];
    let ops = &analysis.handles.ops;
    let at = |position: Position| ops.partition_point(|(other, _)| *other < position);
    let start = ops.get(at(fact.first))?.1;
    let block = parent_block(start)?;
    let last = ops.get(at(uses.1 + 1).checked_sub(1)?)?.1;
    let first = match uses.0 == fact.first {
        true => start,
        false => in_block(ops.get(at(uses.0 + 1).checked_sub(1)?)?.1, block)?,
    };
    Some(Held {
        first,
        last: in_block(last, block)?,
    })
}

/// The positions at which an arena is held, half-open.
pub fn held_positions(
    analysis: &Analysis<'_>,
    tree: &BlockTree<'_>,
    plan: &Plan,
    arena: &Arena,
) -> (u64, u64) {
    let program = &analysis.program;
    let uses = uses(analysis, plan, arena).unwrap_or((0, 0));
    let body = &program.nodes[program.scopes[arena.scope.index()].body.index()];
    let (first, last) = match tree.around(arena.scope, uses) {
        Some((_, span)) => span,
        None => (body.start, body.end),
    };
    (u64::from(first), u64::from(last) + 1)
}

/// Positions from the first allocation or use in an arena to the last one, both included.
fn uses(analysis: &Analysis<'_>, plan: &Plan, arena: &Arena) -> Option<(Position, Position)> {
    let ranges = arena.slices.iter().flat_map(|slice| {
        let own = analysis.plannable.get(slice.plannable);
        let made = own.map(|own| analysis.program.buffers[own.buffer.index()].position);
        let live = plan.live(analysis, slice).iter();
        let live = live.map(|(first, end)| (*first, end - 1));
        live.chain(made.map(|made| (made, made)))
    });
    ranges.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// The operation of `block` that is or contains `op`.
fn in_block<'c>(op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    let mut op = op;
    while parent_block(op)?.key() != block.key() {
        op = parent(op)?;
    }
    Some(op)
}
