//! Lets late uses of a buffer use another one, and undoes that.

use super::{Blocks, is_view};
use memplan_mlir::{
    build::mark,
    copy::{copy_before, substitute},
    ir::{
        Identity, Key, Op, Origin, Type, Val, ancestor_in, erase, is_unused, operands, origin,
        parent_block, results, set_type, type_of, uses,
    },
    layout::{memory_space, memory_space_of, with_memory_space},
    values::set_operand,
};
use memplan_semantics::{Semantics, attributes::RECOMPUTED};
use rustc_hash::FxHashMap;

/// Values by other ones that stand for them.
pub type Substitutes<'c> = FxHashMap<Key, Val<'c>>;

/// What was written.
#[derive(Default)]
pub struct Rewrite<'c> {
    /// Operations that were inserted, in that order.
    inserted: Vec<Op<'c>>,
    /// Operands that were changed, with the values before.
    changed: Vec<(Op<'c>, usize, Val<'c>)>,
    /// Values whose types were changed, with the types before.
    retyped: Vec<(Val<'c>, Type<'c>)>,
    /// Views of which some users now have others.
    views: Vec<Op<'c>>,
}

/// A buffer from a step on.
#[derive(Clone, Copy)]
pub struct Again<'c> {
    /// The step.
    pub before: u32,
    /// The buffer that is used from there on.
    pub value: Val<'c>,
}

impl<'c> Rewrite<'c> {
    /// Restores the function.
    pub fn undo(self) {
        for (op, operand, value) in self.changed.into_iter().rev() {
            set_operand(op, operand, value);
        }
        for (value, r#type) in self.retyped.into_iter().rev() {
            set_type(value, r#type);
        }
        self.inserted.into_iter().rev().for_each(erase);
    }

    /// Erases views that are unused now.
    pub fn keep(self) {
        // A view of a view is visited after it.
        for view in self.views.into_iter().rev() {
            if results(view).all(is_unused) {
                erase(view);
            }
        }
    }

    /// Records an operation that was inserted.
    pub fn inserted(&mut self, op: Op<'c>) {
        self.inserted.push(op);
    }

    /// Changes an operand.
    pub fn set(&mut self, op: Op<'c>, operand: usize, value: Val<'c>) {
        if let Some(before) = operands(op).nth(operand) {
            self.changed.push((op, operand, before));
            set_operand(op, operand, value);
        }
    }

    /// Changes the type of a value.
    pub fn set_type(&mut self, value: Val<'c>, r#type: Type<'c>) {
        self.retyped.push((value, type_of(value)));
        set_type(value, r#type);
    }

    /// Copies an operation.
    pub fn copy(&mut self, op: Op<'c>, before: Op<'c>) -> Option<Op<'c>> {
        let copy = copy_before(op, parent_block(before)?, before)?;
        self.inserted.push(copy);
        Some(copy)
    }

    /// The value that stands for a view; views are copied before an operation, in the memory space of what they view.
    pub fn substitute(
        &mut self,
        value: Val<'c>,
        before: Op<'c>,
        substitutes: &mut Substitutes<'c>,
        semantics: &mut Semantics,
    ) -> Option<Val<'c>> {
        // Views on the path to it that have no copy yet.
        let mut missing = Vec::new();
        let mut at = value;
        while !substitutes.contains_key(&at.key()) {
            let Some(Origin::Result(view, _)) = origin(at) else {
                return None;
            };
            let source = semantics.of(view).view_source()? as usize;
            if !is_view(view, source, semantics) {
                return None;
            }
            missing.push((view, source, at));
            at = operands(view).nth(source)?;
        }
        for (view, source, value) in missing.into_iter().rev() {
            let of = *substitutes.get(&operands(view).nth(source)?.key())?;
            let copy = self.copy(view, before)?;
            set_operand(copy, source, of);
            let result = results(copy).next()?;
            let r#type = type_of(result);
            if memory_space(r#type) != memory_space(type_of(of)) {
                set_type(
                    result,
                    with_memory_space(r#type, memory_space_of(type_of(of)))?,
                );
            }
            substitutes.insert(value.key(), result);
        }
        substitutes.get(&value.key()).copied()
    }

    /// Repeats an operation before another one: on other memory in place of views for which `is_replaced` holds.
    pub fn repeat(
        &mut self,
        op: Op<'c>,
        before: Op<'c>,
        substitutes: &mut Substitutes<'c>,
        semantics: &mut Semantics,
        is_replaced: &dyn Fn(Val<'c>, &mut Semantics) -> bool,
    ) -> Option<Op<'c>> {
        let copy = copy_before(op, parent_block(before)?, before)?;
        let mut is_found = true;
        substitute(copy, &mut |value| {
            is_replaced(value, semantics).then(|| {
                let other = self.substitute(value, copy, substitutes, semantics);
                is_found &= other.is_some();
                other
            })?
        });
        // After the views that it uses, which are erased after it.
        self.inserted(copy);
        mark(copy, RECOMPUTED);
        is_found.then_some(copy)
    }

    /// Lets uses of a buffer in a block of these steps use others, each from its step on; `again` ascends.
    pub fn replace(
        &mut self,
        value: Val<'c>,
        (blocks, block): (&Blocks<'c>, usize),
        again: &[Again<'c>],
        semantics: &mut Semantics,
    ) -> Option<()> {
        let steps = blocks.all.get(block)?;
        // The number of the new buffer that an operation uses; 0 is the old one.
        let part = |op: Op<'c>| -> usize {
            let step = ancestor_in(op, steps.block);
            let step = step.and_then(|step| blocks.step_of.get(&step.key()).copied());
            step.map_or(0, |step| again.partition_point(|one| one.before <= step))
        };
        let mut substitutes: Vec<Substitutes<'c>> = vec![Substitutes::default()];
        for one in again {
            let mut own = Substitutes::default();
            own.insert(value.key(), one.value);
            substitutes.push(own);
        }
        let (mut open, mut found) = (vec![(value, 0)], Vec::new());
        while let Some((value, own)) = open.pop() {
            for (op, operand) in uses(value) {
                let part = part(op);
                if part > own {
                    found.push((op, operand, value, part));
                }
                if is_view(op, operand, semantics) {
                    open.push((results(op).next()?, part.max(own)));
                    self.views.push(op);
                }
            }
        }
        // All views first: they are copies of what has not changed yet.
        for (_, _, value, part) in &found {
            let before = steps.steps.get(again[part - 1].before as usize)?.op;
            self.substitute(*value, before, &mut substitutes[*part], semantics)?;
        }
        for (op, operand, value, part) in found {
            let other = *substitutes[part].get(&value.key())?;
            self.set(op, operand, other);
            if is_view(op, operand, semantics) {
                self.retype(results(op).next()?, type_of(other), semantics)?;
            }
        }
        Some(())
    }

    /// Lets a view of a memref of some type be in its memory space, with all views of that view.
    pub fn retype(&mut self, view: Val<'c>, of: Type<'c>, semantics: &mut Semantics) -> Option<()> {
        if memory_space(type_of(view)) == memory_space(of) {
            return Some(());
        }
        let mut open = vec![view];
        while let Some(view) = open.pop() {
            let r#type = with_memory_space(type_of(view), memory_space_of(of))?;
            self.set_type(view, r#type);
            for (user, operand) in uses(view) {
                if is_view(user, operand, semantics) {
                    open.extend(results(user));
                }
            }
        }
        Some(())
    }
}
