//! Construction of the graph in one walk, which queries each interface once.

use super::{
    BlockId, BlockNode, ControlGraph, Edge, EdgeKind, End, Entered, EnteredId, Ids, RegionEdge,
    RegionId, RegionNode, Segment, SegmentId, Taken,
};
use crate::names::{NameInfo, OpKind};
use crate::semantics::Semantics;
use memplan_mlir::{
    control_flow,
    ir::{
        Block, Identity, Key, Op, Region, arguments, blocks, next_in_block, ops, regions, results,
        successors,
    },
    melior::ir::operation::OperationLike,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Does an operation end its block, or may it? An unregistered operation may if it is the last one.
pub fn ends_block(op: Op<'_>, info: NameInfo) -> bool {
    info.is_terminator()
        || op.successor_count() > 0
        || !info.is_registered() && next_in_block(op).is_none()
}

/// Are the regions of an operation entered?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enter {
    /// Its regions are not read.
    No,
    /// If all edges of its regions are known.
    IfKnown,
    /// Its regions are read.
    Yes,
}

impl<'c> ControlGraph<'c> {
    /// The graph of a body. `enters` is called for each operation with regions, terminators included, outer ones
    /// first. It is not called for functions and symbol tables, which are bodies of their own.
    pub fn of(
        body: Region<'c>,
        semantics: &mut Semantics,
        enters: &mut dyn FnMut(Op<'c>, NameInfo, &mut Semantics) -> Enter,
    ) -> Self {
        let mut builder = Builder {
            semantics,
            enters,
            graph: Self::default(),
            blocks: FxHashMap::default(),
        };
        let regions = builder.add([body], None);
        for region in regions.map(RegionId) {
            builder.region(region, &mut None.into_iter());
        }
        builder.graph
    }
}

/// For each block of an operation's regions, the edges from its end within that operation; `None` for a block that
/// ends in a branch or is never left.
type Ends<'c> = SmallVec<[Option<Vec<RegionEdge<'c>>>; 2]>;

