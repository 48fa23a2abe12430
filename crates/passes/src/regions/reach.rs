//! How far memory goes that comes into being as a memref.
//!
//! Control takes memrefs along one way: what is made as one of them is later known by those that it comes to, and by no
//! others, though these may be other memory, too. So what a turn of a loop makes and selects, or else something from
//! outside, dies in that turn.

use super::{
    facts::{Function, ScopeId, ValueId},
    summary::Summary,
};
use memplan_flow::{Components, Graph, reachable};
use smallvec::SmallVec;

/// Where the memory of a memref goes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The innermost scope in which all memrefs come into being that it comes to.
    pub top: ScopeId,
    /// It may be returned.
    pub is_returned: bool,
}

impl Reach {
    /// As far as one of two goes.
    pub fn with(self, other: Self, function: &Function) -> Self {
        Self {
            top: function.around(self.top, other.top),
            is_returned: self.is_returned || other.is_returned,
        }
    }
}

/// For each memref.
pub fn reaches(function: &Function, summaries: &[Summary]) -> Vec<Reach> {
    let next = flows(function, summaries);
    let start = |scope: &ScopeId| Reach {
        top: *scope,
        is_returned: false,
    };
    let mut reaches: Vec<Reach> = function.values.iter().map(start).collect();
    for value in function.returns.iter().flatten().flatten() {
        reaches[value.index()].is_returned = true;
    }
    // Circles of memrefs reach the same. Those that one comes to have lower numbers, and are known before it.
    let circles = Components::of(&next);
    for circle in circles.iter() {
        let all = circles.members(circle);
        let comes_to = all.iter().flat_map(|value| next.successors(*value));
        let reach = all
            .iter()
            .chain(comes_to)
            .map(|value| reaches[value.index()])
            .reduce(|one, other| one.with(other, function));
        for value in all {
            reaches[value.index()] = reach.unwrap_or(reaches[value.index()]);
        }
    }
    reaches
}

/// For each memref, those that its memory comes to next.
pub fn flows(function: &Function, summaries: &[Summary]) -> Graph<ValueId> {
    let mut next: Vec<SmallVec<[ValueId; 2]>> = vec![SmallVec::new(); function.values.len()];
    for (from, to) in &function.joined {
        next[from.index()].push(*to);
    }
    for call in &function.calls {
        for shared in &summaries[call.callee].shared {
            let of = |slots: &[Option<ValueId>], at: &usize| slots.get(*at).copied().flatten();
            let given = shared.arguments.iter();
            for from in given.filter_map(|at| of(&call.arguments, at)) {
                let got = shared.results.iter();
                let got = got.filter_map(|at| of(&call.results, at));
                next[from.index()].extend(got);
            }
        }
    }
    Graph::new(next.len(), |from: ValueId| {
        std::mem::take(&mut next[from.index()])
    })
}

/// For each memref, whether its memory may be stored in memory of memrefs.
pub fn held(function: &Function, summaries: &[Summary]) -> Vec<bool> {
    let count = function.values.len();
    if function.held.is_empty() {
        return vec![false; count];
    }
    let before = flows(function, summaries).reversed();
    let held = reachable(&before, function.held.iter().copied());
    let values = before.nodes();
    values.map(|value| held.contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::facts::{ROOT, Scope, ScopeKind};
    use memplan_problems::random::Random;

    /// Random scopes and memrefs: what each comes to, one after another, says the same.
    #[test]
    fn memory_reaches_what_it_comes_to() {
        let mut random = Random(3);
        for _ in 0..300 {
            let mut function = Function::default();
            for at in 0..1 + random.below(6) as u32 {
                let parent = (at > 0).then(|| ScopeId(random.below(at as usize) as u32));
                function.scopes.push(Scope {
                    kind: ScopeKind::Turn,
                    parent,
                    depth: parent.map_or(0, |parent| function.scope(parent).depth + 1),
                    barrier: None,
                    frame: ROOT,
                    is_single: false,
                    is_once: true,
                    turns: None,
                });
            }
            let count = 1 + random.below(20);
            let scopes = function.scopes.len();
            function.values = (0..count)
                .map(|_| ScopeId(random.below(scopes) as u32))
                .collect();
            let mut any = |_| ValueId(random.below(count) as u32);
            function.joined = (0..count).map(|at| (any(at), any(at))).collect();
            function.returns.push(vec![Some(any(0))]);
            let returned = function.returns[0][0];
            for (value, reach) in reaches(&function, &[]).into_iter().enumerate() {
                let mut seen = vec![false; count];
                let mut open = vec![value];
                let mut top = function.values[value];
                while let Some(at) = open.pop() {
                    if !std::mem::replace(&mut seen[at], true) {
                        top = function.around(top, function.values[at]);
                        let joined = function.joined.iter();
                        let next = joined.filter(|(from, _)| from.index() == at);
                        open.extend(next.map(|(_, to)| to.index()));
                    }
                }
                let is_returned = returned.is_some_and(|value| seen[value.index()]);
                assert_eq!(reach, Reach { top, is_returned });
            }
        }
    }
}
