//! A function as plain data: segments of straight-line code, edges between them, and values that refer to
//! memory.
//!
//! A *segment* is a block of the IR, cut after each operation whose regions control enters. Control goes from
//! the operation into its regions, and from these back to the rest of the block, which is a segment of its
//! own. A *step* is one operation; the last step of a segment is the operation that ends it. Views are no
//! values of their own: readers of the IR count the uses of a view as uses of its source.

use memplan_flow::{Graph, ids, reachable};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

ids! {
    /// A value that refers to memory.
    pub ValueId,
    /// A segment.
    pub SegmentId,
    /// An edge from one segment to another, or out of the function.
    pub EdgeId,
    /// A region of the IR; the function's body is region 0.
    pub RegionId,
}

/// The position of an operation in its segment, from 0.
pub type StepIndex = u32;

/// The kind of a value: the origin of its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// New memory: an allocation, or the result of a call.
    Fresh {
        /// The function has to free it.
        owned: bool,
        /// An earlier result of the same call that may be the same memory. If it is, that result owns it.
        may_alias: Option<ValueId>,
    },
    /// A result of a call that returns an ownership flag with it. If the flag holds, it is new memory that
    /// the function has to free. Otherwise it is the memory of one of these values, or of others.
    FreshOrAnyOf(SmallVec<[ValueId; 2]>),
    /// Memory of others, never new memory: an argument, a global, a loaded memref.
    Foreign,
    /// The memory of one of these values, at the point of definition: a select, or something that holds on to
    /// memory such as a token or a pointer.
    AnyOf(SmallVec<[ValueId; 2]>),
    /// The value that the incoming edges of its segment pass.
    Param,
}

/// A value that refers to memory.
#[derive(Clone, Debug)]
pub struct Value {
    /// The origin of its memory.
    pub kind: ValueKind,
    /// The segment that defines it.
    pub segment: SegmentId,
    /// The step that defines it; `None` for a parameter of the segment.
    pub step: Option<StepIndex>,
}

/// Straight-line code.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The region that contains it.
    pub region: Option<RegionId>,
    /// Parameters: the values that incoming edges pass.
    pub params: Vec<ValueId>,
    /// The number of steps.
    pub steps: StepIndex,
    /// The steps that use memory, with the value that they use it through.
    pub uses: Vec<(StepIndex, ValueId)>,
    /// It stands for no point of the IR, so it takes no code. It has no steps.
    pub is_virtual: bool,
    /// Outgoing edges. A return is an edge to no segment; it passes one value for each result.
    pub edges: Vec<EdgeId>,
    /// The segment of the same block that it continues, after the operation that ends that one.
    pub continues: Option<SegmentId>,
    /// It has two edges, and the condition that chooses one is available before the last step.
    pub has_branch_condition: bool,
    /// No parameters can be added.
    pub has_fixed_params: bool,
}

/// Whether code can be placed on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeSplit {
    /// A block can be inserted.
    Possible,
    /// No block can be inserted.
    Impossible,
    /// No block can be inserted, and control may return to the source of the edge, as in a suspended
    /// coroutine. Memory that the function still has to free there is not followed.
    Unknown,
}

/// An edge of the control-flow graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The segment that it leaves at its end.
    pub from: SegmentId,
    /// The segment that it enters; `None` for a return, whose caller becomes the owner of all that is passed.
    pub to: Option<SegmentId>,
    /// The passed value for each parameter; `None`: memory that is not followed, and not new.
    pub passed: Vec<Option<ValueId>>,
    /// Whether code can be placed on it.
    pub split: EdgeSplit,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Values.
    pub values: Vec<Value>,
    /// Segments; the first one is the entry.
    pub segments: Vec<Segment>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// The parent of each region, always of a lower number; `None` for the function's body.
    pub regions: Vec<Option<RegionId>>,
    /// Additional uses of values at the starts of segments.
    pub used_at_start: Vec<(SegmentId, ValueId)>,
    /// Parameters that count as used although they have no use: memory that they receive is freed in their
    /// segment, not before the edge.
    pub forced_live: Vec<ValueId>,
    /// New memory that is freed automatically with its scope, as stack memory is.
    pub automatic: Vec<ValueId>,
    /// New memory that is freed by an operation of its own where that is possible.
    pub freed_separately: Vec<ValueId>,
    /// Parameters of which an operation takes ownership: the function must not free their memory any more.
    pub consumed: FxHashSet<ValueId>,
}

impl Function {
    /// The value with this id.
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.index()]
    }

    /// The segment with this id.
    pub fn segment(&self, segment: SegmentId) -> &Segment {
        &self.segments[segment.index()]
    }

    /// Whether a value stands for a value of the IR. A parameter of a virtual segment does not.
    pub fn is_ir_value(&self, value: ValueId) -> bool {
        let value = self.value(value);
        value.step.is_some() || !self.segment(value.segment).is_virtual
    }

    /// The edge with this id.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// The region that contains a segment.
    pub fn region(&self, segment: SegmentId) -> RegionId {
        self.segment(segment).region.unwrap_or(RegionId(0))
    }

    /// Whether `inner` is `outer` or nested in it.
    pub fn is_inside(&self, inner: RegionId, outer: RegionId) -> bool {
        let mut at = Some(inner);
        // Parents have lower numbers.
        while let Some(region) = at.filter(|region| *region > outer) {
            at = self.regions[region.index()];
        }
        at == Some(outer)
    }

    /// The graph of the segments.
    pub fn graph(&self) -> Graph<SegmentId> {
        Graph::new(self.segments.len(), |segment| {
            let edges = self.segment(segment).edges.iter();
            edges.filter_map(|edge| self.edge(*edge).to)
        })
    }

    /// For each segment, whether it is reachable.
    pub fn reached(&self) -> Vec<bool> {
        let graph = self.graph();
        let reached = reachable(&graph, graph.nodes().take(1));
        graph
            .nodes()
            .map(|segment| reached.contains(segment))
            .collect()
    }

    /// For each parameter, its number among the parameters of its segment.
    pub fn param_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.values.len()];
        for segment in &self.segments {
            for (number, param) in (0..).zip(&segment.params) {
                numbers[param.index()] = number;
            }
        }
        numbers
    }

    /// The incoming edges of each segment.
    pub fn incoming(&self) -> Vec<SmallVec<[EdgeId; 2]>> {
        let mut incoming = vec![SmallVec::new(); self.segments.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            if let Some(to) = edge.to {
                incoming[to.index()].push(EdgeId::new(index));
            }
        }
        incoming
    }
}
