//! Memrefs of other strides: which operations take them, and views in another order of dimensions.

use crate::{
    ffi,
    ir::{Op, Type, Val},
};
use melior::ir::{TypeLike, ValueLike};

/// What becomes of an operation where an operand is a memref of another layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retyped<'c> {
    /// It is not known to do the same, or is not valid.
    Refuses,
    /// It does the same.
    Takes,
    /// It is a view, of this type.
    Views(Type<'c>),
}

/// What becomes of `op` if an operand has type `type`, which has the same shape and elements as its own.
pub fn retype<'c>(op: Op<'c>, operand: usize, r#type: Type<'c>) -> Retyped<'c> {
    let mut view = mlir_sys::MlirType {
        ptr: std::ptr::null(),
    };
    // SAFETY: live handles, and a number below that of the operands; `view` is written for a view.
    unsafe {
        let became = ffi::memplanRetype(
            op.to_raw(),
            operand as isize,
            r#type.to_raw(),
            &raw mut view,
        );
        match became {
            ffi::MEMPLAN_TAKES => Retyped::Takes,
            ffi::MEMPLAN_VIEWS => {
                Type::from_option_raw(view).map_or(Retyped::Refuses, Retyped::Views)
            }
            became => {
                debug_assert_eq!(became, ffi::MEMPLAN_REFUSES);
                Retyped::Refuses
            }
        }
    }
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
