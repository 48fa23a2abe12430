//! Arithmetic on numbers, some of which are known only at run time.

use super::super::length_shapes::LengthShapes;
use memplan_mlir::affine_map::Expression;
use memplan_mlir::{
    build::{BuildError, Builder, Compare, Index},
    ir::{Identity, Key, Val},
};
use memplan_strips::program::ViewId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::{cell::RefCell, ops::RangeInclusive};

/// Arithmetic at one insertion point. Constants are at the start of the chain.
pub struct Numbers<'n, 'c> {
    pub builder: &'n Builder<'c>,
    pub constants: &'n Constants<'n, 'c>,
    pub known: &'n Known<'c>,
}

/// A number as part of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberKey {
    Constant(i64),
    Value(Key),
}

impl NumberKey {
    pub fn of(number: Index<'_>) -> Self {
        match number {
            Index::Constant(number) => Self::Constant(number),
            Index::Value(value) => Self::Value(value.key()),
        }
    }
}

/// What computes a value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Computed {
    /// An operation of arith on two numbers.
    Binary(Operation, Key, Key),
    /// A view of memory: for each split dimension its number, the first row, and the number of rows.
    Seen(Key, ViewId, SmallVec<[(u32, NumberKey, NumberKey); 2]>),
    /// Rows of a line buffer.
    Lines(Key, i64, i64),
}

/// An operation of arith.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    And,
    Less,
    LessOrEqual,
}

/// What is computed already, in the blocks around the insertion point, the innermost last.
pub struct Known<'c> {
    blocks: RefCell<Vec<FxHashMap<Computed, Val<'c>>>>,
}

impl<'c> Known<'c> {
    /// Nothing.
    pub fn new() -> Self {
        Self {
            blocks: RefCell::new(vec![FxHashMap::default()]),
        }
    }

    /// Does something in a block of its own.
    pub fn inside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.blocks.borrow_mut().push(FxHashMap::default());
        let result = work();
        self.blocks.borrow_mut().pop();
        result
    }

    /// The value, which is built unless it is known.
    pub fn get_or_build(
        &self,
        computed: Computed,
        build: impl FnOnce() -> Result<Val<'c>, BuildError>,
    ) -> Result<Val<'c>, BuildError> {
        let known = {
            let blocks = self.blocks.borrow();
            let mut blocks = blocks.iter().rev();
            blocks.find_map(|block| block.get(&computed).copied())
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let value = build()?;
        if let Some(block) = self.blocks.borrow_mut().last_mut() {
            block.insert(computed, value);
        }
        Ok(value)
    }
}

/// Constants, each once, and sizes that are known only at run time.
pub struct Constants<'w, 'c> {
    builder: Builder<'c>,
    known: RefCell<FxHashMap<i64, Val<'c>>>,
    /// The sizes that numbers stand for.
    lengths: Option<&'w LengthShapes<'c>>,
    computed: RefCell<FxHashMap<Expression, Val<'c>>>,
}

impl<'w, 'c> Constants<'w, 'c> {
    /// Constants that are inserted there; `lengths` has the sizes that numbers stand for.
    pub fn new(builder: Builder<'c>, lengths: Option<&'w LengthShapes<'c>>) -> Self {
        Self {
            builder,
            known: RefCell::default(),
            lengths,
            computed: RefCell::default(),
        }
    }

    /// The largest of some expressions.
    pub fn largest(&self, all: &[Expression]) -> Result<Val<'c>, BuildError> {
        let mut largest = None;
        for one in all {
            let one = self.computed(one)?;
            largest = Some(match largest {
                None => one,
                Some(largest) => self.builder.maximum(largest, one)?,
            });
        }
        largest.ok_or_else(BuildError::unexpected)
    }

    /// The size that a number stands for: itself, if that is known.
    pub fn size(&self, number: i64) -> Result<Index<'c>, BuildError> {
        let expression = self.lengths.and_then(|lengths| lengths.expression(number));
        match expression {
            Some(expression) => self.computed(expression).map(Index::Value),
            None => Ok(Index::Constant(number)),
        }
    }

    /// Computes an expression of numbers that the function gets.
    pub fn computed(&self, expression: &Expression) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.computed.borrow().get(expression) {
            return Ok(*known);
        }
        let builder = &self.builder;
        let value = match expression {
            Expression::Constant(number) => self.get(*number)?,
            Expression::Input(number) => self.unknown(*number as usize)?,
            Expression::Sum(both) => {
                let [one, other] = [self.computed(&both[0])?, self.computed(&both[1])?];
                builder.add(one, other)?
            }
            Expression::Product(one, by) => {
                let one = self.computed(one)?;
                builder.multiply(one, self.get(*by)?)?
            }
            Expression::Quotient(one, by) => {
                let one = self.computed(one)?;
                builder.divide(one, self.get(*by)?)?
            }
            Expression::Remainder(one, by) => {
                let (one, by) = (self.computed(one)?, self.get(*by)?);
                let whole = builder.multiply(builder.divide(one, by)?, by)?;
                builder.subtract(one, whole)?
            }
        };
        let mut known = self.computed.borrow_mut();
        known.insert(expression.clone(), value);
        Ok(value)
    }

    /// A number that the function gets.
    fn unknown(&self, number: usize) -> Result<Val<'c>, BuildError> {
        let found = self.lengths.and_then(|lengths| {
            let unknown = *lengths.unknowns().get(number)?;
            Some((lengths.argument(unknown)?, unknown.dimension))
        });
        let (argument, dimension) = found.ok_or_else(BuildError::unexpected)?;
        match dimension {
            Some(dimension) => self.builder.dimension(argument, i64::from(dimension)),
            None => Ok(argument),
        }
    }

    /// A constant of type `index`.
    pub fn get(&self, number: i64) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.known.borrow().get(&number) {
            return Ok(*known);
        }
        let value = self.builder.index(number)?;
        self.known.borrow_mut().insert(number, value);
        Ok(value)
    }
}

