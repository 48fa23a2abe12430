//! The control-flow graph of a body: the one place that turns IR into regions, segments and edges.
//!
//! A *segment* is a block, cut after each operation whose regions control enters: control goes from such an operation
//! into its regions, and from their ends to the rest of the block, which is a segment of its own. Which operations are
//! entered, the reader says ([`Enter`]); any other is one of the operations of its segment, whatever it holds.
//!
//! * `edges`: the edges of single operations, and whether they are ever taken.
//! * `build`: from IR to graph; each interface is asked once.
//! * `order`: blocks of a region, definitions before uses.
//!
//! An edge lists the values that it forwards. A target (an argument of the block, or a result of the operation, that the
//! target segment starts with) that no pair of the edge names is produced by the operation, or not known.

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
    /// In the IR.
    pub region: Region<'c>,
    /// The operation that it is one of; `None` for the body.
    pub of: Option<EnteredId>,
    blocks: Ids,
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockNode<'c> {
    /// In the IR.
    pub block: Block<'c>,
    /// The region that it is in.
    pub region: RegionId,
    /// The segment that it starts with.
    pub first: SegmentId,
    /// The segment that it ends with.
    pub last: SegmentId,
}

/// Straight-line code.
#[derive(Clone, Debug)]
pub struct Segment<'c> {
    /// The block that it is part of.
    pub block: BlockId,
    /// The operation that it goes on after; `None` for the first one of its block.
    pub after: Option<EnteredId>,
    /// How it ends.
    pub end: End<'c>,
    first: Option<Op<'c>>,
    edges: Ids,
}

/// How a segment ends.
#[derive(Clone, Copy, Debug)]
pub enum End<'c> {
    /// In an operation whose regions are entered.
    Enters(EnteredId),
    /// In the terminator of its block, or in an operation at its end that may be one because it is not registered.
    /// Its regions, if it has some and they are read, too.
    Terminator(Op<'c>, Option<EnteredId>),
    /// In the end of a block that control never leaves.
    NeverLeft(Op<'c>),
    /// With its block, which has no terminator.
    Falls,
}

/// An operation whose regions are entered.
#[derive(Clone, Debug)]
pub struct Entered<'c> {
    /// In the IR.
    pub op: Op<'c>,
    /// The segment that it ends.
    pub before: SegmentId,
    /// The segment that goes on after it; `None` if it ends its block.
    pub after: Option<SegmentId>,
    /// All paths into its regions, between them and out of them are as its interfaces say. Otherwise there is an edge
    /// into each region, and past all of them, from the operation and from each end of a region, and none forwards anything.
    pub is_known: bool,
    /// The constant trip count of a loop whose iterations run one after another.
    pub iterations: Option<u64>,
    regions: Ids,
}

/// An operation of a block, and where it stands in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'c> {
    /// In the IR.
    pub op: Op<'c>,
    /// Its regions, where they are entered.
    pub entered: Option<EnteredId>,
    /// The segment that it ends.
    pub ends: Option<SegmentId>,
}

/// Why control takes an edge.
#[derive(Clone, Copy, Debug)]
pub enum EdgeKind<'c> {
    /// An operation starts: into one of its regions, or past them.
    Enter(EnteredId),
    /// A region ends: into a region of the same operation, or out.
    Yield(Op<'c>),
    /// A region ends without a terminator; the last operation of the block, if it has one.
    Falls(Option<Op<'c>>),
    /// To a successor of a branch, by its number.
    Branch(Op<'c>, usize),
    /// Out of the body.
    Return(Op<'c>),
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge<'c> {
    /// From the end of this segment.
    pub from: SegmentId,
    /// To the start of this one; `None`: out of the body.
    pub to: Option<SegmentId>,
    /// Why.
    pub kind: EdgeKind<'c>,
    /// Is it taken?
    pub taken: Taken,
    /// It is known what is forwarded: a target without a source is produced by the operation.
    pub is_told: bool,
    /// A block can be put on it. That of an `if` without `else` past its region counts: the missing region is the place.
    pub can_split: bool,
    values: Ids,
}

/// The control-flow graph of a body.
#[derive(Clone, Debug, Default)]
pub struct ControlGraph<'c> {
    /// Regions; those of one operation are next to each other.
    pub regions: PrimaryMap<RegionId, RegionNode<'c>>,
    /// Blocks; those of one region are next to each other, in the order of the text.
    pub blocks: PrimaryMap<BlockId, BlockNode<'c>>,
    /// Segments; the first one is where the body starts.
    pub segments: PrimaryMap<SegmentId, Segment<'c>>,
    /// Operations whose regions are entered.
    pub entered: PrimaryMap<EnteredId, Entered<'c>>,
    /// Edges; those out of one segment are next to each other.
    pub edges: PrimaryMap<EdgeId, Edge<'c>>,
    values: Vec<(Val<'c>, Val<'c>)>,
}

/// What an edge forwards, for one that asks for its targets in the order of the text.
#[derive(Clone, Debug)]
pub struct Sources<'g, 'c> {
    all: &'g [(Val<'c>, Val<'c>)],
    next: usize,
}

impl<'g, 'c> Sources<'g, 'c> {
    /// Of what an edge [forwards](ControlGraph::values).
    pub const fn of(all: &'g [(Val<'c>, Val<'c>)]) -> Self {
        Self { all, next: 0 }
    }

    /// What becomes `target`; `None` if the edge does not forward anything to it.
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

/// The body.
pub const BODY: RegionId = RegionId(0);

/// So many operands are compared with each other.
const MOST_COMPARED: usize = 16;

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

    /// The block that a region starts with; `None` if it has none.
    pub fn entry(&self, region: RegionId) -> Option<BlockId> {
        self.blocks_of(region).next()
    }

    /// Is each region of an operation executed at most once when the operation is: does the end of none lead into one?
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

    /// The segments that the regions of an operation start with.
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
            End::Falls => None,
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
            End::Falls => None,
        }
    }

    /// The values that a segment starts with: the arguments of the block, or the results of the operation before.
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

    /// What an edge forwards, and what it becomes, in the order of the targets.
    pub fn values(&self, edge: &Edge<'c>) -> &[(Val<'c>, Val<'c>)] {
        &self.values[edge.values.first as usize..edge.values.end as usize]
    }

    /// All that the edges out of a segment forward, and what it becomes.
    pub fn values_from(&self, segment: SegmentId) -> &[(Val<'c>, Val<'c>)] {
        let edges = self.segments[segment].edges;
        if edges.first == edges.end {
            return &[];
        }
        let first = &self.edges[EdgeId(edges.first)];
        let last = &self.edges[EdgeId(edges.end - 1)];
        &self.values[first.values.first as usize..last.values.end as usize]
    }

    /// The operands of the operation that ends a segment that no edge forwards, in their order.
    pub fn not_forwarded(&self, segment: SegmentId) -> SmallVec<[Val<'c>; 4]> {
        let Some(op) = self.last_op(segment) else {
            return SmallVec::new();
        };
        let values = self.values_from(segment);
        if values.len() <= MOST_COMPARED {
            let is_forwarded = |operand: &Val<'c>| values.iter().any(|(from, _)| from == operand);
            return operands(op).filter(|one| !is_forwarded(one)).collect();
        }
        let forwarded: FxHashSet<Key> = values.iter().map(|(from, _)| from.key()).collect();
        let others = operands(op).filter(|operand| !forwarded.contains(&operand.key()));
        others.collect()
    }
}
