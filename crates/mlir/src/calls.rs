//! Views, calls and functions.

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

/// The value that a view-like operation views.
pub fn view_source<'c>(op: Op<'c>) -> Option<Val<'c>> {
    // SAFETY: a live operation.
    value_from_raw(unsafe { ffi::memplanViewSource(op.to_raw()) })
}

/// The operation that a call calls, found by its symbol.
pub fn callee<'c>(call: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: a live operation.
    op_from_raw(unsafe { ffi::memplanCallResolve(call.to_raw()) })
}

/// The symbol that a call calls; `None` where the callee is a value.
pub fn callee_symbol<'c>(call: Op<'c>) -> Option<Attribute<'c>> {
    // SAFETY: a live operation; null is ruled out.
    unsafe { Attribute::from_option_raw(ffi::memplanCallSymbol(call.to_raw())) }
}

/// The type of the value that a call calls; `None` where it calls a symbol.
pub fn called_type<'c>(call: Op<'c>) -> Option<Type<'c>> {
    // SAFETY: a live operation.
    value_from_raw(unsafe { ffi::memplanCallValue(call.to_raw()) }).map(type_of)
}

/// The name that a symbol reference holds, if it is not nested.
pub fn flat_name(symbol: Attribute<'_>) -> Option<String> {
    // SAFETY: a live attribute of the kind that is asked first; the text is copied.
    unsafe {
        let raw = symbol.to_raw();
        mlir_sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| crate::text::copy(mlir_sys::mlirFlatSymbolRefAttrGetValue(raw)))
    }
}

/// Which operands of a call are its arguments.
pub fn call_arguments(call: Op<'_>) -> Option<Range<usize>> {
    let (mut first, mut count) = (0, 0);
    // SAFETY: both out parameters outlive the call.
    unsafe { ffi::memplanCallArguments(call.to_raw(), &raw mut first, &raw mut count) }
        .then(|| first as usize..(first + count) as usize)
}

/// The operands of a call, or of the launch of a kernel, whose memory a callee that is not looked at may store, and
/// use later: memrefs that fit into what another operand is, such as a memref of memrefs, at any depth.
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

/// The body of a function; `None` if it has none.
pub fn function_body<'c>(function: Op<'c>) -> Option<Region<'c>> {
    // SAFETY: a live operation.
    region_from_raw(unsafe { ffi::memplanFunctionBody(function.to_raw()) })
}
