//! Arenas on the stack, in globals and in arguments.

use super::{BuildError, Builder};
use crate::ir::{
    Block, Identity, Op, Origin, Val, blocks, changes, context_of, operands, ops, origin, regions,
    type_of,
};
use melior::ir::{
    Attribute, BlockLike, Region, RegionLike, Type, ValueLike, attribute::TypeAttribute,
    operation::OperationLike,
};
use mlir_sys::{mlirOperationRemoveFromParent, mlirOperationSetOperand};
use rustc_hash::FxHashSet;

impl<'c> Builder<'c> {
    /// `memref.alloca()`, aligned to `alignment` bytes.
    pub fn alloca(&self, memref: Type<'c>, alignment: i64) -> Result<Op<'c>, BuildError> {
        self.insert(
            "memref.alloca",
            &[],
            &[memref],
            &[
                ("alignment", self.integer_attribute(alignment)),
                ("operandSegmentSizes", self.context.short_integers(&[0, 0])),
            ],
        )
    }

    /// `memref.global "private" @NAME : MEMREF = uninitialized`, aligned to `alignment` bytes.
    pub fn global(
        &self,
        name: &str,
        memref: Type<'c>,
        alignment: i64,
    ) -> Result<Op<'c>, BuildError> {
        self.global_with(name, memref, self.context.unit(), alignment)
    }

