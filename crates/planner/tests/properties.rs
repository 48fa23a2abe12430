//! Properties of every problem, tested on random ones.

use memplan_problems::{answers, case::TestCase, csv_text};
use proptest::prelude::{ProptestConfig, any, proptest};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_planner_gives_a_valid_plan(case in TestCase::strategy(40, 600)) {
        answers::check_planners(&case);
    }

    #[test]
    fn every_planner_copes_with_crowds(case in TestCase::strategy(100, 9)) {
        answers::check_planners(&case);
    }

    #[test]
    fn any_seed_and_no_time_give_a_valid_plan(case in TestCase::strategy(30, 600), seed in any::<u64>()) {
        answers::check_options(&case, seed);
    }

    #[test]
    fn validator_and_pairwise_definition_agree(
        case in TestCase::strategy(20, 100),
        moves in proptest::collection::vec((any::<u8>(), -20i8..20), 0..4),
    ) {
        answers::check_validator(&case, &moves);
    }

    #[test]
    fn a_buffer_moved_into_another_is_found(case in TestCase::strategy(16, 100)) {
        answers::check_seeded_overlaps(&case);
    }

    #[test]
    fn no_plan_beats_the_optimum_and_no_bound_exceeds_it(case in TestCase::strategy(6, 200)) {
        answers::check_against_optimum(&case);
    }

    #[test]
    fn windows_make_no_plan_invalid_or_worse(case in TestCase::strategy(24, 600)) {
        answers::check_windows(&case);
    }

    #[test]
    fn with_windows_no_plan_beats_the_optimum_and_no_bound_exceeds_it(case in TestCase::strategy(4, 200)) {
        answers::check_windows_against_optimum(&case);
    }

    #[test]
    fn exact_proves_the_optimum_of_tiny_problems_with_windows(case in TestCase::strategy(4, 200)) {
        answers::check_windows_solved(&case);
    }

    #[test]
    fn reuse_agrees_with_a_look_at_every_byte(case in TestCase::strategy(16, 60)) {
        answers::check_reuse(&case);
    }

    #[test]
    fn csv_round_trips(case in TestCase::strategy(20, 600)) {
        csv_text::check_csv(&case);
    }

    #[test]
    fn malformed_csv_is_an_error_with_a_position(
        case in TestCase::strategy(8, 600),
        spaces in any::<bool>(),
        edits in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..4),
    ) {
        csv_text::check_csv_text(&csv_text::mutated_csv(&case, spaces, &edits));
    }

    #[test]
    fn any_text_is_an_error_or_a_problem(text in "([a-z]{2,5}|[0-9]{1,20}|[-@:,\\n\\r\"\u{feff}])*") {
        csv_text::check_csv_text(&text);
        csv_text::check_csv_text(&format!("id,lower,upper,size,gaps,offset\n{text}"));
    }

    #[test]
    fn bytes_of_a_fuzzer_make_valid_problems(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        answers::check_planners(&TestCase::from_bytes(&data));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_is_never_above_auto(case in TestCase::strategy(40, 600)) {
        answers::check_exact_against_auto(&case);
    }

    #[test]
    fn more_effort_is_never_worse(case in TestCase::strategy(40, 600)) {
        answers::check_effort(&case);
    }
}
