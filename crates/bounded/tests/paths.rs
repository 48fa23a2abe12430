//! The analysis of paths without expansion has the same results as that of the expanded tree.

use memplan_bounded::{
    Analysis, Deaths, Layout, Load, Placement, TradeOffPoint, Value,
    check::check,
    paths::Paths,
    program::{Block, Item, Var, expand},
    scan::{self, Fit},
};
use memplan_planner::Effort;
use proptest::prelude::*;

fn new(next: &mut u32) -> Var {
    *next += 1;
    Var(*next)
}

/// A random program. `names` are the names defined so far; `next` is the number of the last new one.
fn block(
    bytes: &mut impl Iterator<Item = u8>,
    next: &mut u32,
    names: &[Var],
    depth: u32,
    yields: usize,
) -> Block {
    let mut known = names.to_vec();
    let mut items = Vec::new();
    let pick = |known: &[Var], byte: u8| known[usize::from(byte) % known.len()];
    let count = bytes.next().unwrap_or(0) % 6;
    // A value to yield.
    let first = new(next);
    let size = |byte: u8| Value::buffer([0, 4, 8, 8, 12, 24][usize::from(byte % 6)], 4);
    items.push(Item::Step {
        uses: Vec::new(),
        defines: vec![(first, size(bytes.next().unwrap_or(1)))],
    });
    known.push(first);
    for _ in 0..count {
        match bytes.next().unwrap_or(0) % 8 {
            0..=2 => {
                let name = new(next);
                let uses = match bytes.next().unwrap_or(0) {
                    byte if byte % 2 == 0 => vec![pick(&known, byte / 2)],
                    _ => Vec::new(),
                };
                items.push(Item::Step {
                    uses,
                    defines: vec![(name, size(bytes.next().unwrap_or(0)))],
                });
                known.push(name);
            }
            3 => items.push(Item::Step {
                uses: vec![
                    pick(&known, bytes.next().unwrap_or(0)),
                    pick(&known, bytes.next().unwrap_or(0)),
                ],
                defines: Vec::new(),
            }),
            4 => {
                let name = new(next);
                let of = vec![
                    pick(&known, bytes.next().unwrap_or(0)),
                    pick(&known, bytes.next().unwrap_or(0)),
                ];
                items.push(Item::Alias { name, of });
                known.push(name);
            }
            5 | 6 if depth > 0 => {
                let count = usize::from(bytes.next().unwrap_or(0) % 3);
                let arms = [(); 2].map(|()| block(bytes, next, &known, depth - 1, count));
                let results: Vec<Var> = (0..count).map(|_| new(next)).collect();
                known.extend(&results);
                items.push(Item::Branch {
                    uses: Vec::new(),
                    arms: arms.into(),
                    results,
                });
            }
            7 if depth > 0 => {
                let count = usize::from(bytes.next().unwrap_or(0) % 3);
                let trip_count = [0, 1, 2, 3, 7, 12][usize::from(bytes.next().unwrap_or(0) % 6)];
                let inits: Vec<Var> = (0..count)
                    .map(|_| pick(&known, bytes.next().unwrap_or(0)))
                    .collect();
                let row = |next: &mut u32| -> Vec<Var> { (0..count).map(|_| new(next)).collect() };
                let (carried, results) = (row(next), row(next));
                let number = row(next).first().copied();
                let inner = [known.as_slice(), &carried, number.as_slice()].concat();
                let body = block(bytes, next, &inner, depth - 1, count);
                items.push(Item::Loop {
                    trip_count,
                    induction: number.map(|name| (name, Value::buffer(4, 4))),
                    inits,
                    carried,
                    body,
                    results: results.clone(),
                });
                known.extend(results);
            }
            _ => {}
        }
    }
    let mine: Vec<Var> = (0..yields)
        .map(|_| pick(&known, bytes.next().unwrap_or(0)))
        .collect();
    Block {
        items,
        yields: mine,
    }
}

