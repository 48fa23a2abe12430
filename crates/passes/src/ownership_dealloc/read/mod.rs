//! What a function does with memory, on the segments, edges and values that a walk lays out
//! ([`memory_function`](crate::memory_function)).
//!
//! A use of what holds on to memory without being a memref (a token, a pointer) is a use of the
//! memory, as far as it can be followed. A memref that is still to come, an `!async.value`, is taken for
//! the memref; who frees it waits for it.

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
    allocators::Returned,
    error::{Error, ErrorKind},
    ownership_summary::Callees,
};
pub use crate::memory_function::{IrEdge, Start};
use crate::memory_function::{MemoryFunction, Walk};
pub use consumed::describe;
use derived_pointers::Carriers;
use memplan_mlir::ir::{
    Identity, Key, Op, Region, Val, block_parent, blocks, holds_memref, operands, type_of,
};
use memplan_ownership::function::{EdgeId, Kind, SegmentId, StepIndex, ValueId};
use memplan_semantics::{Allocator, Semantics, graph::ControlGraph};
use memplan_summaries::{Pending, SpilledDescriptors};
use nested_memrefs::Containers;
pub use promote::ValueInMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{ops::Deref, rc::Rc};

/// A function as data, and what is known of its memory.
pub struct Reading<'c> {
    /// Segments, edges and values.
    pub memory: MemoryFunction<'c>,
    /// How the memory of each new value is given back.
    pub freeing: FxHashMap<ValueId, Allocator>,
    /// How callers give back what the function returns.
    pub returned: Returned,
    /// Deallocations of memory that the function has to free: they go.
    pub dropped: Vec<Op<'c>>,
    /// A `memref.view` may start elsewhere than what it is a view of.
    pub has_shifts: bool,
    /// Results of calls that are always the same argument, borrowed: the operand, and whether the result may start elsewhere.
    pub borrowed_arguments: FxHashMap<Key, (u32, bool)>,
    /// Other borrowed results of calls, which may be arguments.
    pub borrowed: Vec<ValueId>,
    /// What the function made that a `bufferization.dealloc` of the program's retains: where it is returned, the program owns it.
    pub retained: FxHashSet<ValueId>,
    /// There is a `bufferization.dealloc`: who frees what was decided before.
    pub is_done: bool,
    /// What is marked as borrowed is never new memory, although an edge that is never taken would forward some.
    pub is_never_new: bool,
    /// Calls of values, of whose results the functions that they may call do not say the same.
    pub disagreed: Vec<Op<'c>>,
    /// Values that the function made, but does not free, and why.
    pub given_away: Vec<(ValueId, Op<'c>)>,
    /// Values that the function made, but does not free, as no code can be put where they would have to be, and the
    /// branch that goes there.
    pub stranded: Vec<(ValueId, Op<'c>)>,
    /// Values given to callees that free them on some ways, if not on all.
    pub perhaps_freed: Vec<(ValueId, Op<'c>)>,
    /// Calls that free memory perhaps, where the rest is left to the program.
    pub left: Vec<Op<'c>>,
    /// Values that stand for no value of the IR, but can be read from memory.
    pub held_in: Vec<ValueInMemory>,
    /// What is freed, by which operation.
    pub freed: Vec<(Op<'c>, ValueId)>,
    /// Where memrefs that were still to come have come: the value, the operation, and its result.
    pub awaits: FxHashMap<ValueId, Vec<(SegmentId, StepIndex, Val<'c>)>>,
    /// Calls with an attribute under the name that the version before gave it.
    pub old_names: Vec<Op<'c>>,
    /// Calls that say which of their memrefs are new, with those.
    pub told: Vec<(Op<'c>, Vec<ValueId>)>,
    /// Values that are loaded from memory.
    pub loaded: Vec<ValueId>,
    /// Copies by `bufferization.clone`.
    pub clones: Vec<Op<'c>>,
    /// Memory that is not followed.
    pub elsewhere: ValueId,
    /// The edges into each segment.
    pub incoming: Vec<SmallVec<[EdgeId; 2]>>,
    /// Whether each segment is ever reached.
    pub reached: Vec<bool>,
}

impl<'c> Deref for Reading<'c> {
    type Target = MemoryFunction<'c>;

    fn deref(&self) -> &MemoryFunction<'c> {
        &self.memory
    }
}

impl<'c> Reading<'c> {
    /// Something is in the way on an edge.
    pub fn trouble_at(&self, edge: EdgeId, what: ErrorKind) -> Error<'c> {
        let op = self.op_of(edge);
        Error { op, what }
    }

    /// The operation that an edge starts at.
    pub fn op_of(&self, edge: EdgeId) -> Op<'c> {
        self.ways[edge.index()].op()
    }
}

/// So many operands are compared with each other.
const MOST_COMPARED: usize = 16;

/// For each value that is a view of another one, which is known only at run time, that one.
pub type Bases<'c> = FxHashMap<Key, Val<'c>>;

/// What is not freed, as came up only when a plan was made.
#[derive(Default)]
pub struct Stays<'c> {
    /// Memory for which no code can be put where it would have to be freed, and the branch that goes there.
    pub stranded: Vec<(Val<'c>, Op<'c>)>,
    /// Calls that free memory perhaps, what of it is left being the program's to free.
    pub left: FxHashSet<Key>,
    /// No memory is taken for a variable.
    pub without_variables: bool,
    /// A `bufferization.dealloc` frees what it names, and says nothing of the rest of the function.
    pub by_flags: bool,
}

/// Reads a function.
pub fn read<'c>(
    body: Region<'c>,
    bases: &Bases<'c>,
    stays: &Stays<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Result<Reading<'c>, Error<'c>> {
    let mut takes: FxHashSet<Key> = FxHashSet::default();
    let mut left = stays.left.clone();
    let function = blocks(body).next().and_then(block_parent);
    let taken_over = function.map(|function| callees.taken_over(function));
    let taken_over = taken_over.unwrap_or_default();
    loop {
        let mut reader = OwnershipReader {
            semantics: &mut *semantics,
            reading: Reading {
                memory: MemoryFunction::default(),
                freeing: FxHashMap::default(),
                returned: Returned::default(),
                dropped: Vec::new(),
                has_shifts: false,
                borrowed_arguments: FxHashMap::default(),
                borrowed: Vec::new(),
                retained: FxHashSet::default(),
                is_done: false,
                is_never_new: false,
                disagreed: Vec::new(),
                given_away: Vec::new(),
                stranded: Vec::new(),
                perhaps_freed: Vec::new(),
                left: Vec::new(),
                held_in: Vec::new(),
                freed: Vec::new(),
                awaits: FxHashMap::default(),
                old_names: Vec::new(),
                told: Vec::new(),
                loaded: Vec::new(),
                clones: Vec::new(),
                elsewhere: ValueId(0),
                incoming: Vec::new(),
                reached: Vec::new(),
            },
            bases,
            stranded: &stays.stranded,
            callees,
            takes: takes.clone(),
            mixed: Vec::new(),
            taken_over: taken_over.clone(),
            left: left.clone(),
            more_left: Vec::new(),
            left_alone: Vec::new(),
            without_variables: stays.without_variables,
            by_flags: stays.by_flags,
            retained: Vec::new(),
            freed_for_sure: FxHashSet::default(),
            blocks: FxHashMap::default(),
            carriers: Carriers::default(),
            containers: Containers::default(),
            words: SpilledDescriptors::default(),
            frees: Vec::new(),
            pending: None,
            held: Vec::new(),
            escapes: Vec::new(),
            programs: FxHashSet::default(),
            trouble: None,
        };
        reader.function(body);
        if let Some(trouble) = reader.trouble {
            return Err(trouble);
        }
        if reader.mixed.is_empty() && reader.more_left.is_empty() {
            return Ok(reader.reading);
        }
        takes.extend(reader.mixed);
        left.extend(reader.more_left);
    }
}

struct OwnershipReader<'c, 'n> {
    /// What operations do to memory.
    semantics: &'n mut Semantics,
    reading: Reading<'c>,
    /// The segments that blocks start with, when all have been read.
    blocks: FxHashMap<Key, SegmentId>,
    /// What goes along with values that are views of it.
    bases: &'n Bases<'c>,
    /// What is known not to be freed.
    stranded: &'n [(Val<'c>, Op<'c>)],
    /// What is known of calls.
    callees: &'n Callees<'n>,
    /// Deallocations of memory that may be the function's or someone else's: they take it.
    takes: FxHashSet<Key>,
    /// More such, which have come up only now.
    mixed: Vec<Key>,
    /// The arguments that the function becomes the owner of.
    taken_over: SmallVec<[u32; 2]>,
    /// Calls that free memory perhaps, what of it is left being the program's to free.
    left: FxHashSet<Key>,
    /// More such, which have come up only now.
    more_left: Vec<Key>,
    /// What they may free.
    left_alone: Vec<(ValueId, Op<'c>)>,
    /// No memory is taken for a variable.
    without_variables: bool,
    /// A `bufferization.dealloc` frees what it names, and says nothing of the rest of the function.
    by_flags: bool,
    /// What these retain.
    retained: Vec<ValueId>,
    /// Of what these free, what they always free.
    freed_for_sure: FxHashSet<(ValueId, Key)>,
    /// Values that hold on to memory without being memrefs.
    carriers: Carriers<'c>,
    /// Memory that holds memrefs.
    containers: Containers<'c>,
    /// Memory that memrefs are laid out in for their words.
    words: SpilledDescriptors<'c>,
    /// Deallocations, and what they free.
    frees: Vec<(Op<'c>, ValueId)>,
    /// Until when asynchronous operations are pending, once there is one, and the graph that says so.
    pending: Option<(Pending<'c>, Rc<ControlGraph<'c>>)>,
    /// Those that control waits for, and what they use until then.
    held: Vec<(Op<'c>, SmallVec<[ValueId; 2]>)>,
    /// Values whose memory is out of the function's hands, and where.
    escapes: Vec<(ValueId, Op<'c>)>,
    /// Stores of what the program frees itself, by loads.
    programs: FxHashSet<Key>,
    trouble: Option<Error<'c>>,
}

impl<'c> OwnershipReader<'c, '_> {
    fn function(&mut self, body: Region<'c>) {
        self.find_touching(body);
        // As if something made it: it is no argument.
        self.reading.elsewhere = self
            .memory()
            .value(Kind::Foreign, SegmentId(0), Some(0), None);
        self.body(body);
        let starts = self.reading.starts.iter().enumerate();
        self.blocks = starts
            .filter_map(|(at, start)| match start {
                Start::Block(block) => Some((block.key(), SegmentId::new(at))),
                Start::Behind(_) | Start::Between(_) => None,
            })
            .collect();
        if blocks(body).next().is_some() {
            self.settle();
        }
    }

    fn fails(&mut self, op: Op<'c>, what: ErrorKind) {
        self.trouble.get_or_insert(Error { op, what });
    }

    /// Values for arguments of a block, or results of an operation, that come at the start of a segment.
    fn values(&mut self, kind: &Kind, segment: SegmentId, vals: impl Iterator<Item = Val<'c>>) {
        let is_view = |val: &Val<'c>| self.bases.contains_key(&val.key());
        let (views, others): (Vec<Val<'c>>, Vec<Val<'c>>) = vals
            .filter(|val| holds_memref(type_of(*val)))
            .partition(is_view);
        for val in others {
            if !self.reading.memory.ids.contains_key(&val.key()) {
                self.memory().value(kind.clone(), segment, None, Some(val));
            }
        }
        for val in views {
            self.is_based(val);
        }
    }

    /// Takes a value for what goes along with it as what it is a view of; false if nothing does.
    fn is_based(&mut self, val: Val<'c>) -> bool {
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

    fn uses(&mut self, segment: SegmentId, step: StepIndex, value: ValueId) {
        let uses = &mut self.reading.memory.function.segments[segment.index()].uses;
        if uses.last() != Some(&(step, value)) {
            uses.push((step, value));
        }
    }

    /// The value behind one of the IR, if it refers to memory; a memref that was not come across is
    /// memory that is not followed.
    fn id(&self, val: Val<'c>) -> Option<ValueId> {
        match self.reading.memory.ids.get(&val.key()) {
            Some(id) => Some(*id),
            None => holds_memref(type_of(val)).then_some(self.reading.elsewhere),
        }
    }

    fn ids(&self, op: Op<'c>) -> SmallVec<[ValueId; 4]> {
        let mut all: SmallVec<[ValueId; 4]> = SmallVec::new();
        // Most operations have few operands; a set is for calls of hundreds.
        let mut seen = FxHashSet::default();
        for id in operands(op).filter_map(|operand| self.id(operand)) {
            if seen.is_empty() && all.len() == MOST_COMPARED {
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
