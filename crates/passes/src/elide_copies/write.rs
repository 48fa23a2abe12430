//! Rewrites buffers as parts of others.

use super::{
    decide::Decision,
    read::{Facts, Positions, ViewCandidate, parent_block_of},
};
use memplan_lifetimes::{Analysis, program::Position};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Origin, Type, Val, blocks, erase, operands, ops, origin, parent_block,
        regions, replace_all_uses, results, set_type, type_of, uses,
    },
    strides::transposed_view,
    values::move_before,
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
    let mut order = Order {
        analysis,
        positions,
        moved: FxHashMap::default(),
    };
    order.raise_all(facts, decision);
    for place in decision.moves.iter().rev() {
        let one = &facts.moves[*place];
        let value = facts.buffers[one.from.index()].value;
        forget(value, semantics);
        replace(value, one.view, semantics);
        if one.copies {
            erase(one.op);
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
    let view = match &one.order {
        Some(order) => transposed_view(one.op, one.source, order),
        None => one.source,
    };
    erase(one.op);
    forget(value, semantics);
    replace(value, view, semantics);
    if let Some(Origin::Result(alloc, _)) = origin(value) {
        erase(alloc);
    }
}

/// Erases the deallocations of a value.
fn forget<'c>(value: Val<'c>, semantics: &mut Semantics) {
    let frees: Vec<Op<'c>> = uses(value)
        .map(|(op, _)| op)
        .filter(|op| semantics.is_deallocation(*op))
        .collect();
    frees.into_iter().for_each(erase);
}

/// Replaces the uses of a value. Does not visit the earlier uses of the new value, which may be many.
fn replace<'c>(value: Val<'c>, by: Val<'c>, semantics: &mut Semantics) {
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
struct Order<'a, 'c> {
    analysis: &'a Analysis<'c>,
    positions: &'a Positions,
    /// The position before which each one was placed.
    moved: FxHashMap<Key, Position>,
}

impl<'c> Order<'_, 'c> {
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

    fn raise_value(&mut self, value: Val<'c>, first: Position) {
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
