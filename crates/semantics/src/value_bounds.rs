//! Relations of numbers, by MLIR's value bounds. Those are of mathematical integers: there, n is at most 4 * n. With n = 2^62,
//! the latter is 0. So what may wrap around is not followed.
//!
//! A number is followed as if it had no sign: n + 1 and the sum of two sizes have enough bits then. Where such a sum becomes
//! negative, it is large, and no size that a program may have.

use crate::{
    arithmetic::{Binary, Computes},
    semantics::Semantics,
    statement::Speculation,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{Op, Origin, Val, block_parent, operands, origin, type_of},
    melior::ir::operation::OperationLike,
    values::{self, MapSums, sums_of_map},
};

/// Largest depth of sums that are followed.
const DEEPEST: usize = 8;

/// The largest constant that does not count: many of these fit beside a number.
const SMALL: i64 = 1 << 32;

/// What a number is the sum of.
#[derive(Clone, Copy)]
struct Sum {
    /// Numbers of 63 bits.
    numbers: i64,
    /// Whether a constant is added.
    has_constant: bool,
    /// Whether its sign may not be that of the mathematical sum.
    may_be_large: bool,
}

impl Sum {
    /// Any number.
    const NUMBER: Self = Self {
        numbers: 1,
        has_constant: false,
        may_be_large: false,
    };

    fn constant(constant: i64) -> Self {
        let is_small = constant.unsigned_abs() <= SMALL.unsigned_abs();
        Self {
            numbers: i64::from(!is_small),
            // A difference that is negative is large in any case.
            has_constant: is_small && constant > 0,
            may_be_large: false,
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        let both = Self {
            numbers: self.numbers + other.numbers,
            has_constant: self.has_constant || other.has_constant,
            may_be_large: true,
        };
        (both.numbers + i64::from(both.has_constant) <= 2).then_some(both)
    }

    fn or(self, other: Self) -> Self {
        Self {
            numbers: self.numbers.max(other.numbers),
            has_constant: self.has_constant || other.has_constant,
            may_be_large: self.may_be_large || other.may_be_large,
        }
    }
}

impl Semantics {
    /// Whether a number is proven to be at most another one, as numbers without a sign, whenever both are defined and the first
    /// one is not negative.
    pub fn is_at_most<'c>(&mut self, left: Val<'c>, right: Val<'c>) -> bool {
        values::at_most(left, right, &mut |value| self.is_opaque(value))
    }