fn programs() -> impl Strategy<Value = Block> {
    prop::collection::vec(any::<u8>(), 10..160)
        .prop_map(|bytes| block(&mut bytes.into_iter(), &mut 0, &[], 3, 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn paths_and_expanded_trees_agree(program in programs()) {
        let Ok((tree, names)) = expand(&program, 4000) else { return Ok(()); };
        let (deaths, paths) = (Deaths::of(&tree), Paths::new(&program));
        prop_assert_eq!(names.len(), tree.values.len());
        prop_assume!(paths.unit() == tree.unit());
        let load = Load::of(&tree, &deaths);
        let Ok(most) = paths.load() else { return Ok(()); };
        prop_assert_eq!(most, load.most);
        let Ok(rounded) = paths.rounded_load() else { return Ok(()); };
        prop_assert_eq!(rounded, load.most_rounded);
        prop_assert_eq!(paths.plain(), scan::plain(&tree).peak);
        for (placement, fit) in [(Placement::First, Fit::First), (Placement::Best, Fit::Best)] {
            let Ok(stack) = paths.scan(placement) else { return Ok(()); };
            let layout = scan::scan(&tree, &deaths, fit);
            prop_assert_eq!(stack.peak, layout.peak);
            if let Some(offsets) = stack.offsets {
                let known: Vec<u64> = names.iter().map(|name| offsets[name]).collect();
                prop_assert_eq!(known, layout.offsets);
            }
            if let Ok(stack) = paths.defrag(placement, rounded) {
                let layout = scan::defrag(&tree, &deaths, fit, rounded);
                prop_assert_eq!(stack.peak, layout.peak);
                let worst = layout.worst(&tree, &load);
                prop_assert_eq!(stack.moved_bytes, worst.moved_bytes);
                prop_assert_eq!(stack.moves, worst.moves);
                prop_assert_eq!(stack.defragmentations, worst.defragmentations);
            }
        }
        if let Some(disjoint) = paths.disjoint() {
            let offsets = disjoint.offsets.unwrap();
            if let Ok(Some(_)) = paths.live_ranges() {
                prop_assert_eq!(paths.offsets_are_valid(&offsets), Ok(true));
            }
            let layout = Layout::fixed(&tree, names.iter().map(|name| offsets[name]).collect());
            prop_assert_eq!(check(&tree, &layout), Ok(()));
            prop_assert!(paths.plain() <= disjoint.peak);
        }
        let fixed_offsets = paths.fixed_offsets(Effort::Steps(20_000));
        if let Ok(best) = paths.lowest_without_moves(fixed_offsets.as_ref().ok().and_then(Option::as_ref)) {
            let scans = [Placement::First, Placement::Best].map(|fit| paths.scan(fit));
            prop_assert!(scans.iter().flatten().all(|scan| best.peak <= scan.peak));
            let curve = paths.curve(Placement::First, rounded, &best);
            let falls = |a: &TradeOffPoint, b: &TradeOffPoint| a.peak < b.peak && a.moved_bytes > b.moved_bytes;
            let all_fall = curve.windows(2).all(|two| falls(&two[0], &two[1]));
            prop_assert!(all_fall);
            prop_assert!(curve.first().is_some_and(|point| point.peak <= rounded));
        }
        if let Ok(Some(planned)) = fixed_offsets {
            let offsets = planned.offsets.unwrap();
            let offsets = names.iter().map(|name| offsets.get(name).copied().unwrap_or(0)).collect();
            let layout = Layout::fixed(&tree, offsets);
            prop_assert_eq!(check(&tree, &layout), Ok(()));
            prop_assert!(layout.peak <= planned.peak);
            prop_assert!(most <= planned.peak);
        }
    }
}

/// Consecutive branches, each with buffers of its own and one that is yielded.
fn branches(count: u32) -> Block {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        Var(next)
    };
    let mut last = fresh();
    let mut items = vec![Item::Step {
        uses: Vec::new(),
        defines: vec![(last, Value::buffer(64, 8))],
    }];
    for number in 0..count {
        let arms = [32, 48].map(|bytes| {
            let (own, given) = (fresh(), fresh());
            Block {
                items: vec![
                    Item::Step {
                        uses: vec![last],
                        defines: vec![(own, Value::buffer(bytes + u64::from(number % 3) * 8, 8))],
                    },
                    Item::Step {
                        uses: vec![own],
                        defines: vec![(given, Value::buffer(64, 8))],
                    },
                    Item::Step {
                        uses: vec![own, given],
                        defines: Vec::new(),
                    },
                ],
                yields: vec![given],
            }
        });
        let result = fresh();
        items.push(Item::Branch {
            uses: Vec::new(),
            arms: arms.into(),
            results: vec![result],
        });
        last = result;
    }
    items.push(Item::Step {
        uses: vec![last],
        defines: Vec::new(),
    });
    Block {
        items,
        yields: Vec::new(),
    }
}

#[test]
fn forty_consecutive_branches_need_few_states() {
    let short = branches(8);
    let (tree, _) = expand(&short, 100_000).unwrap();
    let analysis = Analysis::new(&tree, Placement::First, Effort::Quick);
    let paths = Paths::new(&short);
    assert_eq!(paths.load(), Ok(analysis.load.most));
    let long = branches(40);
    assert!(expand(&long, 1_000_000).is_err());
    let paths = Paths::new(&long);
    // The arm's own buffer, in the bytes of the last result, and the buffer that is yielded.
    assert_eq!(paths.load(), Ok(64 + 64));
    let planned = paths.fixed_offsets(Effort::Quick).unwrap().unwrap();
    assert!(planned.peak >= 128 && planned.offsets.is_some());
    assert!(paths.scan(Placement::First).unwrap().peak >= 128);
    assert_eq!(paths.plain(), 64 + 40 * 64 + 40 * 48 + 8 * (13 + 13 * 2));
}

#[test]
fn iterations_are_interpreted_until_they_repeat() {
    let [a, b, x, y, r, s] = [1, 2, 3, 4, 5, 6].map(Var);
    let make = |name| Item::Step {
        uses: Vec::new(),
        defines: vec![(name, Value::buffer(16, 8))],
    };
    let program = Block {
        items: vec![
            make(a),
            make(b),
            Item::Loop {
                trip_count: 1 << 60,
                induction: None,
                inits: vec![a, b],
                carried: vec![x, y],
                body: Block {
                    items: vec![Item::Step {
                        uses: vec![x],
                        defines: Vec::new(),
                    }],
                    yields: vec![y, x],
                },
                results: vec![r, s],
            },
            Item::Step {
                uses: vec![r],
                defines: Vec::new(),
            },
        ],
        yields: Vec::new(),
    };
    let paths = Paths::new(&program);
    assert_eq!(paths.load(), Ok(32));
    assert_eq!(paths.scan(Placement::First).unwrap().peak, 32);
    assert_eq!(
        paths.fixed_offsets(Effort::Quick).unwrap().unwrap().peak,
        32
    );
}

#[test]
fn values_are_renumbered_when_a_name_is_dropped() {
    let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(Var);
    let step = |uses: &[Var], defines: Option<(Var, u64)>| Item::Step {
        uses: uses.to_vec(),
        defines: defines
            .map(|(name, size)| (name, Value::buffer(size, 4)))
            .into_iter()
            .collect(),
    };
    let program = Block {
        items: vec![
            step(&[], Some((a, 12))),
            step(&[], Some((b, 4))),
            step(&[a], Some((c, 8))),
            Item::Alias {
                name: d,
                of: vec![b],
            },
            // The last use of b by that name: c is known by the first name from here on.
            step(&[b], Some((e, 24))),
            step(&[c, d, e], None),
        ],
        yields: Vec::new(),
    };
    let paths = Paths::new(&program);
    let stack = paths.defrag(Placement::First, 36).unwrap();
    // The value of 4 bytes above the hole moves down, not the one of 8 bytes below it.
    assert_eq!((stack.peak, stack.moved_bytes), (36, 4));
}

#[test]
fn the_cost_of_repeated_iterations_is_their_sum() {
    let [a, b, c, d] = [1, 2, 3, 4].map(Var);
    let make = |name, size| Item::Step {
        uses: Vec::new(),
        defines: vec![(name, Value::buffer(size, 8))],
    };
    let read = |uses: &[Var]| Item::Step {
        uses: uses.to_vec(),
        defines: Vec::new(),
    };
    // In each iteration, `b` is moved from between two holes, on one of two paths.
    let crowded = Block {
        items: vec![
            make(a, 16),
            make(b, 8),
            read(&[a]),
            make(c, 32),
            read(&[b, c]),
        ],
        yields: Vec::new(),
    };
    let quiet = Block {
        items: vec![make(d, 8), read(&[d])],
        yields: Vec::new(),
    };
    let program = |trip_count| Block {
        items: vec![Item::Loop {
            trip_count,
            induction: None,
            inits: Vec::new(),
            carried: Vec::new(),
            body: Block {
                items: vec![Item::Branch {
                    uses: Vec::new(),
                    arms: vec![crowded.clone(), quiet.clone()],
                    results: Vec::new(),
                }],
                yields: Vec::new(),
            },
            results: Vec::new(),
        }],
        yields: Vec::new(),
    };
    for trip_count in [1, 2, 3, 10, 1 << 40] {
        let program = program(trip_count);
        let stack = Paths::new(&program).defrag(Placement::First, 40).unwrap();
        assert_eq!((stack.peak, stack.moves), (40, trip_count));
        assert_eq!(stack.moved_bytes, 8 * trip_count);
    }
}
