//! Memory with banks: properties of random problems, and problems whose answer is known.

use memplan_planner::validate::validate;
use memplan_planner::{
    BankLayout, BankRule, BankRules, Banks, Buffer, Certificate, Forbidden, PlanError, Planner,
    Problem, certificate,
};
use memplan_problems::{banks, case::TestCase, numbers::Numbers};
use proptest::prelude::{ProptestConfig, any, proptest};

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_are_valid_and_bounds_are_proven(case in TestCase::strategy(40, 600), seed in any::<u64>()) {
        banks::check_planners(&case, seed);
    }

    #[test]
    fn few_buffers_are_solved_as_an_exhaustive_search_does(case in TestCase::strategy(6, 600), seed in any::<u64>()) {
        banks::check_solved(&case, 6, seed);
    }

    #[test]
    fn twelve_buffers_are_solved(case in TestCase::strategy(12, 600), seed in any::<u64>()) {
        banks::check_solved(&case, 12, seed);
    }

    #[test]
    fn a_corrupted_proof_proves_no_false_bound(
        case in TestCase::strategy(7, 600),
        seed in any::<u64>(),
        edits in proptest::collection::vec(any::<(u8, u16, u16)>(), 1..12),
    ) {
        banks::check_corrupted(&case, seed, &edits);
    }
}

/// The exhaustive search ends for most problems of twelve buffers, so that the comparison means something.
#[test]
fn the_exhaustive_search_mostly_ends() {
    let mut numbers = Numbers(7);
    let mut ended = 0;
    for seed in 0..40 {
        let bytes: Vec<u8> = (0..84).map(|_| numbers.below(256) as u8).collect();
        ended += u32::from(banks::check_solved(&TestCase::from_bytes(&bytes), 12, seed));
    }
    assert!(ended >= 20, "{ended}");
}

fn in_banks(buffers: Vec<Buffer>, layout: BankLayout, rules: BankRules) -> Problem {
    let problem = Problem::new(buffers).expect("valid");
    problem.with_banks(Banks { layout, rules })
}

