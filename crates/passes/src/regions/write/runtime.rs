//! Declarations and calls of the runtime functions.

use super::MARK;
use crate::regions::borrowed;
use memplan_mlir::symbols::FreshNames;
use memplan_mlir::{
    build::{self, BuildError, Builder},
    calls::function_body,
    ir::{Identity, Key, Op, Origin, Type, Val, blocks, ops, origin, regions, symbol_name},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::names::Names;
use memplan_summaries::targets::nearest_table;
use rustc_hash::FxHashMap;

/// A runtime function that the pass calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeFunction {
    Make,
    Release,
    Clear,
    Empty,
    Mark,
    ReleaseTo,
    Allocate,
    Refer,
}

/// The name and the type of each runtime function.
const FUNCTIONS: [(RuntimeFunction, &str, &str); 8] = [
    (RuntimeFunction::Make, "memplan_region_make", "() -> i64"),
    (
        RuntimeFunction::Release,
        "memplan_region_release",
        "(i64) -> ()",
    ),
    (
        RuntimeFunction::Clear,
        "memplan_region_clear",
        "(i64) -> ()",
    ),
    (
        RuntimeFunction::Empty,
        "memplan_region_empty",
        "(i64) -> ()",
    ),
    (RuntimeFunction::Mark, "memplan_region_mark", "(i64) -> i64"),
    (
        RuntimeFunction::ReleaseTo,
        "memplan_region_release_to",
        "(i64, i64) -> ()",
    ),
    (
        RuntimeFunction::Allocate,
        "memplan_region_allocate",
        "(i64, index, index, memref<memref<?xi8>>) -> ()",
    ),
    (
        RuntimeFunction::Refer,
        "memplan_region_refer",
        "(i64, i64) -> ()",
    ),
];

/// Name of the helper function that allocates memory.
const ALLOCATION_HELPER: &str = "memplan_region_memory";

/// A symbol with the name of a runtime function and another definition.
pub struct SymbolConflict<'c> {
    pub op: Op<'c>,
    pub name: &'static str,
    pub wanted: &'static str,
}

