//! Limits of numbers that offsets and sizes are computed from.
//!
//! Numbers wrap around. One with a limit is not negative, and no part of its computation that counts has wrapped around: a sum or a
//! product has a limit if both operands do, and if what they give at most is a number of 63 bits. (MLIR's value bounds
//! are those of mathematical integers, and would not say that.)

use super::ProgramReader;
use memplan_mlir::ir::{Identity, Key, Val};
use memplan_semantics::{
    Computes,
    arithmetic::{Binary, Sign},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What is known of a number.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Limits {
    /// Whether it is never negative.
    is_non_negative: bool,
    /// Its largest value; it is not negative then.
    most: Option<i64>,
}

/// The limits of numbers, by value.
pub(in super::super) type KnownLimits = FxHashMap<Key, Limits>;

impl Limits {
    fn of(most: Option<i64>) -> Self {
        Self {
            is_non_negative: most.is_some(),
            most,
        }
    }
}

impl<'c> ProgramReader<'c, '_> {
    /// The largest value of a number that does not wrap around, nor become negative.
    pub(super) fn limit(&mut self, value: Val<'c>) -> Option<u64> {
        let most = self.limits(value).most;
        most.and_then(|most| u64::try_from(most).ok())
    }

    /// Whether a number is never negative.
    pub(super) fn is_non_negative(&mut self, value: Val<'c>) -> bool {
        self.limits(value).is_non_negative
    }

    fn limits(&mut self, value: Val<'c>) -> Limits {
        let mut open = vec![(value, false)];
        while let Some((value, is_ready)) = open.pop() {
            if is_ready {
                let limits = self.computed_limits(value);
                self.limits.insert(value.key(), limits);
                continue;
            }
            if self.limits.contains_key(&value.key()) {
                continue;
            }
            // In unreachable code, a value may be computed from itself.
            self.limits.insert(value.key(), Limits::default());
            open.push((value, true));
            let operands: SmallVec<[Val<'c>; 2]> = match self.semantics.computes(value) {
                Some(Computes::Binary(_, both)) => both.into_iter().collect(),
                Some(Computes::Select([_, one, other])) => [one, other].into_iter().collect(),
                _ => SmallVec::new(),
            };
            open.extend(operands.into_iter().map(|operand| (operand, false)));
        }
        self.known_limits(value)
    }

    fn known_limits(&self, value: Val<'c>) -> Limits {
        self.limits.get(&value.key()).copied().unwrap_or_default()
    }

    /// The limits of a value whose operands have theirs.
    fn computed_limits(&mut self, value: Val<'c>) -> Limits {
        let (binary, both) = match self.semantics.computes(value) {
            Some(Computes::Constant(constant)) => {
                return Limits::of((constant >= 0).then_some(constant));
            }
            Some(Computes::Select([_, one, other])) => (None, [one, other]),
            Some(Computes::Binary(binary, both)) => (Some(binary), both),
            _ => {
                return Limits {
                    is_non_negative: self.semantics.is_certainly_size(value),
                    most: None,
                };
            }
        };
        let [one, other] = both.map(|operand| self.known_limits(operand));
        let are_both = one.is_non_negative && other.is_non_negative;
        let is_any = one.is_non_negative || other.is_non_negative;
        let mosts = one.most.zip(other.most);
        let largest = mosts.map(|(one, other)| one.max(other));
        let least = one.most.into_iter().chain(other.most).min();
        match binary {
            None => Limits {
                is_non_negative: are_both,
                most: largest,
            },
            Some(Binary::Add) => Limits::of(mosts.and_then(|(one, other)| one.checked_add(other))),
            Some(Binary::Multiply) => {
                Limits::of(mosts.and_then(|(one, other)| one.checked_mul(other)))
            }
            Some(Binary::Max(Sign::Signed)) => Limits {
                is_non_negative: is_any,
                most: largest,
            },
            Some(Binary::Max(Sign::Unsigned)) => Limits::of(largest),
            Some(Binary::Min(Sign::Signed)) => Limits {
                is_non_negative: are_both,
                most: least.filter(|_| are_both),
            },
            // As numbers without a sign, negative ones are large.
            Some(Binary::Min(Sign::Unsigned) | Binary::And) => Limits {
                is_non_negative: is_any,
                most: least,
            },
            _ => Limits::default(),
        }
    }
}