impl<'c> Numbers<'_, 'c> {
    /// The size that a number stands for.
    pub fn size(&self, number: i64) -> Result<Index<'c>, BuildError> {
        self.constants.size(number)
    }

    /// The number as a value.
    pub fn value(&self, number: Index<'c>) -> Result<Val<'c>, BuildError> {
        match number {
            Index::Constant(number) => self.constants.get(number),
            Index::Value(value) => Ok(value),
        }
    }

    /// The result of an operation.
    pub fn binary(
        &self,
        operation: Operation,
        left: Val<'c>,
        right: Val<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let builder = self.builder;
        let computed = Computed::Binary(operation, left.key(), right.key());
        self.known.get_or_build(computed, || match operation {
            Operation::Add => builder.add(left, right),
            Operation::Subtract => builder.subtract(left, right),
            Operation::Multiply => builder.multiply(left, right),
            Operation::Divide => builder.divide(left, right),
            Operation::Minimum => builder.minimum(left, right),
            Operation::Maximum => builder.maximum(left, right),
            Operation::And => builder.and(left, right),
            Operation::Less => builder.compare(Compare::Less, left, right),
            Operation::LessOrEqual => builder.compare(Compare::LessOrEqual, left, right),
        })
    }

    /// `number * factor + add`.
    pub fn linear(
        &self,
        number: Index<'c>,
        factor: i64,
        add: i64,
    ) -> Result<Index<'c>, BuildError> {
        let value = match number {
            Index::Constant(number) => return Ok(Index::Constant(number * factor + add)),
            Index::Value(value) => value,
        };
        let scaled = match factor {
            0 => return Ok(Index::Constant(add)),
            1 => value,
            factor => self.binary(Operation::Multiply, value, self.constants.get(factor)?)?,
        };
        Ok(Index::Value(match add {
            0 => scaled,
            add => self.binary(Operation::Add, scaled, self.constants.get(add)?)?,
        }))
    }

    /// The difference.
    pub fn difference(&self, from: Index<'c>, less: Index<'c>) -> Result<Index<'c>, BuildError> {
        match (from, less) {
            (Index::Constant(from), Index::Constant(less)) => Ok(Index::Constant(from - less)),
            (from, Index::Constant(less)) => self.linear(from, 1, -less),
            (Index::Value(from), Index::Value(less)) if from == less => Ok(Index::Constant(0)),
            (from, less) => {
                let (from, less) = (self.value(from)?, self.value(less)?);
                Ok(Index::Value(self.binary(
                    Operation::Subtract,
                    from,
                    less,
                )?))
            }
        }
    }

    /// The number, which is in `range`, but at least 0 and at most the size that `most` stands for.
    pub fn clamped(
        &self,
        number: Index<'c>,
        range: RangeInclusive<i64>,
        most: i64,
    ) -> Result<Index<'c>, BuildError> {
        let most = self.size(most)?;
        let mut value = match (number, most) {
            (Index::Constant(number), Index::Constant(most)) => {
                return Ok(Index::Constant(number.min(most).max(0)));
            }
            (number, _) => self.value(number)?,
        };
        let may_be_more = match most {
            Index::Constant(most) => *range.end() > most,
            Index::Value(_) => true,
        };
        if may_be_more {
            value = self.binary(Operation::Minimum, value, self.value(most)?)?;
        }
        if *range.start() < 0 {
            value = self.binary(Operation::Maximum, value, self.constants.get(0)?)?;
        }
        Ok(Index::Value(value))
    }

    /// The number divided by a divisor of it.
    pub fn quotient(&self, number: Index<'c>, by: i64) -> Result<Index<'c>, BuildError> {
        match (number, by) {
            (number, 1) => Ok(number),
            (Index::Constant(number), by) => Ok(Index::Constant(number / by)),
            (Index::Value(value), by) => {
                let quotient = self.binary(Operation::Divide, value, self.constants.get(by)?)?;
                Ok(Index::Value(quotient))
            }
        }
    }

    /// Whether one is less than the other: `None` if it is for certain.
    pub fn is_less(&self, one: Index<'c>, other: Index<'c>) -> Result<Option<Val<'c>>, BuildError> {
        if let (Index::Constant(one), Index::Constant(other)) = (one, other)
            && one < other
        {
            return Ok(None);
        }
        let (one, other) = (self.value(one)?, self.value(other)?);
        self.binary(Operation::Less, one, other).map(Some)
    }

    /// Whether all of these hold; `None` if there are none.
    pub fn all(&self, conditions: &[Val<'c>]) -> Result<Option<Val<'c>>, BuildError> {
        let mut all = None;
        for one in conditions {
            all = Some(match all {
                None => *one,
                Some(all) => self.binary(Operation::And, all, *one)?,
            });
        }
        Ok(all)
    }
}
