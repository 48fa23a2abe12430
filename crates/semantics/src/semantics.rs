//! The answer for any operation.

use crate::{
    describe::describe,
    name_facts::{NameFacts, NameSays},
    names::{NameInfo, Names},
    op_memory::{OpMemory, ResultFact, ResultUse},
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::{
    ir::{Op, Type, operands, results, type_of},
    names::name_key,
};
use rustc_hash::FxHashMap;

#[cfg(debug_assertions)]
use crate::statement::Row;

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// MLIR's interfaces alone.
    Interfaces,
    /// They, and a row of the table of the dialect.
    Table,
    /// What an embedder has registered.
    Registered,
    /// Nothing is known of the operation: the worst case.
    Nothing,
}

/// Says what operations do to memory. Belongs to one context; names and types are looked up once.
#[derive(Default)]
pub struct Semantics {
    names: Names,
    facts: Vec<NameFacts>,
    /// By the key of a name, the number of what is known of it.
    known: FxHashMap<usize, usize>,
    /// The name that was asked for last, which often is asked for again: its key, and the number.
    last: (usize, usize),
    types: TypeClasses,
    /// A row that stands in for that of the table.
    #[cfg(debug_assertions)]
    in_place: Option<Row>,
}

impl Semantics {
    /// As the default, with one row in place of the table's: tests find rows that are wrong. There is none in a release.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn with_row(row: Row) -> Self {
        Self {
            in_place: Some(row),
            ..Self::default()
        }
    }

    /// What `op` does to memory.
    pub fn of(&mut self, op: Op<'_>) -> OpMemory {
        let number = self.number(op);
        describe(op, &self.facts[number], &mut self.types)
    }

    /// Where the answer for `op` comes from.
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

    /// Has `op` an operand or a result that can hold an address? If not, it neither touches memory that a
    /// memref names, nor waits for anything.
    pub fn concerns(&mut self, op: Op<'_>) -> bool {
        let types = &mut self.types;
        operands(op)
            .chain(results(op))
            .any(|value| types.of(type_of(value)) != TypeClass::Data)
    }

    /// The class of a type.
    pub fn class(&mut self, r#type: Type<'_>) -> TypeClass {
        self.types.of(r#type)
    }

    /// What the name of an operation decides, and what the table says of all operations of that name.
    pub fn named(&mut self, op: Op<'_>) -> (NameInfo, NameSays) {
        let facts = self.facts(op);
        (facts.info, facts.says)
    }

    /// What the table says of all operations of this one's name.
    // Most ask for one field: no copy of all then.
    #[inline]
    pub fn says(&mut self, op: Op<'_>) -> NameSays {
        self.facts(op).says
    }

    /// Are results of `op` addresses, as numbers or pointers?
    pub fn gives_addresses(&mut self, op: Op<'_>) -> bool {
        let says = self.says(op);
        let is_address = |result: &ResultUse| matches!(result.fact, ResultFact::Address { .. });
        says.gives_addresses || (says.is_described && self.of(op).results.iter().any(is_address))
    }

    /// Does `op` free an operand, and give nothing for it?
    pub fn is_deallocation(&mut self, op: Op<'_>) -> bool {
        self.facts(op).says.frees && results(op).next().is_none()
    }

    /// What names decide, for those who ask for nothing else.
    pub const fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    /// What the name of an operation decides.
    pub fn info(&mut self, op: Op<'_>) -> NameInfo {
        self.facts(op).info
    }

    pub(crate) fn facts(&mut self, op: Op<'_>) -> &NameFacts {
        let number = self.number(op);
        &self.facts[number]
    }

    /// The number of what is known of the name of an operation.
    fn number(&mut self, op: Op<'_>) -> usize {
        let key = name_key(op);
        // No name has the key zero.
        if self.last.0 != key {
            self.last = (key, self.look_up(op, key));
        }
        self.last.1
    }

    fn look_up(&mut self, op: Op<'_>, key: usize) -> usize {
        let (names, facts) = (&mut self.names, &mut self.facts);
        *self.known.entry(key).or_insert_with(|| {
            let info = names.info(op);
            let found = NameFacts::of(op, info);
            #[cfg(debug_assertions)]
            let found = found.with_row(op, self.in_place);
            facts.push(found);
            facts.len() - 1
        })
    }
}
