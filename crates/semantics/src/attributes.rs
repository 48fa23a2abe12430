//! memplan's own attributes: passes write and read them, and `memplan-verify` checks them.

use crate::sparse_tensor_runtime;
use memplan_mlir::{
    build,
    codes::RENAMED_ATTRIBUTE,
    diagnostics::Diagnostic,
    ir::{Op, blocks, holds_memref, ops, parent, regions, results, type_of},
    melior::ir::{attribute::ArrayAttribute, operation::OperationLike},
    symbols,
};
use smallvec::SmallVec;

pub use memplan_interface::attributes::*;

/// Does a user ask for the banks of an allocation?
pub fn has_banks(alloc: Op<'_>) -> bool {
    let names = [BANK, ACROSS_BANKS, APART];
    names.iter().any(|name| alloc.has_attribute(name))
}

/// Does a user ask for the offset of an allocation, or for its banks?
pub fn is_placed(alloc: Op<'_>) -> bool {
    alloc.has_attribute(OFFSET) || has_banks(alloc)
}

/// Says that operations in loops over strips of a function may have changed: they are not those that were split.
pub fn forget_pieces(function: Op<'_>) {
    let mut open: Vec<_> = regions(function).flat_map(blocks).collect();
    while let Some(block) = open.pop() {
        for op in ops(block) {
            forget(op);
            open.extend(regions(op).flat_map(blocks));
        }
    }
}

/// Says the same of the loops around an operation that is erased, if it is one of their operations.
pub fn forget_pieces_around(op: Op<'_>) {
    if op.has_attribute(ROWS) || op.has_attribute(ITEM) {
        std::iter::successors(parent(op), |op| parent(*op)).for_each(forget);
    }
}

fn forget(op: Op<'_>) {
    for name in [PIECES, ITEMS] {
        if op.has_attribute(name) {
            build::remove_attribute(op, name);
        }
    }
}

/// Has `op` an attribute of memplan's, other than this one?
pub fn has_other_than(op: Op<'_>, except: &str) -> bool {
    op.attributes().any(|(name, _)| {
        let name = name.as_string_ref();
        name.as_str()
            .is_ok_and(|name| name.starts_with("memplan.") && name != except)
    })
}

/// Has `op` flags that allow optimizations to change the bits of its floating-point results?
pub fn allows_other_bits(op: Op<'_>) -> bool {
    op.attributes().any(|(name, flags)| {
        let name = name.as_string_ref();
        name.as_str().is_ok_and(|name| name.starts_with("fastmath"))
            && !flags.to_string().contains("<none>")
    })
}

/// The alignment in bytes that a callee needs for a slice that it receives; `None` if no callee receives the slice.
pub fn slice_alignment(slice: Op<'_>) -> Option<u64> {
    let bytes = [SLICE_ALIGNMENT, OLD_SHARED_NAME]
        .into_iter()
        .find_map(|name| build::integer(slice, name))?;
    Some(bytes.max(1) as u64)
}

/// Does a callee receive this slice?
pub fn is_for_callee(slice: Op<'_>) -> bool {
    slice.has_attribute(SLICE_ALIGNMENT) || slice.has_attribute(OLD_SHARED_NAME)
}

/// Can a function have attributes that describe its arguments?
pub fn may_describe_arguments(function: Op<'_>) -> bool {
    function.has_attribute("arg_attrs")
}

/// Can a function have attributes that describe its results?
pub fn may_describe_results(function: Op<'_>) -> bool {
    function.has_attribute("res_attrs") || sparse_tensor_runtime::returns_borrowed(function)
}

/// Is an argument of a function, by its number among all arguments, donated?
pub fn is_donated(function: Op<'_>, argument: usize) -> bool {
    [DONATED, JAX_DONOR, ALIASING_OUTPUT]
        .iter()
        .any(|name| symbols::has_argument_mark(function, argument, name))
}

/// Do attributes say that an argument is not written?
pub fn is_read_only(function: Op<'_>, argument: usize) -> bool {
    ["llvm.readonly", "llvm.readnone"]
        .iter()
        .any(|name| symbols::has_argument_mark(function, argument, name))
}

/// May C call a function, even a private one?
pub fn has_c_interface(function: Op<'_>) -> bool {
    function.has_attribute("llvm.emit_c_interface")
}

