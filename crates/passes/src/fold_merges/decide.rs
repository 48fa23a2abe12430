//! Decides which merges are always one value, on plain data.
//!
//! A merge is always a value if all chains of sources lead to that value. Consider the graph with an edge
//! from each value to the merges that it is a source of, and from a root to all values that are no merges. A
//! merge is always a value if that value dominates it in the graph. This holds for any number of merges in
//! cycles around loops. Looking at the sources of one merge at a time does not find these: Braun et al.,
//! "Simple and Efficient Construction of Static Single Assignment Form", 2013, section 3.2, process strongly
//! connected components repeatedly in place of dominators.
//!
//! The two are the same at run time, too: a merge is not executed before one of its sources is, nor a use of
//! it before the merge. So in a loop that computes the value anew, the merge is executed between the
//! definition and its next use.

use memplan_flow::{Dominators, Graph, Nesting, PrimaryMap, SecondaryMap, ids};
use smallvec::SmallVec;

ids! {
    /// A value.
    pub ValueId,
    /// A scope in which values are defined, which may contain other scopes.
    pub ScopeId,
    /// A node of the graph of values; node 0 is the root.
    Node,
}

/// A value.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// The scope that defines it; `None`: it is visible everywhere.
    pub scope: Option<ScopeId>,
    /// The sources of a merge; `None` for other values. A merge without sources is never executed.
    pub sources: Option<SmallVec<[ValueId; 2]>>,
}

/// Values, some of which are merges. A merge and its sources have the same type.
#[derive(Clone, Debug, Default)]
pub struct Merges {
    /// Values.
    pub values: PrimaryMap<ValueId, Value>,
    /// The parent of each scope, always of a lower number. Values of a scope are visible in its children.
    pub scopes: PrimaryMap<ScopeId, Option<ScopeId>>,
}

/// The replacement of each merge.
#[derive(Clone, Debug)]
pub struct Decision {
    /// For each value, the value that it always is and that is visible at its definition, if there is one.
    pub always: SecondaryMap<ValueId, Option<ValueId>>,
    scopes: Nesting<ScopeId>,
}

impl Decision {
    /// The value that a value always is.
    pub fn always(&self, value: ValueId) -> ValueId {
        self.always[value].unwrap_or(value)
    }

    /// Whether a value is visible in a scope.
    pub fn is_visible(&self, merges: &Merges, value: ValueId, scope: Option<ScopeId>) -> bool {
        match (merges.values[value].scope, scope) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(outer), Some(inner)) => self.scopes.contains(outer, inner),
        }
    }
}

/// Finds the replacements of merges.
pub fn decide(merges: &Merges) -> Decision {
    let scopes = merges.scopes.iter().map(|(scope, around)| (scope, *around));
    let mut decision = Decision {
        always: SecondaryMap::new(),
        scopes: Nesting::of(scopes),
    };
    let root = Node::new(0);
    let node = |value: ValueId| Node::new(value.index() + 1);
    let leads_from: Graph<Node> = Graph::new(merges.values.len() + 1, |at: Node| {
        let value = at.index().checked_sub(1).map(ValueId::new);
        let sources: SmallVec<[Node; 2]> = match value.map(|value| &merges.values[value].sources) {
            Some(Some(sources)) => sources.iter().copied().map(node).collect(),
            Some(None) => SmallVec::from_slice(&[root]),
            None => SmallVec::new(),
        };
        sources
    });
    let dominators = Dominators::of(&leads_from.reversed(), root);
    for at in dominators.reverse_postorder() {
        let above = dominators.immediate(*at).filter(|above| *above != root);
        let (Some(above), Some(value)) = (above, at.index().checked_sub(1).map(ValueId::new))
        else {
            continue;
        };
        let above = decision.always(ValueId::new(above.index() - 1));
        if decision.is_visible(merges, above, merges.values[value].scope) {
            decision.always[value] = Some(above);
        }
    }
    decision
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values in scope 0. Those with sources are merges.
    fn merges(values: &[&[u32]]) -> Merges {
        let mut all = Merges::default();
        let scope = all.scopes.push(None);
        for sources in values {
            let sources = sources.iter().map(|source| ValueId::new(*source as usize));
            let sources: SmallVec<[ValueId; 2]> = sources.collect();
            all.values.push(Value {
                scope: Some(scope),
                sources: (!sources.is_empty()).then_some(sources),
            });
        }
        all
    }

    fn always(merges: &Merges) -> Vec<usize> {
        let decision = decide(merges);
        let values = merges.values.keys();
        values.map(|value| decision.always(value).index()).collect()
    }

    #[test]
    fn a_merge_of_one_value_is_that_value() {
        assert_eq!(
            always(&merges(&[&[], &[0, 0], &[0, 1], &[2]])),
            [0, 0, 0, 0]
        );
    }

    #[test]
    fn a_merge_of_two_values_is_itself_and_what_merges_it_alone_is_it() {
        assert_eq!(
            always(&merges(&[&[], &[], &[0, 1], &[2, 2], &[3, 0]])),
            [0, 1, 2, 2, 4]
        );
    }

    #[test]
    fn values_that_lead_to_each_other_around_a_loop_are_what_enters_it() {
        // 1 and 2 swap in each iteration.
        assert_eq!(always(&merges(&[&[], &[0, 2], &[0, 1]])), [0, 0, 0]);
        // They start as different values.
        assert_eq!(always(&merges(&[&[], &[], &[0, 3], &[1, 2]])), [0, 1, 2, 3]);
        // Two nested loops. Only the outer one receives another value.
        assert_eq!(
            always(&merges(&[&[], &[0, 2], &[1, 2], &[], &[2, 3]])),
            [0, 0, 0, 3, 4]
        );
    }

    #[test]
    fn a_merge_that_is_never_executed_stays() {
        assert_eq!(always(&merges(&[&[], &[2], &[1]])), [0, 1, 2]);
    }

    #[test]
    fn a_value_is_replaced_by_one_that_is_visible() {
        // 1 is defined in a scope nested in that of 0 and 2. 3 merges 2 in the nested scope.
        let mut all = merges(&[&[], &[], &[1], &[2], &[2, 0]]);
        let inner = all.scopes.push(Some(ScopeId::new(0)));
        all.values[ValueId::new(1)].scope = Some(inner);
        all.values[ValueId::new(3)].scope = Some(inner);
        assert_eq!(always(&all), [0, 1, 2, 2, 4]);
    }

    #[test]
    fn many_values_take_little_time() {
        // Each iteration rotates 100,000 values by one place.
        let count = 100_000;
        let mut all = merges(&[&[]]);
        for at in 0..count {
            let before = ValueId::new(1 + (at + 1) % count);
            all.values.push(Value {
                scope: all.values[ValueId::new(0)].scope,
                sources: Some(SmallVec::from_slice(&[ValueId::new(0), before])),
            });
        }
        assert!(always(&all).iter().all(|value| *value == 0));
    }
}
