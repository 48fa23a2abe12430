//! Proofs: what planners claim, against the truth and against the checker of certificates.

#[path = "support/case.rs"]
mod case;
#[path = "support/grid.rs"]
mod grid;

use case::{TestCase, proof};
use proptest::prelude::{ProptestConfig, any, proptest};

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_refuted_is_not_possible_and_what_is_not_is(
        case in TestCase::strategy(5, 600),
        picks in proptest::collection::vec(any::<u8>(), 1..50),
    ) {
        proof::check_refutations(&case, &picks);
    }

    #[test]
    fn a_corrupted_proof_proves_nothing_wrong(
        case in TestCase::strategy(6, 600),
        edits in proptest::collection::vec(any::<(u8, u16, u16)>(), 1..20),
    ) {
        proof::check_corrupted(&case, &edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_problems_are_solved(case in TestCase::strategy(12, 600)) {
        proof::check_solved(&case);
    }

    #[test]
    fn a_mixed_integer_program_agrees(case in TestCase::strategy(9, 600)) {
        proof::check_against_milp(&case);
    }
}

/// Sizes and alignments.
const PLAIN: [(u64, u64); 3] = [(1, 1), (2, 1), (3, 1)];
const ALIGNED: [(u64, u64); 6] = [(1, 1), (2, 1), (1, 2), (3, 2), (3, 4), (1, 4)];

/// Solves every problem of `count` buffers; returns how many there are, and how many of them have
/// an optimum above the simple bounds.
fn solve_all(count: usize, kinds: &[(u64, u64)]) -> (usize, usize) {
    let mut hard = 0;
    let all = grid::every(count, kinds, &mut |problem| {
        let optimum = case::oracle::optimum(problem);
        proof::check_exact(problem, optimum);
        if optimum > problem.bounds().lower_bound {
            proof::check_refuted(problem, optimum);
            proof::check_milp(problem, optimum);
            hard += 1;
        }
    });
    (all, hard)
}

#[test]
fn every_problem_of_up_to_six_buffers() {
    let solved: Vec<_> = (1..=6).map(|count| solve_all(count, &PLAIN[..2])).collect();
    assert_eq!(
        solved,
        [(2, 0), (3, 0), (4, 0), (15, 0), (126, 0), (1373, 0)]
    );
}

/// One of them needs more than its load.
#[test]
fn every_problem_of_seven_buffers() {
    assert_eq!(solve_all(7, &PLAIN[..2]), (15884, 1));
}

#[test]
fn every_problem_of_up_to_four_aligned_buffers() {
    let solved: Vec<_> = (1..=4)
        .map(|count| solve_all(count, &ALIGNED[..5]))
        .collect();
    assert_eq!(solved, [(5, 0), (15, 0), (104, 6), (1337, 137)]);
}

#[test]
#[ignore = "takes minutes without optimization"]
fn every_problem_of_a_larger_grid() {
    assert_eq!(solve_all(7, &PLAIN), (247_041, 11));
    assert_eq!(solve_all(5, &ALIGNED), (57_722, 9_012));
}