/// Do attributes say that an argument is not read, even after the function wrote it?
pub fn is_write_only(function: Op<'_>, argument: usize) -> bool {
    symbols::has_argument_mark(function, argument, "llvm.writeonly")
}

/// Does nothing that is not derived from an argument refer to its memory during a call?
pub fn is_noalias(function: Op<'_>, argument: usize) -> bool {
    is_donated(function, argument)
        || [NOALIAS, LLVM_NOALIAS]
            .iter()
            .any(|name| symbols::has_argument_mark(function, argument, name))
}

/// Is a result of a function marked as borrowed, or is the function one of MLIR's runtime library that returns
/// borrowed memory?
pub fn is_result_borrowed(function: Op<'_>, result: usize) -> bool {
    [BORROWED, OLD_SHARED_NAME]
        .into_iter()
        .any(|name| symbols::has_result_mark(function, result, name))
        || sparse_tensor_runtime::returns_borrowed(function)
}

/// Is a result of a function marked as new memory?
pub fn is_result_owned(function: Op<'_>, result: usize) -> bool {
    symbols::has_result_mark(function, result, OWNED)
}

/// A call has lost results since it was marked, and it is not known which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale;

/// The memref results that a call marks as borrowed. The mark lists the results that the call had when it was
/// written. If some are gone, the mark is still valid if it is the same for all.
///
/// # Errors
/// The call has another number of memref results, and the mark is not the same for all.
pub fn borrowed_by_call(call: Op<'_>) -> Result<SmallVec<[usize; 2]>, Stale> {
    let mut names = [BORROWED_RESULTS, OLD_BORROWED_RESULTS].into_iter();
    let Some(borrows) = names.find_map(|name| build::integers_of(call, name)) else {
        return Ok(SmallVec::new());
    };
    let memrefs = results(call).enumerate();
    let memrefs: SmallVec<[usize; 2]> = memrefs
        .filter(|(_, result)| holds_memref(type_of(*result)))
        .map(|(at, _)| at)
        .collect();
    if borrows.len() != memrefs.len() && borrows.iter().any(|one| *one != borrows[0]) {
        return Err(Stale);
    }
    let borrows = borrows.iter().chain(borrows.iter().cycle());
    let borrowed = memrefs
        .into_iter()
        .zip(borrows)
        .filter(|(_, one)| **one != 0);
    Ok(borrowed.map(|(at, _)| at).collect())
}

/// Emits a remark if a slice has an attribute under the name of the previous version.
pub fn remark_old_slice(slice: Op<'_>) {
    if slice.has_attribute(OLD_SHARED_NAME) {
        remark(slice, OLD_SHARED_NAME, SLICE_ALIGNMENT);
    }
}

/// Whether this is the arena of the iterations of a parallel body, inside an arena of the enclosing scope.
pub fn is_iteration_arena(view: Op<'_>) -> bool {
    view.has_attribute(ITERATIONS) || view.has_attribute(OLD_ITERATIONS)
}

/// Emits a remark if such an arena has the attribute under the name of the previous version.
pub fn remark_old_iterations(view: Op<'_>) {
    if view.has_attribute(OLD_ITERATIONS) {
        remark(view, OLD_ITERATIONS, ITERATIONS);
    }
}

/// Emits a remark if a call has an attribute under the name of the previous version.
pub fn remark_old_call(call: Op<'_>) {
    if call.has_attribute(OLD_BORROWED_RESULTS) {
        remark(call, OLD_BORROWED_RESULTS, BORROWED_RESULTS);
    }
}

/// Emits a remark if a function has an attribute under the name of the previous version.
pub fn remark_old_function(function: Op<'_>) {
    let each = function.attribute("res_attrs").ok();
    let Some(each) = each.and_then(|all| ArrayAttribute::try_from(all).ok()) else {
        return;
    };
    let mut all = 0..each.len();
    if all.any(|result| symbols::has_result_mark(function, result, OLD_SHARED_NAME)) {
        remark(function, OLD_SHARED_NAME, BORROWED);
    }
}

/// Has a call an attribute under the name of the previous version?
pub fn is_old_call(call: Op<'_>) -> bool {
    results(call).next().is_some() && call.has_attribute(OLD_BORROWED_RESULTS)
}

fn remark(op: Op<'_>, old: &str, new: &str) {
    let text =
        format!("`{old}` was renamed to `{new}`: the next version does not accept the old name");
    Diagnostic::new(RENAMED_ATTRIBUTE, op.location(), text).emit();
}
