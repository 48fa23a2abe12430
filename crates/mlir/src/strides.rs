//! Memrefs of other strides: the types of views of them, and views in another order of dimensions.

use crate::{
    ffi,
    ir::{Op, Type, Val, changes, parent_block},
};
use melior::ir::{TypeLike, ValueLike};

/// The type of a view by an operation like `memref.subview` of a memref of type `source`, which has the shape and
/// elements of its own source; `None` where there is none.
pub fn sliced_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: live handles; null stands for none.
    unsafe { Type::from_option_raw(ffi::memplanSlicedType(view.to_raw(), source.to_raw())) }
}

/// The same, of one like `memref.expand_shape`.
pub fn expanded_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanExpandedType(view.to_raw(), source.to_raw())) }
}

/// The same, of one like `memref.collapse_shape`.
pub fn collapsed_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanCollapsedType(view.to_raw(), source.to_raw())) }
}

/// The same, of one like `memref.cast`: as it is where that leaves open what differs.
pub fn cast_type<'c>(view: Op<'c>, source: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: as above.
    unsafe { Type::from_option_raw(ffi::memplanCastType(view.to_raw(), source.to_raw())) }
}

/// Are elements of the last dimension of a memref next to each other?
pub fn is_last_dim_unit_stride(memref: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsLastDimUnitStride(memref.to_raw()) }
}

/// Do no two elements of a memref type have the same place, for certain?
pub fn is_injective(memref: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsInjective(memref.to_raw()) }
}

/// Have two memref types the same shape and elements, whatever their layouts are?
pub fn have_same_elements(one: Type<'_>, other: Type<'_>) -> bool {
    // SAFETY: live types.
    unsafe { ffi::memplanHaveSameElements(one.to_raw(), other.to_raw()) }
}

/// A memref type with its dimensions in another order: place i is the dimension `order[i]`.
pub fn transposed_type<'c>(memref: Type<'c>, order: &[i64]) -> Option<Type<'c>> {
    // SAFETY: a live type, and as many numbers as are said to be there.
    unsafe {
        Type::from_option_raw(ffi::memplanTransposedType(
            memref.to_raw(),
            order.len() as isize,
            order.as_ptr(),
        ))
    }
}

/// A view of `source` of that type, in front of `before`.
pub fn transposed_view<'c>(before: Op<'c>, source: Val<'c>, order: &[i64]) -> Val<'c> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles; that there is such a view has been asked by `transposed_type`.
    unsafe {
        Val::from_raw(ffi::memplanTransposedView(
            before.to_raw(),
            source.to_raw(),
            order.len() as isize,
            order.as_ptr(),
        ))
    }
}
