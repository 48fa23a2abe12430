//! Decides which buffers are computed again: pure functions on plain data.
//!
//! Greedy: as long as the peak of the load falls, or the number of positions with that many bytes, the candidate is taken that
//! lowers it most, and of these the one with the fewest iterations. A candidate helps only if the buffer is idle at the first
//! position of the peak, so each step looks at those. Choices after the last one that lowered the bytes are dropped.

use crate::peak_load::{Load, Peak};
use memplan_lifetimes::{
    live::{Ranges, union},
    program::Position,
};

/// Largest number of candidates that are tried in all steps together. Each costs O(log positions) for each range it changes.
const EFFORT: usize = 1 << 16;

/// Buffers of one arena. Positions are twice those of the program, and one more: what is computed again stands at the even
/// position before its use.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// One past the last position.
    pub end: Position,
    pub buffers: Vec<Buffer>,
    pub candidates: Vec<Candidate>,
    /// Most iterations that may be repeated.
    pub budget: u64,
}

/// A buffer of the arena.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Bytes.
    pub size: u64,
    pub live: Ranges,
}

/// A buffer that is idle between two uses.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The buffer, by index.
    pub buffer: usize,
    /// Where it need not be held.
    pub gap: (Position, Position),
    /// How it may be computed again; `None` until that is asked for.
    pub repetitions: Option<Vec<Repetition>>,
}

/// One form of computing a buffer again.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// Innermost iterations.
    pub iterations: u64,
    /// Buffers of the arena that are read, each held to the end of this range.
    pub held: Vec<(usize, (Position, Position))>,
    /// Buffers of the arena that are themselves computed again, and stay as they are.
    pub others: Vec<usize>,
    /// Bytes that are needed besides at `at`.
    pub temporary: u64,
    /// The position where it is computed.
    pub at: Position,
}

/// A repetition of a candidate, both by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub candidate: usize,
    pub repetition: usize,
}

/// What is computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub choices: Vec<Choice>,
    /// The most bytes live at once before.
    pub before: i128,
    /// The same after.
    pub after: i128,
    /// The iterations that are left of the budget.
    pub budget: u64,
}

/// Finds how a candidate may be computed again, by its index.
pub type Repeats<'r> = dyn FnMut(&Problem, usize) -> Vec<Repetition> + 'r;

struct State<'p, 'r> {
    problem: &'p mut Problem,
    repeats: &'p mut Repeats<'r>,
    load: Load,
    /// The live ranges now, without gaps that were chosen.
    live: Vec<Vec<(Position, Position)>>,
    /// Buffers that are computed again, and those that others are computed from, which must not be.
    cut: Vec<bool>,
    fixed: Vec<bool>,
    is_chosen: Vec<bool>,
    budget: u64,
}

/// Decides for the buffers of an arena. Few of the candidates are idle at a peak: only these are looked at.
pub fn decide(problem: &mut Problem, repeats: &mut Repeats<'_>) -> Decision {
    let mut state = State::new(problem, repeats);
    let before = state.load.peak();
    let mut decision = Decision {
        choices: Vec::new(),
        before: before.bytes,
        after: before.bytes,
        budget: state.budget,
    };
    let (mut choices, mut peak) = (Vec::new(), before);
    let mut effort = EFFORT;
    while let Some((choice, lower)) = state.best(peak, &mut effort) {
        state.apply(choice);
        choices.push(choice);
        peak = lower;
        if peak.bytes < decision.after {
            decision.after = peak.bytes;
            decision.choices.clone_from(&choices);
            decision.budget = state.budget;
        }
    }
    decision
}

/// The first position with the most bytes, as it is.
pub fn peak(problem: &Problem) -> Position {
    load(problem).first_peak()
}

fn load(problem: &Problem) -> Load {
    let live = problem.buffers.iter();
    let live = live.map(|buffer| (&buffer.live, i128::from(buffer.size)));
    Load::new(problem.end, live)
}

