//! Which segments control comes to behind others.

use memplan_flow::{Components, EntitySet, Graph, reached_from};
use memplan_ownership::function::{Function, SegmentId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::{cell::RefCell, rc::Rc};

/// Segments that control is not followed through; sorted.
pub(super) type Stops = SmallVec<[SegmentId; 1]>;

/// What is asked about, and what control does not go through.
type Query = (SegmentId, Stops);

/// Which segments control comes to behind others, found when it is asked for. What was found for one place is kept: where
/// few places are asked about many others, it takes as many walks as there are few.
pub(super) struct Reach {
    /// The edges between segments, the way that is walked.
    edges: Graph<SegmentId>,
    circles: Components<SegmentId>,
    /// Places are asked about as what comes behind them, not as what is in front of them.
    is_forward: bool,
    /// What is behind places, or in front of them, but for what stops control.
    known: RefCell<FxHashMap<Query, Rc<EntitySet<SegmentId>>>>,
}

impl Reach {
    /// Of a function, where `sources` places are asked whether they come in front of `targets` places.
    pub(super) fn of(function: &Function, sources: usize, targets: usize) -> Self {
        let edges = function.graph();
        let is_forward = sources < targets;
        Self {
            circles: Components::of(&edges),
            edges: if is_forward { edges } else { edges.reversed() },
            is_forward,
            known: RefCell::default(),
        }
    }

    /// Can control come from the end of a segment to the start of another without going through `stops`, that one among
    /// them?
    pub(super) fn comes_to(&self, from: SegmentId, to: SegmentId, stops: &Stops) -> bool {
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

    /// Can control come back to a segment without going through `stops`?
    pub(super) fn comes_back(&self, to: SegmentId, stops: &Stops) -> bool {
        self.circles.is_cyclic(to) && (stops.is_empty() || self.comes_to(to, to, stops))
    }

    /// The segments that are reached from a segment, or from which it is reached.
    fn walk(&self, place: SegmentId, stops: &Stops) -> EntitySet<SegmentId> {
        let is_stop = |segment: SegmentId| stops.contains(&segment);
        if self.is_forward {
            // Control may be at the end of what stops it, and not come to its start.
            let mut behind = reached_from(&self.edges, place, is_stop);
            stops.iter().for_each(|stop| {
                behind.remove(*stop);
            });
            behind
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
    use memplan_ownership::function::{Edge, EdgeId, Room, Segment};

    /// A function of so many segments, with ways between them.
    fn function(count: usize, ways: &[(usize, usize)]) -> Function {
        let mut function = Function {
            segments: vec![Segment::default(); count],
            ..Function::default()
        };
        for (index, (from, to)) in ways.iter().enumerate() {
            function.segments[*from].edges.push(EdgeId::new(index));
            function.edges.push(Edge {
                from: SegmentId::new(*from),
                to: Some(SegmentId::new(*to)),
                passed: Vec::new(),
                room: Room::Split,
            });
        }
        function
    }

    #[test]
    fn asked_from_either_side_the_answer_is_the_same() {
        // Two loops around one another, a way past both, and what nothing comes to.
        let ways = [
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
        let function = function(7, &ways);
        let (forward, backward) = (Reach::of(&function, 1, 2), Reach::of(&function, 2, 1));
        let all = || (0..7).map(SegmentId::new);
        let one = all().map(|stop| Stops::from_slice(&[stop]));
        let two = all().flat_map(|one| all().map(move |two| Stops::from_slice(&[one, two])));
        let mut comes = 0;
        for stops in std::iter::once(Stops::new()).chain(one).chain(two) {
            for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
                let answer = forward.comes_to(from, to, &stops);
                assert_eq!(
                    answer,
                    backward.comes_to(from, to, &stops),
                    "{from:?} {to:?} {stops:?}"
                );
                comes += usize::from(answer);
            }
            for at in all() {
                let answer = forward.comes_back(at, &stops);
                assert_eq!(answer, backward.comes_back(at, &stops), "{at:?} {stops:?}");
                assert_eq!(answer, forward.comes_to(at, at, &stops), "{at:?} {stops:?}");
            }
        }
        assert!(comes > 100);
    }

    #[test]
    fn control_does_not_go_through_what_stops_it_but_may_start_there() {
        let function = function(3, &[(0, 1), (1, 2), (2, 1)]);
        for (sources, targets) in [(1, 2), (2, 1)] {
            let reach = Reach::of(&function, sources, targets);
            let [zero, one, two] = [0, 1, 2].map(SegmentId::new);
            let stops = Stops::from_slice(&[one]);
            assert!(!reach.comes_to(zero, one, &stops));
            assert!(!reach.comes_to(zero, two, &stops));
            assert!(reach.comes_to(one, two, &stops));
            assert!(!reach.comes_back(two, &stops));
            assert!(reach.comes_back(two, &Stops::new()));
            assert!(!reach.comes_back(zero, &Stops::new()));
        }
    }
}
