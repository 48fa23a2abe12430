//! Random problems: plans keep their limits, bounds hold, and small problems are solved as an exhaustive search does.

use memplan_placement::{
    Again, Buffer, Fixed, Gap, Options, Outcome, Plan, Problem, Proof, Sequence, Space, SpaceSet,
    Touch, cheapest_first, check, furthest_next_use, shortages, solve, whole_buffers,
};
use proptest::prelude::*;
use smallvec::smallvec;

const POSITIONS: u32 = 8;

fn spaces() -> impl Strategy<Value = Vec<Space>> {
    let space = |fast: bool| {
        let capacity = if fast { 4_u64..24 } else { 16..64 };
        let capacity =
            prop_oneof![3 => capacity.prop_map(Some), u32::from(!fast) * 6 => Just(None)];
        let cost = if fast { 1_u64..3 } else { 3..12 };
        (capacity, cost.clone(), cost).prop_map(|(capacity, read, write)| Space {
            capacity,
            read,
            write,
        })
    };
    (space(true), space(false), prop::option::of(space(false)))
        .prop_map(|(fast, slow, third)| [fast, slow].into_iter().chain(third).collect())
}

fn buffer(count: usize) -> impl Strategy<Value = Buffer> {
    let touch = (
        0_u32..3,
        0_u64..3,
        0_u64..3,
        prop::bool::weighted(0.15),
        0..count,
    );
    let gap = (
        prop::bool::weighted(0.1),
        prop::option::weighted(0.15, (0_u64..40, 0_u64..3, 0_u64..3)),
        prop::bool::weighted(0.1),
    );
    (
        0_u32..POSITIONS - 1,
        0_u64..9,
        prop::collection::vec((touch, gap), 1..4),
    )
        .prop_map(move |(first, size, layers)| {
            let all = SpaceSet::first(count);
            let mut at = first;
            let (mut touches, mut gaps) = (Vec::new(), Vec::new());
            for ((wait, reads, writes, is_bound, space), (is_dead, again, is_held)) in layers {
                if !touches.is_empty() {
                    let end = (at + wait).min(POSITIONS - 1).max(at);
                    gaps.push(Gap {
                        ranges: if is_dead {
                            smallvec![]
                        } else {
                            smallvec![(at, end)]
                        },
                        spaces: if is_held { SpaceSet::one(space) } else { all },
                        is_dead,
                        again: again.map(|(cost, reads, writes)| Again {
                            cost,
                            reads: reads * size,
                            writes: writes * size,
                        }),
                    });
                    at = end;
                }
                let end = (at + 1).min(POSITIONS);
                touches.push(Touch {
                    ranges: smallvec![(at, end)],
                    reads: reads * size,
                    writes: writes * size,
                    spaces: if is_bound { SpaceSet::one(space) } else { all },
                });
                at = end;
            }
            Buffer {
                size,
                copied: size,
                touches,
                gaps,
            }
        })
}

fn problem(most: usize) -> impl Strategy<Value = Problem> {
    spaces().prop_flat_map(move |spaces| {
        let count = spaces.len();
        let buffers = prop::collection::vec(buffer(count), 0..=most);
        let fixed = (0..count, 0..POSITIONS, 0..POSITIONS, 0_u64..4).prop_map(|one| Fixed {
            space: one.0,
            range: (one.1.min(one.2), one.1.max(one.2)),
            bytes: one.3,
        });
        (Just(spaces), buffers, prop::collection::vec(fixed, 0..2)).prop_map(
            |(spaces, buffers, fixed)| Problem {
                spaces,
                positions: POSITIONS,
                buffers,
                fixed,
            },
        )
    })
}

