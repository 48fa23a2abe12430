//! Properties of the results for random problems. Each is a fuzz target:
//! `check_*(&TestCase::from_bytes(data))`.

use crate::case::TestCase;
use crate::oracle::{is_valid_by_pairs, optimum, optimum_by_address, overlap_in_time};
use crate::proof::{check_claims, check_exact, check_proven, proven_optimum};
use memplan_planner::validate::{Violation, validate};
use memplan_planner::{
    Effort, Options, Outcome, PlanError, Planner, Problem, Reuse, Solution, certificate,
};
use std::collections::HashMap;
use std::time::Duration;

/// The effort of a planner on a random problem.
const STEPS: u64 = 100_000;

/// Every planner returns a valid plan within the bounds, is deterministic, and returns a
/// certificate that the checker accepts. `auto` is as good as the planners that it tries.
pub fn check_planners(case: &TestCase) {
    let problem = case.problem();
    let bounds = problem.bounds();
    assert!(bounds.load <= bounds.lower_bound);
    let options = Options::default().with_effort(Effort::Steps(STEPS));
    let auto = Planner::Auto
        .solve_with(&problem, &options)
        .expect("a plan");
    for planner in Planner::ALL {
        let outcome = planner.solve_with(&problem, &options).expect("a plan");
        assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
        let proven = outcome.bounds.lower_bound;
        assert_eq!(
            (outcome.bounds.naive, outcome.bounds.load),
            (bounds.naive, bounds.load)
        );
        assert!(proven >= bounds.lower_bound);
        assert_eq!(
            certificate::check(&problem, &outcome.certificate),
            Ok(proven),
            "{planner}"
        );
        assert!(
            outcome.solution.peak >= auto.bounds.lower_bound.max(proven),
            "{planner} is better than the lower bound"
        );
        assert_eq!(outcome.optimal, outcome.solution.peak == proven);
        let tried = !matches!(
            planner,
            Planner::ByConflicts
                | Planner::Locality
                | Planner::HillClimb
                | Planner::Large
                | Planner::Exact
        );
        assert!(
            !tried || auto.solution.peak <= outcome.solution.peak,
            "{planner} is better than auto"
        );
        assert_eq!(
            planner.solve_with(&problem, &options).as_ref(),
            Ok(&outcome),
            "{planner} is not deterministic"
        );
    }
    for planner in [Planner::Auto, Planner::Exact] {
        check_proven(planner, &problem, &options);
    }
}

/// `exact` is never above `auto`, with little effort either, and its claims hold.
pub fn check_exact_against_auto(case: &TestCase) {
    for problem in [case.problem(), case.problem_with_windows()] {
        for effort in [Effort::Steps(1_000), Effort::Steps(20_000), Effort::Quick] {
            let options = Options::default().with_effort(effort);
            let solve = |planner: Planner| {
                let outcome = planner.solve_with(&problem, &options);
                outcome.expect("a plan")
            };
            let (auto, exact) = (solve(Planner::Auto), solve(Planner::Exact));
            let peaks = [&exact, &auto].map(|outcome| outcome.solution.peak);
            assert!(peaks[0] <= peaks[1], "{effort}: exact and auto: {peaks:?}");
            let bounds = [&exact, &auto].map(|outcome| outcome.bounds.lower_bound);
            assert!(
                bounds[0] >= bounds[1],
                "{effort}: exact and auto: {bounds:?}"
            );
            check_proven(Planner::Exact, &problem, &options);
        }
    }
}

