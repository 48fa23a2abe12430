//! Regions, terminators and what they forward.

use super::Reader;
use crate::{
    memory_function::{Around, Come, Ending, MemoryFunction, Place, Walk, Way},
    origins::{MOVED, is_site},
};
use memplan_mlir::{
    ir::{Op, Val, blocks, is_memref, operands, ops, regions, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, Kind, Room, SegmentId, ValueId};
use memplan_semantics::{
    Semantics,
    graph::{self, ControlGraph, Enter, EnteredId, ends_block},
    names::NameInfo,
};

impl<'c> Walk<'c> for Reader<'c, '_> {
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

    fn is_entered(
        op: Op<'c>,
        info: NameInfo,
        memory: &MemoryFunction<'c>,
        _: &mut Semantics,
    ) -> Enter {
        // What the regions of the end of a block do is not followed.
        match !ends_block(op, info) && memory.touches(op) {
            true => Enter::Yes,
            false => Enter::No,
        }
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

    fn op(&mut self, op: Op<'c>, place: Place) -> SegmentId {
        self.simple(op, place.segment, place.step);
        place.segment
    }

    fn enters(&mut self, graph: &ControlGraph<'c>, entered: EnteredId, place: Place) -> SegmentId {
        let next = self.with_regions(graph, entered, place);
        self.not_forwarded(graph, graph.entered[entered].before);
        next
    }

    fn end(
        &mut self,
        graph: &ControlGraph<'c>,
        end: Ending<'c>,
        place: Place,
        around: Option<Around<'c>>,
    ) {
        let op = end.op;
        if self.memory.touches(op) {
            self.lost(op);
        }
        if op.successor_count() > 0 {
            if graph.edges_from(end.at).any(|edge| !edge.is_told) {
                self.let_out(op);
            }
            self.all_used(op);
        } else if around.is_some() {
            self.not_forwarded(graph, end.at);
        } else {
            self.returns(op, place.segment);
        }
        self.edges(graph, end.at, place.segment);
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
        for (from, _) in values.iter().filter(|(from, _)| is_memref(type_of(*from))) {
            self.used(*from);
        }
    }
}

impl<'c> Reader<'c, '_> {
    /// Memrefs that the operation at the end of a segment does not pass on as memrefs get out.
    fn not_forwarded(&mut self, graph: &ControlGraph<'c>, at: graph::SegmentId) {
        let others = graph.not_forwarded(at).into_iter();
        let values = graph.values_from(at).iter();
        let hidden = values.filter(|(_, to)| !is_memref(type_of(*to)));
        for operand in others.chain(hidden.map(|(from, _)| *from)) {
            if is_memref(type_of(operand)) {
                self.lets_out(operand);
            }
        }
    }

    /// All memrefs that an operation and what it holds use get out.
    fn lost(&mut self, op: Op<'c>) {
        if is_site(op, self.semantics) {
            self.site(op, None);
        }
        self.let_out(op);
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.lost(nested);
        }
    }

    /// What goes to the caller.
    fn returns(&mut self, op: Op<'c>, segment: SegmentId) {
        let given =
            operands(op).map(|operand| is_memref(type_of(operand)).then(|| self.used(operand).id));
        let given = given.collect();
        self.returns.push((segment, given));
        let way = Way::Return(op);
        self.memory.edge(segment, None, Vec::new(), Room::None, way);
    }
}
