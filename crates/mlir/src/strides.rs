//! Memrefs with other strides: the types of their views, and transposed views.

use crate::{
    ffi,
    ir::{Op, Type, Val, changes, parent_block, value_from_raw},
    layout::{element_count, rank, static_dimension},
};
use melior::ir::{TypeLike, ValueLike};

/// The result type of a view like `memref.subview` if its source had type `source`, which has the same shape and
/// element type as the actual source. `None` if there is no such view.
pub fn sliced_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: live handles; null stands for `None`.
    unsafe { Type::from_option_raw(ffi::memplanSlicedType(view.to_raw(), source.to_raw())) }
}

/// As [`sliced_type`], for a view like `memref.expand_shape`.
pub fn expanded_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanExpandedType(view.to_raw(), source.to_raw())) }
}

/// As [`sliced_type`], for a view like `memref.collapse_shape`.
pub fn collapsed_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanCollapsedType(view.to_raw(), source.to_raw())) }
}

/// As [`sliced_type`], for a view like `memref.cast`. It is the view's own type if that leaves open all that differs.
pub fn cast_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanCastType(view.to_raw(), source.to_raw())) }
}

/// As [`sliced_type`], for a view like `memref.transpose`.
pub fn transposed_view_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe {
        Type::from_option_raw(ffi::memplanTransposedViewType(
            view.to_raw(),
            source.to_raw(),
        ))
    }
}

/// Has the last dimension of a memref stride 1?
pub fn is_last_dim_unit_stride(memref: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsLastDimUnitStride(memref.to_raw()) }
}

/// The elements that a memref type of static sizes, strides and offset spans, as a half-open range that is counted from the
/// start of its memory. `None` for other types, and without elements.
pub fn element_range(memref: Type<'_>) -> Option<(i64, i64)> {
    let (mut start, mut end) = (0, 0);
    // SAFETY: a live type, and two integers to write.
    let is_known =
        unsafe { ffi::memplanElementRange(memref.to_raw(), &raw mut start, &raw mut end) };
    is_known.then_some((start, end))
}

/// Whether the elements of a memref of static shape lie one after the other, in the order of their indices, from the start of
/// its memory on: as with the identity layout, but the type may spell that out as strides.
pub fn has_elements_in_order(memref: Type<'_>) -> bool {
    let (Some(rank), Some(_)) = (rank(memref), element_count(memref)) else {
        return false;
    };
    let (mut strides, mut offset) = (vec![0_i64; rank], 0);
    // SAFETY: a memref type, and as many integers to write as it has dimensions.
    let is_strided = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(
            memref.to_raw(),
            strides.as_mut_ptr(),
            &raw mut offset,
        )
    };
    let mut next = 1_i64;
    is_strided.value != 0
        && offset == 0
        && (0..rank).rev().all(|at| {
            let size = static_dimension(memref, at as i64).unwrap_or(0);
            let is_next = size == 1 || strides[at] == next;
            next = next.saturating_mul(size);
            is_next
        })
}

/// Is it certain that no two elements of a memref type have the same address?
pub fn is_injective(memref: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsInjective(memref.to_raw()) }
}

/// Have two memref types the same shape and element type?
pub fn have_same_elements(one: Type<'_>, other: Type<'_>) -> bool {
    // SAFETY: live types.
    unsafe { ffi::memplanHaveSameElements(one.to_raw(), other.to_raw()) }
}

/// A memref type with permuted dimensions: dimension i of the result is dimension `order[i]`.
pub fn transposed_type<'c>(memref: Type<'c>, order: &[i64]) -> Option<Type<'c>> {
    // SAFETY: a live type, and an array of the given length.
    unsafe {
        Type::from_option_raw(ffi::memplanTransposedType(
            memref.to_raw(),
            order.len() as isize,
            order.as_ptr(),
        ))
    }
}

/// The type of a view of a memref with the shape of `target`: dimension i is dimension `order[i]`, or repeats the memref
/// if that is -1. `None` if a size is dynamic, or the sizes do not fit.
pub fn broadcast_type<'c>(memref: Type<'c>, target: Type<'c>, order: &[i64]) -> Option<Type<'c>> {
    // SAFETY: live types, and an array of the given length.
    unsafe {
        Type::from_option_raw(ffi::memplanBroadcastType(
            memref.to_raw(),
            target.to_raw(),
            order.len() as isize,
            order.as_ptr(),
        ))
    }
}

/// A view of `source` of a type that [`broadcast_type`] returned for this order, inserted before `before`.
pub fn broadcast_view<'c>(
    before: Op<'c>,
    source: Val<'c>,
    form: Type<'c>,
    order: &[i64],
) -> Val<'c> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles; the order has a number for each dimension of the type.
    unsafe {
        Val::from_raw(ffi::memplanBroadcastView(
            before.to_raw(),
            source.to_raw(),
            form.to_raw(),
            order.as_ptr(),
        ))
    }
}

/// A view of `source`, whose layout is the identity, as a memref type of static shape, the same layout and as many elements,
/// inserted before `before`.
pub fn reshaped_view<'c>(before: Op<'c>, source: Val<'c>, form: Type<'c>) -> Val<'c> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles; the caller has checked the type.
    unsafe {
        Val::from_raw(ffi::memplanReshapedView(
            before.to_raw(),
            source.to_raw(),
            form.to_raw(),
        ))
    }
}

/// A view of the first elements of `source` as a memref type with fewer of them, both of static shape without zeros and with
/// the identity layout, inserted before `before`.
pub fn leading_view<'c>(before: Op<'c>, source: Val<'c>, form: Type<'c>) -> Option<Val<'c>> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles; the caller has checked the types.
    value_from_raw(unsafe {
        ffi::memplanLeadingView(before.to_raw(), source.to_raw(), form.to_raw())
    })
}

/// A view of `source` with permuted dimensions, inserted before `before`.
pub fn transposed_view<'c>(before: Op<'c>, source: Val<'c>, order: &[i64]) -> Val<'c> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles; the caller asked `transposed_type` whether there is such a view.
    unsafe {
        Val::from_raw(ffi::memplanTransposedView(
            before.to_raw(),
            source.to_raw(),
            order.len() as isize,
            order.as_ptr(),
        ))
    }
}