/// Why a buffer that is idle at the peak is not computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The iterations.
    Expensive,
    /// The bytes.
    NoGain,
}

impl Candidate {
    /// Why none of its repetitions was chosen.
    pub fn obstacle(&self, budget: u64) -> Obstacle {
        let mut all = self.repetitions.iter().flatten();
        match all.any(|one| one.iterations <= budget) {
            true => Obstacle::NoGain,
            false => Obstacle::Expensive,
        }
    }
}

impl<'p, 'r> State<'p, 'r> {
    fn new(problem: &'p mut Problem, repeats: &'p mut Repeats<'r>) -> Self {
        let count = problem.buffers.len();
        Self {
            load: load(problem),
            live: problem
                .buffers
                .iter()
                .map(|one| one.live.to_vec())
                .collect(),
            cut: vec![false; count],
            fixed: vec![false; count],
            is_chosen: vec![false; problem.candidates.len()],
            budget: problem.budget,
            problem,
            repeats,
        }
    }

    /// The best choice that lowers the peak, and the peak with it.
    fn best(&mut self, peak: Peak, effort: &mut usize) -> Option<(Choice, Peak)> {
        let at = self.load.first_peak();
        let mut best: Option<(Peak, u64, Choice)> = None;
        for index in 0..self.problem.candidates.len() {
            let candidate = &self.problem.candidates[index];
            let is_idle = candidate.gap.0 <= at && at < candidate.gap.1;
            if !is_idle || self.is_chosen[index] || self.fixed[candidate.buffer] {
                continue;
            }
            if candidate.repetitions.is_none() {
                let found = (self.repeats)(self.problem, index);
                self.problem.candidates[index].repetitions = Some(found);
            }
            let candidate = &self.problem.candidates[index];
            for (number, repetition) in candidate.repetitions.iter().flatten().enumerate() {
                let held = repetition.held.iter().map(|(buffer, _)| *buffer);
                let mut used = held.chain(repetition.others.iter().copied());
                if repetition.iterations > self.budget
                    || used.any(|buffer| self.cut[buffer] || buffer == candidate.buffer)
                {
                    continue;
                }
                *effort = effort.checked_sub(1)?;
                let changes = changes(self.problem, &self.live, candidate, repetition);
                change(&mut self.load, &changes, 1);
                let lower = self.load.peak();
                change(&mut self.load, &changes, -1);
                let key = (lower, repetition.iterations);
                if lower < peak && best.is_none_or(|best| key < (best.0, best.1)) {
                    let choice = Choice {
                        candidate: index,
                        repetition: number,
                    };
                    best = Some((lower, repetition.iterations, choice));
                }
            }
        }
        best.map(|(peak, _, choice)| (choice, peak))
    }

    fn apply(&mut self, choice: Choice) {
        let problem = &*self.problem;
        let candidate = &problem.candidates[choice.candidate];
        let mut all = candidate.repetitions.iter().flatten();
        let Some(repetition) = all.nth(choice.repetition) else {
            return;
        };
        let changes = changes(problem, &self.live, candidate, repetition);
        change(&mut self.load, &changes, 1);
        self.is_chosen[choice.candidate] = true;
        self.cut[candidate.buffer] = true;
        for (buffer, range) in &repetition.held {
            let live = &mut self.live[*buffer];
            live.push(*range);
            *live = union(std::mem::take(live)).to_vec();
            self.fixed[*buffer] = true;
        }
        for buffer in &repetition.others {
            self.fixed[*buffer] = true;
        }
        self.budget -= repetition.iterations;
    }
}

/// A range, and the bytes that are added there.
type Change = ((Position, Position), i128);

