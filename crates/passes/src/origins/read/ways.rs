//! Where control goes, as the control-flow graph has it, and what is passed on.

use super::{Around, Reader};
use crate::origins::MOVED;
use memplan_mlir::{
    ir::{Identity, Key, Op, Region, Val, is_memref, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{Edge, EdgeId, Kind, RegionId, Room, SegmentId, ValueId};
use memplan_semantics::graph::{
    self, BlockId, ControlGraph, EdgeKind, End, Enter, EnteredId, Sources, Taken, ends_block,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::rc::Rc;

impl<'c> Reader<'c, '_> {
    /// Reads the graph of a body, once it is known which operations touch memrefs.
    pub(super) fn control(&mut self, body: Region<'c>) -> ControlGraph<'c> {
        let touching = &self.touching;
        ControlGraph::of(body, self.semantics, &mut |op, info, _| {
            // What the regions of the end of a block do is not followed.
            match !ends_block(op, info) && touching.contains(&op.key()) {
                true => Enter::Yes,
                false => Enter::No,
            }
        })
    }

    /// What the blocks of a region hold.
    pub(super) fn region(&mut self, region: graph::RegionId, around: Option<Around>) {
        let graph = Rc::clone(&self.graph);
        for block in graph.in_order(region, false) {
            self.block(&graph, block, around);
        }
    }

    fn block(&mut self, graph: &ControlGraph<'c>, block: BlockId, around: Option<Around>) {
        let mut at = graph.blocks[block].first;
        let mut segment = self.segments[at];
        loop {
            for op in graph.ops(at) {
                let info = self.semantics.info(op);
                let step = self.step(segment);
                self.simple(op, info, segment, step);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    let Some(after) = graph.entered[entered].after else {
                        return;
                    };
                    self.step(segment);
                    segment = self.with_regions(graph, entered, segment);
                    at = after;
                }
                End::Terminator(op, _) => {
                    self.step(segment);
                    if self.touching.contains(&op.key()) {
                        self.lost(op);
                    }
                    return self.terminator(graph, op, (at, segment), around);
                }
                End::NeverLeft(_) => {
                    self.step(segment);
                    return;
                }
                End::Falls => return self.edges(graph, at, segment),
            }
        }
    }

    /// An operation with regions that touch memrefs; the segment behind it.
    fn with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
    ) -> SegmentId {
        let node = &graph.entered[entered];
        let (op, is_known) = (node.op, node.is_known);
        let function = &self.reading.memory.function;
        let outer = function.segments[segment.index()].region;
        let outer = outer.unwrap_or(RegionId(0));
        let next = self.segment(outer);
        if let Some(after) = node.after {
            self.segments[after] = next;
        }
        let around = Around { is_known };
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            if is_known {
                self.value(Kind::Param, next, None, Some(result));
            } else {
                self.unknown(next, None, result);
            }
        }
        for region in graph.regions_of(entered) {
            let all = &mut self.reading.memory.function.regions;
            all.push(Some(outer));
            let id = RegionId::new(all.len() - 1);
            self.make_blocks(region, id, Some(around));
        }
        for region in graph.regions_of(entered) {
            self.region(region, Some(around));
        }
        self.not_forwarded(graph, op, node.before);
        self.edges(graph, node.before, segment);
        next
    }

    /// Memrefs that the operation at the end of a segment does not pass on as memrefs get out.
    fn not_forwarded(&mut self, graph: &ControlGraph<'c>, op: Op<'c>, at: graph::SegmentId) {
        let pairs = graph.values_from(at).iter();
        let (forwarded, hidden): (Vec<_>, Vec<_>) =
            pairs.partition(|(_, to)| is_memref(type_of(*to)));
        let keys = |pairs: Vec<&(Val<'c>, Val<'c>)>| -> FxHashSet<Key> {
            pairs.into_iter().map(|(from, _)| from.key()).collect()
        };
        let (forwarded, hidden) = (keys(forwarded), keys(hidden));
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            let key = operand.key();
            if !forwarded.contains(&key) || hidden.contains(&key) {
                let operand = self.used(operand);
                self.reading.memory.escapes.push(operand.id);
            }
        }
    }

    /// The edges out of a segment of the graph, which is part of this one here.
    fn edges(&mut self, graph: &ControlGraph<'c>, at: graph::SegmentId, segment: SegmentId) {
        for edge in graph.edges_from(at) {
            let values = graph.values(edge);
            if edge.taken == Taken::Never {
                for (from, _) in values.iter().filter(|(from, _)| is_memref(type_of(*from))) {
                    self.used(*from);
                }
                continue;
            }
            let to = edge.to.map(|to| self.segments[to]);
            let passed = match to {
                Some(to) if edge.is_told || matches!(edge.kind, EdgeKind::Branch(..)) => {
                    self.passed(values, to)
                }
                _ => Vec::new(),
            };
            let function = &mut self.reading.memory.function;
            let id = EdgeId::new(function.edges.len());
            function.edges.push(Edge {
                from: segment,
                to,
                passed,
                room: Room::None,
            });
            function.segments[segment.index()].edges.push(id);
        }
    }

    /// What an edge that forwards these values passes for each parameter of its target.
    fn passed(&mut self, values: &[(Val<'c>, Val<'c>)], to: SegmentId) -> Vec<Option<ValueId>> {
        let params = &self.reading.memory.function.segments[to.index()].params;
        let params: SmallVec<[ValueId; 4]> = params.iter().copied().collect();
        let mut sources = Sources::of(values);
        let passed = params.into_iter().map(|param| {
            let source = sources.of_target(self.reading.roots[param.index()]?)?;
            if !is_memref(type_of(source)) {
                return None;
            }
            let operand = self.used(source);
            if operand.is_moved {
                self.reading.memory.marks[param.index()] |= MOVED;
            }
            Some(operand.id)
        });
        passed.collect()
    }

    /// The last operation of a block.
    fn terminator(
        &mut self,
        graph: &ControlGraph<'c>,
        op: Op<'c>,
        (at, segment): (graph::SegmentId, SegmentId),
        around: Option<Around>,
    ) {
        if op.successor_count() > 0 {
            for _ in graph.edges_from(at).filter(|edge| !edge.is_told) {
                self.let_out(op);
            }
            self.edges(graph, at, segment);
            self.all_used(op);
        } else if around.is_some() {
            self.not_forwarded(graph, op, at);
            self.edges(graph, at, segment);
        } else {
            let mut returned = SmallVec::new();
            for operand in operands(op) {
                returned.push(is_memref(type_of(operand)).then(|| {
                    let operand = self.used(operand);
                    (operand.id, operand.is_moved)
                }));
            }
            self.returns.push((segment, returned));
            self.edges(graph, at, segment);
        }
    }
}
