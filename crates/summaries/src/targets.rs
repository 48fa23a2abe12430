//! Callees of calls.

use memplan_mlir::{
    calls::{callee, callee_symbol, flat_name, function_body},
    ir::{Identity, Key, Op, blocks, has_mark, ops, parent, regions, symbol_name},
    melior::ir::Attribute,
};
use memplan_semantics::{attributes::NO_CALLBACK, names::Names};
use rustc_hash::{FxHashMap, FxHashSet};

/// Callee of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A function with a body, by index.
    Function(usize),
    /// A function without a body.
    Declared {
        /// Its index among these.
        place: usize,
        /// Whether it may call functions that are public or have their address taken: it is not marked
        /// ([`memplan.nocallback`](NO_CALLBACK)).
        calls_back: bool,
    },
    /// An indirect call, or an unknown symbol. It may call functions that are public or have their address
    /// taken.
    Unknown,
}

impl Target {
    /// The function with a body, if it is one.
    pub const fn function(self) -> Option<usize> {
        match self {
            Self::Function(place) => Some(place),
            _ => None,
        }
    }

    /// Whether it is unknown code that may call into the module.
    pub const fn may_call_back(self) -> bool {
        matches!(
            self,
            Self::Declared {
                calls_back: true,
                ..
            } | Self::Unknown
        )
    }
}

/// Callees by symbol table and symbol. They stay valid while calls are copied, moved and erased.
#[derive(Debug, Default)]
pub struct Targets {
    tables: FxHashSet<Key>,
    all: FxHashMap<(Key, Key), Target>,
}

impl Targets {
    /// The callee of a call, or of a call with the same symbol that existed at the lookup.
    pub fn of(&self, call: Op<'_>) -> Target {
        let found = || {
            let symbol = callee_symbol(call)?;
            let mut table = parent(call)?;
            while !self.tables.contains(&table.key()) {
                table = parent(table)?;
            }
            self.all.get(&(table.key(), symbol.key())).copied()
        };
        found().unwrap_or(Target::Unknown)
    }
}

/// Cache of callees by symbol table and symbol. It has to be rebuilt when symbols change.
#[derive(Default)]
pub struct Symbols<'c> {
    found: FxHashMap<(Key, Key), Option<Op<'c>>>,
    tables: FxHashMap<Key, Table<'c>>,
}

/// A symbol table.
#[derive(Default)]
struct Table<'c> {
    /// Number of lookups.
    looked_up: usize,
    /// All symbols, after many lookups.
    all: Option<FxHashMap<String, Op<'c>>>,
}

/// Number of lookups, each a walk over the symbol table, after which all symbols are cached.
const MOST_WALKS: usize = 32;

impl<'c> Symbols<'c> {
    /// The function that a call names.
    pub fn callee(&mut self, call: Op<'c>, names: &mut Names) -> Option<Op<'c>> {
        let symbol = callee_symbol(call)?;
        let table = nearest_table(call, names)?;
        let reference = (table.key(), symbol.key());
        if let Some(found) = self.found.get(&reference) {
            return *found;
        }
        let found = self.look_up(call, symbol, table);
        self.found.insert(reference, found);
        found
    }

    fn look_up(&mut self, call: Op<'c>, symbol: Attribute<'c>, table: Op<'c>) -> Option<Op<'c>> {
        let known = self.tables.entry(table.key()).or_default();
        known.looked_up += 1;
        let name = flat_name(symbol).filter(|_| known.looked_up > MOST_WALKS);
        let Some(name) = name else {
            return callee(call);
        };
        let all = known.all.get_or_insert_with(|| {
            let symbols = regions(table).flat_map(blocks).flat_map(ops);
            symbols.map(|op| (symbol_name(op), op)).collect()
        });
        all.get(&name).copied()
    }
}

/// Resolves callees.
pub(crate) struct Resolver<'c, 'p> {
    /// Indices of the functions with a body.
    places: &'p FxHashMap<Key, usize>,
    symbols: Symbols<'c>,
    /// Functions without a body that were found.
    pub(crate) declarations: Vec<Op<'c>>,
    /// Callees that were found.
    pub(crate) targets: Targets,
}

impl<'c, 'p> Resolver<'c, 'p> {
    pub(crate) fn new(places: &'p FxHashMap<Key, usize>) -> Self {
        Self {
            places,
            symbols: Symbols::default(),
            declarations: Vec::new(),
            targets: Targets::default(),
        }
    }

    /// The callee of a call.
    pub(crate) fn target(&mut self, call: Op<'c>, names: &mut Names) -> Target {
        let (Some(symbol), Some(table)) = (callee_symbol(call), nearest_table(call, names)) else {
            return Target::Unknown;
        };
        let reference = (table.key(), symbol.key());
        if let Some(target) = self.targets.all.get(&reference) {
            return *target;
        }
        let found = self.symbols.callee(call, names);
        let target = match found.map(|callee| (callee, self.places.get(&callee.key()))) {
            Some((_, Some(place))) => Target::Function(*place),
            // A function outside of the analysed ones counts as unknown.
            Some((callee, None)) => {
                self.declarations.push(callee);
                Target::Declared {
                    place: self.declarations.len() - 1,
                    calls_back: function_body(callee).is_some() || !has_mark(callee, NO_CALLBACK),
                }
            }
            None => return Target::Unknown,
        };
        self.targets.tables.insert(table.key());
        self.targets.all.insert(reference, target);
        target
    }
}

/// Functions, with or without a body, in the symbol tables of these operations.
pub(crate) fn functions_around<'c>(
    all: impl IntoIterator<Item = Op<'c>>,
    names: &mut Names,
) -> Vec<Op<'c>> {
    let mut seen = FxHashSet::default();
    let mut functions = Vec::new();
    for op in all {
        if let Some(table) = nearest_table(op, names)
            && seen.insert(table.key())
        {
            let inside = regions(table).flat_map(blocks).flat_map(ops);
            functions.extend(inside.filter(|op| names.info(*op).is_function()));
        }
    }
    functions
}

/// The nearest symbol table of an operation.
pub fn nearest_table<'c>(op: Op<'c>, names: &mut Names) -> Option<Op<'c>> {
    let mut around = parent(op);
    while let Some(op) = around {
        if names.info(op).is_symbol_table() {
            return Some(op);
        }
        around = parent(op);
    }
    None
}
