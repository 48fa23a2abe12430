//! Memory that piles up: what the turns of a loop make in a region that stays until the loop is over.
//!
//! The region of a class of memory goes, or is cleared, with a scope, and holds till then all that was made in it. Memrefs
//! are few: of what a loop in that scope makes turn by turn, only the last few pieces can still be named, and deallocation
//! would free the others. So memory has an obstacle where a loop lies between the place that makes it and the scope with
//! which its region goes, in the text or by branches back between blocks. That is not so
//!
//! * of what a loop hands on in two regions that it swaps ([`carried`](super::carried));
//! * where the program, or who runs the pass, asks for that region ([`shares`](super::shares));
//! * of what is stored in memory of memrefs, which may hold all of it: deallocation would not free that at all.
//!
//! So it is with the levels of a recursion, each of which makes something in the region of whoever called the first, while
//! its result may be what the next level gives.

use super::{
    classes::Solved,
    enclosing_region::shares,
    facts::{Function, ROOT, ScopeKind, ValueId},
    loop_carried::carried,
    reach::held,
    settings::Settings,
    sites::{Site, sites},
    summary::Summary,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The memrefs as which such memory is made.
pub fn piles(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    settings: &Settings,
) -> Vec<ValueId> {
    let mut sites = sites(function, summaries);
    let held = held(function, summaries);
    sites.retain(|site| {
        let class = solved.of(site.value);
        class.stuck.is_none() && class.is_wanted && !held[site.value.index()]
    });
    if sites.is_empty() {
        return Vec::new();
    }
    let shares = shares(function, solved, summaries, settings);
    let swapped = carried(function, solved, summaries);
    let swapped: FxHashSet<_> = swapped.iter().map(|one| (one.scope, one.class)).collect();
    let piles_up = |site: &Site| {
        let reach = solved.reach[site.value.index()];
        let home = Some(reach.top).filter(|_| !reach.is_returned);
        let (mut scope, mut is_once) = (site.scope, site.is_once);
        loop {
            if !is_once && !shares[scope.index()] {
                return true;
            }
            let of = function.scope(scope);
            let Some(around) = of.parent.filter(|_| Some(scope) != home) else {
                return false;
            };
            let key = (scope, solved.class[site.value.index()]);
            if scope == site.scope && swapped.contains(&key) && !shares[scope.index()] {
                return false;
            }
            let turns = of.kind == ScopeKind::Turn && of.turns.is_none_or(|turns| turns > 1);
            if turns && !shares[scope.index()] {
                return true;
            }
            (scope, is_once) = (around, of.is_once);
        }
    };
    let deeper = deeper(function, solved, summaries);
    let is_deeper = |site: &Site| {
        let class = solved.class[site.value.index()];
        solved.reach[site.value.index()].is_returned
            && !shares[ROOT.index()]
            && deeper.get(&class).is_some_and(|given| *given != site.value)
    };
    sites.retain(|site| piles_up(site) || is_deeper(site));
    sites.into_iter().map(|site| site.value).collect()
}

/// The classes of what a function returns that it may have from itself, through a call; and one memref that is.
fn deeper(function: &Function, solved: &Solved, summaries: &[Summary]) -> FxHashMap<u32, ValueId> {
    let mut deeper = FxHashMap::default();
    for call in function.calls.iter().filter(|call| call.is_recursive) {
        let made = summaries[call.callee].made_for(call);
        let returned = made.filter(|value| solved.reach[value.index()].is_returned);
        deeper.extend(returned.map(|value| (solved.class[value.index()], value)));
    }
    deeper
}
