//! Random problems with banks, an exhaustive search for small ones, and properties of results.

use crate::case::TestCase;
use crate::numbers::Numbers;
use crate::oracle::is_valid_by_pairs;
use memplan_planner::certificate::{check, from_text, to_text};
use memplan_planner::validate::validate;
use memplan_planner::{
    BankError, BankLayout, BankNode, BankRule, BankRules, Banks, Buffer, Certificate, Effort,
    Options, PlanError, Planner, Problem, ProblemError, Solution,
};

/// The effort of a planner on a random problem.
const STEPS: u64 = 200_000;

/// The effort with which every small problem is solved.
const ENOUGH: u64 = 200_000_000;

/// The nodes of an exhaustive search, which gives up then.
const NODES: u64 = 300_000;

/// A problem of a case in banks that follow from the seed. Buffers that are too large shrink, and fixed offsets against the
/// rules are dropped. `unit` is about the size of the largest buffers.
pub fn problem(case: &TestCase, seed: u64, unit: u64) -> Problem {
    let mut numbers = Numbers(seed);
    let mut problem = match numbers.below(4) {
        0 => case.problem_with_windows(),
        _ => case.problem(),
    };
    let count = 1 + numbers.below(4);
    let layout = match numbers.below(4) {
        0 => BankLayout::Interleaved {
            count: count as u32,
            width: 1 + numbers.below(unit),
        },
        1 => BankLayout::equal(count as u32, count * (unit + numbers.below(unit)))
            .expect("a multiple"),
        _ => {
            let mut end = 0;
            let banks = (0..count).map(|_| {
                // Now and then, there is a gap.
                let gap = if numbers.below(4) == 0 {
                    numbers.below(unit)
                } else {
                    0
                };
                let start = end + gap;
                end = start + 1 + unit / 2 + numbers.below(unit);
                memplan_planner::Bank { start, end }
            });
            BankLayout::Contiguous(banks.collect())
        }
    };
    let mut rules = BankRules::default();
    for buffer in &problem.buffers {
        if numbers.below(3) == 0 {
            let bank = numbers.below(count) as u32;
            rules.placements.push(BankRule {
                id: buffer.id,
                banks: match numbers.below(3) {
                    0 => Vec::new(),
                    1 => vec![bank],
                    _ => vec![bank, numbers.below(count) as u32],
                },
                crosses: numbers.below(2) == 0,
            });
        }
    }
    for _ in 0..numbers.below(4) {
        let mut group: Vec<u64> = problem.buffers.iter().map(|it| it.id).collect();
        let kept = 2 + numbers.below(3) as usize;
        while group.len() > kept {
            group.swap_remove(numbers.below(group.len() as u64) as usize);
        }
        rules.apart.push(group);
    }
    if numbers.below(3) == 0 {
        problem.capacity = Some(unit * (1 + numbers.below(2 * count)));
    }
    problem.banks = Some(Banks { layout, rules });
    while let Err(error) = problem.check() {
        let ProblemError::Banks(error) = error else {
            panic!("{error}");
        };
        let (id, most) = match error {
            BankError::Size { id, most, .. } => (id, Some(most)),
            BankError::Fixed { id, .. } => (id, None),
            BankError::FixedTogether(shared) => (shared.second, None),
            error => panic!("{error:?}"),
        };
        let buffer = problem.buffers.iter_mut().find(|buffer| buffer.id == id);
        let buffer = buffer.expect("it is there");
        buffer.fixed_offset = None;
        if let Some(most) = most {
            buffer.size = most;
            buffer.windows.clear();
        }
    }
    problem
}

/// The bank of an address, if it is in one.
fn bank_of(layout: &BankLayout, address: u64) -> Option<u64> {
    match layout {
        BankLayout::Contiguous(banks) => {
            let numbered = (0..).zip(banks);
            let mut there = numbered.filter(|(_, it)| (it.start..it.end).contains(&address));
            there.next().map(|(number, _)| number)
        }
        BankLayout::Interleaved { count, width } => Some(address / width % u64::from(*count)),
    }
}

fn times(buffer: &Buffer) -> impl Iterator<Item = (u64, u64)> {
    let live = buffer.live.iter().map(|range| (range.start, range.end));
    live.chain(
        buffer
            .windows
            .iter()
            .map(|it| (it.during.start, it.during.end)),
    )
}

/// The bank of each byte of a buffer that touches banks.
fn banks_of(banks: &Banks, buffer: &Buffer, offset: u64) -> Vec<Option<u64>> {
    if times(buffer).next().is_none() {
        return Vec::new();
    }
    let bytes = offset..offset + buffer.size;
    bytes.map(|byte| bank_of(&banks.layout, byte)).collect()
}

