//! Proofs: what planners claim, against the truth and against the checker of certificates.

#[path = "support/case.rs"]
mod case;
#[path = "support/grid.rs"]
mod grid;

use case::{TestCase, proof};
use memplan_planner::{Buffer, Forbidden, Problem};
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
    fn holes_are_solved(case in TestCase::strategy(6, 600)) {
        proof::check_holed(&case);
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
    fn small_problems_are_solved(case in TestCase::strategy(9, 600)) {
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
        if let Some(optimum) = solve(problem) {
            proof::check_milp(problem, optimum);
            hard += 1;
        }
    });
    (all, hard)
}

/// Returns the optimum where it is above the simple bounds.
fn solve(problem: &Problem) -> Option<u64> {
    let optimum = case::oracle::optimum(problem);
    proof::check_exact(problem, optimum);
    (optimum > problem.bounds().lower_bound).then(|| {
        proof::check_refuted(problem, optimum);
        optimum
    })
}

/// The search raises the first buffer, and raises it again below another, which lies on it.
#[test]
fn a_buffer_is_raised_twice() {
    let problem = Problem::new(vec![
        Buffer::new(0, 2, [(1, 2), (3, 5)]),
        Buffer::new(1, 2, [(1, 3), (4, 5)]),
        Buffer::new(2, 2, [(1, 3)]),
        Buffer::new(3, 1, [(3, 4)]),
        Buffer::new(4, 2, [(2, 3), (4, 5)]),
    ]);
    proof::check_exact(&problem.expect("a valid problem"), 8);
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

/// One range is forbidden, always or for some time, or one buffer is fixed.
#[test]
fn every_problem_of_up_to_five_buffers_around_an_obstacle() {
    let (mut all, mut hard) = (0, 0);
    let mut visit = |problem: &Problem| {
        all += 1;
        if let Some(optimum) = solve(problem) {
            hard += 1;
            if problem.buffers.len() < 4 {
                proof::check_milp(problem, optimum);
            }
        }
    };
    for count in 1..=5 {
        grid::every(count, &PLAIN[..2], &mut |problem| {
            for range in [(1, 2), (2, 3), (2, 5)].map(|(start, end)| Forbidden::new(start, end)) {
                for range in [range, range.during(0, 1), range.during(1, 3)] {
                    visit(&problem.clone().with_forbidden(range));
                }
            }
            for (index, offset) in (0..count).flat_map(|index| [(index, 1), (index, 2)]) {
                let mut problem = problem.clone();
                problem.buffers[index].fixed_offset = Some(offset);
                visit(&problem);
            }
        });
    }
    assert_eq!((all, hard), (2770, 396));
}

#[test]
#[ignore = "takes minutes without optimization"]
fn every_problem_of_a_larger_grid() {
    assert_eq!(solve_all(7, &PLAIN), (247_041, 11));
    assert_eq!(solve_all(5, &ALIGNED), (57_722, 9_012));
}
