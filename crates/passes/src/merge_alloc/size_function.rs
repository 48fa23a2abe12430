//! `@NAME_arena_size`: how many bytes the arena of a function takes, for callers that provide it.
//!
//! Where sizes are dynamic, it takes what they depend on: dimensions of arguments of the function, and integer arguments. It
//! computes the bytes by copies of the operations that the function itself computes them by.

use super::arena_size::ArenaSize;
use memplan_mlir::build::{BuildError, Builder};
use memplan_semantics::attributes::DIMENSIONS;

/// How many bytes an arena takes.
pub enum SizeOf<'a, 'c> {
    /// So many.
    Constant(u64),
    /// What the function computes.
    Computed(&'a ArenaSize<'c>),
}

/// Writes the function.
pub fn write<'c>(
    builder: &Builder<'c>,
    name: &str,
    bytes: SizeOf<'_, 'c>,
    alignment: u64,
) -> Result<(), BuildError> {
    let alignment = alignment as i64;
    let size = match bytes {
        SizeOf::Constant(bytes) => {
            return builder.constant_function(name, &[bytes as i64, alignment]);
        }
        SizeOf::Computed(size) => size,
    };
    let inputs = size.inputs();
    let types: Vec<_> = inputs.iter().map(|(_, r#type)| *r#type).collect();
    let numbers = inputs.iter().flat_map(|(input, _)| {
        let dimension = input.dimension.unwrap_or(-1);
        [input.argument as i64, dimension]
    });
    let numbers: Vec<i64> = numbers.collect();
    let attributes = [(DIMENSIONS, builder.integers_attribute(&numbers))];
    builder.index_function(name, &types, &attributes, |inside, arguments| {
        let total = size.write(inside, arguments)?;
        Ok(vec![total, inside.index(alignment)?])
    })
}
