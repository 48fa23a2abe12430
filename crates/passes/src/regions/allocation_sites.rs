//! Allocation sites: operations whose new memory may be placed in a region.

use super::{
    facts::{Function, ScopeId, ValueId},
    summary::Summary,
};

/// A point of a function where memory is allocated that may be placed in a region.
pub struct AllocationSite {
    /// The memref to the new memory.
    pub value: ValueId,
    /// The scope of the operation.
    pub scope: ScopeId,
    /// The operation executes at most once in each execution of the scope.
    pub is_once: bool,
}

/// All allocation sites of a function. A call has one for each result that may be memory that the callee
/// allocates.
pub fn allocation_sites(function: &Function, summaries: &[Summary]) -> Vec<AllocationSite> {
    let mut sites: Vec<AllocationSite> = Vec::new();
    let allocations = function.allocations.iter();
    sites.extend(allocations.map(|one| AllocationSite {
        value: one.value,
        scope: one.scope,
        is_once: one.is_once,
    }));
    for call in &function.calls {
        let allocated = summaries[call.callee].allocated_results(call);
        sites.extend(allocated.map(|value| AllocationSite {
            value,
            scope: call.scope,
            is_once: call.is_once,
        }));
    }
    sites
}
