//! The answer for any operation.

use crate::{
    answers::Answers,
    describe::describe,
    name_facts::{NameFacts, NameSays},
    names::{ByName, NameInfo, Names, once},
    op_elements::Elements,
    op_memory::{OpMemory, ResultFact, ResultUse},
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::{
    ir::{Op, Type, arguments, blocks, operands, ops, regions, results, type_of},
    names::name_key,
    shared,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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

/// So many names are at hand.
const LATEST: usize = 32;

/// So many different answers are looked at for one that is the same.
const MOST_GIVEN: usize = 8;

/// An answer, the same one again where it was given before.
fn once_in(given: &mut Vec<Arc<OpMemory>>, memory: OpMemory) -> Arc<OpMemory> {
    if let Some(same) = given.iter().find(|one| ***one == memory) {
        return Arc::clone(same);
    }
    let memory = Arc::new(memory);
    if given.len() < MOST_GIVEN {
        given.push(Arc::clone(&memory));
    }
    memory
}

/// Says what operations do to memory. Belongs to one context; names and types are looked up once.
#[derive(Default)]
pub struct Semantics {
    names: Names,
    facts: Vec<Arc<NameFacts>>,
    /// Of the passes that run, as soon as it is known that there are some.
    shared: Option<Arc<ByName<Arc<NameFacts>>>>,
    /// By the key of a name, the number of what is known of it.
    known: FxHashMap<usize, u32>,
    /// Of names that were asked for last, the keys and numbers, at a place that the key decides.
    latest: [(usize, u32); LATEST],
    types: TypeClasses,
    /// Answers that are kept, if they are.
    pub(crate) answers: Option<Answers>,
    /// Answers that were given, by the number of what is known of a name: operations of one name are few kinds.
    given: Vec<Vec<Arc<OpMemory>>>,
    /// Of operations that nothing is known of.
    pub(crate) no_elements: Arc<Elements>,
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
    pub fn of(&mut self, op: Op<'_>) -> Arc<OpMemory> {
        let number = self.number(op);
        let facts = &self.facts[number];
        // What an embedder says may depend on anything.
        let mut answers = self.answers.as_mut().filter(|_| facts.described.is_none());
        let known = answers.as_mut().map(|answers| answers.at(op));
        if let Some(memory) = known.as_ref().and_then(|known| known.memory.as_ref()) {
            debug_assert_eq!(
                **memory,
                describe(op, facts, &mut self.types),
                "changed unseen"
            );
            return Arc::clone(memory);
        }
        let memory = once_in(
            &mut self.given[number],
            describe(op, facts, &mut self.types),
        );
        if let Some(known) = known {
            known.memory = Some(Arc::clone(&memory));
        }
        memory
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

    /// Are the regions of `op` of no concern: is there no operation in them that [concerns](Self::concerns), calls, or
    /// has regions, and no argument that can hold an address?
    pub fn holds_nothing(&mut self, op: Op<'_>) -> bool {
        let known = self.answers.as_mut();
        if let Some(known) = known.and_then(|answers| answers.at(op).holds_nothing) {
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
        if let Some(answers) = &mut self.answers {
            answers.at(op).holds_nothing = Some(holds_nothing);
        }
        holds_nothing
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
        // Names are allocated, and take more than 64 bytes. None has the key zero.
        let place = (key >> 6) % LATEST;
        if self.latest[place].0 != key {
            self.latest[place] = (key, self.look_up(op, key));
        }
        self.latest[place].1 as usize
    }

    fn look_up(&mut self, op: Op<'_>, key: usize) -> u32 {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.find(op, key);
        let number = self.facts.len() as u32;
        self.facts.push(found);
        self.given.push(Vec::new());
        self.known.insert(key, number);
        number
    }

    fn find(&mut self, op: Op<'_>, key: usize) -> Arc<NameFacts> {
        #[cfg(debug_assertions)]
        if self.in_place.is_some() {
            let found = NameFacts::of(op, self.names.info(op));
            return Arc::new(found.with_row(op, self.in_place));
        }
        let names = &mut self.names;
        let mut find = || Arc::new(NameFacts::of(op, names.info(op)));
        if self.shared.is_none() {
            self.shared = shared::of_run(op);
        }
        match &self.shared {
            Some(shared) => once(shared, key, find),
            None => find(),
        }
    }
}
