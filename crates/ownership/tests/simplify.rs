//! Simplified deallocs free the same memory and compute the same results.

mod common;

use common::{Place, run};
use memplan_ownership::{
    dealloc::{Condition, Dealloc, Disjunction, Retained},
    function::ValueId,
    origins::AliasOracle,
    simplify::{Simplified, simplify},
};
use proptest::prelude::*;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Values with sets of places that they may be at; some must alias.
#[derive(Clone, Debug)]
struct World {
    /// For each value, its class.
    same: Vec<usize>,
    /// For each class, the places that it may be at.
    places: Vec<BTreeSet<Place>>,
    /// Answers with one group for each place instead of pairs.
    coarse: bool,
}

impl World {
    fn may_be(&self, value: ValueId) -> &BTreeSet<Place> {
        &self.places[self.same[value.index()]]
    }
}

impl AliasOracle for World {
    fn representative(&self, value: ValueId) -> ValueId {
        let first = self
            .same
            .iter()
            .position(|same| *same == self.same[value.index()]);
        ValueId::new(first.unwrap())
    }

    fn may_alias_groups(&mut self, values: &[ValueId], asked: usize) -> Vec<SmallVec<[u32; 2]>> {
        if self.coarse {
            let all: BTreeSet<Place> = self.places.iter().flatten().copied().collect();
            let at = |place: Place| {
                let values = values.iter().enumerate();
                values
                    .filter(|(_, value)| self.may_be(**value).contains(&place))
                    .map(|(at, _)| at as u32)
                    .collect()
            };
            return all.into_iter().map(at).collect();
        }
        let mut groups = Vec::new();
        for one in 0..asked {
            for other in one + 1..values.len() {
                let (a, b) = (self.may_be(values[one]), self.may_be(values[other]));
                if !a.is_disjoint(b) {
                    groups.push(SmallVec::from_slice(&[one as u32, other as u32]));
                }
            }
        }
        groups
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        1 => Just(Condition::No),
        3 => Just(Condition::Yes),
        6 => (0_u32..4).prop_map(Condition::Flag),
    ]
}

fn world() -> impl Strategy<Value = World> {
    let places = proptest::collection::btree_set(0_u32..6, 1..4);
    (
        proptest::collection::vec(0_usize..7, 12),
        proptest::collection::vec(places, 7),
        any::<bool>(),
    )
        .prop_map(|(same, places, coarse)| World {
            same,
            places,
            coarse,
        })
}

fn dealloc() -> impl Strategy<Value = Dealloc> {
    let value = || (0_u32..12).prop_map(ValueId);
    let retained = (value(), proptest::bool::weighted(0.8))
        .prop_map(|(value, is_used)| Retained { value, is_used });
    (
        proptest::collection::vec((value(), condition()), 0..6),
        proptest::collection::vec(retained, 0..5),
    )
        .prop_map(|(memrefs, retained)| Dealloc { memrefs, retained })
}

