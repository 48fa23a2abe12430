//! Operations that free memory, or make copies that can be freed.

use super::{BuildError, Builder};
use crate::ir::{Op, Val, results, type_of};
use melior::ir::{Region, RegionLike, Type};

impl<'c> Builder<'c> {
    /// `bufferization.dealloc`: for each retained memref, whether it owns its memory now.
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

    /// An operation that gives a memref back, such as `gpu.dealloc`.
    pub fn free_by(&self, name: &'static str, memref: Val<'c>) -> Result<Op<'c>, BuildError> {
        self.insert(name, &[memref], &[], &[])
    }

    /// `async.await` of an `!async.value`, for what has come.
    pub fn wait_for(&self, value: Val<'c>, element: Type<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one("async.await", &[value], element, &[])
    }

    /// A memref where `owned` holds, else a copy of it.
    pub fn owned_or_copy(&self, owned: Val<'c>, memref: Val<'c>) -> Result<Val<'c>, BuildError> {
        let mut bodies = Vec::new();
        for is_copy in [false, true] {
            let region = Region::new();
            let block = region.append_block(melior::ir::Block::new(&[]));
            // SAFETY: the block belongs to the region, which the operation below takes.
            let block = unsafe { crate::ir::Block::from_raw(block.to_raw()) };
            let inner = Self {
                context: self.context,
                block,
                before: None,
                location: self.location,
            };
            let value = if is_copy {
                inner.written_copy(memref, type_of(memref))?.memref
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
    pub fn truth(&self, value: bool) -> Result<Val<'c>, BuildError> {
        self.constant(i64::from(value), self.context.integer_type(1))
    }
}
