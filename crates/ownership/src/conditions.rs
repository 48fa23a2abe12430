//! Conditions, and which of them are the same in each run.

use crate::dealloc::{Condition, FlagId};

/// What a condition is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The same in each run.
    Constant(bool),
    /// Both.
    And(FlagId, FlagId),
    /// Any of two.
    Or(FlagId, FlagId),
    /// One of two, not both.
    Xor(FlagId, FlagId),
    /// The second if the first holds, else the third.
    Select(FlagId, FlagId, FlagId),
    /// Only the run knows, as far as has been said.
    Unknown,
}

/// Conditions, each behind those that it is made of.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    formulas: Vec<Formula>,
    /// What the first of them are in each run.
    known: Vec<Option<bool>>,
}

impl Conditions {
    /// One more.
    pub fn add(&mut self, formula: Formula) -> FlagId {
        self.formulas.push(formula);
        self.formulas.len() as FlagId - 1
    }

    /// Says what a condition is. Nobody has asked for it so far, nor for one behind it.
    pub fn settle(&mut self, flag: FlagId, constant: bool) {
        debug_assert!(flag as usize >= self.known.len());
        self.formulas[flag as usize] = Formula::Constant(constant);
    }

    /// A condition as far as it is known.
    pub fn condition(&mut self, flag: FlagId) -> Condition {
        while self.known.len() <= flag as usize {
            let next = self.evaluate(self.formulas[self.known.len()]);
            self.known.push(next);
        }
        match self.known[flag as usize] {
            Some(true) => Condition::Yes,
            Some(false) => Condition::No,
            None => Condition::Flag(flag),
        }
    }

    fn evaluate(&self, formula: Formula) -> Option<bool> {
        let known = |flag: FlagId| self.known[flag as usize];
        match formula {
            Formula::Constant(constant) => Some(constant),
            Formula::And(a, b) => match (known(a), known(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Formula::Or(a, b) => match (known(a), known(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Formula::Xor(a, b) if a == b => Some(false),
            Formula::Xor(a, b) => Some(known(a)? != known(b)?),
            Formula::Select(which, a, b) => match known(which) {
                Some(true) => known(a),
                Some(false) => known(b),
                None => known(a).filter(|_| known(a) == known(b)),
            },
            Formula::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_may_be_enough() {
        let mut all = Conditions::default();
        let run = all.add(Formula::Unknown);
        let yes = all.add(Formula::Constant(true));
        let no = all.add(Formula::Constant(false));
        for (formula, expected) in [
            (Formula::And(run, no), Condition::No),
            (Formula::And(yes, yes), Condition::Yes),
            (Formula::Or(yes, run), Condition::Yes),
            (Formula::Or(no, no), Condition::No),
            (Formula::Xor(yes, no), Condition::Yes),
            (Formula::Xor(run, run), Condition::No),
            (Formula::Select(run, no, no), Condition::No),
            (Formula::Select(yes, no, run), Condition::No),
        ] {
            let flag = all.add(formula);
            assert_eq!(all.condition(flag), expected, "{formula:?}");
        }
        for formula in [
            Formula::And(run, yes),
            Formula::Or(no, run),
            Formula::Xor(run, yes),
            Formula::Select(run, yes, no),
            Formula::Select(run, run, run),
        ] {
            let flag = all.add(formula);
            assert_eq!(all.condition(flag), Condition::Flag(flag), "{formula:?}");
        }
    }

    #[test]
    fn what_is_said_later_counts_for_what_is_behind() {
        let mut all = Conditions::default();
        let first = all.add(Formula::Unknown);
        let result = all.add(Formula::Unknown);
        let both = all.add(Formula::And(first, result));
        assert_eq!(all.condition(first), Condition::Flag(first));
        all.settle(result, false);
        assert_eq!(all.condition(both), Condition::No);
    }
}
