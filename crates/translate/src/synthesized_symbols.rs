//! Names of symbols that planning creates outside of functions.
//!
//! Several partitions may create the same symbol. A private function gets a name derived from its contents, so that
//! one copy is kept when partitions are joined. Private data belongs to its partition; where the partition is split
//! further, the data's name includes that of the partition.

use crate::symbol_origin::{SymbolOrigin, SymbolOrigins};
use memplan_mlir::{
    ir::{Attribute, Identity, Key, Op, context_of},
    melior::ir::Module,
    split::{Symbol, SymbolKind, operations, rename, rename_uses, symbol},
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_128;

/// A name derived from a text by a 128-bit hash: equal for equal texts.
pub fn fingerprint(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// Renames the new symbols in the module of a partition, and sets their origins in `names`. `owner` is part of the
/// names of private data that other partitions must refer to.
pub fn name_synthesized_symbols(
    module: &Module<'_>,
    names: &mut SymbolOrigins,
    owner: Option<&str>,
) {
    let created: Vec<(Op<'_>, Symbol)> = operations(module)
        .map(|op| (op, symbol(op)))
        .filter(|(_, symbol)| !symbol.name.is_empty() && names.get(&symbol.name).is_none())
        .collect();
    let helpers: FxHashMap<&str, (String, &Symbol)> = created
        .iter()
        .filter(|(_, symbol)| symbol.kind == SymbolKind::Function && symbol.is_local)
        .map(|(op, symbol)| (symbol.name.as_str(), (op.to_string(), symbol)))
        .collect();
    let mut renamed: FxHashMap<Key, Attribute<'_>> = FxHashMap::default();
    for (op, symbol) in &created {
        let (name, known) = match (symbol.kind, owner) {
            (SymbolKind::Declared, _) => (None, SymbolOrigin::Outside),
            (SymbolKind::Function, _) if symbol.is_local => {
                let does = reached(&symbol.name, &helpers);
                let name = format!("{}.{}", symbol.name, fingerprint(&does));
                (Some(name), SymbolOrigin::Anywhere)
            }
            (SymbolKind::Data, Some(owner)) if symbol.is_local => (
                Some(format!("{}.{owner}", symbol.name)),
                SymbolOrigin::Here { is_local: true },
            ),
            // Stays private to the partition.
            (SymbolKind::Data, None) if symbol.is_local => continue,
            _ => (None, SymbolOrigin::Here { is_local: false }),
        };
        names.set(name.as_ref().unwrap_or(&symbol.name), known);
        if let Some(name) = name {
            let context = context_of(*op);
            let name = context.text(&name);
            renamed.insert(context.text(&symbol.name).key(), name);
            rename(*op, name);
        }
    }
    if !renamed.is_empty() {
        for op in operations(module) {
            rename_uses(op, |name| renamed.get(&name.key()).copied());
        }
    }
}

/// The texts of all private functions that `name` reaches by references.
fn reached(name: &str, helpers: &FxHashMap<&str, (String, &Symbol)>) -> String {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![name];
    let mut all = name.to_owned();
    while let Some(name) = open.pop() {
        let Some((key, (_, symbol))) = helpers.get_key_value(name) else {
            continue;
        };
        if seen.insert(key) {
            let named = symbol.calls.iter().chain(&symbol.uses);
            open.extend(named.map(String::as_str));
        }
    }
    for name in seen {
        all.push('\n');
        all.push_str(&helpers[name].0);
    }
    all
}
