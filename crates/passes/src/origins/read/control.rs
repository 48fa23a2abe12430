//! Regions, terminators and what they forward.

use super::OriginsReader;
use crate::{
    memory_function::{Around, Come, IrEdge, MemoryFunction, OpPosition, Walk},
    origins::{MOVED, is_site},
};
use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, results, type_of};
use memplan_ownership::function::{EdgeId, Kind, Room, SegmentId, ValueId};
use memplan_semantics::{
    Semantics,
    graph::{ControlGraph, EnteredId},
};

impl<'c> Walk<'c> for OriginsReader<'c, '_> {
    const WITH_UNTAKEN_ENDS: bool = false;

    fn memory(&mut self) -> &mut MemoryFunction<'c> {
        &mut self.memory
    }

    fn semantics(&mut self) -> &mut Semantics {
        self.semantics
    }

    fn is_concerned(&self, val: Val<'c>) -> bool {
        is_memref(type_of(val))
    }

    fn scanned(&mut self, op: Op<'c>, inside: bool) -> bool {
        inside
            || is_site(op, self.semantics)
            || operands(op).any(|operand| self.is_concerned(operand))
            || results(op).any(|result| self.is_concerned(result))
    }

    fn come(&mut self, come: Come, to: SegmentId, vals: &mut dyn Iterator<Item = Val<'c>>) {
        for val in vals.filter(|val| is_memref(type_of(*val))) {
            match come {
                Come::Arguments => self.value(Kind::Foreign, to, None, Some(val)),
                Come::Passed => self.value(Kind::Param, to, None, Some(val)),
                Come::Unknown => self.unknown(to, None, val),
            };
        }
    }

    fn op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId {
        self.simple(op, place.segment, place.step);
        place.segment
    }

    fn enters(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let next = self.with_regions(graph, entered, place);
        for operand in graph.not_forwarded(graph.entered[entered].before) {
            self.lets_out(operand);
        }
        next
    }

    fn loses(&mut self, op: Op<'c>) -> bool {
        if is_site(op, self.semantics) {
            self.site(op, None);
        }
        for operand in operands(op) {
            self.lets_out(operand);
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.loses(nested);
        }
        true
    }

    fn branches_on(&mut self, operand: Val<'c>, _: OpPosition) {
        if is_memref(type_of(operand)) {
            self.used(operand);
        }
    }

    fn unforwarded(&mut self, _: Op<'c>, operands: &[Val<'c>], _: Around<'c>) {
        for operand in operands {
            self.lets_out(*operand);
        }
    }

    fn returns(&mut self, op: Op<'c>, place: OpPosition) {
        let given =
            operands(op).map(|operand| is_memref(type_of(operand)).then(|| self.used(operand).id));
        let given = given.collect();
        self.memory
            .edge(place.segment, None, given, Room::None, IrEdge::Return(op));
    }

    fn passed(&mut self, from: Val<'c>, param: ValueId) -> Option<ValueId> {
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
                // It is not followed as what it becomes.
                false => self.lets_out(*from),
            }
        }
    }
}
