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
    /// How it may be computed again.
    pub repetitions: Vec<Repetition>,
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

struct State<'p> {
    problem: &'p Problem,
    load: Load,
    /// The live ranges now, without gaps that were chosen.
    live: Vec<Vec<(Position, Position)>>,
    /// Buffers that are computed again, and those that others are computed from, which must not be.
    cut: Vec<bool>,
    fixed: Vec<bool>,
    is_chosen: Vec<bool>,
    budget: u64,
}

/// Decides for the buffers of an arena.
pub fn decide(problem: &Problem) -> Decision {
    let mut state = State::new(problem);
    let before = state.load.peak();
    let mut decision = Decision {
        choices: Vec::new(),
        before: before.bytes,
        after: before.bytes,
        budget: problem.budget,
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
    State::new(problem).load.first_peak()
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
        let mut all = self.repetitions.iter();
        match all.any(|one| one.iterations <= budget) {
            true => Obstacle::NoGain,
            false => Obstacle::Expensive,
        }
    }
}

impl<'p> State<'p> {
    fn new(problem: &'p Problem) -> Self {
        let live = problem.buffers.iter();
        let live = live.map(|buffer| (&buffer.live, i128::from(buffer.size)));
        let count = problem.buffers.len();
        Self {
            problem,
            load: Load::new(problem.end, live),
            live: problem
                .buffers
                .iter()
                .map(|one| one.live.to_vec())
                .collect(),
            cut: vec![false; count],
            fixed: vec![false; count],
            is_chosen: vec![false; problem.candidates.len()],
            budget: problem.budget,
        }
    }

    /// The best choice that lowers the peak, and the peak with it.
    fn best(&mut self, peak: Peak, effort: &mut usize) -> Option<(Choice, Peak)> {
        let at = self.load.first_peak();
        let problem = self.problem;
        let mut best: Option<(Peak, u64, Choice)> = None;
        for (index, candidate) in problem.candidates.iter().enumerate() {
            let is_idle = candidate.gap.0 <= at && at < candidate.gap.1;
            if !is_idle || self.is_chosen[index] || self.fixed[candidate.buffer] {
                continue;
            }
            for (number, repetition) in candidate.repetitions.iter().enumerate() {
                let held = repetition.held.iter().map(|(buffer, _)| *buffer);
                let mut used = held.chain(repetition.others.iter().copied());
                if repetition.iterations > self.budget
                    || used.any(|buffer| self.cut[buffer] || buffer == candidate.buffer)
                {
                    continue;
                }
                *effort = effort.checked_sub(1)?;
                let changes = self.changes(candidate, repetition);
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

    /// Ranges whose bytes change.
    fn changes(&self, candidate: &Candidate, repetition: &Repetition) -> Vec<Change> {
        let size = |buffer: usize| i128::from(self.problem.buffers[buffer].size);
        let mut changes = vec![(candidate.gap, -size(candidate.buffer))];
        if repetition.temporary > 0 {
            let at = (repetition.at, repetition.at + 1);
            changes.push((at, i128::from(repetition.temporary)));
        }
        for (buffer, range) in &repetition.held {
            let missing = missing(&self.live[*buffer], *range);
            changes.extend(missing.into_iter().map(|range| (range, size(*buffer))));
        }
        changes
    }

    fn apply(&mut self, choice: Choice) {
        let problem = self.problem;
        let candidate = &problem.candidates[choice.candidate];
        let repetition = &candidate.repetitions[choice.repetition];
        let changes = self.changes(candidate, repetition);
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
