//! The control-flow graph of a body. Only this module reads regions, segments and edges from IR.
//!
//! A *segment* is a part of a block. A block is cut after each operation whose regions control enters: control goes
//! from such an operation into its regions, and from their ends to the rest of the block, which is a segment of its
//! own. The caller decides which operations are entered ([`Enter`]); any other operation is part of its segment,
//! whatever is nested in it.
//!
//! * `edges`: the edges of single operations, and whether they are ever taken.
//! * `build`: construction of the graph; each interface is queried once.
//! * `order`: the blocks of a region in an order with definitions before uses.
//!
//! An edge lists the values that it forwards. The targets of a segment are the arguments of its block, or the results
//! of the operation before it. If no pair of the edge names a target, the operation produces that value, or it is not
//! known.

mod build;
mod edges;
mod order;

pub use build::{Enter, ends_block};
pub use edges::{RegionEdge, Taken};

use memplan_flow::{PrimaryMap, ids};
use memplan_mlir::ir::{
    Block, Identity, Key, Op, Region, Val, arguments, next_in_block, operands, results,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

ids! {
    /// A region; the body is region 0.
    pub RegionId,
    /// A block.
    pub BlockId,
    /// A segment.
    pub SegmentId,
    /// An edge.
    pub EdgeId,
    /// An operation whose regions are entered.
    pub EnteredId,
}

/// A range of ids.
#[derive(Clone, Copy, Debug)]
struct Ids {
    first: u32,
    end: u32,
}

impl Ids {
    const NONE: Self = Self { first: 0, end: 0 };

    fn of(first: usize, end: usize) -> Self {
        Self {
            first: u32::try_from(first).expect("2^32 entries or more"),
            end: u32::try_from(end).expect("2^32 entries or more"),
        }
    }

    fn map<T>(
        self,
        id: fn(u32) -> T,
    ) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone {
        (self.first..self.end).map(id)
    }
}

/// A region.
#[derive(Clone, Debug)]
pub struct RegionNode<'c> {
    /// The region in the IR.
    pub region: Region<'c>,
    /// The operation that the region belongs to; `None` for the body.
    pub of: Option<EnteredId>,
    blocks: Ids,
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockNode<'c> {
    /// The block in the IR.
    pub block: Block<'c>,
    /// The region of the block.
    pub region: RegionId,
    /// The first segment.
    pub first: SegmentId,
    /// The last segment.
    pub last: SegmentId,
}

/// A segment: straight-line code.
#[derive(Clone, Debug)]
pub struct Segment<'c> {
    /// The block that the segment is part of.
    pub block: BlockId,
    /// The operation after which the segment starts; `None` for the first segment of a block.
    pub after: Option<EnteredId>,
    /// The end of the segment.
    pub end: End<'c>,
    first: Option<Op<'c>>,
    edges: Ids,
}

/// The end of a segment.
#[derive(Clone, Copy, Debug)]
pub enum End<'c> {
    /// An operation whose regions are entered.
    Enters(EnteredId),
    /// The terminator of the block, or a last operation that may be one as it is unregistered. The id is set if it
    /// has regions that are entered.
    Terminator(Op<'c>, Option<EnteredId>),
    /// The end of a block that control never leaves.
    NeverLeft(Op<'c>),
    /// The end of a block without a terminator.
    NoTerminator,
}

/// An operation whose regions are entered.
#[derive(Clone, Debug)]
pub struct Entered<'c> {
    /// The operation in the IR.
    pub op: Op<'c>,
    /// The segment that the operation ends.
    pub before: SegmentId,
    /// The segment after the operation; `None` if the operation ends its block.
    pub after: Option<SegmentId>,
    /// All edges into, between and out of its regions are known from its interfaces. Otherwise there are edges from
    /// the operation, and from each end of a region, to all regions and to the segment after the operation. These
    /// forward no values.
    pub is_known: bool,
    /// The constant trip count of a loop whose iterations run one after another.
    pub iterations: Option<u64>,
    regions: Ids,
}

/// An operation of a block, and its role in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'c> {
    /// The operation in the IR.
    pub op: Op<'c>,
    /// Its id if its regions are entered.
    pub entered: Option<EnteredId>,
    /// The segment that it ends.
    pub ends: Option<SegmentId>,
}

