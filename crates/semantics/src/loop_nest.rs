//! The loops that an operation stands for, and how views arrange dimensions.

use crate::{
    semantics::Semantics,
    slice::Slice,
    statement::{Arrangement, Part},
};
use memplan_mlir::{
    affine::permutation,
    build::{groups_of_integers, integer},
    ir::{Op, is_memref, operands, type_of},
    layout::{rank, static_dimension},
    structured_ops::{self, IndexedOperand, LinearIndex, LoopNest, NestedLoop},
};
use smallvec::{SmallVec, smallvec};

/// What a view has of its source, operand 0.
#[derive(Clone, Debug)]
pub enum ViewStep<'c> {
    /// The same dimensions.
    Same,
    /// A part.
    Slice(Slice<'c>),
    /// Dimension i of the view is this one of the source.
    Permuted(Vec<u32>),
    /// Each dimension of the source is divided into these of the view.
    Divided(Vec<Vec<u32>>),
    /// Each dimension of the view is merged from these of the source.
    Merged(Vec<Vec<u32>>),
}

impl Semantics {
    /// What the result of `op` has of operand 0, if it is a view of whole elements in known places.
    pub fn view_step<'c>(&mut self, op: Op<'c>) -> Option<ViewStep<'c>> {
        match self.part(op)? {
            Part::Slice => self.slice(op).map(ViewStep::Slice),
            Part::All(Arrangement::Same) => Some(ViewStep::Same),
            Part::All(Arrangement::Permuted(map)) => permutation(op, map).map(ViewStep::Permuted),
            Part::All(Arrangement::Divided(groups)) => {
                groups_of_integers(op, groups).map(ViewStep::Divided)
            }
            Part::All(Arrangement::Merged(groups)) => {
                groups_of_integers(op, groups).map(ViewStep::Merged)
            }
        }
    }

    /// The number of the loop, of the operation around `op`, whose iteration its result is.
    pub fn loop_index(&mut self, op: Op<'_>) -> Option<u32> {
        let attribute = self.facts(op).table.loop_index?;
        u32::try_from(integer(op, attribute)?).ok()
    }

    /// The loops that `op` stands for, if it accesses its memrefs by indices that are linear in them: a structured
    /// operation, or a copy.
    pub(crate) fn loop_nest(&mut self, op: Op<'_>) -> Option<LoopNest> {
        if self.facts(op).table.is_structured {
            return structured_ops::loop_nest(op);
        }
        let copy = self.copy(op)?;
        let mut nest = LoopNest::default();
        let from = operands(op).nth(copy.from as usize).map(type_of)?;
        let dimensions = rank(from).filter(|_| is_memref(from))?;
        let order: Vec<usize> = match &copy.order {
            None => (0..dimensions).collect(),
            Some(order) => order.iter().map(|from| *from as usize).collect(),
        };
        for at in &order {
            let size = static_dimension(from, i64::try_from(*at).ok()?);
            nest.loops.push(NestedLoop {
                extent: size.and_then(|size| u64::try_from(size).ok()),
                is_parallel: true,
            });
        }
        let of_loop = |number: usize| LinearIndex {
            terms: smallvec![(number as u32, 1)],
            constant: 0,
        };
        let mut read: SmallVec<[LinearIndex; 4]> = smallvec![LinearIndex::default(); dimensions];
        for (number, at) in order.iter().enumerate() {
            *read.get_mut(*at)? = of_loop(number);
        }
        nest.operands.push(IndexedOperand {
            operand: copy.from,
            reads: true,
            writes: false,
            indices: read,
        });
        nest.operands.push(IndexedOperand {
            operand: copy.to,
            reads: false,
            writes: true,
            indices: (0..dimensions).map(of_loop).collect(),
        });
        Some(nest)
    }
}
