//! Where an arena is allocated and freed: right before its first use and right after its last one, in the innermost
//! block that has all uses and does not repeat, or in one block before and one after all uses. An arena of one iteration is allocated and freed in each iteration.

use super::{
    block_tree::BlockTree,
    plan::{Arena, Plan},
};
use memplan_lifetimes::{
    Analysis,
    program::{BlockId, Position},
};
use memplan_mlir::{
    build::Builder,
    ir::{Identity, Op, ancestor_in, parent_block, terminator},
    melior::ir::{BlockLike, operation::OperationLike},
};

/// Where an arena is allocated and freed.
#[derive(Clone, Copy)]
pub struct Held<'c> {
    /// It is allocated before this operation.
    start: Op<'c>,
    end: End<'c>,
}

/// Where an arena is freed.
#[derive(Clone, Copy)]
enum End<'c> {
    Before(Op<'c>),
    After(Op<'c>),
}

impl<'c> Held<'c> {
    /// Where the arena is allocated.
    pub fn start(&self) -> Option<Builder<'c>> {
        Builder::before(self.start, self.start.location())
    }

    /// Where it is freed.
    pub fn end(&self) -> Option<Builder<'c>> {
        match self.end {
            End::Before(op) => Builder::before(op, op.location()),
            End::After(op) => Builder::after(op, op.location()),
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
    let around = tree.around(arena.scope, uses, arena.is_of_iteration)?;
    let ops = &analysis.handles.ops;
    let fact = |block: BlockId| &analysis.program.blocks[block.index()];
    let at = |position: Position| ops.partition_point(|(other, _)| *other < position);
    let first_of = |block: BlockId| ops.get(at(fact(block).first)).map(|(_, op)| *op);
    let op_at = |position: Position| Some(ops.get(at(position + 1).checked_sub(1)?)?.1);
    let ((first, from), (last, to)) = (around.start, around.end);
    let (start, end) = (first_of(first)?, first_of(last)?);
    let (first_block, last_block) = (parent_block(start)?, parent_block(end)?);
    // A value is visible in blocks of the same region.
    if first_block.parent_region() != last_block.parent_region() {
        return None;
    }
    let start = match from == fact(first).first {
        true => start,
        false => ancestor_in(op_at(from)?, first_block)?,
    };
    let end = match to == fact(last).first {
        true => End::Before(end),
        false => {
            let op = ancestor_in(op_at(to)?, last_block)?;
            // An operation that ends its block uses no bytes that are freed before it: they are dead then.
            match terminator(last_block).is_some_and(|end| end.key() == op.key()) {
                true => End::Before(op),
                false => End::After(op),
            }
        }
    };
    Some(Held { start, end })
}

/// The positions at which an arena is held, half-open.
pub fn held_positions(
    analysis: &Analysis<'_>,
    tree: &BlockTree<'_>,
    plan: &Plan,
    arena: &Arena,
) -> (u64, u64) {
    let program = &analysis.program;
    let body = &program.nodes[program.scopes[arena.scope.index()].body.index()];
    if let Some(part) = &arena.dynamic {
        let (first, end) = part.range;
        return (first.max(body.start).into(), end.min(body.end + 1).into());
    }
    let uses = uses(analysis, plan, arena).unwrap_or((0, 0));
    let (first, last) = match tree.around(arena.scope, uses, arena.is_of_iteration) {
        Some(around) => around.span,
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
