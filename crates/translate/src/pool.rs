//! Deduplication of constants.

use memplan_mlir::{
    ir::{Attribute, Identity, Key, Op, context_of, erase, symbol_name},
    melior::ir::Module,
    split::{constant_contents, operations, rename_uses},
};
use rustc_hash::FxHashMap;

/// Keeps one of the private constants with the same contents, that with the smallest name. References to the others
/// are changed to it.
pub fn pool(module: &Module<'_>) {
    let mut kept: FxHashMap<Key, (String, Op<'_>)> = FxHashMap::default();
    let mut gone: Vec<(Key, Op<'_>)> = Vec::new();
    for op in operations(module) {
        let Some(contents) = constant_contents(op) else {
            continue;
        };
        let name = symbol_name(op);
        let key = contents.key();
        match kept.get_mut(&key) {
            Some((least, _)) if *least < name => gone.push((key, op)),
            Some(other) => gone.push((key, std::mem::replace(other, (name, op)).1)),
            None => {
                kept.insert(key, (name, op));
            }
        }
    }
    if gone.is_empty() {
        return;
    }
    let renamed: FxHashMap<Key, Attribute<'_>> = gone
        .iter()
        .filter_map(|(contents, op)| {
            let context = context_of(*op);
            let to = context.text(&kept.get(contents)?.0);
            Some((context.text(&symbol_name(*op)).key(), to))
        })
        .collect();
    for (_, op) in gone {
        erase(op);
    }
    for op in operations(module) {
        rename_uses(op, |name| renamed.get(&name.key()).copied());
    }
}