/// The cost of the cheapest plan, by trying all.
fn exhaustive(problem: &Problem) -> Option<u128> {
    // All sequences of each buffer, with their costs.
    let mut all: Vec<Vec<(u128, Sequence)>> = Vec::new();
    for buffer in &problem.buffers {
        let mut open = vec![Vec::new()];
        for _ in 0..buffer.layers() {
            open = open
                .into_iter()
                .flat_map(|held: Vec<SpaceSet>| {
                    (0..1_u16 << problem.spaces.len()).map(move |set| {
                        let mut held = held.clone();
                        held.push(SpaceSet(set));
                        held
                    })
                })
                .collect();
        }
        let costs = open.into_iter().filter_map(|holdings| {
            let sequence = Sequence { holdings };
            Some((sequence.cost(problem, buffer)?, sequence))
        });
        let mut costs: Vec<_> = costs.collect();
        costs.sort_by_key(|one| one.0);
        all.push(costs);
    }
    let mut bytes = vec![vec![0; POSITIONS as usize]; problem.spaces.len()];
    for fixed in &problem.fixed {
        for at in fixed.range.0..fixed.range.1 {
            bytes[fixed.space][at as usize] += fixed.bytes;
            if bytes[fixed.space][at as usize]
                > problem.spaces[fixed.space].capacity.unwrap_or(u64::MAX)
            {
                return None;
            }
        }
    }
    let mut best = None;
    try_all(problem, &all, 0, 0, (&mut bytes, &mut best));
    best
}

fn try_all(
    problem: &Problem,
    all: &[Vec<(u128, Sequence)>],
    chosen: usize,
    cost: u128,
    (bytes, best): (&mut [Vec<u64>], &mut Option<u128>),
) {
    let Some(next) = all.get(chosen) else {
        *best = Some(best.map_or(cost, |best: u128| best.min(cost)));
        return;
    };
    let rest = all[chosen + 1..].iter();
    let rest_after: u128 = rest.map(|one| one.first().map_or(0, |one| one.0)).sum();
    for (own, sequence) in next {
        if best.is_some_and(|best| best <= cost + rest_after + own) {
            return;
        }
        if change(problem, chosen, sequence, bytes, true) {
            try_all(problem, all, chosen + 1, cost + own, (bytes, best));
        }
        change(problem, chosen, sequence, bytes, false);
    }
}

/// Adds the bytes of a buffer, or takes them away; whether all limits are kept.
fn change(
    problem: &Problem,
    buffer: usize,
    sequence: &Sequence,
    bytes: &mut [Vec<u64>],
    is_added: bool,
) -> bool {
    let buffer = &problem.buffers[buffer];
    let mut fits = true;
    for (layer, holding) in sequence.holdings.iter().enumerate() {
        for space in holding.iter() {
            let capacity = problem.spaces[space].capacity.unwrap_or(u64::MAX);
            for at in buffer
                .ranges(layer)
                .iter()
                .flat_map(|range| range.0..range.1)
            {
                let held = &mut bytes[space][at as usize];
                *held = match is_added {
                    true => *held + buffer.size,
                    false => *held - buffer.size,
                };
                fits &= *held <= capacity;
            }
        }
    }
    fits
}

/// Whether some bytes are needed beyond a limit, by counting.
fn is_short(problem: &Problem) -> bool {
    !shortages(problem).is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn small_problems_are_solved_as_by_trying_all(problem in problem(4)) {
        let best = exhaustive(&problem);
        match solve(&problem, &Options::default()).unwrap() {
            Outcome::Plan(plan, proof) => {
                prop_assert_eq!(check(&problem, &plan), Ok(()));
                prop_assert_eq!(proof, Proof::Optimal);
                prop_assert_eq!(Some(plan.cost), best);
            }
            Outcome::Short(_) | Outcome::Impossible => prop_assert_eq!(best, None),
            Outcome::Unknown => prop_assert!(false, "unknown, though {best:?}"),
        }
    }

    #[test]
    fn a_shortage_is_one(problem in problem(4)) {
        if is_short(&problem) {
            prop_assert_eq!(exhaustive(&problem), None);
        }
    }

    #[test]
    fn larger_plans_keep_all_limits_and_no_yardstick_is_below_the_bound(problem in problem(24)) {
        let options = Options { steps: 4000, attempts: 500, rounds: 40 };
        let outcome = solve(&problem, &options).unwrap();
        let least = match &outcome {
            Outcome::Plan(plan, proof) => {
                prop_assert_eq!(check(&problem, plan), Ok(()));
                match proof {
                    Proof::Optimal => plan.cost,
                    Proof::AtLeast(bound) => {
                        prop_assert!(*bound <= plan.cost);
                        *bound
                    }
                }
            }
            Outcome::Short(_) | Outcome::Impossible => u128::MAX,
            Outcome::Unknown => 0,
        };
        let whole = whole_buffers(&problem, &options).unwrap();
        let mut others: Vec<Plan> = whole.into_iter().collect();
        if problem.spaces[1].capacity.is_none() {
            others.extend(furthest_next_use(&problem, 0, 1));
            others.extend(cheapest_first(&problem, 0, 1));
        }
        for other in others {
            prop_assert_eq!(check(&problem, &other), Ok(()));
            prop_assert!(other.cost >= least);
        }
        // The same again.
        prop_assert_eq!(solve(&problem, &options).unwrap(), outcome);
    }
}

