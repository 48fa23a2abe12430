//! Exact search for the fewest bytes moved, for programs with few values.
//!
//! A state is the placement of values before an operation. Dijkstra's algorithm searches all states of a segment, with
//! one move of a value at a time. After the segment, each path is searched separately, and the one with the highest
//! cost counts.

use memplan_bounded::{Deaths, SegmentId, StepId, Tree, ValueId};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The offsets of values, by ascending values.
type State = Vec<(ValueId, u64)>;

/// The search visited too many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {most} states")]
pub struct TooLarge {
    /// The number of states allowed.
    pub most: usize,
}

/// The fewest bytes moved on the most expensive path, over all placements and moves of values in a stack of `limit`
/// bytes; `None` if the values do not fit. Visits at most `most` states.
///
/// # Errors
///
/// If that is not enough.
pub fn least_moved(
    tree: &Tree,
    deaths: &Deaths,
    limit: u64,
    most: usize,
) -> Result<Option<u64>, TooLarge> {
    if tree.segments.is_empty() {
        return Ok(Some(0));
    }
    let mut search = Search {
        tree,
        deaths,
        sizes: tree.rounded(),
        unit: tree.unit(),
        limit,
        known: FxHashMap::default(),
        left: most,
        most,
    };
    search.least(SegmentId(0), Vec::new())
}

struct Search<'t> {
    tree: &'t Tree,
    deaths: &'t Deaths,
    sizes: Vec<u64>,
    unit: u64,
    limit: u64,
    known: FxHashMap<(SegmentId, State), Option<u64>>,
    left: usize,
    most: usize,
}

impl Search<'_> {
    fn without(state: &State, gone: &[ValueId]) -> State {
        let kept = state.iter().filter(|(value, _)| !gone.contains(value));
        kept.copied().collect()
    }

    fn is_free(&self, state: &State, value: ValueId, at: u64) -> bool {
        let end = at + self.sizes[value.index()];
        end <= self.limit
            && state.iter().all(|(other, start)| {
                *other == value || start + self.sizes[other.index()] <= at || end <= *start
            })
    }

    fn least(&mut self, segment: SegmentId, before: State) -> Result<Option<u64>, TooLarge> {
        let state = Self::without(&before, &self.deaths.on_entry[segment.index()]);
        let key = (segment, state);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let facts = &self.tree.segments[segment.index()];
        let (last, children) = (facts.steps.end, facts.children.clone());
        let mut cheapest: FxHashMap<(u32, State), u64> = FxHashMap::default();
        let mut open = BinaryHeap::new();
        open.push(Reverse((0_u64, facts.steps.start, key.1.clone())));
        let mut best: Option<u64> = None;
        while let Some(Reverse((cost, step, state))) = open.pop() {
            if best.is_some_and(|best| best <= cost) {
                break;
            }
            let known = cheapest.get(&(step, state.clone()));
            if known.is_some_and(|known| *known <= cost) {
                continue;
            }
            self.left = self
                .left
                .checked_sub(1)
                .ok_or(TooLarge { most: self.most })?;
            cheapest.insert((step, state.clone()), cost);
            if step == last {
                let mut dearest = Some(0);
                for child in &children {
                    let rest = self.least(*child, state.clone())?;
                    dearest = dearest.zip(rest).map(|(one, other)| one.max(other));
                }
                if let Some(dearest) = dearest {
                    let total = cost + dearest;
                    best = Some(best.map_or(total, |best| best.min(total)));
                }
                continue;
            }
            let results = self.tree.defines(StepId(step));
            for next in self.states_after(&state, StepId(step)) {
                open.push(Reverse((cost, step + 1, next)));
            }
            // Moves are useful only if the operation needs space.
            if results.is_empty() {
                continue;
            }
            for (index, (value, from)) in state.iter().enumerate() {
                let size = self.sizes[value.index()];
                if self.tree.values[value.index()].pinned {
                    continue;
                }
                let mut at = 0;
                while at + size <= self.limit {
                    if at != *from && self.is_free(&state, *value, at) {
                        let mut next = state.clone();
                        next[index].1 = at;
                        open.push(Reverse((cost + size, step, next)));
                    }
                    at += self.unit;
                }
            }
        }
        self.known.insert(key, best);
        Ok(best)
    }

    /// The states after an operation: its results may be placed at any free offset.
    fn states_after(&self, state: &State, step: StepId) -> Vec<State> {
        let results = self.tree.defines(step);
        let dying = &self.deaths.at_step[step.index()];
        let mut states = vec![Self::without(state, dying)];
        for value in results {
            let size = self.sizes[value.index()];
            let mut next = Vec::new();
            for state in states {
                if size == 0 {
                    next.push(state);
                    continue;
                }
                let mut at = 0;
                while at + size <= self.limit {
                    if self.is_free(&state, *value, at) {
                        let mut placed = state.clone();
                        placed.push((*value, at));
                        placed.sort_unstable();
                        next.push(placed);
                    }
                    at += self.unit;
                }
            }
            states = next;
        }
        for state in &mut states {
            *state = Self::without(state, dying);
        }
        states.sort_unstable();
        states.dedup();
        states
    }
}
