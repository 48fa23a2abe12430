//! Shapes of memrefs of which one size is a number of items that is known only at run time, such as a batch.

use super::read::{MemrefShapes, Shape, shape_with};
use crate::shapes::{Product, Shapes};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{Identity, Key, Op, Origin, Val, operands, origin, type_of},
    layout::{dynamic_dimensions, static_dimension},
};
use memplan_semantics::{Number, Semantics, ViewStep};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Stands for the number of items. No size is the same: shapes with such a static size are not known.
pub const ITEMS: i64 = 65_521;

/// Shapes with one number of items.
pub struct ItemShapes {
    numbers: Shapes,
    /// The number of items.
    items: Product,
    known: FxHashMap<Key, Option<Shape>>,
}

impl ItemShapes {
    /// For the dimension `dimension` of a memref.
    pub fn of(memref: Val<'_>, dimension: usize, semantics: &mut Semantics) -> Option<Self> {
        let mut numbers = Shapes::default();
        let dynamic = dynamic_dimensions(type_of(memref));
        let place = dynamic.iter().position(|one| *one == dimension)?;
        let items = numbers.dimensions(memref, semantics).swap_remove(place);
        Some(Self {
            numbers,
            items,
            known: FxHashMap::default(),
        })
    }

    fn compute(&mut self, memref: Val<'_>, semantics: &mut Semantics) -> Option<Shape> {
        let r#type = type_of(memref);
        let shape = shape_with(r#type, Some(ITEMS))?;
        let is_static = |at: usize| static_dimension(r#type, at as i64).is_some();
        if (0..shape.len()).any(|at| is_static(at) && shape[at] == ITEMS) {
            return None;
        }
        if (0..shape.len()).all(is_static) {
            return Some(shape);
        }
        let view = match origin(memref) {
            Some(Origin::Result(op, 0)) => semantics.view_step(op).map(|step| (op, step)),
            _ => None,
        };
        let is_known = match view {
            Some((op, step)) => self.viewed(op, &step, &shape, semantics)?,
            None => {
                let sizes = self.numbers.dimensions(memref, semantics);
                sizes.iter().all(|size| *size == self.items)
            }
        };
        is_known.then_some(shape)
    }

    /// Whether each size of a view that is not static is the number of items.
    fn viewed(
        &mut self,
        op: Op<'_>,
        step: &ViewStep<'_>,
        shape: &Shape,
        semantics: &mut Semantics,
    ) -> Option<bool> {
        let source = self.shape_of(operands(op).next()?, semantics)?;
        // A group with all items has nothing else.
        let is_group = |one: i64, group: &[u32], many: &Shape| {
            let sizes = group.iter().map(|at| many[*at as usize]);
            let sizes: SmallVec<[i64; 4]> = sizes.filter(|size| *size != 1).collect();
            match one == ITEMS || sizes.contains(&ITEMS) {
                true => one == ITEMS && sizes[..] == [ITEMS],
                false => true,
            }
        };
        Some(match step {
            ViewStep::Same => source == *shape,
            ViewStep::Permuted(order) => order
                .iter()
                .zip(shape)
                .all(|(from, size)| source[*from as usize] == *size),
            ViewStep::Divided(groups) => groups
                .iter()
                .zip(&source)
                .all(|(group, one)| is_group(*one, group, shape)),
            ViewStep::Merged(groups) => groups
                .iter()
                .zip(shape)
                .all(|(group, one)| is_group(*one, group, &source)),
            ViewStep::Slice(slice) => {
                let dropped = dropped_dimensions(op, slice.sizes.len())?;
                let mut sizes = shape.iter();
                let mut is_known = true;
                for (at, is_dropped) in dropped.into_iter().enumerate() {
                    if is_dropped || *sizes.next()? != ITEMS {
                        continue;
                    }
                    let count = match slice.sizes[at] {
                        Number::Value(count) => self.numbers.product(count, semantics),
                        Number::Constant(_) => return None,
                    };
                    is_known &= count == self.items
                        && source[at] == ITEMS
                        && slice.offsets[at].constant() == Some(0)
                        && slice.strides[at].constant() == Some(1);
                }
                is_known
            }
        })
    }

    fn shape_of(&mut self, memref: Val<'_>, semantics: &mut Semantics) -> Option<Shape> {
        if let Some(known) = self.known.get(&memref.key()) {
            return known.clone();
        }
        let shape = self.compute(memref, semantics);
        self.known.insert(memref.key(), shape.clone());
        shape
    }
}

impl<'c> MemrefShapes<'c> for ItemShapes {
    fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Shape> {
        self.shape_of(memref, semantics)
    }

    fn extent(&self, sizes: &[Option<i64>]) -> Option<i64> {
        let is_known = !sizes.is_empty() && sizes.iter().all(|size| *size == Some(ITEMS));
        is_known.then_some(ITEMS)
    }
}
