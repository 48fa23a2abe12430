//! Answers about operations that are kept until these change.

use crate::{op_elements::Elements, op_memory::OpMemory};
use memplan_mlir::{
    changes::{self, Change},
    ir::{Identity, Key, Op, blocks, ops, regions},
    names::name_key,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known of one operation.
#[derive(Clone, Default)]
pub(crate) struct Answer {
    /// The key of its name, where the answer stands for itself.
    pub(crate) name: usize,
    pub(crate) memory: Option<Arc<OpMemory>>,
    pub(crate) elements: Option<Arc<Elements>>,
    pub(crate) holds_nothing: Option<bool>,
}

/// Answers, as long as the operations are at hand.
pub(crate) struct Answers {
    numbers: FxHashMap<Key, u32>,
    all: Vec<Answer>,
    /// The operation that was asked about last: often, it is asked about again.
    last: Option<(Key, u32)>,
    /// Changes of this thread that are taken into account, and that there were before the first question.
    seen: u64,
    began: u64,
    /// The first so many are those of the function's operations in walk order; `None` where that is not known.
    in_order: Option<usize>,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            all: Vec::new(),
            last: None,
            seen: changes::count(),
            began: changes::count(),
            in_order: None,
        }
    }
}

impl Answers {
    /// What is known of an operation, to be filled in.
    pub(crate) fn at(&mut self, op: Op<'_>) -> &mut Answer {
        self.forget_changed();
        let key = op.key();
        let number = match self.last {
            Some((last, number)) if last == key => number,
            _ => {
                let next = u32::try_from(self.all.len()).expect("2^32 operations or more");
                let number = *self.numbers.entry(key).or_insert(next);
                if number == next {
                    self.all.push(Answer::default());
                }
                self.last = Some((key, number));
                number
            }
        };
        &mut self.all[number as usize]
    }

    fn forget_changed(&mut self) {
        let count = changes::count();
        if count == self.seen {
            return;
        }
        let (numbers, all) = (&mut self.numbers, &mut self.all);
        changes::since(self.seen, |change| match change {
            Change::Of(op) => {
                if let Some(number) = numbers.get(&op) {
                    all[*number as usize] = Answer::default();
                }
            }
            Change::Order => {}
            Change::All => {
                numbers.clear();
                all.clear();
            }
        });
        self.seen = count;
        self.last = None;
        self.in_order = None;
    }

    /// Are there none?
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Has this thread changed something since there may have been questions?
    pub(crate) fn is_changed(&self) -> bool {
        self.began != changes::count()
    }

    /// Of the operations of a function, by their numbers; `None` if they are not those that were asked about.
    pub(crate) fn linked(all: Vec<Answer>, function: Op<'_>) -> Option<Self> {
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

    /// By the numbers of the operations of a function.
    pub(crate) fn unlinked(mut self, function: Op<'_>) -> Vec<Answer> {
        self.forget_changed();
        if let Some(count) = self.in_order {
            self.all.truncate(count);
            return self.all;
        }
        let mut answers = Vec::with_capacity(self.numbers.len());
        walk(function, &mut |op| {
            let number = self.numbers.get(&op.key());
            let known = number.map(|number| std::mem::take(&mut self.all[*number as usize]));
            answers.push(Answer {
                name: name_key(op),
                ..known.unwrap_or_default()
            });
            true
        });
        answers
    }
}

/// Visits all operations in `op`, each before those in it, as long as `visit` goes on; whether it has seen all.
fn walk<'c>(op: Op<'c>, visit: &mut impl FnMut(Op<'c>) -> bool) -> bool {
    let mut nested = regions(op).flat_map(blocks).flat_map(ops);
    nested.all(|op| visit(op) && walk(op, visit))
}
