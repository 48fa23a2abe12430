//! A function as plain data: segments of straight-line code, ways between them, and values that
//! refer to memory.
//!
//! A *segment* is a block of the IR, cut after each operation that has control flow inside: control
//! goes from the operation into its regions and from those back to the rest of the block, which is a
//! segment of its own. A *step* is one operation; the last step of a segment is the operation that
//! ends it. Views are no values of their own: whoever makes a `Function` takes a view's uses for uses
//! of what it is a view of.

use memplan_flow::{Graph, ids, reachable};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

ids! {
    /// A value.
    pub ValueId,
    /// A segment.
    pub SegmentId,
    /// A way from one segment to another.
    pub EdgeId,
    /// A region of the IR; the function's body is region 0.
    pub RegionId,
}

/// An operation of a segment, counted from 0.
pub type StepIndex = u32;

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// New memory: an allocation, or the result of a call.
    Fresh {
        /// The function has to free it.
        owned: bool,
        /// An earlier result of the same call, which may be the same memory. Then it is that one's.
        same_as: Option<ValueId>,
    },
    /// What a call gives together with a flag: new memory that the function has to free where the flag
    /// holds, else the memory of any of these, or of someone else.
    Told(SmallVec<[ValueId; 2]>),
    /// Memory of someone else: an argument, a global, what a load from memory gives. Never new memory.
    Foreign,
    /// The memory of any of these, at the time when it is defined: a select, or something that holds on
    /// to them, such as a token or a pointer.
    Any(SmallVec<[ValueId; 2]>),
    /// What the edges into its segment pass.
    Param,
}

/// A value that refers to memory.
#[derive(Clone, Debug)]
pub struct Value {
    /// What it is.
    pub kind: Kind,
    /// The segment that defines it.
    pub segment: SegmentId,
    /// The step that defines it; `None` for a parameter of the segment.
    pub step: Option<StepIndex>,
}

/// Straight-line code.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The region that it is in.
    pub region: Option<RegionId>,
    /// What edges into it pass on.
    pub params: Vec<ValueId>,
    /// How many steps there are.
    pub steps: StepIndex,
    /// Which steps use the memory of which values.
    pub uses: Vec<(StepIndex, ValueId)>,
    /// It stands for no place of the IR: no code can be put in it. It has no steps.
    pub is_virtual: bool,
    /// Ways out; for a function's end one to no segment, with a parameter for each result.
    pub edges: Vec<EdgeId>,
    /// The segment of the same block that it goes on from, behind the operation that ends that.
    pub behind: Option<SegmentId>,
    /// Code in front of the last step can ask which of its two edges is taken.
    pub is_choice: bool,
    /// Nothing can be passed to it besides its parameters.
    pub is_fixed: bool,
}

/// Whether code can be put on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// A block can be put in between.
    Split,
    /// It cannot.
    None,
    /// It cannot, and control may come back to where it left, as in a coroutine that was suspended: memory that the function
    /// has to free, and has not freed before, is not followed.
    Unknown,
}

/// A way from one segment to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From the end of this segment.
    pub from: SegmentId,
    /// To the start of this one; `None`: out of the function, to a caller that becomes the owner of
    /// all that is passed.
    pub to: Option<SegmentId>,
    /// What is passed for each parameter; `None`: memory that is not followed, and not new.
    pub passed: Vec<Option<ValueId>>,
    /// Can code be put on it?
    pub room: Room,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Values.
    pub values: Vec<Value>,
    /// Segments; the first one is where the function starts.
    pub segments: Vec<Segment>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// The region around each region, always of a smaller number; `None` for the function's body.
    pub regions: Vec<Option<RegionId>>,
    /// Values whose memory is used until a segment starts.
    pub kept: Vec<(SegmentId, ValueId)>,
    /// Parameters that count as used although nobody uses them: what they are passed is freed there, not before.
    pub wanted: Vec<ValueId>,
    /// New memory that goes with its scope, as that of the stack does.
    pub scoped: Vec<ValueId>,
    /// New memory that is not given back together with other memory where that can be helped.
    pub apart: Vec<ValueId>,
    /// Parameters whose memory is out of the function's hands from there on: an operation takes it.
    pub taken: FxHashSet<ValueId>,
}

impl Function {
    /// The value of an id.
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.index()]
    }

    /// The segment of an id.
    pub fn segment(&self, segment: SegmentId) -> &Segment {
        &self.segments[segment.index()]
    }

    /// Does a value stand for one of the IR? A parameter of a virtual segment does not.
    pub fn is_named(&self, value: ValueId) -> bool {
        let value = self.value(value);
        value.step.is_some() || !self.segment(value.segment).is_virtual
    }

    /// The edge of an id.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// The region that a segment is in.
    pub fn region(&self, segment: SegmentId) -> RegionId {
        self.segment(segment).region.unwrap_or(RegionId(0))
    }

    /// Is a region another one, or inside of it?
    pub fn is_inside(&self, inner: RegionId, outer: RegionId) -> bool {
        let mut at = Some(inner);
        // Those around it have smaller numbers.
        while let Some(region) = at.filter(|region| *region > outer) {
            at = self.regions[region.index()];
        }
        at == Some(outer)
    }

    /// The segments and the edges between them.
    pub fn graph(&self) -> Graph<SegmentId> {
        Graph::new(self.segments.len(), |segment| {
            let edges = self.segment(segment).edges.iter();
            edges.filter_map(|edge| self.edge(*edge).to)
        })
    }

    /// Whether each segment is ever reached.
    pub fn reached(&self) -> Vec<bool> {
        let graph = self.graph();
        let reached = reachable(&graph, graph.nodes().take(1));
        graph
            .nodes()
            .map(|segment| reached.contains(segment))
            .collect()
    }

    /// The edges into each segment.
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
