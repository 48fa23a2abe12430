//! Shapes whose sizes depend on numbers that a function gets. For the search, each size is a number that stands for its
//! expression: the value of that where each number that the function gets is a large one.

use super::read::{MemrefShapes, Shape, shape_with};
use memplan_mlir::{
    affine_map::Expression,
    ir::{Identity, Key, Op, Val, type_of},
};
use memplan_semantics::{LengthReader, Semantics, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

/// What numbers that a function gets are taken for: far from each other, so that few expressions of them are the same.
const VALUES: [i64; 4] = [65_521, 57_697, 49_831, 41_453];

/// Most elements of a memref, so that sums and products of its rows fit.
const MOST_ELEMENTS: i64 = 1 << 48;

/// Shapes, with numbers in place of expressions.
pub struct LengthShapes<'c> {
    reader: LengthReader<'c>,
    /// The expressions that numbers stand for.
    numbers: FxHashMap<i64, Expression>,
    /// Sizes that are known.
    fixed: FxHashSet<i64>,
    known: FxHashMap<Key, Option<Shape>>,
}

impl<'c> LengthShapes<'c> {
    /// For a function.
    pub fn of(function: Op<'c>) -> Self {
        Self {
            reader: LengthReader::of(function),
            numbers: FxHashMap::default(),
            fixed: FxHashSet::default(),
            known: FxHashMap::default(),
        }
    }

    /// The expression that a number stands for; `None` if it is the number itself.
    pub fn expression(&self, number: i64) -> Option<&Expression> {
        self.numbers.get(&number)
    }

    /// The shape of a memref that was asked for before.
    pub fn known(&self, memref: Val<'c>) -> Option<Shape> {
        self.known.get(&memref.key())?.clone()
    }

    /// What the inputs of expressions are.
    pub fn unknowns(&self) -> &[Unknown] {
        self.reader.unknowns()
    }

    /// The argument of an unknown.
    pub fn argument(&self, unknown: Unknown) -> Option<Val<'c>> {
        self.reader.argument(unknown)
    }

    /// The number that stands for an expression. No two that differ have the same one, nor has a size that is known.
    fn number(&mut self, size: Expression) -> Option<i64> {
        if let Expression::Constant(number) = size {
            self.fixed.insert(number);
            return (!self.numbers.contains_key(&number)).then_some(number);
        }
        if self.reader.unknowns().len() > VALUES.len() {
            return None;
        }
        let number = size.at(&VALUES).filter(|number| *number > 0)?;
        let known = self.numbers.entry(number).or_insert_with(|| size.clone());
        (*known == size && !self.fixed.contains(&number)).then_some(number)
    }

    fn compute(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Shape> {
        let sizes = self.reader.shape(memref, semantics)?;
        let sizes = sizes.into_iter().map(|size| self.number(size));
        let shape: Shape = sizes.collect::<Option<_>>()?;
        let count = shape.iter().map(|size| (*size).max(1));
        let count = count.fold(1_i64, i64::saturating_mul);
        // The same limit as for others.
        shape_with(type_of(memref), Some(1)).filter(|_| count <= MOST_ELEMENTS)?;
        Some(shape)
    }
}

impl<'c> MemrefShapes<'c> for LengthShapes<'c> {
    fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Shape> {
        if let Some(known) = self.known.get(&memref.key()) {
            return known.clone();
        }
        let shape = self.compute(memref, semantics);
        self.known.insert(memref.key(), shape.clone());
        shape
    }

    fn extent(&self, sizes: &[Option<i64>]) -> Option<i64> {
        let (first, rest) = sizes.split_first()?;
        let first = (*first)?;
        rest.iter()
            .all(|size| *size == Some(first))
            .then_some(first)
    }
}
