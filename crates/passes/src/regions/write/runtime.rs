//! The functions of the runtime: found where a program has them, else declared.

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

/// What the pass calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Make,
    Release,
    Clear,
    Empty,
    Mark,
    ReleaseTo,
    Allocate,
    Refer,
}

/// For each, name and type.
const FUNCTIONS: [(Function, &str, &str); 8] = [
    (Function::Make, "memplan_region_make", "() -> i64"),
    (Function::Release, "memplan_region_release", "(i64) -> ()"),
    (Function::Clear, "memplan_region_clear", "(i64) -> ()"),
    (Function::Empty, "memplan_region_empty", "(i64) -> ()"),
    (Function::Mark, "memplan_region_mark", "(i64) -> i64"),
    (
        Function::ReleaseTo,
        "memplan_region_release_to",
        "(i64, i64) -> ()",
    ),
    (
        Function::Allocate,
        "memplan_region_allocate",
        "(i64, index, index, memref<memref<?xi8>>) -> ()",
    ),
    (Function::Refer, "memplan_region_refer", "(i64, i64) -> ()"),
];

/// The name of the function that gives memory.
const MEMORY: &str = "memplan_region_memory";

/// A symbol that is something else.
pub struct SymbolConflict<'c> {
    pub op: Op<'c>,
    pub name: &'static str,
    pub wanted: &'static str,
}

/// Which functions are there, and which are to be, by symbol table.
#[derive(Default)]
pub struct Runtime<'c> {
    tables: FxHashMap<Key, [bool; FUNCTIONS.len()]>,
    wanted: Vec<(Op<'c>, Function)>,
    /// For each table, the function that gives memory where a slot would stay on the stack for too long.
    memory: Vec<(Op<'c>, String)>,
}

impl<'c> Runtime<'c> {
    /// Looks at the symbol table that a function is in.
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
            let is_ours = names.info(op).is_function()
                && function_body(op).is_none()
                && op.has_attribute("llvm.emit_c_interface")
                && symbols::function_type_text(op) == wanted;
            if !is_ours {
                return Err(SymbolConflict { op, name, wanted });
            }
            found[at] = true;
        }
        self.tables.insert(table.key(), found);
        Ok(())
    }

    /// Calls one that gives nothing, from a function of `table`.
    pub fn call(
        &mut self,
        table: Op<'c>,
        function: Function,
        builder: &Builder<'c>,
        operands: &[Val<'c>],
    ) -> Result<(), BuildError> {
        builder
            .call(self.name(table, function), operands)
            .map(|_| ())
    }

    /// Calls one that gives a number.
    pub fn ask(
        &mut self,
        table: Op<'c>,
        function: Function,
        builder: &Builder<'c>,
        operands: &[Val<'c>],
    ) -> Result<Val<'c>, BuildError> {
        let name = self.name(table, function);
        builder.call_for(name, operands, builder.i64_type())
    }

    fn name(&mut self, table: Op<'c>, function: Function) -> &'static str {
        let at = function as usize;
        let there = self.tables.entry(table.key()).or_default();
        if !there[at] {
            there[at] = true;
            self.wanted.push((table, function));
        }
        FUNCTIONS[at].1
    }

    /// Memory through a slot of a function of its own, whose stack goes when it returns: in a body that runs in
    /// parallel, each turn would leave a slot on the stack once that is lowered to a loop.
    pub fn memory(
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
                self.name(table, Function::Allocate);
                self.memory.push((table, fresh.fresh(function, MEMORY)));
                self.memory.len() - 1
            }
        };
        let given = builder.call_for(&self.memory[at].1, request, builder.any_bytes_type())?;
        if let Some(Origin::Result(call, _)) = origin(given) {
            borrowed::borrow(call, &[0]);
        }
        Ok(given)
    }

    /// Declares what is called and is not there: in front of all else, in the order of the list above.
    pub fn declare(self, root: Op<'c>) -> Result<(), BuildError> {
        for (table, name) in &self.memory {
            let block = regions(*table).flat_map(blocks).next();
            let first = block.and_then(|block| ops(block).next());
            let builder = first.and_then(|first| Builder::before(first, root.location()));
            let Some(builder) = builder else { continue };
            let (bytes, index) = (builder.any_bytes_type(), builder.index_type());
            let inputs = [builder.i64_type(), index, index];
            let made = builder.private_function_of(name, &inputs, &[bytes], |inner, request| {
                let slot = inner.alloca_of(inner.cell_type(bytes, None))?;
                inner.call(
                    FUNCTIONS[Function::Allocate as usize].1,
                    &[request, &[slot]].concat(),
                )?;
                Ok(vec![inner.load(slot, &[], bytes)?])
            })?;
            borrowed::mark_borrowed(made, &[0]);
            build::mark(made, MARK);
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

fn signature<'c>(function: Function, builder: &Builder<'c>) -> (Vec<Type<'c>>, Vec<Type<'c>>) {
    let (word, index) = (builder.i64_type(), builder.index_type());
    match function {
        Function::Make => (vec![], vec![word]),
        Function::Release | Function::Clear | Function::Empty => (vec![word], vec![]),
        Function::Mark => (vec![word], vec![word]),
        Function::ReleaseTo | Function::Refer => (vec![word, word], vec![]),
        Function::Allocate => {
            let slot = builder.cell_type(builder.any_bytes_type(), None);
            (vec![word, index, index, slot], vec![])
        }
    }
}
