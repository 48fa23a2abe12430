//! Functions that rely on the alignment of memory that callers pass.

use crate::semantics::Semantics;
use memplan_mlir::{
    calls::{call_arguments, callee, function_body},
    ir::{Op, blocks, ops, regions},
    melior::ir::operation::OperationLike,
};

/// The attribute by which operations assert the alignment of an address, and allocations choose it.
const ALIGNMENT: &str = "alignment";

/// Whether operations of a function may rely on more alignment than that of a type.
pub fn relies_on_alignment<'c>(function: Op<'c>, semantics: &mut Semantics) -> bool {
    let mut open = vec![function];
    while let Some(op) = open.pop() {
        for inner in regions(op).flat_map(blocks).flat_map(ops) {
            let asserts =
                inner.has_attribute(ALIGNMENT) && semantics.of(inner).plain_allocation().is_none();
            if asserts || semantics.table_facts(inner).relies_on_alignment {
                return true;
            }
            if regions(inner).next().is_some() {
                open.push(inner);
            }
        }
    }
    false
}

impl Semantics {
    /// Whether an operation calls a function that may rely on the alignment of what is passed.
    pub fn calls_what_relies_on_alignment(&self, op: Op<'_>) -> bool {
        call_arguments(op).is_some()
            && (!self.callees_need_no_alignment || callee(op).and_then(function_body).is_none())
    }
}