/// The kind of an edge.
#[derive(Clone, Copy, Debug)]
pub enum EdgeKind<'c> {
    /// From an operation into one of its regions, or past them.
    Enter(EnteredId),
    /// From the end of a region into a region of the same operation, or out of it.
    Yield(Op<'c>),
    /// From the end of a region without a terminator, with the last operation of the block, if there is one.
    NoTerminator(Option<Op<'c>>),
    /// To a successor of a branch, by number.
    Branch(Op<'c>, usize),
    /// Out of the body.
    Return(Op<'c>),
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge<'c> {
    /// The segment at whose end the edge starts.
    pub from: SegmentId,
    /// The segment at whose start the edge ends; `None`: out of the body.
    pub to: Option<SegmentId>,
    /// The kind.
    pub kind: EdgeKind<'c>,
    /// Whether the edge is taken.
    pub taken: Taken,
    /// The forwarded values are known: the operation itself produces each target without a source.
    pub forwards_known: bool,
    /// A block can be inserted on the edge. This includes the edge of an `if` without `else` past its region, as an
    /// `else` region can be added.
    pub can_split: bool,
    values: Ids,
}

/// The control-flow graph of a body.
#[derive(Clone, Debug, Default)]
pub struct ControlGraph<'c> {
    /// Regions; those of one operation are consecutive.
    pub regions: PrimaryMap<RegionId, RegionNode<'c>>,
    /// Blocks; those of one region are consecutive, in textual order.
    pub blocks: PrimaryMap<BlockId, BlockNode<'c>>,
    /// Segments; the first one starts the body.
    pub segments: PrimaryMap<SegmentId, Segment<'c>>,
    /// Operations whose regions are entered.
    pub entered: PrimaryMap<EnteredId, Entered<'c>>,
    /// Edges; those out of one segment are consecutive.
    pub edges: PrimaryMap<EdgeId, Edge<'c>>,
    values: Vec<(Val<'c>, Val<'c>)>,
}

/// A cursor over the values that an edge forwards, fast if targets are queried in textual order.
#[derive(Clone, Debug)]
pub struct Sources<'g, 'c> {
    all: &'g [(Val<'c>, Val<'c>)],
    next: usize,
}

impl<'g, 'c> Sources<'g, 'c> {
    /// A cursor over the pairs that an edge [forwards](ControlGraph::values).
    pub const fn of(all: &'g [(Val<'c>, Val<'c>)]) -> Self {
        Self { all, next: 0 }
    }

    /// The value that becomes `target`; `None` if the edge forwards none.
    pub fn of_target(&mut self, target: Val<'c>) -> Option<Val<'c>> {
        let (before, after) = self.all.split_at(self.next);
        let find = |some: &[(Val<'c>, Val<'c>)]| some.iter().position(|(_, to)| *to == target);
        let at = find(after)
            .map(|at| at + self.next)
            .or_else(|| find(before))?;
        self.next = at + 1;
        Some(self.all[at].0)
    }
}

/// The region of the body.
pub const BODY: RegionId = RegionId(0);

/// Most forwarded values that are compared with each operand; more are hashed.
const MAX_COMPARED: usize = 16;

impl<'c> ControlGraph<'c> {
    /// The regions of an operation.
    pub fn regions_of(&self, op: EnteredId) -> impl ExactSizeIterator<Item = RegionId> + use<'c> {
        self.entered[op].regions.map(RegionId)
    }

    /// The blocks of a region.
    pub fn blocks_of(
        &self,
        region: RegionId,
    ) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + Clone + use<'c> {
        self.regions[region].blocks.map(BlockId)
    }

    /// The first block of a region; `None` if the region is empty.
    pub fn entry(&self, region: RegionId) -> Option<BlockId> {
        self.blocks_of(region).next()
    }

    /// Does each region of an operation run at most once when the operation runs, as no edge leads from the end of a
    /// region into one?
    pub fn runs_regions_once(&self, op: EnteredId) -> bool {
        let blocks = self
            .regions_of(op)
            .flat_map(|region| self.blocks_of(region));
        let mut edges = blocks.flat_map(|block| self.edges_from(self.blocks[block].last));
        let enters = |edge: &Edge<'c>| {
            let is_branch = matches!(edge.kind, EdgeKind::Branch(..));
            let into = edge.to.is_some_and(|to| self.segments[to].after.is_none());
            !is_branch && into && edge.taken != Taken::Never
        };
        !edges.any(enters)
    }

    /// The first segments of the regions of an operation.
    pub fn entries(&self, op: EnteredId) -> impl Iterator<Item = SegmentId> {
        let entries = self.regions_of(op).filter_map(|region| self.entry(region));
        entries.map(|block| self.blocks[block].first)
    }

    /// The operations of a segment, without the one that ends it.
    pub fn ops(&self, segment: SegmentId) -> impl Iterator<Item = Op<'c>> + use<'c> {
        let segment = &self.segments[segment];
        let end = match segment.end {
            End::Enters(entered) => Some(self.entered[entered].op.key()),
            End::Terminator(op, _) | End::NeverLeft(op) => Some(op.key()),
            End::NoTerminator => None,
        };
        let mut next = segment.first;
        std::iter::from_fn(move || {
            let op = next.filter(|op| Some(op.key()) != end)?;
            next = next_in_block(op);
            Some(op)
        })
    }

    /// All operations of a block.
    pub fn visits(&self, block: BlockId) -> impl Iterator<Item = Visit<'c>> {
        let mut at = Some(self.blocks[block].first);
        let mut next = self.segments[self.blocks[block].first].first;
        std::iter::from_fn(move || {
            let (segment, op) = (&self.segments[at?], next?);
            let visit = |entered, ends| Visit { op, entered, ends };
            let visit = match segment.end {
                End::Enters(entered) if self.entered[entered].op == op => visit(Some(entered), at),
                End::Terminator(end, entered) if end == op => visit(entered, at),
                End::NeverLeft(end) if end == op => visit(None, at),
                _ => visit(None, None),
            };
            if let (Some(entered), Some(_)) = (visit.entered, visit.ends) {
                at = self.entered[entered].after;
            }
            next = next_in_block(op);
            Some(visit)
        })
    }

    /// The operation that ends a segment.
    pub fn last_op(&self, segment: SegmentId) -> Option<Op<'c>> {
        match self.segments[segment].end {
            End::Enters(entered) => Some(self.entered[entered].op),
            End::Terminator(op, _) | End::NeverLeft(op) => Some(op),
            End::NoTerminator => None,
        }
    }

    /// The values that a segment starts with: the arguments of the block, or the results of the operation before it.
    pub fn targets(&self, segment: SegmentId) -> SmallVec<[Val<'c>; 4]> {
        let segment = &self.segments[segment];
        match segment.after {
            Some(entered) => results(self.entered[entered].op).collect(),
            None => arguments(self.blocks[segment.block].block).collect(),
        }
    }

    /// The edges out of a segment.
    pub fn edges_from(&self, segment: SegmentId) -> impl ExactSizeIterator<Item = &Edge<'c>> {
        let edges = self.segments[segment].edges.map(EdgeId);
        edges.map(|edge| &self.edges[edge])
    }

    /// Pairs of a forwarded value and its target, in the order of the targets.
    pub fn values(&self, edge: &Edge<'c>) -> &[(Val<'c>, Val<'c>)] {
        &self.values[edge.values.first as usize..edge.values.end as usize]
    }

    /// The pairs of all edges out of a segment.
    pub fn values_from(&self, segment: SegmentId) -> &[(Val<'c>, Val<'c>)] {
        let edges = self.segments[segment].edges;
        if edges.first == edges.end {
            return &[];
        }
        let first = &self.edges[EdgeId(edges.first)];
        let last = &self.edges[EdgeId(edges.end - 1)];
        &self.values[first.values.first as usize..last.values.end as usize]
    }

    /// The operands of the operation that ends a segment which no edge forwards, in order.
    pub fn not_forwarded(&self, segment: SegmentId) -> SmallVec<[Val<'c>; 4]> {
        let Some(op) = self.last_op(segment) else {
            return SmallVec::new();
        };
        let values = self.values_from(segment);
        if values.len() <= MAX_COMPARED {
            let is_forwarded = |operand: &Val<'c>| values.iter().any(|(from, _)| from == operand);
            return operands(op).filter(|one| !is_forwarded(one)).collect();
        }
        let forwarded: FxHashSet<Key> = values.iter().map(|(from, _)| from.key()).collect();
        let others = operands(op).filter(|operand| !forwarded.contains(&operand.key()));
        others.collect()
    }
}
