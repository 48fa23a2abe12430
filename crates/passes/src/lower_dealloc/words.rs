//! What tells one allocation from another, as an index.

use super::home::Home;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Identity, Key, Type, Val, type_of},
    melior::ir::operation::OperationLike,
};
use rustc_hash::FxHashMap;

/// Stack memory at the start of a block, made once.
struct Cells<'c> {
    builder: Builder<'c>,
    descriptor: Option<Val<'c>>,
    /// It as a cell, by the type of what is in it.
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
    pub fn reserve(&mut self, home: &Home<'c>, size: usize) {
        if let Home::Block(block, owner) = home {
            let size = size as i64;
            let cells = self.blocks.entry(block.key()).or_insert_with(|| Cells {
                builder: Builder::at_start(*block, *owner, owner.location()),
                descriptor: None,
                cells: FxHashMap::default(),
                tables: None,
                size,
            });
            cells.size = cells.size.max(size);
        }
    }

    /// The allocated pointers of memrefs, by their first words. A scope gives them as `i64`: upstream cannot
    /// lower one that gives an `index`.
    pub fn words(
        &mut self,
        home: &Home<'c>,
        builder: &Builder<'c>,
        memrefs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>, BuildError> {
        match home {
            Home::Block(block, _) => match self.blocks.get_mut(&block.key()) {
                Some(cells) => cells.words(builder, memrefs),
                None => Err(BuildError::signature()),
            },
            Home::Scope => builder.scope(|inner| {
                let words = words_here(inner, memrefs)?.into_iter();
                words.map(|word| inner.as_i64(word)).collect()
            }),
        }
    }

    /// Tables for pointers and flags; where there are none yet, in `scope`.
    pub fn tables(
        &mut self,
        home: &Home<'c>,
        scope: &Builder<'c>,
        size: usize,
    ) -> Result<(Val<'c>, Val<'c>), BuildError> {
        if let Home::Block(block, _) = home
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
    let mut cells = Cells {
        builder: *builder,
        descriptor: None,
        cells: FxHashMap::default(),
        tables: None,
        size: 0,
    };
    cells.words(builder, memrefs)
}

fn tables<'c>(builder: &Builder<'c>, size: i64) -> Result<(Val<'c>, Val<'c>), BuildError> {
    let pointers = builder.table(size, builder.index_type())?;
    let flags = builder.table(size, builder.truth_type())?;
    Ok((pointers, flags))
}

impl<'c> Cells<'c> {
    fn cell(&mut self, of: Type<'c>) -> Result<Val<'c>, BuildError> {
        if let Some(known) = self.cells.get(&of.key()) {
            return Ok(*known);
        }
        let descriptor = match self.descriptor {
            Some(known) => known,
            None => self.builder.descriptor()?,
        };
        self.descriptor = Some(descriptor);
        let cell = self.builder.cell(descriptor, of)?;
        self.cells.insert(of.key(), cell);
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
}
