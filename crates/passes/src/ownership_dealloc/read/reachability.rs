//! Reachability between segments, on demand.

use memplan_flow::{Components, EntitySet, Graph, reached_from};
use memplan_ownership::function::{Function, SegmentId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::{cell::RefCell, rc::Rc};

/// Segments that paths must not go through, sorted.
pub(super) type Stops = SmallVec<[SegmentId; 1]>;

/// A query: a segment, and the stops.
type Query = (SegmentId, Stops);

/// Reachability between segments. Results are cached by the queried segment: if few segments are compared
/// with many, there are as many graph walks as there are few.
pub(super) struct Reachability {
    /// The edges between segments, in the direction of the walks.
    edges: Graph<SegmentId>,
    components: Components<SegmentId>,
    /// Walks start at the source of a query. Otherwise they start at its target.
    is_forward: bool,
    /// The segments that each walk reaches.
    known: RefCell<FxHashMap<Query, Rc<EntitySet<SegmentId>>>>,
}

impl Reachability {
    /// Prepares queries whether `sources` segments reach `targets` others.
    pub(super) fn of(function: &Function, sources: usize, targets: usize) -> Self {
        let edges = function.graph();
        let is_forward = sources < targets;
        Self {
            components: Components::of(&edges),
            edges: if is_forward { edges } else { edges.reversed() },
            is_forward,
            known: RefCell::default(),
        }
    }

    /// Whether a path leads from the end of a segment to the start of another without going through `stops`.
    /// The target may not be a stop.
    pub(super) fn reaches(&self, from: SegmentId, to: SegmentId, stops: &Stops) -> bool {
        let (place, other) = if self.is_forward {
            (from, to)
        } else {
            (to, from)
        };
        let key = (place, stops.clone());
        let known = self.known.borrow().get(&key).map(Rc::clone);
        let found = known.unwrap_or_else(|| {
            let found = Rc::new(self.walk(place, stops));
            self.known.borrow_mut().insert(key, Rc::clone(&found));
            found
        });
        found.contains(other)
    }

    /// Whether a path leads from a segment back to it without going through `stops`.
    pub(super) fn reaches_itself(&self, to: SegmentId, stops: &Stops) -> bool {
        self.components.is_cyclic(to) && (stops.is_empty() || self.reaches(to, to, stops))
    }

    /// The segments that are reachable from a segment, or that reach it.
    fn walk(&self, place: SegmentId, stops: &Stops) -> EntitySet<SegmentId> {
        let is_stop = |segment: SegmentId| stops.contains(&segment);
        if self.is_forward {
            // A path may start at the end of a stop, but not lead to its start.
            let mut reached = reached_from(&self.edges, place, is_stop);
            stops.iter().for_each(|stop| {
                reached.remove(*stop);
            });
            reached
        } else if is_stop(place) {
            EntitySet::new()
        } else {
            reached_from(&self.edges, place, is_stop)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_ownership::function::{Edge, EdgeId, EdgeSplit, Segment};

    /// A function with this number of segments and these edges.
    fn function(count: usize, edges: &[(usize, usize)]) -> Function {
        let mut function = Function {
            segments: vec![Segment::default(); count],
            ..Function::default()
        };
        for (index, (from, to)) in edges.iter().enumerate() {
            function.segments[*from].edges.push(EdgeId::new(index));
            function.edges.push(Edge {
                from: SegmentId::new(*from),
                to: Some(SegmentId::new(*to)),
                passed: Vec::new(),
                split: EdgeSplit::Possible,
            });
        }
        function
    }

    #[test]
    fn both_directions_give_the_same_answer() {
        // Two nested loops, an edge past both, and an unreachable segment.
        let edges = [
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 2),
            (3, 1),
            (1, 4),
            (0, 4),
            (5, 4),
            (4, 6),
            (6, 6),
        ];
        let function = function(7, &edges);
        let (forward, backward) = (
            Reachability::of(&function, 1, 2),
            Reachability::of(&function, 2, 1),
        );
        let all = || (0..7).map(SegmentId::new);
        let one = all().map(|stop| Stops::from_slice(&[stop]));
        let two = all().flat_map(|one| all().map(move |two| Stops::from_slice(&[one, two])));
        let mut comes = 0;
        for stops in std::iter::once(Stops::new()).chain(one).chain(two) {
            for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
                let answer = forward.reaches(from, to, &stops);
                assert_eq!(
                    answer,
                    backward.reaches(from, to, &stops),
                    "{from:?} {to:?} {stops:?}"
                );
                comes += usize::from(answer);
            }
            for at in all() {
                let answer = forward.reaches_itself(at, &stops);
                assert_eq!(
                    answer,
                    backward.reaches_itself(at, &stops),
                    "{at:?} {stops:?}"
                );
                assert_eq!(answer, forward.reaches(at, at, &stops), "{at:?} {stops:?}");
            }
        }
        assert!(comes > 100);
    }

    #[test]
    fn paths_may_start_at_a_stop_but_not_go_through_it() {
        let function = function(3, &[(0, 1), (1, 2), (2, 1)]);
        for (sources, targets) in [(1, 2), (2, 1)] {
            let reach = Reachability::of(&function, sources, targets);
            let [zero, one, two] = [0, 1, 2].map(SegmentId::new);
            let stops = Stops::from_slice(&[one]);
            assert!(!reach.reaches(zero, one, &stops));
            assert!(!reach.reaches(zero, two, &stops));
            assert!(reach.reaches(one, two, &stops));
            assert!(!reach.reaches_itself(two, &stops));
            assert!(reach.reaches_itself(two, &Stops::new()));
            assert!(!reach.reaches_itself(zero, &Stops::new()));
        }
    }
}
