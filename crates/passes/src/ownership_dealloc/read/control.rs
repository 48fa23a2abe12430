//! Regions, terminators and what they forward.

use super::{OwnershipReader, pending_uses::Inside, reductions::is_reducing};
use crate::{
    memory_function::{Around, Come, Ending, IrEdge, MemoryFunction, OpPosition, Start, Walk},
    ownership_dealloc::error::{ErrorKind, name_of},
    regions::borrowed::is_lent_by,
};
use memplan_mlir::{
    ir::{Identity, Op, Val, holds_memref, operands, parent, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, Kind, Room, SegmentId, ValueId};
use memplan_semantics::{
    Semantics,
    control::Chosen,
    graph::{ControlGraph, Enter, EnteredId},
    names::NameInfo,
};
use smallvec::SmallVec;

impl<'c> Walk<'c> for OwnershipReader<'c, '_> {
    // Flags go along.
    const WITH_UNTAKEN_ENDS: bool = true;

    fn memory(&mut self) -> &mut MemoryFunction<'c> {
        &mut self.reading.memory
    }

    fn semantics(&mut self) -> &mut Semantics {
        self.semantics
    }

    fn is_concerned(&self, val: Val<'c>) -> bool {
        holds_memref(type_of(val)) || self.is_carrier(val)
    }

    fn scanned(&mut self, op: Op<'c>, inside: bool) -> bool {
        let uses = operands(op).any(|operand| self.is_concerned(operand));
        let gives = results(op).any(|result| self.is_concerned(result));
        let may_seed = inside || uses || gives && !self.semantics.info(op).is_call();
        self.seeds(op, may_seed);
        inside || uses || gives
    }

    fn is_entered(
        op: Op<'c>,
        info: NameInfo,
        memory: &MemoryFunction<'c>,
        semantics: &mut Semantics,
    ) -> Enter {
        // Other ends of blocks would have to be written anew around their regions.
        let can_be = !(info.is_terminator() || op.successor_count() > 0)
            || parent(op).is_some_and(|around| is_reducing(around, memory, semantics));
        match can_be && memory.touches(op) {
            true => Enter::Yes,
            false => Enter::No,
        }
    }

    fn come(&mut self, come: Come, to: SegmentId, vals: &mut dyn Iterator<Item = Val<'c>>) {
        let kind = match come {
            Come::Passed => Kind::Param,
            Come::Arguments if !self.taken_over.is_empty() => {
                for (val, number) in vals.zip(0..) {
                    let kind = match self.taken_over.contains(&number) {
                        true => Kind::Fresh {
                            owned: true,
                            same_as: None,
                        },
                        false => Kind::Foreign,
                    };
                    self.values(&kind, to, std::iter::once(val));
                }
                return;
            }
            Come::Arguments | Come::Unknown => Kind::Foreign,
        };
        self.values(&kind, to, vals);
    }

    fn op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId {
        let info = self.semantics.info(op);
        self.simple(op, info, place.segment, place.step)
    }

    fn enters(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        if is_reducing(op, &self.reading.memory, self.semantics) {
            self.reducing_loop(graph, entered, place.segment)
        } else if self.semantics.table_facts(op).models_deallocation {
            self.fails(op, ErrorKind::ModelAround);
            place.segment
        } else {
            let inside = self.before_regions(graph, entered);
            let next = self.with_regions(graph, entered, place);
            self.after_regions(graph, entered, place, next, inside);
            next
        }
    }

    fn end(
        &mut self,
        graph: &ControlGraph<'c>,
        end: Ending<'c>,
        place: OpPosition,
        around: Option<Around<'c>>,
    ) {
        let op = end.op;
        if let Some(around) = around {
            if let Some(entered) = end.entered {
                return self.reduce(graph, entered, place, around);
            }
            let start = self.reading.starts[around.next.index()];
            if matches!(start, Start::Between(_)) && op.successor_count() == 0 {
                return self.reduced(op, place.segment, around);
            }
        }
        if self.semantics.table_facts(op).models_deallocation {
            return self.fails(op, ErrorKind::ModelAround);
        }
        if self.semantics.info(op).is_call() {
            self.at_end_by_callee(op);
        }
        if op.successor_count() > 0 {
            let choice = self.semantics.choice(op).map(|choice| choice.by);
            self.reading.memory.function.segments[place.segment.index()].is_choice =
                choice == Some(Chosen::Truth);
        }
        self.leaves(graph, end, place, around);
    }

    fn loses(&mut self, op: Op<'c>) -> bool {
        self.fails(op, ErrorKind::Terminator);
        false
    }

    fn branches_on(&mut self, operand: Val<'c>, place: OpPosition) {
        if let Some(id) = self.id(operand) {
            self.uses(place.segment, place.step, id);
        }
        self.uses_carrier(operand, place.segment, place.step);
    }

    fn unforwarded(&mut self, op: Op<'c>, operands: &[Val<'c>], around: Around<'c>) {
        if operands
            .iter()
            .any(|operand| holds_memref(type_of(*operand)))
        {
            let what = match around.is_known {
                true => ErrorKind::Terminator,
                false => ErrorKind::HandedTo(name_of(around.op)),
            };
            self.fails(op, what);
        }
        for operand in operands {
            self.carrier_escapes(*operand, op);
        }
    }

    fn returns(&mut self, op: Op<'c>, place: OpPosition) {
        let function = parent(op);
        let mut passed: Vec<Option<ValueId>> = Vec::new();
        for (at, operand) in operands(op).enumerate() {
            if !holds_memref(type_of(operand)) {
                continue;
            }
            // It may be anything, which only happens to stand last.
            if !self.semantics.info(op).is_registered() {
                self.fails(op, ErrorKind::Terminator);
                return;
            }
            let id = self.id(operand);
            let is_lent = function.is_some_and(|function| is_lent_by(function, at));
            passed.push(id.filter(|_| !is_lent));
            if let Some(id) = id.filter(|_| is_lent) {
                self.uses(place.segment, place.step, id);
            }
        }
        self.carriers_escape(op);
        self.memory()
            .edge(place.segment, None, passed, Room::None, IrEdge::Return(op));
    }

    fn passed(&mut self, from: Val<'c>, _: ValueId) -> Option<ValueId> {
        self.id(from)
    }

    fn forwarded(&mut self, values: &[(Val<'c>, Val<'c>)], edge: Option<EdgeId>) {
        if let Some(edge) = edge {
            for (from, to) in values {
                self.passes_carried(*from, *to, edge);
            }
        }
    }
}

