//! The names of dimensions in reports.

use super::{
    super::facts::{Names, OtherName},
    Learnt,
};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    ir::{Identity, Key, Origin, Val, arguments, location_text, origin},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Computes, bounds};
use rustc_hash::FxHashMap;

fn other<'c>(number: u32, value: Val<'c>, arguments: &[Val<'c>]) -> OtherName {
    let argument = arguments.iter().position(|argument| *argument == value);
    OtherName {
        number,
        argument: argument.map(|argument| argument as u64),
        location: match origin(value) {
            Some(Origin::Result(op, _)) => location_text(op.location()),
            _ => String::new(),
        },
    }
}

impl<'c> Learnt<'c> {
    /// d0, d1, … are the dynamic dimensions of the function's arguments, in order; others come after these.
    pub fn names(&mut self, analysis: &Analysis<'c>) -> Names {
        let (function, block) = analysis.handles.scopes[0];
        let given = bounds::dimensions(function);
        let values: Vec<Val<'c>> = arguments(block).collect();
        let places: FxHashMap<(Key, usize), u32> = (0..)
            .zip(&given)
            .filter_map(|(number, one)| {
                Some(((values[one.argument].key(), one.dimension?), number))
            })
            .collect();
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let mut others: Vec<OtherName> = Vec::new();
        let dims = self.sources.dims.clone();
        let numbers = dims.iter().map(|value| {
            self.of_argument(*value, &places).unwrap_or_else(|| {
                let next = (given.len() + others.len()) as u32;
                let number = *known.entry(value.key()).or_insert(next);
                if number == next {
                    others.push(other(number, *value, &values));
                }
                number
            })
        });
        Names {
            numbers: numbers.collect(),
            others: others.into(),
        }
    }

    fn of_argument(
        &mut self,
        value: Val<'c>,
        places: &FxHashMap<(Key, usize), u32>,
    ) -> Option<u32> {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return None;
        };
        let Some(Computes::Dimension([memref, index])) = self.semantics.computed(op) else {
            return None;
        };
        let index = usize::try_from(self.semantics.constant(index)?).ok()?;
        places.get(&(memref.key(), index)).copied()
    }
}
