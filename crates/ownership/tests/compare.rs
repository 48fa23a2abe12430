//! The steps of an expanded dealloc free the same memory and compute the same results as the dealloc.

mod common;

use common::{Place, run};
use memplan_ownership::{
    compare::{CompareProgram, CompareStep, Truth},
    dealloc::{Condition, Dealloc, Retained},
    function::ValueId,
    origins::AliasResult,
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
    #![proptest_config(ProptestConfig { cases: 16 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn steps_match_the_dealloc(
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

        let program = CompareProgram::of(&conditions, &is_used, |one, other| {
            match place(ValueId::new(one)) == place(ValueId::new(other)) {
                _ if (known >> ((8 * one + other) % 64)) & 1 == 0 => AliasResult::May,
                true => AliasResult::Must,
                false => AliasResult::No,
            }
        });
        let mut found: Vec<bool> = Vec::new();
        let holds = |truth: Truth, found: &[bool]| match truth {
            Truth::Condition(Condition::No) => false,
            Truth::Condition(Condition::Yes) => true,
            Truth::Condition(Condition::Flag(flag)) => flags[flag as usize],
            Truth::Step(step) => found[step as usize],
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
        CompareProgram::of(&flags, &[], |_, _| AliasResult::May).frees,
        [Truth::NO, Truth::YES]
    );
}

#[test]
fn unused_results_take_no_steps() {
    let asked = CompareProgram::of(&[Condition::Flag(0)], &[true, true], |_, _| {
        AliasResult::May
    })
    .steps
    .len();
    let unasked = CompareProgram::of(&[Condition::Flag(0)], &[false, true], |_, _| {
        AliasResult::May
    })
    .steps
    .len();
    assert_eq!(asked, unasked + 1);
}