/// With windows, plans are valid, bounds are proven, and the bytes that windows leave are never a loss.
pub fn check_windows(case: &TestCase) {
    let problem = case.problem_with_windows();
    let mut whole = problem.clone();
    for buffer in &mut whole.buffers {
        for window in std::mem::take(&mut buffer.windows) {
            buffer.live.push(window.during);
        }
        buffer.live.sort_unstable();
        buffer.live.dedup_by(|next, previous| {
            let touch = previous.end == next.start;
            previous.end = if touch { next.end } else { previous.end };
            touch
        });
    }
    let options = Options::default().with_effort(Effort::Steps(STEPS));
    let solve = |planner: Planner, problem: &Problem| {
        let outcome = planner.solve_with(problem, &options);
        outcome.expect("a plan")
    };
    for planner in Planner::ALL {
        let outcome = solve(planner, &problem);
        let solution = &outcome.solution;
        assert_eq!(validate(&problem, solution), Ok(()), "{planner}");
        assert!(is_valid_by_pairs(&problem, solution), "{planner}");
        let proven = outcome.bounds.lower_bound;
        let certificate = certificate::check(&problem, &outcome.certificate);
        assert_eq!(certificate, Ok(proven), "{planner}");
        assert!(outcome.bounds.load <= proven && proven <= solution.peak);
        if whole.check().is_ok() {
            let without = solve(planner, &whole).solution.peak;
            assert!(
                solution.peak <= without,
                "{planner}: {} > {without}",
                solution.peak
            );
        }
        assert_eq!(
            solve(planner, &problem),
            outcome,
            "{planner} is not deterministic"
        );
    }
    let [auto, exact] = [Planner::Auto, Planner::Exact].map(|it| solve(it, &problem).solution.peak);
    assert!(exact <= auto, "exact {exact}, auto {auto}");
}

/// On tiny problems with windows: no plan is below the optimum, and no bound above it.
pub fn check_windows_against_optimum(case: &TestCase) {
    let problem = case.tiny(4).problem_with_windows();
    let least = optimum_by_address(&problem);
    for planner in Planner::ALL {
        let options = Options::default().with_effort(Effort::Steps(STEPS));
        let outcome = planner.solve_with(&problem, &options).expect("a plan");
        assert!(
            outcome.bounds.lower_bound <= least && least <= outcome.solution.peak,
            "{planner} says {} to {}, the optimum is {least}: {problem:?}",
            outcome.bounds.lower_bound,
            outcome.solution.peak
        );
    }
}

/// On tiny problems with windows: `exact` finds the optimum and proves it, as a search over all offsets confirms.
pub fn check_windows_solved(case: &TestCase) {
    let problem = case.tiny(4).problem_with_windows();
    let least = optimum_by_address(&problem);
    assert_eq!(proven_optimum(Planner::Exact, &problem), least);
}

/// More effort never gives a worse plan or a worse bound, nor loses a result. The same effort gives
/// the same result again.
pub fn check_effort(case: &TestCase) {
    let problem = case.problem();
    let bounds = problem.bounds();
    let peak = Planner::BySize
        .solve(&problem)
        .expect("a plan")
        .solution
        .peak;
    let capacities = [bounds.lower_bound, bounds.lower_bound.midpoint(peak)];
    let bounded = capacities.map(|capacity| problem.clone().with_capacity(capacity));
    for planner in [Planner::Auto, Planner::Exact, Planner::HillClimb] {
        for problem in bounded.iter().chain([&problem]) {
            let solve = |steps| {
                let options = Options::default().with_effort(Effort::Steps(steps));
                let answer = planner.solve_with(problem, &options);
                let again = planner.solve_with(problem, &options);
                assert_eq!(again, answer, "{planner} is not deterministic");
                result_bytes(&answer)
            };
            let results = [1_000, 10_000, 100_000, 1_000_000].map(solve);
            for (less, more) in results.iter().zip(&results[1..]) {
                assert!(
                    less.peak >= more.peak && less.bound <= more.bound,
                    "{planner}, with more effort each time: {results:?} for {problem:?}"
                );
            }
        }
    }
}

/// The bytes of a result. If a capacity was refuted, the peak counts as 0.
#[derive(Debug)]
struct ResultBytes {
    peak: u64,
    bound: u64,
}

fn result_bytes(answer: &Result<Outcome, PlanError>) -> ResultBytes {
    let of = |outcome: &Outcome| ResultBytes {
        peak: outcome.solution.peak,
        bound: outcome.bounds.lower_bound,
    };
    match answer {
        Ok(outcome) => of(outcome),
        Err(PlanError::Capacity { best, .. }) => of(best),
        &Err(PlanError::Infeasible { lower_bound, .. }) => ResultBytes {
            peak: 0,
            bound: lower_bound,
        },
        Err(error) => panic!("{error}"),
    }
}

