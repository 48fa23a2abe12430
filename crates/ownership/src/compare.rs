//! A dealloc as a program: comparisons of memory, and what follows from them.
//!
//! A memref is freed if its condition holds, no retained one is the same memory, and none before it that is
//! the same memory was freed; so what any alias's condition asks for is done, and once.

use crate::{dealloc::Condition, origins::Relation};

/// A step's number.
pub type StepId = u32;

/// What the run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareStep {
    /// Are two operands the same memory? Memrefs come first, then retained ones.
    Same(u32, u32),
    /// Both.
    And(Truth, Truth),
    /// Any.
    Or(Truth, Truth),
    /// It does not hold.
    Not(Truth),
}

/// Something that holds or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The condition of a memref, as far as it is known.
    Given(Condition),
    /// What a step found.
    Found(StepId),
}

impl Truth {
    /// It always holds.
    pub const YES: Self = Self::Given(Condition::Yes);
    /// It never does.
    pub const NO: Self = Self::Given(Condition::No);
}

/// What a dealloc does, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Steps, each of those before it.
    pub steps: Vec<CompareStep>,
    /// For each memref, when it is freed.
    pub frees: Vec<Truth>,
    /// For each retained memref, whether it owns its memory now.
    pub results: Vec<Truth>,
}

/// How many comparisons it takes to do without loops.
pub fn comparisons(memrefs: usize, retained: usize) -> usize {
    memrefs * memrefs.saturating_sub(1) / 2 + memrefs * retained
}

impl Program {
    /// Of memrefs with these conditions, and so many retained ones; `is_used` says whose result is asked
    /// for, `relation` what is known of two operands, which are numbered as in [`CompareStep::Same`].
    pub fn of(
        conditions: &[Condition],
        is_used: &[bool],
        mut relation: impl FnMut(usize, usize) -> Relation,
    ) -> Self {
        let mut alike = |program: &mut Self, one: usize, other: usize| match relation(one, other) {
            Relation::Same => Truth::YES,
            Relation::Never => Truth::NO,
            Relation::Maybe => program.step(CompareStep::Same(one as u32, other as u32)),
        };
        let mut program = Self {
            results: vec![Truth::NO; is_used.len()],
            ..Self::default()
        };
        for (at, condition) in conditions.iter().enumerate() {
            if *condition == Condition::No {
                program.frees.push(Truth::NO);
                continue;
            }
            let holds = Truth::Given(*condition);
            let mut kept = Truth::NO;
            for (slot, used) in is_used.iter().enumerate() {
                let same = alike(&mut program, at, conditions.len() + slot);
                kept = program.or(kept, same);
                if *used {
                    let owns = program.and(same, holds);
                    program.results[slot] = program.or(program.results[slot], owns);
                }
            }
            for (before, other) in conditions[..at].iter().enumerate() {
                if *other != Condition::No {
                    let same = alike(&mut program, before, at);
                    let done = program.and(same, Truth::Given(*other));
                    kept = program.or(kept, done);
                }
            }
            let free = program.not(kept);
            let free = program.and(holds, free);
            program.frees.push(free);
        }
        program
    }

    fn step(&mut self, step: CompareStep) -> Truth {
        self.steps.push(step);
        Truth::Found(self.steps.len() as StepId - 1)
    }

    fn and(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::NO, _) | (_, Truth::NO) => Truth::NO,
            (Truth::YES, other) | (other, Truth::YES) => other,
            _ => self.step(CompareStep::And(a, b)),
        }
    }

    fn or(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::YES, _) | (_, Truth::YES) => Truth::YES,
            (Truth::NO, other) | (other, Truth::NO) => other,
            _ => self.step(CompareStep::Or(a, b)),
        }
    }

    fn not(&mut self, a: Truth) -> Truth {
        match a {
            Truth::YES => Truth::NO,
            Truth::NO => Truth::YES,
            _ => self.step(CompareStep::Not(a)),
        }
    }
}
