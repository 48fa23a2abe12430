//! Copies of operations, and replacement of bodies.

use crate::{
    ffi,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, changes, op_from_raw, operands,
        ops, regions, type_of,
    },
    values::set_operand,
};
use melior::ir::{BlockLike, Location, RegionLike, Type, TypeLike};
use rustc_hash::FxHashMap;

fn copied<'c>(op: Op<'c>) -> mlir_sys::MlirOperation {
    // SAFETY: a live operation; the caller puts the copy into a block.
    unsafe { mlir_sys::mlirOperationClone(op.to_raw()) }
}

/// Copies an operation with its regions to the end of a block. The copy uses the same operands.
pub fn copy_to_end<'c>(op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    changes::inserted(block);
    let copy = copied(op);
    // SAFETY: the block takes over the copy, which nothing else refers to.
    unsafe { mlir_sys::mlirBlockAppendOwnedOperation(block.to_raw(), copy) };
    op_from_raw(copy)
}

/// Inserts a copy of an operation, with its regions, before another one, which is in `block`.
pub fn copy_before<'c>(op: Op<'c>, block: Block<'c>, before: Op<'c>) -> Option<Op<'c>> {
    changes::inserted(block);
    let copy = copied(op);
    // SAFETY: as above; `before` is in the block.
    unsafe {
        mlir_sys::mlirBlockInsertOwnedOperationBefore(block.to_raw(), before.to_raw(), copy);
    }
    op_from_raw(copy)
}

/// A copy of an operation outside of any block, which is destroyed with this.
pub struct DetachedCopy<'c> {
    op: Op<'c>,
    originals: FxHashMap<Key, Op<'c>>,
}

impl<'c> DetachedCopy<'c> {
    /// Copies an operation with all that is nested in it.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let copy = op_from_raw(copied(op))?;
        let mut originals = FxHashMap::default();
        let mut open = vec![(op, copy)];
        while let Some((original, copy)) = open.pop() {
            originals.insert(copy.key(), original);
            let nested = |op| regions(op).flat_map(blocks).flat_map(ops);
            open.extend(nested(original).zip(nested(copy)));
        }
        Some(Self {
            op: copy,
            originals,
        })
    }

    /// The copy.
    pub const fn op(&self) -> Op<'c> {
        self.op
    }

    /// For each operation of the copy, by its key, what it is a copy of.
    pub const fn originals(&self) -> &FxHashMap<Key, Op<'c>> {
        &self.originals
    }
}

impl Drop for DetachedCopy<'_> {
    fn drop(&mut self) {
        // SAFETY: the copy is in no block, and whoever has handles to it borrows from this.
        unsafe { mlir_sys::mlirOperationDestroy(self.op.to_raw()) }
    }
}

/// A copy of the body of an operation with one region, to go back to.
pub struct SavedBody<'c> {
    op: Op<'c>,
}

impl<'c> SavedBody<'c> {
    /// Copies the body of an operation.
    pub fn of(op: Op<'c>) -> Option<Self> {
        Some(Self {
            op: op_from_raw(copied(op))?,
        })
    }

    /// Gives the operation this body. No handle to the old one may be used afterwards.
    pub fn restore(&self, op: Op<'c>) -> Option<()> {
        changes::all();
        let copy = op_from_raw::<'c>(copied(self.op))?;
        let replaced = match (regions(op).next(), regions(copy).next()) {
            (Some(old), Some(new)) => {
                // SAFETY: live regions; the shim moves the blocks and leaves the new region empty.
                unsafe { ffi::memplanReplaceBody(old.to_raw(), new.to_raw()) }
                Some(())
            }
            _ => None,
        };
        // SAFETY: the copy is in no block, and its region is empty.
        unsafe { mlir_sys::mlirOperationDestroy(copy.to_raw()) }
        replaced
    }
}

impl Drop for SavedBody<'_> {
    fn drop(&mut self) {
        // SAFETY: the copy is in no block, and nothing else refers to it.
        unsafe { mlir_sys::mlirOperationDestroy(self.op.to_raw()) }
    }
}

/// Replaces operands of an operation, and of all operations nested in it: `other` returns the new value of an
/// operand, or `None` to keep it.
pub fn substitute<'c>(op: Op<'c>, other: &mut impl FnMut(Val<'c>) -> Option<Val<'c>>) {
    for (index, value) in operands(op).enumerate() {
        if let Some(value) = other(value) {
            set_operand(op, index, value);
        }
    }
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        substitute(nested, other);
    }
}

/// Number of operations: the operation itself, and all that are nested in it.
pub fn op_count(op: Op<'_>) -> u64 {
    let nested = regions(op).flat_map(blocks).flat_map(ops);
    1 + nested.map(op_count).sum::<u64>()
}

/// A body under construction, which will replace that of an operation.
pub struct NewBody<'c> {
    region: melior::ir::Region<'c>,
}

impl<'c> Default for NewBody<'c> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'c> NewBody<'c> {
    /// A body without blocks.
    pub fn new() -> Self {
        Self {
            region: melior::ir::Region::new(),
        }
    }

    /// Appends a block with arguments of these types.
    pub fn block(&self, types: &[(Type<'c>, Location<'c>)]) -> Block<'c> {
        let block = self.region.append_block(melior::ir::Block::new(types));
        // SAFETY: the block belongs to the region, which becomes a body in `replace`, or is destroyed with all its
        // operations.
        unsafe { Block::from_raw(block.to_raw()) }
    }

    /// A block without arguments that is not yet part of the body.
    pub fn detached_block(&self) -> Block<'c> {
        // SAFETY: nothing else refers to the block, and the body takes it over in `append`.
        unsafe { Block::from_raw(melior::ir::Block::new(&[]).into_raw()) }
    }

    /// Appends a block from [`detached_block`](Self::detached_block).
    pub fn append(&self, block: Block<'c>) {
        // SAFETY: the region takes over a block that nothing else refers to.
        unsafe {
            mlir_sys::mlirRegionAppendOwnedBlock(self.region.to_raw(), block.to_raw());
        }
    }

    /// The types of a block's arguments, to create a block with the same ones.
    pub fn argument_types(
        block: Block<'c>,
        location: Location<'c>,
    ) -> Vec<(Type<'c>, Location<'c>)> {
        arguments(block)
            .map(|argument| (type_of(argument), location))
            .collect()
    }

    /// Replaces another body. No handle to the old one may be used afterwards.
    pub fn replace(self, old: Region<'c>) {
        changes::all();
        // SAFETY: live regions; the shim moves the blocks and leaves the new region empty.
        unsafe { ffi::memplanReplaceBody(old.to_raw(), self.region.to_raw()) }
    }
}

/// Erases the unreachable blocks of a region, and of regions nested in it.
pub fn erase_unreachable_blocks(region: Region<'_>) {
    changes::all();
    // SAFETY: a live region.
    unsafe { ffi::memplanEraseUnreachableBlocks(region.to_raw()) }
}

/// Bits of an integer type; 64 for `index`; `None` for other types.
pub fn integer_width(r#type: Type<'_>) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    // SAFETY: a live type, whose kind is checked first.
    r#type
        .is_integer()
        .then(|| unsafe { mlir_sys::mlirIntegerTypeGetWidth(r#type.to_raw()) })
}
