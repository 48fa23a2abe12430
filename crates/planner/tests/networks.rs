//! Quality and size: problems with the shapes of networks.

use memplan_planner::{Forbidden, Outcome, Planner, Problem, validate::validate};
use memplan_problems::networks;

fn solve(planner: Planner, problem: &Problem) -> Outcome {
    let outcome = planner.solve(problem).expect("a plan");
    assert_eq!(validate(problem, &outcome.solution), Ok(()), "{planner}");
    outcome
}

#[test]
fn auto_meets_the_lower_bound_on_networks() {
    for (name, make) in networks::ALL {
        for size in [1, 3, 8, 20, 40] {
            let outcome = solve(Planner::Auto, &make(size));
            let (peak, bound) = (outcome.solution.peak, outcome.bounds.lower_bound);
            assert!(
                peak <= bound + bound / 50,
                "{name}:{size} takes {peak}, the lower bound is {bound}"
            );
        }
    }
}

/// Tests each planner without a conflict graph, a path that small problems never take.
#[test]
fn crowds_of_thousands_are_planned_by_every_planner() {
    for make in [
        networks::all_live,
        networks::random_ranges,
        networks::nested,
        networks::short_lived,
    ] {
        let problem = make(5_000);
        for planner in Planner::ALL {
            solve(planner, &problem);
        }
    }
}

/// The same with holes and with fixed offsets, which the planners without a conflict graph handle
/// separately.
#[test]
fn crowds_with_holes_and_fixed_offsets_are_planned_by_every_planner() {
    let mut problem = networks::random_ranges(4_000);
    let mut top = 1 << 20;
    for (index, buffer) in problem.buffers.iter_mut().enumerate() {
        let range = buffer.live[0];
        if index % 5 == 0 && range.end - range.start > 2 {
            let middle = range.start.midpoint(range.end);
            buffer.live[0].end = middle;
            buffer.live.push(memplan_planner::LiveRange {
                start: middle + 1,
                end: range.end,
            });
        }
        if index % 1000 == 7 {
            buffer.fixed_offset = Some(top);
            top += 1 << 18;
        }
    }
    assert_eq!(problem.check(), Ok(()));
    for planner in Planner::ALL {
        solve(planner, &problem);
    }
}

/// A hole in the memory, below or above a plan, costs little more than its bytes if buffers are
/// small compared to it. This includes problems with too many conflicts to list.
#[test]
fn a_forbidden_range_does_little_harm() {
    for (make, size, percent) in [
        (networks::resnet as networks::Generator, 20, 25),
        (networks::random_ranges, 200, 6),
        (networks::random_ranges, 3_000, 3),
    ] {
        let problem = make(size);
        let peak = solve(Planner::Auto, &problem).solution.peak;
        let far = Forbidden::new(1 << 40, 1 << 41);
        let above = problem.clone().with_forbidden(far);
        assert_eq!(solve(Planner::Auto, &above).solution.peak, peak);
        let width = peak / 8;
        let hole = Forbidden::new(peak / 2, peak / 2 + width);
        let around = solve(Planner::Auto, &problem.with_forbidden(hole))
            .solution
            .peak;
        assert!(
            around <= (peak + width) * (100 + percent) / 100,
            "{around} with a hole of {width} bytes, {peak} without"
        );
    }
}
