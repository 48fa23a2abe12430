//! Views of memory, step by step.

use super::{
    Reader,
    shapes::{Shape, elements},
};
use crate::op_effects::{OUTSIDE, Root, argument_of};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{
        Identity, Op, Origin as ValueOrigin, Val, is_memref, operands, origin, parent_block,
        results, type_of,
    },
};
use memplan_semantics::{Number, Slice, ViewStep};
use memplan_strips::{
    program::{BufferId, Origin, ViewId},
    views::{Groups, Step},
};
use smallvec::SmallVec;

impl<'c> Reader<'_, 'c> {
    /// The buffer that a memref is a view of, if that is known.
    pub(super) fn followed(&mut self, memref: Val<'c>) -> Option<(BufferId, ViewId)> {
        if let Some(known) = self.seen.get(&memref.key()) {
            return Some(*known);
        }
        self.shape(memref)?;
        match self.effects.roots_of(memref)[..] {
            [OUTSIDE] => self.follow_unnamed(memref),
            [root] if argument_of(root).is_some() => {
                self.buffer_of(root);
                if !self.seen.contains_key(&memref.key()) {
                    self.view_elsewhere(memref);
                }
            }
            [root] => self.follow_outside(memref, root),
            _ => {}
        }
        self.seen.get(&memref.key()).copied()
    }

    fn follow_unnamed(&mut self, memref: Val<'c>) {
        if !self.view_elsewhere(memref) {
            self.add(Some(memref), Origin::Outside, 0, 1);
        }
    }

    /// Follows a view that another block has. Returns whether the value is one.
    fn view_elsewhere(&mut self, memref: Val<'c>) -> bool {
        match origin(memref) {
            Some(ValueOrigin::Result(op, 0)) if parent_block(op) != Some(self.block) => {
                self.view(op)
            }
            _ => false,
        }
    }

    /// Follows a view of memory that another block allocates. Where its place is known only at run time, the first such view
    /// stands for all of the memory; what sees that otherwise is not followed then.
    fn follow_outside(&mut self, memref: Val<'c>, root: Root) {
        let (Some(allocation), Some(ValueOrigin::Result(op, _))) =
            (self.allocation(root), origin(memref))
        else {
            return;
        };
        if parent_block(allocation) == Some(self.block) {
            return;
        }
        if op.key() == allocation.key() {
            self.buffer_of(root);
        } else if !self.view(op) && !self.roots.contains_key(&root) && self.is_part(memref, root) {
            let id = self.add(Some(memref), Origin::Outside, 0, 1);
            self.roots.insert(root, id);
        }
    }

    /// Whether a memref has elements of an allocation, each at most once.
    fn is_part(&mut self, memref: Val<'c>, root: Root) -> bool {
        let Some(allocation) = self.allocation(root) else {
            return false;
        };
        let mut at = memref;
        loop {
            let Some(ValueOrigin::Result(op, _)) = origin(at) else {
                return false;
            };
            if op.key() == allocation.key() {
                return true;
            }
            let is_apart = match self.semantics.view_step(op) {
                Some(ViewStep::Slice(slice)) => {
                    let mut strides = slice.strides.iter();
                    strides.all(|stride| stride.constant().is_some_and(|stride| stride > 0))
                }
                step => step.is_some(),
            };
            let Some(source) = operands(op).next().filter(|_| is_apart) else {
                return false;
            };
            at = source;
        }
    }

    /// Follows a view. Returns whether the operation is one.
    pub(super) fn view(&mut self, op: Op<'c>) -> bool {
        let (Some(source), Some(result)) = (operands(op).next(), results(op).next()) else {
            return false;
        };
        if !is_memref(type_of(source)) || !is_memref(type_of(result)) {
            return false;
        }
        let Some(step) = self.semantics.view_step(op) else {
            return false;
        };
        let (Some(from), Some(to)) = (self.shape(source), self.shape(result)) else {
            return false;
        };
        let Some(step) = known_step(op, &step, (&from, &to)) else {
            return false;
        };
        let Some((buffer, view)) = self.followed(source) else {
            return false;
        };
        let mut seen = self.reading.program.views[view.index()].clone();
        let is_part = matches!(step, Some(Step::Part { .. }));
        seen.is_whole &= !is_part || elements(&from) == elements(&to);
        add(step, &mut seen.steps);
        let mut through = self.reading.views[view.index()].clone();
        through.push(op);
        let id = ViewId::new(self.reading.program.views.len());
        self.reading.program.views.push(seen);
        self.reading.views.push(through);
        self.reading.viewed.push(buffer);
        self.seen.insert(result.key(), (buffer, id));
        true
    }
}

/// A step between memrefs of static sizes: `Some(None)` if it changes nothing, `None` if it is not known.
#[expect(
    clippy::option_option,
    reason = "a step that is known may change nothing"
)]
fn known_step(
    op: Op<'_>,
    step: &ViewStep<'_>,
    (source, result): (&Shape, &Shape),
) -> Option<Option<Step>> {
    let groups = |groups: &[Vec<u32>], shape: &[i64]| Groups {
        groups: groups
            .iter()
            .map(|group| SmallVec::from_slice(group))
            .collect(),
        shape: SmallVec::from_slice(shape),
    };
    Some(match step {
        ViewStep::Same => None,
        ViewStep::Permuted(order) => Some(Step::Transpose {
            order: SmallVec::from_slice(order),
        }),
        ViewStep::Divided(all) => Some(Step::Expand(groups(all, result))),
        ViewStep::Merged(all) => Some(Step::Collapse(groups(all, source))),
        ViewStep::Slice(slice) => Some(part(op, slice, result)?),
    })
}

/// Adds a step. One that undoes the last one leaves neither.
fn add(step: Option<Step>, steps: &mut Vec<Step>) {
    match (&step, steps.last()) {
        (Some(Step::Collapse(groups)), Some(Step::Expand(last)))
        | (Some(Step::Expand(groups)), Some(Step::Collapse(last)))
            if groups == last =>
        {
            steps.pop();
        }
        _ => steps.extend(step),
    }
}

/// A slice with known offsets, sizes and strides, of which dimensions of one element may be left out.
fn part(op: Op<'_>, slice: &Slice<'_>, result: &Shape) -> Option<Step> {
    let known = |numbers: &[Number<'_>]| -> Option<Shape> {
        numbers.iter().map(|number| number.constant()).collect()
    };
    let mut next = 0;
    let becomes = dropped_dimensions(op, slice.sizes.len())?.into_iter();
    let becomes = becomes.map(|is_dropped| {
        let kept = (!is_dropped).then_some(next);
        next += u32::from(!is_dropped);
        kept
    });
    let becomes: SmallVec<[Option<u32>; 4]> = becomes.collect();
    let size = |to: &Option<u32>| to.map_or(Some(1), |to| result.get(to as usize).copied());
    let sizes: Shape = becomes.iter().map(size).collect::<Option<_>>()?;
    Some(Step::Part {
        becomes,
        offsets: known(&slice.offsets)?,
        strides: known(&slice.strides)?,
        sizes,
    })
}
