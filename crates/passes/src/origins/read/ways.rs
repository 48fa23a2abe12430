//! The ways that control goes, and what is passed on them.

use super::{Around, Reader};
use crate::origins::MOVED;
use memplan_mlir::{
    flow::{self, RegionEdge},
    ir::{
        Identity, Key, Op, Val, arguments, blocks, is_memref, operands, regions, results,
        successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo},
};
use memplan_ownership::function::{Edge, EdgeId, Kind, RegionId, Room, SegmentId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    fn edge(&mut self, from: SegmentId, to: Option<SegmentId>, passed: Vec<Option<ValueId>>) {
        let function = &mut self.reading.memory.function;
        let edge = EdgeId::new(function.edges.len());
        function.edges.push(Edge {
            from,
            to,
            passed,
            room: Room::None,
        });
        function.segments[from.index()].edges.push(edge);
    }

    /// An operation with regions that touch memrefs.
    pub(super) fn with_regions(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
    ) -> SegmentId {
        let function = &self.reading.memory.function;
        let outer = function.segments[segment.index()].region;
        let outer = outer.unwrap_or(RegionId(0));
        let edges = if info.is_region_branch() {
            self.entry_edges(op)
        } else {
            None
        };
        let next = self.segment(outer);
        let is_known = edges.is_some();
        let around = Around { op, next, is_known };
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            if is_known {
                self.value(Kind::Param, next, None, Some(result));
            } else {
                self.unknown(next, None, result);
            }
        }
        for region in regions(op) {
            let all = &mut self.reading.memory.function.regions;
            all.push(Some(outer));
            let id = RegionId::new(all.len() - 1);
            self.make_blocks(region, id, Some(around));
        }
        for region in regions(op) {
            self.region(region, Some(around));
        }
        match edges {
            Some(edges) => {
                self.not_forwarded(op, &edges);
                self.region_edges(segment, op, &edges, next);
            }
            None => {
                self.let_out(op);
                self.enter_all(segment, op, next);
            }
        }
        next
    }

    /// Into any region, and past all.
    fn enter_all(&mut self, from: SegmentId, op: Op<'c>, next: SegmentId) {
        let entries: SmallVec<[SegmentId; 2]> = regions(op)
            .filter_map(|region| blocks(region).next())
            .filter_map(|entry| self.blocks.get(&entry.key()).copied())
            .collect();
        for entry in entries {
            self.edge(from, Some(entry), Vec::new());
        }
        self.edge(from, Some(next), Vec::new());
    }

    /// Where control goes from an operation, if all ways through its regions are known.
    fn entry_edges(&mut self, op: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
        let ends = regions(op).flat_map(blocks).all(|block| {
            terminator(block).is_some_and(|last| {
                let info = self.semantics.info(last);
                last.successor_count() > 0
                    || is_dead_end(info)
                    || (info.is_region_terminator() && flow::terminator_edges(last).is_some())
            })
        });
        ends.then(|| flow::entry_edges(op)).flatten()
    }

    /// Memrefs that become something other than a memref get out.
    fn not_forwarded(&mut self, op: Op<'c>, edges: &[RegionEdge<'c>]) {
        let pairs = || edges.iter().flat_map(|edge| &edge.values);
        let forwarded: FxHashSet<Key> = pairs()
            .filter(|(_, to)| is_memref(type_of(*to)))
            .map(|(from, _)| from.key())
            .collect();
        let hidden: FxHashSet<Key> = pairs()
            .filter(|(_, to)| !is_memref(type_of(*to)))
            .map(|(from, _)| from.key())
            .collect();
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            let key = operand.key();
            if !forwarded.contains(&key) || hidden.contains(&key) {
                let operand = self.used(operand);
                self.reading.memory.escapes.push(operand.id);
            }
        }
    }

    /// Edges between an operation and its regions.
    fn region_edges(
        &mut self,
        from: SegmentId,
        op: Op<'c>,
        edges: &[RegionEdge<'c>],
        next: SegmentId,
    ) {
        for edge in edges {
            let entry = edge
                .region
                .and_then(|index| regions(op).nth(index))
                .and_then(|region| blocks(region).next());
            let to = entry
                .and_then(|entry| self.blocks.get(&entry.key()).copied())
                .unwrap_or(next);
            let from_vals: FxHashMap<Key, Val<'c>> = edge
                .values
                .iter()
                .map(|(from, to)| (to.key(), *from))
                .collect();
            let sources = |param: Val<'c>| from_vals.get(&param.key()).copied();
            self.pass(from, to, sources);
        }
    }

    /// An edge that passes memrefs for the parameters of `to`.
    fn pass(
        &mut self,
        from: SegmentId,
        to: SegmentId,
        source: impl Fn(Val<'c>) -> Option<Val<'c>>,
    ) {
        let params = self.reading.memory.function.segments[to.index()]
            .params
            .clone();
        let passed = params
            .iter()
            .map(|param| {
                let source = source(self.reading.roots[param.index()]?)?;
                if !is_memref(type_of(source)) {
                    return None;
                }
                let operand = self.used(source);
                if operand.is_moved {
                    self.reading.memory.marks[param.index()] |= MOVED;
                }
                Some(operand.id)
            })
            .collect();
        self.edge(from, Some(to), passed);
    }

    /// The last operation of a block.
    pub(super) fn terminator(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        around: Option<Around<'c>>,
    ) {
        if op.successor_count() > 0 {
            self.branch(op, info, segment);
            return;
        }
        if is_dead_end(info) {
            return;
        }
        match around {
            None => {
                let mut returned = SmallVec::new();
                for operand in operands(op) {
                    returned.push(is_memref(type_of(operand)).then(|| {
                        let operand = self.used(operand);
                        (operand.id, operand.is_moved)
                    }));
                }
                self.returns.push((segment, returned));
                self.edge(segment, None, Vec::new());
            }
            Some(around) if around.is_known => {
                let edges = flow::terminator_edges(op).unwrap_or_default();
                self.not_forwarded(op, &edges);
                self.region_edges(segment, around.op, &edges, around.next);
            }
            Some(around) => {
                self.let_out(op);
                self.enter_all(segment, around.op, around.next);
            }
        }
    }

    fn branch(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId) {
        for (index, successor) in successors(op).enumerate() {
            let branch = if info.is_branch() {
                flow::branch_operands(op, index)
            } else {
                None
            };
            if branch.is_none() {
                self.let_out(op);
            }
            let to = self.blocks[&successor.key()];
            let mut sources: FxHashMap<Key, Val<'c>> = FxHashMap::default();
            if let Some(branch) = branch {
                let behind = arguments(successor).skip(branch.produced);
                for (argument, from) in behind.zip(&branch.forwarded) {
                    sources.insert(argument.key(), *from);
                }
            }
            self.pass(segment, to, |param| sources.get(&param.key()).copied());
        }
        self.all_used(op);
    }
}

/// Control never leaves by it.
fn is_dead_end(info: NameInfo) -> bool {
    matches!(info.known, Known::Unreachable | Known::LlvmUnreachable)
}
