//! The modules of all partitions as one module, for MLIR output.

use memplan_mlir::{
    ir::{Attribute, Identity, Key, Op, context_of, erase},
    melior::{
        Context,
        ir::{Location, Module},
    },
    split::{
        Symbol, SymbolKind, is_equivalent, module_like, move_to, operations, rename, rename_uses,
        symbol,
    },
};
use rustc_hash::FxHashMap;

/// The merged operations so far.
pub struct Merged<'c> {
    whole: Module<'c>,
    known: FxHashMap<String, (Op<'c>, bool)>,
    /// Operations without a name.
    nameless: Vec<Op<'c>>,
    count: usize,
}

impl<'c> Merged<'c> {
    /// An empty module.
    pub fn new(context: &'c Context) -> Self {
        Self {
            whole: Module::new(Location::unknown(context)),
            known: FxHashMap::default(),
            nameless: Vec::new(),
            count: 0,
        }
    }

    /// Adds the module of a partition. Operations that are there already are dropped, and so are declarations of
    /// symbols that are defined. A different operation of the same name gets a new name.
    pub fn add(&mut self, module: Module<'c>) {
        if self.count == 0 {
            self.whole = module_like(&module);
        }
        self.count += 1;
        let ops: Vec<(Op<'c>, Symbol)> = operations(&module).map(|op| (op, symbol(op))).collect();
        self.rename(&ops);
        for (op, before) in ops {
            let name = memplan_mlir::ir::symbol_name(op);
            let is_declared = before.kind == SymbolKind::Declared;
            if name.is_empty() {
                if self.nameless.iter().any(|other| is_equivalent(*other, op)) {
                    erase(op);
                } else {
                    move_to(op, &self.whole);
                    self.nameless.push(op);
                }
                continue;
            }
            match self.known.get(&name) {
                Some((declaration, true)) if !is_declared => erase(*declaration),
                Some(_) => {
                    erase(op);
                    continue;
                }
                None => {}
            }
            move_to(op, &self.whole);
            self.known.insert(name, (op, is_declared));
        }
    }

    /// Renames symbols that another partition has defined differently.
    fn rename(&self, ops: &[(Op<'c>, Symbol)]) {
        let mut renamed: FxHashMap<Key, Attribute<'c>> = FxHashMap::default();
        for (op, symbol) in ops
            .iter()
            .filter(|(_, one)| one.kind != SymbolKind::Declared)
        {
            let Some((other, false)) = self.known.get(&symbol.name) else {
                continue;
            };
            if !is_equivalent(*other, *op) {
                let context = context_of(*op);
                let name = context.text(&format!("{}.{}", symbol.name, self.count));
                renamed.insert(context.text(&symbol.name).key(), name);
                rename(*op, name);
            }
        }
        if !renamed.is_empty() {
            for (op, _) in ops {
                rename_uses(*op, |name| renamed.get(&name.key()).copied());
            }
        }
    }

    /// The module as text.
    pub fn text(&self) -> String {
        format!("{}\n", self.whole.as_operation().to_string().trim_end())
    }
}
