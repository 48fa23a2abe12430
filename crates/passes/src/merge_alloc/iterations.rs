//! Offset of the arena of an iteration of a parallel loop.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Block, Val, arguments},
};
use memplan_semantics::loops::Iterations;

/// Computes `offset + stride * iteration` at the start of the body's block. The last dimension varies
/// fastest.
pub fn shift<'c>(
    builder: &Builder<'c>,
    body: Block<'c>,
    dimensions: &[Iterations],
    offset: i64,
    stride: i64,
) -> Result<Val<'c>, BuildError> {
    let mut factor = stride;
    let mut factors = Vec::with_capacity(dimensions.len());
    for dimension in dimensions.iter().rev() {
        factors.push(factor);
        factor = factor.saturating_mul(dimension.count as i64);
    }
    factors.reverse();
    let mut sum = builder.index(offset)?;
    for ((variable, dimension), factor) in arguments(body).zip(dimensions).zip(factors) {
        if dimension.count <= 1 {
            continue;
        }
        let mut iteration = variable;
        if dimension.lower != 0 {
            iteration = builder.subtract(iteration, builder.index(dimension.lower)?)?;
        }
        if dimension.step != 1 {
            iteration = builder.divide(iteration, builder.index(dimension.step)?)?;
        }
        let bytes = builder.multiply(iteration, builder.index(factor)?)?;
        sum = builder.add(sum, bytes)?;
    }
    Ok(sum)
}
