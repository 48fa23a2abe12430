//! Constant globals: memory that nothing writes.

use memplan_mlir::{
    attributes::SharedAttribute,
    ir::{Identity, Key, Op, Origin, Val, blocks, ops, origin, parent, regions, symbol_name},
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// The constant globals of a module, by name, each with the element that all of its elements are, if they are equal.
type Constants<'c> = FxHashMap<String, Option<SharedAttribute<'c>>>;

/// Constant globals that functions refer to.
pub struct Globals<'c> {
    /// Whether globals may be read.
    are_read: bool,
    /// Read once for each symbol table: a walk over its operations.
    tables: Mutex<FxHashMap<Key, Arc<Constants<'c>>>>,
}

impl<'c> Globals<'c> {
    /// With `are_read` unset, none is known: a pass on functions must not read what other passes may change.
    pub fn new(are_read: bool) -> Self {
        Self {
            are_read,
            tables: Mutex::default(),
        }
    }

    /// The element that all elements of a constant global are, or `None` in it if they differ. `None` if the value is no
    /// constant global.
    pub fn constant(
        &self,
        value: Val<'c>,
        semantics: &mut Semantics,
    ) -> Option<Option<SharedAttribute<'c>>> {
        let Some(Origin::Result(op, 0)) = origin(value).filter(|_| self.are_read) else {
            return None;
        };
        let name = semantics.global_name(op)?;
        let mut table = parent(op)?;
        while !semantics.info(table).is_symbol_table() {
            table = parent(table)?;
        }
        let constants = {
            let mut tables = self.tables.lock().ok()?;
            let constants = tables.entry(table.key());
            Arc::clone(constants.or_insert_with(|| Arc::new(constants_of(table, semantics))))
        };
        constants.get(&name).copied()
    }
}

fn constants_of<'c>(table: Op<'c>, semantics: &mut Semantics) -> Constants<'c> {
    let symbols = regions(table).flat_map(blocks).flat_map(ops);
    let constants = symbols.filter_map(|op| {
        let element = semantics.constant_global(op)?;
        Some((symbol_name(op), element))
    });
    constants.collect()
}
