//! The validity of problems, and edge cases of every planner.

use memplan_planner::validate::{Violation, validate};
use memplan_planner::{
    Buffer, Effort, Forbidden, MAX_SIZE, Options, PlanError, Planner, Problem, ProblemError,
    Solution,
};

fn error(buffers: Vec<Buffer>) -> ProblemError {
    Problem::new(buffers).expect_err("this problem is invalid")
}

#[test]
fn an_alignment_may_be_any_number_but_0() {
    let buffer = |alignment| vec![Buffer::new(5, 1, [(0, 1)]).aligned(alignment)];
    assert_eq!(error(buffer(0)), ProblemError::Alignment { id: 5 });
    for alignment in [1, 3, 48, 1000] {
        assert!(Problem::new(buffer(alignment)).is_ok());
    }
}

#[test]
fn live_ranges_must_be_sorted_disjoint_and_not_empty() {
    let buffer = |live: [(u64, u64); 2]| vec![Buffer::new(5, 1, live)];
    assert!(matches!(
        error(buffer([(0, 1), (2, 2)])),
        ProblemError::EmptyRange { id: 5, .. }
    ));
    assert!(matches!(
        error(buffer([(2, 4), (3, 5)])),
        ProblemError::RangeOrder { id: 5, .. }
    ));
    assert!(matches!(
        error(buffer([(2, 4), (0, 1)])),
        ProblemError::RangeOrder { id: 5, .. }
    ));
    assert!(
        Problem::new(buffer([(2, 4), (4, 5)])).is_ok(),
        "ranges may touch"
    );
}

#[test]
fn ids_must_be_unique() {
    let buffers = vec![
        Buffer::new(5, 1, []),
        Buffer::new(9, 1, []),
        Buffer::new(5, 2, []),
    ];
    assert_eq!(error(buffers), ProblemError::DuplicateId { id: 5 });
}

#[test]
fn sizes_and_sums_are_limited() {
    let size = MAX_SIZE + 1;
    assert_eq!(
        error(vec![Buffer::new(0, size, [(0, 1)])]),
        ProblemError::Size { id: 0, size }
    );
    let many = |count| {
        (0..count)
            .map(|id| Buffer::new(id, MAX_SIZE, [(0, 1)]))
            .collect::<Vec<_>>()
    };
    assert_eq!(error(many(8)), ProblemError::TooLarge);
    assert_eq!(
        error(vec![Buffer::new(0, 1, [(0, 1)]).aligned(1 << 63)]),
        ProblemError::TooLarge
    );
    assert_eq!(
        error(vec![Buffer::new(0, 1, [(0, 1)]).fixed_at(u64::MAX)]),
        ProblemError::TooLarge
    );
    let problem = Problem::new(many(7)).expect("this fits");
    for planner in Planner::ALL {
        assert_eq!(
            planner.solve(&problem).map(|outcome| outcome.solution.peak),
            Ok(7 * MAX_SIZE)
        );
    }
}

#[test]
fn fixed_offsets_must_be_aligned_and_apart() {
    let fixed = |id, at, live: (u64, u64)| Buffer::new(id, 10, [live]).fixed_at(at);
    let misaligned = ProblemError::FixedAlignment {
        id: 0,
        offset: 4,
        alignment: 8,
    };
    assert_eq!(error(vec![fixed(0, 4, (0, 1)).aligned(8)]), misaligned);
    for (first, second) in [(0, 9), (9, 0), (5, 5)] {
        let buffers = vec![fixed(0, first, (0, 2)), fixed(1, second, (1, 3))];
        assert!(
            matches!(error(buffers), ProblemError::FixedOverlap { .. }),
            "{first} {second}"
        );
    }
    assert!(Problem::new(vec![fixed(0, 0, (0, 2)), fixed(1, 10, (1, 3))]).is_ok());
    assert!(Problem::new(vec![fixed(0, 0, (0, 2)), fixed(1, 5, (2, 3))]).is_ok());
}

#[test]
fn a_literal_problem_is_checked_before_it_is_planned() {
    let buffers = vec![Buffer::new(0, 1, [(0, 1)]), Buffer::new(0, 1, [(0, 1)])];
    let problem = Problem {
        buffers,
        ..Problem::default()
    };
    let expected = Err(PlanError::Problem(ProblemError::DuplicateId { id: 0 }));
    for planner in Planner::ALL {
        assert_eq!(planner.solve(&problem), expected);
    }
    problem.bounds(); // must not panic
}

#[test]
fn bounds_of_invalid_problems_do_not_panic() {
    let backwards = (9, 2);
    let buffers = vec![
        Buffer::new(0, u64::MAX, [(0, 1), (0, 4)])
            .aligned(0)
            .fixed_at(u64::MAX),
        Buffer::new(0, u64::MAX, [backwards, (3, 3)]).aligned(48),
        Buffer::new(0, u64::MAX, [(0, 9)]).aligned(1 << 63),
    ];
    Problem {
        buffers,
        forbidden: vec![
            Forbidden::new(9, 3),
            Forbidden::new(0, u64::MAX).during(4, 4),
            Forbidden::new(0, u64::MAX),
        ],
        ..Problem::default()
    }
    .bounds();
}

