//! Paths that are followed without writing the program out come to what the tree comes to.

use memplan_bounded::{
    Analysis, Deaths, Layout, Load, Placement, Point, Value,
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

/// A program by chance: `names` are those known, the next one has the number `next`.
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
    // Something to yield.
    let first = new(next);
    let size = |byte: u8| Value::buffer([0, 4, 8, 8, 12, 24][usize::from(byte % 6)], 4);
    items.push(Item::Step {
        uses: Vec::new(),
        makes: vec![(first, size(bytes.next().unwrap_or(1)))],
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
                    makes: vec![(name, size(bytes.next().unwrap_or(0)))],
                });
                known.push(name);
            }
            3 => items.push(Item::Step {
                uses: vec![
                    pick(&known, bytes.next().unwrap_or(0)),
                    pick(&known, bytes.next().unwrap_or(0)),
                ],
                makes: Vec::new(),
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
                let turns = [0, 1, 2, 3, 7, 12][usize::from(bytes.next().unwrap_or(0) % 6)];
                let starts: Vec<Var> = (0..count)
                    .map(|_| pick(&known, bytes.next().unwrap_or(0)))
                    .collect();
                let row = |next: &mut u32| -> Vec<Var> { (0..count).map(|_| new(next)).collect() };
                let (carried, results) = (row(next), row(next));
                let number = row(next).first().copied();
                let inner = [known.as_slice(), &carried, number.as_slice()].concat();
                let body = block(bytes, next, &inner, depth - 1, count);
                items.push(Item::Loop {
                    turns,
                    induction: number.map(|name| (name, Value::buffer(4, 4))),
                    starts,
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
    fn what_is_not_written_out_comes_to_the_same(program in programs()) {
        let Ok((tree, names)) = expand(&program, 4000) else { return Ok(()); };
        let (deaths, paths) = (Deaths::of(&tree), Paths::new(&program));
        prop_assert_eq!(names.len(), tree.values.len());
        prop_assume!(paths.unit() == tree.unit());
        let load = Load::of(&tree, &deaths);
        let Ok(most) = paths.load() else { return Ok(()); };
        prop_assert_eq!(most, load.most);
        prop_assert_eq!(paths.plain(), scan::plain(&tree).peak);
        for (placement, fit) in [(Placement::First, Fit::First), (Placement::Best, Fit::Best)] {
            let Ok(walked) = paths.scan(placement) else { return Ok(()); };
            let layout = scan::scan(&tree, &deaths, fit);
            prop_assert_eq!(walked.peak, layout.peak);
            if let Some(offsets) = walked.offsets {
                let known: Vec<u64> = names.iter().map(|name| offsets[name]).collect();
                prop_assert_eq!(known, layout.offsets);
            }
            if let Ok(walked) = paths.defrag(placement, most) {
                let layout = scan::defrag(&tree, &deaths, fit, most);
                prop_assert_eq!(walked.peak, layout.peak);
                let worst = layout.worst(&tree, &load);
                prop_assert_eq!(walked.moved_bytes, worst.moved_bytes);
                prop_assert_eq!(walked.moves, worst.moves);
                prop_assert_eq!(walked.defragmentations, worst.defragmentations);
            }
        }
        if let Some(apart) = paths.apart() {
            let offsets = apart.offsets.unwrap();
            if let Ok(Some(_)) = paths.lives() {
                prop_assert_eq!(paths.holds(&offsets), Ok(true));
            }
            let layout = Layout::fixed(&tree, names.iter().map(|name| offsets[name]).collect());
            prop_assert_eq!(check(&tree, &layout), Ok(()));
            prop_assert!(paths.plain() <= apart.peak);
        }
        let one_place = paths.one_place(Effort::Steps(20_000));
        if let Ok(best) = paths.lowest_still(one_place.as_ref().ok().and_then(Option::as_ref)) {
            let scans = [Placement::First, Placement::Best].map(|fit| paths.scan(fit));
            prop_assert!(scans.iter().flatten().all(|scan| best.peak <= scan.peak));
            let curve = paths.curve(Placement::First, most, &best);
            let falls = |a: &Point, b: &Point| a.peak < b.peak && a.moved_bytes > b.moved_bytes;
            let all_fall = curve.windows(2).all(|two| falls(&two[0], &two[1]));
            prop_assert!(all_fall);
            prop_assert!(curve.first().is_some_and(|point| point.peak == most));
        }
        if let Ok(Some(planned)) = one_place {
            let offsets = planned.offsets.unwrap();
            let offsets = names.iter().map(|name| offsets.get(name).copied().unwrap_or(0)).collect();
            let layout = Layout::fixed(&tree, offsets);
            prop_assert_eq!(check(&tree, &layout), Ok(()));
            prop_assert!(layout.peak <= planned.peak);
            prop_assert!(most <= planned.peak);
        }
    }
}

/// So many branches in a row, each with buffers of its own and one that is handed on.
fn row(branches: u32) -> Block {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        Var(next)
    };
    let mut last = fresh();
    let mut items = vec![Item::Step {
        uses: Vec::new(),
        makes: vec![(last, Value::buffer(64, 8))],
    }];
    for number in 0..branches {
        let arms = [32, 48].map(|bytes| {
            let (own, given) = (fresh(), fresh());
            Block {
                items: vec![
                    Item::Step {
                        uses: vec![last],
                        makes: vec![(own, Value::buffer(bytes + u64::from(number % 3) * 8, 8))],
                    },
                    Item::Step {
                        uses: vec![own],
                        makes: vec![(given, Value::buffer(64, 8))],
                    },
                    Item::Step {
                        uses: vec![own, given],
                        makes: Vec::new(),
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
        makes: Vec::new(),
    });
    Block {
        items,
        yields: Vec::new(),
    }
}

#[test]
fn forty_branches_in_a_row_are_no_trouble() {
    let short = row(8);
    let (tree, _) = expand(&short, 100_000).unwrap();
    let analysis = Analysis::new(&tree, Placement::First, Effort::Quick);
    let paths = Paths::new(&short);
    assert_eq!(paths.load(), Ok(analysis.load.most));
    let long = row(40);
    assert!(expand(&long, 1_000_000).is_err());
    let paths = Paths::new(&long);
    // One of its own, which lies where the last one was, and one that is handed on.
    assert_eq!(paths.load(), Ok(64 + 64));
    let planned = paths.one_place(Effort::Quick).unwrap().unwrap();
    assert!(planned.peak >= 128 && planned.offsets.is_some());
    assert!(paths.scan(Placement::First).unwrap().peak >= 128);
    assert_eq!(paths.plain(), 64 + 40 * 64 + 40 * 48 + 8 * (13 + 13 * 2));
}

#[test]
fn turns_without_end_are_followed_until_they_repeat() {
    let [a, b, x, y, r, s] = [1, 2, 3, 4, 5, 6].map(Var);
    let make = |name| Item::Step {
        uses: Vec::new(),
        makes: vec![(name, Value::buffer(16, 8))],
    };
    let program = Block {
        items: vec![
            make(a),
            make(b),
            Item::Loop {
                turns: 1 << 60,
                induction: None,
                starts: vec![a, b],
                carried: vec![x, y],
                body: Block {
                    items: vec![Item::Step {
                        uses: vec![x],
                        makes: Vec::new(),
                    }],
                    yields: vec![y, x],
                },
                results: vec![r, s],
            },
            Item::Step {
                uses: vec![r],
                makes: Vec::new(),
            },
        ],
        yields: Vec::new(),
    };
    let paths = Paths::new(&program);
    assert_eq!(paths.load(), Ok(32));
    assert_eq!(paths.scan(Placement::First).unwrap().peak, 32);
    assert_eq!(paths.one_place(Effort::Quick).unwrap().unwrap().peak, 32);
}

#[test]
fn a_name_that_goes_leaves_the_right_values_to_be_moved() {
    let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(Var);
    let step = |uses: &[Var], makes: Option<(Var, u64)>| Item::Step {
        uses: uses.to_vec(),
        makes: makes
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
            // The last use of b by that name, so c is known by the first name from here on.
            step(&[b], Some((e, 24))),
            step(&[c, d, e], None),
        ],
        yields: Vec::new(),
    };
    let paths = Paths::new(&program);
    let walked = paths.defrag(Placement::First, 36).unwrap();
    // The one of 4 bytes above the hole moves down, not the one of 8 below it.
    assert_eq!((walked.peak, walked.moved_bytes), (36, 4));
}

#[test]
fn what_turns_without_end_move_is_what_so_many_turns_move() {
    let [a, b, c, d] = [1, 2, 3, 4].map(Var);
    let make = |name, size| Item::Step {
        uses: Vec::new(),
        makes: vec![(name, Value::buffer(size, 8))],
    };
    let read = |uses: &[Var]| Item::Step {
        uses: uses.to_vec(),
        makes: Vec::new(),
    };
    // Each turn, `b` is moved away from between two holes, on one of two ways.
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
    let program = |turns| Block {
        items: vec![Item::Loop {
            turns,
            induction: None,
            starts: Vec::new(),
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
    for turns in [1, 2, 3, 10, 1 << 40] {
        let program = program(turns);
        let walked = Paths::new(&program).defrag(Placement::First, 40).unwrap();
        assert_eq!((walked.peak, walked.moves), (40, turns));
        assert_eq!(walked.moved_bytes, 8 * turns);
    }
}
