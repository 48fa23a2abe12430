//! Copies of operations, and bodies that are made anew.

use crate::{
    ffi,
    ir::{
        Block, Op, Region, Val, arguments, blocks, changes, op_from_raw, operands, ops, regions,
        type_of,
    },
    values::set_operand,
};
use melior::ir::{BlockLike, Location, RegionLike, Type, TypeLike};

fn copied<'c>(op: Op<'c>) -> mlir_sys::MlirOperation {
    // SAFETY: a live operation; the caller puts the copy into a block.
    unsafe { mlir_sys::mlirOperationClone(op.to_raw()) }
}

/// Copies an operation with all that it holds to the end of a block. It uses what the original uses.
pub fn copy_to_end<'c>(op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    changes::inserted(block);
    let copy = copied(op);
    // SAFETY: the block takes the copy, which nobody else has.
    unsafe { mlir_sys::mlirBlockAppendOwnedOperation(block.to_raw(), copy) };
    op_from_raw(copy)
}

/// Copies an operation with all that it holds to in front of another one, which stands in `block`.
pub fn copy_before<'c>(op: Op<'c>, block: Block<'c>, before: Op<'c>) -> Option<Op<'c>> {
    changes::inserted(block);
    let copy = copied(op);
    // SAFETY: as above; `before` stands in the block.
    unsafe {
        mlir_sys::mlirBlockInsertOwnedOperationBefore(block.to_raw(), before.to_raw(), copy);
    }
    op_from_raw(copy)
}

/// Makes an operation, and what it holds, use other values.
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

/// How many operations an operation is: itself, and what it holds.
pub fn size(op: Op<'_>) -> u64 {
    let nested = regions(op).flat_map(blocks).flat_map(ops);
    1 + nested.map(size).sum::<u64>()
}

/// A body in the making, for an operation that has one already.
pub struct Body<'c> {
    region: melior::ir::Region<'c>,
}

impl<'c> Default for Body<'c> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'c> Body<'c> {
    /// Without blocks.
    pub fn new() -> Self {
        Self {
            region: melior::ir::Region::new(),
        }
    }

    /// Adds a block with arguments of these types.
    pub fn block(&self, types: &[(Type<'c>, Location<'c>)]) -> Block<'c> {
        let block = self.region.append_block(melior::ir::Block::new(types));
        // SAFETY: the block belongs to the region, which becomes a body in `replace`, or goes with all
        // that was copied into it.
        unsafe { Block::from_raw(block.to_raw()) }
    }

    /// A block without arguments that does not stand in the body yet.
    pub fn block_apart(&self) -> Block<'c> {
        // SAFETY: nobody else has the block, and the body takes it in `append`.
        unsafe { Block::from_raw(melior::ir::Block::new(&[]).into_raw()) }
    }

    /// Adds a block of [`block_apart`](Self::block_apart).
    pub fn append(&self, block: Block<'c>) {
        // SAFETY: the region takes a block that nobody else has.
        unsafe {
            mlir_sys::mlirRegionAppendOwnedBlock(self.region.to_raw(), block.to_raw());
        }
    }

    /// The arguments that a block has, as those of a new one.
    pub fn like(block: Block<'c>, location: Location<'c>) -> Vec<(Type<'c>, Location<'c>)> {
        arguments(block)
            .map(|argument| (type_of(argument), location))
            .collect()
    }

    /// Puts this body in place of another one, of which no handle may be used again.
    pub fn replace(self, old: Region<'c>) {
        changes::all();
        // SAFETY: live regions; the shim moves the blocks and leaves the new region empty.
        unsafe { ffi::memplanReplaceBody(old.to_raw(), self.region.to_raw()) }
    }
}

/// Erases the blocks of a region that its first one does not lead to, and those of regions in it.
pub fn erase_unreachable_blocks(region: Region<'_>) {
    changes::all();
    // SAFETY: a live region.
    unsafe { ffi::memplanEraseUnreachableBlocks(region.to_raw()) }
}

/// The width of an integer type in bits; `index` counts as 64; `None` for others.
pub fn integer_width(r#type: Type<'_>) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    // SAFETY: a live type of the kind that is asked first.
    r#type
        .is_integer()
        .then(|| unsafe { mlir_sys::mlirIntegerTypeGetWidth(r#type.to_raw()) })
}
