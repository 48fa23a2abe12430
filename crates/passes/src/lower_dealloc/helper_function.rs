//! The private function with the loops over tables, which the deallocs of a module share.

use super::{decide::is_long, table::ComparisonTable};
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
/// The least number of calls for which the function is created.
const FEWEST_CALLS: usize = 2;

/// The helper function of a module.
#[derive(Debug)]
pub struct HelperFunction {
    name: String,
    is_called: AtomicBool,
}

impl HelperFunction {
    /// Writes a call of it.
    pub fn call<'c>(
        &self,
        builder: &Builder<'c>,
        table: &ComparisonTable<'c>,
    ) -> Result<(), BuildError> {
        self.is_called.store(true, Ordering::Relaxed);
        let pointers = builder.with_dynamic_size(table.pointers, builder.index_type())?;
        let flags = builder.with_dynamic_size(table.flags, builder.boolean_type())?;
        builder.call(&self.name, &[pointers, flags, table.memrefs, table.all])?;
        Ok(())
    }
}

/// The helper functions, by module. A run on a function has none, since it must not change its surroundings.
#[derive(Debug, Default)]
pub struct HelperFunctions {
    helpers: FxHashMap<Key, HelperFunction>,
}

impl HelperFunctions {
    /// The helper function that code in `function` may call.
    pub fn callable_from(&self, function: Op<'_>, names: &mut Names) -> Option<&HelperFunction> {
        let table = nearest_table(function, names)?;
        self.helpers.get(&table.key())
    }

    /// Erases new helper functions that are not called. `created` are the new ones.
    pub fn erase_uncalled(&self, created: &[(Key, Op<'_>)]) {
        for (module, function) in created {
            let helper = self.helpers.get(module);
            if helper.is_some_and(|helper| !helper.is_called.load(Ordering::Relaxed)) {
                erase(*function);
            }
        }
    }
}

/// New functions, with their modules.
pub type NewFunctions<'c> = Vec<(Key, Op<'c>)>;

/// Creates the helper functions for a run on `op`, before anything else is written.
pub fn create<'c>(op: Op<'c>) -> Result<(HelperFunctions, NewFunctions<'c>), BuildError> {
    let mut helpers = HelperFunctions::default();
    let mut created = Vec::new();
    let mut semantics = Semantics::default();
    if semantics.info(op).is_function() {
        return Ok((helpers, created));
    }
    let mut modules: Vec<(Op<'c>, usize)> = Vec::new();
    for function in functions::groups(op).into_iter().flatten() {
        let count = count_long_deallocs(function, &mut semantics);
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
        // The helper is a `func.func`, so it needs a builtin module.
        let is_module = semantics.info(module).kind == OpKind::Module;
        if count < FEWEST_CALLS || !is_module {
            continue;
        }
        let all = || regions(module).flat_map(blocks).flat_map(ops);
        let known = all().find(|op| op.has_attribute(MARK));
        let name = match known {
            Some(function) => symbol_name(function),
            None => {
                let used_names: FxHashSet<String> = all().map(symbol_name).collect();
                let numbered = (0..).map(|number| format!("{NAME}_{number}"));
                let mut names = std::iter::once(NAME.to_owned()).chain(numbered);
                let name = names.find(|name| !used_names.contains(name));
                let name = name.unwrap_or_default();
                created.push((module.key(), write(module, &name)?));
                name
            }
        };
        let is_called = AtomicBool::new(false);
        helpers
            .helpers
            .insert(module.key(), HelperFunction { name, is_called });
    }
    Ok((helpers, created))
}

/// An estimate of the number of deallocs in a function that take many comparisons.
fn count_long_deallocs(op: Op<'_>, semantics: &mut Semantics) -> usize {
    let mut count = 0;
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        let info = semantics.info(nested);
        if semantics.table_facts(nested).frees_by_flags {
            let retained = nested.result_count();
            let memrefs = (nested.operand_count() - retained) / 2;
            count += usize::from(is_long(memrefs, retained));
        } else if !info.is_function() && !info.is_symbol_table() {
            count += count_long_deallocs(nested, semantics);
        }
    }
    count
}

/// Writes the function at the end of a module.
fn write<'c>(module: Op<'c>, name: &str) -> Result<Op<'c>, BuildError> {
    let body = regions(module).flat_map(blocks).next();
    let body = body.ok_or_else(BuildError::unexpected)?;
    let builder = Builder::at_end(body, module, module.location());
    let index = builder.index_type();
    let pointers = builder.table_type(None, index);
    let flags = builder.table_type(None, builder.boolean_type());
    let inputs = [pointers, flags, index, index];
    let function = builder.private_function(name, &inputs, |inner, arguments| {
        let table = ComparisonTable {
            pointers: arguments[0],
            flags: arguments[1],
            memrefs: arguments[2],
            all: arguments[3],
        };
        table.solve(inner)
    })?;
    build::mark(function, MARK);
    Ok(function)
}
