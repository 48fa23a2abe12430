//! Numbers that a function is taken to get.

use memplan_mlir::{
    calls::function_body,
    ir::{Identity, Key, Op, Val, arguments, blocks, ops, regions, results},
};
use memplan_semantics::{
    Computes, LengthReader, Semantics, Unknown,
    arithmetic::{Binary, Sign},
    constants::evaluate,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What a function gets.
pub struct Given<'c> {
    reader: RefCell<LengthReader<'c>>,
    /// Numbers that the function gets, and sizes of memrefs that it gets: their places among the inputs.
    values: FxHashMap<Key, usize>,
    dimensions: FxHashMap<(Key, i64), usize>,
    /// What the inputs of recorded sizes are.
    pub inputs: Vec<Unknown>,
}

/// Numbers that the function is taken to get.
pub struct Assumed<'a, 'c> {
    /// What the function gets.
    pub given: &'a Given<'c>,
    /// The values of the inputs.
    pub values: Vec<i64>,
    /// The sizes that are recorded.
    pub sizes: Vec<i64>,
    /// The input that is the length.
    pub along: usize,
    /// How much longer that is with each period.
    pub period: i64,
}

impl<'c> Assumed<'_, 'c> {
    /// A dimension of a memref that the function gets.
    pub fn dimension(&self, memref: Val<'c>, at: i64) -> Option<i64> {
        let input = self.given.dimensions.get(&(memref.key(), at))?;
        self.values.get(*input).copied()
    }

    /// A number outside of the strips, and how much more it is with each period of the length.
    pub fn number(&self, value: Val<'c>, semantics: &mut Semantics) -> Option<(i64, i64)> {
        let known = |value: Val<'c>| {
            let input = self.given.values.get(&value.key())?;
            self.values.get(*input).copied()
        };
        let number = evaluate(value, semantics, &known)?;
        let growth = self.growth(value, semantics)?;
        Some((number, growth))
    }

    /// How much more a number is with each period.
    fn growth(&self, value: Val<'c>, semantics: &mut Semantics) -> Option<i64> {
        let mut reader = self.given.reader.borrow_mut();
        if let Some(expression) = reader.number(value, semantics) {
            // The reader counts what the function gets by itself.
            let along = self.given.inputs[self.along];
            let unknowns = reader.unknowns().iter();
            let along = unknowns.enumerate().find(|(_, unknown)| **unknown == along);
            return match along {
                Some((number, _)) => expression.growth(number as u32, self.period),
                None => Some(0),
            };
        }
        drop(reader);
        let Computes::Binary(Binary::Max(Sign::Signed) | Binary::Min(Sign::Signed), both) =
            semantics.computes(value)?
        else {
            return None;
        };
        let [one, other] = both.map(|value| self.growth(value, semantics));
        (one? == other?).then_some(one?)
    }
}

impl<'c> Given<'c> {
    /// What a function gets of these inputs.
    pub fn of(function: Op<'c>, inputs: Vec<Unknown>, semantics: &mut Semantics) -> Self {
        let mut given = Self {
            reader: RefCell::new(LengthReader::of(function)),
            values: FxHashMap::default(),
            dimensions: FxHashMap::default(),
            inputs,
        };
        let body = function_body(function).into_iter().flat_map(blocks).next();
        let all: Vec<Val<'c>> = body.into_iter().flat_map(arguments).collect();
        for (at, input) in given.inputs.iter().enumerate() {
            let Some(argument) = all.get(input.argument as usize) else {
                continue;
            };
            match input.dimension {
                Some(dimension) => {
                    let key = (argument.key(), i64::from(dimension));
                    given.dimensions.insert(key, at);
                }
                None => {
                    given.values.insert(argument.key(), at);
                }
            }
        }
        let mut open: Vec<_> = regions(function).flat_map(blocks).collect();
        while let Some(block) = open.pop() {
            for op in ops(block) {
                open.extend(regions(op).flat_map(blocks));
                let Some(Computes::Dimension([memref, index])) = semantics.computed(op) else {
                    continue;
                };
                let at = semantics.constant(index);
                let input = at.and_then(|at| given.dimensions.get(&(memref.key(), at)));
                if let (Some(input), Some(value)) = (input, results(op).next()) {
                    given.values.insert(value.key(), *input);
                }
            }
        }
        given
    }
}
