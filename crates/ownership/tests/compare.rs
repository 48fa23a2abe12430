//! The steps that a dealloc becomes free what it frees, and find what it says.

mod common;

use common::{Place, run};
use memplan_ownership::{
    compare::{CompareStep, Program, Truth},
    dealloc::{Condition, Dealloc, Retained},
    function::ValueId,
    origins::Relation,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        1 => Just(Condition::No),
        3 => Just(Condition::Yes),
        6 => (0_u32..4).prop_map(Condition::Flag),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn steps_do_what_the_dealloc_means(
        conditions in proptest::collection::vec(condition(), 0..5),
        is_used in proptest::collection::vec(proptest::bool::weighted(0.8), 0..4),
        places in proptest::collection::vec(0_u32..4, 8),
        flags in any::<[bool; 4]>(),
        known in any::<u64>(),
    ) {
        let count = conditions.len();
        let place = |value: ValueId| -> Place { places[value.index() % places.len()] };
        let dealloc = Dealloc {
            memrefs: conditions.iter().enumerate().map(|(at, when)| (ValueId::new(at), *when)).collect(),
            retained: is_used
                .iter()
                .enumerate()
                .map(|(at, is_used)| Retained { value: ValueId::new(count + at), is_used: *is_used })
                .collect(),
        };
        let (freed, results) = run(&dealloc, place, |flag| flags[flag as usize]);

        let program = Program::of(&conditions, &is_used, |one, other| {
            match place(ValueId::new(one)) == place(ValueId::new(other)) {
                _ if (known >> ((8 * one + other) % 64)) & 1 == 0 => Relation::Maybe,
                true => Relation::Same,
                false => Relation::Never,
            }
        });
        let mut found: Vec<bool> = Vec::new();
        let holds = |truth: Truth, found: &[bool]| match truth {
            Truth::Given(Condition::No) => false,
            Truth::Given(Condition::Yes) => true,
            Truth::Given(Condition::Flag(flag)) => flags[flag as usize],
            Truth::Found(step) => found[step as usize],
        };
        for step in &program.steps {
            let next = match *step {
                CompareStep::Same(one, other) => place(ValueId(one)) == place(ValueId(other)),
                CompareStep::And(a, b) => holds(a, &found) && holds(b, &found),
                CompareStep::Or(a, b) => holds(a, &found) || holds(b, &found),
                CompareStep::Not(a) => !holds(a, &found),
            };
            found.push(next);
        }
        let mut done = BTreeSet::new();
        for (at, free) in program.frees.iter().enumerate() {
            if holds(*free, &found) {
                prop_assert!(done.insert(place(ValueId::new(at))), "freed twice");
            }
        }
        prop_assert_eq!(freed, done);
        for (at, result) in program.results.iter().enumerate() {
            prop_assert!(!is_used[at] || holds(*result, &found) == results[at]);
        }
    }
}

#[test]
fn an_alias_that_is_not_owned_does_not_keep_the_one_that_is() {
    let flags = [Condition::No, Condition::Yes];
    assert_eq!(
        Program::of(&flags, &[], |_, _| Relation::Maybe).frees,
        [Truth::NO, Truth::YES]
    );
}

#[test]
fn what_nobody_asks_for_takes_no_steps() {
    let asked = Program::of(&[Condition::Flag(0)], &[true, true], |_, _| Relation::Maybe)
        .steps
        .len();
    let unasked = Program::of(&[Condition::Flag(0)], &[false, true], |_, _| {
        Relation::Maybe
    })
    .steps
    .len();
    assert_eq!(asked, unasked + 1);
}
