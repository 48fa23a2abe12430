//! Which merges are always one value. Plain data.
//!
//! A merge is always a value if each chain of sources leads to that value: in the graph of values, where each leads to the
//! merges that it is a source of and a root leads to all that merge nothing, the value dominates the merge. That holds for any
//! number of merges that lead to each other around loops, which looking at the sources of one merge does not find (Braun et
//! al., "Simple and Efficient Construction of Static Single Assignment Form", 2013, section 3.2, which goes through strongly
//! connected components again and again in place of dominators).
//!
//! The value is the same one at run time, too: a merge is not executed before one of its sources is, and a use of it not
//! before it. So in a loop that computes the value anew, the merge is executed between that and its next use.

use memplan_flow::{Dominators, Graph, Nesting, PrimaryMap, SecondaryMap, ids};
use smallvec::SmallVec;

ids! {
    /// A value.
    pub ValueId,
    /// A place where values are defined, and what is inside of it.
    pub ScopeId,
    /// A value; number 0 leads to all that are no merges.
    Node,
}

/// A value.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// Where it is defined; `None`: everywhere.
    pub scope: Option<ScopeId>,
    /// What it merges; `None`: nothing. A merge without sources is never executed.
    pub sources: Option<SmallVec<[ValueId; 2]>>,
}

/// Values, and the merges among them. Sources and what merges them have the same type.
#[derive(Clone, Debug, Default)]
pub struct Merges {
    /// Values.
    pub values: PrimaryMap<ValueId, Value>,
    /// The scope around each scope, which has a lower number; values defined in a scope are visible in those inside.
    pub scopes: PrimaryMap<ScopeId, Option<ScopeId>>,
}

/// What merges always are.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Each value, or the one that it always is and that is visible where it is defined.
    pub always: SecondaryMap<ValueId, Option<ValueId>>,
    scopes: Nesting<ScopeId>,
}

impl Decision {
    /// What a value always is.
    pub fn always(&self, value: ValueId) -> ValueId {
        self.always[value].unwrap_or(value)
    }

    /// Is a value visible in a scope?
    pub fn is_visible(&self, merges: &Merges, value: ValueId, scope: Option<ScopeId>) -> bool {
        match (merges.values[value].scope, scope) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(outer), Some(inner)) => self.scopes.contains(outer, inner),
        }
    }
}

/// Decides what merges always are.
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

    /// Values in scope 0; those with sources are merges.
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
        // Two loops, one inside of the other, of which only the outer one is left by another value.
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
        // 1 is defined in a scope inside of that of 0 and 2; 3 merges 2 in the scope inside.
        let mut all = merges(&[&[], &[], &[1], &[2], &[2, 0]]);
        let inner = all.scopes.push(Some(ScopeId::new(0)));
        all.values[ValueId::new(1)].scope = Some(inner);
        all.values[ValueId::new(3)].scope = Some(inner);
        assert_eq!(always(&all), [0, 1, 2, 2, 4]);
    }

    #[test]
    fn many_values_take_little_time() {
        // Each iteration turns 100,000 values around by one place.
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
