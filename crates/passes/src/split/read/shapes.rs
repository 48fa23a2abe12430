//! Shapes of memrefs, as far as they are known.

use memplan_mlir::{
    ir::{Type, Val, type_of},
    layout::{rank, static_dimension},
};
use memplan_semantics::Semantics;
use smallvec::SmallVec;

/// Most elements of a memref that is followed, so that sums and products of its rows fit.
const MOST_ELEMENTS: i64 = 1 << 48;

/// Sizes of the dimensions of a memref.
pub type Shape = SmallVec<[i64; 4]>;

/// What is known of the shapes of memrefs.
pub trait MemrefShapes<'c> {
    /// The shape of a memref, if it is known.
    fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Shape>;

    /// A loop's number of iterations that its operation does not say: `sizes` are those of the dimensions that it walks along.
    fn extent(&self, sizes: &[Option<i64>]) -> Option<i64>;
}

/// Shapes whose sizes are all static.
pub struct StaticShapes;

impl<'c> MemrefShapes<'c> for StaticShapes {
    fn shape(&mut self, memref: Val<'c>, _: &mut Semantics) -> Option<Shape> {
        shape_with(type_of(memref), None)
    }

    fn extent(&self, _: &[Option<i64>]) -> Option<i64> {
        None
    }
}

/// The shape of a memref with `dynamic` in place of sizes that are not static, if there is one, unless it is too large.
pub fn shape_with(r#type: Type<'_>, dynamic: Option<i64>) -> Option<Shape> {
    let rank = i64::try_from(rank(r#type)?).ok()?;
    let shape = (0..rank).map(|at| static_dimension(r#type, at).or(dynamic));
    let shape: Shape = shape.collect::<Option<_>>()?;
    let sizes = shape.iter().map(|size| (*size).max(1));
    let count = sizes.fold(1_i64, i64::saturating_mul);
    (count <= MOST_ELEMENTS).then_some(shape)
}

/// The number of elements of a memref.
pub(super) fn elements(shape: &Shape) -> Option<i64> {
    let mut sizes = shape.iter();
    sizes.try_fold(1_i64, |count, size| count.checked_mul(*size))
}
