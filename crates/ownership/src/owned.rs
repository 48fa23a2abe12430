//! Whose memory is the function's to give back, as far as that is the same in each run.
//!
//! Memory belongs to the region that it is made in, until that hands it on: into the region around, or into
//! another of the same operation. What a region uses from around it is not its own. A value is looked at
//! from the region that defines it.

use crate::{
    function::{EdgeId, Function, Kind, RegionId, ValueId},
    order::Order,
    plan::Flag,
};

/// What is known of each value.
pub struct Ownership {
    /// It may be memory that the function has to free.
    may: Vec<bool>,
    /// Whether it is memory of its region.
    flags: Vec<Option<Flag>>,
}

impl Ownership {
    /// Of a function.
    pub fn of(function: &Function, order: &Order) -> Self {
        let count = function.values.len();
        let mut known = Self {
            may: vec![false; count],
            flags: vec![None; count],
        };
        // What may be is settled first, as flags hang on what cannot be.
        while known.spread(function, order) {}
        while known.solve(function, order) {}
        known
    }

    /// May a value be memory that the function has to free?
    pub fn may_be(&self, value: ValueId) -> bool {
        self.may[value.index()]
    }

    /// Is it memory of the region that defines it?
    pub fn flag(&self, value: ValueId) -> Flag {
        self.flags[value.index()].unwrap_or(Flag::No)
    }

    fn spread(&mut self, function: &Function, order: &Order) -> bool {
        let mut changed = false;
        let mut set = |may: &mut Vec<bool>, value: usize, now: bool| {
            changed |= now && !may[value];
            may[value] |= now;
        };
        for (index, value) in function.values.iter().enumerate() {
            let now = match &value.kind {
                Kind::Fresh { owned, .. } => *owned,
                Kind::Told(_) => true,
                Kind::Any(sources) => sources.iter().any(|source| self.may_be(*source)),
                Kind::Foreign | Kind::Param => false,
            };
            set(&mut self.may, index, now);
        }
        for segment in order.segments() {
            for (at, param) in function.segment(*segment).params.iter().enumerate() {
                let mut edges = order.incoming[segment.index()].iter();
                let now = edges.any(|edge| {
                    let passed = function.edge(*edge).passed.get(at).copied().flatten();
                    passed.is_some_and(|passed| self.may_be(passed))
                });
                set(&mut self.may, param.index(), now);
            }
        }
        changed
    }

    fn solve(&mut self, function: &Function, order: &Order) -> bool {
        let mut changed = false;
        for (index, value) in function.values.iter().enumerate() {
            let now = match &value.kind {
                Kind::Fresh { owned: true, .. } => Some(Flag::Yes),
                Kind::Fresh { owned: false, .. } | Kind::Foreign => Some(Flag::No),
                Kind::Told(_) => Some(Flag::Dynamic),
                Kind::Any(sources) => {
                    let region = function.region(value.segment);
                    let all = sources.iter();
                    joined(all.map(|source| self.seen_from(function, *source, region)))
                }
                Kind::Param => continue,
            };
            changed |= std::mem::replace(&mut self.flags[index], now) != now;
        }
        for segment in order.segments() {
            for (at, param) in function.segment(*segment).params.iter().enumerate() {
                let edges = order.incoming[segment.index()].iter();
                let now = joined(edges.map(|edge| self.passed(function, *edge, at)));
                changed |= std::mem::replace(&mut self.flags[param.index()], now) != now;
            }
        }
        changed
    }

    /// Is a value memory of a region that can name it?
    fn seen_from(&self, function: &Function, value: ValueId, region: RegionId) -> Option<Flag> {
        if function.region(function.value(value).segment) == region {
            self.flags[value.index()]
        } else {
            Some(Flag::No)
        }
    }

    /// Is what an edge passes memory of the region that it leads to?
    fn passed(&self, function: &Function, edge: EdgeId, at: usize) -> Option<Flag> {
        let fact = function.edge(edge);
        let (Some(Some(value)), Some(to)) = (fact.passed.get(at).copied(), fact.to) else {
            return Some(Flag::No);
        };
        let (from, to) = (function.region(fact.from), function.region(to));
        let home = function.region(function.value(value).segment);
        if from != to && function.is_inside(to, from) {
            return Some(Flag::No);
        }
        if from == to || home != from {
            return self.seen_from(function, value, to);
        }
        match self.flags[value.index()] {
            // What is not the inner region's may be the outer one's.
            Some(Flag::No) if function.is_inside(from, to) && self.may_be(value) => {
                Some(Flag::Dynamic)
            }
            flag => flag,
        }
    }
}

/// What holds whichever it is; those that nothing is known of so far do not count.
fn joined(flags: impl Iterator<Item = Option<Flag>>) -> Option<Flag> {
    flags.flatten().fold(None, |all, flag| match all {
        None => Some(flag),
        Some(all) if all == flag => Some(all),
        Some(_) => Some(Flag::Dynamic),
    })
}