    /// Whether two numbers are proven to be equal.
    pub fn are_equal<'c>(&mut self, left: Val<'c>, right: Val<'c>) -> bool {
        // Sums wrap around on both sides of an equation, but quotients and bounds do not.
        values::equal(left, right, &mut |value| !self.is_linear(value))
            || values::equal(left, right, &mut |value| self.is_opaque(value))
    }

    /// A constant that a number is not less than, as [`Self::is_at_most`] compares.
    pub fn least(&mut self, value: Val<'_>) -> Option<i64> {
        values::constant_bound(value, false, &mut |value| self.is_opaque(value))
    }

    /// A constant that a number is not more than, as [`Self::is_at_most`] compares.
    pub fn most(&mut self, value: Val<'_>) -> Option<i64> {
        values::constant_bound(value, true, &mut |value| self.is_opaque(value))
    }

    /// Whether bounds do not follow a number: it may wrap around.
    fn is_opaque(&mut self, value: Val<'_>) -> bool {
        self.followed(value, DEEPEST).is_none()
    }

    /// What is not followed is some number.
    fn sum(&mut self, value: Val<'_>, depth: usize) -> Sum {
        self.followed(value, depth).unwrap_or(Sum::NUMBER)
    }

    fn followed(&mut self, value: Val<'_>, depth: usize) -> Option<Sum> {
        let op = match origin(value)? {
            Origin::Result(op, _) => op,
            Origin::Argument(block, _) => {
                // The counter of a loop starts at an operand.
                let around = block_parent(block).filter(|_| depth > 0);
                let starts = around.map(|op| self.any_operand(op, depth - 1));
                return (!starts.is_some_and(|start| start.may_be_large)).then_some(Sum::NUMBER);
            }
        };
        let computes = self.computes(value);
        if let Some(Computes::Constant(constant)) = computes {
            return Some(Sum::constant(constant));
        }
        let depth = depth.checked_sub(1)?;
        match computes {
            Some(Computes::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, _))
                if is_undefined_on_overflow(op) =>
            {
                Some(Sum::NUMBER)
            }
            Some(Computes::Binary(Binary::Add, [one, other])) => {
                self.sum(one, depth).plus(self.sum(other, depth))
            }
            Some(Computes::Binary(Binary::Subtract, [one, other])) => {
                let other = match self.constant(other) {
                    Some(constant) => Sum::constant(constant.wrapping_neg()),
                    None => self.sum(other, depth),
                };
                self.sum(one, depth).plus(other)
            }
            Some(Computes::Binary(Binary::Multiply | Binary::ShiftLeft, _)) => None,
            Some(Computes::Binary(binary, both)) => {
                let either = self.sum(both[0], depth).or(self.sum(both[1], depth));
                // The largest one is not the one that became negative.
                let is_wrong = matches!(binary, Binary::Max(_)) && either.may_be_large;
                (!is_wrong).then_some(either)
            }
            Some(Computes::Select([_, one, other])) => {
                Some(self.sum(one, depth).or(self.sum(other, depth)))
            }
            Some(_) => Some(Sum::NUMBER),
            None => self.map(op, depth),
        }
    }

    /// The result of an affine map; some number, if there is none.
    fn map(&mut self, op: Op<'_>, depth: usize) -> Option<Sum> {
        let facts = self.table_facts(op);
        let (speculation, least_of) = (facts.speculation, facts.least_of);
        if !matches!(speculation, Some(Speculation::Map)) {
            let is_product = matches!(speculation, Some(Speculation::StaticBasis));
            return (!is_product).then_some(Sum::NUMBER);
        }
        let MapSums { numbers, added, .. } = sums_of_map(op, "map")?;
        let operand = self.any_operand(op, depth);
        let is_sum = numbers > 1 || added > 0;
        let all = Sum {
            numbers: numbers * operand.numbers,
            has_constant: added > 0 || operand.has_constant,
            may_be_large: is_sum || operand.may_be_large,
        };
        // The largest of several results is not the one that became negative.
        let is_wrong = all.may_be_large && least_of.is_none() && !is_single(op);
        let fits = all.numbers + i64::from(all.has_constant) <= 2 && added <= SMALL;
        (fits && !is_wrong).then_some(all)
    }

    fn any_operand(&mut self, op: Op<'_>, depth: usize) -> Sum {
        let numbers = operands(op).filter(|operand| integer_width(type_of(*operand)).is_some());
        let all: Vec<Val<'_>> = numbers.collect();
        let all = all.into_iter().map(|operand| self.sum(operand, depth));
        all.reduce(Sum::or).unwrap_or(Sum::NUMBER)
    }

    /// Whether equations follow a number: it is a sum of numbers times constants.
    fn is_linear(&mut self, value: Val<'_>) -> bool {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return false;
        };
        match self.computes(value) {
            Some(Computes::Constant(_) | Computes::Dimension(_)) => true,
            Some(Computes::Binary(Binary::Add | Binary::Subtract, _)) => true,
            Some(Computes::Binary(Binary::Multiply, both)) => {
                both.into_iter().any(|one| self.constant(one).is_some())
            }
            Some(_) => false,
            None => {
                let is_map = matches!(self.table_facts(op).speculation, Some(Speculation::Map));
                is_map && is_single(op) && sums_of_map(op, "map").is_some_and(|sums| !sums.divides)
            }
        }
    }
}

/// Whether an affine map has one result.
fn is_single(op: Op<'_>) -> bool {
    let map = op.attribute("map").map(|map| map.to_string());
    // As in `affine_map<(d0) -> (d0 + 1)>`: the results have no parentheses with commas.
    map.is_ok_and(|map| {
        map.rsplit("->")
            .next()
            .is_some_and(|results| !results.contains(','))
    })
}

/// Whether an operation promises that no signed number overflows.
fn is_undefined_on_overflow(op: Op<'_>) -> bool {
    let flags = op.attribute("overflowFlags").map(|flags| flags.to_string());
    flags.is_ok_and(|flags| flags.contains("nsw"))
}
