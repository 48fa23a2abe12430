//! Fixpoint over functions whose facts depend on those of their callees.

use crate::call_graph::CallGraph;

/// Facts about functions that are computed from the facts about their callees. Facts only grow.
pub trait Fixpoint {
    /// Recomputes the facts about a function. Returns whether facts that its callers read changed.
    fn step(&mut self, function: usize) -> bool;

    /// Assumes the worst case for mutually recursive functions that did not converge within the limit.
    fn give_up(&mut self, functions: &[usize]);
}

/// Solves all functions, callees before callers, each component up to a fixpoint. Gives up on a component of
/// `size` functions after `most(size)` steps per function on average. Returns whether any fact changed.
pub fn solve(
    graph: &CallGraph<'_>,
    most: impl Fn(usize) -> usize,
    fixpoint: &mut impl Fixpoint,
) -> bool {
    let mut changed = false;
    for component in graph.components() {
        let is_recursive = graph.recursive[component[0]];
        let most = most(component.len());
        let callers = |function: usize| graph.callers[function].iter().copied();
        changed |= solve_component(component, is_recursive, most, callers, fixpoint);
    }
    changed
}

/// Solves one component, up to a fixpoint if it is recursive. `callers` may contain functions of other
/// components.
pub fn solve_component<I: Iterator<Item = usize>>(
    component: &[usize],
    is_recursive: bool,
    most: usize,
    callers: impl Fn(usize) -> I,
    fixpoint: &mut impl Fixpoint,
) -> bool {
    if !is_recursive {
        // One function that does not call itself.
        let steps = component.iter().map(|function| fixpoint.step(*function));
        return steps.fold(false, |any, one| any | one);
    }
    let mut place: Vec<(usize, usize)> = component.iter().copied().zip(0..).collect();
    place.sort_unstable();
    let place = |function: usize| {
        let at = place.binary_search_by_key(&function, |one| one.0);
        at.ok().map(|at| place[at].1)
    };
    let mut changed = false;
    let mut is_open = vec![true; component.len()];
    let mut left = most.saturating_mul(component.len());
    // Rounds in the order of the functions, so that most callees precede their callers.
    while is_open.contains(&true) {
        for at in 0..component.len() {
            if !std::mem::take(&mut is_open[at]) {
                continue;
            }
            if left == 0 {
                fixpoint.give_up(component);
                return true;
            }
            left -= 1;
            if fixpoint.step(component[at]) {
                changed = true;
                for caller in callers(component[at]).filter_map(place) {
                    is_open[caller] = true;
                }
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    /// Functions that each function reaches over calls, as bits.
    struct Reached<'g> {
        callees: &'g [Vec<usize>],
        known: Vec<u64>,
        given_up: Vec<usize>,
    }

    impl Fixpoint for Reached<'_> {
        fn step(&mut self, function: usize) -> bool {
            let bits = self.callees[function].iter();
            let bits = bits.fold(0, |all, callee| all | 1 << callee | self.known[*callee]);
            std::mem::replace(&mut self.known[function], bits) != bits
        }

        fn give_up(&mut self, functions: &[usize]) {
            self.given_up.extend(functions);
        }
    }

    fn solved(callees: &[Vec<usize>], most: usize) -> Reached<'_> {
        let count = callees.len();
        let all: Vec<usize> = (0..count).rev().collect();
        let callers = |function: usize| {
            let all = (0..count).filter(move |caller| callees[*caller].contains(&function));
            all.collect::<Vec<_>>().into_iter()
        };
        let mut reached = Reached {
            callees,
            known: vec![0; count],
            given_up: Vec::new(),
        };
        solve_component(&all, true, most, callers, &mut reached);
        reached
    }

    proptest! {
        #[test]
        fn what_is_found_holds_of_all_callees(callees in vec(vec(0_usize..12, 0..4), 12)) {
            let reached = solved(&callees, usize::MAX);
            for (function, callees) in callees.iter().enumerate() {
                let expected = callees.iter().fold(0, |all, callee| {
                    all | 1 << callee | reached.known[*callee]
                });
                prop_assert_eq!(reached.known[function], expected);
            }
            prop_assert!(reached.given_up.is_empty());
        }
    }

    #[test]
    fn what_takes_too_long_is_given_up_together() {
        // A ring, in the order in which each step adds one function.
        let callees: Vec<Vec<usize>> = (0..8).map(|at| vec![(at + 7) % 8]).collect();
        assert_eq!(solved(&callees, 1).given_up, [7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(solved(&callees, 9).given_up.is_empty());
    }

    #[test]
    fn a_function_that_does_not_call_itself_is_worked_on_once() {
        let callees = [Vec::new()];
        let mut reached = Reached {
            callees: &callees,
            known: vec![1],
            given_up: Vec::new(),
        };
        let callers = |_| std::iter::empty();
        assert!(solve_component(&[0], false, 0, callers, &mut reached));
        assert_eq!((reached.known[0], reached.given_up.len()), (0, 0));
    }
}
