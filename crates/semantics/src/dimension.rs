//! Dimensions of memrefs, traced to where their sizes come from.

use crate::{allocators::Allocator, arithmetic::Computes, semantics::Semantics};
use memplan_mlir::{
    ir::{Op, Origin, Val, operands, origin, type_of},
    layout::{dynamic_dimension_index, static_dimension},
};

/// Largest number of memrefs and numbers that are followed.
const DEEPEST: usize = 32;

/// A number, traced to what it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TracedNumber<'c> {
    /// A constant.
    Constant(i64),
    /// A value that is no dimension.
    Value(Val<'c>),
    /// A dimension of a memref, of which nothing else is known.
    Dimension(Val<'c>, i64),
}

impl Semantics {
    /// Traces a number. Dimensions of allocations and views are the values that these got.
    pub fn traced<'c>(&mut self, value: Val<'c>) -> TracedNumber<'c> {
        let mut value = value;
        for _ in 0..DEEPEST {
            match self.traced_once(value) {
                TracedNumber::Value(next) if next != value => value = next,
                found => return found,
            }
        }
        TracedNumber::Value(value)
    }

    fn traced_once<'c>(&mut self, value: Val<'c>) -> TracedNumber<'c> {
        match self.computes(value) {
            Some(Computes::Constant(constant)) => TracedNumber::Constant(constant),
            Some(Computes::Dimension([memref, index])) => match self.constant(index) {
                Some(at) => self.size_at(memref, at),
                None => TracedNumber::Value(value),
            },
            _ => TracedNumber::Value(value),
        }
    }

    /// Traces a dimension of a memref, as [`traced`](Self::traced).
    pub fn traced_dimension<'c>(&mut self, memref: Val<'c>, at: i64) -> TracedNumber<'c> {
        match self.size_at(memref, at) {
            TracedNumber::Value(size) => self.traced(size),
            found => found,
        }
    }

    /// A dimension of a memref: the value that it was allocated or viewed with.
    fn size_at<'c>(&mut self, memref: Val<'c>, at: i64) -> TracedNumber<'c> {
        let mut memref = memref;
        for _ in 0..DEEPEST {
            let r#type = type_of(memref);
            if let Some(size) = static_dimension(r#type, at) {
                return TracedNumber::Constant(size);
            }
            let number = usize::try_from(at).ok();
            let number = number.and_then(|at| dynamic_dimension_index(r#type, at));
            let (Some(Origin::Result(op, 0)), Some(number)) = (origin(memref), number) else {
                break;
            };
            if let Some(first) = self.first_size(op)
                && let Some(size) = operands(op).nth(first + number)
            {
                return TracedNumber::Value(size);
            }
            match operands(op).next() {
                Some(source) if self.facts(op).table.has_same_sizes => memref = source,
                _ => break,
            }
        }
        TracedNumber::Dimension(memref, at)
    }

    /// The first of the operands that are the sizes of the dynamic dimensions of the result.
    fn first_size(&mut self, op: Op<'_>) -> Option<usize> {
        let table = &self.facts(op).table;
        match (table.bytes, table.allocates) {
            (Some(bytes), _) => Some(bytes.sizes as usize),
            (None, Some(Allocator::Memref)) => Some(0),
            (None, _) => None,
        }
    }
}
