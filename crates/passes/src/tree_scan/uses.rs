//! What operations use of values, for both kinds of functions: trees, and those with loops and branches.

use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, results, type_of};
use memplan_semantics::Semantics;
use std::cell::LazyCell;

/// Does an operation only make other names for memory, which can be made again from the same operands?
pub fn is_view(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let allocates_result = results(op).any(|result| is_memref(type_of(result)));
    allocates_result
        && regions(op).next().is_none()
        && !semantics.info(op).is_terminator()
        && semantics.of(op).only_views()
}

/// Calls back for each value that an operation uses, or one in it: for numbers, and for memrefs of which it uses more than
/// sizes, strides and the address.
pub fn each_use<'c>(op: Op<'c>, semantics: &mut Semantics, visit: &mut impl FnMut(Val<'c>)) {
    of_one(op, true, semantics, visit);
    let mut open: Vec<Op<'c>> = inner(op);
    open.reverse();
    while let Some(op) = open.pop() {
        // Of memory that is viewed inside, nobody says where it is used.
        let is_followed = results(op).all(|result| !is_memref(type_of(result)));
        of_one(op, is_followed, semantics, visit);
        open.extend(inner(op).into_iter().rev());
    }
}

fn of_one<'c>(
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
