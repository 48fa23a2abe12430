//! Sizes that are known only at run time, as expressions of the numbers that they depend on: a convolution's height is
//! `(d0 - 1) floordiv 2 + 1`, where `d0` is the height of an image.

use crate::{
    arithmetic::{Binary, Computes, Rounding, Sign},
    dimension::TracedNumber,
    loop_nest::ViewStep,
    semantics::Semantics,
    slice::Number,
    statement::Speculation,
};
use memplan_mlir::{
    affine_map::{Expression, only_result},
    build::dropped_dimensions,
    calls::function_body,
    ir::{Identity, Key, Op, Origin, Val, blocks, is_memref, operands, origin, type_of},
    layout::{rank, static_dimension},
    melior::ir::TypeLike,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most steps from a number to those that it depends on.
const DEEPEST: usize = 512;

/// Sizes of the dimensions of a memref.
pub type Lengths = SmallVec<[Expression; 4]>;

/// A number that a function gets: an argument, or a size of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The number of the argument.
    pub argument: u32,
    /// The dimension, if the argument is a memref.
    pub dimension: Option<u32>,
}

/// Expressions of the numbers that a function gets. Input i of an expression is the i-th of these that was found.
pub struct LengthReader<'c> {
    /// The function's arguments.
    arguments: FxHashMap<Key, u32>,
    values: Vec<Val<'c>>,
    unknowns: Vec<Unknown>,
    numbers: FxHashMap<Key, Option<Expression>>,
    shapes: FxHashMap<Key, Option<Lengths>>,
}

impl<'c> LengthReader<'c> {
    /// For a function.
    pub fn of(function: Op<'c>) -> Self {
        let body = function_body(function).into_iter().flat_map(blocks).next();
        let values: Vec<Val<'c>> = body
            .into_iter()
            .flat_map(memplan_mlir::ir::arguments)
            .collect();
        let arguments = values.iter().enumerate();
        Self {
            arguments: arguments
                .map(|(at, value)| (value.key(), at as u32))
                .collect(),
            values,
            unknowns: Vec::new(),
            numbers: FxHashMap::default(),
            shapes: FxHashMap::default(),
        }
    }