    /// `memref.global "private" @NAME : memref<SIZExi8, SPACE> = dense<0>`, aligned to `alignment` bytes. `memref` is such a
    /// type of bytes.
    pub fn zero_bytes_global(
        &self,
        name: &str,
        memref: Type<'c>,
        alignment: i64,
    ) -> Result<Op<'c>, BuildError> {
        let zeros = self
            .context
            .zero_bytes(memref)
            .ok_or_else(BuildError::unexpected)?;
        self.global_with(name, memref, zeros, alignment)
    }

    fn global_with(
        &self,
        name: &str,
        memref: Type<'c>,
        contents: Attribute<'c>,
        alignment: i64,
    ) -> Result<Op<'c>, BuildError> {
        self.insert(
            "memref.global",
            &[],
            &[],
            &[
                ("sym_name", self.context.text(name)),
                ("sym_visibility", self.context.text("private")),
                ("type", TypeAttribute::new(memref).into()),
                ("initial_value", contents),
                ("alignment", self.integer_attribute(alignment)),
            ],
        )
    }

    /// `memref.get_global @NAME : MEMREF`.
    pub fn get_global(&self, name: &str, memref: Type<'c>) -> Result<Op<'c>, BuildError> {
        let name = self.context.symbol(name);
        self.insert("memref.get_global", &[], &[memref], &[("name", name)])
    }

    /// `func.func @NAME() -> (index, …)` that returns constants.
    pub fn constant_function(&self, name: &str, values: &[i64]) -> Result<(), BuildError> {
        self.index_function(name, &[], &[], |inside, _| {
            values.iter().map(|value| inside.index(*value)).collect()
        })
    }

    /// `func.func @NAME(PARAMETERS) -> (index, …)` that returns the values that `body` creates.
    pub fn index_function(
        &self,
        name: &str,
        parameters: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        body: impl FnOnce(&Self, &[Val<'c>]) -> Result<Vec<Val<'c>>, BuildError>,
    ) -> Result<(), BuildError> {
        let index = self.index_type();
        let region = Region::new();
        let parameters_at: Vec<_> = parameters.iter().map(|one| (*one, self.location)).collect();
        let block = region.append_block(melior::ir::Block::new(&parameters_at));
        // SAFETY: the block belongs to the region, which the function below takes over.
        let block = unsafe { Block::from_raw(block.to_raw()) };
        let inside = Self {
            block,
            before: None,
            ..*self
        };
        let given: Vec<Val<'c>> = crate::ir::arguments(block).collect();
        let returned = body(&inside, &given)?;
        inside.insert("func.return", &returned, &[], &[])?;
        let results = vec![index; returned.len()];
        let r#type = self.context.function_type(parameters, &results);
        let mut all: Vec<(&str, Attribute<'c>)> = vec![
            ("sym_name", self.context.text(name)),
            ("function_type", TypeAttribute::new(r#type).into()),
        ];
        all.extend(attributes);
        self.insert_with("func.func", &[], &[], &all, vec![region])?;
        Ok(())
    }

    /// `memref.dim` with a constant index.
    pub fn dimension(&self, memref: Val<'c>, dimension: i64) -> Result<Val<'c>, BuildError> {
        let at = self.index(dimension)?;
        self.insert_one("memref.dim", &[memref, at], self.index_type(), &[])
    }

    /// `cf.assert`.
    pub fn assert(&self, condition: Val<'c>, message: &str) -> Result<(), BuildError> {
        let message = self.context.text(message);
        self.insert("cf.assert", &[condition], &[], &[("msg", message)])?;
        Ok(())
    }

    /// Hides an index from optimizations: stores it in a stack cell that `scope` allocates, and loads it again.
    pub fn opaque_index(
        &self,
        value: Val<'c>,
        scope: &Self,
        mark: &str,
    ) -> Result<Val<'c>, BuildError> {
        let cell = melior::ir::r#type::MemRefType::contiguous(self.index_type(), &[], None).into();
        let cell = scope.alloca_cell(cell)?;
        if let Some(Origin::Result(op, _)) = origin(cell) {
            super::mark(op, mark);
        }
        self.insert("memref.store", &[value, cell], &[], &[])?;
        self.insert_one("memref.load", &[cell], self.index_type(), &[])
    }

    pub(super) fn alloca_cell(&self, cell: Type<'c>) -> Result<Val<'c>, BuildError> {
        let sizes = self.context.short_integers(&[0, 0]);
        self.insert_one(
            "memref.alloca",
            &[],
            cell,
            &[("operandSegmentSizes", sizes)],
        )
    }
}

/// Moves all operations of a block before its terminator into a `memref.alloca_scope`. The scope returns the values
/// that the terminator uses. The block must be the only one of its region.
pub fn move_into_scope<'c>(block: Block<'c>, owner: Op<'c>) -> Result<(), BuildError> {
    let Some(end) = crate::ir::terminator(block) else {
        return Ok(());
    };
    let moved: Vec<Op<'c>> = ops(block).take_while(|op| op.key() != end.key()).collect();
    let inside: FxHashSet<_> = moved.iter().map(Identity::key).collect();
    // The values of moved operations that the terminator, or a region of it, uses, and these uses.
    let mut needed: Vec<Val<'c>> = Vec::new();
    let mut uses: Vec<(Op<'c>, usize, usize)> = Vec::new();
    let mut open = vec![end];
    while let Some(op) = open.pop() {
        for (place, value) in operands(op).enumerate() {
            let moves = match origin(value) {
                Some(Origin::Result(from, _)) => inside.contains(&from.key()),
                _ => false,
            };
            if moves {
                let known = needed.iter().position(|other| other.key() == value.key());
                let number = known.unwrap_or(needed.len());
                if known.is_none() {
                    needed.push(value);
                }
                uses.push((op, place, number));
            }
        }
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
    }
    let body = Region::new();
    let inner = body.append_block(melior::ir::Block::new(&[]));
    // SAFETY: the block belongs to the region, which the scope below takes over.
    let inner: Block<'c> = unsafe { Block::from_raw(inner.to_raw()) };
    let types: Vec<Type<'c>> = needed.iter().map(|value| type_of(*value)).collect();
    let location = owner.location();
    let Some(outside) = Builder::before(end, location) else {
        return Ok(());
    };
    let scope = outside.insert_with("memref.alloca_scope", &[], &types, &[], vec![body])?;
    changes::all();
    for op in moved {
        // SAFETY: a live operation; from here on its new block owns it.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            mlir_sys::mlirBlockAppendOwnedOperation(inner.to_raw(), op.to_raw());
        }
    }
    let at_end = Builder {
        context: context_of(owner),
        block: inner,
        before: None,
        location,
    };
    at_end.insert("memref.alloca_scope.return", &needed, &[], &[])?;
    let results: Vec<Val<'c>> = crate::ir::results(scope).collect();
    for (op, place, number) in uses {
        // SAFETY: live handles; the index is one of the operation's operands.
        unsafe { mlirOperationSetOperand(op.to_raw(), place as isize, results[number].to_raw()) };
    }
    Ok(())
}