impl<'c> OwnershipReader<'c, '_> {
    fn before_regions(&mut self, graph: &ControlGraph<'c>, entered: EnteredId) -> Inside {
        let node = &graph.entered[entered];
        // What is used inside for longer than the operation runs is never handed over to it.
        if self.semantics.region_order(node.op).outlives() {
            for (from, to) in graph.values_from(node.before) {
                if let (Some(id), true) = (self.id(*from), holds_memref(type_of(*to))) {
                    self.reading.memory.ids.insert(to.key(), id);
                }
            }
        }
        Inside {
            // That after the operation comes first.
            segment: SegmentId::new(self.reading.function.segments.len() + 1),
            value: ValueId::new(self.reading.function.values.len()),
            uses: self.uses_of_carriers(),
        }
    }

    fn after_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
        next: SegmentId,
        inside: Inside,
    ) {
        let node = &graph.entered[entered];
        let op = node.op;
        if !self.semantics.table_facts(op).is_extendable {
            let memory = &mut self.reading.memory;
            let regions = graph.regions_of(entered);
            let entries: SmallVec<[SegmentId; 2]> = regions
                .filter_map(|region| memory.entry(graph, region))
                .collect();
            for segment in entries.into_iter().chain([next]) {
                memory.function.segments[segment.index()].is_fixed = true;
            }
        }
        // What it uses itself, it may use as long as it runs.
        for operand in graph.not_forwarded(node.before) {
            if let Some(id) = self.id(operand) {
                self.uses(place.segment, place.step, id);
                self.reading.memory.function.kept.push((next, id));
                self.expose(operand);
            }
            self.keeps_carried(operand, next);
            self.carry_to_counters(op, operand);
        }
        if !node.is_known {
            self.carry_into(op);
        }
        let memory = self.semantics.of(op);
        if memory.opaque.is_none() {
            self.captures(op, &memory);
        }
        let outlives = self.semantics.region_order(op).outlives() || memory.regions.outlives();
        if outlives || memory.start.is_some() {
            self.asynchronous(op, inside, next);
        }
    }
}