/// Buffers of 4 bytes that are used at the positions given, and written at the first of these.
fn used_at(positions: &[u32]) -> Buffer {
    let all = SpaceSet::first(2);
    Buffer {
        size: 4,
        copied: 4,
        touches: positions
            .iter()
            .enumerate()
            .map(|(number, at)| Touch {
                ranges: smallvec![(*at, at + 1)],
                reads: if number == 0 { 0 } else { 4 },
                writes: if number == 0 { 4 } else { 0 },
                spaces: all,
            })
            .collect(),
        gaps: positions
            .windows(2)
            .map(|pair| Gap {
                ranges: smallvec![(pair[0] + 1, pair[1])],
                spaces: all,
                is_dead: false,
                again: None,
            })
            .collect(),
    }
}

fn two_spaces(capacity: u64, buffers: Vec<Buffer>) -> Problem {
    Problem {
        spaces: vec![
            Space {
                capacity: Some(capacity),
                read: 1,
                write: 1,
            },
            Space {
                capacity: None,
                read: 10,
                write: 10,
            },
        ],
        positions: POSITIONS,
        buffers,
        fixed: Vec::new(),
    }
}

fn cost(problem: &Problem) -> u128 {
    match solve(problem, &Options::default()).unwrap() {
        Outcome::Plan(plan, Proof::Optimal) => plan.cost,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_buffer_is_evicted_where_that_is_cheaper_than_using_it_elsewhere() {
    // It is read often before and after.
    let mut long = used_at(&[0, 1, 6, 7]);
    long.touches
        .iter_mut()
        .skip(1)
        .for_each(|touch| touch.reads = 40);
    let alone = two_spaces(4, vec![long.clone()]);
    let mut other = used_at(&[3, 4]);
    other.touches[1].reads = 400;
    let both = two_spaces(4, vec![long, other]);
    // 4 bytes are copied out for 11 each, and back.
    assert_eq!(cost(&both), cost(&alone) + 4 + 400 + 2 * 44);
}

#[test]
fn contents_that_can_be_computed_again_are_discarded() {
    let mut long = used_at(&[0, 7]);
    long.gaps[0].again = Some(Again {
        cost: 2,
        reads: 0,
        writes: 4,
    });
    let other = used_at(&[3, 4]);
    assert_eq!(cost(&two_spaces(4, vec![long, other])), 8 + 8 + 6);
}

#[test]
fn a_copy_that_is_not_written_is_not_copied_out_again() {
    let mut long = used_at(&[0, 3, 6]);
    long.touches[0].spaces = SpaceSet::one(0);
    long.touches.iter_mut().for_each(|touch| touch.reads *= 100);
    let mut others = [used_at(&[1, 2]), used_at(&[4, 5])];
    others
        .iter_mut()
        .for_each(|other| other.touches[1].reads *= 100);
    let all = two_spaces(4, std::iter::once(long).chain(others).collect());
    assert_eq!(cost(&all), 4 + 2 * 400 + 2 * (4 + 400) + 44 + 2 * 44);
}

#[test]
fn what_must_be_there_and_does_not_fit_is_named() {
    let mut buffers = vec![used_at(&[0, 3]), used_at(&[2, 3]), used_at(&[5, 6])];
    for buffer in &mut buffers {
        buffer
            .touches
            .iter_mut()
            .for_each(|touch| touch.spaces = SpaceSet::one(0));
    }
    let problem = two_spaces(7, buffers);
    let Outcome::Short(short) = solve(&problem, &Options::default()).unwrap() else {
        panic!("it fits");
    };
    assert_eq!(short.len(), 1);
    assert_eq!(
        (short[0].position, short[0].bytes, short[0].capacity),
        (3, 8, 7)
    );
    assert_eq!(short[0].buffers, [0, 1]);
}
