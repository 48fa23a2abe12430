//! What tells one allocation from another: the first word of a memref as the LLVM lowering lays it out, read from stack
//! memory.

mod stack_scope;

pub use stack_scope::{StackScope, home};

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Block, Identity, Key, Op, Type, Val, type_of},
    melior::ir::operation::OperationLike,
};
use rustc_hash::FxHashMap;

/// Stack memory at the start of a block, made once.
struct Cells<'c> {
    builder: Builder<'c>,
    descriptor: Option<Val<'c>>,
    /// It as memory of other types, by these.
    cells: FxHashMap<Key, Val<'c>>,
    tables: Option<(Val<'c>, Val<'c>)>,
    /// How many entries tables need.
    size: i64,
}

/// Stack memory of a function.
#[derive(Default)]
pub struct Stack<'c> {
    blocks: FxHashMap<Key, Cells<'c>>,
}

impl<'c> Stack<'c> {
    /// A dealloc at home at `home` needs tables of so many entries.
    pub fn reserve(&mut self, home: &StackScope<'c>, size: usize) {
        if let StackScope::Block(block, owner) = home {
            let start = || Cells::at(Builder::at_start(*block, *owner, owner.location()));
            let cells = self.blocks.entry(block.key()).or_insert_with(start);
            cells.size = cells.size.max(size as i64);
        }
    }

    /// The allocated pointers of memrefs, by their first words. A scope gives them as `i64`: upstream cannot
    /// lower one that gives an `index`.
    pub fn words(
        &mut self,
        home: &StackScope<'c>,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        match home {
            StackScope::Block(block, _) => match self.blocks.get_mut(&block.key()) {
                Some(cells) => cells.words(builder, memrefs),
                None => Err(BuildError::signature()),
            },
            StackScope::Scope => builder.scope(|inner| {
                let words = words_here(inner, memrefs)?.into_iter();
                words.map(|word| inner.as_i64(word)).collect()
            }),
        }
    }

    /// Memrefs without dimensions whose data starts where the allocation does, of memrefs whose data may start elsewhere.
    pub fn starts(
        &mut self,
        block: Block<'c>,
        owner: Op<'c>,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let cells = self.blocks.entry(block.key());
        let start = || Cells::at(Builder::at_start(block, owner, owner.location()));
        cells.or_insert_with(start).starts(builder, memrefs)
    }

    /// Tables for pointers and flags; where there are none yet, in `scope`.
    pub fn tables(
        &mut self,
        home: &StackScope<'c>,
        scope: &Builder<'c>,
        size: usize,
    ) -> Result<(Val<'c>, Val<'c>), BuildError> {
        if let StackScope::Block(block, _) = home
            && let Some(cells) = self.blocks.get_mut(&block.key())
        {
            if let Some(known) = cells.tables {
                return Ok(known);
            }
            let made = tables(&cells.builder, cells.size)?;
            cells.tables = Some(made);
            return Ok(made);
        }
        tables(scope, size as i64)
    }
}

/// The allocated pointers of memrefs, with stack memory where `builder` stands.
pub fn words_here<'c>(
    builder: &Builder<'c>,
    memrefs: &[Val<'c>],
) -> Result<Vec<Val<'c>>, BuildError> {
    Cells::at(*builder).words(builder, memrefs)
}

/// As [`Stack::starts`], with stack memory where `builder` stands.
pub fn starts_here<'c>(
    builder: &Builder<'c>,
    memrefs: &[Val<'c>],
) -> Result<Vec<Val<'c>>, BuildError> {
    Cells::at(*builder).starts(builder, memrefs)
}

fn tables<'c>(builder: &Builder<'c>, size: i64) -> Result<(Val<'c>, Val<'c>), BuildError> {
    let pointers = builder.table(size, builder.index_type())?;
    let flags = builder.table(size, builder.boolean_type())?;
    Ok((pointers, flags))
}

impl<'c> Cells<'c> {
    /// Nothing yet, to be made where `builder` stands.
    fn at(builder: Builder<'c>) -> Self {
        Self {
            builder,
            descriptor: None,
            cells: FxHashMap::default(),
            tables: None,
            size: 0,
        }
    }

    /// For one value of a type.
    fn cell(&mut self, of: Type<'c>) -> Result<Val<'c>, BuildError> {
        let cell = self.builder.cell_type(of, None);
        self.cell_of(cell)
    }

    /// The descriptor as memory of a type.
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

    fn words(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let index = builder.index_type();
        let mut words = Vec::with_capacity(memrefs.len());
        for memref in memrefs {
            let flat = builder.without_dimensions(*memref)?;
            let (cell, word) = (self.cell(type_of(flat))?, self.cell(index)?);
            builder.store(flat, cell, &[])?;
            words.push(builder.load(word, &[], index)?);
        }
        Ok(words)
    }

    /// The second word says where data starts: it becomes the first one.
    fn starts(
        &mut self,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        let index = builder.index_type();
        let words = self.cell_of(builder.table_type(Some(2), index))?;
        let (first, second) = (builder.index(0)?, builder.index(1)?);
        let mut starts = Vec::with_capacity(memrefs.len());
        for memref in memrefs {
            let flat = builder.without_dimensions(*memref)?;
            let cell = self.cell(type_of(flat))?;
            builder.store(flat, cell, &[])?;
            let allocated = builder.load(words, &[first], index)?;
            builder.store(allocated, words, &[second])?;
            starts.push(builder.load(cell, &[], type_of(flat))?);
        }
        Ok(starts)
    }
}
