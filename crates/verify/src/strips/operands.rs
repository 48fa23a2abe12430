//! Which operand of an operation in strips is which operand of the operation that it was.

use super::claim::Claim;
use memplan_mlir::ir::Val;
use memplan_semantics::LinearLoops;

/// For each operand, its position and that of the operand that it was. `None` if they do not fit.
///
/// Of loads of one element in loops, all but one may be gone, as other passes keep one of equal loads.
pub fn matched<'c>(
    found: &LinearLoops<'c>,
    memrefs: &[Option<Val<'c>>],
    claim: &Claim,
) -> Option<Vec<(usize, usize)>> {
    let (own, were) = (&found.nest.operands, &claim.operands);
    if found.loops.is_empty() {
        let numbers = were.iter().map(|operand| operand.number);
        let are_same = own.iter().map(|operand| operand.operand).eq(numbers);
        return are_same.then(|| (0..own.len()).map(|at| (at, at)).collect());
    }
    if own.len() == were.len() {
        return Some((0..own.len()).map(|at| (at, at)).collect());
    }
    // Loads come first.
    let stores = own.iter().filter(|operand| operand.writes).count();
    let loads = were.len().checked_sub(stores)?;
    let is_first = |at: usize| {
        let same =
            |one: &usize| memrefs[*one] == memrefs[at] && own[*one].indices == own[at].indices;
        own[at].writes || !(0..at).any(|one| same(&one))
    };
    let was_first = |at: usize| {
        let same = |one: &usize| {
            were[*one].buffer == were[at].buffer && were[*one].indices == were[at].indices
        };
        at >= loads || !(0..at).any(|one| same(&one))
    };
    let own: Vec<usize> = (0..own.len()).filter(|at| is_first(*at)).collect();
    let were: Vec<usize> = (0..were.len()).filter(|at| was_first(*at)).collect();
    (own.len() == were.len()).then(|| own.into_iter().zip(were).collect())
}
