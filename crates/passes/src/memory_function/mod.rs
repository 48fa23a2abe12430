//! A function's IR as segments, edges and values that refer to memory. Passes that follow memrefs share this
//! reader.
//!
//! Each block is cut after each operation whose regions control enters. A view is the value of its source.
//! [`Walk`] visits the blocks so that definitions come before uses, and creates segments and edges after the
//! control-flow graph. The pass decides which values refer to memory and how operations affect memory.

mod walk;

pub use walk::{BlockEnd, EnclosingOp, OpPosition, StartValues, Walk};

use memplan_flow::{PackedOption, SecondaryMap};
use memplan_mlir::ir::{Block, Identity, Key, Op, Val};
use memplan_ownership::function::{
    Edge, EdgeId, EdgeSplit, Function, RegionId, Segment, SegmentId, StepIndex, Value, ValueId,
    ValueKind,
};
use memplan_semantics::graph::{self, ControlGraph};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The edge of the IR that an edge stands for.
#[derive(Clone, Copy)]
pub enum IrEdge<'c> {
    /// To a successor of a branch, by number.
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

/// The point of the IR that a segment starts at.
#[derive(Clone, Copy)]
pub enum SegmentStart<'c> {
    /// The start of a block.
    Block(Block<'c>),
    /// The point after an operation with regions.
    After(Op<'c>),
    /// Between two iterations of a reduction by this operation, where no code can be placed.
    Between(Op<'c>),
}

/// A function as plain data, with the IR that it was read from.
#[derive(Default)]
pub struct MemoryFunction<'c> {
    /// Segments, edges and values.
    pub function: Function,
    /// For each segment, its start.
    pub starts: Vec<SegmentStart<'c>>,
    /// For each segment, the operations that are its steps.
    pub steps: Vec<Vec<Op<'c>>>,
    /// For each edge, the edge of the IR.
    pub ir_edges: Vec<IrEdge<'c>>,
    /// For each value, the memref, or the token or pointer that refers to memory; `None` if it stands for no
    /// value of the IR.
    pub values: Vec<Option<Val<'c>>>,
    /// The value that each value of the IR that refers to memory stands for.
    pub(crate) ids: FxHashMap<Key, ValueId>,
    /// Operations with regions that touch memory.
    touching: FxHashSet<Key>,
    /// The control-flow graph, during the walk.
    graph: Rc<ControlGraph<'c>>,
    /// Whether the body is a coroutine whose branches may suspend it; `None` until the first branch.
    suspends: Option<bool>,
    /// For each segment of the control-flow graph, the segment here that it starts with.
    segments: SecondaryMap<graph::SegmentId, PackedOption<SegmentId>>,
}

impl<'c> MemoryFunction<'c> {
    /// The control-flow graph, during the walk.
    pub(crate) fn graph(&self) -> Rc<ControlGraph<'c>> {
        Rc::clone(&self.graph)
    }

    /// Whether regions of an operation touch memory.
    pub(crate) fn touches(&self, op: Op<'_>) -> bool {
        self.touching.contains(&op.key())
    }

    /// The segment that a segment of the control-flow graph starts with; `None` until it is added.
    pub(crate) fn segment_of(&self, at: graph::SegmentId) -> Option<SegmentId> {
        self.segments[at].expand()
    }

    /// The segment that a region starts with; `None` if the region has no block.
    pub(crate) fn entry_segment(
        &self,
        graph: &ControlGraph<'c>,
        at: graph::RegionId,
    ) -> Option<SegmentId> {
        self.segment_of(graph.blocks[graph.entry(at)?].first)
    }

    /// Adds a value that stands for `val`. Without a step, it is defined at the start of its segment.
    pub(crate) fn add_value(
        &mut self,
        kind: ValueKind,
        segment: SegmentId,
        step: Option<StepIndex>,
        val: Option<Val<'c>>,
    ) -> ValueId {
        let function = &mut self.function;
        let id = ValueId::new(function.values.len());
        if kind == ValueKind::Param {
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

    /// Adds a region that is nested in that of a segment; `None` for the function's body.
    pub(crate) fn add_region(&mut self, around: Option<SegmentId>) -> RegionId {
        let outer = around.map(|around| self.function.region(around));
        self.function.regions.push(outer);
        RegionId::new(self.function.regions.len() - 1)
    }

    /// Adds a segment.
    pub(crate) fn add_segment(&mut self, region: RegionId, start: SegmentStart<'c>) -> SegmentId {
        self.function.segments.push(Segment {
            region: Some(region),
            is_virtual: matches!(start, SegmentStart::Between(_)),
            ..Segment::default()
        });
        self.starts.push(start);
        self.steps.push(Vec::new());
        SegmentId::new(self.starts.len() - 1)
    }

    /// Adds a segment that continues the block of another one, after the operation that ends that.
    pub(crate) fn add_segment_after(&mut self, before: SegmentId, op: Op<'c>) -> SegmentId {
        let next = self.add_segment(self.function.region(before), SegmentStart::After(op));
        self.function.segments[next.index()].continues = Some(before);
        next
    }

    /// Adds a step to a segment.
    pub(crate) fn add_step(&mut self, segment: SegmentId, op: Op<'c>) -> StepIndex {
        let steps = &mut self.function.segments[segment.index()].steps;
        *steps += 1;
        self.steps[segment.index()].push(op);
        *steps - 1
    }

    /// Adds an edge.
    pub(crate) fn add_edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        passed: Vec<Option<ValueId>>,
        split: EdgeSplit,
        ir_edge: IrEdge<'c>,
    ) -> EdgeId {
        let function = &mut self.function;
        let edge = EdgeId::new(function.edges.len());
        function.edges.push(Edge {
            from,
            to,
            passed,
            split,
        });
        function.segments[from.index()].edges.push(edge);
        self.ir_edges.push(ir_edge);
        edge
    }
}