#[test]
fn forbidden_ranges_must_be_valid() {
    let error = |forbidden: Forbidden| {
        let fixed = Buffer::new(7, 10, [(2, 5)]).fixed_at(40);
        let problem = Problem::new(vec![fixed, Buffer::new(8, 0, [(0, 9)]).fixed_at(41)]);
        let problem = problem.expect("valid").with_forbidden(forbidden);
        problem.check().map_err(|error| error.to_string())
    };
    let message = |forbidden| error(forbidden).expect_err("this range is invalid");
    assert_eq!(
        message(Forbidden::new(9, 9)),
        "the forbidden range [9, 9) is empty"
    );
    assert_eq!(
        message(Forbidden::new(0, 9).during(4, 3)),
        "the range [0, 9) is forbidden during the empty time [4, 3)"
    );
    let into = "buffer 7 is fixed at offset 40, where it reaches into the forbidden range [49, 60)";
    assert_eq!(message(Forbidden::new(49, 60)), into);
    assert_eq!(message(Forbidden::new(49, 60).during(4, 9)), into);
    let sum = "sizes and alignments, above what is fixed or forbidden, add up to more than 2^63 - 1 bytes";
    assert_eq!(message(Forbidden::new(60, u64::MAX)), sum);
    for right in [
        Forbidden::new(0, 40),
        Forbidden::new(50, 60),
        Forbidden::new(0, 60).during(0, 2),
        Forbidden::new(0, 60).during(5, 9),
        Forbidden::new(60, 1 << 62),
    ] {
        assert_eq!(error(right), Ok(()));
    }
}

#[test]
fn forbidden_bytes_are_left_alone_and_do_not_count() {
    let buffers = (0..6).map(|id| Buffer::new(id, 10, [(id, id + 3)]));
    let problem = Problem::new(buffers.collect()).expect("valid");
    for (forbidden, peak) in [
        (Forbidden::new(1 << 40, 1 << 41), 30),
        (Forbidden::new(30, 1 << 62), 30),
        (Forbidden::new(10, 12), 32),
        (Forbidden::new(0, 100), 130),
        (Forbidden::new(5, 28), 58),
        (Forbidden::new(0, 100).during(8, 9), 30),
        (Forbidden::new(0, 100).during(0, 1), 110),
    ] {
        let problem = problem.clone().with_forbidden(forbidden);
        for planner in Planner::ALL {
            let outcome = planner.solve(&problem).expect("a plan");
            assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
            assert_eq!((outcome.bounds.load, outcome.bounds.naive), (30, 60));
        }
        let outcome = Planner::Auto.solve(&problem).expect("a plan");
        assert_eq!(outcome.solution.peak, peak, "{forbidden:?}");
    }
}

#[test]
fn the_validator_finds_forbidden_bytes() {
    let problem = Problem::new(vec![Buffer::new(3, 10, [(0, 2), (6, 8)])])
        .expect("valid")
        .with_forbidden(Forbidden::new(0, 4).during(2, 6))
        .with_forbidden(Forbidden::new(20, 30));
    let found = |offset| validate(&problem, &Solution::new(&problem, vec![offset]));
    for right in [0, 10, 30] {
        assert_eq!(found(right), Ok(()), "{right}");
    }
    for offset in [11, 20, 29] {
        let expected = Violation::Forbidden {
            id: 3,
            offset,
            start: 20,
            end: 30,
        };
        assert_eq!(found(offset), Err(expected));
    }
}

#[test]
fn buffers_that_are_empty_or_never_live_conflict_with_nothing() {
    let buffers = vec![
        Buffer::new(0, 100, [(0, 2)]),
        Buffer::new(1, 120, []).aligned(64),
        Buffer::new(2, 0, [(0, 2)]).aligned(64),
        Buffer::new(3, 10, [(1, 2)]),
    ];
    let problem = Problem::new(buffers).expect("valid");
    for planner in Planner::ALL {
        let outcome = planner.solve(&problem).expect("a plan");
        assert_eq!(
            (
                outcome.solution.offsets[1],
                outcome.solution.peak,
                outcome.optimal
            ),
            (0, 120, true),
            "{planner}"
        );
    }
}

#[test]
fn bytes_in_a_hole_are_used_by_others() {
    let buffers = vec![
        Buffer::new(0, 64, [(0, 2), (4, 6)]),
        Buffer::new(1, 64, [(2, 4)]),
    ];
    let problem = Problem::new(buffers).expect("valid");
    for planner in [
        Planner::Auto,
        Planner::FirstFit,
        Planner::BestFit,
        Planner::BySize,
        Planner::ByArea,
    ] {
        assert_eq!(
            planner.solve(&problem).map(|outcome| outcome.solution.peak),
            Ok(64),
            "{planner}"
        );
    }
}