/// The trip count of a loop with one region, if its edges show that it is 0 or 1.
fn iterations_by_edges(
    entry: &[RegionEdge<'_>],
    ends: &[Option<Vec<RegionEdge<'_>>>],
) -> Option<u64> {
    let leads = |edges: &[RegionEdge<'_>], inside: bool| {
        edges
            .iter()
            .any(|edge| edge.taken != Taken::Never && edge.region.is_some() == inside)
    };
    if !leads(entry, true) {
        return Some(0);
    }
    let leads_back =
        |end: &Option<Vec<RegionEdge<'_>>>| end.as_deref().is_some_and(|edges| leads(edges, true));
    let is_once = !leads(entry, false) && !ends.iter().any(leads_back);
    is_once.then_some(1)
}

struct Builder<'c, 's> {
    semantics: &'s mut Semantics,
    enters: &'s mut dyn FnMut(Op<'c>, NameInfo, &mut Semantics) -> Enter,
    graph: ControlGraph<'c>,
    /// The ids of the blocks of regions with several blocks.
    blocks: FxHashMap<Key, BlockId>,
}

impl<'c> Builder<'c, '_> {
    /// Adds regions, their blocks, and the first segments of these.
    fn add(&mut self, regions: impl IntoIterator<Item = Region<'c>>, of: Option<EnteredId>) -> Ids {
        let first = self.graph.regions.len();
        for region in regions {
            let id = self.graph.regions.next_key();
            let first = self.graph.blocks.len();
            for block in blocks(region) {
                let at = self.graph.blocks.next_key();
                let segment = self.segment(at, None, ops(block).next());
                self.graph.blocks.push(BlockNode {
                    block,
                    region: id,
                    first: segment,
                    last: segment,
                });
            }
            let end = self.graph.blocks.len();
            if end > first + 1 {
                let blocks = &self.graph.blocks;
                let added = (first..end).map(BlockId::new);
                self.blocks
                    .extend(added.map(|id| (blocks[id].block.key(), id)));
            }
            self.graph.regions.push(RegionNode {
                region,
                of,
                blocks: Ids::of(first, end),
            });
        }
        Ids::of(first, self.graph.regions.len())
    }

    fn segment(
        &mut self,
        block: BlockId,
        after: Option<EnteredId>,
        first: Option<Op<'c>>,
    ) -> SegmentId {
        self.graph.segments.push(Segment {
            block,
            after,
            end: End::NoTerminator,
            first,
            edges: Ids::NONE,
        })
    }

    /// Adds the contents of a region. `ends` are the edges from the ends of its blocks.
    fn region(
        &mut self,
        region: RegionId,
        ends: &mut dyn Iterator<Item = Option<Vec<RegionEdge<'c>>>>,
    ) {
        for block in self.graph.blocks_of(region) {
            let mut at = self.graph.blocks[block].first;
            let mut next = self.graph.segments[at].first;
            let mut last = None;
            let mut is_over = false;
            while let Some(op) = next {
                next = next_in_block(op);
                last = Some(op);
                let has_regions = regions(op).next().is_some();
                if next.is_some() && !has_regions {
                    continue;
                }
                let info = self.semantics.info(op);
                let is_end = next.is_none() && ends_block(op, info);
                let is_body = has_regions && !info.is_function() && !info.is_symbol_table();
                let entered = match is_body {
                    true => self.enters(op, info, at, is_end),
                    false => None,
                };
                let after = entered.and_then(|entered| self.graph.entered[entered].after);
                if let Some(after) = after {
                    at = after;
                } else if is_end {
                    let edges = ends.next().flatten();
                    self.end(op, at, region, entered, edges);
                    is_over = true;
                }
            }
            if !is_over {
                ends.next();
                self.end_without_terminator(at, region, last);
            }
            self.graph.blocks[block].last = at;
        }
    }

    /// Enters an operation if the caller wants that. An operation that ends its block has no segment after it.
    fn enters(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        at: SegmentId,
        is_end: bool,
    ) -> Option<EnteredId> {
        match (self.enters)(op, info, self.semantics) {
            Enter::No => None,
            Enter::IfKnown if !info.is_region_branch() => None,
            enter => self.enter(op, info, at, is_end, enter),
        }
    }

    fn enter(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        at: SegmentId,
        is_end: bool,
        enter: Enter,
    ) -> Option<EnteredId> {
        let iterations = self.semantics.iterations(op);
        let entry = self.semantics.entry_edges_of(op, iterations);
        let ends = match entry {
            Some(_) => self.ends(op, iterations),
            None => None,
        };
        let is_known = ends.is_some();
        if !is_known && enter == Enter::IfKnown {
            return None;
        }
        let of_edges = || iterations_by_edges(entry.as_deref()?, ends.as_deref()?);
        let iterations = match info.is_loop() {
            true => iterations.or_else(of_edges),
            false => None,
        };
        let entered = self.graph.entered.next_key();
        let ends_block = is_end && (info.is_terminator() || op.successor_count() > 0);
        let block = self.graph.segments[at].block;
        let after = (!ends_block).then(|| self.segment(block, Some(entered), next_in_block(op)));
        self.graph.entered.push(Entered {
            op,
            before: at,
            after,
            is_known,
            iterations,
            regions: Ids::NONE,
        });
        let regions = self.add(regions(op), Some(entered));
        self.graph.entered[entered].regions = regions;
        if !ends_block {
            self.graph.segments[at].end = End::Enters(entered);
            let first = self.graph.edges.len();
            let edges = entry.filter(|_| is_known);
            self.region_edges(at, entered, edges, EdgeKind::Enter(entered));
            self.graph.segments[at].edges = Ids::of(first, self.graph.edges.len());
        }
        let mut ends = ends.into_iter().flatten();
        for region in regions.map(RegionId) {
            self.region(region, &mut ends);
        }
        Some(entered)
    }

    /// The edges from the ends of the blocks in the regions of an operation; `None` if those of one block are not
    /// known.
    fn ends(&mut self, op: Op<'c>, iterations: Option<u64>) -> Option<Ends<'c>> {
        let mut ends = Ends::new();
        for block in regions(op).flat_map(blocks) {
            let last = memplan_mlir::ir::terminator(block)?;
            let inside = last.successor_count() > 0 || self.semantics.is_never_left(last);
            ends.push(match inside {
                true => None,
                false => Some(self.semantics.terminator_edges_of(last, op, iterations)?),
            });
        }
        Some(ends)
    }

    /// Adds the edges from the terminator of a block.
    fn end(
        &mut self,
        op: Op<'c>,
        at: SegmentId,
        region: RegionId,
        entered: Option<EnteredId>,
        edges: Option<Vec<RegionEdge<'c>>>,
    ) {
        self.graph.segments[at].end = End::Terminator(op, entered);
        let first = self.graph.edges.len();
        if op.successor_count() > 0 {
            self.branch(op, at, region);
        } else if self.semantics.is_never_left(op) {
            self.graph.segments[at].end = End::NeverLeft(op);
        } else if let Some(of) = self.graph.regions[region].of {
            self.region_edges(at, of, edges, EdgeKind::Yield(op));
        } else {
            self.edge(at, None, EdgeKind::Return(op), Taken::Always);
        }
        self.graph.segments[at].edges = Ids::of(first, self.graph.edges.len());
    }

    /// Adds the edges from the end of a block without a terminator.
    fn end_without_terminator(&mut self, at: SegmentId, region: RegionId, last: Option<Op<'c>>) {
        if let Some(of) = self.graph.regions[region].of {
            let first = self.graph.edges.len();
            self.region_edges(at, of, None, EdgeKind::NoTerminator(last));
            self.graph.segments[at].edges = Ids::of(first, self.graph.edges.len());
        }
    }

    fn edge(
        &mut self,
        from: SegmentId,
        to: Option<SegmentId>,
        kind: EdgeKind<'c>,
        taken: Taken,
    ) -> &mut Edge<'c> {
        let here = self.graph.values.len();
        let edge = self.graph.edges.push(Edge {
            from,
            to,
            kind,
            taken,
            forwards_known: false,
            can_split: false,
            values: Ids::of(here, here),
        });
        &mut self.graph.edges[edge]
    }

    /// Adds edges to the regions of an operation, and to the segment after it.
    fn region_edges(
        &mut self,
        from: SegmentId,
        entered: EnteredId,
        edges: Option<Vec<RegionEdge<'c>>>,
        kind: EdgeKind<'c>,
    ) {
        let after = self.graph.entered[entered].after;
        let Some(edges) = edges else {
            let entries: SmallVec<[SegmentId; 2]> = self.graph.entries(entered).collect();
            for to in entries.into_iter().chain(after) {
                self.edge(from, Some(to), kind, Taken::Maybe);
            }
            return;
        };
        let is_missing_else = matches!(kind, EdgeKind::Enter(_)) && self.lacks_else(entered);
        for edge in edges {
            let region = edge
                .region
                .and_then(|at| self.graph.regions_of(entered).nth(at));
            // An empty region is left at once.
            let entry = region.and_then(|region| self.graph.entry(region));
            let to = entry.map(|entry| self.graph.blocks[entry].first).or(after);
            let first = self.graph.values.len();
            self.graph.values.extend(edge.values);
            let end = self.graph.values.len();
            let added = self.edge(from, to, kind, edge.taken);
            added.forwards_known = true;
            added.can_split = is_missing_else && to == after;
            added.values = Ids::of(first, end);
        }
    }

    /// Is it an `if` without an `else` region, to which one can be added?
    fn lacks_else(&mut self, entered: EnteredId) -> bool {
        let op = self.graph.entered[entered].op;
        let is_if = matches!(
            self.semantics.info(op).kind,
            OpKind::ScfIf | OpKind::AffineIf
        );
        let mut regions = self.graph.regions_of(entered);
        is_if
            && results(op).next().is_none()
            && regions
                .nth(1)
                .is_some_and(|region| self.graph.entry(region).is_none())
    }

    /// Adds the edges to the successors of a branch.
    fn branch(&mut self, op: Op<'c>, from: SegmentId, region: RegionId) {
        let is_branch = self.semantics.info(op).is_branch();
        let by_address = self.semantics.table_facts(op).jumps_by_address;
        let taken = match op.successor_count() {
            1 => Taken::Always,
            _ => Taken::Maybe,
        };
        for (index, successor) in successors(op).enumerate() {
            let forwarded = is_branch
                .then(|| control_flow::branch_operands(op, index))
                .flatten();
            let to = self
                .block(successor, region)
                .map(|to| self.graph.blocks[to].first);
            let Some(to) = to else { continue };
            let here = self.graph.values.len();
            if let Some(forwarded) = &forwarded {
                let targets = arguments(successor).skip(forwarded.produced);
                let pairs = forwarded.forwarded.iter().copied().zip(targets);
                self.graph.values.extend(pairs);
            }
            let end = self.graph.values.len();
            let kind = EdgeKind::Branch(op, index);
            let added = self.edge(from, Some(to), kind, taken);
            added.forwards_known = forwarded.is_some();
            added.can_split =
                forwarded.is_some_and(|forwarded| forwarded.produced == 0) && !by_address;
            added.values = Ids::of(here, end);
        }
    }

    /// The id of a block of a region.
    fn block(&self, block: Block<'c>, region: RegionId) -> Option<BlockId> {
        let mut all = self.graph.blocks_of(region);
        match all.len() {
            1 => all.next(),
            _ => self.blocks.get(&block.key()).copied(),
        }
    }
}
