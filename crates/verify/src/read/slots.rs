//! How a rotating buffer chooses its slot.
//!
//! For values `x1 … xn` that may hold older instances, and slots that start at `s0 … sk`:
//!
//! ```text
//! base       = pointer of the arena
//! taken_j    = OR over i of ((pointer of xi - base) - sj) <u stride
//! shift      = select taken_0, (select taken_1, (… sk …), s1), s0
//! ```
//!
//! Slots of `stride` bytes do not overlap, so that each pointer lies in one slot at most; with no
//! more values than slots that are tried, the last one is free when all others are taken. Thus the
//! slot that comes out holds none of the values. Nothing is believed but this pattern.

use super::Reader;
use memplan_mlir::ir::{Identity, Val};
use memplan_semantics::{
    Computes,
    arithmetic::{Binary, Predicate, Sign},
};
use rustc_hash::FxHashSet;

/// A choice among slots.
pub(super) struct Chosen<'c> {
    /// Where the slots start.
    pub starts: Vec<i64>,
    /// The least size that pointers are compared with.
    pub stride: u64,
    /// The values whose slots are never chosen.
    pub held: Vec<Val<'c>>,
}

type Why = &'static str;

/// A slot that is tried.
struct Test<'c> {
    stride: u64,
    values: Vec<Val<'c>>,
}

impl<'c> Reader<'c> {
    /// Reads the choice that makes a shift.
    pub(super) fn chosen_slot(
        &mut self,
        shift: Val<'c>,
        arena: Val<'c>,
    ) -> Result<Chosen<'c>, Why> {
        let mut starts = Vec::new();
        let mut tests: Vec<Test<'c>> = Vec::new();
        let mut rest = shift;
        let last = loop {
            if let Some(start) = self.constant(rest) {
                break start;
            }
            let Some(Computes::Select([taken, next, start])) = self.semantics.computes(rest) else {
                return Err("the shift is no choice among slots");
            };
            let start = self.constant(start).ok_or("a slot starts at no constant")?;
            tests.push(self.test(taken, start, arena)?);
            starts.push(start);
            rest = next;
        };
        starts.push(last);

        let stride = tests.iter().map(|test| test.stride).min();
        let stride = stride.ok_or("there is but one")?;
        let mut all = FxHashSet::default();
        for test in &tests {
            all.extend(test.values.iter().map(Identity::key));
        }
        if all.len() > tests.len() {
            return Err("there are more values than slots to spare");
        }
        let mut tests = tests.into_iter();
        let mut held = tests.next().map(|test| test.values).unwrap_or_default();
        for test in tests {
            held.retain(|value| test.values.iter().any(|other| other.key() == value.key()));
        }
        Ok(Chosen {
            starts,
            stride,
            held,
        })
    }

    /// Reads whether any value lies in the slot that starts at `start`.
    fn test(&mut self, taken: Val<'c>, start: i64, arena: Val<'c>) -> Result<Test<'c>, Why> {
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
            let size = size.ok_or("a slot's size is no constant")?;
            let value = self.tested_value(distance, start, arena)?;
            test.stride = test.stride.min(size);
            test.values.push(value);
        }
        Ok(test)
    }

    /// The value of `(pointer of value - pointer of arena) - start`.
    fn tested_value(
        &mut self,
        distance: Val<'c>,
        start: i64,
        arena: Val<'c>,
    ) -> Result<Val<'c>, Why> {
        let mut from_base = distance;
        let mut moved = 0;
        if let Some([left, right]) = self.binary(distance, Binary::Subtract)
            && let Some(by) = self.constant(right)
        {
            (from_base, moved) = (left, by);
        }
        if moved != start {
            return Err("a slot is tested at another place than its own");
        }
        let [pointer, base] = self
            .binary(from_base, Binary::Subtract)
            .ok_or("a slot is not tested by the distance of pointers")?;
        let Some(Computes::Pointer(base)) = self.semantics.computes(base) else {
            return Err("a distance is taken from something that is no pointer");
        };
        if base.key() != arena.key() {
            return Err("a pointer is not compared with that of the arena");
        }
        match self.semantics.computes(pointer) {
            Some(Computes::Pointer(value)) => Ok(value),
            _ => Err("a slot is tested with something that is no pointer"),
        }
    }
}
