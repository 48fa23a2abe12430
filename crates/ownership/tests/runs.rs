//! Random functions are changed according to their plans, and run. Used memory is there, nothing is freed
//! twice, and at the end all memory that the function had to free is freed.

#[path = "common/random.rs"]
mod random;

mod runs {
    pub mod execute;
    pub mod make;
    pub mod show;
}

use memplan_ownership::{
    DecideError, Function, Plan, block_end_placement, decide, function::ValueId, no_alias::NoAlias,
    order::SegmentOrder,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use runs::{execute::Run, make::Maker, show::show};

type Decide = fn(&Function) -> Result<Plan, DecideError>;

/// Plans a function with both placements, and runs the results.
fn check(function: &Function, seed: u64) -> Result<(), String> {
    for (at_ends, decide) in [
        (false, decide as Decide),
        (true, block_end_placement::decide),
    ] {
        let fails = |error: String| match at_ends {
            true => format!("at the ends of blocks: {error}"),
            false => error,
        };
        let plan = decide(function).map_err(|error| fails(error.to_string()))?;
        for run in 0..12 {
            let mut run = Run::new(function, &plan, at_ends, seed ^ (run << 40));
            run.run().map_err(fails)?;
        }
    }
    Ok(())
}

fn check_seed(seed: u64) -> Result<(), String> {
    for (name, function) in [
        ("structured", Maker::structured(seed)),
        ("blocks", Maker::blocks(seed)),
    ] {
        if let Err(error) = check(&function, seed) {
            return Err(format!("{name} {seed}: {error}\n{}", show(&function)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn plans_run_without_leaks_or_double_frees(seed: u64) {
        if let Err(error) = check_seed(seed) {
            return Err(TestCaseError::fail(error));
        }
    }
}

/// The first seeds one by one, so that the smallest failing one is reported.
#[test]
fn the_first_seeds_run() {
    for seed in 0..3000 {
        if let Err(error) = check_seed(seed) {
            panic!("{error}");
        }
    }
}

#[test]
fn flags_of_a_loop_settle() {
    check_seed(2_391_348_687_833_396_588).unwrap();
}

/// The pairs of values of one group that a split says never alias.
fn split_pairs(function: &Function, no_alias: &NoAlias<'_>) -> Vec<(ValueId, ValueId)> {
    let mut groups: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for value in (0..function.values.len()).map(ValueId::new) {
        groups.entry(no_alias.group(value)).or_default().push(value);
    }
    let classes = no_alias.classes();
    let mut pairs = Vec::new();
    for values in groups.values() {
        let Some(split) = classes.split(values.iter().copied()) else {
            continue;
        };
        for one in values {
            let Some(mut search) = classes.search(&split, *one) else {
                continue;
            };
            let found: BTreeSet<u32> = std::iter::from_fn(|| split.next(&mut search)).collect();
            let others = (0..).zip(values).filter(|(at, _)| !found.contains(at));
            pairs.extend(others.map(|(_, other)| (*one, *other)));
        }
    }
    pairs
}

#[test]
fn values_of_different_classes_never_alias() {
    let mut count = 0;
    for seed in 0..3000 {
        for function in [Maker::structured(seed), Maker::blocks(seed)] {
            let order = SegmentOrder::of(&function);
            let mut no_alias = NoAlias::of(&function, &order);
            for (one, other) in split_pairs(&function, &no_alias) {
                count += 1;
                assert!(
                    no_alias.never_alias(one, other),
                    "{one:?} and {other:?} of {seed}\n{}",
                    show(&function)
                );
            }
        }
    }
    assert!(count > 3_000, "{count} pairs");
}
