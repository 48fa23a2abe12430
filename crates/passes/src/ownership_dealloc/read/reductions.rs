//! Memrefs that parallel loops reduce: `scf.parallel` with `scf.reduce`.
//!
//! A turn hands its memref and what all turns before have come to to a region, which gives what they come
//! to now. That is no value of the turn's, so it is kept by parameters of segments between the turns,
//! where no code can stand:
//!
//! parallel -> [head: so far] -> body -> region of the reduction -> [join] -> head -> behind the loop

use super::{Around, Reader, Start, Way};
use memplan_mlir::ir::{
    Identity, Key, Op, blocks, holds_memref, operands, regions, results, terminator, type_of,
};
use memplan_ownership::function::{Kind, RegionId, Room, SegmentId, ValueId};
use memplan_semantics::{
    Semantics,
    graph::{self, ControlGraph, EnteredId},
    names::OpKind,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Does an operation reduce what turns give in regions that touch memrefs?
pub(super) fn reduces(op: Op<'_>, touching: &FxHashSet<Key>, semantics: &mut Semantics) -> bool {
    if semantics.info(op).kind != OpKind::ScfParallel {
        return false;
    }
    let mut ends = regions(op).flat_map(blocks).filter_map(terminator);
    ends.any(|end| {
        touching.contains(&end.key())
            || semantics.info(end).kind == OpKind::ScfReduce
                && operands(end).any(|operand| holds_memref(type_of(operand)))
    })
}

impl<'c> Reader<'c, '_> {
    /// Does an operation reduce what turns give in regions that touch memrefs?
    pub(super) fn reduces(&mut self, op: Op<'c>) -> bool {
        reduces(op, &self.touching, self.semantics)
    }

    /// A loop that reduces; the segment behind it.
    pub(super) fn reducing_loop(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
        outer: RegionId,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        let next = self.segment(outer, Start::Behind(op));
        self.reading.function.segments[next.index()].behind = Some(segment);
        let head = self.segment(outer, Start::Between(op));
        let mut so_far: SmallVec<[ValueId; 2]> = SmallVec::new();
        for result in results(op).filter(|result| holds_memref(type_of(*result))) {
            so_far.push(self.value(Kind::Param, head, None, None));
            self.value(Kind::Param, next, None, Some(result));
        }
        let others = operands(op).count() - results(op).count();
        for (at, operand) in operands(op).enumerate() {
            if at < others {
                self.keeps_carried(operand, next);
            } else {
                self.carrier_escapes(operand, op);
            }
        }
        let first = operands(op)
            .skip(others)
            .filter(|operand| holds_memref(type_of(*operand)))
            .map(|operand| self.id(operand))
            .collect();
        self.edge(segment, Some(head), first, Room::None, Way::Enter(op));
        self.reading.function.regions.push(Some(outer));
        let id = RegionId::new(self.reading.function.regions.len() - 1);
        let around = Around {
            op,
            next: head,
            is_known: true,
        };
        for body in graph.regions_of(entered) {
            self.make_blocks(body, id, Some(around));
            let entry = self.entry(graph, body);
            self.edge(head, entry, Vec::new(), Room::None, Way::Enter(op));
            self.region(body, id, Some(around));
        }
        let all = so_far.into_iter().map(Some).collect();
        self.edge(head, Some(next), all, Room::None, Way::Enter(op));
        next
    }

    /// The end of a turn, which reduces what it has.
    pub(super) fn reduce(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
        region: RegionId,
        around: Around<'c>,
    ) {
        let op = graph.entered[entered].op;
        let head = around.next;
        let mut so_far = self
            .reading
            .function
            .segment(head)
            .params
            .clone()
            .into_iter();
        let mut from = segment;
        let mut now = Vec::new();
        for (operand, body) in operands(op).zip(graph.regions_of(entered)) {
            self.reading.function.regions.push(Some(region));
            let id = RegionId::new(self.reading.function.regions.len() - 1);
            let join = self.segment(region, Start::Between(op));
            let around = Around {
                op,
                next: join,
                is_known: true,
            };
            self.make_blocks(body, id, Some(around));
            let mut passed = Vec::new();
            self.carrier_escapes(operand, op);
            if holds_memref(type_of(operand)) {
                passed = vec![so_far.next(), self.id(operand)];
                now.push(Some(self.value(Kind::Param, join, None, None)));
            }
            let entry = self.entry(graph, body);
            self.edge(from, entry, passed, Room::None, Way::Yield(op));
            self.region(body, id, Some(around));
            // What it came to before can be given back here, and nowhere else.
            if let Some(entry) = entry
                && let Some(so_far) = self.reading.function.segment(entry).params.first().copied()
                && self.reading.function.segment(entry).steps > 1
            {
                self.uses(entry, 0, so_far);
            }
            from = join;
        }
        self.edge(from, Some(head), now, Room::None, Way::Yield(op));
    }

    fn entry(&self, graph: &ControlGraph<'c>, region: graph::RegionId) -> Option<SegmentId> {
        let entry = graph.entry(region)?;
        Some(self.segments[graph.blocks[entry].first])
    }

    /// The end of a region that reduces.
    pub(super) fn reduced(&mut self, op: Op<'c>, segment: SegmentId, around: Around<'c>) {
        let passed = operands(op)
            .filter(|operand| holds_memref(type_of(*operand)))
            .map(|operand| self.id(operand))
            .collect();
        self.edge(
            segment,
            Some(around.next),
            passed,
            Room::None,
            Way::Yield(op),
        );
    }
}
