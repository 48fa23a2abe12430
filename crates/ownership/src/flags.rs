//! Which values own memory: constants as far as they can be known, by propagation from below.

use crate::{
    function::{Function, Kind, ValueId},
    order::Order,
    plan::{Flag, Plan, Source},
};

/// Fills in the flags of a plan.
pub fn solve(function: &Function, order: &Order, plan: &mut Plan) {
    // `None`: nothing reaches it so far.
    let mut flags: Vec<Option<Flag>> = function
        .values
        .iter()
        .map(|value| match value.kind {
            Kind::Fresh { owned: false, .. } => Some(Flag::No),
            Kind::Fresh { same_as: None, .. } => Some(Flag::Yes),
            Kind::Fresh { .. } | Kind::Told(_) => Some(Flag::Dynamic),
            Kind::Foreign | Kind::Any(_) => Some(Flag::No),
            Kind::Param => None,
        })
        .collect();
    // By the value that a flag hangs on: the parameters to look at again.
    let mut users: Vec<Vec<ValueId>> = vec![Vec::new(); function.values.len()];
    let mut open: Vec<ValueId> = Vec::new();
    for segment in order.segments() {
        for (at, param) in function.segment(*segment).params.iter().enumerate() {
            open.push(*param);
            for edge in &order.incoming[segment.index()] {
                for source in &plan.passes[edge.index()][at].sources {
                    if let Some(owner) = owner(plan, *source) {
                        users[owner.index()].push(*param);
                    }
                }
            }
        }
    }
    open.reverse();
    let places = places(function);
    while let Some(param) = open.pop() {
        let segment = function.value(param).segment;
        let at = places[param.index()];
        let mut joined: Option<Flag> = None;
        for edge in &order.incoming[segment.index()] {
            let pass = &plan.passes[edge.index()][at];
            let mut all: Option<Flag> = Some(Flag::No);
            for source in &pass.sources {
                let owner = owner(plan, *source);
                let flag = owner.map_or(Some(Flag::Dynamic), |owner| flags[owner.index()]);
                let flag = match (source, flag) {
                    (Source::Tested { .. }, Some(Flag::Yes)) if pass.certain => Some(Flag::Yes),
                    (Source::Tested { .. }, Some(Flag::Yes)) => Some(Flag::Dynamic),
                    (_, flag) => flag,
                };
                all = match (all, flag) {
                    // It may still turn out to be one that always holds. First, or what rises in one
                    // source could fall in the outcome, and this would never end.
                    (None, _) | (_, None) => None,
                    (Some(Flag::Yes), _) | (_, Some(Flag::Yes)) => Some(Flag::Yes),
                    (Some(Flag::No), Some(Flag::No)) => Some(Flag::No),
                    _ => Some(Flag::Dynamic),
                };
            }
            joined = match (joined, all) {
                (None, flag) | (flag, None) => flag,
                (Some(a), Some(b)) if a == b => Some(a),
                _ => Some(Flag::Dynamic),
            };
        }
        if joined != flags[param.index()] {
            flags[param.index()] = joined;
            open.extend(users[param.index()].iter().copied());
        }
    }
    plan.flags = flags
        .into_iter()
        .map(|flag| flag.unwrap_or(Flag::No))
        .collect();
}

/// The value that a source takes ownership from, if that is one.
fn owner(plan: &Plan, source: Source) -> Option<ValueId> {
    match source {
        Source::Moved(value) => Some(value),
        Source::Tested { test, .. } => Some(plan.tests[test].value),
        Source::Gathered { .. } => None,
    }
}

/// For each parameter, its place among those of its segment.
fn places(function: &Function) -> Vec<usize> {
    let mut places = vec![0; function.values.len()];
    for segment in &function.segments {
        for (at, param) in segment.params.iter().enumerate() {
            places[param.index()] = at;
        }
    }
    places
}
