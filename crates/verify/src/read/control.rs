//! Operations with regions, and how blocks end.

use super::Reader;
use crate::program::{Action, Escape, NodeId, Token, ValueId};
use memplan_mlir::{
    flow::{RegionEdge, branch_operands, entry_edges, static_trip_count, terminator_edges},
    ir::{
        Block, Identity, Op, Region, Val, arguments, blocks, is_tensor, operands, ops, regions,
        results, terminator, type_of,
    },
    melior::ir::{BlockLike, operation::OperationLike},
    names::{Known, NameInfo},
};
use rustc_hash::FxHashSet;

/// The operation whose regions are read.
pub(super) struct Frame<'c> {
    pub op: Op<'c>,
    /// The node that each region starts with; `None` for an empty region.
    pub entries: Vec<Option<NodeId>>,
    /// Where control goes after the operation; `None` for a function.
    pub after: Option<NodeId>,
    /// For regions that run in no known order: the node that control comes back to, and a value
    /// that may be anything that the operation or a region hands over.
    pub hub: Option<(NodeId, ValueId)>,
    /// A loop that turns once: its body does not lead back to itself.
    pub turns_once: bool,
}

impl<'c> Reader<'c> {
    pub(super) fn operation_with_regions(&mut self, op: Op<'c>, info: NameInfo) {
        let parallel = self.semantics.names().runs_in_parallel(op);
        let edges = if parallel || !info.is_region_branch() {
            None
        } else {
            entry_edges(op)
        };
        let (scope, around) = (self.scope, self.around);
        if parallel {
            (self.scope, self.around) = (Some(op.key()), scope);
        }
        match edges {
            Some(edges) => self.declared_regions(op, info, &edges),
            None => self.unordered_regions(op, info),
        }
        (self.scope, self.around) = (scope, around);
    }

