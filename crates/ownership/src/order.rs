//! Reachable segments in dominance order, and which values are visible where.

use crate::function::{EdgeId, Function, RegionId, SegmentId, StepIndex, ValueId};
use memplan_flow::{Dominators, Nesting};
use smallvec::SmallVec;

/// The reachable segments of a function in reverse postorder, and their dominators.
#[derive(Clone, Debug)]
pub struct SegmentOrder {
    /// For each segment, its incoming edges from reachable segments.
    pub incoming: Vec<SmallVec<[EdgeId; 2]>>,
    dominators: Dominators<SegmentId>,
    regions: Nesting<RegionId>,
}

impl SegmentOrder {
    /// Computes the order of a function's segments in O(m log n).
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

    /// Reachable segments; each comes after its dominators.
    pub fn segments(&self) -> &[SegmentId] {
        self.dominators.reverse_postorder()
    }

    /// Whether any path from the entry leads to a segment.
    pub fn is_reachable(&self, segment: SegmentId) -> bool {
        self.dominators.is_reachable(segment)
    }

    /// Whether every path to `other` leads through `one`. A segment dominates itself.
    pub fn dominates(&self, one: SegmentId, other: SegmentId) -> bool {
        self.dominators.dominates(one, other)
    }

    /// Whether code at the start of `at` can name `value`. Parameters of `at` are visible there.
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

    /// Whether `one` is defined before `other` on every path to `other`. Parameters of one segment are
    /// defined at the same point: neither is before the other.
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
