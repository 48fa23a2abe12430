//! Queries of the computations that the table states.

use crate::{
    arithmetic::{Computation, Computes, Predicate},
    semantics::Semantics,
};
use memplan_mlir::{
    build::integer_value,
    copy::integer_width,
    ir::{Op, Origin, Val, operands, origin, results, type_of},
    melior::ir::operation::OperationLike,
};

impl Semantics {
    /// The computation of a value: the only result of an operation, of type `index` or an integer of at most 64 bits.
    /// Loaded elements and the results of `arith.select` and the like may have any type.
    pub fn computes<'c>(&mut self, value: Val<'c>) -> Option<Computes<'c>> {
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        self.computed(op)
    }

    /// The computation of an operation.
    pub fn computed<'c>(&mut self, op: Op<'c>) -> Option<Computes<'c>> {
        let computation = self.facts(op).table.computes?;
        let result = results(op).next()?;
        let is_number = integer_width(type_of(result)).is_some_and(|width| width <= 64);
        let is_any = matches!(computation, Computation::Select | Computation::Element);
        if !is_number && !is_any {
            return None;
        }
        let mut given = operands(op);
        let mut next = || given.next();
        Some(match computation {
            Computation::Constant(name) => {
                Computes::Constant(integer_value(op.attribute(name).ok()?)?)
            }
            Computation::Binary(binary) => Computes::Binary(binary, [next()?, next()?]),
            Computation::Compare(name) => {
                Computes::Compare(Predicate::of(op, name)?, [next()?, next()?])
            }
            Computation::Select => Computes::Select([next()?, next()?, next()?]),
            Computation::Cast(cast) => Computes::Cast(cast, next()?),
            Computation::Dimension => Computes::Dimension([next()?, next()?]),
            Computation::Pointer => Computes::Pointer(next()?),
            Computation::Element => Computes::Element(next()?),
            Computation::WideProduct => return None,
        })
    }

    /// The factors of a product of numbers without a sign that is the largest number where it has more bits:
    /// `select(high != 0, -1, low)`, of both halves of the product.
    pub fn saturating_product<'c>(&mut self, value: Val<'c>) -> Option<[Val<'c>; 2]> {
        let Computes::Select([condition, yes, no]) = self.computes(value)? else {
            return None;
        };
        let Computes::Compare(predicate, [left, right]) = self.computes(condition)? else {
            return None;
        };
        let (largest, low) = match predicate {
            Predicate::NotEqual => (yes, no),
            Predicate::Equal => (no, yes),
            _ => return None,
        };
        let high = match (self.constant(left), self.constant(right)) {
            (None, Some(0)) => left,
            (Some(0), None) => right,
            _ => return None,
        };
        let (Some(Origin::Result(op, 0)), Some(Origin::Result(wide, 1))) =
            (origin(low), origin(high))
        else {
            return None;
        };
        let is_product = op == wide
            && matches!(
                self.facts(op).table.computes,
                Some(Computation::WideProduct)
            )
            && self.constant(largest) == Some(-1);
        let mut factors = operands(op).filter(|_| is_product);
        Some([factors.next()?, factors.next()?])
    }

    /// The value of a constant, sign-extended. Nothing is folded; see [`evaluate`](crate::constants::evaluate).
    pub fn constant(&mut self, value: Val<'_>) -> Option<i64> {
        match self.computes(value)? {
            Computes::Constant(number) => Some(number),
            _ => None,
        }
    }
}
