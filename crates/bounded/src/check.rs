//! An independent check of layouts. The walk shares no code with the ones that compute layouts.
//!
//! A value is needed after an operation if a later operation below the same segment, in preorder, uses it: a binary
//! search in the list of its uses. Bytes that are not needed may be overwritten.

use crate::{
    layout::{Layout, Motion},
    tree::{StepId, Tree, ValueId},
};
use std::collections::BTreeMap;

/// Why a layout is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The numbers of offsets and of values differ.
    #[error("{found} offsets for {values} values")]
    Count {
        /// Offsets.
        found: usize,
        /// Values.
        values: usize,
    },
    /// An offset is not a multiple of the alignment.
    #[error("value {} is at offset {offset}, which is not aligned", value.0)]
    Alignment {
        /// The value.
        value: ValueId,
        /// Its offset.
        offset: u64,
    },
    /// A value ends above the peak.
    #[error("value {} ends at {end}, above the peak", value.0)]
    Peak {
        /// The value.
        value: ValueId,
        /// One past its last byte.
        end: u64,
    },
    /// The peak is higher than the end of every value.
    #[error("no value ends at the peak; the highest ends at {end}")]
    Slack {
        /// The highest end of a value.
        end: u64,
    },
    /// Bytes that are still needed are overwritten.
    #[error("operation {}: value {} overwrites value {}", step.0, by.0, value.0)]
    Overwritten {
        /// The operation.
        step: StepId,
        /// The value that is lost.
        value: ValueId,
        /// The value that overwrites it.
        by: ValueId,
    },
    /// A used value is no longer in memory.
    #[error("operation {}: value {} is used where it is not on the stack", step.0, value.0)]
    Missing {
        /// The operation.
        step: StepId,
        /// The value.
        value: ValueId,
    },
    /// A move does not start where the value is, or ends there.
    #[error("operation {}: value {} is not moved from its current offset", step.0, value.0)]
    Moved {
        /// The operation after the move.
        step: StepId,
        /// The value.
        value: ValueId,
    },
    /// A pinned value is moved.
    #[error("operation {}: value {} is pinned, but moved", step.0, value.0)]
    Pinned {
        /// The operation after the move.
        step: StepId,
        /// The value.
        value: ValueId,
    },
    /// Moves are out of order, or belong to no operation.
    #[error("moves before operation {} are out of order", step.0)]
    Order {
        /// The operation.
        step: StepId,
    },
}

/// Checks that no two values that are needed at once overlap, that moves overwrite nothing that is needed, that the
/// operands of each operation are in memory, that all offsets are aligned, and that the peak is the highest end.
///
/// Takes time O(n log n) in operations, uses and moves.
///
/// # Errors
///
/// The first error in preorder.
pub fn check(tree: &Tree, layout: &Layout) -> Result<(), Fault> {
    let values = tree.values.len();
    if layout.offsets.len() != values {
        let found = layout.offsets.len();
        return Err(Fault::Count { found, values });
    }
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); values];
    for step in 0..tree.len() {
        for value in tree.uses(StepId::new(step)) {
            uses[value.index()].push(step as u32);
        }
    }
    let mut machine = Machine {
        tree,
        unit: match layout.relocations.is_empty() {
            true => 1,
            false => tree.unit(),
        },
        layout,
        uses,
        bytes: BTreeMap::new(),
        offsets: vec![None; values],
        undo: Vec::new(),
        highest: 0,
    };
    let mut marks: Vec<usize> = Vec::with_capacity(tree.segments.len());
    let mut next = 0;
    let mut around: Vec<usize> = Vec::new();
    for (index, segment) in tree.segments.iter().enumerate() {
        while around
            .last()
            .is_some_and(|outer| segment.parent.map(|parent| parent.index()) != Some(*outer))
        {
            around.pop();
        }
        machine.rewind(around.last().map_or(0, |outer| marks[*outer]));
        for step in segment.steps.clone().map(StepId) {
            let end = segment.end;
            if let Some(relocation) = layout.relocations.get(next) {
                if relocation.step < step {
                    return Err(Fault::Order {
                        step: relocation.step,
                    });
                }
                if relocation.step == step {
                    next += 1;
                    for motion in &relocation.motions {
                        machine.motion(step, end, motion)?;
                    }
                }
            }
            machine.step(step, end)?;
        }
        marks.push(machine.undo.len());
        around.push(index);
    }
    match layout.relocations.get(next) {
        Some(relocation) => Err(Fault::Order {
            step: relocation.step,
        }),
        None if machine.highest != layout.peak => Err(Fault::Slack {
            end: machine.highest,
        }),
        None => Ok(()),
    }
}

