//! Values that may have the same origins, and yet are never the same memory.
//!
//! A parameter is apart from what was defined before if all that edges pass for it is; two parameters of
//! one segment are if what each edge passes for both is. Pairs that come round again are taken to be apart,
//! and that is taken back for all that relied on it where it turns out wrong: the greatest fixpoint, so an
//! induction over the steps of a run.

use super::Origins;
use crate::function::{Kind, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One question looks at so many pairs at most.
const MOST_PAIRS: usize = 128;
/// All questions about a function look at so many for each of its values, and at some more.
const PAIRS_EACH: usize = 8;
const PAIRS_MORE: usize = 1 << 16;

type Pair = (ValueId, ValueId);

/// What has been found out so far.
#[derive(Default)]
pub(super) struct Proofs {
    known: FxHashMap<Pair, bool>,
    /// How many pairs have been looked at.
    spent: usize,
}

/// What the answer for a pair hangs on.
enum Answer {
    Known(bool),
    /// It holds if it holds for all of these.
    All(SmallVec<[Pair; 4]>),
}

/// Are two values never the same memory, by what edges pass?
pub(super) fn prove(origins: &mut Origins<'_>, one: ValueId, other: ValueId) -> bool {
    let first = ordered(one, other);
    if let Some(known) = origins.proofs.known.get(&first) {
        return *known;
    }
    if origins.proofs.spent > PAIRS_MORE + PAIRS_EACH * origins.function.values.len() {
        return false;
    }
    // For each pair that is open or done, the pairs that rely on it.
    let mut seen: FxHashMap<Pair, SmallVec<[Pair; 2]>> = FxHashMap::default();
    seen.insert(first, SmallVec::new());
    let mut open = vec![first];
    let mut wrong: Vec<Pair> = Vec::new();
    while let Some(pair) = open.pop() {
        match answer(origins, pair) {
            Answer::Known(true) => {}
            Answer::Known(false) => wrong.push(pair),
            Answer::All(needs) if seen.len() + needs.len() > MOST_PAIRS => {
                drop(needs);
                wrong.push(pair);
            }
            Answer::All(needs) => {
                for need in needs {
                    let users = seen.entry(need).or_insert_with(|| {
                        open.push(need);
                        SmallVec::new()
                    });
                    users.push(pair);
                }
            }
        }
        // Nothing else matters any more.
        if wrong.contains(&first) {
            break;
        }
    }
    origins.proofs.spent += seen.len();
    let is_complete = open.is_empty();
    let mut right: FxHashMap<Pair, bool> = seen.keys().map(|pair| (*pair, true)).collect();
    while let Some(pair) = wrong.pop() {
        if right.insert(pair, false) == Some(true) {
            wrong.extend(seen[&pair].iter().copied());
        }
    }
    let answer = right[&first];
    right.retain(|_, apart| is_complete || !*apart);
    origins.proofs.known.extend(right);
    answer
}

fn answer(origins: &Origins<'_>, pair: Pair) -> Answer {
    let (one, other) = pair;
    if let Some(known) = origins.proofs.known.get(&pair) {
        return Answer::Known(*known);
    }
    if origins.sets[one.index()].sole == origins.sets[other.index()].sole {
        return Answer::Known(false);
    }
    if origins.is_apart(one, other) {
        return Answer::Known(true);
    }
    let function = origins.function;
    let is_before = |one, other| origins.order.is_before(function, one, other);
    let (first, second) = if is_before(one, other) {
        (one, other)
    } else if is_before(other, one) {
        (other, one)
    } else {
        return siblings(origins, one, other);
    };
    match (
        &function.value(second).kind,
        origins.flow.lost[second.index()],
    ) {
        (Kind::Any(_) | Kind::Param, false) => Answer::All(
            origins
                .flow
                .sources(second)
                .iter()
                .map(|source| ordered(first, *source))
                .collect(),
        ),
        _ => Answer::Known(false),
    }
}

/// Two values that are defined at once.
fn siblings(origins: &Origins<'_>, one: ValueId, other: ValueId) -> Answer {
    let function = origins.function;
    let (a, b) = (function.value(one), function.value(other));
    let are_params = a.kind == Kind::Param && b.kind == Kind::Param && a.segment == b.segment;
    let is_lost = |value: ValueId| origins.flow.lost[value.index()];
    if !are_params || is_lost(one) || is_lost(other) {
        return Answer::Known(false);
    }
    // Both have a source for each edge, in the same order.
    let sources = (origins.flow.sources(one), origins.flow.sources(other));
    Answer::All(
        sources
            .0
            .iter()
            .zip(sources.1)
            .map(|(one, other)| ordered(*one, *other))
            .collect(),
    )
}

fn ordered(one: ValueId, other: ValueId) -> Pair {
    (one.min(other), one.max(other))
}
