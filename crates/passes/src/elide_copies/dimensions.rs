//! A dimension of an allocation is the number that it is allocated with. So a size that is computed from it does not depend on
//! the allocation, and what has that size may be allocated before.

use crate::shapes::size_of;
use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{erase, is_unused, replace_all_uses, results};
use memplan_semantics::{Computes, Semantics};

/// Replaces such dimensions; returns their number. The analysis is invalid if there are any.
pub fn run(analysis: &Analysis<'_>, semantics: &mut Semantics) -> usize {
    let mut buffers = analysis.program.buffers.iter();
    if !buffers.any(|one| one.dynamic.is_some()) {
        return 0;
    }
    let mut count = 0;
    for (_, op) in &analysis.handles.ops {
        let Some(Computes::Dimension([memref, index])) = semantics.computed(*op) else {
            continue;
        };
        let index = semantics.constant(index);
        let own = results(*op).next();
        if let (Some(own), Some(size)) = (own, size_of(memref, index, semantics))
            && !is_unused(own)
        {
            replace_all_uses(own, size);
            erase(*op);
            count += 1;
        }
    }
    count
}
