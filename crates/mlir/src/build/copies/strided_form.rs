//! Shape and strided layout of a memref type, and whether a copy can have the same layout.

use super::{DYNAMIC, Problem};
use crate::ir::Type;
use melior::ir::{ShapedTypeLike, TypeLike, r#type::MemRefType};
use smallvec::SmallVec;

/// The shape and layout of a ranked memref, in elements; dynamic parts are `None`.
pub(super) struct StridedForm {
    pub(super) sizes: SmallVec<[Option<i64>; 4]>,
    pub(super) strides: SmallVec<[Option<i64>; 4]>,
    pub(super) offset: Option<i64>,
}

impl StridedForm {
    /// The form of a ranked memref type.
    pub(super) fn of(memref: Type<'_>) -> Result<Self, Problem> {
        let rank = MemRefType::try_from(memref)
            .map_err(|_| Problem::Shape)?
            .rank();
        let raw = memref.to_raw();
        let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(0, rank);
        let mut offset = 0;
        // SAFETY: a live memref type of this rank; `strides` has as many entries.
        let sizes: SmallVec<[Option<i64>; 4]> = unsafe {
            let out = strides.as_mut_ptr();
            let is_strided = mlir_sys::mlirMemRefTypeGetStridesAndOffset(raw, out, &raw mut offset);
            if is_strided.value == 0 {
                return Err(Problem::Strides);
            }
            (0..rank as isize)
                .map(|at| match mlir_sys::mlirShapedTypeIsDynamicDim(raw, at) {
                    true => None,
                    false => Some(mlir_sys::mlirShapedTypeGetDimSize(raw, at)),
                })
                .collect()
        };
        let static_part = |number: i64| (number != DYNAMIC).then_some(number);
        let form = Self {
            sizes,
            strides: strides.into_iter().map(static_part).collect(),
            offset: static_part(offset),
        };
        let is_forward = |number: &Option<i64>| number.is_none_or(|number| number >= 0);
        if !form.strides.iter().all(is_forward) || !is_forward(&form.offset) {
            return Err(Problem::Strides);
        }
        if !crate::layout::has_identity_layout(memref) && form.static_length().is_none() {
            return Err(Problem::Size);
        }
        Ok(form)
    }

    /// Is a stride or the offset dynamic?
    pub(super) fn has_dynamic_layout(&self) -> bool {
        self.offset.is_none() || self.strides.contains(&None)
    }

    /// Are all static strides and the static offset of this form also static and equal in `source`?
    pub(super) fn matches_layout_of(&self, source: &Self) -> bool {
        let agree = |one: &Option<i64>, other: &Option<i64>| one.is_none() || one == other;
        let mut strides = self.strides.iter().zip(&source.strides);
        strides.all(|(one, other)| agree(one, other)) && agree(&self.offset, &source.offset)
    }

    /// Can both be the shape of one memref?
    pub(super) fn has_shape_of(&self, other: &Self) -> bool {
        let mut sizes = self.sizes.iter().zip(&other.sizes);
        self.sizes.len() == other.sizes.len()
            && sizes.all(|(one, other)| one.is_none() || other.is_none() || one == other)
    }

    /// Number of elements spanned, with dynamic sizes counted as 1 and dynamic strides as 0. `None` on overflow.
    fn static_length(&self) -> Option<i64> {
        let mut span = 1_i64;
        for (size, stride) in self.sizes.iter().zip(&self.strides) {
            let beyond = (size.unwrap_or(1) - 1).max(0);
            span = span.checked_add(beyond.checked_mul(stride.unwrap_or(0))?)?;
        }
        span.checked_add(self.offset.unwrap_or(0))
    }
}