/// The memory that the pieces free, each piece once, and the results.
fn run_pieces(
    dealloc: &Dealloc,
    simplified: &Simplified,
    place: impl Fn(ValueId) -> Place,
    flags: &[bool],
) -> (BTreeSet<Place>, Vec<bool>) {
    let mut freed = BTreeSet::new();
    let mut found: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    let any = |any: &Disjunction, found: &BTreeMap<(u32, u32), bool>| {
        any.is_true
            || any.flags.iter().any(|flag| flags[*flag as usize])
            || any.piece_results.iter().any(|key| found[key])
    };
    for (number, piece) in simplified.pieces.iter().enumerate() {
        let one = Dealloc {
            memrefs: piece
                .memrefs
                .iter()
                .map(|(at, when)| {
                    let holds = any(when, &found);
                    let condition = if holds { Condition::Yes } else { Condition::No };
                    (dealloc.memrefs[*at as usize].0, condition)
                })
                .collect(),
            retained: piece
                .retained
                .iter()
                .map(|at| dealloc.retained[*at as usize])
                .collect(),
        };
        let (frees, results) = run(&one, &place, |_| false);
        for one in frees {
            assert!(freed.insert(one), "{one} is freed twice");
        }
        for (at, result) in results.into_iter().enumerate() {
            found.insert((number as u32, at as u32), result);
        }
    }
    let results = simplified.results.iter().map(|result| any(result, &found));
    (freed, results.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplification_keeps_frees_and_results(
        mut world in world(),
        dealloc in dealloc(),
        runs in proptest::collection::vec((proptest::collection::vec(0_usize..6, 7), any::<[bool; 4]>()), 24),
    ) {
        let simplified = simplify(&dealloc, &mut world);
        for (choice, flags) in runs {
            let place = |value: ValueId| {
                let class = world.same[value.index()];
                let all = &world.places[class];
                *all.iter().nth(choice[class] % all.len()).unwrap()
            };
            let before = run(&dealloc, place, |flag| flags[flag as usize]);
            let after = run_pieces(&dealloc, &simplified, place, &flags);
            prop_assert_eq!(&before.0, &after.0);
            for (at, one) in dealloc.retained.iter().enumerate() {
                prop_assert!(!one.is_used || before.1[at] == after.1[at], "result {}", at);
            }
        }
    }

    #[test]
    fn simplification_is_idempotent(mut world in world(), dealloc in dealloc()) {
        let simplified = simplify(&dealloc, &mut world);
        for piece in &simplified.pieces {
            // Each disjunction becomes one flag, as in the IR.
            let again = Dealloc {
                memrefs: piece
                    .memrefs
                    .iter()
                    .enumerate()
                    .map(|(at, (place, when))| {
                        let condition = if when.is_true { Condition::Yes } else { Condition::Flag(at as u32) };
                        (dealloc.memrefs[*place as usize].0, condition)
                    })
                    .collect(),
                retained: piece
                    .retained
                    .iter()
                    .enumerate()
                    .map(|(slot, at)| {
                        let number = simplified.pieces.iter().position(|other| other == piece).unwrap();
                        let key = (number as u32, slot as u32);
                        let is_used = simplified.results.iter().any(|result| result.piece_results.contains(&key));
                        Retained { is_used, ..dealloc.retained[*at as usize] }
                    })
                    .collect(),
            };
            let twice = simplify(&again, &mut world);
            prop_assert!(twice.is_unchanged(&again), "{:?} becomes {:?}", again, twice);
        }
    }
}

/// Values 0, 1, … with these sets of places.
fn places(places: &[&[Place]]) -> World {
    World {
        same: (0..places.len()).collect(),
        places: places
            .iter()
            .map(|all| all.iter().copied().collect())
            .collect(),
        coarse: false,
    }
}

fn freed(all: &[(u32, Condition)], retained: &[(u32, bool)]) -> Dealloc {
    Dealloc {
        memrefs: all
            .iter()
            .map(|(value, when)| (ValueId(*value), *when))
            .collect(),
        retained: retained
            .iter()
            .map(|(value, is_used)| Retained {
                value: ValueId(*value),
                is_used: *is_used,
            })
            .collect(),
    }
}

#[test]
fn the_condition_of_any_alias_counts() {
    let mut world = places(&[&[0], &[0]]);
    world.same = vec![0, 0];
    let dealloc = freed(&[(0, Condition::Flag(0)), (1, Condition::Flag(1))], &[]);
    let simple = simplify(&dealloc, &mut world);
    assert_eq!(simple.pieces.len(), 1);
    assert_eq!(simple.pieces[0].memrefs.len(), 1);
    assert_eq!(simple.pieces[0].memrefs[0].1.flags.as_slice(), [0, 1]);
}

#[test]
fn a_retained_memref_is_dropped_unless_another_needs_its_condition() {
    let mut world = places(&[&[0], &[0, 1]]);
    let kept_too = |is_used| freed(&[(0, Condition::Flag(3))], &[(0, true), (1, is_used)]);
    let simple = simplify(&kept_too(false), &mut world);
    assert!(simple.pieces.is_empty());
    assert_eq!(simple.results[0].flags.as_slice(), [3]);
    let asked = kept_too(true);
    assert!(simplify(&asked, &mut world).is_unchanged(&asked));
}

#[test]
fn memrefs_split_into_classes_that_may_alias() {
    let mut world = places(&[&[0, 1], &[1, 2], &[3, 4], &[4, 5], &[0, 5]]);
    let all: Vec<(u32, Condition)> = (0..4).map(|at| (at, Condition::Flag(at))).collect();
    let simple = simplify(&freed(&all, &[(4, true)]), &mut world);
    let memrefs: Vec<Vec<u32>> = simple
        .pieces
        .iter()
        .map(|piece| piece.memrefs.iter().map(|(at, _)| *at).collect())
        .collect();
    assert_eq!(memrefs, [[0, 1], [2, 3]]);
    assert_eq!(simple.results[0].piece_results.as_slice(), [(0, 0), (1, 0)]);
}

#[test]
fn a_retained_memref_without_alias_is_dropped() {
    let mut world = places(&[&[0], &[1], &[0, 1]]);
    let simple = simplify(
        &freed(&[(0, Condition::Yes)], &[(1, true), (2, true)]),
        &mut world,
    );
    assert_eq!(simple.pieces[0].retained, [1]);
    assert_eq!(simple.results[0].constant(), Some(false));
    assert_eq!(simple.results[1].constant(), None);
}

#[test]
fn a_result_that_always_holds_needs_no_test() {
    // Value 0 is retained and always owned; value 1 may alias it.
    let mut world = places(&[&[0], &[0, 1]]);
    let dealloc = freed(
        &[(0, Condition::Yes), (1, Condition::Flag(0))],
        &[(0, true)],
    );
    let simple = simplify(&dealloc, &mut world);
    assert_eq!(simple.results[0].constant(), Some(true));
    assert_eq!(simple.pieces.len(), 1);
    assert_eq!(simple.pieces[0].memrefs[0].0, 1);
    assert_eq!(simple.pieces[0].retained, [0]);
}