/// Ranges whose bytes change if a candidate is computed again, where buffers have these live ranges.
fn changes(
    problem: &Problem,
    live: &[Vec<(Position, Position)>],
    candidate: &Candidate,
    repetition: &Repetition,
) -> Vec<Change> {
    let size = |buffer: usize| i128::from(problem.buffers[buffer].size);
    let mut changes = vec![(candidate.gap, -size(candidate.buffer))];
    if repetition.temporary > 0 {
        let at = (repetition.at, repetition.at + 1);
        changes.push((at, i128::from(repetition.temporary)));
    }
    for (buffer, range) in &repetition.held {
        let missing = missing(&live[*buffer], *range);
        changes.extend(missing.into_iter().map(|range| (range, size(*buffer))));
    }
    changes
}

fn change(load: &mut Load, changes: &[Change], sign: i128) {
    for (range, bytes) in changes {
        load.add(*range, bytes * sign);
    }
}

/// The parts of a range that sorted, disjoint ranges lack.
fn missing(
    live: &[(Position, Position)],
    range: (Position, Position),
) -> Vec<(Position, Position)> {
    let mut found = Vec::new();
    let mut at = range.0;
    for (first, end) in live {
        if *first >= range.1 {
            break;
        }
        if *first > at {
            found.push((at, *first));
        }
        at = at.max(*end);
    }
    if at < range.1 {
        found.push((at, range.1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(size: u64, live: (Position, Position)) -> Buffer {
        Buffer {
            size,
            live: Ranges::from_slice(&[live]),
        }
    }

    fn candidate(buffer: usize, gap: (Position, Position), iterations: u64) -> Candidate {
        Candidate {
            buffer,
            gap,
            repetitions: Some(vec![Repetition {
                iterations,
                held: Vec::new(),
                others: Vec::new(),
                temporary: 0,
                at: gap.1,
            }]),
        }
    }

    /// Buffer 0 is idle from 4 to 10, while buffer 1 is live.
    fn problem() -> Problem {
        Problem {
            end: 14,
            buffers: vec![buffer(8, (1, 12)), buffer(8, (5, 8))],
            candidates: vec![candidate(0, (4, 10), 5)],
            budget: 5,
        }
    }

    /// All repetitions are known.
    fn decided(problem: &Problem) -> Decision {
        decide(&mut problem.clone(), &mut |_, _| unreachable!("known"))
    }

    fn repetitions(problem: &mut Problem, candidate: usize) -> &mut Vec<Repetition> {
        let known = problem.candidates[candidate].repetitions.as_mut();
        known.expect("known")
    }

    fn chosen(problem: &Problem) -> Vec<(usize, usize)> {
        let choices = decided(problem).choices.into_iter();
        choices.map(|one| (one.candidate, one.repetition)).collect()
    }

    #[test]
    fn a_buffer_that_is_idle_at_the_peak_is_computed_again() {
        let decision = decided(&problem());
        assert_eq!(
            (decision.before, decision.after, decision.budget),
            (16, 8, 0)
        );
        assert_eq!(chosen(&problem()), [(0, 0)]);
        assert_eq!(peak(&problem()), 5);
    }

    #[test]
    fn only_candidates_that_are_idle_at_the_peak_are_looked_at() {
        let mut problem = problem();
        let found = problem.candidates[0].repetitions.take();
        problem.candidates.push(Candidate {
            buffer: 1,
            gap: (10, 12),
            repetitions: None,
        });
        let mut asked = Vec::new();
        let decision = decide(&mut problem, &mut |_, index| {
            asked.push(index);
            found.clone().unwrap_or_default()
        });
        assert_eq!((decision.after, asked), (8, vec![0]));
        assert!(problem.candidates[1].repetitions.is_none());
    }

    #[test]
    fn no_more_iterations_than_the_budget() {
        let problem = Problem {
            budget: 4,
            ..problem()
        };
        assert_eq!(chosen(&problem), []);
        assert_eq!(problem.candidates[0].obstacle(4), Obstacle::Expensive);
        assert_eq!(problem.candidates[0].obstacle(5), Obstacle::NoGain);
    }

    #[test]
    fn an_operand_that_is_held_as_long_is_no_gain() {
        let mut problem = problem();
        problem.buffers.push(buffer(8, (0, 3)));
        repetitions(&mut problem, 0)[0].held = vec![(2, (2, 11))];
        assert_eq!(chosen(&problem), []);
        // A smaller one is.
        problem.buffers[2].size = 7;
        assert_eq!(decided(&problem).after, 15);
        // What is live anyway costs nothing.
        problem.buffers[2] = buffer(8, (0, 13));
        assert_eq!(
            (decided(&problem).before, decided(&problem).after),
            (24, 16)
        );
    }

    #[test]
    fn temporary_buffers_count_where_it_is_computed() {
        let mut problem = problem();
        repetitions(&mut problem, 0)[0].temporary = 8;
        assert_eq!(chosen(&problem), []);
        repetitions(&mut problem, 0)[0].temporary = 7;
        assert_eq!(decided(&problem).after, 15);
    }

    #[test]
    fn the_cheaper_of_two_equal_repetitions() {
        let mut problem = problem();
        let mut other = repetitions(&mut problem, 0)[0].clone();
        other.iterations = 3;
        repetitions(&mut problem, 0).push(other);
        assert_eq!(chosen(&problem), [(0, 1)]);
        assert_eq!(decided(&problem).budget, 2);
    }

    #[test]
    fn what_is_computed_again_is_not_read_for_another_one() {
        // Both are idle at the peak, and buffer 1 is computed from buffer 0.
        let mut both = Problem {
            end: 14,
            buffers: vec![buffer(8, (1, 12)), buffer(9, (2, 12)), buffer(20, (5, 8))],
            candidates: vec![candidate(0, (4, 10), 1), candidate(1, (4, 10), 1)],
            budget: 9,
        };
        assert_eq!(chosen(&both), [(1, 0), (0, 0)]);
        repetitions(&mut both, 1)[0].held = vec![(0, (2, 11))];
        assert_eq!(chosen(&both), [(1, 0)]);
        repetitions(&mut both, 1)[0].held.clear();
        repetitions(&mut both, 1)[0].others = vec![0];
        assert_eq!(chosen(&both), [(1, 0)]);
    }

    #[test]
    fn choices_that_do_not_lower_the_bytes_are_dropped() {
        // Two positions have the peak, and only one of them can be lowered.
        let problem = Problem {
            end: 24,
            buffers: vec![buffer(8, (1, 12)), buffer(8, (5, 8)), buffer(16, (15, 20))],
            candidates: vec![candidate(0, (4, 10), 5)],
            budget: 5,
        };
        let decision = decided(&problem);
        assert_eq!(
            (decision.before, decision.after, decision.budget),
            (16, 16, 5)
        );
        assert_eq!(decision.choices, []);
    }

    #[test]
    fn two_gaps_of_one_buffer() {
        let problem = Problem {
            end: 24,
            buffers: vec![buffer(8, (1, 22)), buffer(8, (5, 8)), buffer(8, (13, 16))],
            candidates: vec![candidate(0, (4, 10), 5), candidate(0, (12, 18), 5)],
            budget: 10,
        };
        assert_eq!(chosen(&problem), [(0, 0), (1, 0)]);
        let once = Problem {
            budget: 9,
            ..problem
        };
        assert_eq!(chosen(&once), []);
    }

    #[test]
    fn missing_parts_of_a_range() {
        assert_eq!(missing(&[(2, 4), (6, 8)], (1, 9)), [(1, 2), (4, 6), (8, 9)]);
        assert_eq!(missing(&[(2, 4), (6, 8)], (3, 7)), [(4, 6)]);
        assert_eq!(missing(&[(2, 8)], (3, 7)), []);
        assert_eq!(missing(&[(2, 3)], (5, 7)), [(5, 7)]);
    }
}
