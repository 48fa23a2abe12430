//! A function's IR into segments, edges and values that refer to memory.
//!
//! Each block is cut behind each operation that control enters regions of. Views are what they are a
//! view of. A use of what holds on to memory without being a memref (a token, a pointer) is a use of the
//! memory, as far as it can be followed. A memref that is still to come, an `!async.value`, is taken for
//! the memref; who frees it waits for it.

mod carriers;
mod containers;
mod held;
mod reach;
mod reductions;
mod settle;
mod taken;
mod touch;
mod transfers;
mod ways;

use super::{
    error::{Trouble, What},
    kinds::Returned,
    told::Callees,
};
use crate::words::Words;
use carriers::Carriers;
use containers::Containers;
use held::Done;
use memplan_flow::SecondaryMap;
use memplan_mlir::ir::{
    Block, Identity, Key, Op, Region, Val, blocks, holds_memref, operands, type_of,
};
use memplan_ownership::function::{
    Edge, EdgeId, Function, Kind, RegionId, Room, Segment, SegmentId, Step, Value, ValueId,
};
use memplan_semantics::{
    Allocator, Semantics,
    graph::{self, ControlGraph},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;
pub use touch::moves;

/// How an edge stands in the IR.
#[derive(Clone, Copy)]
pub enum Way<'c> {
    /// To a successor of a branch.
    Branch(Op<'c>, usize),
    /// From an operation into its regions, or past them.
    Enter(Op<'c>),
    /// From the end of a region to a region of the same operation, or behind it.
    Yield(Op<'c>),
    /// Out of the function.
    Return(Op<'c>),
}

/// Where a segment starts.
#[derive(Clone, Copy)]
pub enum Start<'c> {
    /// With a block.
    Block(Block<'c>),
    /// Behind an operation with regions.
    Behind(Op<'c>),
    /// Between the turns of a reduction by this operation: at no place.
    Between(Op<'c>),
}

/// A function as data, and the IR behind it.
pub struct Reading<'c> {
    /// As data.
    pub function: Function,
    /// For each segment, where it starts.
    pub starts: Vec<Start<'c>>,
    /// For each segment, the operations that are its steps.
    pub steps: Vec<Vec<Op<'c>>>,
    /// For each edge, what it is.
    pub ways: Vec<Way<'c>>,
    /// For each value, the memref, or what holds on to one; `None` for what has no value.
    pub values: Vec<Option<Val<'c>>>,
    /// How the memory of each new value is given back.
    pub freeing: FxHashMap<ValueId, Allocator>,
    /// Of some it will be known only when more functions have been read.
    pub is_pending: bool,
    /// How callers give back what the function returns.
    pub returned: Returned,
    /// Deallocations of memory that the function has to free: they go.
    pub dropped: Vec<Op<'c>>,
    /// A `memref.view` may start elsewhere than what it is a view of.
    pub has_shifts: bool,
    /// There is a `bufferization.dealloc`: who frees what was decided before.
    pub is_done: bool,
    /// Values that the function made, but does not free, and why.
    pub given_away: Vec<(ValueId, Op<'c>)>,
    /// Values given to callees that free them on some ways, if not on all.
    pub perhaps_freed: Vec<(ValueId, Op<'c>)>,
    /// What is freed, by which operation, and whether that does so in any case.
    pub freed: Vec<(Op<'c>, ValueId, bool)>,
    /// Values whose memory something may hold on to behind the function.
    pub lost: Vec<ValueId>,
    /// Where memrefs that were still to come have come: the value, the operation, and its result.
    pub awaits: FxHashMap<ValueId, Vec<(SegmentId, Step, Val<'c>)>>,
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

impl<'c> Reading<'c> {
    /// Something is in the way on an edge.
    pub fn trouble_at(&self, edge: EdgeId, what: What) -> Trouble<'c> {
        let op = self.op_of(edge);
        Trouble { op, what }
    }

    /// The operation that an edge starts at.
    pub fn op_of(&self, edge: EdgeId) -> Op<'c> {
        let (Way::Branch(op, _) | Way::Enter(op) | Way::Yield(op) | Way::Return(op)) =
            self.ways[edge.index()];
        op
    }
}

/// So many operands are compared with each other.
const MOST_COMPARED: usize = 16;

/// For each value that is a view of another one as only the run knows, that one.
pub type Bases<'c> = FxHashMap<Key, Val<'c>>;

/// Reads a function.
pub fn read<'c>(
    body: Region<'c>,
    bases: &Bases<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Result<Reading<'c>, Trouble<'c>> {
    let mut takes: FxHashSet<Key> = FxHashSet::default();
    loop {
        let mut reader = Reader {
            semantics: &mut *semantics,
            reading: Reading {
                function: Function {
                    regions: vec![None],
                    ..Function::default()
                },
                starts: Vec::new(),
                steps: Vec::new(),
                ways: Vec::new(),
                values: Vec::new(),
                freeing: FxHashMap::default(),
                is_pending: false,
                returned: Returned::default(),
                dropped: Vec::new(),
                has_shifts: false,
                is_done: false,
                given_away: Vec::new(),
                perhaps_freed: Vec::new(),
                freed: Vec::new(),
                lost: Vec::new(),
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
            callees,
            takes: takes.clone(),
            mixed: Vec::new(),
            ids: FxHashMap::default(),
            blocks: FxHashMap::default(),
            graph: Rc::default(),
            segments: SecondaryMap::with_default(SegmentId(0)),
            touching: FxHashSet::default(),
            carriers: Carriers::default(),
            containers: Containers::default(),
            words: Words::default(),
            frees: Vec::new(),
            transfers: FxHashMap::default(),
            awaited: FxHashMap::default(),
            escapes: Vec::new(),
            programs: FxHashSet::default(),
            trouble: None,
        };
        reader.function(body);
        if let Some(trouble) = reader.trouble {
            return Err(trouble);
        }
        if reader.mixed.is_empty() {
            return Ok(reader.reading);
        }
        takes.extend(reader.mixed);
    }
}

/// Where control goes at the end of a region.
#[derive(Clone, Copy)]
struct Around<'c> {
    op: Op<'c>,
    next: SegmentId,
    /// Regions run one after another, as the interfaces say; else in any order, any number of times.
    is_known: bool,
}

struct Reader<'c, 'n> {
    /// What operations do to memory.
    semantics: &'n mut Semantics,
    reading: Reading<'c>,
    ids: FxHashMap<Key, ValueId>,
    blocks: FxHashMap<Key, SegmentId>,
    /// Where control goes.
    graph: Rc<ControlGraph<'c>>,
    /// Where the segments of the graph start.
    segments: SecondaryMap<graph::SegmentId, SegmentId>,
    /// What goes along with values that are views of it.
    bases: &'n Bases<'c>,
    /// What is known of calls.
    callees: &'n Callees<'n>,
    /// Deallocations of memory that may be the function's or someone else's: they take it.
    takes: FxHashSet<Key>,
    /// More such, which have come up only now.
    mixed: Vec<Key>,
    /// Operations with regions that touch memrefs.
    touching: FxHashSet<Key>,
    /// Values that hold on to memory without being memrefs.
    carriers: Carriers<'c>,
    /// Memory that holds memrefs.
    containers: Containers<'c>,
    /// Memory that memrefs are laid out in for their words.
    words: Words<'c>,
    /// Deallocations, and what they free.
    frees: Vec<(Op<'c>, ValueId)>,
    /// What transfers use, by the waits for these.
    transfers: FxHashMap<Key, SmallVec<[ValueId; 3]>>,
    /// How what tokens stand for is known to be done in the block that they are made in.
    awaited: FxHashMap<Key, Option<Done<'c>>>,
    /// Values whose memory is out of the function's hands, and where.
    escapes: Vec<(ValueId, Op<'c>)>,
    /// Stores of what the program frees itself, by loads.
    programs: FxHashSet<Key>,
    trouble: Option<Trouble<'c>>,
}

impl<'c> Reader<'c, '_> {
    fn function(&mut self, body: Region<'c>) {
        self.scan(body);
        self.graph = Rc::new(self.control(body));
        // As if something made it: it is no argument.
        self.reading.elsewhere = self.value(Kind::Foreign, SegmentId(0), Some(0), None);
        self.make_blocks(graph::BODY, RegionId(0), None);
        self.region(graph::BODY, RegionId(0), None);
        let Some(entry) = blocks(body).next() else {
            return;
        };
        debug_assert_eq!(self.blocks[&entry.key()], SegmentId(0));
        self.settle();
    }

    fn fails(&mut self, op: Op<'c>, what: What) {
        self.trouble.get_or_insert(Trouble { op, what });
    }

    fn value(
        &mut self,
        kind: Kind,
        segment: SegmentId,
        step: Option<Step>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let function = &mut self.reading.function;
        let id = ValueId::new(function.values.len());
        if kind == Kind::Param {
            function.segments[segment.index()].params.push(id);
        }
        function.values.push(Value {
            kind,
            segment,
            step,
        });
        self.reading.values.push(val);
        if let Some(val) = val {
            self.ids.insert(val.key(), id);
        }
        id
    }

    /// Values for arguments of a block, or results of an operation, that come at the start of a segment: passed by its
    /// edges, or from elsewhere.
    fn values(
        &mut self,
        are_passed: bool,
        segment: SegmentId,
        vals: impl Iterator<Item = Val<'c>>,
    ) {
        let is_view = |val: &Val<'c>| self.bases.contains_key(&val.key());
        let (views, others): (Vec<Val<'c>>, Vec<Val<'c>>) = vals
            .filter(|val| holds_memref(type_of(*val)))
            .partition(is_view);
        for val in others {
            if !self.ids.contains_key(&val.key()) {
                let kind = match are_passed {
                    true => Kind::Param,
                    false => Kind::Foreign,
                };
                self.value(kind, segment, None, Some(val));
            }
        }
        for val in views {
            self.is_based(val);
        }
    }

    /// Takes a value for what goes along with it as what it is a view of; false if nothing does.
    fn is_based(&mut self, val: Val<'c>) -> bool {
        let base = self.bases.get(&val.key());
        let Some(id) = base.and_then(|base| self.ids.get(&base.key())).copied() else {
            return false;
        };
        self.ids.insert(val.key(), id);
        true
    }

    fn segment(&mut self, region: RegionId, start: Start<'c>) -> SegmentId {
        let segments = &mut self.reading.function.segments;
        segments.push(Segment {
            region: Some(region),
            is_virtual: matches!(start, Start::Between(_)),
            ..Segment::default()
        });
        self.reading.starts.push(start);
        self.reading.steps.push(Vec::new());
        SegmentId::new(self.reading.starts.len() - 1)
    }

    fn step(&mut self, segment: SegmentId, op: Op<'c>) -> Step {
        let steps = &mut self.reading.function.segments[segment.index()].steps;
        *steps += 1;
        self.reading.steps[segment.index()].push(op);
        *steps - 1
    }

    fn uses(&mut self, segment: SegmentId, step: Step, value: ValueId) {
        let uses = &mut self.reading.function.segments[segment.index()].uses;
        if uses.last() != Some(&(step, value)) {
            uses.push((step, value));
        }
    }

    /// The value behind one of the IR, if it refers to memory; a memref that was not come across is
    /// memory that is not followed.
    fn id(&self, val: Val<'c>) -> Option<ValueId> {
        match self.ids.get(&val.key()) {
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

    fn edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        passed: Vec<Option<ValueId>>,
        room: Room,
        way: Way<'c>,
    ) {
        let function = &mut self.reading.function;
        let edge = EdgeId::new(function.edges.len());
        function.edges.push(Edge {
            from,
            to,
            passed,
            room,
        });
        function.segments[from.index()].edges.push(edge);
        self.reading.ways.push(way);
    }
}
