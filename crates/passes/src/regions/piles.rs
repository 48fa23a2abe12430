//! Memory that piles up: what the turns of a loop make in a region that stays until the loop is over.
//!
//! The region of a class of memory goes, or is cleared, with a scope, and holds till then all that was made in it. Memrefs
//! are few: of what a loop in that scope makes turn by turn, only the last few pieces can still be named, and deallocation
//! would free the others. So memory has an obstacle where a loop lies between the place that makes it and the scope with
//! which its region goes, in the text or by branches back between blocks. That is not so
//!
//! * of what a loop hands on in two regions that it swaps ([`carried`](super::carried));
//! * where the program, or who runs the pass, asks for that region ([`shares`](super::shares)).

use super::{
    carried::carried,
    facts::{Function, ScopeKind, ValueId},
    settings::Settings,
    shares::shares,
    solve::{Site, Solved, Summary, sites},
};
use rustc_hash::FxHashSet;

/// The memrefs as which such memory is made.
pub fn piles(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    settings: &Settings,
) -> Vec<ValueId> {
    let mut sites = sites(function, summaries);
    sites.retain(|site| {
        let class = solved.of(site.value);
        class.stuck.is_none() && class.is_wanted
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
    sites.retain(piles_up);
    sites.into_iter().map(|site| site.value).collect()
}
