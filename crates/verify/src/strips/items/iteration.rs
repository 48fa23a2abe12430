//! One iteration: each operation is what it was, on one item, and reads what it read.

use super::{
    Result,
    item_loop::{ItemLoop, base, is_new},
    not_followed,
    operation::{Access, Operation, Place},
};
use crate::strips::{
    body::stop,
    buffers::are_equal,
    claim::Operand,
    fault::{Stop, StripFault},
    sum::Sum,
};
use memplan_mlir::{
    build::integers_of,
    ir::{Identity, Key, Op, Origin, Val, origin},
};
use memplan_semantics::{Semantics, attributes::ITEMS};
use rustc_hash::FxHashMap;

/// What memory holds: a buffer, and the operations that have written it, sorted.
struct Contents {
    buffer: i64,
    writers: Vec<i64>,
}

fn wrong<T>(op: Op<'_>, text: impl Into<String>) -> Result<'_, T> {
    stop(op, Stop::Wrong(text.into()))
}

/// Checks the operations of an iteration.
pub fn check<'c>(
    items: &mut ItemLoop<'c>,
    operations: &[Operation<'c>],
    semantics: &mut Semantics,
) -> Result<'c, ()> {
    check_numbers(items, operations)?;
    let mut checker = Checker {
        items,
        semantics,
        dimensions: FxHashMap::default(),
        writers: FxHashMap::default(),
        memory: FxHashMap::default(),
        bases: FxHashMap::default(),
        held: FxHashMap::default(),
    };
    for operation in operations {
        checker.operation(operation)?;
    }
    for writers in checker.writers.values_mut() {
        writers.sort_unstable();
    }
    checker.check_memory(operations)?;
    for operation in operations {
        checker.execute(operation)?;
    }
    checker.finish(operations)
}

