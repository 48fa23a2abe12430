//! Ownership of each value, by optimistic constant propagation over the plan's transfers of ownership.

use crate::{
    function::{Function, ValueId, ValueKind},
    order::SegmentOrder,
    plan::{Ownership, OwnershipSource, Plan},
};
use std::collections::VecDeque;

/// Fills in [`Plan::ownership`].
pub fn propagate(function: &Function, order: &SegmentOrder, plan: &mut Plan) {
    // `None` is the lattice's top: no ownership reaches the value so far.
    let mut flags: Vec<Option<Ownership>> = function
        .values
        .iter()
        .map(|value| match value.kind {
            ValueKind::Fresh { owned: false, .. } => Some(Ownership::Never),
            ValueKind::Fresh {
                may_alias: None, ..
            } => Some(Ownership::Always),
            ValueKind::Fresh { .. } | ValueKind::FreshOrAnyOf(_) => Some(Ownership::Dynamic),
            ValueKind::Foreign | ValueKind::AnyOf(_) => Some(Ownership::Never),
            ValueKind::Param => None,
        })
        .collect();
    // For each owner, the parameters whose ownership depends on it.
    let mut users: Vec<Vec<ValueId>> = vec![Vec::new(); function.values.len()];
    let mut open: Vec<ValueId> = Vec::new();
    for segment in order.segments() {
        for (at, param) in function.segment(*segment).params.iter().enumerate() {
            open.push(*param);
            for edge in &order.incoming[segment.index()] {
                for source in &plan.passed_ownership[edge.index()][at].sources {
                    if let Some(owner) = source_owner(plan, *source) {
                        users[owner.index()].push(*param);
                    }
                }
            }
        }
    }
    let mut open = VecDeque::from(open);
    let mut is_open = vec![true; function.values.len()];
    let param_numbers = function.param_numbers();
    // First in, first out: the changes of many sources are then taken in together.
    while let Some(param) = open.pop_front() {
        is_open[param.index()] = false;
        let segment = function.value(param).segment;
        let at = param_numbers[param.index()] as usize;
        let mut joined: Option<Ownership> = None;
        for edge in &order.incoming[segment.index()] {
            let pass = &plan.passed_ownership[edge.index()][at];
            let mut all: Option<Ownership> = Some(Ownership::Never);
            for source in &pass.sources {
                let owner = source_owner(plan, *source);
                let flag = owner.map_or(Some(Ownership::Dynamic), |owner| flags[owner.index()]);
                let flag = match (source, flag) {
                    (OwnershipSource::Tested { .. }, Some(Ownership::Always))
                        if pass.is_always_owned =>
                    {
                        Some(Ownership::Always)
                    }
                    (OwnershipSource::Tested { .. }, Some(Ownership::Always)) => {
                        Some(Ownership::Dynamic)
                    }
                    (_, flag) => flag,
                };
                all = match (all, flag) {
                    // The source may still turn out to be always owned. This arm comes first: otherwise a
                    // source that rises could lower the result, and the iteration would not terminate.
                    (None, _) | (_, None) => None,
                    (Some(Ownership::Always), _) | (_, Some(Ownership::Always)) => {
                        Some(Ownership::Always)
                    }
                    (Some(Ownership::Never), Some(Ownership::Never)) => Some(Ownership::Never),
                    _ => Some(Ownership::Dynamic),
                };
            }
            joined = match (joined, all) {
                (None, flag) | (flag, None) => flag,
                (Some(a), Some(b)) if a == b => Some(a),
                _ => Some(Ownership::Dynamic),
            };
        }
        if joined != flags[param.index()] {
            flags[param.index()] = joined;
            for user in &users[param.index()] {
                if !std::mem::replace(&mut is_open[user.index()], true) {
                    open.push_back(*user);
                }
            }
        }
    }
    plan.ownership = flags
        .into_iter()
        .map(|flag| flag.unwrap_or(Ownership::Never))
        .collect();
}

/// The value that ownership is taken from, if it is a single value.
fn source_owner(plan: &Plan, source: OwnershipSource) -> Option<ValueId> {
    match source {
        OwnershipSource::Moved(value) => Some(value),
        OwnershipSource::Tested { test, .. } => Some(plan.tests[test].value),
        OwnershipSource::BlockEnd { .. } => None,
    }
}
