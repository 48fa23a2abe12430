//! Expansion of a dealloc into comparisons and logic.
//!
//! A memref is freed if its condition holds, no retained memref is the same memory, and no earlier memref
//! freed the same memory. So each piece of memory is freed once, by the condition of any alias.

use crate::{dealloc::Condition, origins::AliasResult};

/// The number of a step.
pub type StepId = u32;

/// An operation of the expanded dealloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareStep {
    /// Whether two operands are the same memory. Memrefs are numbered first, then retained memrefs.
    Same(u32, u32),
    /// Conjunction.
    And(Truth, Truth),
    /// Disjunction.
    Or(Truth, Truth),
    /// Negation.
    Not(Truth),
}

/// A Boolean operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The condition of a memref.
    Condition(Condition),
    /// The result of a step.
    Step(StepId),
}

impl Truth {
    /// True.
    pub const YES: Self = Self::Condition(Condition::Yes);
    /// False.
    pub const NO: Self = Self::Condition(Condition::No);
}

/// An expanded dealloc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareProgram {
    /// Steps; each uses results of earlier ones only.
    pub steps: Vec<CompareStep>,
    /// For each memref, the condition under which it is freed.
    pub frees: Vec<Truth>,
    /// For each retained memref, whether it owns its memory now.
    pub results: Vec<Truth>,
}

/// The number of comparisons that an expansion without loops takes.
pub fn comparison_count(memrefs: usize, retained: usize) -> usize {
    memrefs * memrefs.saturating_sub(1) / 2 + memrefs * retained
}

impl CompareProgram {
    /// Expands a dealloc with these conditions and `is_used.len()` retained memrefs. `is_used` says which
    /// results are needed; `alias` is the alias relation of two operands, numbered as in
    /// [`CompareStep::Same`].
    pub fn of(
        conditions: &[Condition],
        is_used: &[bool],
        mut alias: impl FnMut(usize, usize) -> AliasResult,
    ) -> Self {
        let mut same_memory = |program: &mut Self, one: usize, other: usize| match alias(one, other)
        {
            AliasResult::Must => Truth::YES,
            AliasResult::No => Truth::NO,
            AliasResult::May => program.step(CompareStep::Same(one as u32, other as u32)),
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
            let holds = Truth::Condition(*condition);
            let mut must_keep = Truth::NO;
            for (slot, used) in is_used.iter().enumerate() {
                let same = same_memory(&mut program, at, conditions.len() + slot);
                must_keep = program.or(must_keep, same);
                if *used {
                    let owns = program.and(same, holds);
                    program.results[slot] = program.or(program.results[slot], owns);
                }
            }
            for (before, other) in conditions[..at].iter().enumerate() {
                if *other != Condition::No {
                    let same = same_memory(&mut program, before, at);
                    let done = program.and(same, Truth::Condition(*other));
                    must_keep = program.or(must_keep, done);
                }
            }
            let free = program.not(must_keep);
            let free = program.and(holds, free);
            program.frees.push(free);
        }
        program
    }

    fn step(&mut self, step: CompareStep) -> Truth {
        self.steps.push(step);
        Truth::Step(self.steps.len() as StepId - 1)
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