/// Whether all operations are there, each once.
fn check_numbers<'c>(items: &ItemLoop<'c>, operations: &[Operation<'c>]) -> Result<'c, ()> {
    let mut found: Vec<i64> = operations.iter().map(|one| one.claim.number).collect();
    found.sort_unstable();
    match integers_of(items.op, ITEMS) {
        Some(expected) if expected == found && found.is_sorted_by(|one, next| one < next) => Ok(()),
        Some(_) => wrong(
            items.op,
            "an operation is not in the loop over items, or there twice",
        ),
        None => not_followed(items.op, "`memplan.items` is malformed"),
    }
}

struct Checker<'r, 'c> {
    items: &'r ItemLoop<'c>,
    semantics: &'r mut Semantics,
    /// For each buffer, its dimension of items.
    dimensions: FxHashMap<i64, usize>,
    /// For each buffer, the operations that write it.
    writers: FxHashMap<i64, Vec<i64>>,
    /// For each buffer that is whole and written, its memory.
    memory: FxHashMap<i64, Val<'c>>,
    /// For each buffer that is whole, what its memory is a view of.
    bases: FxHashMap<i64, Val<'c>>,
    held: FxHashMap<Place, Contents>,
}

impl<'c> Checker<'_, 'c> {
    /// Whether an operation is what it was, on one item.
    fn operation(&mut self, one: &Operation<'c>) -> Result<'c, ()> {
        let (op, claim) = (one.op, &one.claim);
        let numbers = claim.operands.iter().map(|operand| operand.number);
        let is_same = one.extents == claim.extents
            && numbers.eq(one.accesses.iter().map(|access| access.operand));
        if !is_same {
            return wrong(op, "`memplan.item` is that of another operation");
        }
        for (access, was) in one.accesses.iter().zip(&claim.operands) {
            let dimension = self.item_dimension(one, was)?;
            let indices = was.indices.iter();
            let indices = indices.map(|index| Sum::of_expression(index, &claim.extents));
            let indices = indices.collect::<std::result::Result<Vec<Sum>, _>>();
            let fault = |stop: Stop| StripFault { op, stop };
            let indices = indices.map_err(|error| fault(error.into()))?;
            let operand = access.operand;
            let mut are_same = indices.len() == access.indices.len();
            for (index, found) in indices.iter().zip(&access.indices) {
                are_same &= are_equal(index, found, &claim.extents).map_err(fault)?;
            }
            if !are_same {
                return wrong(
                    op,
                    format!("operand {operand} has other indices than the operation's"),
                );
            }
            self.check_place(op, access, was, dimension)?;
            if access.writes {
                let writers = self.writers.entry(was.buffer).or_default();
                writers.push(claim.number);
            }
        }
        Ok(())
    }

    /// The dimension of an operand that the loop over items walks along, index by index; others do not depend on it.
    fn item_dimension(&self, one: &Operation<'c>, was: &Operand) -> Result<'c, Option<usize>> {
        let split = one.claim.split;
        // With more than one item, indices that depend on the item show it.
        let mut extents = one.claim.extents.clone();
        extents[split as usize] = 2;
        let item = Sum::of_loop(split, &extents);
        let mut dimension = None;
        for (at, index) in was.indices.iter().enumerate() {
            let Ok(index) = Sum::of_expression(index, &extents) else {
                return stop(one.op, Stop::Number);
            };
            if index.loops() & (1 << split) == 0 {
                continue;
            }
            if index != item || dimension.replace(at).is_some() {
                return not_followed(one.op, "an operand has other than one item");
            }
        }
        Ok(dimension)
    }

    /// Whether an operand is in memory of the right kind.
    fn check_place(
        &mut self,
        op: Op<'c>,
        access: &Access<'c>,
        was: &Operand,
        dimension: Option<usize>,
    ) -> Result<'c, ()> {
        let operand = access.operand;
        let item = access
            .root
            .and_then(|root| self.items.slices.get(&root.key()));
        if was.is_between() {
            let known = dimension.map(|at| *self.dimensions.entry(was.buffer).or_insert(at));
            let is_private = match access.root {
                Some(root) => self.items.is_private(root, self.semantics),
                None => true,
            };
            return match known.is_some() && known == dimension && is_private {
                true => Ok(()),
                false => wrong(
                    op,
                    format!("operand {operand} is not in memory of one iteration"),
                ),
            };
        }
        match (item, dimension) {
            (Some((_, found)), Some(dimension)) if *found == dimension => Ok(()),
            // What all items use is only read.
            (None, None) if !access.writes => match access.root {
                Some(root) if !self.items.defines(root) => Ok(()),
                _ => wrong(op, format!("operand {operand} is not memory from outside")),
            },
            _ => wrong(
                op,
                format!("operand {operand} is not the item of its number"),
            ),
        }
    }

    /// Whether memory from outside that is written has all items, and is not seen in another way.
    fn check_memory(&mut self, operations: &[Operation<'c>]) -> Result<'c, ()> {
        // For each memory that is written, how the loop sees it, and the buffer that is there.
        let mut bases: FxHashMap<Key, (Key, i64)> = FxHashMap::default();
        let each = || {
            operations.iter().flat_map(|one| {
                let both = one.accesses.iter().zip(&one.claim.operands);
                both.map(move |(access, was)| (one.op, access, was))
            })
        };
        for (op, access, was) in
            each().filter(|(_, access, was)| access.writes && !was.is_between())
        {
            let item = access
                .root
                .and_then(|root| self.items.slices.get(&root.key()));
            let Some((memory, dimension)) = item.copied() else {
                return not_followed(op, "the memory of a result is not known");
            };
            let from = base(memory, self.semantics);
            let is_alone = match origin(from) {
                Some(Origin::Result(op, 0)) => is_new(op, self.semantics),
                _ => false,
            };
            if !is_alone || !self.items.has_all((memory, dimension), self.semantics) {
                return not_followed(op, "it is not known that all items of a result are written");
            }
            if *self.memory.entry(was.buffer).or_insert(memory) != memory
                || *bases
                    .entry(from.key())
                    .or_insert((memory.key(), was.buffer))
                    != (memory.key(), was.buffer)
            {
                return wrong(op, "a result is in several places");
            }
        }
        for (op, access, was) in each() {
            let Some(root) = access.root else { continue };
            let memory = self.memory_of(root);
            let from = base(memory, self.semantics);
            if !was.is_between() && *self.bases.entry(was.buffer).or_insert(from) != from {
                let operand = access.operand;
                return wrong(
                    op,
                    format!("operand {operand} has another memory than an operation before"),
                );
            }
            let is_seen_otherwise = bases
                .get(&from.key())
                .is_some_and(|one| *one != (memory.key(), was.buffer));
            let is_elsewhere = self
                .memory
                .get(&was.buffer)
                .is_some_and(|one| *one != memory);
            if is_seen_otherwise || is_elsewhere {
                return not_followed(op, "memory that the loop writes is seen in another way");
            }
        }
        Ok(())
    }

    /// The memory of which a value is an item; itself if it is none.
    fn memory_of(&self, root: Val<'c>) -> Val<'c> {
        let item = self.items.slices.get(&root.key());
        item.map_or(root, |(memory, _)| *memory)
    }

    fn place(&self, access: &Access<'c>) -> Place {
        match access.root {
            Some(root) => Place::Value(self.memory_of(root).key()),
            None => access.place,
        }
    }

    /// Executes an operation: its reads, then its writes.
    fn execute(&mut self, one: &Operation<'c>) -> Result<'c, ()> {
        let (op, number) = (one.op, one.claim.number);
        let both = || one.accesses.iter().zip(&one.claim.operands);
        for (access, was) in both().filter(|(access, _)| access.reads) {
            let Some(all) = self.writers.get(&was.buffer) else {
                continue;
            };
            let before = all.partition_point(|writer| *writer < number);
            let found = self.held.get(&self.place(access));
            let is_right = match &all[..before] {
                // What is between was not written before the loop either, so that it may be anything.
                [] => was.is_between() || found.is_none(),
                before => {
                    found.is_some_and(|found| found.buffer == was.buffer && found.writers == before)
                }
            };
            if !is_right {
                let (operand, buffer) = (access.operand, was.buffer);
                return wrong(
                    op,
                    format!(
                        "operand {operand} should read buffer {buffer}, but another content is there"
                    ),
                );
            }
        }
        for (access, was) in both().filter(|(access, _)| access.writes) {
            let place = self.place(access);
            let overwrites = both().any(|(read, from)| {
                let is_in_step = one.is_parallel && read.indices == access.indices;
                read.reads
                    && self.place(read) == place
                    && from.buffer != was.buffer
                    && !one.is_in_strips
                    && !is_in_step
            });
            if overwrites {
                return wrong(op, "it overwrites what it reads");
            }
            let contents = self.held.entry(place).or_insert(Contents {
                buffer: was.buffer,
                writers: Vec::new(),
            });
            if contents.buffer != was.buffer {
                contents.buffer = was.buffer;
                contents.writers.clear();
            }
            if contents.writers.last().is_some_and(|last| *last >= number) {
                return wrong(op, "it writes its result twice, or too late");
            }
            contents.writers.push(number);
        }
        Ok(())
    }

    /// Whether all results are there in the end.
    fn finish(&self, operations: &[Operation<'c>]) -> Result<'c, ()> {
        for one in operations {
            for (access, was) in one.accesses.iter().zip(&one.claim.operands) {
                if !access.writes || was.is_between() {
                    continue;
                }
                let all = self.writers.get(&was.buffer);
                let held = self.held.get(&self.place(access));
                let is_there = held
                    .is_some_and(|held| held.buffer == was.buffer && Some(&held.writers) == all);
                if !is_there {
                    return wrong(one.op, "its result is not there after the loop");
                }
            }
        }
        Ok(())
    }
}
