//! Shared parts of the dealloc tests.

use memplan_ownership::{
    dealloc::{Condition, Dealloc, FlagId},
    function::ValueId,
};
use std::collections::BTreeSet;

/// A piece of memory in a run.
pub type Place = u32;

/// The memory that a dealloc frees, and its results, computed directly from the definition of the operation.
pub fn run(
    dealloc: &Dealloc,
    place: impl Fn(ValueId) -> Place,
    flag: impl Fn(FlagId) -> bool,
) -> (BTreeSet<Place>, Vec<bool>) {
    let holds = |condition| match condition {
        Condition::No => false,
        Condition::Yes => true,
        Condition::Flag(id) => flag(id),
    };
    let owned: BTreeSet<Place> = dealloc
        .memrefs
        .iter()
        .filter(|(_, condition)| holds(*condition))
        .map(|(value, _)| place(*value))
        .collect();
    let kept: BTreeSet<Place> = dealloc
        .retained
        .iter()
        .map(|one| place(one.value))
        .collect();
    let results = dealloc
        .retained
        .iter()
        .map(|one| owned.contains(&place(one.value)))
        .collect();
    (owned.difference(&kept).copied().collect(), results)
}
