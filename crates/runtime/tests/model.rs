//! Random operations on regions, checked against a model.

use memplan_runtime::check::{Action, actions, check};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn regions_match_the_model(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert_eq!(check(&actions(&bytes)), Ok(()));
    }
}

/// Chains of marks in one region, with large and small allocations and parents between them, as a loop makes them.
#[test]
fn marks_among_chunks_and_parents() {
    let allocate = |size| Action::Allocate {
        region: 0,
        size,
        alignment: 3,
    };
    let mut all = vec![Action::Make, Action::Make, Action::Make, Action::Make];
    for iteration in 0..200u8 {
        all.push(Action::Mark(0));
        all.push(allocate(u16::from(iteration) * 97));
        all.push(Action::Refer(0, 1 + iteration % 3));
        all.push(allocate(60_000));
        all.push(allocate(5_000));
        all.push(Action::ReleaseTo(0, iteration / 2));
    }
    assert_eq!(check(&all), Ok(()));
}

/// A block that is open and empty when a chunk is allocated must stay, as the position of a mark after the chunk is
/// computed from it.
#[test]
fn marks_after_a_chunk_in_an_empty_block() {
    let allocate = |size| Action::Allocate {
        region: 0,
        size,
        alignment: 3,
    };
    let all = [
        Action::Make,
        Action::Mark(0),
        allocate(100),
        Action::ReleaseTo(0, 0),
        allocate(60_000),
        Action::Mark(0),
        allocate(60_000),
        // Too large for the rest of the block.
        allocate(5_000),
        Action::ReleaseTo(0, 1),
        allocate(100),
        Action::ReleaseTo(0, 0),
    ];
    assert_eq!(check(&all), Ok(()));
}
