//! Sums of values.

use super::{MOST_SUMMANDS, ProgramReader};
use memplan_mlir::ir::{Identity, Key, Val};
use memplan_semantics::{Computes, arithmetic::Binary};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A value and the number of times that it is in a sum.
pub(super) type Times<'c> = (Val<'c>, u64);

/// A constant plus values, each a positive number of times, sorted by their first occurrence.
#[derive(Clone, Default)]
pub(super) struct Sum<'c> {
    pub constant: i64,
    pub summands: SmallVec<[Times<'c>; 2]>,
}

/// What is not taken apart in sums.
#[derive(Clone, Default)]
pub(super) struct Whole<'c> {
    /// Values, each with the one that stands for it.
    pub values: FxHashMap<Key, Val<'c>>,
    /// Conditions that are known, with their values.
    pub conditions: Vec<(Val<'c>, bool)>,
}

/// The largest constant: many of these do not overflow.
const LARGEST: u64 = 1 << 54;

/// The sum is too long, or it overflows.
pub(super) struct NoSum;

impl<'c> ProgramReader<'c, '_> {
    /// The operand that known conditions select.
    pub(super) fn chosen(&mut self, mut value: Val<'c>, whole: &Whole<'c>) -> Val<'c> {
        for _ in 0..whole.conditions.len() {
            let Some(Computes::Select([condition, yes, no])) = self.semantics.computes(value)
            else {
                break;
            };
            let mut known = whole.conditions.iter();
            match known.find(|(known, _)| *known == condition) {
                Some((_, true)) => value = yes,
                Some((_, false)) => value = no,
                None => break,
            }
        }
        value
    }

    /// A value as a sum. The values of `whole` other than the first one are not taken apart.
    pub(super) fn sum(&mut self, value: Val<'c>, whole: &Whole<'c>) -> Result<Sum<'c>, NoSum> {
        let mut sum = Sum::default();
        let mut open = vec![value];
        let mut steps = 0;
        while let Some(part) = open.pop() {
            steps += 1;
            if steps > MOST_SUMMANDS {
                return Err(NoSum);
            }
            let part = self.chosen(part, whole);
            let known = whole.values.get(&part.key());
            if let Some(known) = known.filter(|_| part.key() != value.key()) {
                sum.add(*known, 1)?;
                continue;
            }
            match self.semantics.computes(part) {
                Some(Computes::Constant(constant)) => {
                    let constant = sum.constant.checked_add(constant);
                    let constant = constant.filter(|sum| sum.unsigned_abs() <= LARGEST);
                    sum.constant = constant.ok_or(NoSum)?;
                }
                // What may wrap around is not taken apart. Visits the left operand first.
                Some(Computes::Binary(Binary::Add, [left, right]))
                    if self.limit(part).is_some() =>
                {
                    open.extend([right, left]);
                }
                Some(Computes::Binary(Binary::Multiply, [one, other]))
                    if self.limit(part).is_some() =>
                {
                    let times = |value| self.constant(value).and_then(|at| u64::try_from(at).ok());
                    let mut times = times;
                    match (times(one), times(other)) {
                        (None, Some(times @ 1..)) => sum.add(one, times)?,
                        (Some(times @ 1..), None) => sum.add(other, times)?,
                        _ => sum.add(part, 1)?,
                    }
                }
                _ => sum.add(part, 1)?,
            }
        }
        Ok(sum)
    }
}

impl<'c> Sum<'c> {
    /// A value alone.
    pub fn of(value: Val<'c>) -> Self {
        Self {
            constant: 0,
            summands: SmallVec::from_slice(&[(value, 1)]),
        }
    }

    /// The difference to a larger sum; `None` if that lacks a summand of this one.
    pub fn difference(&self, next: &Self) -> Option<Self> {
        let mut step = next.clone();
        step.constant = next.constant.checked_sub(self.constant)?;
        for (part, times) in &self.summands {
            let mut all = step.summands.iter_mut();
            let (_, left) = all.find(|(other, _)| other.key() == part.key())?;
            *left = left.checked_sub(*times)?;
        }
        step.summands.retain(|(_, times)| *times > 0);
        Some(step)
    }

    /// Adds a value a number of times.
    fn add(&mut self, part: Val<'c>, times: u64) -> Result<(), NoSum> {
        let known = self
            .summands
            .iter_mut()
            .find(|(other, _)| other.key() == part.key());
        match known {
            Some((_, known)) => {
                *known = known.checked_add(times).ok_or(NoSum)?;
            }
            None => self.summands.push((part, times)),
        }
        Ok(())
    }

    /// How many times a value is in the sum.
    pub fn times(&self, part: Val<'c>) -> u64 {
        let mut all = self.summands.iter();
        let found = all.find(|(other, _)| other.key() == part.key());
        found.map_or(0, |(_, times)| *times)
    }
}

/// The greatest common divisor; that of a number and 0 is the number.
pub(super) fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}
