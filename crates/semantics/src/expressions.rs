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
        })
    }

    /// The value of a constant, sign-extended. Nothing is folded; see [`evaluate`](crate::constants::evaluate).
    pub fn constant(&mut self, value: Val<'_>) -> Option<i64> {
        match self.computes(value)? {
            Computes::Constant(number) => Some(number),
            _ => None,
        }
    }
}
