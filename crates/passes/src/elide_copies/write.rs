//! Rewrites buffers as parts of others.

use super::{
    decide::Decision,
    read::{Facts, Positions, ViewCandidate, ViewKind, parent_block_of},
};
use memplan_lifetimes::{Analysis, program::Position};
use memplan_mlir::{
    copy::copy_before,
    ir::{
        Identity, Key, Op, Origin, Type, Val, blocks, erase, operands, ops, origin, parent_block,
        regions, replace_all_uses, results, set_type, type_of, uses,
    },
    strides::{broadcast_view, have_same_elements, transposed_view},
    values::{move_before, set_operand},
};
use memplan_semantics::{Retyped, Semantics};
use rustc_hash::FxHashMap;

/// Writes a decision.
pub fn write(
    analysis: &Analysis<'_>,
    facts: &Facts<'_>,
    decision: &Decision,
    positions: &Positions,
    semantics: &mut Semantics,
) {
    let mut order = Order::new(analysis, positions);
    order.raise_all(facts, decision);
    for place in decision.moves.iter().rev() {
        let one = &facts.moves[*place];
        let value = facts.buffers[one.from.index()].value;
        forget(value, semantics);
        replace(value, one.view, semantics);
        if one.copies {
            erase(one.op);
        }
        if let Some(copy) = one.begin.and_then(|begin| begin.copy) {
            erase(copy);
        }
        if let Some(Origin::Result(alloc, _)) = origin(value) {
            erase(alloc);
        }
    }
    for place in &decision.views {
        let one = &facts.view_candidates[*place];
        make_view(one, facts.buffers[one.to.index()].value, semantics);
    }
}

/// Replaces a copy by a view.
fn make_view<'c>(one: &ViewCandidate<'c>, value: Val<'c>, semantics: &mut Semantics) {
    if one.view != ViewKind::Same {
        write_copies(one.op, value, semantics);
    }
    forget(value, semantics);
    let is_read = uses(value).any(|(user, _)| user.key() != one.op.key());
    let view = is_read.then(|| match &one.view {
        ViewKind::Same => one.source,
        ViewKind::Transposed(order) => transposed_view(one.op, one.source, order),
        ViewKind::Broadcast(order) => broadcast_view(one.op, one.source, one.form, order),
    });
    erase(one.op);
    if let Some(view) = view {
        replace(value, view, semantics);
    }
    if let Some(Origin::Result(alloc, _)) = origin(value) {
        erase(alloc);
    }
}

/// Lets an operation write what is copied from its result, as a view of other strides may be slower to copy.
fn write_copies<'c>(op: Op<'c>, value: Val<'c>, semantics: &mut Semantics) {
    let Some((_, to, _)) = ViewKind::of(op, semantics) else {
        return;
    };
    let users: Vec<(Op<'c>, usize)> = uses(value).collect();
    for (user, operand) in users {
        let copy = semantics.copy(user);
        let Some(copy) = copy.filter(|copy| copy.from as usize == operand && copy.order.is_none())
        else {
            continue;
        };
        let target = operands(user).nth(copy.to as usize);
        let target = target.filter(|target| have_same_elements(type_of(*target), type_of(value)));
        if let (Some(target), Some(block)) = (target, parent_block(user))
            && let Some(again) = copy_before(op, block, user)
        {
            set_operand(again, to as usize, target);
            erase(user);
        }
    }
}

/// Erases the deallocations of a value.
pub fn forget<'c>(value: Val<'c>, semantics: &mut Semantics) {
    let frees: Vec<Op<'c>> = uses(value)
        .map(|(op, _)| op)
        .filter(|op| semantics.is_deallocation(*op))
        .collect();
    frees.into_iter().for_each(erase);
}

/// Replaces the uses of a value. Does not visit the earlier uses of the new value, which may be many.
pub fn replace<'c>(value: Val<'c>, by: Val<'c>, semantics: &mut Semantics) {
    let form = type_of(by);
    let all: Vec<(Op<'c>, usize)> = match type_of(value) == form {
        true => Vec::new(),
        false => uses(value).collect(),
    };
    replace_all_uses(value, by);
    follow(all, form, semantics);
}

/// Updates the types of views by these operations, whose source now has the type `form`.
fn follow<'c>(all: Vec<(Op<'c>, usize)>, form: Type<'c>, semantics: &mut Semantics) {
    for (op, operand) in all {
        let Retyped::Views(view) = semantics.retyped(op, operand, form) else {
            continue;
        };
        for result in results(op) {
            if type_of(result) != view {
                set_type(result, view);
                follow(uses(result).collect(), view, semantics);
            }
        }
    }
}

/// Positions of moved operations.
pub struct Order<'a, 'c> {
    analysis: &'a Analysis<'c>,
    positions: &'a Positions,
    /// The position before which each one was placed.
    moved: FxHashMap<Key, Position>,
}

impl<'a, 'c> Order<'a, 'c> {
    pub fn new(analysis: &'a Analysis<'c>, positions: &'a Positions) -> Self {
        Self {
            analysis,
            positions,
            moved: FxHashMap::default(),
        }
    }

    fn raise_all(&mut self, facts: &Facts<'c>, decision: &Decision) {
        for (place, first) in decision.moves.iter().zip(&decision.first) {
            self.raise_value(facts.moves[*place].view, *first);
        }
        for (position, first) in &decision.early {
            if let Some(op) = self.analysis.handles.op_at(*position) {
                self.raise(op, *first);
            }
        }
    }

    /// Moves the operation that defines a value, and those that it depends on, before a position, if it is later.
    pub fn raise_value(&mut self, value: Val<'c>, first: Position) {
        if let Some(Origin::Result(op, _)) = origin(value) {
            self.raise(op, first);
        }
    }

    /// Moves an operation, and those that it depends on, before a position, if it is later.
    fn raise(&mut self, op: Op<'c>, first: Position) {
        let Some(before) = self.analysis.handles.op_at(first) else {
            return;
        };
        let block = |op| parent_block(op).map(|block| block.key());
        if block(op) != block(before) {
            return;
        }
        let Some(position) = parent_block(op).and_then(|block| self.positions.in_block(op, block))
        else {
            return;
        };
        let is_there = match self.moved.get(&op.key()) {
            Some(moved) => *moved <= first,
            None => position < first,
        };
        if is_there {
            return;
        }
        for operand in operands(op) {
            self.raise_value(operand, first);
        }
        for inner in regions(op).flat_map(blocks) {
            for operand in ops(inner).flat_map(operands) {
                if parent_block_of(operand).map(|block| block.key()) == block(op) {
                    self.raise_value(operand, first);
                }
            }
        }
        move_before(op, before);
        self.moved.insert(op.key(), first);
    }
}