struct Machine<'t> {
    tree: &'t Tree,
    /// Sizes are rounded up to multiples of this: with moves, the strictest alignment.
    unit: u64,
    layout: &'t Layout,
    uses: Vec<Vec<u32>>,
    /// The value that was placed last at each first byte, with one past its last byte.
    bytes: BTreeMap<u64, (ValueId, u64)>,
    /// The offset of each value, unless it was overwritten.
    offsets: Vec<Option<u64>>,
    /// Changed values with their offsets before, in the order of the changes.
    undo: Vec<(ValueId, Option<u64>)>,
    highest: u64,
}

impl Machine<'_> {
    fn size(&self, value: ValueId) -> u64 {
        self.tree.values[value.index()].size
    }

    /// Whether a value is used at `from` or after it, on a path that continues there. `end` is one past all operations
    /// below the current segment.
    fn is_needed(&self, value: ValueId, from: u32, end: u32) -> bool {
        let uses = &self.uses[value.index()];
        let at = uses.partition_point(|step| *step < from);
        uses.get(at).is_some_and(|step| *step < end)
    }

    fn set(&mut self, value: ValueId, place: Option<u64>) {
        let before = self.replace(value, place);
        self.undo.push((value, before));
    }

    fn replace(&mut self, value: ValueId, place: Option<u64>) -> Option<u64> {
        let before = std::mem::replace(&mut self.offsets[value.index()], place);
        if let Some(before) = before {
            self.bytes.remove(&before);
        }
        if let Some(place) = place {
            self.bytes.insert(place, (value, place + self.size(value)));
        }
        before
    }

    fn rewind(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((value, before)) = self.undo.pop() {
                self.replace(value, before);
            }
        }
    }

    /// Places a value. The bytes that it overwrites must not be needed from `from` on.
    fn put(
        &mut self,
        step: StepId,
        value: ValueId,
        at: u64,
        from: u32,
        end: u32,
    ) -> Result<(), Fault> {
        let facts = &self.tree.values[value.index()];
        let offset = at;
        if facts.size == 0 {
            return Ok(());
        }
        if !offset.is_multiple_of(facts.alignment) {
            return Err(Fault::Alignment { value, offset });
        }
        let top = at.saturating_add(facts.size.next_multiple_of(self.unit));
        if top > self.layout.peak {
            return Err(Fault::Peak { value, end: top });
        }
        self.highest = self.highest.max(top);
        let last = at + facts.size;
        while let Some((_, &(other, other_end))) = self.bytes.range(..last).next_back() {
            if other_end <= at {
                break;
            }
            if other != value && self.is_needed(other, from, end) {
                let by = value;
                return Err(Fault::Overwritten {
                    step,
                    value: other,
                    by,
                });
            }
            self.set(other, None);
        }
        self.set(value, Some(at));
        Ok(())
    }

    fn motion(&mut self, step: StepId, end: u32, motion: &Motion) -> Result<(), Fault> {
        let is_at = |machine: &Self, value: ValueId, place: u64| {
            if machine.tree.values[value.index()].pinned {
                return Err(Fault::Pinned { step, value });
            }
            match machine.offsets[value.index()] == Some(place) {
                true => Ok(()),
                false => Err(Fault::Moved { step, value }),
            }
        };
        match *motion {
            Motion::Move { value, from, to } => {
                is_at(self, value, from)?;
                if from == to {
                    return Err(Fault::Moved { step, value });
                }
                // The operands of the operation itself are needed.
                self.put(step, value, to, step.0, end)
            }
            Motion::Swap { below, above, at } => {
                let unit = self.unit;
                let low = self.size(below).next_multiple_of(unit);
                let high = self.size(above).next_multiple_of(unit);
                is_at(self, below, at)?;
                is_at(self, above, at + low)?;
                self.set(below, None);
                self.set(above, None);
                self.put(step, above, at, step.0, end)?;
                self.put(step, below, at + high, step.0, end)
            }
        }
    }

    fn step(&mut self, step: StepId, end: u32) -> Result<(), Fault> {
        for value in self.tree.uses(step) {
            if self.size(*value) > 0 && self.offsets[value.index()].is_none() {
                let value = *value;
                return Err(Fault::Missing { step, value });
            }
        }
        for value in self.tree.defines(step) {
            let at = self.layout.offsets[value.index()];
            // Operands that nothing else reads may be overwritten now.
            self.put(step, *value, at, step.0 + 1, end)?;
        }
        // All results of an operation exist at once, even unused ones.
        for value in self.tree.defines(step) {
            if self.size(*value) > 0 && self.offsets[value.index()].is_none() {
                let value = *value;
                return Err(Fault::Missing { step, value });
            }
        }
        Ok(())
    }
}
