//! Problems with a known perfect packing.

use memplan_planner::validate::validate;
use memplan_planner::{Buffer, Planner, Problem};
use memplan_problems::{numbers::Numbers, planted};

#[test]
fn packings_are_valid_and_leave_nothing_free_at_the_fullest_time() {
    for (name, make) in planted::ALL {
        for (count, seed) in [
            (1, 0),
            (2, 1),
            (7, 2),
            (50, 3),
            (200, 4),
            (200, 7),
            (3_000, 5),
        ] {
            let planted::Planted { problem, solution } = make(count, seed);
            assert_eq!(validate(&problem, &solution), Ok(()), "{name}");
            let load = problem.bounds().load;
            if name == "hard" {
                assert!(load <= solution.peak && solution.peak <= planted::HARD);
            } else {
                assert_eq!(load, planted::CAPACITY, "{name}:{count}:{seed}");
                assert_eq!(load, solution.peak, "{name}:{count}:{seed}");
                let buffers = problem.buffers.len();
                assert!(
                    buffers.abs_diff(count) <= count / 10 + 1,
                    "{name}: {buffers} of {count}"
                );
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_packing() {
    for (name, make) in planted::ALL {
        let (one, two, other) = (make(300, 1), make(300, 1), make(300, 2));
        assert_eq!(one.problem, two.problem, "{name}");
        assert_ne!(one.problem, other.problem, "{name}");
    }
}

/// The peak of `planner` relative to the lower bound.
fn ratio(planner: Planner, problem: &Problem) -> f64 {
    let outcome = planner.solve(problem).expect("a plan");
    assert_eq!(validate(problem, &outcome.solution), Ok(()));
    outcome.solution.peak as f64 / outcome.bounds.lower_bound as f64
}

#[test]
fn perfect_packings_are_recovered() {
    for make in [
        planted::uniform,
        planted::heavy_tailed,
        planted::stack_like,
        planted::long_short,
    ] {
        for count in [100, 1_000, 6_000] {
            let problem = make(count, 1).problem;
            for planner in [Planner::Large, Planner::Auto] {
                assert!(ratio(planner, &problem) <= 1.002, "{planner}, {count}");
            }
        }
    }
}

/// A problem in which a few buffers in a thousand are changed.
fn changed(problem: &Problem, change: impl Fn(&mut Buffer)) -> Problem {
    let mut numbers = Numbers(11);
    let mut buffers = problem.buffers.clone();
    for buffer in &mut buffers {
        if numbers.below(500) == 0 {
            change(buffer);
        }
    }
    Problem::new(buffers).expect("valid")
}

#[test]
fn packings_that_are_nearly_perfect_lose_little() {
    let problem = planted::uniform(4_000, 3).problem;
    let changes: [fn(&mut Buffer); 3] = [
        |buffer| buffer.size = 0,
        |buffer| buffer.size -= buffer.size / 9,
        |buffer| buffer.live[0].start += (buffer.live[0].end - buffer.live[0].start) / 3,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let ratio = ratio(Planner::Large, &changed(&problem, change));
        assert!(ratio <= 1.02, "{ratio} after change {index}");
    }
}

#[test]
fn problems_without_a_perfect_packing_are_planned() {
    let problem = planted::uniform(2_000, 5).problem;
    let changes: [fn(&mut Buffer); 4] = [
        |buffer| buffer.alignment = 1 << 20,
        |buffer| buffer.fixed_offset = Some(buffer.id << 40),
        |buffer| {
            let live = buffer.live[0];
            if live.end - live.start > 2 {
                buffer.live[0].end = live.start + 1;
                buffer.live.push(memplan_planner::LiveRange {
                    start: live.end - 1,
                    ..live
                });
            }
        },
        |buffer| buffer.size <<= 17,
    ];
    for change in changes {
        ratio(Planner::Large, &changed(&problem, change));
    }
}
