//! Reads what a function does to memory, on top of the segments, edges and values of
//! [`memory_function`](crate::memory_function).
//!
//! Some values hold on to memory without being memrefs, such as tokens and pointers. A use of such a value is
//! a use of the memory, as far as it can be followed. An `!async.value` of a memref counts as the memref;
//! code that frees it awaits it first.

mod consumed;
mod control;
mod derived_pointers;
mod external_frees;
mod finish;
mod nested_memrefs;
mod op_effects;
mod pending_uses;
mod promote;
mod reachability;
mod reductions;

use super::{
    error::{Error, ErrorKind},
    ownership_summary::Callees,
    returned_allocators::ReturnedAllocators,
};
pub use crate::memory_function::{IrEdge, SegmentStart};
use crate::memory_function::{MemoryFunction, Walk};
pub use consumed::describe;
use derived_pointers::DerivedPointers;
use memplan_mlir::ir::{
    Identity, Key, Op, Region, Val, block_parent, blocks, holds_memref, operands, type_of,
};
use memplan_ownership::function::{EdgeId, SegmentId, StepIndex, ValueId, ValueKind};
use memplan_semantics::{Allocator, Semantics, graph::ControlGraph};
use memplan_summaries::{Pending, SpilledDescriptors};
use nested_memrefs::NestedMemrefs;
pub use promote::ValueInMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{ops::Deref, rc::Rc};

