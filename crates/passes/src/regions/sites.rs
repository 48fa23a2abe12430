//! Where memory comes into being that may go to a region.

use super::{
    facts::{Function, ScopeId, ValueId},
    summary::Summary,
};

/// Where memory that may go to a region is made.
pub struct Site {
    /// As what.
    pub value: ValueId,
    /// Where.
    pub scope: ScopeId,
    /// At most once in each run of that scope.
    pub is_once: bool,
}

/// All of them, those of calls by each result that may be what the callee makes.
pub fn sites(function: &Function, summaries: &[Summary]) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    let allocations = function.allocations.iter();
    sites.extend(allocations.map(|one| Site {
        value: one.value,
        scope: one.scope,
        is_once: one.is_once,
    }));
    for call in &function.calls {
        let made = summaries[call.callee].made_for(call);
        sites.extend(made.map(|value| Site {
            value,
            scope: call.scope,
            is_once: call.is_once,
        }));
    }
    sites
}