    /// Control goes where the operation says.
    fn declared_regions(&mut self, op: Op<'c>, info: NameInfo, edges: &[RegionEdge<'c>]) {
        let memory = self.semantics.of(op);
        self.accesses(op, info, &memory);
        let after = self.node();
        // How often a loop turns is known of those that are counted.
        let is_counted = matches!(info.known, Known::ScfFor | Known::AffineFor);
        let turns = is_counted.then(|| static_trip_count(op)).flatten();
        let frame = Frame {
            op,
            entries: regions(op).map(|region| self.blocks(region)).collect(),
            after: Some(after),
            hub: None,
            turns_once: turns == Some(1),
        };
        let sources = self.references(operands(op));
        let enters = |edge: &RegionEdge<'c>| match turns {
            Some(0) => edge.region.is_none(),
            Some(_) => edge.region.is_some(),
            None => true,
        };
        let edges: Vec<RegionEdge<'c>> =
            edges.iter().filter(|edge| enters(edge)).cloned().collect();
        self.region_edges(&frame, &edges, &sources);
        for region in regions(op) {
            self.region(region, &frame);
        }
        self.start(after);
    }

    /// The regions may run in any order and any number of times, before, between and after what
    /// the operation does itself: bodies that run in parallel, and operations of which no more is
    /// known. `hub` stands for one moment of the operation.
    fn unordered_regions(&mut self, op: Op<'c>, info: NameInfo) {
        let memory = self.semantics.of(op);
        let (hub, after, pool) = (self.node(), self.node(), self.fresh());
        let mut handed = self.references(operands(op));
        let referring = self.references(results(op));
        // A token stands for what goes on in the regions. A tensor is a value: whatever turns memory
        // into one is seen for itself.
        let tokens = results(op).filter(|result| !is_tensor(type_of(*result)));
        let is_named = !self.references(tokens).is_empty();
        let captured = match is_named || memory.start.is_some() {
            true => self.captured(op),
            false => Vec::new(),
        };
        if is_named {
            handed.extend(&captured);
        }
        self.edge(hub, to_one(&handed, pool));
        self.start(hub);
        self.accesses(op, info, &memory);
        let frame = Frame {
            op,
            entries: regions(op).map(|region| self.blocks(region)).collect(),
            after: Some(after),
            hub: Some((hub, pool)),
            turns_once: false,
        };
        for (region, entry) in regions(op).zip(&frame.entries) {
            if let (Some(entry), Some(block)) = (entry, blocks(region).next()) {
                let arguments = self.references(arguments(block));
                self.edge(*entry, from_one(pool, &arguments));
            }
        }
        self.edge(after, from_one(pool, &referring));
        for region in regions(op) {
            self.region(region, &frame);
        }
        self.start(after);
        let mut used = self.references(operands(op));
        used.extend(captured);
        self.tokens(op, &memory, &used);
    }

    /// The values from outside that the regions of an operation use.
    fn captured(&mut self, op: Op<'c>) -> Vec<ValueId> {
        let mut captured = Vec::new();
        let mut inside = FxHashSet::default();
        let mut open: Vec<Region<'c>> = regions(op).collect();
        let mut used: Vec<Val<'c>> = Vec::new();
        while let Some(region) = open.pop() {
            for block in blocks(region) {
                inside.extend(arguments(block).map(|argument| argument.key()));
                for op in ops(block) {
                    inside.extend(results(op).map(|result| result.key()));
                    used.extend(operands(op));
                    open.extend(regions(op));
                }
            }
        }
        used.retain(|value| inside.insert(value.key()));
        captured.extend(self.references(used.into_iter()));
        captured
    }

    /// Makes the nodes of a region's blocks; the first one's.
    pub(super) fn blocks(&mut self, region: Region<'c>) -> Option<NodeId> {
        let mut entry = None;
        for block in blocks(region) {
            let node = self.node();
            self.nodes.insert(block.key(), node);
            entry = entry.or(Some(node));
        }
        entry
    }

    pub(super) fn region(&mut self, region: Region<'c>, frame: &Frame<'c>) {
        for block in blocks(region) {
            let Some(node) = self.nodes.get(&block.key()).copied() else {
                continue;
            };
            self.start(node);
            for op in ops(block) {
                self.op(op);
            }
            self.leave(block, frame);
        }
    }

    /// The edges at the end of a block.
    fn leave(&mut self, block: Block<'c>, frame: &Frame<'c>) {
        let Some(end) = terminator(block) else {
            return self.leave_anyhow(None, frame);
        };
        self.end_turn(block, end);
        if self.semantics.info(frame.op).known == Known::AllocaScope {
            self.leave_stack(block, end);
        }
        if end.successor_count() > 0 {
            return self.branch(end);
        }
        if frame.after.is_none() {
            let returned = self.references(operands(end));
            let id = self.id(end);
            self.step(id, Action::Token(Token::Leave));
            self.end_of_addresses(id);
            return self.escape(id, &returned, Escape::Returned);
        }
        match terminator_edges(end) {
            Some(mut edges) if frame.hub.is_none() => {
                if frame.turns_once {
                    edges.retain(|edge| edge.region.is_none());
                }
                let sources = self.references(operands(end));
                self.region_edges(frame, &edges, &sources);
            }
            _ => self.leave_anyhow(Some(end), frame),
        }
    }

    /// A region ends, and nothing says where control goes.
    fn leave_anyhow(&mut self, end: Option<Op<'c>>, frame: &Frame<'c>) {
        let handed = end.map_or_else(Vec::new, |end| self.references(operands(end)));
        if let Some((hub, pool)) = frame.hub {
            let mut binds = to_one(&handed, pool);
            binds.push((pool, pool));
            return self.edge(hub, binds);
        }
        let Some(after) = frame.after else { return };
        for (region, entry) in regions(frame.op).zip(&frame.entries) {
            if let (Some(entry), Some(block)) = (entry, blocks(region).next()) {
                let arguments = self.references(arguments(block));
                self.edge(*entry, all_to_all(&handed, &arguments));
            }
        }
        let results = self.references(results(frame.op));
        self.edge(after, all_to_all(&handed, &results));
    }

    /// Edges between an operation and its regions. What no edge hands over may be any of
    /// `sources`.
    fn region_edges(&mut self, frame: &Frame<'c>, edges: &[RegionEdge<'c>], sources: &[ValueId]) {
        for edge in edges {
            let (to, targets) = match edge.region {
                Some(index) => {
                    let region = regions(frame.op).nth(index);
                    let block = region.and_then(|region| blocks(region).next());
                    let (Some(Some(entry)), Some(block)) = (frame.entries.get(index), block) else {
                        continue;
                    };
                    (*entry, self.references(arguments(block)))
                }
                None => {
                    let Some(after) = frame.after else { continue };
                    (after, self.references(results(frame.op)))
                }
            };
            let mut binds = Vec::new();
            for &(from, into) in &edge.values {
                if self.refers(from) && self.refers(into) {
                    if self.arenas.contains_key(&from.key()) {
                        continue;
                    }
                    binds.push((self.value(from), self.value(into)));
                } else {
                    binds.extend(self.handed_token(from, into));
                }
            }
            let bound: FxHashSet<ValueId> = binds.iter().map(|(_, into)| *into).collect();
            let unbound: Vec<ValueId> = targets
                .into_iter()
                .filter(|target| !bound.contains(target))
                .collect();
            binds.extend(all_to_all(sources, &unbound));
            self.edge(to, binds);
        }
    }

    /// A terminator with successors.
    fn branch(&mut self, end: Op<'c>) {
        let handed = self.references(operands(end));
        for index in 0..end.successor_count() {
            let Ok(block) = end.successor(index) else {
                continue;
            };
            let Some(to) = self.nodes.get(&block.key()).copied() else {
                continue;
            };
            let arguments: Vec<Val<'c>> = (0..block.argument_count())
                .filter_map(|index| block.argument(index).ok().map(Into::into))
                .collect();
            let mut binds = Vec::new();
            match branch_operands(end, index) {
                Some(given) => {
                    let (made, forwarded) = arguments.split_at(given.produced.min(arguments.len()));
                    let made = self.references(made.iter().copied());
                    binds.extend(all_to_all(&handed, &made));
                    for (from, into) in given.forwarded.iter().zip(forwarded) {
                        if self.refers(*from) && !self.arenas.contains_key(&from.key()) {
                            binds.push((self.value(*from), self.value(*into)));
                        } else {
                            binds.extend(self.handed_token(*from, *into));
                        }
                    }
                }
                None => {
                    let arguments = self.references(arguments.into_iter());
                    binds.extend(all_to_all(&handed, &arguments));
                }
            }
            self.edge(to, binds);
        }
    }
}

fn to_one(from: &[ValueId], to: ValueId) -> Vec<(ValueId, ValueId)> {
    from.iter().map(|from| (*from, to)).collect()
}

fn from_one(from: ValueId, to: &[ValueId]) -> Vec<(ValueId, ValueId)> {
    to.iter().map(|to| (from, *to)).collect()
}

fn all_to_all(from: &[ValueId], to: &[ValueId]) -> Vec<(ValueId, ValueId)> {
    to.iter()
        .flat_map(|to| from.iter().map(move |from| (*from, *to)))
        .collect()
}
