//! The bytes of a function whose scopes have several arenas in one memory space, which are not all held at once.

use crate::{FunctionReport, ScopeReport};
use std::collections::BTreeMap;

impl FunctionReport {
    /// The most bytes of arenas that are held at one moment of a call.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.planned_bytes
            .unwrap_or_else(|| sum(&self.scopes, |scope| scope.planned_bytes))
    }

    /// A lower bound of [`planned`](Self::planned).
    #[must_use]
    pub fn lower_bound(&self) -> u64 {
        self.lower_bound_bytes
            .unwrap_or_else(|| sum(&self.scopes, |scope| scope.lower_bound_bytes))
    }

    /// The same with `planned_bytes`, and `bound` as `lower_bound_bytes`, if arenas are not held as long as their scope.
    #[must_use]
    pub fn with_totals(mut self, bound: u64) -> Self {
        if self.scopes.iter().all(|scope| scope.held.is_none()) {
            return self;
        }
        // Arenas of one scope and memory space.
        let mut groups: BTreeMap<(&str, &str, &str), Vec<&ScopeReport>> = BTreeMap::new();
        let mut planned = 0_u64;
        for scope in &self.scopes {
            if scope.held.is_some() {
                let key = (&*scope.kind, &*scope.location, &*scope.memory_space);
                groups.entry(key).or_default().push(scope);
            } else {
                planned = planned.saturating_add(scope.planned_bytes);
            }
        }
        for group in groups.values() {
            planned = planned.saturating_add(most_held(group));
        }
        self.planned_bytes = Some(planned);
        self.lower_bound_bytes = Some(bound.min(planned));
        self
    }

    /// The same with `heap_bytes` and a lower bound of it.
    #[must_use]
    pub fn with_heap(mut self, heap: Option<(u64, u64)>) -> Self {
        (self.heap_bytes, self.heap_lower_bound_bytes) = heap.unzip();
        self
    }
}

fn sum(scopes: &[ScopeReport], bytes: impl Fn(&ScopeReport) -> u64) -> u64 {
    scopes.iter().map(bytes).fold(0, u64::saturating_add)
}

/// The most bytes of these arenas at one moment.
fn most_held(scopes: &[&ScopeReport]) -> u64 {
    let mut changes: Vec<(u64, i128)> = Vec::new();
    for scope in scopes {
        if let Some((first, end)) = scope.held {
            let size = i128::from(scope.planned_bytes);
            changes.extend([(first, size), (end, -size)]);
        }
    }
    changes.sort_unstable();
    let (mut held, mut most) = (0, 0);
    for (_, change) in changes {
        held += change;
        most = most.max(held);
    }
    u64::try_from(most).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, scope};

    #[test]
    fn arenas_that_are_not_held_at_once_count_once() {
        let part = |id, live: (u64, u64), held| ScopeReport {
            held: Some(held),
            ..scope(vec![buffer(id, 64, 0, &[live])])
        };
        let function = FunctionReport {
            scopes: vec![
                part(0, (0, 4), (0, 4)),
                part(1, (4, 8), (3, 8)),
                part(2, (9, 10), (9, 10)),
            ],
            ..FunctionReport::default()
        };
        let function = function.with_totals(64);
        // At 3, two are held.
        assert_eq!((function.planned(), function.lower_bound()), (128, 64));
    }

    #[test]
    fn arenas_of_whole_scopes_add_up() {
        let function = FunctionReport {
            scopes: vec![
                scope(vec![buffer(0, 64, 0, &[(0, 4)])]),
                scope(vec![buffer(1, 8, 0, &[(5, 6)])]),
            ],
            ..FunctionReport::default()
        };
        let function = function.with_totals(72);
        assert_eq!((function.planned_bytes, function.planned()), (None, 72));
    }
}
