//! Random programs, executed on concrete bytes: the checker must find every wrong access.

mod execute;
mod generate;

use super::{
    fault::Fault,
    live::live,
    program::{OpId, SliceId},
    solve::solve,
};
use execute::Execution;
use generate::Generator;
use memplan_problems::random::Random;
use std::collections::BTreeSet;

#[test]
fn every_wrong_access_is_found() {
    let (mut wrong, mut found, mut silent) = (0, 0, 0);
    // As many as property tests: `ci/test nightly` asks for more.
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|cases| cases.parse().ok()).unwrap_or(256);
    for seed in 1..=6 * cases {
        let (program, compared) = Generator::program(seed);
        let faults = solve(&program, &live(&program));
        let reported: BTreeSet<(OpId, SliceId)> = faults
            .iter()
            .filter_map(|fault| match fault {
                Fault::Overwritten { op, slice, .. }
                | Fault::BornAgain {
                    read: op, slice, ..
                }
                | Fault::Freed { op, slice, .. } => Some((*op, *slice)),
                _ => None,
            })
            .collect();
        let mut seen = BTreeSet::new();
        for path in 0..40 {
            let random = Random(seed * 1000 + path + 1);
            seen.append(&mut Execution::run(&program, &compared, random));
        }
        let missed: Vec<_> = seen.difference(&reported).collect();
        assert!(missed.is_empty(), "seed {seed}: {missed:?}\n{program:#?}");
        wrong += seen.len();
        found += reported.len();
        silent += usize::from(reported.is_empty());
    }
    println!(
        "{wrong} of {wrong} wrong accesses found; {found} reported in all; {silent} clean programs"
    );
    assert!(cases < 256 || wrong > 1000 && silent > 100);
}
