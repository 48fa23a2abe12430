//! Uses of values by operations, both in trees and in functions with loops and branches.

use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, results, type_of};
use memplan_semantics::Semantics;
use std::cell::LazyCell;

/// Whether an operation only creates views, which can be recomputed from the same operands.
pub fn is_view(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let allocates_result = results(op).any(|result| is_memref(type_of(result)));
    allocates_result
        && regions(op).next().is_none()
        && !semantics.info(op).is_terminator()
        && semantics.of(op).only_views()
}

/// Calls `visit` for each value that an operation, or an operation in it, uses: for scalars, and for memrefs
/// unless only sizes, strides or the address are used.
pub fn each_use<'c>(op: Op<'c>, semantics: &mut Semantics, visit: &mut impl FnMut(Val<'c>)) {
    visit_operands(op, true, semantics, visit);
    let mut open: Vec<Op<'c>> = inner(op);
    open.reverse();
    while let Some(op) = open.pop() {
        // Uses of a view that is created in the operation are not followed.
        let is_followed = results(op).all(|result| !is_memref(type_of(result)));
        visit_operands(op, is_followed, semantics, visit);
        open.extend(inner(op).into_iter().rev());
    }
}

fn visit_operands<'c>(
    op: Op<'c>,
    is_followed: bool,
    semantics: &mut Semantics,
    visit: &mut impl FnMut(Val<'c>),
) {
    let memory = LazyCell::new(|| semantics.of(op));
    for (number, value) in operands(op).enumerate() {
        if !(is_followed && is_memref(type_of(value)) && memory.only_uses_descriptor_of(number)) {
            visit(value);
        }
    }
}

fn inner<'c>(op: Op<'c>) -> Vec<Op<'c>> {
    regions(op).flat_map(blocks).flat_map(ops).collect()
}
