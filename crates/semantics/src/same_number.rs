//! Numbers that are equal although they are computed: casts to more bits and back, and choices between a number that is
//! negative and one that is not.

use crate::{
    arithmetic::{Binary, Cast, Computes, Predicate, Sign},
    semantics::Semantics,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{Origin, Val, origin, type_of},
};

/// Largest depth of computations that are followed.
const DEEPEST: usize = 16;

/// Bits of the numbers to which any index can be cast and back.
const INDEX_BITS: u32 = 64;

impl Semantics {
    /// The number from which a number is computed without a change; itself if there is none.
    pub fn same_number<'c>(&mut self, value: Val<'c>) -> Val<'c> {
        self.same_within(value, DEEPEST)
    }

    fn same_within<'c>(&mut self, value: Val<'c>, depth: usize) -> Val<'c> {
        if depth == 0 {
            return value;
        }
        match self.one_step(value, depth) {
            Some(next) => self.same_within(next, depth - 1),
            None => value,
        }
    }

    fn one_step<'c>(&mut self, value: Val<'c>, depth: usize) -> Option<Val<'c>> {
        match self.computes(value)? {
            Computes::Cast(Cast::Index(_), narrow) => {
                let narrow = self.same_within(narrow, depth / 2);
                let Computes::Cast(Cast::Index(_), wide) = self.computes(narrow)? else {
                    return None;
                };
                let is_wide = integer_width(type_of(narrow)).is_some_and(|bits| bits >= INDEX_BITS);
                (is_wide && type_of(wide) == type_of(value)).then_some(wide)
            }
            Computes::Select([condition, yes, no]) => {
                let holds = self.truth(condition)?;
                Some(if holds { yes } else { no })
            }
            _ => None,
        }
    }

    /// The truth of a comparison of a number with zero, if the number is never negative.
    fn truth(&mut self, condition: Val<'_>) -> Option<bool> {
        let Computes::Compare(predicate, [left, right]) = self.computes(condition)? else {
            return None;
        };
        let mut is_zero = |value| matches!(self.computes(value), Some(Computes::Constant(0)));
        let (is_negative, number) = match predicate {
            Predicate::Less(Sign::Signed) if is_zero(right) => (true, left),
            Predicate::AtLeast(Sign::Signed) if is_zero(right) => (false, left),
            Predicate::Greater(Sign::Signed) if is_zero(left) => (true, right),
            Predicate::AtMost(Sign::Signed) if is_zero(left) => (false, right),
            _ => return None,
        };
        self.is_never_negative(number, DEEPEST)
            .then_some(!is_negative)
    }

    /// Whether a number is never negative, also where it wraps around.
    pub fn is_certainly_size(&mut self, value: Val<'_>) -> bool {
        self.is_never_negative(value, DEEPEST)
    }

    /// Whether a number is never negative, as far as computations say.
    fn is_never_negative(&mut self, value: Val<'_>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some(Origin::Argument(..)) = origin(value) {
            // It is not computed: as the counter of a loop.
            return self.least(value).is_some_and(|least| least >= 0);
        }
        match self.computes(value) {
            Some(Computes::Dimension(_)) => true,
            Some(Computes::Constant(constant)) => constant >= 0,
            Some(Computes::Cast(Cast::Index(_), number)) => {
                // To fewer bits, a large number may become negative.
                integer_width(type_of(value)).is_some_and(|bits| bits >= INDEX_BITS)
                    && self.is_never_negative(number, depth - 1)
            }
            Some(
                Computes::Select([_, yes, no])
                | Computes::Binary(Binary::Min(Sign::Signed), [yes, no]),
            ) => self.is_never_negative(yes, depth - 1) && self.is_never_negative(no, depth - 1),
            Some(Computes::Binary(Binary::Max(Sign::Signed), [one, other])) => {
                self.is_never_negative(one, depth - 1) || self.is_never_negative(other, depth - 1)
            }
            _ => false,
        }
    }
}
