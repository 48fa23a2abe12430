//! Regions, terminators and the values that they forward.

use super::OriginsReader;
use crate::{
    memory_function::{EnclosingOp, IrEdge, MemoryFunction, OpPosition, StartValues, Walk},
    origins::{MOVED, is_dealloc},
};
use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, results, type_of};
use memplan_ownership::function::{EdgeId, EdgeSplit, SegmentId, ValueId, ValueKind};
use memplan_semantics::{
    Semantics,
    graph::{ControlGraph, EnteredId},
};

impl<'c> Walk<'c> for OriginsReader<'c, '_> {
    const WITH_UNTAKEN_YIELDS: bool = false;

    fn memory(&mut self) -> &mut MemoryFunction<'c> {
        &mut self.memory
    }

    fn semantics(&mut self) -> &mut Semantics {
        self.semantics
    }

    fn is_memory_value(&self, val: Val<'c>) -> bool {
        is_memref(type_of(val))
    }

    fn scan_op(&mut self, op: Op<'c>, inside: bool) -> bool {
        inside
            || is_dealloc(op, self.semantics)
            || operands(op).any(|operand| self.is_memory_value(operand))
            || results(op).any(|result| self.is_memory_value(result))
    }

    fn add_start_values(
        &mut self,
        start: StartValues,
        to: SegmentId,
        vals: &mut dyn Iterator<Item = Val<'c>>,
    ) {
        for val in vals.filter(|val| is_memref(type_of(*val))) {
            match start {
                StartValues::Arguments => self.value(ValueKind::Foreign, to, None, Some(val)),
                StartValues::Passed => self.value(ValueKind::Param, to, None, Some(val)),
                StartValues::Unknown => self.unknown(to, None, val),
            };
        }
    }

    fn plain_op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId {
        self.visit_op(op, place.segment, place.step);
        place.segment
    }

    fn op_with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let next = self.walk_op_with_regions(graph, entered, place);
        for operand in graph.not_forwarded(graph.entered[entered].before) {
            self.escapes(operand);
        }
        next
    }

    fn unknown_terminator(&mut self, op: Op<'c>) -> bool {
        if is_dealloc(op, self.semantics) {
            self.visit_dealloc(op, None);
        }
        for operand in operands(op) {
            self.escapes(operand);
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.unknown_terminator(nested);
        }
        true
    }

    fn branch_uses(&mut self, operand: Val<'c>, _: OpPosition) {
        if is_memref(type_of(operand)) {
            self.used(operand);
        }
    }

    fn not_forwarded(&mut self, _: Op<'c>, operands: &[Val<'c>], _: EnclosingOp<'c>) {
        for operand in operands {
            self.escapes(*operand);
        }
    }

    fn return_op(&mut self, op: Op<'c>, place: OpPosition) {
        let passed =
            operands(op).map(|operand| is_memref(type_of(operand)).then(|| self.used(operand).id));
        let passed = passed.collect();
        self.memory.add_edge(
            place.segment,
            None,
            passed,
            EdgeSplit::Impossible,
            IrEdge::Return(op),
        );
    }

    fn passed_value(&mut self, from: Val<'c>, param: ValueId) -> Option<ValueId> {
        if !is_memref(type_of(from)) {
            return None;
        }
        let operand = self.operand(from);
        if operand.is_moved {
            self.reading.memory.marks[param.index()] |= MOVED;
        }
        Some(operand.id)
    }

    fn forwarded(&mut self, values: &[(Val<'c>, Val<'c>)], _: Option<EdgeId>) {
        for (from, to) in values.iter().filter(|(from, _)| is_memref(type_of(*from))) {
            match is_memref(type_of(*to)) {
                true => {
                    self.used(*from);
                }
                // A memref that becomes another type is not followed.
                false => self.escapes(*from),
            }
        }
    }
}
