//! Conditions of deallocs as formulas, and the ones that are constant.

use crate::dealloc::{Condition, FlagId};

/// The formula of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A constant.
    Constant(bool),
    /// Both conditions hold.
    And(FlagId, FlagId),
    /// At least one of two conditions holds.
    Or(FlagId, FlagId),
    /// Exactly one of two conditions holds.
    Xor(FlagId, FlagId),
    /// The second condition if the first holds, else the third.
    Select(FlagId, FlagId, FlagId),
    /// A condition that is known only at run time.
    Unknown,
}

/// All conditions of a function. Each comes after the conditions that it is computed from.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    formulas: Vec<Formula>,
    /// For a prefix of the formulas: the constant that each evaluates to, if any. Filled in on demand.
    constants: Vec<Option<bool>>,
}

impl Conditions {
    /// Adds a condition; returns its number.
    pub fn add(&mut self, formula: Formula) -> FlagId {
        self.formulas.push(formula);
        self.formulas.len() as FlagId - 1
    }

    /// Fixes a condition to a constant. Neither the condition nor a later one may have been queried before.
    pub fn set_constant(&mut self, flag: FlagId, constant: bool) {
        debug_assert!(flag as usize >= self.constants.len());
        self.formulas[flag as usize] = Formula::Constant(constant);
    }

    /// The value of a condition: a constant, or its flag.
    pub fn condition(&mut self, flag: FlagId) -> Condition {
        while self.constants.len() <= flag as usize {
            let next = self.evaluate(self.formulas[self.constants.len()]);
            self.constants.push(next);
        }
        match self.constants[flag as usize] {
            Some(true) => Condition::Yes,
            Some(false) => Condition::No,
            None => Condition::Flag(flag),
        }
    }

    fn evaluate(&self, formula: Formula) -> Option<bool> {
        let known = |flag: FlagId| self.constants[flag as usize];
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
    fn constants_set_later_reach_derived_conditions() {
        let mut all = Conditions::default();
        let first = all.add(Formula::Unknown);
        let result = all.add(Formula::Unknown);
        let both = all.add(Formula::And(first, result));
        assert_eq!(all.condition(first), Condition::Flag(first));
        all.set_constant(result, false);
        assert_eq!(all.condition(both), Condition::No);
    }
}
