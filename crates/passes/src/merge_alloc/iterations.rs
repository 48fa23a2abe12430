//! Where the arena of a turn of a parallel loop starts.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Block, Val, arguments},
};
use memplan_semantics::loops::Iterations;

/// `offset + stride * number of the turn`, where the body's block starts. Turns are numbered with
/// the last dimension fastest.
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
        let mut turn = variable;
        if dimension.lower != 0 {
            turn = builder.subtract(turn, builder.index(dimension.lower)?)?;
        }
        if dimension.step != 1 {
            turn = builder.divide(turn, builder.index(dimension.step)?)?;
        }
        let bytes = builder.multiply(turn, builder.index(factor)?)?;
        sum = builder.add(sum, bytes)?;
    }
    Ok(sum)
}
