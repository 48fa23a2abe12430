//! Copies that run beside other operations.

use super::{BuildError, Builder};
use crate::{
    ir::{Op, Origin, Val, origin, results, type_of},
    layout::{element_count, rank},
};
use melior::ir::r#type::MemRefType;

/// A copy by `memref.dma_start` and `memref.dma_wait`.
pub struct Transfer<'c> {
    /// What was inserted, in that order.
    pub ops: Vec<Op<'c>>,
    /// The memory that tells when it ends.
    pub tag: Val<'c>,
}

impl<'c> Transfer<'c> {
    /// Writes a copy of a memref of static shape: where it starts, and where it is waited for.
    ///
    /// # Errors
    ///
    /// If MLIR refuses an operation, or if the shape is not static.
    pub fn write(
        (start, wait): (&Builder<'c>, &Builder<'c>),
        from: Val<'c>,
        to: Val<'c>,
    ) -> Result<Self, BuildError> {
        let mut ops = Vec::new();
        let count = element_count(type_of(from)).ok_or_else(BuildError::unexpected)?;
        let rank = rank(type_of(from)).ok_or_else(BuildError::unexpected)?;
        let mut index = |value: i64| {
            let index = start.index(value)?;
            ops.extend(defining(index));
            Ok(index)
        };
        let (zero, count) = (index(0)?, index(count)?);
        let integer = start.context.integer_type(32);
        let tag = start.alloc(MemRefType::contiguous(integer, &[1], None).into(), 4)?;
        ops.push(tag);
        let tag = results(tag).next().ok_or_else(BuildError::unexpected)?;
        let zeros = std::iter::repeat_n(zero, rank);
        let mut operands = vec![from];
        operands.extend(zeros.clone());
        operands.push(to);
        operands.extend(zeros);
        operands.extend([count, tag, zero]);
        ops.push(start.insert("memref.dma_start", &operands, &[], &[])?);
        ops.push(wait.insert("memref.dma_wait", &[tag, zero, count], &[], &[])?);
        Ok(Self { ops, tag })
    }
}

/// The operation that computes a value.
fn defining(value: Val<'_>) -> Option<Op<'_>> {
    match origin(value) {
        Some(Origin::Result(op, _)) => Some(op),
        _ => None,
    }
}
