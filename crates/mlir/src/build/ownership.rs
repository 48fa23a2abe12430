//! Operations that free memory, and copies that the caller owns.

use super::{BuildError, Builder};
use crate::ir::{Op, Val, results, type_of};
use melior::ir::{Region, RegionLike, Type};

impl<'c> Builder<'c> {
    /// `bufferization.dealloc`. Returns for each retained memref whether it still owns its memory.
    pub fn deallocs(
        &self,
        memrefs: &[Val<'c>],
        conditions: &[Val<'c>],
        retained: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let operands: Vec<Val<'c>> = [memrefs, conditions, retained].concat();
        let types: Vec<Type<'c>> = vec![self.context.integer_type(1); retained.len()];
        let sizes = [memrefs.len(), conditions.len(), retained.len()].map(|size| size as i32);
        let op = self.insert(
            "bufferization.dealloc",
            &operands,
            &types,
            &[("operandSegmentSizes", self.context.short_integers(&sizes))],
        )?;
        Ok(results(op).collect())
    }

    /// An operation that frees its only operand, such as `gpu.dealloc`.
    pub fn free_with(&self, name: &'static str, memref: Val<'c>) -> Result<Op<'c>, BuildError> {
        self.insert(name, &[memref], &[], &[])
    }

    /// `async.await` of an `!async.value`; returns the value.
    pub fn await_value(&self, value: Val<'c>, element: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one("async.await", &[value], element, &[])
    }

    /// The memref itself if `owned` holds, a copy otherwise.
    pub fn owned_or_copy(&self, owned: Val<'c>, memref: Val<'c>) -> Result<Val<'c>, BuildError> {
        let mut bodies = Vec::new();
        for is_copy in [false, true] {
            let region = Region::new();
            let block = region.append_block(melior::ir::Block::new(&[]));
            // SAFETY: the block belongs to the region, which the operation below takes over.
            let block = unsafe { crate::ir::Block::from_raw(block.to_raw()) };
            let inner = Self {
                context: self.context,
                block,
                before: None,
                location: self.location,
            };
            let value = if is_copy {
                inner.copy_of(memref, type_of(memref))?.memref
            } else {
                memref
            };
            inner.insert("scf.yield", &[value], &[], &[])?;
            bodies.push(region);
        }
        let op = self.insert_with("scf.if", &[owned], &[type_of(memref)], &[], bodies)?;
        op.result(0)
            .map(Into::into)
            .map_err(|error| BuildError::Operation("scf.if", error))
    }

    /// A boolean constant.
    pub fn boolean(&self, value: bool) -> Result<Val<'c>, BuildError> {
        self.constant(i64::from(value), self.context.integer_type(1))
    }
}
