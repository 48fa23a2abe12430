//! Random programs, run on concrete bytes: whatever goes wrong there must be found.

mod execute;
mod write;

use super::{
    fault::Fault,
    live::live,
    program::{OpId, SliceId},
    solve::solve,
};
use execute::Execution;
use memplan_problems::random::Random;
use std::collections::BTreeSet;
use write::Writer;

#[test]
fn whatever_goes_wrong_on_bytes_is_found() {
    let (mut wrong, mut found, mut silent) = (0, 0, 0);
    for seed in 1..=1500 {
        let (program, compared) = Writer::program(seed);
        let faults = solve(&program, &live(&program));
        let told: BTreeSet<(OpId, SliceId)> = faults
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
        let missed: Vec<_> = seen.difference(&told).collect();
        assert!(missed.is_empty(), "seed {seed}: {missed:?}\n{program:#?}");
        wrong += seen.len();
        found += told.len();
        silent += usize::from(told.is_empty());
    }
    println!(
        "{wrong} of {wrong} wrong accesses found; {found} told in all; {silent} clean programs"
    );
    assert!(wrong > 1000 && silent > 100);
}