/// For any seed, and for a time limit of zero, there is a valid plan, and its bound is proven.
pub fn check_options(case: &TestCase, seed: u64) {
    let problem = case.problem();
    for planner in Planner::ALL {
        for time_limit in [None, Some(Duration::ZERO)] {
            let options = Options {
                effort: Effort::Steps(30_000),
                seed,
                time_limit,
            };
            let outcome = planner.solve_with(&problem, &options).expect("a plan");
            assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
            let proven = certificate::check(&problem, &outcome.certificate);
            assert_eq!(proven, Ok(outcome.bounds.lower_bound), "{planner}");
        }
    }
}

/// The validator, which is a sweep, and a comparison of all pairs of buffers agree for any offsets:
/// a plan in which the buffers in `moves` were moved by some bytes.
pub fn check_validator(case: &TestCase, moves: &[(u8, i8)]) {
    let problem = case.problem();
    let mut offsets = Planner::BySize
        .solve(&problem)
        .expect("a plan")
        .solution
        .offsets;
    for &(index, by) in moves {
        let count = offsets.len().max(1);
        if let Some(offset) = offsets.get_mut(usize::from(index) % count) {
            *offset = offset.saturating_add_signed(by.into());
        }
    }
    let solution = Solution::new(&problem, offsets);
    assert_eq!(
        validate(&problem, &solution).is_ok(),
        is_valid_by_pairs(&problem, &solution)
    );
}

/// The reuse distance, which is computed by intervals, agrees with a computation by bytes.
pub fn check_reuse(case: &TestCase) {
    let problem = case.problem();
    let plan = Planner::Locality.solve(&problem).expect("a plan").solution;
    let mut events = Vec::new();
    for (index, buffer) in problem.buffers.iter().enumerate() {
        for range in &buffer.live {
            events.push((range.start, range.end, index));
        }
    }
    events.sort_unstable();
    let mut ended: HashMap<u64, (u64, usize)> = HashMap::new(); // byte -> end of its last use, and the buffer
    let (mut bytes, mut total) = (0, 0);
    for (start, end, index) in events {
        let low = plan.offsets[index];
        for byte in low..low + problem.buffers[index].size {
            if let Some((before, who)) = ended.insert(byte, (end, index))
                && (before < start || who != index)
            {
                bytes += 1;
                total += u128::from(start - before);
            }
        }
    }
    assert_eq!(Reuse::of(&problem, &plan), Reuse { bytes, total });
}

/// The validator finds the overlap of any two conflicting buffers, one of which was moved into the
/// other.
pub fn check_seeded_overlaps(case: &TestCase) {
    let mut problem = case.without_forbidden().problem();
    for buffer in &mut problem.buffers {
        buffer.alignment = 1;
        buffer.fixed_offset = None;
    }
    let plan = Planner::Auto.solve(&problem).expect("a plan").solution;
    let buffers = &problem.buffers;
    for first in 0..buffers.len() {
        for second in 0..buffers.len() {
            let (a, b) = (&buffers[first], &buffers[second]);
            if first == second || a.size == 0 || b.size == 0 || !overlap_in_time(a, b) {
                continue;
            }
            let mut offsets = plan.offsets.clone();
            offsets[second] = offsets[first] + a.size - 1; // the last byte of one is the first of the other
            let found = validate(&problem, &Solution::new(&problem, offsets));
            assert!(matches!(found, Err(Violation::Overlap { .. })), "{found:?}");
        }
    }
}

/// On tiny problems: lower bound <= optimum <= every planner, and all claims are proven.
pub fn check_against_optimum(case: &TestCase) {
    let problem = case.problem();
    let optimum = optimum(&problem);
    for planner in Planner::ALL {
        check_claims(planner, &problem, optimum);
    }
    check_exact(&problem, optimum);
}
