//! The scopes that new memory reaches.
//!
//! The flow of memory is directed: memory that is allocated as one memref reaches only the memrefs that it
//! flows to. Other memrefs of the same class may refer to other memory. So memory that an iteration of a loop
//! allocates dies in that iteration, even if it is merged with memory from outside of the loop.

use super::{
    facts::{Function, ScopeId, ValueId},
    summary::Summary,
};
use memplan_flow::{Components, Graph, reachable};
use smallvec::SmallVec;

/// The scopes that the memory of a memref reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The innermost scope that contains the definitions of all memrefs that the memory flows to.
    pub common_scope: ScopeId,
    /// The memory may be returned.
    pub is_returned: bool,
}

impl Reach {
    /// The union of two reaches.
    pub fn merge(self, other: Self, function: &Function) -> Self {
        Self {
            common_scope: function.common_ancestor(self.common_scope, other.common_scope),
            is_returned: self.is_returned || other.is_returned,
        }
    }
}

/// The reach of each memref.
pub fn reach_of_memrefs(function: &Function, summaries: &[Summary]) -> Vec<Reach> {
    let flow = value_flow_graph(function, summaries);
    let start = |scope: &ScopeId| Reach {
        common_scope: *scope,
        is_returned: false,
    };
    let mut reaches: Vec<Reach> = function.value_scopes.iter().map(start).collect();
    for value in function.returns.iter().flatten().flatten() {
        reaches[value.index()].is_returned = true;
    }
    // Memrefs of a strongly connected component have one reach. Its successors have lower numbers, and their
    // reach is known.
    let components = Components::of(&flow);
    for component in components.iter() {
        let all = components.members(component);
        let successors = all.iter().flat_map(|value| flow.successors(*value));
        let reach = all
            .iter()
            .chain(successors)
            .map(|value| reaches[value.index()])
            .reduce(|one, other| one.merge(other, function));
        for value in all {
            reaches[value.index()] = reach.unwrap_or(reaches[value.index()]);
        }
    }
    reaches
}

/// For each memref, the memrefs that its memory flows to directly.
pub fn value_flow_graph(function: &Function, summaries: &[Summary]) -> Graph<ValueId> {
    let mut flow: Vec<SmallVec<[ValueId; 2]>> = vec![SmallVec::new(); function.value_scopes.len()];
    for (from, to) in &function.value_flow {
        flow[from.index()].push(*to);
    }
    for call in &function.calls {
        for alias_set in &summaries[call.callee].alias_sets {
            let of = |slots: &[Option<ValueId>], at: &usize| slots.get(*at).copied().flatten();
            let arguments = alias_set.arguments.iter();
            for from in arguments.filter_map(|at| of(&call.arguments, at)) {
                let results = alias_set.results.iter();
                let results = results.filter_map(|at| of(&call.results, at));
                flow[from.index()].extend(results);
            }
        }
    }
    Graph::new(flow.len(), |from: ValueId| {
        std::mem::take(&mut flow[from.index()])
    })
}

/// For each memref, whether its memory may be stored in a nested memref.
pub fn stored_in_memory(function: &Function, summaries: &[Summary]) -> Vec<bool> {
    let count = function.value_scopes.len();
    if function.nested_memrefs.is_empty() {
        return vec![false; count];
    }
    let before = value_flow_graph(function, summaries).reversed();
    let stored = reachable(&before, function.nested_memrefs.iter().copied());
    let values = before.nodes();
    values.map(|value| stored.contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::facts::{ROOT, Scope, ScopeKind};
    use memplan_problems::random::Random;

    /// On random scopes and memrefs, the reaches are those of a search from each memref.
    #[test]
    fn reaches_equal_those_of_a_search() {
        let mut random = Random(3);
        for _ in 0..300 {
            let mut function = Function::default();
            for at in 0..1 + random.below(6) as u32 {
                let parent = (at > 0).then(|| ScopeId(random.below(at as usize) as u32));
                function.scopes.push(Scope {
                    kind: ScopeKind::Iteration,
                    parent,
                    depth: parent.map_or(0, |parent| function.scope(parent).depth + 1),
                    barrier: None,
                    frame: ROOT,
                    is_single_region: false,
                    is_once: true,
                    iterations: None,
                });
            }
            let count = 1 + random.below(20);
            let scopes = function.scopes.len();
            function.value_scopes = (0..count)
                .map(|_| ScopeId(random.below(scopes) as u32))
                .collect();
            let mut any = |_| ValueId(random.below(count) as u32);
            function.value_flow = (0..count).map(|at| (any(at), any(at))).collect();
            function.returns.push(vec![Some(any(0))]);
            let returned = function.returns[0][0];
            for (value, reach) in reach_of_memrefs(&function, &[]).into_iter().enumerate() {
                let mut seen = vec![false; count];
                let mut open = vec![value];
                let mut common_scope = function.value_scopes[value];
                while let Some(at) = open.pop() {
                    if !std::mem::replace(&mut seen[at], true) {
                        common_scope =
                            function.common_ancestor(common_scope, function.value_scopes[at]);
                        let joined = function.value_flow.iter();
                        let flow = joined.filter(|(from, _)| from.index() == at);
                        open.extend(flow.map(|(_, to)| to.index()));
                    }
                }
                let is_returned = returned.is_some_and(|value| seen[value.index()]);
                assert_eq!(
                    reach,
                    Reach {
                        common_scope,
                        is_returned
                    }
                );
            }
        }
    }
}
