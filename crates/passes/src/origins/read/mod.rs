//! Reads the origins of a function's memrefs.

mod control;
mod ops;

use super::{DeallocOperand, MOVED, Reading};
use crate::memory_function::{MemoryFunction, Walk};
use memplan_mlir::ir::{Identity, Key, Op, Region, Type, Val, context_of, is_memref, type_of};
use memplan_ownership::{
    dealloc::FlagId,
    function::{SegmentId, StepIndex, ValueId, ValueKind},
};
use memplan_semantics::Semantics;
use memplan_summaries::Summaries;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads a function with this body, by the summaries of its callees.
pub fn read<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
    calls: &Summaries,
) -> Reading<'c> {
    let i1 = context_of(function).integer_type(1);
    let mut reader = OriginsReader {
        semantics,
        calls,
        reading: Reading::default(),
        memory: MemoryFunction::default(),
        moved: FxHashSet::default(),
        flags: FxHashMap::default(),
        i1,
    };
    reader.scan_region(body);
    reader.walk_body(body);
    let (mut reading, memory) = (reader.reading, reader.memory);
    reading.memory.function = memory.function;
    reading.roots = memory.values;
    reading
}

struct OriginsReader<'c, 'n> {
    semantics: &'n mut Semantics,
    calls: &'n Summaries,
    reading: Reading<'c>,
    memory: MemoryFunction<'c>,
    /// Memrefs whose data starts elsewhere than that of their source.
    moved: FxHashSet<Key>,
    flags: FxHashMap<Key, FlagId>,
    i1: Type<'c>,
}

impl<'c> OriginsReader<'c, '_> {
    /// Adds a value that stands for `val`.
    fn value(
        &mut self,
        kind: ValueKind,
        segment: SegmentId,
        step: Option<StepIndex>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let mark = if kind == ValueKind::Foreign { MOVED } else { 0 };
        self.reading.memory.marks.push(mark);
        self.reading.uses.push(0);
        self.memory.add_value(kind, segment, step, val)
    }

    /// Adds a value that may be any memory that escaped.
    fn unknown(&mut self, segment: SegmentId, step: Option<StepIndex>, val: Val<'c>) -> ValueId {
        let id = self.value(ValueKind::Foreign, segment, step, Some(val));
        self.reading.memory.unknown.push(id);
        id
    }

    /// The operand for a memref.
    fn operand(&mut self, val: Val<'c>) -> DeallocOperand<'c> {
        let known = self.memory.ids.get(&val.key()).copied();
        // The memref is defined in code that is never reached.
        let id = known.unwrap_or_else(|| {
            let id = self.value(ValueKind::Foreign, SegmentId(0), None, None);
            self.reading.memory.unknown.push(id);
            self.memory.ids.insert(val.key(), id);
            self.moved.insert(val.key());
            id
        });
        let is_moved = self.moved.contains(&val.key());
        DeallocOperand { val, id, is_moved }
    }

    /// The operand for a memref, which counts as used. Uses by views and deallocs do not count.
    fn used(&mut self, val: Val<'c>) -> DeallocOperand<'c> {
        let operand = self.operand(val);
        self.reading.uses[operand.id.index()] += 1;
        operand
    }

    /// Marks a value as used, and as escaped if it is a memref.
    fn escapes(&mut self, val: Val<'c>) {
        if is_memref(type_of(val)) {
            let operand = self.used(val);
            self.reading.memory.escapes.push(operand.id);
        }
    }
}
