//! The semantics of any operation.

use crate::{
    describe::describe,
    fact_cache::FactCache,
    name_facts::{NameFacts, TableFacts},
    names::{ByName, NameInfo, Names, get_or_compute},
    op_elements::Elements,
    op_memory::{OpMemory, ResultFact, ResultUse},
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::{
    ir::{Op, Type, arguments, blocks, operands, ops, regions, results, type_of},
    names::name_key,
    run_cache,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[cfg(debug_assertions)]
use crate::statement::Row;

/// The source of the information about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// MLIR's interfaces alone.
    Interfaces,
    /// The interfaces and a row of the dialect's table.
    Table,
    /// The registration by an embedder.
    Registered,
    /// No information: the worst case.
    Nothing,
}

/// The number of entries in the cache of the most recent names.
const RECENT_NAMES: usize = 32;

/// The maximum number of different results per name that are compared with a new result.
const MAX_COMPARED: usize = 8;

/// The maximum number of results of an operation whose facts are compared with those of others: a comparison of all
/// facts of a loop takes as many steps as pairs of results and operands.
const MAX_COMPARED_RESULTS: usize = 32;

/// Are the facts about the results few enough to compare?
fn are_comparable(memory: &OpMemory) -> bool {
    memory.results.len() <= MAX_COMPARED_RESULTS
}

/// Reuses an equal result of an earlier call, if there is one.
fn deduplicate(distinct: &mut Vec<Arc<OpMemory>>, memory: OpMemory) -> Arc<OpMemory> {
    let is_comparable = are_comparable(&memory);
    if is_comparable && let Some(same) = distinct.iter().find(|one| ***one == memory) {
        return Arc::clone(same);
    }
    let memory = Arc::new(memory);
    if !is_comparable {
        return memory;
    }
    if distinct.len() < MAX_COMPARED {
        distinct.push(Arc::clone(&memory));
    }
    memory
}

/// The memory semantics of operations. Belongs to one context; names and types are looked up once.
#[derive(Default)]
pub struct Semantics {
    names: Names,
    facts: Vec<Arc<NameFacts>>,
    /// The cache that all passes share. It is set once it is known that a pass is running.
    shared: Option<Arc<ByName<Arc<NameFacts>>>>,
    /// The index into `facts`, by the key of a name.
    known: FxHashMap<usize, u32>,
    /// The keys and indices of the most recent names. The key of a name selects the entry.
    recent: [(usize, u32); RECENT_NAMES],
    types: TypeClasses,
    /// The cache of results, if caching is enabled.
    pub(crate) cache: Option<FactCache>,
    /// Earlier results, by the index of the name: the operations of one name have few different results.
    distinct: Vec<Vec<Arc<OpMemory>>>,
    /// The element semantics of operations without any known element accesses.
    pub(crate) no_elements: Arc<Elements>,
    /// Whether no function with a body relies on more alignment than that of a type.
    pub(crate) callees_need_no_alignment: bool,
    /// A row that replaces the row of the table.
    #[cfg(debug_assertions)]
    replaced_row: Option<Row>,
}

impl Semantics {
    /// As the default, but with one row replaced. Tests use it to find wrong rows. Not available in release builds.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn with_row(row: Row) -> Self {
        Self {
            replaced_row: Some(row),
            ..Self::default()
        }
    }

    /// The memory semantics of `op`.
    pub fn of(&mut self, op: Op<'_>) -> Arc<OpMemory> {
        let number = self.number(op);
        let facts = &self.facts[number];
        // The description by an embedder may depend on anything, so it is not cached.
        let mut cache = self.cache.as_mut().filter(|_| facts.described.is_none());
        let known = cache.as_mut().map(|cache| cache.at(op));
        if let Some(memory) = known.as_ref().and_then(|known| known.memory.as_ref()) {
            debug_assert!(
                !are_comparable(memory) || **memory == describe(op, facts, &mut self.types),
                "changed unseen"
            );
            return Arc::clone(memory);
        }
        let memory = deduplicate(
            &mut self.distinct[number],
            describe(op, facts, &mut self.types),
        );
        if let Some(known) = known {
            known.memory = Some(Arc::clone(&memory));
        }
        memory
    }

    /// The source of the information about `op`.
    pub fn basis(&mut self, op: Op<'_>) -> Basis {
        let facts = self.facts(op);
        if facts.described.is_some() {
            Basis::Registered
        } else if facts.is_in_table {
            Basis::Table
        } else if self.of(op).opaque.is_some() {
            Basis::Nothing
        } else {
            Basis::Interfaces
        }
    }

    /// Does `op` have an operand or result that can contain an address? If not, it neither accesses memory that a
    /// memref refers to, nor waits for anything.
    pub fn concerns(&mut self, op: Op<'_>) -> bool {
        let types = &mut self.types;
        operands(op)
            .chain(results(op))
            .any(|value| types.of(type_of(value)) != TypeClass::Data)
    }

    /// Can the regions of `op` be ignored? That is: they contain no operation that [concerns](Self::concerns) memory,
    /// is a call or has regions, and no argument that can contain an address.
    pub fn holds_nothing(&mut self, op: Op<'_>) -> bool {
        let known = self.cache.as_mut();
        if let Some(known) = known.and_then(|cache| cache.at(op).holds_nothing) {
            return known;
        }
        let mut inside = regions(op).flat_map(blocks);
        let holds_nothing = inside.all(|block| {
            arguments(block).all(|value| self.types.of(type_of(value)) == TypeClass::Data)
                && ops(block).all(|nested| {
                    !self.info(nested).is_call()
                        && regions(nested).next().is_none()
                        && !self.concerns(nested)
                })
        });
        if let Some(cache) = &mut self.cache {
            cache.at(op).holds_nothing = Some(holds_nothing);
        }
        holds_nothing
    }

    /// The class of a type.
    pub fn class(&mut self, r#type: Type<'_>) -> TypeClass {
        self.types.of(r#type)
    }

    /// The properties and the table entry of the name of `op`.
    pub fn named(&mut self, op: Op<'_>) -> (NameInfo, TableFacts) {
        let facts = self.facts(op);
        (facts.info, facts.table)
    }

    /// The table entry of the name of `op`.
    // Inlined, because most callers need one field, and the copy of the others is then avoided.
    #[inline]
    pub fn table_facts(&mut self, op: Op<'_>) -> TableFacts {
        self.facts(op).table
    }

    /// Are results of `op` addresses, as numbers or pointers?
    pub fn returns_addresses(&mut self, op: Op<'_>) -> bool {
        let table = self.table_facts(op);
        let is_address = |result: &ResultUse| matches!(result.fact, ResultFact::Address { .. });
        table.returns_addresses
            || (table.is_described && self.of(op).results.iter().any(is_address))
    }

    /// Does `op` free an operand without returning a result?
    pub fn is_deallocation(&mut self, op: Op<'_>) -> bool {
        self.facts(op).table.frees && results(op).next().is_none()
    }

    /// The cache of name properties, for callers that need nothing else.
    pub const fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    /// The properties of the name of `op`.
    pub fn info(&mut self, op: Op<'_>) -> NameInfo {
        self.facts(op).info
    }

    pub(crate) fn facts(&mut self, op: Op<'_>) -> &NameFacts {
        let number = self.number(op);
        &self.facts[number]
    }

    /// The index of the facts about the name of an operation.
    fn number(&mut self, op: Op<'_>) -> usize {
        let key = name_key(op);
        // Names are heap objects of more than 64 bytes, so the low bits of their addresses are not useful. No name
        // has the key zero.
        let position = (key >> 6) % RECENT_NAMES;
        if self.recent[position].0 != key {
            self.recent[position] = (key, self.look_up(op, key));
        }
        self.recent[position].1 as usize
    }

    fn look_up(&mut self, op: Op<'_>, key: usize) -> u32 {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.find(op, key);
        let number = self.facts.len() as u32;
        self.facts.push(found);
        self.distinct.push(Vec::new());
        self.known.insert(key, number);
        number
    }

    fn find(&mut self, op: Op<'_>, key: usize) -> Arc<NameFacts> {
        #[cfg(debug_assertions)]
        if self.replaced_row.is_some() {
            let found = NameFacts::of(op, self.names.info(op));
            return Arc::new(found.with_row(op, self.replaced_row));
        }
        let names = &mut self.names;
        let mut find = || Arc::new(NameFacts::of(op, names.info(op)));
        if self.shared.is_none() {
            self.shared = run_cache::get(op);
        }
        match &self.shared {
            Some(shared) => get_or_compute(shared, key, find),
            None => find(),
        }
    }
}
