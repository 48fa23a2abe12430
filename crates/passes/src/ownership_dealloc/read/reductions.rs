//! Memrefs that parallel loops reduce: `scf.parallel` with `scf.reduce`.
//!
//! Each iteration passes its memref and the accumulated one to a region, which yields the new accumulated
//! memref. That is no value of the iteration. So it is kept by parameters of virtual segments between
//! iterations, which take no code:
//!
//! ```text
//! parallel -> [head: accumulated] -> body -> region of the reduction -> [join] -> head -> after the loop
//! ```

use super::OwnershipReader;
use crate::memory_function::{EnclosingOp, IrEdge, MemoryFunction, OpPosition, SegmentStart, Walk};
use memplan_mlir::ir::{Op, blocks, holds_memref, operands, regions, results, terminator, type_of};
use memplan_ownership::function::{EdgeSplit, SegmentId, ValueId, ValueKind};
use memplan_semantics::{
    Semantics,
    graph::{ControlGraph, EnteredId},
};
use smallvec::SmallVec;

/// Whether an operation reduces values in regions that touch memrefs.
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
    /// Reads a loop that reduces. Returns the segment after it.
    pub(super) fn reducing_loop(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        let next = self.memory().add_segment_after(segment, op);
        let outer = self.reading.function.region(segment);
        let head = self.memory().add_segment(outer, SegmentStart::Between(op));
        let mut accumulated: SmallVec<[ValueId; 2]> = SmallVec::new();
        for result in results(op).filter(|result| holds_memref(type_of(*result))) {
            accumulated.push(self.memory().add_value(ValueKind::Param, head, None, None));
            self.memory()
                .add_value(ValueKind::Param, next, None, Some(result));
        }
        let others = operands(op).count() - results(op).count();
        for (at, operand) in operands(op).enumerate() {
            if at < others {
                self.keep_pointees(operand, next);
            } else {
                self.pointees_escape(operand, op);
            }
        }
        let first = operands(op)
            .skip(others)
            .filter(|operand| holds_memref(type_of(*operand)))
            .map(|operand| self.value_id(operand))
            .collect();
        self.memory().add_edge(
            segment,
            Some(head),
            first,
            EdgeSplit::Impossible,
            IrEdge::Enter(op),
        );
        let id = self.memory().add_region(Some(segment));
        let around = EnclosingOp {
            op,
            next: head,
            is_known: true,
        };
        for body in graph.regions_of(entered) {
            self.add_blocks(body, id, Some(around));
            let entry = self.reading.memory.entry_segment(graph, body);
            self.memory().add_edge(
                head,
                entry,
                Vec::new(),
                EdgeSplit::Impossible,
                IrEdge::Enter(op),
            );
            self.walk_region(body, Some(around));
        }
        let all = accumulated.into_iter().map(Some).collect();
        self.memory().add_edge(
            head,
            Some(next),
            all,
            EdgeSplit::Impossible,
            IrEdge::Enter(op),
        );
        next
    }

    /// Reads the end of an iteration, which reduces its values.
    pub(super) fn reduce_iteration(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
        around: EnclosingOp<'c>,
    ) {
        let op = graph.entered[entered].op;
        let region = self.reading.function.region(place.segment);
        let head = around.next;
        let mut accumulated = self
            .reading
            .memory
            .function
            .segment(head)
            .params
            .clone()
            .into_iter();
        let mut from = place.segment;
        let mut merged = Vec::new();
        for (operand, body) in operands(op).zip(graph.regions_of(entered)) {
            let id = self.memory().add_region(Some(place.segment));
            let join = self.memory().add_segment(region, SegmentStart::Between(op));
            let around = EnclosingOp {
                op,
                next: join,
                is_known: true,
            };
            self.add_blocks(body, id, Some(around));
            let mut passed = Vec::new();
            self.pointees_escape(operand, op);
            if holds_memref(type_of(operand)) {
                passed = vec![accumulated.next(), self.value_id(operand)];
                merged.push(Some(self.memory().add_value(
                    ValueKind::Param,
                    join,
                    None,
                    None,
                )));
            }
            let entry = self.reading.memory.entry_segment(graph, body);
            self.memory().add_edge(
                from,
                entry,
                passed,
                EdgeSplit::Impossible,
                IrEdge::Yield(op),
            );
            self.walk_region(body, Some(around));
            // The previous accumulated memref can be freed here, and nowhere else.
            if let Some(entry) = entry
                && let Some(accumulated) = self
                    .reading
                    .memory
                    .function
                    .segment(entry)
                    .params
                    .first()
                    .copied()
                && self.reading.memory.function.segment(entry).steps > 1
            {
                self.add_use(entry, 0, accumulated);
            }
            from = join;
        }
        self.memory().add_edge(
            from,
            Some(head),
            merged,
            EdgeSplit::Impossible,
            IrEdge::Yield(op),
        );
    }

    /// Reads the end of a region that reduces.
    pub(super) fn reduction_region_end(
        &mut self,
        op: Op<'c>,
        segment: SegmentId,
        around: EnclosingOp<'c>,
    ) {
        let passed = operands(op)
            .filter(|operand| holds_memref(type_of(*operand)))
            .map(|operand| self.value_id(operand))
            .collect();
        self.memory().add_edge(
            segment,
            Some(around.next),
            passed,
            EdgeSplit::Impossible,
            IrEdge::Yield(op),
        );
    }
}