    /// What the inputs are.
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// The argument of an unknown.
    pub fn argument(&self, unknown: Unknown) -> Option<Val<'c>> {
        self.values.get(unknown.argument as usize).copied()
    }

    /// A number as an expression; `None` if it depends on anything but what the function gets.
    pub fn number(&mut self, value: Val<'c>, semantics: &mut Semantics) -> Option<Expression> {
        self.number_within(value, semantics, DEEPEST)
    }

    /// The sizes of a memref.
    pub fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Lengths> {
        self.shape_within(memref, semantics, DEEPEST)
    }

    fn number_within(
        &mut self,
        value: Val<'c>,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<Expression> {
        if let Some(known) = self.numbers.get(&value.key()) {
            return known.clone();
        }
        let found = self.compute(value, semantics, depth.checked_sub(1)?);
        // Division rounds down here, whatever is divided, and towards zero in the program that computes it.
        let found = found.filter(is_small).map(|number| number.simplified());
        let found = found
            .filter(is_small)
            .filter(|number| number.divides_no_negative(&self.is_size()));
        self.numbers.insert(value.key(), found.clone());
        found
    }

    fn compute(
        &mut self,
        value: Val<'c>,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<Expression> {
        if !type_of(value).is_index() {
            return None;
        }
        let same = semantics.same_number(value);
        if same != value {
            return self.number_within(same, semantics, depth);
        }
        match semantics.traced(value) {
            TracedNumber::Constant(number) => return Some(Expression::Constant(number)),
            TracedNumber::Dimension(memref, at) => {
                return self.dimension(memref, usize::try_from(at).ok()?, semantics, depth);
            }
            TracedNumber::Value(traced) if traced != value => {
                return self.number_within(traced, semantics, depth);
            }
            TracedNumber::Value(_) => {}
        }
        if let Some(argument) = self.arguments.get(&value.key()) {
            let argument = *argument;
            return Some(self.unknown(Unknown {
                argument,
                dimension: None,
            }));
        }
        if let Some(Computes::Binary(binary, operands)) = semantics.computes(value) {
            let [one, other] = operands.map(|value| self.number_within(value, semantics, depth));
            let (one, other) = (one?, other?);
            // Towards zero is down, if nothing is negative.
            let rounds_down = matches!(
                binary,
                Binary::Divide(Sign::Signed, Rounding::Floor | Rounding::Ceiling)
                    | Binary::Add
                    | Binary::Subtract
                    | Binary::Multiply
            );
            if !rounds_down && !one.is_never_negative(&self.is_size()) {
                return None;
            }
            return combined(binary, one, other);
        }
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        let facts = semantics.table_facts(op);
        if !matches!(facts.speculation, Some(Speculation::Map)) || facts.least_of.is_some() {
            return None;
        }
        let inputs = operands(op).map(|value| self.number_within(value, semantics, depth));
        let inputs: Vec<Expression> = inputs.collect::<Option<_>>()?;
        only_result(op, "map")?.of(&inputs)
    }

    /// Whether an input is a size.
    fn is_size(&self) -> impl Fn(u32) -> bool + '_ {
        |number| {
            let unknown = self.unknowns.get(number as usize);
            unknown.is_some_and(|unknown| unknown.dimension.is_some())
        }
    }

    fn unknown(&mut self, unknown: Unknown) -> Expression {
        let known = self.unknowns.iter().position(|one| *one == unknown);
        let number = known.unwrap_or_else(|| {
            self.unknowns.push(unknown);
            self.unknowns.len() - 1
        });
        Expression::Input(number as u32)
    }

    fn dimension(
        &mut self,
        memref: Val<'c>,
        at: usize,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<Expression> {
        if let Some(size) = static_dimension(type_of(memref), at as i64) {
            return Some(Expression::Constant(size));
        }
        if let Some(argument) = self.arguments.get(&memref.key()) {
            let unknown = Unknown {
                argument: *argument,
                dimension: Some(u32::try_from(at).ok()?),
            };
            return Some(self.unknown(unknown));
        }
        self.shape_within(memref, semantics, depth)?
            .get(at)
            .cloned()
    }

    fn shape_within(
        &mut self,
        memref: Val<'c>,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<Lengths> {
        if let Some(known) = self.shapes.get(&memref.key()) {
            return known.clone();
        }
        // Until it is known, so that nothing is followed in a circle.
        self.shapes.insert(memref.key(), None);
        let found = match depth {
            0 => None,
            _ => self.sizes(memref, semantics, depth - 1),
        };
        self.shapes.insert(memref.key(), found.clone());
        found
    }

    fn sizes(
        &mut self,
        memref: Val<'c>,
        semantics: &mut Semantics,
        depth: usize,
    ) -> Option<Lengths> {
        let r#type = type_of(memref);
        let rank = rank(r#type).filter(|_| is_memref(r#type))?;
        let fixed = |at: usize| static_dimension(r#type, at as i64).map(Expression::Constant);
        if self.arguments.contains_key(&memref.key()) {
            return (0..rank)
                .map(|at| self.dimension(memref, at, semantics, depth))
                .collect();
        }
        if let Some(all) = (0..rank).map(fixed).collect::<Option<Lengths>>() {
            return Some(all);
        }
        let view = match origin(memref) {
            Some(Origin::Result(op, 0)) => semantics.view_step(op).map(|step| (op, step)),
            _ => None,
        };
        let Some((op, step)) = view else {
            let sizes = (0..rank).map(|at| match fixed(at) {
                Some(size) => Some(size),
                None => match semantics.traced_dimension(memref, at as i64) {
                    TracedNumber::Constant(size) => Some(Expression::Constant(size)),
                    TracedNumber::Value(size) => self.number_within(size, semantics, depth),
                    // Nothing says what it is.
                    TracedNumber::Dimension(of, _) if of == memref => None,
                    TracedNumber::Dimension(of, at) => {
                        self.dimension(of, usize::try_from(at).ok()?, semantics, depth)
                    }
                },
            });
            return sizes.collect();
        };
        let source = self.shape_within(operands(op).next()?, semantics, depth)?;
        let mut sizes: Lengths = match step {
            ViewStep::Same => source,
            ViewStep::Permuted(order) => {
                let sizes = order.iter().map(|from| source.get(*from as usize).cloned());
                sizes.collect::<Option<_>>()?
            }
            ViewStep::Slice(slice) => {
                let dropped = dropped_dimensions(op, slice.sizes.len())?;
                let kept = slice.sizes.iter().zip(dropped);
                let kept = kept.filter(|(_, is_dropped)| !is_dropped);
                let size = |(size, _): (&Number<'c>, bool)| match size {
                    Number::Constant(size) => Some(Expression::Constant(*size)),
                    Number::Value(size) => self.number_within(*size, semantics, depth),
                };
                kept.map(size).collect::<Option<_>>()?
            }
            ViewStep::Divided(groups) => {
                let mut sizes: SmallVec<[Option<Expression>; 4]> = (0..rank).map(fixed).collect();
                for (group, all) in groups.iter().zip(&source) {
                    let mut rest = Some(all.clone());
                    let mut open = None;
                    for at in group {
                        match &sizes[*at as usize] {
                            Some(Expression::Constant(by)) => {
                                rest = rest.and_then(|rest| divided(&rest, *by));
                            }
                            _ if open.is_none() => open = Some(*at as usize),
                            _ => return None,
                        }
                    }
                    if let Some(open) = open {
                        sizes[open] = rest;
                    }
                }
                sizes.into_iter().collect::<Option<_>>()?
            }
            ViewStep::Merged(groups) => {
                let product = |group: &Vec<u32>| {
                    let mut sizes = group.iter().map(|at| source.get(*at as usize).cloned());
                    sizes.try_fold(Expression::Constant(1), |all, size| {
                        combined(Binary::Multiply, all, size?)
                    })
                };
                groups.iter().map(product).collect::<Option<_>>()?
            }
        };
        for (at, size) in sizes.iter_mut().enumerate() {
            *size = fixed(at).unwrap_or_else(|| size.simplified());
        }
        (sizes.len() == rank).then_some(sizes)
    }
}

/// Largest number in an expression: with sizes of at most 2^40, no product overflows.
const LARGEST: u64 = 1 << 22;

/// Whether an expression does not overflow.
fn is_small(number: &Expression) -> bool {
    number.largest_number() <= LARGEST
}

/// What an operation computes of two numbers, as far as that is an expression.
fn combined(binary: Binary, one: Expression, other: Expression) -> Option<Expression> {
    let scaled = |number: Expression, by: i64| Expression::Product(Box::new(number), by);
    let sum = |one: Expression, other: Expression| Expression::Sum(Box::new([one, other]));
    let simple = match (binary, one, other) {
        (Binary::Add, one, other) => sum(one, other),
        (Binary::Subtract, one, other) => sum(one, scaled(other, -1)),
        (Binary::Multiply, Expression::Constant(by), number)
        | (Binary::Multiply, number, Expression::Constant(by)) => scaled(number, by),
        (Binary::Divide(_, rounding), one, Expression::Constant(by)) if by > 0 => match rounding {
            Rounding::Zero | Rounding::Floor => Expression::Quotient(Box::new(one), by),
            Rounding::Ceiling => {
                let more = sum(one, Expression::Constant(by - 1));
                Expression::Quotient(Box::new(more), by)
            }
        },
        (Binary::Remainder(Sign::Signed | Sign::Unsigned), one, Expression::Constant(by))
            if by > 0 =>
        {
            Expression::Remainder(Box::new(one), by)
        }
        _ => return None,
    };
    Some(simple)
}

/// A number divided by one that divides it for certain.
fn divided(number: &Expression, by: i64) -> Option<Expression> {
    match number {
        _ if by == 1 => Some(number.clone()),
        Expression::Constant(number) if by > 0 && number % by == 0 => {
            Some(Expression::Constant(number / by))
        }
        Expression::Product(one, factor) if by > 0 && factor % by == 0 => {
            Some(Expression::Product(one.clone(), factor / by).simplified())
        }
        _ => None,
    }
}

/// Longest period of a length.
const LONGEST_PERIOD: i64 = 4096;

/// How much longer a length has to be for a whole number of strips more, which are the second number: each size grows by a
/// number of its own then, whatever the length is: so many with each strip. `rates`: sizes that are split, with the rows of a
/// strip; these grow by as many strips.
pub fn length_period(
    sizes: &[&Expression],
    along: u32,
    rates: &[(usize, i64)],
) -> Option<(i64, i64)> {
    (1..=LONGEST_PERIOD).find_map(|period| {
        let growths = sizes.iter().map(|size| size.growth(along, period));
        let growths = growths.collect::<Option<Vec<i64>>>()?;
        let mut strips = rates.iter().map(|(size, rate)| {
            let growth = growths[*size];
            (*rate > 0 && growth % rate == 0).then(|| growth / rate)
        });
        let added = strips.next().flatten().filter(|added| *added > 0)?;
        let are_rows = growths.iter().all(|growth| growth % added == 0);
        let are_same = strips.all(|one| one == Some(added));
        (are_rows && are_same).then_some((period, added))
    })
}
