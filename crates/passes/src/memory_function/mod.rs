//! A function's IR as segments, edges and values that refer to memory: one reader for all passes that ask where memrefs
//! come from.
//!
//! Each block is cut after each operation that control enters regions of. Views are what they are a view of. [`Walk`] goes
//! through the blocks so that definitions come before uses, and lays out segments and edges as the control-flow graph has
//! them; the pass that reads says which values stand for memory, and what operations do with it.

mod walk;

pub use walk::{Around, Come, Ending, OpPosition, Walk};

use memplan_flow::{PackedOption, SecondaryMap};
use memplan_mlir::ir::{Block, Identity, Key, Op, Val};
use memplan_ownership::function::{
    Edge, EdgeId, Function, Kind, RegionId, Room, Segment, SegmentId, StepIndex, Value, ValueId,
};
use memplan_semantics::graph::{self, ControlGraph};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How an edge stands in the IR.
#[derive(Clone, Copy)]
pub enum IrEdge<'c> {
    /// To a successor of a branch.
    Branch(Op<'c>, usize),
    /// From an operation into its regions, or past them.
    Enter(Op<'c>),
    /// From the end of a region to a region of the same operation, or after it.
    Yield(Op<'c>),
    /// Out of the function.
    Return(Op<'c>),
}

impl<'c> IrEdge<'c> {
    /// The operation that the edge starts at.
    pub fn op(self) -> Op<'c> {
        let (Self::Branch(op, _) | Self::Enter(op) | Self::Yield(op) | Self::Return(op)) = self;
        op
    }
}

/// Where a segment starts.
#[derive(Clone, Copy)]
pub enum Start<'c> {
    /// With a block.
    Block(Block<'c>),
    /// After an operation with regions.
    Behind(Op<'c>),
    /// Between the iterations of a reduction by this operation: at no place.
    Between(Op<'c>),
}

/// A function as data, and the IR that it was read from.
#[derive(Default)]
pub struct MemoryFunction<'c> {
    /// As data.
    pub function: Function,
    /// For each segment, where it starts.
    pub starts: Vec<Start<'c>>,
    /// For each segment, the operations that are its steps.
    pub steps: Vec<Vec<Op<'c>>>,
    /// For each edge, what it is.
    pub ways: Vec<IrEdge<'c>>,
    /// For each value, the memref, or what holds on to one; `None` for what has no value.
    pub values: Vec<Option<Val<'c>>>,
    /// The value behind each one of the IR that refers to memory.
    pub(crate) ids: FxHashMap<Key, ValueId>,
    /// Operations with regions that touch memory.
    touching: FxHashSet<Key>,
    /// Where control goes, as long as it is read.
    graph: Rc<ControlGraph<'c>>,
    /// Branches of blocks may leave a coroutine that control comes back to; `None` until one is met.
    suspends: Option<bool>,
    /// The segments that those of the graph start with.
    segments: SecondaryMap<graph::SegmentId, PackedOption<SegmentId>>,
}

impl<'c> MemoryFunction<'c> {
    /// Where control goes, as long as it is read.
    pub(crate) fn graph(&self) -> Rc<ControlGraph<'c>> {
        Rc::clone(&self.graph)
    }

    /// Do regions of an operation touch memory?
    pub(crate) fn touches(&self, op: Op<'_>) -> bool {
        self.touching.contains(&op.key())
    }

    /// The segment that one of the graph starts with; `None` until it is made.
    pub(crate) fn segment_of(&self, at: graph::SegmentId) -> Option<SegmentId> {
        self.segments[at].expand()
    }

    /// The segment that a region starts with; `None` if it has no block.
    pub(crate) fn entry(&self, graph: &ControlGraph<'c>, at: graph::RegionId) -> Option<SegmentId> {
        self.segment_of(graph.blocks[graph.entry(at)?].first)
    }

    /// A value; `val` is what it is of the IR. One without a step comes at the start of its segment.
    pub(crate) fn value(
        &mut self,
        kind: Kind,
        segment: SegmentId,
        step: Option<StepIndex>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let function = &mut self.function;
        let id = ValueId::new(function.values.len());
        if kind == Kind::Param {
            function.segments[segment.index()].params.push(id);
        }
        function.values.push(Value {
            kind,
            segment,
            step,
        });
        self.values.push(val);
        if let Some(val) = val {
            self.ids.insert(val.key(), id);
        }
        id
    }

    /// A region in that of a segment; `None` around the body.
    pub(crate) fn region(&mut self, around: Option<SegmentId>) -> RegionId {
        let outer = around.map(|around| self.function.region(around));
        self.function.regions.push(outer);
        RegionId::new(self.function.regions.len() - 1)
    }

    /// A segment.
    pub(crate) fn segment(&mut self, region: RegionId, start: Start<'c>) -> SegmentId {
        self.function.segments.push(Segment {
            region: Some(region),
            is_virtual: matches!(start, Start::Between(_)),
            ..Segment::default()
        });
        self.starts.push(start);
        self.steps.push(Vec::new());
        SegmentId::new(self.starts.len() - 1)
    }

    /// A segment that goes on in the block of another one, after the operation that ends that.
    pub(crate) fn segment_after(&mut self, before: SegmentId, op: Op<'c>) -> SegmentId {
        let next = self.segment(self.function.region(before), Start::Behind(op));
        self.function.segments[next.index()].behind = Some(before);
        next
    }

    /// The next step of a segment.
    pub(crate) fn step(&mut self, segment: SegmentId, op: Op<'c>) -> StepIndex {
        let steps = &mut self.function.segments[segment.index()].steps;
        *steps += 1;
        self.steps[segment.index()].push(op);
        *steps - 1
    }

    /// An edge.
    pub(crate) fn edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        passed: Vec<Option<ValueId>>,
        room: Room,
        way: IrEdge<'c>,
    ) -> EdgeId {
        let function = &mut self.function;
        let edge = EdgeId::new(function.edges.len());
        function.edges.push(Edge {
            from,
            to,
            passed,
            room,
        });
        function.segments[from.index()].edges.push(edge);
        self.ways.push(way);
        edge
    }
}
