//! Memory that would accumulate: a loop allocates it in each iteration, in a region that lives until the loop
//! ends.
//!
//! A region holds all memory that is allocated in it until its scope releases or clears it. A function has
//! few memrefs, and they can only refer to the memory of the last few iterations. Deallocation would free the
//! memory of the others. So memory is rejected if a loop is between its allocation and the scope that
//! releases its region: a structured loop, or a cycle of blocks. There are three exceptions:
//!
//! * loop-carried memory in two regions that the loop swaps ([`loop_carried`](super::loop_carried));
//! * memory of a loop for which the program or an option selects the enclosing region
//!   ([`uses_enclosing_region`]);
//! * memory that is stored in nested memrefs: these may hold the memory of all iterations, and deallocation
//!   would not free it at all.
//!
//! The levels of a recursion accumulate in the same way. Each level allocates in the region of the first
//! caller, and its result may be the memory of the next level instead.

use super::{
    allocation_sites::{AllocationSite, allocation_sites},
    classes::Solved,
    enclosing_region::uses_enclosing_region,
    facts::{Function, ROOT, ScopeKind, ValueId},
    loop_carried::loop_carried,
    reach::stored_in_memory,
    settings::Settings,
    summary::Summary,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Memrefs of allocation sites whose memory would accumulate.
pub fn unbounded_memrefs(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    settings: &Settings,
) -> Vec<ValueId> {
    let mut sites = allocation_sites(function, summaries);
    let stored = stored_in_memory(function, summaries);
    sites.retain(|site| {
        let class = solved.class(site.value);
        class.rejected.is_none() && class.is_candidate && !stored[site.value.index()]
    });
    if sites.is_empty() {
        return Vec::new();
    }
    let uses_enclosing = uses_enclosing_region(function, solved, summaries, settings);
    let swapped = loop_carried(function, solved, summaries);
    let swapped: FxHashSet<_> = swapped.iter().map(|one| (one.scope, one.class)).collect();
    let grows_in_loop = |site: &AllocationSite| {
        let reach = solved.reach[site.value.index()];
        let release_scope = Some(reach.common_scope).filter(|_| !reach.is_returned);
        let (mut scope, mut is_once) = (site.scope, site.is_once);
        loop {
            if !is_once && !uses_enclosing[scope.index()] {
                return true;
            }
            let info = function.scope(scope);
            let Some(parent) = info.parent.filter(|_| Some(scope) != release_scope) else {
                return false;
            };
            let key = (scope, solved.class_of[site.value.index()]);
            if scope == site.scope && swapped.contains(&key) && !uses_enclosing[scope.index()] {
                return false;
            }
            let repeats =
                info.kind == ScopeKind::Iteration && info.iterations.is_none_or(|count| count > 1);
            if repeats && !uses_enclosing[scope.index()] {
                return true;
            }
            (scope, is_once) = (parent, info.is_once);
        }
    };
    let recursive = recursive_results(function, solved, summaries);
    let grows_in_recursion = |site: &AllocationSite| {
        let class = solved.class_of[site.value.index()];
        solved.reach[site.value.index()].is_returned
            && !uses_enclosing[ROOT.index()]
            && recursive
                .get(&class)
                .is_some_and(|value| *value != site.value)
    };
    sites.retain(|site| grows_in_loop(site) || grows_in_recursion(site));
    sites.into_iter().map(|site| site.value).collect()
}

/// Classes of returned memory that may come from a recursive call, each with the memref of one such result.
fn recursive_results(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
) -> FxHashMap<u32, ValueId> {
    let mut recursive = FxHashMap::default();
    for call in function.calls.iter().filter(|call| call.is_recursive) {
        let allocated = summaries[call.callee].allocated_results(call);
        let returned = allocated.filter(|value| solved.reach[value.index()].is_returned);
        recursive.extend(returned.map(|value| (solved.class_of[value.index()], value)));
    }
    recursive
}
