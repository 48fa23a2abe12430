//! Queries of views, calls and functions.

use crate::{
    ffi,
    ir::{
        Op, Region, Val, holds_memref, nested_memrefs, op_from_raw, operands, region_from_raw,
        type_of, value_from_raw,
    },
};
use melior::ir::{Attribute, AttributeLike, Type};
use smallvec::SmallVec;
use std::ops::Range;

/// The source of a view-like operation.
pub fn view_source<'c>(op: Op<'c>) -> Option<Val<'c>> {
    // SAFETY: a live operation.
    value_from_raw(unsafe { ffi::memplanViewSource(op.to_raw()) })
}

/// The callee of a call, looked up by its symbol.
pub fn callee<'c>(call: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: a live operation.
    op_from_raw(unsafe { ffi::memplanCallResolve(call.to_raw()) })
}

/// The symbol of a call's callee; `None` for an indirect call.
pub fn callee_symbol<'c>(call: Op<'c>) -> Option<Attribute<'c>> {
    // SAFETY: a live operation; null is ruled out.
    unsafe { Attribute::from_option_raw(ffi::memplanCallSymbol(call.to_raw())) }
}

/// The type of an indirect call's callee; `None` for a direct call.
pub fn called_type<'c>(call: Op<'c>) -> Option<Type<'c>> {
    // SAFETY: a live operation.
    value_from_raw(unsafe { ffi::memplanCallValue(call.to_raw()) }).map(type_of)
}

/// The name in a flat symbol reference.
pub fn flat_name(symbol: Attribute<'_>) -> Option<String> {
    // SAFETY: a live attribute, whose kind is checked first; the text is copied.
    unsafe {
        let raw = symbol.to_raw();
        mlir_sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| crate::string_ref::copy(mlir_sys::mlirFlatSymbolRefAttrGetValue(raw)))
    }
}

/// The range of a call's operands that are its arguments.
pub fn call_arguments(call: Op<'_>) -> Option<Range<usize>> {
    let (mut first, mut count) = (0, 0);
    // SAFETY: both out parameters outlive the call.
    unsafe { ffi::memplanCallArguments(call.to_raw(), &raw mut first, &raw mut count) }
        .then(|| first as usize..(first + count) as usize)
}

/// The operands of a call or kernel launch whose memory an unknown callee may store and use later: memrefs that can
/// be stored in the memory of another operand, such as a memref of memrefs, at any depth.
pub fn captured_by_type(call: Op<'_>) -> SmallVec<[usize; 2]> {
    let depths: SmallVec<[usize; 8]> = operands(call)
        .map(|operand| nested_memrefs(type_of(operand)))
        .collect();
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let fits = |(at, operand): (usize, Val<'_>)| {
        (depths[at] < deepest && holds_memref(type_of(operand))).then_some(at)
    };
    operands(call).enumerate().filter_map(fits).collect()
}

/// The body of a function; `None` for a declaration.
pub fn function_body<'c>(function: Op<'c>) -> Option<Region<'c>> {
    // SAFETY: a live operation.
    region_from_raw(unsafe { ffi::memplanFunctionBody(function.to_raw()) })
}
