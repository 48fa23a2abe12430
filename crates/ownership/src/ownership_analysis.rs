//! An analysis of values that may refer to memory which the function has to free, and of the regions that own
//! such memory.
//!
//! Memory belongs to the region that allocates it until the region forwards it: to the region around, or to
//! another region of the same operation. A region does not own memory that it uses from outside. The
//! ownership of a value is seen from the region that defines the value.

use crate::{
    function::{EdgeId, Function, RegionId, ValueId, ValueKind},
    order::SegmentOrder,
    plan::Ownership,
};

/// The result of the analysis, for each value.
pub struct OwnershipAnalysis {
    /// Whether the value may refer to memory that the function has to free.
    may_be_owned: Vec<bool>,
    /// Whether the region that defines the value owns its memory; `None` until something is known.
    ownership: Vec<Option<Ownership>>,
}

impl OwnershipAnalysis {
    /// Solves both dataflow problems of a function.
    pub fn of(function: &Function, order: &SegmentOrder) -> Self {
        let count = function.values.len();
        let mut known = Self {
            may_be_owned: vec![false; count],
            ownership: vec![None; count],
        };
        // Ownership depends on the values that cannot be owned, so these are found first.
        while known.spread_once(function, order) {}
        while known.solve_once(function, order) {}
        known
    }

    /// Whether a value may refer to memory that the function has to free.
    pub fn may_be_owned(&self, value: ValueId) -> bool {
        self.may_be_owned[value.index()]
    }

    /// Whether the region that defines a value owns its memory.
    pub fn ownership_of(&self, value: ValueId) -> Ownership {
        self.ownership[value.index()].unwrap_or(Ownership::Never)
    }

    fn spread_once(&mut self, function: &Function, order: &SegmentOrder) -> bool {
        let mut changed = false;
        let mut set = |may: &mut Vec<bool>, value: usize, next: bool| {
            changed |= next && !may[value];
            may[value] |= next;
        };
        for (index, value) in function.values.iter().enumerate() {
            let next = match &value.kind {
                ValueKind::Fresh { owned, .. } => *owned,
                ValueKind::FreshOrAnyOf(_) => true,
                ValueKind::AnyOf(sources) => {
                    sources.iter().any(|source| self.may_be_owned(*source))
                }
                ValueKind::Foreign | ValueKind::Param => false,
            };
            set(&mut self.may_be_owned, index, next);
        }
        for segment in order.segments() {
            for (at, param) in function.segment(*segment).params.iter().enumerate() {
                let mut edges = order.incoming[segment.index()].iter();
                let next = edges.any(|edge| {
                    let passed = function.edge(*edge).passed.get(at).copied().flatten();
                    passed.is_some_and(|passed| self.may_be_owned(passed))
                });
                set(&mut self.may_be_owned, param.index(), next);
            }
        }
        changed
    }

    fn solve_once(&mut self, function: &Function, order: &SegmentOrder) -> bool {
        let mut changed = false;
        for (index, value) in function.values.iter().enumerate() {
            let next = match &value.kind {
                ValueKind::Fresh { owned: true, .. } => Some(Ownership::Always),
                ValueKind::Fresh { owned: false, .. } | ValueKind::Foreign => {
                    Some(Ownership::Never)
                }
                ValueKind::FreshOrAnyOf(_) => Some(Ownership::Dynamic),
                ValueKind::AnyOf(sources) => {
                    let region = function.region(value.segment);
                    let all = sources.iter();
                    join(all.map(|source| self.seen_from(function, *source, region)))
                }
                ValueKind::Param => continue,
            };
            changed |= std::mem::replace(&mut self.ownership[index], next) != next;
        }
        for segment in order.segments() {
            for (at, param) in function.segment(*segment).params.iter().enumerate() {
                let edges = order.incoming[segment.index()].iter();
                let next = join(edges.map(|edge| self.passed(function, *edge, at)));
                changed |= std::mem::replace(&mut self.ownership[param.index()], next) != next;
            }
        }
        changed
    }

    /// The ownership of a value, seen from a region where the value is visible.
    fn seen_from(
        &self,
        function: &Function,
        value: ValueId,
        region: RegionId,
    ) -> Option<Ownership> {
        if function.region(function.value(value).segment) == region {
            self.ownership[value.index()]
        } else {
            Some(Ownership::Never)
        }
    }

    /// The ownership of the value that an edge passes, seen from the region that the edge leads to.
    fn passed(&self, function: &Function, edge: EdgeId, at: usize) -> Option<Ownership> {
        let fact = function.edge(edge);
        let (Some(Some(value)), Some(to)) = (fact.passed.get(at).copied(), fact.to) else {
            return Some(Ownership::Never);
        };
        let (from, to) = (function.region(fact.from), function.region(to));
        let defined_in = function.region(function.value(value).segment);
        if from != to && function.is_inside(to, from) {
            return Some(Ownership::Never);
        }
        if from == to || defined_in != from {
            return self.seen_from(function, value, to);
        }
        match self.ownership[value.index()] {
            // Memory that the inner region does not own may belong to the outer one.
            Some(Ownership::Never) if function.is_inside(from, to) && self.may_be_owned(value) => {
                Some(Ownership::Dynamic)
            }
            flag => flag,
        }
    }
}

/// The join of all known ownerships. `None` counts as unknown and is skipped.
fn join(flags: impl Iterator<Item = Option<Ownership>>) -> Option<Ownership> {
    flags.flatten().fold(None, |all, flag| match all {
        None => Some(flag),
        Some(all) if all == flag => Some(all),
        Some(_) => Some(Ownership::Dynamic),
    })
}
