//! Problems whose perfect packing is known.

#[path = "support/numbers.rs"]
mod numbers;
#[path = "support/planted.rs"]
mod planted;

use memplan_planner::validate::validate;

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
