//! Numbers that a function is taken to get.

use memplan_mlir::{affine_map::Expression, ir::Val};
use memplan_semantics::{
    Computes, LengthReader, Semantics, Unknown,
    arithmetic::{Binary, Sign},
};
use std::cell::RefCell;

/// Most numbers of which one is the largest.
const DEEPEST: usize = 64;

/// Numbers that a function is taken to get.
pub struct Assumed<'a, 'c> {
    /// Reads sizes as expressions of what the function gets.
    pub reader: &'a RefCell<LengthReader<'c>>,
    /// The inputs of recorded sizes, with their values.
    pub values: Vec<(Unknown, i64)>,
    /// The value of what is no input.
    pub others: i64,
    /// The sizes that are recorded.
    pub sizes: Vec<i64>,
    /// The input that is the length.
    pub along: Unknown,
    /// How much longer that is with each period.
    pub period: i64,
}

impl<'c> Assumed<'_, 'c> {
    /// A number outside of the strips, and how much more it is with each period of the length.
    pub fn number(&self, value: Val<'c>, semantics: &mut Semantics) -> Option<(i64, i64)> {
        self.number_within(value, semantics, DEEPEST)
    }

    /// The shape of a memref.
    pub fn shape(&self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Vec<i64>> {
        let sizes = self.reader.borrow_mut().shape(memref, semantics)?;
        let sizes = sizes.iter().map(|size| Some(self.value(size)?.0));
        sizes.collect()
    }

    fn number_within(
        &self,
        value: Val<'c>,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<(i64, i64)> {
        let expression = self.reader.borrow_mut().number(value, semantics);
        if let Some(expression) = expression {
            return self.value(&expression);
        }
        let Computes::Binary(binary, both) = semantics.computes(value)? else {
            return None;
        };
        let depth = depth.checked_sub(1)?;
        let [one, other] = both.map(|value| self.number_within(value, semantics, depth));
        let ((one, growth), (other, same)) = (one?, other?);
        let number = match binary {
            Binary::Max(Sign::Signed) => one.max(other),
            Binary::Min(Sign::Signed) => one.min(other),
            _ => return None,
        };
        (growth == same).then_some((number, growth))
    }

    /// The value of an expression, and how much more it is with each period.
    fn value(&self, expression: &Expression) -> Option<(i64, i64)> {
        let reader = self.reader.borrow();
        let unknowns = reader.unknowns().iter();
        let values = unknowns.clone().map(|unknown| {
            let known = self.values.iter().find(|(input, _)| input == unknown);
            known.map_or(self.others, |(_, value)| *value)
        });
        let values: Vec<i64> = values.collect();
        let along = unknowns.enumerate().find(|(_, one)| **one == self.along);
        let growth = match along {
            Some((number, _)) => expression.growth(u32::try_from(number).ok()?, self.period)?,
            None => 0,
        };
        Some((expression.at(&values)?, growth))
    }
}
