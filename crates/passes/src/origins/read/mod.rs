//! Where the memrefs of a function come from.

mod control;
mod ops;

use super::{MOVED, Operand, Reading};
use crate::memory_function::{MemoryFunction, Walk};
use memplan_mlir::ir::{Identity, Key, Op, Region, Type, Val, context_of, is_memref, type_of};
use memplan_ownership::{
    dealloc::FlagId,
    function::{Kind, SegmentId, StepIndex, ValueId},
};
use memplan_semantics::Semantics;
use memplan_summaries::Summaries;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads a function with this body. `calls` says what callees do, as far as that is known.
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
    reader.scan(body);
    reader.body(body);
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
    /// Memrefs whose data starts elsewhere than that of what they are views of.
    moved: FxHashSet<Key>,
    flags: FxHashMap<Key, FlagId>,
    i1: Type<'c>,
}

impl<'c> OriginsReader<'c, '_> {
    /// A value; `val` is what it is of the IR.
    fn value(
        &mut self,
        kind: Kind,
        segment: SegmentId,
        step: Option<StepIndex>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let mark = if kind == Kind::Foreign { MOVED } else { 0 };
        self.reading.memory.marks.push(mark);
        self.reading.uses.push(0);
        self.memory.value(kind, segment, step, val)
    }

    /// A value that may be anything that got out.
    fn unknown(&mut self, segment: SegmentId, step: Option<StepIndex>, val: Val<'c>) -> ValueId {
        let id = self.value(Kind::Foreign, segment, step, Some(val));
        self.reading.memory.unknown.push(id);
        id
    }

    /// Whose memory a memref is.
    fn operand(&mut self, val: Val<'c>) -> Operand<'c> {
        let known = self.memory.ids.get(&val.key()).copied();
        // Otherwise it is defined where control never comes from.
        let id = known.unwrap_or_else(|| {
            let id = self.value(Kind::Foreign, SegmentId(0), None, None);
            self.reading.memory.unknown.push(id);
            self.memory.ids.insert(val.key(), id);
            self.moved.insert(val.key());
            id
        });
        let is_moved = self.moved.contains(&val.key());
        Operand { val, id, is_moved }
    }

    /// Whose memory a memref is that is used, and not by a view or a dealloc.
    fn used(&mut self, val: Val<'c>) -> Operand<'c> {
        let operand = self.operand(val);
        self.reading.uses[operand.id.index()] += 1;
        operand
    }

    /// A value is used: if it is a memref, it gets out.
    fn lets_out(&mut self, val: Val<'c>) {
        if is_memref(type_of(val)) {
            let operand = self.used(val);
            self.reading.memory.escapes.push(operand.id);
        }
    }
}
