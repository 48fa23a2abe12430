//! The order of segments, and which dominate which.

use crate::function::{EdgeId, Function, RegionId, SegmentId, StepIndex, ValueId};
use memplan_flow::{Dominators, Nesting};
use smallvec::SmallVec;

/// Reachable segments in reverse postorder, and their dominators.
#[derive(Clone, Debug)]
pub struct Order {
    /// The edges into each segment that come from reachable ones.
    pub incoming: Vec<SmallVec<[EdgeId; 2]>>,
    dominators: Dominators<SegmentId>,
    regions: Nesting<RegionId>,
}

impl Order {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let dominators = Dominators::of(&function.graph(), SegmentId(0));
        let mut incoming = function.incoming();
        for edges in &mut incoming {
            edges.retain(|edge| dominators.is_reachable(function.edge(*edge).from));
        }
        let regions = function.regions.iter().enumerate();
        Self {
            incoming,
            regions: Nesting::of(regions.map(|(at, around)| (RegionId::new(at), *around))),
            dominators,
        }
    }

    /// Reachable segments, each behind its dominators.
    pub fn segments(&self) -> &[SegmentId] {
        self.dominators.reverse_postorder()
    }

    /// Is a segment ever reached?
    pub fn is_reachable(&self, segment: SegmentId) -> bool {
        self.dominators.is_reachable(segment)
    }

    /// Does every way to `other` lead through `one`? Also if they are the same.
    pub fn dominates(&self, one: SegmentId, other: SegmentId) -> bool {
        self.dominators.dominates(one, other)
    }

    /// Can what stands at the start of `at` name `value`? A parameter of `at` can be named.
    pub fn is_visible(&self, function: &Function, value: ValueId, at: SegmentId) -> bool {
        let value = function.value(value);
        let is_before = if value.segment == at {
            value.step.is_none()
        } else {
            self.dominates(value.segment, at)
        };
        is_before
            && self
                .regions
                .contains(function.region(value.segment), function.region(at))
    }

    /// Is `one` defined before `other`, on every way to `other`? Parameters of one segment are defined
    /// at once.
    pub fn is_before(&self, function: &Function, one: ValueId, other: ValueId) -> bool {
        let place = |value: ValueId| -> (SegmentId, Option<StepIndex>) {
            let value = function.value(value);
            (value.segment, value.step)
        };
        let (one, other) = (place(one), place(other));
        if one.0 == other.0 {
            one.1 < other.1
        } else {
            self.dominates(one.0, other.0)
        }
    }
}
