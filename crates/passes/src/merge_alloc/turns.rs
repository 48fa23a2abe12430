//! Where the arena of a turn of a parallel loop starts.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Block, Val, arguments},
    loops::Dimension,
};

/// `offset + stride * number of the turn`, where the body's block starts. Turns are numbered with
/// the last dimension fastest.
pub fn shift<'c>(
    builder: &Builder<'c>,
    body: Block<'c>,
    dimensions: &[Dimension],
    offset: i64,
    stride: i64,
) -> Result<Val<'c>, BuildError> {
    let mut factor = stride;
    let mut factors = Vec::with_capacity(dimensions.len());
    for dimension in dimensions.iter().rev() {
        factors.push(factor);
        factor = factor.saturating_mul(dimension.turns as i64);
    }
    factors.reverse();
    let mut sum = builder.index(offset)?;
    for ((variable, dimension), factor) in arguments(body).zip(dimensions).zip(factors) {
        if dimension.turns <= 1 {
            continue;
        }
        let mut turn = variable;
        if dimension.lower != 0 {
            turn = builder.subtract(turn, builder.index(dimension.lower)?)?;
        }
        if dimension.step != 1 {
            turn = builder.combine("arith.divui", turn, builder.index(dimension.step)?)?;
        }
        let bytes = builder.combine("arith.muli", turn, builder.index(factor)?)?;
        sum = builder.combine("arith.addi", sum, bytes)?;
    }
    Ok(sum)
}
