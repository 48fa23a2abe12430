//! Operations that are erased with the allocations that are planned.

use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{Op, erase, operands, replace_all_uses, results};

/// The operations whose mark is set.
fn marked<'a, 'c>(ops: &'a [Op<'c>], marks: &'a [bool]) -> impl Iterator<Item = Op<'c>> + 'a {
    let all = ops.iter().zip(marks);
    all.filter(|(_, marked)| **marked).map(|(op, _)| *op)
}

/// The deallocations of planned allocations.
pub fn deallocs<'a, 'c>(analysis: &'a Analysis<'c>) -> impl Iterator<Item = Op<'c>> + 'a {
    marked(&analysis.handles.deallocs, &analysis.dropped_deallocs)
}

/// Erases the deallocations of planned allocations, and the operations that state that such an allocation
/// aliases nothing.
pub fn erase_all(analysis: &Analysis<'_>) {
    deallocs(analysis).for_each(erase);
    for op in marked(&analysis.handles.distinct, &analysis.dropped_distinct) {
        for (result, operand) in results(op).zip(operands(op)) {
            replace_all_uses(result, operand);
        }
        erase(op);
    }
}
