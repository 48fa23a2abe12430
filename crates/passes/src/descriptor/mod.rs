//! Identity of allocations: the allocated pointer of a memref, which is the first field of its descriptor in
//! the LLVM lowering. The descriptor is spilled to stack memory and the pointer read from there.

mod stack_scope;

pub use stack_scope::{StackScope, stack_scope_of};

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Block, Identity, Key, Op, Type, Val, type_of},
    melior::ir::operation::OperationLike,
};
use rustc_hash::FxHashMap;

/// Stack memory at the start of a block, allocated once.
struct DescriptorCells<'c> {
    builder: Builder<'c>,
    descriptor: Option<Val<'c>>,
    /// Casts of the descriptor's memory to other types, by type.
    cells: FxHashMap<Key, Val<'c>>,
    tables: Option<(Val<'c>, Val<'c>)>,
    /// The number of entries that tables need.
    size: i64,
}

/// The stack memory of a function.
#[derive(Default)]
pub struct Stack<'c> {
    blocks: FxHashMap<Key, DescriptorCells<'c>>,
}

impl<'c> Stack<'c> {
    /// Reserves tables with at least `size` entries for a dealloc of this stack scope.
    pub fn reserve_tables(&mut self, stack_scope: &StackScope<'c>, size: usize) {
        if let StackScope::Block(block, owner) = stack_scope {
            let start = || DescriptorCells::at(Builder::at_start(*block, *owner, owner.location()));
            let cells = self.blocks.entry(block.key()).or_insert_with(start);
            cells.size = cells.size.max(size as i64);
        }
    }

    /// The allocated pointers of memrefs. A `memref.alloca_scope` yields them as `i64`: upstream cannot lower
    /// one that yields an `index`.
    pub fn allocated_pointers(
        &mut self,
        stack_scope: &StackScope<'c>,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        match stack_scope {
            StackScope::Block(block, _) => match self.blocks.get_mut(&block.key()) {
                Some(cells) => cells.allocated_pointers(builder, memrefs),
                None => Err(BuildError::unexpected()),
            },
            StackScope::AllocaScope => builder.scope(|inner| {
                let pointers = allocated_pointers_here(inner, memrefs)?.into_iter();
                pointers.map(|pointer| inner.as_i64(pointer)).collect()
            }),
        }
    }

    /// For each memref, one without dimensions whose data starts where the allocation does.
    pub fn allocation_starts(
        &mut self,
        block: Block<'c>,
        owner: Op<'c>,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let cells = self.blocks.entry(block.key());
        let start = || DescriptorCells::at(Builder::at_start(block, owner, owner.location()));
        cells
            .or_insert_with(start)
            .allocation_starts(builder, memrefs)
    }

    /// Tables for pointers and flags. Without reserved ones, they are allocated in `scope`.
    pub fn tables(
        &mut self,
        stack_scope: &StackScope<'c>,
        scope: &Builder<'c>,
        size: usize,
    ) -> Result<(Val<'c>, Val<'c>), BuildError> {
        if let StackScope::Block(block, _) = stack_scope
            && let Some(cells) = self.blocks.get_mut(&block.key())
        {
            if let Some(known) = cells.tables {
                return Ok(known);
            }
            let allocated = tables(&cells.builder, cells.size)?;
            cells.tables = Some(allocated);
            return Ok(allocated);
        }
        tables(scope, size as i64)
    }
}

/// The allocated pointers of memrefs, with stack memory allocated at `builder`.
pub fn allocated_pointers_here<'c>(
    builder: &Builder<'c>,
    memrefs: &[Val<'c>],
) -> Result<Vec<Val<'c>>, BuildError> {
    DescriptorCells::at(*builder).allocated_pointers(builder, memrefs)
}

/// [`Stack::allocation_starts`] with stack memory allocated at `builder`.
pub fn allocation_starts_here<'c>(
    builder: &Builder<'c>,
    memrefs: &[Val<'c>],
) -> Result<Vec<Val<'c>>, BuildError> {
    DescriptorCells::at(*builder).allocation_starts(builder, memrefs)
}

fn tables<'c>(builder: &Builder<'c>, size: i64) -> Result<(Val<'c>, Val<'c>), BuildError> {
    let pointers = builder.table(size, builder.index_type())?;
    let flags = builder.table(size, builder.boolean_type())?;
    Ok((pointers, flags))
}

impl<'c> DescriptorCells<'c> {
    /// Stack memory that is allocated at `builder` on demand.
    fn at(builder: Builder<'c>) -> Self {
        Self {
            builder,
            descriptor: None,
            cells: FxHashMap::default(),
            tables: None,
            size: 0,
        }
    }

    /// Memory for one value of a type.
    fn cell(&mut self, of: Type<'c>) -> Result<Val<'c>, BuildError> {
        let cell = self.builder.cell_type(of, None);
        self.cell_of(cell)
    }

    /// The descriptor's memory as another type.
    fn cell_of(&mut self, memref: Type<'c>) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.cells.get(&memref.key()) {
            return Ok(*known);
        }
        let descriptor = match self.descriptor {
            Some(known) => known,
            None => self.builder.descriptor()?,
        };
        self.descriptor = Some(descriptor);
        let cell = self.builder.cell(descriptor, memref)?;
        self.cells.insert(memref.key(), cell);
        Ok(cell)
    }

    fn allocated_pointers(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let index = builder.index_type();
        let mut pointers = Vec::with_capacity(memrefs.len());
        for memref in memrefs {
            let flat = builder.without_dimensions(*memref)?;
            let (cell, pointer) = (self.cell(type_of(flat))?, self.cell(index)?);
            builder.store(flat, cell, &[])?;
            pointers.push(builder.load(pointer, &[], index)?);
        }
        Ok(pointers)
    }

    /// The second field of a descriptor is the aligned pointer, where data starts. It is set to the first
    /// one.
    fn allocation_starts(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let index = builder.index_type();
        let pointers = self.cell_of(builder.table_type(Some(2), index))?;
        let (first, second) = (builder.index(0)?, builder.index(1)?);
        let mut starts = Vec::with_capacity(memrefs.len());
        for memref in memrefs {
            let flat = builder.without_dimensions(*memref)?;
            let cell = self.cell(type_of(flat))?;
            builder.store(flat, cell, &[])?;
            let allocated = builder.load(pointers, &[first], index)?;
            builder.store(allocated, pointers, &[second])?;
            starts.push(builder.load(cell, &[], type_of(flat))?);
        }
        Ok(starts)
    }
}
