//! Values that are integer constants.

use crate::{
    build::integer_value,
    ir::{Origin, Val, operands, origin},
    values::{Folded, fold},
};

/// The number of a constant operation of integer or index type.
pub fn constant(value: Val<'_>) -> Option<i64> {
    match origin(value)? {
        Origin::Result(op, number) if operands(op).next().is_none() => {
            match fold(op, number, &[])? {
                Folded::Constant(constant) => integer_value(constant),
                Folded::Value(_) => None,
            }
        }
        _ => None,
    }
}
