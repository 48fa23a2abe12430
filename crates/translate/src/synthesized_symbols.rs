//! What planning made beside the functions of a unit.
//!
//! Other units may make the same. A private function gets a name that says what it does, so that one is kept where units are
//! joined; private data belongs to the unit, so that where the unit is cut, its name says whose it is.

use crate::known::{Known, Names};
use memplan_mlir::{
    ir::{Attribute, Identity, Key, Op, context_of},
    melior::ir::Module,
    units::{Kind, Symbol, operations, rename, rename_uses, symbol},
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_128;

/// A name of a text: equal for equal ones, and for no others.
pub fn fingerprint(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// Names what is new in the module of a unit, and says in `names` what it is. `owner` names private data where others are to
/// see it.
pub fn name_made(module: &Module<'_>, names: &mut Names, owner: Option<&str>) {
    let made: Vec<(Op<'_>, Symbol)> = operations(module)
        .map(|op| (op, symbol(op)))
        .filter(|(_, symbol)| !symbol.name.is_empty() && names.get(&symbol.name).is_none())
        .collect();
    let helpers: FxHashMap<&str, (String, &Symbol)> = made
        .iter()
        .filter(|(_, symbol)| symbol.kind == Kind::Function && symbol.is_local)
        .map(|(op, symbol)| (symbol.name.as_str(), (op.to_string(), symbol)))
        .collect();
    let mut renamed: FxHashMap<Key, Attribute<'_>> = FxHashMap::default();
    for (op, symbol) in &made {
        let (name, known) = match (symbol.kind, owner) {
            (Kind::Declared, _) => (None, Known::Outside),
            (Kind::Function, _) if symbol.is_local => {
                let does = reached(&symbol.name, &helpers);
                let name = format!("{}.{}", symbol.name, fingerprint(&does));
                (Some(name), Known::Anywhere)
            }
            (Kind::Data, Some(owner)) if symbol.is_local => (
                Some(format!("{}.{owner}", symbol.name)),
                Known::Here { is_local: true },
            ),
            // It stays the unit's.
            (Kind::Data, None) if symbol.is_local => continue,
            _ => (None, Known::Here { is_local: false }),
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

/// The texts of all helpers that one reaches.
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
