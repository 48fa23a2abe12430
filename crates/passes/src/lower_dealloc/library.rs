//! The function that deallocs of a module share.

use super::{decide::is_long, table::Table};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    ir::{Identity, Key, Op, blocks, erase, ops, regions, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::DEALLOC_HELPER as MARK,
    functions,
    names::{Names, OpKind},
};
use memplan_summaries::targets::nearest_table;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};

const NAME: &str = "memplan_dealloc";
/// With fewer operations than so many that would call it, there is none.
const FEWEST_CALLS: usize = 2;

/// The function of one module.
#[derive(Debug)]
pub struct Helper {
    name: String,
    is_called: AtomicBool,
}

impl Helper {
    /// Calls it.
    pub fn call<'c>(&self, builder: &Builder<'c>, table: &Table<'c>) -> Result<(), BuildError> {
        self.is_called.store(true, Ordering::Relaxed);
        let pointers = builder.with_dynamic_size(table.pointers, builder.index_type())?;
        let flags = builder.with_dynamic_size(table.flags, builder.boolean_type())?;
        builder.call(&self.name, &[pointers, flags, table.memrefs, table.all])?;
        Ok(())
    }
}

/// The functions, by module. A run on a function has none: it must not change its surroundings.
#[derive(Debug, Default)]
pub struct Library {
    helpers: FxHashMap<Key, Helper>,
}

impl Library {
    /// The function that what stands in `function` may call.
    pub fn at(&self, function: Op<'_>, names: &mut Names) -> Option<&Helper> {
        let table = nearest_table(function, names)?;
        self.helpers.get(&table.key())
    }

    /// Erases functions that turned out to be called by nobody; `made` are those that are new.
    pub fn tidy(&self, made: &[(Key, Op<'_>)]) {
        for (module, function) in made {
            let helper = self.helpers.get(module);
            if helper.is_some_and(|helper| !helper.is_called.load(Ordering::Relaxed)) {
                erase(*function);
            }
        }
    }
}

/// Functions that are new, with their modules.
pub type NewFunctions<'c> = Vec<(Key, Op<'c>)>;

/// Makes the functions for a run on `op`, before anything else is written.
pub fn make<'c>(op: Op<'c>) -> Result<(Library, NewFunctions<'c>), BuildError> {
    let mut library = Library::default();
    let mut made = Vec::new();
    let mut semantics = Semantics::default();
    if semantics.info(op).is_function() {
        return Ok((library, made));
    }
    let mut modules: Vec<(Op<'c>, usize)> = Vec::new();
    for function in functions::groups(op).into_iter().flatten() {
        let count = long_sites(function, &mut semantics);
        let Some(module) = nearest_table(function, semantics.names()).filter(|_| count > 0) else {
            continue;
        };
        match modules
            .iter_mut()
            .find(|(known, _)| known.key() == module.key())
        {
            Some((_, all)) => *all += count,
            None => modules.push((module, count)),
        }
    }
    for (module, count) in modules {
        // The function is one of `func`.
        let is_module = semantics.info(module).kind == OpKind::Module;
        if count < FEWEST_CALLS || !is_module {
            continue;
        }
        let all = || regions(module).flat_map(blocks).flat_map(ops);
        let known = all().find(|op| op.has_attribute(MARK));
        let name = match known {
            Some(function) => symbol_name(function),
            None => {
                let taken: FxHashSet<String> = all().map(symbol_name).collect();
                let numbered = (0..).map(|number| format!("{NAME}_{number}"));
                let mut names = std::iter::once(NAME.to_owned()).chain(numbered);
                let name = names.find(|name| !taken.contains(name));
                let name = name.unwrap_or_default();
                made.push((module.key(), write(module, &name)?));
                name
            }
        };
        let is_called = AtomicBool::new(false);
        library
            .helpers
            .insert(module.key(), Helper { name, is_called });
    }
    Ok((library, made))
}

/// How many deallocs of a function take many comparisons, at first sight.
fn long_sites(op: Op<'_>, semantics: &mut Semantics) -> usize {
    let mut count = 0;
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        let info = semantics.info(nested);
        if semantics.table_facts(nested).frees_by_flags {
            let retained = nested.result_count();
            let memrefs = (nested.operand_count() - retained) / 2;
            count += usize::from(is_long(memrefs, retained));
        } else if !info.is_function() && !info.is_symbol_table() {
            count += long_sites(nested, semantics);
        }
    }
    count
}

/// Writes the function at the end of a module.
fn write<'c>(module: Op<'c>, name: &str) -> Result<Op<'c>, BuildError> {
    let body = regions(module).flat_map(blocks).next();
    let body = body.ok_or_else(BuildError::signature)?;
    let builder = Builder::at_end(body, module, module.location());
    let index = builder.index_type();
    let pointers = builder.table_type(None, index);
    let flags = builder.table_type(None, builder.boolean_type());
    let inputs = [pointers, flags, index, index];
    let function = builder.private_function(name, &inputs, |inner, given| {
        let table = Table {
            pointers: given[0],
            flags: given[1],
            memrefs: given[2],
            all: given[3],
        };
        table.solve(inner)
    })?;
    build::mark(function, MARK);
    Ok(function)
}