fn peak(problem: &Problem) -> Option<u64> {
    match Planner::Auto.solve(problem) {
        Ok(outcome) => {
            assert_eq!(validate(problem, &outcome.solution), Ok(()));
            assert!(outcome.optimal || problem.capacity.is_some());
            Some(outcome.solution.peak)
        }
        Err(PlanError::Infeasible {
            lower_bound,
            certificate,
            ..
        }) => {
            assert_eq!(certificate::check(problem, &certificate), Ok(lower_bound));
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Twelve buffers of which each bank holds one only: with eleven banks, one of them has none. Banks that are alike are tried
/// once, or the tree would have 11! leaves.
#[test]
fn one_buffer_too_many_is_refuted() {
    let buffers = || (0..12).map(|id| Buffer::new(id, 6, [(0, 1)])).collect();
    let layout = |count: u32| BankLayout::equal(count, 10 * u64::from(count)).expect("banks");
    assert_eq!(
        peak(&in_banks(buffers(), layout(12), BankRules::default())),
        Some(116)
    );
    assert_eq!(
        peak(&in_banks(buffers(), layout(11), BankRules::default())),
        None
    );
}

/// Bin packing: a bank with one of the largest has space for one of the others, and the fourth bank for three.
#[test]
fn sizes_that_do_not_pack_are_refuted() {
    let problem = |others| {
        let sizes = [6; 3].into_iter().chain([3; 7].into_iter().take(others));
        let buffers = (0..)
            .zip(sizes)
            .map(|(id, size)| Buffer::new(id, size, [(0, 1)]));
        let layout = BankLayout::of_sizes(&[10; 4]).expect("banks");
        in_banks(buffers.collect(), layout, BankRules::default())
    };
    assert_eq!(peak(&problem(6)), Some(39));
    assert_eq!(problem(7).bounds().load, 39);
    assert_eq!(peak(&problem(7)), None);
}

#[test]
fn ping_and_pong_are_in_different_banks() {
    let buffers = || {
        vec![
            Buffer::new(0, 8, [(0, 2)]),
            Buffer::new(1, 8, [(1, 3)]),
            Buffer::new(2, 8, [(2, 4)]),
        ]
    };
    let rules = |apart: &[&[u64]]| BankRules {
        apart: apart.iter().map(|ids| ids.to_vec()).collect(),
        ..BankRules::default()
    };
    let layout = || BankLayout::of_sizes(&[16, 16]).expect("banks");
    assert_eq!(peak(&in_banks(buffers(), layout(), rules(&[]))), Some(16));
    assert_eq!(
        peak(&in_banks(buffers(), layout(), rules(&[&[0, 1], &[1, 2]]))),
        Some(24)
    );
    // The first and the third are never in use at once.
    assert_eq!(
        peak(&in_banks(buffers(), layout(), rules(&[&[0, 1, 2]]))),
        Some(24)
    );
    let one = BankLayout::of_sizes(&[32]).expect("a bank");
    let problem = in_banks(buffers(), one, rules(&[&[0, 1]]));
    let bounds = problem.certified_bounds();
    let buffers_apart = Certificate::Apart {
        buffers: vec![0, 1],
    };
    assert_eq!((bounds.0.lower_bound, bounds.1), (u64::MAX, buffers_apart));
    // Interleaved: strips of two banks with four bytes each.
    let strips = BankLayout::Interleaved { count: 4, width: 4 };
    let problem = in_banks(buffers(), strips, rules(&[&[0, 1], &[1, 2]]));
    assert_eq!(peak(&problem), Some(16));
    let narrow = BankLayout::Interleaved { count: 3, width: 4 };
    assert_eq!(peak(&in_banks(buffers(), narrow, rules(&[&[0, 1]]))), None);
}

/// A stack at the end of the first bank, and a fixed buffer in the second.
#[test]
fn forbidden_addresses_and_fixed_buffers_are_left_alone() {
    let buffers = |size| {
        vec![
            Buffer::new(0, 6, [(0, 2)]),
            Buffer::new(1, size, [(0, 2)]),
            Buffer::new(2, 4, [(1, 3)]).fixed_at(10),
        ]
    };
    let problem = |size, stack: Forbidden| {
        let layout = BankLayout::of_sizes(&[10, 10]).expect("banks");
        in_banks(buffers(size), layout, BankRules::default()).with_forbidden(stack)
    };
    let stack = Forbidden::new(7, 10);
    assert_eq!(peak(&problem(6, stack)), Some(20));
    assert_eq!(peak(&problem(7, stack)), Some(20));
    assert_eq!(peak(&problem(8, stack)), None);
    assert_eq!(peak(&problem(8, stack.during(5, 6))), Some(20));
}

#[test]
fn a_bank_that_its_buffers_fill_is_named() {
    let pinned = |id| BankRule {
        id,
        banks: vec![1],
        crosses: false,
    };
    let rules = BankRules {
        placements: vec![pinned(1), pinned(2)],
        ..BankRules::default()
    };
    let problem = |size| {
        let buffers = (0..3).map(|id| Buffer::new(id, size, [(0, 1)])).collect();
        let layout = BankLayout::of_sizes(&[16, 8]).expect("banks");
        in_banks(buffers, layout, rules.clone())
    };
    let (bounds, proof) = problem(4).certified_bounds();
    assert_eq!(bounds.lower_bound, 24);
    assert!(matches!(proof, Certificate::Banks(_)), "{proof:?}");
    assert_eq!(problem(5).certified_bounds().0.lower_bound, u64::MAX);
    assert_eq!((peak(&problem(4)), peak(&problem(5))), (Some(24), None));
}

/// More buffers than the search over banks takes.
#[test]
fn many_buffers_are_placed() {
    let mut numbers = Numbers(3);
    let mut buffers = Vec::new();
    for id in 0..2_000 {
        let start = numbers.below(1_000);
        let buffer = Buffer::new(
            id,
            1 + numbers.below(500),
            [(start, start + 1 + numbers.below(20))],
        );
        buffers.push(buffer.aligned(1 << numbers.below(5)));
    }
    let apart = (0..500).map(|pair| vec![2 * pair, 2 * pair + 1]).collect();
    let rules = BankRules {
        apart,
        ..BankRules::default()
    };
    let layout = BankLayout::of_sizes(&[4_096; 4]).expect("banks");
    let problem = in_banks(buffers, layout, rules);
    for planner in [Planner::FirstFit, Planner::BySize, Planner::Large] {
        let outcome = planner.solve(&problem).expect("a plan");
        assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
        assert!(
            banks::is_valid_by_bytes(&problem, &outcome.solution),
            "{planner}"
        );
    }
}