/// A function as plain data, with what is known of its memory.
pub struct Reading<'c> {
    /// Segments, edges and values.
    pub memory: MemoryFunction<'c>,
    /// The allocator of each new value's memory.
    pub allocators: FxHashMap<ValueId, Allocator>,
    /// The allocators of the memory that the function returns.
    pub returned_allocators: ReturnedAllocators,
    /// Deallocations of memory that the plan frees: they are erased.
    pub dropped: Vec<Op<'c>>,
    /// Some view may start elsewhere than its source, such as that of a `memref.view`.
    pub has_shifts: bool,
    /// Borrowed results of calls that are always the same argument: the operand, and whether the result may
    /// be shifted.
    pub borrowed_arguments: FxHashMap<Key, (u32, bool)>,
    /// Other borrowed results of calls, which may be arguments.
    pub borrowed: Vec<ValueId>,
    /// New memory that a `bufferization.dealloc` of the program retains. The program owns such memory if it
    /// is returned.
    pub retained: FxHashSet<ValueId>,
    /// The function contains a `bufferization.dealloc`, so it has been through deallocation.
    pub is_already_deallocated: bool,
    /// Results that are marked as borrowed are never new memory, even if an edge that is never taken forwards
    /// some.
    pub borrowed_is_never_new: bool,
    /// Indirect calls whose possible callees differ in the ownership of their results.
    pub disagreeing_calls: Vec<Op<'c>>,
    /// New memory that the function does not free, and the operation through which it escapes.
    pub disowned: Vec<(ValueId, Op<'c>)>,
    /// New memory that the function does not free because no code can be placed where it would have to be
    /// freed, and the branch there.
    pub unplaceable: Vec<(ValueId, Op<'c>)>,
    /// Values passed to callees that free them on some paths, but not on all.
    pub perhaps_freed: Vec<(ValueId, Op<'c>)>,
    /// Calls that free memory on some paths, where the program frees it otherwise.
    pub left_to_program: Vec<Op<'c>>,
    /// Values that stand for no value of the IR, but can be loaded from memory.
    pub values_in_memory: Vec<ValueInMemory>,
    /// Freed values, each with the operation that frees it.
    pub freed: Vec<(Op<'c>, ValueId)>,
    /// For each awaited value: where it is awaited, and the result of that operation.
    pub awaits: FxHashMap<ValueId, Vec<(SegmentId, StepIndex, Val<'c>)>>,
    /// Calls with an attribute under the name of the previous version.
    pub old_names: Vec<Op<'c>>,
    /// Calls that return ownership flags, with their result memrefs.
    pub flag_calls: Vec<(Op<'c>, Vec<ValueId>)>,
    /// Loaded memrefs.
    pub loaded: Vec<ValueId>,
    /// Clones, by `bufferization.clone`.
    pub clones: Vec<Op<'c>>,
    /// The value of memory that is not followed.
    pub untracked: ValueId,
    /// The edges into each segment.
    pub incoming: Vec<SmallVec<[EdgeId; 2]>>,
    /// For each segment, whether it is reachable.
    pub reached: Vec<bool>,
}

impl<'c> Deref for Reading<'c> {
    type Target = MemoryFunction<'c>;

    fn deref(&self) -> &MemoryFunction<'c> {
        &self.memory
    }
}

impl<'c> Reading<'c> {
    /// An error at the operation of an edge.
    pub fn error_at(&self, edge: EdgeId, kind: ErrorKind) -> Error<'c> {
        let op = self.op_of(edge);
        Error { op, kind }
    }

    /// The operation that an edge starts at.
    pub fn op_of(&self, edge: EdgeId) -> Op<'c> {
        self.ir_edges[edge.index()].op()
    }
}

/// More operands than this are compared through a hash set.
const MAX_COMPARED: usize = 16;

/// For each view whose base is forwarded, the base.
pub type BaseMemrefs<'c> = FxHashMap<Key, Val<'c>>;

/// Constraints on reading that earlier attempts at a plan found.
#[derive(Default)]
pub struct ReadConstraints<'c> {
    /// Memory that cannot be freed because no code can be placed where it would have to be, and the branch
    /// there.
    pub unplaceable: Vec<(Val<'c>, Op<'c>)>,
    /// Calls that free memory on some paths; on the others the program frees it.
    pub left_to_program: FxHashSet<Key>,
    /// No memref of a memref is promoted to a value.
    pub without_promotion: bool,
    /// The operands of a `bufferization.dealloc` are the program's to free; the rest of the function is not
    /// deallocated yet.
    pub program_frees_by_flags: bool,
}

/// Reads a function.
pub fn read<'c>(
    body: Region<'c>,
    bases: &BaseMemrefs<'c>,
    constraints: &ReadConstraints<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Result<Reading<'c>, Error<'c>> {
    let mut takes: FxHashSet<Key> = FxHashSet::default();
    let mut left_to_program = constraints.left_to_program.clone();
    let function = blocks(body).next().and_then(block_parent);
    let taken_over = function.map(|function| callees.taken_over(function));
    let taken_over = taken_over.unwrap_or_default();
    loop {
        let mut reader = OwnershipReader {
            semantics: &mut *semantics,
            reading: Reading {
                memory: MemoryFunction::default(),
                allocators: FxHashMap::default(),
                returned_allocators: ReturnedAllocators::default(),
                dropped: Vec::new(),
                has_shifts: false,
                borrowed_arguments: FxHashMap::default(),
                borrowed: Vec::new(),
                retained: FxHashSet::default(),
                is_already_deallocated: false,
                borrowed_is_never_new: false,
                disagreeing_calls: Vec::new(),
                disowned: Vec::new(),
                unplaceable: Vec::new(),
                perhaps_freed: Vec::new(),
                left_to_program: Vec::new(),
                values_in_memory: Vec::new(),
                freed: Vec::new(),
                awaits: FxHashMap::default(),
                old_names: Vec::new(),
                flag_calls: Vec::new(),
                loaded: Vec::new(),
                clones: Vec::new(),
                untracked: ValueId(0),
                incoming: Vec::new(),
                reached: Vec::new(),
            },
            bases,
            stranded: &constraints.unplaceable,
            callees,
            consuming_frees: takes.clone(),
            more_consuming_frees: Vec::new(),
            taken_over: taken_over.clone(),
            left_to_program: left_to_program.clone(),
            more_left_to_program: Vec::new(),
            perhaps_left: Vec::new(),
            without_promotion: constraints.without_promotion,
            program_frees_by_flags: constraints.program_frees_by_flags,
            retained: Vec::new(),
            always_freed: FxHashSet::default(),
            blocks: FxHashMap::default(),
            pointers: DerivedPointers::default(),
            nested: NestedMemrefs::default(),
            words: SpilledDescriptors::default(),
            frees: Vec::new(),
            pending: None,
            pending_uses: Vec::new(),
            escapes: Vec::new(),
            program_freed_stores: FxHashSet::default(),
            error: None,
        };
        reader.read_function(body);
        if let Some(error) = reader.error {
            return Err(error);
        }
        if reader.more_consuming_frees.is_empty() && reader.more_left_to_program.is_empty() {
            return Ok(reader.reading);
        }
        takes.extend(reader.more_consuming_frees);
        left_to_program.extend(reader.more_left_to_program);
    }
}

struct OwnershipReader<'c, 'n> {
    /// The effects of operations.
    semantics: &'n mut Semantics,
    reading: Reading<'c>,
    /// The segments that blocks start with, once all have been read.
    blocks: FxHashMap<Key, SegmentId>,
    /// The bases that are forwarded along with views.
    bases: &'n BaseMemrefs<'c>,
    /// Memory that is known not to be freed.
    stranded: &'n [(Val<'c>, Op<'c>)],
    /// The summaries of callees.
    callees: &'n Callees<'n>,
    /// Deallocations of memory that may be the function's or belong to others: they consume it.
    consuming_frees: FxHashSet<Key>,
    /// More such deallocations, found in this attempt.
    more_consuming_frees: Vec<Key>,
    /// The numbers of the arguments that the function becomes the owner of.
    taken_over: SmallVec<[u32; 2]>,
    /// Calls that free memory on some paths; on the others the program frees it.
    left_to_program: FxHashSet<Key>,
    /// More such calls, found in this attempt.
    more_left_to_program: Vec<Key>,
    /// The memory that such calls may free.
    perhaps_left: Vec<(ValueId, Op<'c>)>,
    /// No memref of a memref is promoted to a value.
    without_promotion: bool,
    /// The operands of a `bufferization.dealloc` are the program's to free; the rest of the function is not
    /// deallocated yet.
    program_frees_by_flags: bool,
    /// The values that these retain.
    retained: Vec<ValueId>,
    /// The values that these free unconditionally.
    always_freed: FxHashSet<(ValueId, Key)>,
    /// Values that hold on to memory without being memrefs.
    pointers: DerivedPointers<'c>,
    /// Memory that holds memrefs.
    nested: NestedMemrefs<'c>,
    /// Memory to which descriptors of memrefs are spilled.
    words: SpilledDescriptors<'c>,
    /// Deallocations, with the values that they free.
    frees: Vec<(Op<'c>, ValueId)>,
    /// The live ranges of asynchronous operations and the control-flow graph that they refer to, once there
    /// is such an operation.
    pending: Option<(Pending<'c>, Rc<ControlGraph<'c>>)>,
    /// Asynchronous operations that are awaited, and the memory that they use until then.
    pending_uses: Vec<(Op<'c>, SmallVec<[ValueId; 2]>)>,
    /// Values whose memory escapes, each with the operation through which it does.
    escapes: Vec<(ValueId, Op<'c>)>,
    /// Stores of memory that the program frees through loads.
    program_freed_stores: FxHashSet<Key>,
    error: Option<Error<'c>>,
}

impl<'c> OwnershipReader<'c, '_> {
    fn read_function(&mut self, body: Region<'c>) {
        self.find_touching(body);
        // Defined by a step, since it is no argument.
        self.reading.untracked =
            self.memory()
                .add_value(ValueKind::Foreign, SegmentId(0), Some(0), None);
        self.walk_body(body);
        let starts = self.reading.starts.iter().enumerate();
        self.blocks = starts
            .filter_map(|(at, start)| match start {
                SegmentStart::Block(block) => Some((block.key(), SegmentId::new(at))),
                SegmentStart::After(_) | SegmentStart::Between(_) => None,
            })
            .collect();
        if blocks(body).next().is_some() {
            self.settle();
        }
    }

    fn set_error(&mut self, op: Op<'c>, kind: ErrorKind) {
        self.error.get_or_insert(Error { op, kind });
    }

    /// Adds values for block arguments or results that are defined at the start of a segment.
    fn add_values(
        &mut self,
        kind: &ValueKind,
        segment: SegmentId,
        vals: impl Iterator<Item = Val<'c>>,
    ) {
        let is_view = |val: &Val<'c>| self.bases.contains_key(&val.key());
        let (views, others): (Vec<Val<'c>>, Vec<Val<'c>>) = vals
            .filter(|val| holds_memref(type_of(*val)))
            .partition(is_view);
        for val in others {
            if !self.reading.memory.ids.contains_key(&val.key()) {
                self.memory()
                    .add_value(kind.clone(), segment, None, Some(val));
            }
        }
        for val in views {
            self.use_base(val);
        }
    }

    /// Uses the value of the base for a view. False if the view has no base.
    fn use_base(&mut self, val: Val<'c>) -> bool {
        let base = self.bases.get(&val.key());
        let Some(id) = base
            .and_then(|base| self.reading.memory.ids.get(&base.key()))
            .copied()
        else {
            return false;
        };
        self.reading.memory.ids.insert(val.key(), id);
        true
    }

    fn add_use(&mut self, segment: SegmentId, step: StepIndex, value: ValueId) {
        let uses = &mut self.reading.memory.function.segments[segment.index()].uses;
        if uses.last() != Some(&(step, value)) {
            uses.push((step, value));
        }
    }

    /// The value that a value of the IR stands for, if it refers to memory. An unknown memref is memory that
    /// is not followed.
    fn value_id(&self, val: Val<'c>) -> Option<ValueId> {
        match self.reading.memory.ids.get(&val.key()) {
            Some(id) => Some(*id),
            None => holds_memref(type_of(val)).then_some(self.reading.untracked),
        }
    }

    fn value_ids(&self, op: Op<'c>) -> SmallVec<[ValueId; 4]> {
        let mut all: SmallVec<[ValueId; 4]> = SmallVec::new();
        // Most operations have few operands. The set is for calls with hundreds.
        let mut seen = FxHashSet::default();
        for id in operands(op).filter_map(|operand| self.value_id(operand)) {
            if seen.is_empty() && all.len() == MAX_COMPARED {
                seen.extend(all.iter().copied());
            }
            let is_known = match seen.is_empty() {
                true => all.contains(&id),
                false => !seen.insert(id),
            };
            if !is_known {
                all.push(id);
            }
        }
        all
    }
}