/// Whether a buffer keeps the rule for its banks, byte by byte.
fn keeps_rule(banks: &Banks, buffer: &Buffer, offset: u64) -> bool {
    let touched = banks_of(banks, buffer, offset);
    let rule = banks
        .rules
        .placements
        .iter()
        .find(|rule| rule.id == buffer.id);
    let is_allowed = |bank: &Option<u64>| {
        let Some(bank) = *bank else {
            return false;
        };
        rule.is_none_or(|it| {
            it.banks.is_empty() || it.banks.iter().any(|&it| u64::from(it) == bank)
        })
    };
    match banks.layout {
        BankLayout::Contiguous(_) => {
            let crosses = rule.is_some_and(|rule| rule.crosses);
            touched.iter().all(is_allowed)
                && (crosses || touched.windows(2).all(|it| it[0] == it[1]))
        }
        BankLayout::Interleaved { .. } => touched.first().is_none_or(is_allowed),
    }
}

/// Whether two buffers share no bank, or may.
fn keep_apart(banks: &Banks, (a, at): (&Buffer, u64), (b, bt): (&Buffer, u64)) -> bool {
    let mut groups = banks.rules.apart.iter();
    let must = groups.any(|group| group.contains(&a.id) && group.contains(&b.id));
    let at_once = times(a).any(|one| times(b).any(|other| one.0 < other.1 && other.0 < one.1));
    let others = banks_of(banks, b, bt);
    !must
        || !at_once
        || banks_of(banks, a, at)
            .iter()
            .all(|bank| !others.contains(bank))
}

/// Whether a solution keeps all rules, by definition.
pub fn is_valid_by_bytes(problem: &Problem, solution: &Solution) -> bool {
    let Some(banks) = &problem.banks else {
        return is_valid_by_pairs(problem, solution);
    };
    let all: Vec<(&Buffer, u64)> = problem
        .buffers
        .iter()
        .zip(solution.offsets.iter().copied())
        .collect();
    is_valid_by_pairs(problem, solution)
        && all
            .iter()
            .all(|&(buffer, offset)| keeps_rule(banks, buffer, offset))
        && (0..all.len()).all(|i| (0..i).all(|j| keep_apart(banks, all[i], all[j])))
}

/// Whether there is a plan that ends at or below `limit`, by trying all offsets. `None` after too many nodes.
pub fn fits(problem: &Problem, limit: u64) -> Option<bool> {
    // Buffers that start one after the other are more likely in conflict.
    let mut order: Vec<usize> = (0..problem.buffers.len()).collect();
    order.sort_by_key(|&at| times(&problem.buffers[at]).map(|time| time.0).min());
    let mut sorted = problem.clone();
    sorted.buffers = order
        .iter()
        .map(|&at| problem.buffers[at].clone())
        .collect();
    let mut nodes = NODES;
    try_offsets(&sorted, limit, &mut Vec::new(), &mut nodes)
}

fn try_offsets(
    problem: &Problem,
    limit: u64,
    offsets: &mut Vec<u64>,
    nodes: &mut u64,
) -> Option<bool> {
    let Some(buffer) = problem.buffers.get(offsets.len()) else {
        return Some(true);
    };
    let is_idle = buffer.size == 0 || times(buffer).next().is_none();
    let Some(last) = limit.checked_sub(buffer.size) else {
        return Some(false);
    };
    for offset in (0..=last).step_by(buffer.alignment as usize) {
        *nodes = nodes.checked_sub(1)?;
        offsets.push(offset);
        let placed = Problem {
            buffers: problem.buffers[..offsets.len()].to_vec(),
            ..problem.clone()
        };
        let is_new_valid = placed.banks.as_ref().is_none_or(|banks| {
            let all: Vec<(&Buffer, u64)> =
                placed.buffers.iter().zip(offsets.iter().copied()).collect();
            let new = all[all.len() - 1];
            keeps_rule(banks, new.0, new.1)
                && all
                    .iter()
                    .all(|&it| it.0.id == new.0.id || keep_apart(banks, it, new))
        });
        let is_valid =
            is_new_valid && is_valid_by_pairs(&placed, &Solution::new(&placed, offsets.clone()));
        if is_valid && try_offsets(problem, limit, offsets, nodes)? {
            return Some(true);
        }
        offsets.pop();
        // A buffer that is never in use may as well lie at its first offset.
        if is_idle && is_valid {
            break;
        }
    }
    Some(false)
}

fn options(steps: u64) -> Options {
    Options::default().with_effort(Effort::Steps(steps))
}

/// The bound of a certificate, also after it was written and read.
fn proven(problem: &Problem, certificate: &Certificate, bound: u64) -> u64 {
    let proven = check(problem, certificate).expect("a certificate that holds");
    assert!(
        proven >= bound,
        "{bound} is claimed, {proven} is proven: {problem:?}"
    );
    let claim = from_text(&to_text(bound, certificate)).expect("a certificate");
    assert_eq!((claim.bound, &claim.certificate), (bound, certificate));
    proven
}

