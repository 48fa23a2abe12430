//! Memrefs that parallel loops reduce: `scf.parallel` with `scf.reduce`.
//!
//! A turn hands its memref and what all turns before have come to to a region, which gives what they come
//! to now. That is no value of the turn's, so it is kept by parameters of segments between the turns,
//! where no code can stand:
//!
//! parallel -> [head: so far] -> body -> region of the reduction -> [join] -> head -> behind the loop

use super::OwnershipReader;
use crate::memory_function::{Around, IrEdge, MemoryFunction, OpPosition, Start, Walk};
use memplan_mlir::ir::{Op, blocks, holds_memref, operands, regions, results, terminator, type_of};
use memplan_ownership::function::{Kind, Room, SegmentId, ValueId};
use memplan_semantics::{
    Semantics,
    graph::{ControlGraph, EnteredId},
};
use smallvec::SmallVec;

/// Does an operation reduce what turns give in regions that touch memrefs?
pub(super) fn is_reducing(
    op: Op<'_>,
    memory: &MemoryFunction<'_>,
    semantics: &mut Semantics,
) -> bool {
    let has_memref = |end| operands(end).any(|operand| holds_memref(type_of(operand)));
    let mut ends = regions(op).flat_map(blocks).filter_map(terminator);
    semantics.table_facts(op).reduces && ends.any(|end| memory.touches(end) || has_memref(end))
}

impl<'c> OwnershipReader<'c, '_> {
    /// A loop that reduces; the segment behind it.
    pub(super) fn reducing_loop(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        let next = self.memory().segment_after(segment, op);
        let outer = self.reading.function.region(segment);
        let head = self.memory().segment(outer, Start::Between(op));
        let mut so_far: SmallVec<[ValueId; 2]> = SmallVec::new();
        for result in results(op).filter(|result| holds_memref(type_of(*result))) {
            so_far.push(self.memory().value(Kind::Param, head, None, None));
            self.memory().value(Kind::Param, next, None, Some(result));
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
        self.memory()
            .edge(segment, Some(head), first, Room::None, IrEdge::Enter(op));
        let id = self.memory().region(Some(segment));
        let around = Around {
            op,
            next: head,
            is_known: true,
        };
        for body in graph.regions_of(entered) {
            self.make_blocks(body, id, Some(around));
            let entry = self.reading.memory.entry(graph, body);
            self.memory()
                .edge(head, entry, Vec::new(), Room::None, IrEdge::Enter(op));
            self.region(body, Some(around));
        }
        let all = so_far.into_iter().map(Some).collect();
        self.memory()
            .edge(head, Some(next), all, Room::None, IrEdge::Enter(op));
        next
    }

    /// The end of a turn, which reduces what it has.
    pub(super) fn reduce(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
        around: Around<'c>,
    ) {
        let op = graph.entered[entered].op;
        let region = self.reading.function.region(place.segment);
        let head = around.next;
        let mut so_far = self
            .reading
            .memory
            .function
            .segment(head)
            .params
            .clone()
            .into_iter();
        let mut from = place.segment;
        let mut now = Vec::new();
        for (operand, body) in operands(op).zip(graph.regions_of(entered)) {
            let id = self.memory().region(Some(place.segment));
            let join = self.memory().segment(region, Start::Between(op));
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
                now.push(Some(self.memory().value(Kind::Param, join, None, None)));
            }
            let entry = self.reading.memory.entry(graph, body);
            self.memory()
                .edge(from, entry, passed, Room::None, IrEdge::Yield(op));
            self.region(body, Some(around));
            // What it came to before can be given back here, and nowhere else.
            if let Some(entry) = entry
                && let Some(so_far) = self
                    .reading
                    .memory
                    .function
                    .segment(entry)
                    .params
                    .first()
                    .copied()
                && self.reading.memory.function.segment(entry).steps > 1
            {
                self.uses(entry, 0, so_far);
            }
            from = join;
        }
        self.memory()
            .edge(from, Some(head), now, Room::None, IrEdge::Yield(op));
    }

    /// The end of a region that reduces.
    pub(super) fn reduced(&mut self, op: Op<'c>, segment: SegmentId, around: Around<'c>) {
        let passed = operands(op)
            .filter(|operand| holds_memref(type_of(*operand)))
            .map(|operand| self.id(operand))
            .collect();
        self.memory().edge(
            segment,
            Some(around.next),
            passed,
            Room::None,
            IrEdge::Yield(op),
        );
    }
}