/// The runtime functions that symbol tables declare, and those that have to be declared.
#[derive(Default)]
pub struct Runtime<'c> {
    tables: FxHashMap<Key, [bool; FUNCTIONS.len()]>,
    wanted: Vec<(Op<'c>, RuntimeFunction)>,
    /// For each symbol table, the helper function that allocates memory with a slot on its own stack.
    memory: Vec<(Op<'c>, String)>,
}

impl<'c> Runtime<'c> {
    /// Finds the runtime functions in the symbol table of a function.
    pub fn check(&mut self, function: Op<'c>, names: &mut Names) -> Result<(), SymbolConflict<'c>> {
        let Some(table) = nearest_table(function, names) else {
            return Ok(());
        };
        if self.tables.contains_key(&table.key()) {
            return Ok(());
        }
        let mut found = [false; FUNCTIONS.len()];
        for op in regions(table).flat_map(blocks).flat_map(ops) {
            let symbol = symbol_name(op);
            let at = FUNCTIONS.iter().position(|(_, name, _)| *name == symbol);
            let Some(at) = at else { continue };
            let (_, name, wanted) = FUNCTIONS[at];
            let is_runtime_function = names.info(op).is_function()
                && function_body(op).is_none()
                && op.has_attribute("llvm.emit_c_interface")
                && symbols::function_type_text(op) == wanted;
            if !is_runtime_function {
                return Err(SymbolConflict { op, name, wanted });
            }
            found[at] = true;
        }
        self.tables.insert(table.key(), found);
        Ok(())
    }

    /// Calls a runtime function without results, from a function of `table`.
    pub fn call(
        &mut self,
        table: Op<'c>,
        function: RuntimeFunction,
        builder: &Builder<'c>,
        operands: &[Val<'c>],
    ) -> Result<(), BuildError> {
        builder
            .call(self.name(table, function), operands)
            .map(|_| ())
    }

    /// Calls a runtime function that returns an integer.
    pub fn call_for_value(
        &mut self,
        table: Op<'c>,
        function: RuntimeFunction,
        builder: &Builder<'c>,
        operands: &[Val<'c>],
    ) -> Result<Val<'c>, BuildError> {
        let name = self.name(table, function);
        builder.call_for(name, operands, builder.i64_type())
    }

    fn name(&mut self, table: Op<'c>, function: RuntimeFunction) -> &'static str {
        let at = function as usize;
        let declared = self.tables.entry(table.key()).or_default();
        if !declared[at] {
            declared[at] = true;
            self.wanted.push((table, function));
        }
        FUNCTIONS[at].1
    }

    /// Allocates memory by a helper function, whose stack slot is gone when it returns. In a parallel body,
    /// each iteration would leave a slot on the stack if the body is lowered to a loop.
    pub fn allocate_by_helper(
        &mut self,
        table: Op<'c>,
        builder: &Builder<'c>,
        request: &[Val<'c>],
        fresh: &mut FreshNames,
        function: Op<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let known = self
            .memory
            .iter()
            .position(|(of, _)| of.key() == table.key());
        let at = match known {
            Some(at) => at,
            None => {
                self.name(table, RuntimeFunction::Allocate);
                self.memory
                    .push((table, fresh.fresh(function, ALLOCATION_HELPER)));
                self.memory.len() - 1
            }
        };
        let memory = builder.call_for(&self.memory[at].1, request, builder.any_bytes_type())?;
        if let Some(Origin::Result(call, _)) = origin(memory) {
            borrowed::mark_borrowed_call_results(call, &[0]);
        }
        Ok(memory)
    }

    /// Declares the runtime functions that are called and not declared, before all other operations, in the
    /// order of the list above.
    pub fn declare(self, root: Op<'c>) -> Result<(), BuildError> {
        for (table, name) in &self.memory {
            let block = regions(*table).flat_map(blocks).next();
            let first = block.and_then(|block| ops(block).next());
            let builder = first.and_then(|first| Builder::before(first, root.location()));
            let Some(builder) = builder else { continue };
            let (bytes, index) = (builder.any_bytes_type(), builder.index_type());
            let inputs = [builder.i64_type(), index, index];
            let helper =
                builder.private_function_of(name, &inputs, &[bytes], |inner, request| {
                    let slot = inner.alloca_of(inner.cell_type(bytes, None))?;
                    inner.call(
                        FUNCTIONS[RuntimeFunction::Allocate as usize].1,
                        &[request, &[slot]].concat(),
                    )?;
                    Ok(vec![inner.load(slot, &[], bytes)?])
                })?;
            borrowed::mark_borrowed_results(helper, &[0]);
            build::mark(helper, MARK);
        }
        let mut wanted = self.wanted;
        wanted.sort_by_key(|(_, function)| *function as usize);
        let mut first: FxHashMap<Key, Op<'c>> = FxHashMap::default();
        for (table, function) in wanted {
            let Some(block) = regions(table).flat_map(blocks).next() else {
                continue;
            };
            let Some(before) = ops(block).next() else {
                continue;
            };
            let before = *first.entry(table.key()).or_insert(before);
            let Some(builder) = Builder::before(before, root.location()) else {
                continue;
            };
            let (inputs, results) = signature(function, &builder);
            builder.declare(FUNCTIONS[function as usize].1, &inputs, &results)?;
        }
        Ok(())
    }
}

fn signature<'c>(
    function: RuntimeFunction,
    builder: &Builder<'c>,
) -> (Vec<Type<'c>>, Vec<Type<'c>>) {
    let (word, index) = (builder.i64_type(), builder.index_type());
    match function {
        RuntimeFunction::Make => (vec![], vec![word]),
        RuntimeFunction::Release | RuntimeFunction::Clear | RuntimeFunction::Empty => {
            (vec![word], vec![])
        }
        RuntimeFunction::Mark => (vec![word], vec![word]),
        RuntimeFunction::ReleaseTo | RuntimeFunction::Refer => (vec![word, word], vec![]),
        RuntimeFunction::Allocate => {
            let slot = builder.cell_type(builder.any_bytes_type(), None);
            (vec![word, index, index, slot], vec![])
        }
    }
}