#[test]
fn free_buffers_go_around_fixed_ones() {
    let buffers = vec![
        Buffer::new(0, 50, [(0, 2)]).fixed_at(40),
        Buffer::new(1, 40, [(0, 2)]),
        Buffer::new(2, 30, [(0, 2)]),
    ];
    let problem = Problem::new(buffers).expect("valid");
    for planner in Planner::ALL {
        let outcome = planner.solve(&problem).expect("a plan");
        assert_eq!(
            (outcome.solution.offsets[0], outcome.solution.peak),
            (40, 120),
            "{planner}"
        );
    }
}

/// Buffers of which many are live at once, some of them fixed all the time, by a fixed sequence.
/// Conflicts are listed for up to 1,600 buffers, and not for up to 2,800.
fn crowd(longest: u64) -> Problem {
    let (count, mut state, mut top) = (3_000u64, 8u64, 0);
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let buffer = |id| {
        let (start, time, size) = (random(count), 3 + random(longest), 1 + random(1 << 16));
        if random(100) > 0 {
            return Buffer::new(id, size, [(start, start + time)]);
        }
        top += size;
        Buffer::new(id, size, [(0, 2 * count)]).fixed_at(top - size)
    };
    Problem::new((0..count).map(buffer).collect()).expect("valid")
}

fn check_auto_against_its_planners(problem: &Problem) {
    let peak = |planner: Planner, steps| {
        let options = Options::default().with_effort(Effort::Steps(steps));
        let outcome = planner.solve_with(problem, &options).expect("a plan");
        assert_eq!(validate(problem, &outcome.solution), Ok(()));
        outcome.solution.peak
    };
    let mut before = u64::MAX;
    for steps in [0, 100_000, 400_000, 1_000_000] {
        let auto = peak(Planner::Auto, steps);
        assert!(
            auto <= peak(Planner::Large, steps) && auto <= before,
            "{steps} steps"
        );
        before = auto;
    }
    for planner in [Planner::FirstFit, Planner::BestFit, Planner::BySize] {
        assert!(before <= peak(planner, 0), "{planner}");
    }
}

#[test]
fn auto_is_no_worse_than_its_planners_and_more_effort_no_worse_than_less() {
    check_auto_against_its_planners(&crowd(1_600));
    check_auto_against_its_planners(&crowd(2_800));
}

#[test]
fn fixed_buffers_count_where_they_end() {
    let fixed = |id: u64| Buffer::new(id, MAX_SIZE, [(0, 1)]).fixed_at(id * MAX_SIZE);
    let problem = Problem::new((0..7).map(fixed).collect()).expect("they end below 2^63");
    for planner in Planner::ALL {
        let peak = planner.solve(&problem).map(|outcome| outcome.solution.peak);
        assert_eq!(peak, Ok(7 * MAX_SIZE), "{planner}");
    }
    let beside = |count: u64| {
        let free = (10..10 + count).map(|id| Buffer::new(id, MAX_SIZE, [(0, 1)]));
        Problem::new([fixed(3)].into_iter().chain(free).collect())
    };
    assert!(beside(3).is_ok());
    assert_eq!(beside(4), Err(ProblemError::TooLarge));
}

#[test]
fn without_time_or_effort_there_is_one_pass() {
    let problem = crowd(2_800);
    let solve = |effort, time_limit| {
        let options = Options {
            effort,
            time_limit,
            ..Options::default()
        };
        Planner::Auto.solve_with(&problem, &options)
    };
    let late = solve(Effort::Thorough, Some(std::time::Duration::ZERO));
    assert_eq!(late, solve(Effort::Steps(0), None));
}

#[test]
fn a_plan_has_the_name_of_its_planner() {
    let problem = crowd(2_800);
    let options = Options::default().with_effort(Effort::Steps(0));
    let name = |planner: Planner| {
        let outcome = planner.solve_with(&problem, &options);
        outcome.expect("a plan").planner
    };
    assert_eq!(name(Planner::Exact), name(Planner::Auto));
    assert_ne!(name(Planner::HillClimb), "hill-climb");
}

#[test]
fn others_may_lie_in_the_bytes_that_a_fixed_buffer_does_not_use_during_its_windows() {
    let fixed = Buffer::new(0, 100, [(0, 2), (6, 8)])
        .with_window((2, 6), 0, 20)
        .fixed_at(0);
    let buffers = vec![
        fixed,
        Buffer::new(1, 10, [(3, 5)]).fixed_at(30),
        Buffer::new(2, 40, [(2, 6)]),
        Buffer::new(3, 10, [(2, 6)]),
    ];
    let mut problem = Problem::new(buffers).expect("a valid problem");
    problem.forbidden = vec![Forbidden::new(60, 70).during(2, 6)];
    for planner in Planner::ALL {
        let outcome = planner.solve(&problem).expect("a plan");
        assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
        if planner != Planner::Plain {
            assert_eq!(outcome.solution.peak, 110, "{planner}");
        }
    }
}