/// Every planner returns a valid plan, or a proof that there is none, or says that it has neither; and the same each time.
pub fn check_planners(case: &TestCase, seed: u64) {
    let problem = problem(case, seed, 1_000);
    for planner in Planner::ALL {
        let solved = planner.solve_with(&problem, &options(STEPS));
        match &solved {
            Ok(outcome) => {
                assert_eq!(validate(&problem, &outcome.solution), Ok(()), "{planner}");
                assert!(is_valid_by_bytes(&problem, &outcome.solution), "{planner}");
                let bound = outcome.bounds.lower_bound;
                proven(&problem, &outcome.certificate, bound);
                assert!(bound <= outcome.solution.peak, "{planner}: {bound}");
            }
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => {
                let bound = proven(&problem, certificate, *lower_bound);
                assert!(bound > problem.limit().unwrap_or(u64::MAX - 1));
            }
            Err(PlanError::NotPlaced {
                lower_bound,
                certificate,
            }) => _ = proven(&problem, certificate, *lower_bound),
            Err(PlanError::Capacity { best, .. }) => panic!("{planner}: {best:?}"),
            Err(error) => panic!("{planner}: {error}"),
        }
        let again = planner.solve_with(&problem, &options(STEPS));
        assert_eq!(again, solved, "{planner} is not deterministic");
    }
}

/// Small problems are solved and proven, and an exhaustive search agrees where it ends. Returns whether it did.
pub fn check_solved(case: &TestCase, count: usize, seed: u64) -> bool {
    let problem = problem(&case.tiny(count), seed, 5);
    for planner in [Planner::Exact, Planner::Auto] {
        match planner.solve_with(&problem, &options(ENOUGH)) {
            Ok(outcome) => {
                let peak = outcome.solution.peak;
                assert!(
                    is_valid_by_bytes(&problem, &outcome.solution),
                    "{problem:?}"
                );
                let bound = proven(&problem, &outcome.certificate, outcome.bounds.lower_bound);
                assert!(
                    bound <= peak,
                    "{bound} is proven, and {peak} is there: {problem:?}"
                );
                if problem.capacity.is_none() {
                    assert!(outcome.optimal, "{planner} has {peak}: {problem:?}");
                    let lower = peak.checked_sub(1).and_then(|limit| fits(&problem, limit));
                    assert_ne!(lower, Some(true), "{planner} has {peak}: {problem:?}");
                    if lower.is_none() && peak > 0 {
                        return false;
                    }
                }
            }
            Err(PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }) => {
                let bound = proven(&problem, &certificate, lower_bound);
                // Without an end, a plan would not need more than this.
                let limit = problem.limit().unwrap_or(60).min(bound - 1);
                let found = fits(&problem, limit);
                assert_ne!(found, Some(true), "{planner} has none: {problem:?}");
                if found.is_none() {
                    return false;
                }
            }
            other => panic!("{planner} does not know: {other:?} for {problem:?}"),
        }
    }
    true
}

/// A proof that was changed proves no bound above a peak that there is. Each edit is a place and what to do there.
pub fn check_corrupted(case: &TestCase, seed: u64, edits: &[(u8, u16, u16)]) {
    let problem = problem(&case.tiny(7), seed, 5);
    let Ok(outcome) = Planner::Exact.solve_with(&problem, &options(ENOUGH)) else {
        return;
    };
    let peak = outcome.solution.peak;
    // A proof of a limit that is too low, so that edits make it one of a higher limit.
    let Some(low) = peak.checked_sub(1) else {
        return;
    };
    let limited = problem.clone().with_capacity(low);
    let Err(PlanError::Infeasible { certificate, .. }) =
        Planner::Exact.solve_with(&limited, &options(ENOUGH))
    else {
        return;
    };
    let Certificate::Banks(mut proof) = *certificate else {
        return;
    };
    for &(what, place, value) in edits {
        let (place, value) = (usize::from(place), usize::from(value));
        let (nodes, lemmas) = (proof.nodes.len(), proof.lemmas.len());
        match what % 6 {
            0 => proof.limit = proof.limit.saturating_add(1 + value as u64 % 4),
            1 if nodes > 0 => _ = proof.nodes.remove(place % nodes),
            2 if nodes > 0 => {
                let number = value as u32 % 8;
                proof.nodes[place % nodes] = match value % 2 {
                    0 => BankNode::Branch(number),
                    _ => BankNode::Lemma(number),
                };
            }
            3 if lemmas > 0 => {
                let lemma = &mut proof.lemmas[place % lemmas];
                let placements = lemma.placements.len();
                if placements > 0 {
                    let one = &mut lemma.placements[value % placements];
                    one.1 = value as u32 % 5;
                    one.2 = place as u32 % 3;
                }
            }
            4 if lemmas > 1 => proof.lemmas.swap(place % lemmas, value % lemmas),
            5 if nodes > 0 => {
                let copied = proof.nodes[value % nodes];
                proof.nodes.insert(place % nodes, copied);
            }
            _ => {}
        }
        if let Ok(bound) = check(&problem, &Certificate::Banks(proof.clone())) {
            assert!(
                bound <= peak,
                "{bound} is proven, and {peak} is there: {problem:?} {proof:?}"
            );
        }
    }
}
