//! The slot choice of rotating buffers.
//!
//! For values `x1 … xn` that may refer to older instances, and slots that start at `s0 … sk`:
//!
//! ```text
//! base       = pointer of the arena
//! taken_j    = OR over i of ((pointer of xi - base) - sj) <u stride
//! shift      = select taken_0, (select taken_1, (… sk …), s1), s0
//! ```
//!
//! Slots of `stride` bytes do not overlap, so each pointer lies in at most one slot. There are at most as many
//! values as slots that are tested, so the last slot is free if all others are taken. Thus none of the values lies
//! in the chosen slot. Only this pattern is accepted.

use super::ProgramReader;
use memplan_mlir::ir::{Identity, Val};
use memplan_semantics::{
    Computes,
    arithmetic::{Binary, Predicate, Sign},
};
use rustc_hash::FxHashSet;

/// A choice among slots.
pub(super) struct Chosen<'c> {
    /// The starts of the slots.
    pub starts: Vec<i64>,
    /// The smallest size that pointers are compared with.
    pub stride: u64,
    /// The values whose slots are spared.
    pub spared: Vec<Val<'c>>,
}

type Reason = &'static str;

/// The test of one slot.
struct Test<'c> {
    stride: u64,
    values: Vec<Val<'c>>,
}

impl<'c> ProgramReader<'c, '_> {
    /// Reads the choice that computes a shift.
    pub(super) fn chosen_slot(
        &mut self,
        shift: Val<'c>,
        arena: Val<'c>,
    ) -> Result<Chosen<'c>, Reason> {
        let mut starts = Vec::new();
        let mut tests: Vec<Test<'c>> = Vec::new();
        let mut rest = shift;
        let last = loop {
            if let Some(start) = self.constant(rest) {
                break start;
            }
            let Some(Computes::Select([taken, next, start])) = self.semantics.computes(rest) else {
                return Err("the offset is not a choice among slots");
            };
            let start = self
                .constant(start)
                .ok_or("the offset of a slot is not constant")?;
            tests.push(self.test(taken, start, arena)?);
            starts.push(start);
            rest = next;
        };
        starts.push(last);

        let stride = tests.iter().map(|test| test.stride).min();
        let stride = stride.ok_or("there is only one")?;
        let mut all = FxHashSet::default();
        for test in &tests {
            all.extend(test.values.iter().map(Identity::key));
        }
        if all.len() > tests.len() {
            return Err("there are more values than spare slots");
        }
        let mut tests = tests.into_iter();
        let mut spared = tests.next().map(|test| test.values).unwrap_or_default();
        for test in tests {
            spared.retain(|value| test.values.iter().any(|other| other.key() == value.key()));
        }
        Ok(Chosen {
            starts,
            stride,
            spared,
        })
    }

    /// Reads the test whether any value lies in the slot that starts at `start`.
    fn test(&mut self, taken: Val<'c>, start: i64, arena: Val<'c>) -> Result<Test<'c>, Reason> {
        let mut test = Test {
            stride: u64::MAX,
            values: Vec::new(),
        };
        let mut open = vec![taken];
        while let Some(condition) = open.pop() {
            let [distance, size] = match self.semantics.computes(condition) {
                Some(Computes::Binary(Binary::Or, both)) => {
                    open.extend(both);
                    continue;
                }
                Some(Computes::Compare(Predicate::Less(Sign::Unsigned), both)) => both,
                _ => return Err("a slot is not tested by `arith.cmpi ult`"),
            };
            let size = self
                .constant(size)
                .and_then(|size| u64::try_from(size).ok());
            let size = size.ok_or("the size of a slot is not constant")?;
            let value = self.tested_value(distance, start, arena)?;
            test.stride = test.stride.min(size);
            test.values.push(value);
        }
        Ok(test)
    }

    /// The value in `(pointer of value - pointer of arena) - start`.
    fn tested_value(
        &mut self,
        distance: Val<'c>,
        start: i64,
        arena: Val<'c>,
    ) -> Result<Val<'c>, Reason> {
        let mut from_base = distance;
        let mut moved = 0;
        if let Some([left, right]) = self.binary(distance, Binary::Subtract)
            && let Some(by) = self.constant(right)
        {
            (from_base, moved) = (left, by);
        }
        if moved != start {
            return Err("a slot is tested at another offset than its own");
        }
        let [pointer, base] = self
            .binary(from_base, Binary::Subtract)
            .ok_or("a slot is not tested by a difference of pointers")?;
        let Some(Computes::Pointer(base)) = self.semantics.computes(base) else {
            return Err("a difference is not one of pointers");
        };
        if base.key() != arena.key() {
            return Err("a pointer is not compared with that of the arena");
        }
        match self.semantics.computes(pointer) {
            Some(Computes::Pointer(value)) => Ok(value),
            _ => Err("a slot is tested with a value that is not a pointer"),
        }
    }
}
