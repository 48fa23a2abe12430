//! Modules of their own for the units of a module.

use crate::{
    cut::{Ties, Unit, cut, everywhere},
    known::Names,
};
use memplan_mlir::{
    build::remove_attribute,
    ir::Op,
    melior::ir::{Module, operation::OperationLike},
    units::{
        Kind, Symbol, bytecode, copy_to, declare, module_like, move_to, op_of, operations, share,
        symbol,
    },
};
use rustc_hash::FxHashSet;

/// A unit, as it is handed from one thread to another.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its first function, or what it defines first, by which messages and shards call it.
    pub name: String,
    /// Its module, as bytecode.
    pub bytecode: Vec<u8>,
    /// What its symbols are.
    pub names: Names,
    /// Operations that it holds.
    pub ops: usize,
    /// Groups in it that may be told apart.
    pub groups: usize,
}

/// Assembly for the whole module, which one unit takes.
const ASSEMBLY: &str = "llvm.module_asm";

/// A module that has been cut: units are taken from it one by one.
pub struct Split<'c> {
    module: Module<'c>,
    names: Names,
    symbols: Vec<Symbol>,
    ops: Vec<Op<'c>>,
    units: Vec<Unit>,
    /// What is in every unit.
    everywhere: Vec<usize>,
    /// The unit that has the assembly.
    assembler: usize,
    /// Declarations of what units refer to across, and what stands in for the rest of the module.
    prototypes: Prototypes<'c>,
}

/// Declarations, each by the place of what it declares.
struct Prototypes<'c> {
    ops: Vec<Option<Op<'c>>>,
    /// Holds them.
    _module: Module<'c>,
}

impl<'c> Prototypes<'c> {
    fn new(module: &Module<'c>, ops: &[Op<'c>], symbols: &[Symbol], units: &[Unit]) -> Self {
        let kept = module_like(module);
        let mut places: Vec<usize> = units
            .iter()
            .flat_map(|unit| unit.declared.iter().copied())
            .collect();
        places.sort_unstable();
        places.dedup();
        for at in &places {
            match symbols[*at].kind {
                Kind::Declared => copy_to(ops[*at], &kept),
                _ => declare(ops[*at], &kept),
            }
        }
        let mut all = vec![None; ops.len()];
        for (at, op) in places.iter().zip(operations(&kept)) {
            all[*at] = Some(op);
        }
        Self {
            ops: all,
            _module: kept,
        }
    }
}

/// Declarations of what the assembly of a module names.
fn assembled(module: &Module<'_>, symbols: &[Symbol]) -> FxHashSet<usize> {
    let assembly = op_of(module).and_then(|op| op.attribute(ASSEMBLY).ok());
    let Some(assembly) = assembly.map(|assembly| assembly.to_string()) else {
        return FxHashSet::default();
    };
    let is_part = |one: char| one.is_alphanumeric() || "_.$".contains(one);
    let words: FxHashSet<&str> = assembly.split(|one| !is_part(one)).collect();
    let symbols = symbols.iter().enumerate();
    symbols
        .filter(|(_, symbol)| symbol.kind == Kind::Declared && words.contains(&*symbol.name))
        .map(|(at, _)| at)
        .collect()
}

impl<'c> Split<'c> {
    /// Cuts a module whose symbols are known by `names`.
    pub fn new(module: Module<'c>, names: Names, ties: Ties, volume: usize) -> Self {
        let ops: Vec<Op<'c>> = operations(&module).collect();
        let mut symbols: Vec<Symbol> = ops.iter().map(|op| symbol(*op)).collect();
        // What assembly defines, it may define for its unit alone.
        let assembled = assembled(&module, &symbols);
        for at in &assembled {
            symbols[*at].kind = Kind::Other;
        }
        let units = cut(&symbols, ties, volume);
        let has_assembled = |unit: &Unit| unit.members.iter().any(|at| assembled.contains(at));
        let assembler = units.iter().position(has_assembled).unwrap_or(0);
        // Whoever is cut off from what it refers to must find it.
        for (op, symbol) in ops.iter().zip(&symbols) {
            if matches!(symbol.kind, Kind::Function | Kind::Data) {
                share(*op);
            }
        }
        let prototypes = Prototypes::new(&module, &ops, &symbols, &units);
        let everywhere = everywhere(&symbols).collect();
        // The units say who refers to whom.
        for symbol in &mut symbols {
            (symbol.calls, symbol.uses) = (Vec::new(), Vec::new());
        }
        Self {
            module,
            names,
            symbols,
            ops,
            units,
            everywhere,
            assembler,
            prototypes,
        }
    }

    /// How many units there are.
    pub fn count(&self) -> usize {
        self.units.len()
    }

    /// The name of a unit.
    pub fn name(&self, number: usize) -> &str {
        let members = &self.units[number].members;
        let function = members
            .iter()
            .find(|at| self.symbols[**at].kind == Kind::Function);
        let first = function.or(members.first());
        first.map_or("", |at| &self.symbols[*at].name)
    }

    /// The operations of a unit.
    pub fn ops(&self, number: usize) -> usize {
        self.units[number].ops
    }

    /// Takes what a unit defines out of the module. Each unit can be taken once.
    pub fn take(&self, number: usize) -> Piece {
        let unit = &self.units[number];
        let module = module_like(&self.module);
        if number != self.assembler
            && let Some(op) = op_of(&module)
        {
            remove_attribute(op, ASSEMBLY);
        }
        for at in &self.everywhere {
            copy_to(self.ops[*at], &module);
        }
        for at in &unit.members {
            move_to(self.ops[*at], &module);
        }
        for op in unit
            .declared
            .iter()
            .filter_map(|at| self.prototypes.ops[*at])
        {
            copy_to(op, &module);
        }
        let symbols = |places: &'_ [usize]| {
            let places = places.to_vec();
            places.into_iter().map(|at| &self.symbols[at])
        };
        Piece {
            name: self.name(number).to_owned(),
            bytecode: bytecode(&module),
            names: self
                .names
                .of_unit(symbols(&unit.members), symbols(&unit.declared)),
            ops: unit.ops,
            groups: unit.groups,
        }
    }
}
