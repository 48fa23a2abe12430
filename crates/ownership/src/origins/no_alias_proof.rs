//! Proofs that values with common origins never alias.
//!
//! A parameter does not alias a value that was defined before it if no value does that an edge passes for it.
//! Two parameters of one segment do not alias if no edge passes aliases for both. Pairs that recur are
//! assumed not to alias. If the assumption turns out wrong, it is withdrawn for all pairs that rely on it.
//! This is the greatest fixpoint, which is sound by induction over the steps of a run.

use super::Origins;
use crate::function::{ValueId, ValueKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of pairs that one query examines.
const MAX_PAIRS_PER_QUERY: usize = 128;
/// The number of pairs that all queries about a function examine, for each of its values; [`EXTRA_PAIRS`] are
/// added.
const PAIRS_PER_VALUE: usize = 8;
const EXTRA_PAIRS: usize = 1 << 16;

type Pair = (ValueId, ValueId);

/// Answers so far.
#[derive(Default)]
pub(super) struct NoAliasProofs {
    known: FxHashMap<Pair, bool>,
    /// The number of pairs that have been examined.
    pairs_examined: usize,
}

/// An answer for a pair, or the pairs that it depends on.
enum PairAnswer {
    Known(bool),
    /// The pair never aliases if none of these does.
    IfAll(SmallVec<[Pair; 4]>),
}

/// Whether two values never alias, by the values that edges pass.
pub(super) fn never_alias(origins: &mut Origins<'_>, one: ValueId, other: ValueId) -> bool {
    let first = ordered_pair(one, other);
    if let Some(known) = origins.proofs.known.get(&first) {
        return *known;
    }
    if origins.proofs.pairs_examined > EXTRA_PAIRS + PAIRS_PER_VALUE * origins.function.values.len()
    {
        return false;
    }
    // For each pair that is open or done, the pairs that rely on it.
    let mut seen: FxHashMap<Pair, SmallVec<[Pair; 2]>> = FxHashMap::default();
    seen.insert(first, SmallVec::new());
    let mut open = vec![first];
    let mut refuted: Vec<Pair> = Vec::new();
    while let Some(pair) = open.pop() {
        match answer(origins, pair) {
            PairAnswer::Known(true) => {}
            PairAnswer::Known(false) => refuted.push(pair),
            PairAnswer::IfAll(needs) if seen.len() + needs.len() > MAX_PAIRS_PER_QUERY => {
                drop(needs);
                refuted.push(pair);
            }
            PairAnswer::IfAll(needs) => {
                for need in needs {
                    let users = seen.entry(need).or_insert_with(|| {
                        open.push(need);
                        SmallVec::new()
                    });
                    users.push(pair);
                }
            }
        }
        // The answer of the query is known.
        if refuted.contains(&first) {
            break;
        }
    }
    origins.proofs.pairs_examined += seen.len();
    let is_complete = open.is_empty();
    let mut assumed: FxHashMap<Pair, bool> = seen.keys().map(|pair| (*pair, true)).collect();
    while let Some(pair) = refuted.pop() {
        if assumed.insert(pair, false) == Some(true) {
            refuted.extend(seen[&pair].iter().copied());
        }
    }
    let answer = assumed[&first];
    assumed.retain(|_, never_alias| is_complete || !*never_alias);
    origins.proofs.known.extend(assumed);
    answer
}

fn answer(origins: &Origins<'_>, pair: Pair) -> PairAnswer {
    let (one, other) = pair;
    if let Some(known) = origins.proofs.known.get(&pair) {
        return PairAnswer::Known(*known);
    }
    if origins.sets[one.index()].sole == origins.sets[other.index()].sole {
        return PairAnswer::Known(false);
    }
    if origins.have_disjoint_origins(one, other) {
        return PairAnswer::Known(true);
    }
    let function = origins.function;
    let is_before = |one, other| origins.order.is_before(function, one, other);
    let (first, second) = if is_before(one, other) {
        (one, other)
    } else if is_before(other, one) {
        (other, one)
    } else {
        return defined_together(origins, one, other);
    };
    match (
        &function.value(second).kind,
        origins.flow.is_unknown[second.index()],
    ) {
        (ValueKind::AnyOf(_) | ValueKind::Param, false) => PairAnswer::IfAll(
            origins
                .flow
                .sources(second)
                .iter()
                .map(|source| ordered_pair(first, *source))
                .collect(),
        ),
        _ => PairAnswer::Known(false),
    }
}

/// Two values that are defined at the same point.
fn defined_together(origins: &Origins<'_>, one: ValueId, other: ValueId) -> PairAnswer {
    let function = origins.function;
    let (a, b) = (function.value(one), function.value(other));
    let are_params =
        a.kind == ValueKind::Param && b.kind == ValueKind::Param && a.segment == b.segment;
    let is_lost = |value: ValueId| origins.flow.is_unknown[value.index()];
    if !are_params || is_lost(one) || is_lost(other) {
        return PairAnswer::Known(false);
    }
    // Both have one source for each edge, in the same order.
    let sources = (origins.flow.sources(one), origins.flow.sources(other));
    PairAnswer::IfAll(
        sources
            .0
            .iter()
            .zip(sources.1)
            .map(|(one, other)| ordered_pair(*one, *other))
            .collect(),
    )
}

fn ordered_pair(one: ValueId, other: ValueId) -> Pair {
    (one.min(other), one.max(other))
}
