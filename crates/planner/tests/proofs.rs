//! Proofs: compares the claims of planners with the true optimum and with the certificate checker.

use memplan_planner::validate::validate;
use memplan_planner::{Buffer, Effort, Forbidden, Options, Planner, Problem, certificate};
use memplan_problems::{case::TestCase, grid, oracle, proof};
use proptest::prelude::{ProptestConfig, any, proptest};
use std::thread;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_impossible_capacities_are_refuted(
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
    fn no_tree_over_distances_proves_a_false_bound(
        case in TestCase::strategy(4, 200),
        splits in proptest::collection::vec(any::<(u8, u8, i8, u16)>(), 0..24),
    ) {
        proof::check_distances(&case, &splits);
    }

    #[test]
    fn a_corrupted_proof_proves_no_false_bound(
        case in TestCase::strategy(6, 600),
        edits in proptest::collection::vec(any::<(u8, u16, u16)>(), 1..20),
    ) {
        proof::check_corrupted(&case, &edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, failure_persistence: None, ..ProptestConfig::default() })]

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

/// Solves every problem of `count` buffers, on all processors. Returns their number, and the number of those with an
/// optimum above the simple bounds.
fn solve_all(count: usize, kinds: &[(u64, u64)]) -> (usize, usize) {
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let solve_some = |part: usize| {
        let (mut at, mut hard) = (0, 0);
        let all = grid::every(count, kinds, &mut |problem| {
            at += 1;
            if at % threads != part {
                return;
            }
            if let Some(optimum) = solve(problem) {
                proof::check_milp(problem, optimum);
                hard += 1;
            }
        });
        (all, hard)
    };
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| scope.spawn(move || solve_some(part)))
            .collect();
        let mut found = parts.into_iter().map(|part| part.join().expect("solved"));
        let first = found.next().expect("a part");
        found.fold(first, |(all, hard), (_, more)| (all, hard + more))
    })
}

/// Returns the optimum if it is above the simple bounds.
fn solve(problem: &Problem) -> Option<u64> {
    let optimum = oracle::optimum(problem);
    proof::check_exact(problem, optimum);
    (optimum > problem.bounds().lower_bound).then(|| {
        proof::check_refuted(problem, optimum);
        optimum
    })
}

/// The search raises the first buffer, and raises it again below another one that lies on it.
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

/// One range is forbidden, at all times or for some time, or one buffer is fixed.
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
fn every_problem_of_a_larger_grid() {
    assert_eq!(solve_all(7, &PLAIN), (247_041, 11));
    assert_eq!(solve_all(5, &ALIGNED), (57_722, 9_012));
}

/// Start, end, size and alignment: more buffers than an `i32` has bits, and hard enough to need
/// lemmas.
#[rustfmt::skip]
const CROWDED: [(u64, u64, u64, u64); 49] = [
    (0, 6, 23, 32), (12, 21, 25, 32), (7, 15, 11, 1), (7, 14, 31, 16), (15, 20, 5, 8),
    (12, 20, 50, 1), (1, 5, 35, 8), (14, 20, 42, 1), (17, 20, 24, 1), (7, 11, 35, 1),
    (2, 12, 4, 1), (10, 19, 7, 16), (3, 4, 15, 32), (15, 22, 9, 1), (0, 3, 30, 1),
    (7, 17, 19, 16), (6, 12, 19, 4), (10, 14, 31, 1), (14, 21, 1, 8), (3, 5, 16, 8),
    (3, 13, 6, 1), (14, 24, 36, 1), (10, 20, 21, 1), (3, 6, 18, 1), (8, 16, 37, 8),
    (3, 12, 10, 1), (15, 20, 27, 16), (15, 21, 10, 4), (7, 16, 43, 1), (14, 22, 38, 1),
    (14, 21, 50, 1), (5, 6, 5, 1), (5, 8, 20, 32), (0, 10, 28, 8), (1, 3, 2, 1),
    (4, 6, 40, 1), (9, 19, 0, 1), (17, 21, 36, 2), (7, 12, 50, 1), (13, 22, 29, 32),
    (1, 8, 18, 1), (15, 19, 11, 1), (1, 8, 28, 1), (7, 9, 6, 8), (11, 16, 42, 1),
    (2, 5, 33, 1), (9, 11, 1, 8), (14, 24, 49, 8), (15, 19, 22, 32),
];

#[test]
fn more_than_32_buffers_are_searched_with_lemmas() {
    let buffers = (0..).zip(CROWDED);
    let buffers = buffers.map(|(id, (start, end, size, alignment))| {
        Buffer::new(id, size, [(start, end)]).aligned(alignment)
    });
    let problem = Problem::new(buffers.collect()).expect("valid");
    for planner in [Planner::Auto, Planner::Exact] {
        let options = Options::default().with_effort(Effort::Steps(4_000_000));
        let outcome = planner.solve_with(&problem, &options).expect("a plan");
        validate(&problem, &outcome.solution).expect("a valid plan");
        let proven = certificate::check(&problem, &outcome.certificate);
        assert_eq!(proven, Ok(outcome.bounds.lower_bound));
    }
}
