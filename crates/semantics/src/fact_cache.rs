//! A cache of facts about operations. A fact stays until the operation changes.

use crate::{op_elements::Elements, op_memory::OpMemory};
use memplan_mlir::{
    changes::{self, Change},
    ir::{Identity, Key, Op, blocks, ops, regions},
    names::name_key,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The cached facts about one operation.
#[derive(Clone, Default)]
pub(crate) struct OpFacts {
    /// The key of the operation's name, to recognize the operation later.
    pub(crate) name: usize,
    pub(crate) memory: Option<Arc<OpMemory>>,
    pub(crate) elements: Option<Arc<Elements>>,
    pub(crate) holds_nothing: Option<bool>,
}

/// The cache, keyed by the identity of operations while these exist.
pub(crate) struct FactCache {
    numbers: FxHashMap<Key, u32>,
    all: Vec<OpFacts>,
    /// The operation of the last query, as it is often queried again.
    last: Option<(Key, u32)>,
    /// Changes of this thread that the cache has applied, and changes before the first query.
    applied_changes: u64,
    initial_changes: u64,
    /// Number of leading facts that are those of the function's operations in walk order; `None` if the order is not
    /// known.
    in_order: Option<usize>,
}

impl Default for FactCache {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            all: Vec::new(),
            last: None,
            applied_changes: changes::count(),
            initial_changes: changes::count(),
            in_order: None,
        }
    }
}

impl FactCache {
    /// The facts about an operation, to be read or filled in.
    pub(crate) fn at(&mut self, op: Op<'_>) -> &mut OpFacts {
        self.forget_changed();
        let key = op.key();
        let number = match self.last {
            Some((last, number)) if last == key => number,
            _ => {
                let next = u32::try_from(self.all.len()).expect("2^32 operations or more");
                let number = *self.numbers.entry(key).or_insert(next);
                if number == next {
                    self.all.push(OpFacts::default());
                }
                self.last = Some((key, number));
                number
            }
        };
        &mut self.all[number as usize]
    }

    fn forget_changed(&mut self) {
        let count = changes::count();
        if count == self.applied_changes {
            return;
        }
        let (numbers, all) = (&mut self.numbers, &mut self.all);
        changes::since(self.applied_changes, |change| match change {
            Change::Operation(op) => {
                if let Some(number) = numbers.get(&op) {
                    all[*number as usize] = OpFacts::default();
                }
            }
            Change::Order => {}
            Change::All => {
                numbers.clear();
                all.clear();
            }
        });
        self.applied_changes = count;
        self.last = None;
        self.in_order = None;
    }

    /// Is the cache empty?
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Has this thread changed the IR since the cache was created?
    pub(crate) fn is_changed(&self) -> bool {
        self.initial_changes != changes::count()
    }

    /// A cache from facts in walk order of a function's operations; `None` if the function has other operations now.
    pub(crate) fn resume(all: Vec<OpFacts>, function: Op<'_>) -> Option<Self> {
        let mut numbers = FxHashMap::with_capacity_and_hasher(all.len(), Default::default());
        let mut given = all.iter();
        let is_same = walk(function, &mut |op| {
            let next = numbers.len() as u32;
            numbers.insert(op.key(), next);
            given.next().is_some_and(|known| known.name == name_key(op))
        });
        let is_same = is_same && given.next().is_none();
        is_same.then(|| Self {
            numbers,
            in_order: Some(all.len()),
            all,
            ..Self::default()
        })
    }

    /// The facts, in walk order of the function's operations.
    pub(crate) fn into_walk_order(mut self, function: Op<'_>) -> Vec<OpFacts> {
        self.forget_changed();
        if let Some(count) = self.in_order {
            self.all.truncate(count);
            return self.all;
        }
        let mut cache = Vec::with_capacity(self.numbers.len());
        walk(function, &mut |op| {
            let number = self.numbers.get(&op.key());
            let known = number.map(|number| std::mem::take(&mut self.all[*number as usize]));
            cache.push(OpFacts {
                name: name_key(op),
                ..known.unwrap_or_default()
            });
            true
        });
        cache
    }
}

/// Visits all operations nested in `op`, each before those nested in it, until `visit` returns false. True if all
/// were visited.
fn walk<'c>(op: Op<'c>, visit: &mut impl FnMut(Op<'c>) -> bool) -> bool {
    let mut nested = regions(op).flat_map(blocks).flat_map(ops);
    nested.all(|op| visit(op) && walk(op, visit))
}
