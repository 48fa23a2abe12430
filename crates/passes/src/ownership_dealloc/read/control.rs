//! Regions, terminators and the values that they forward.

use super::{OwnershipReader, pending_uses::RegionStart, reductions::is_reducing};
use crate::{
    memory_function::{
        BlockEnd, EnclosingOp, IrEdge, MemoryFunction, OpPosition, SegmentStart, StartValues, Walk,
    },
    ownership_dealloc::error::{ErrorKind, name_of},
    regions::borrowed::is_borrowed_result,
};
use memplan_mlir::{
    ir::{Identity, Op, Val, holds_memref, operands, parent, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, EdgeSplit, SegmentId, ValueId, ValueKind};
use memplan_semantics::{
    Semantics,
    control::Chosen,
    graph::{ControlGraph, Enter, EnteredId},
    names::NameInfo,
};
use smallvec::SmallVec;

impl<'c> Walk<'c> for OwnershipReader<'c, '_> {
    // Flags are added to them, too.
    const WITH_UNTAKEN_YIELDS: bool = true;

    fn memory(&mut self) -> &mut MemoryFunction<'c> {
        &mut self.reading.memory
    }

    fn semantics(&mut self) -> &mut Semantics {
        self.semantics
    }

    fn is_memory_value(&self, val: Val<'c>) -> bool {
        holds_memref(type_of(val)) || self.is_derived_pointer(val)
    }

    fn scan_op(&mut self, op: Op<'c>, inside: bool) -> bool {
        let uses = operands(op).any(|operand| self.is_memory_value(operand));
        let defines = results(op).any(|result| self.is_memory_value(result));
        let may_seed = inside || uses || defines && !self.semantics.info(op).is_call();
        self.seeds(op, may_seed);
        inside || uses || defines
    }

    fn is_entered(
        op: Op<'c>,
        info: NameInfo,
        memory: &MemoryFunction<'c>,
        semantics: &mut Semantics,
    ) -> Enter {
        // Other terminators cannot be recreated around their regions.
        let can_be = !(info.is_terminator() || op.successor_count() > 0)
            || parent(op).is_some_and(|around| is_reducing(around, memory, semantics));
        match can_be && memory.touches(op) {
            true => Enter::Yes,
            false => Enter::No,
        }
    }

    fn add_start_values(
        &mut self,
        start: StartValues,
        to: SegmentId,
        vals: &mut dyn Iterator<Item = Val<'c>>,
    ) {
        let kind = match start {
            StartValues::Passed => ValueKind::Param,
            StartValues::Arguments if !self.taken_over.is_empty() => {
                for (val, number) in vals.zip(0..) {
                    let kind = match self.taken_over.contains(&number) {
                        true => ValueKind::Fresh {
                            owned: true,
                            may_alias: None,
                        },
                        false => ValueKind::Foreign,
                    };
                    self.add_values(&kind, to, std::iter::once(val));
                }
                return;
            }
            StartValues::Arguments | StartValues::Unknown => ValueKind::Foreign,
        };
        self.add_values(&kind, to, vals);
    }

    fn plain_op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId {
        let info = self.semantics.info(op);
        self.visit_op(op, info, place.segment, place.step)
    }

    fn op_with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        if is_reducing(op, &self.reading.memory, self.semantics) {
            self.reducing_loop(graph, entered, place.segment)
        } else if self.semantics.table_facts(op).models_deallocation {
            self.set_error(op, ErrorKind::ModelWithRegions);
            place.segment
        } else {
            let inside = self.before_regions(graph, entered);
            let next = self.walk_op_with_regions(graph, entered, place);
            self.after_regions(graph, entered, place, next, inside);
            next
        }
    }

    fn block_end(
        &mut self,
        graph: &ControlGraph<'c>,
        end: BlockEnd<'c>,
        place: OpPosition,
        around: Option<EnclosingOp<'c>>,
    ) {
        let op = end.op;
        if let Some(around) = around {
            if let Some(entered) = end.entered {
                return self.reduce_iteration(graph, entered, place, around);
            }
            let start = self.reading.starts[around.next.index()];
            if matches!(start, SegmentStart::Between(_)) && op.successor_count() == 0 {
                return self.reduction_region_end(op, place.segment, around);
            }
        }
        if self.semantics.table_facts(op).models_deallocation {
            return self.set_error(op, ErrorKind::ModelWithRegions);
        }
        if self.semantics.info(op).is_call() {
            self.read_callee_of_terminator(op);
        }
        if op.successor_count() > 0 {
            let choice = self.semantics.choice(op).map(|choice| choice.by);
            self.reading.memory.function.segments[place.segment.index()].has_branch_condition =
                choice == Some(Chosen::Truth);
        }
        self.leave_block(graph, end, place, around);
    }

    fn unknown_terminator(&mut self, op: Op<'c>) -> bool {
        self.set_error(op, ErrorKind::Terminator);
        false
    }

    fn branch_uses(&mut self, operand: Val<'c>, place: OpPosition) {
        if let Some(id) = self.value_id(operand) {
            self.add_use(place.segment, place.step, id);
        }
        self.use_pointees(operand, place.segment, place.step);
    }

    fn not_forwarded(&mut self, op: Op<'c>, operands: &[Val<'c>], around: EnclosingOp<'c>) {
        if operands
            .iter()
            .any(|operand| holds_memref(type_of(*operand)))
        {
            let kind = match around.is_known {
                true => ErrorKind::Terminator,
                false => ErrorKind::ForwardedTo(name_of(around.op)),
            };
            self.set_error(op, kind);
        }
        for operand in operands {
            self.pointees_escape(*operand, op);
        }
    }

    fn return_op(&mut self, op: Op<'c>, place: OpPosition) {
        let function = parent(op);
        let mut passed: Vec<Option<ValueId>> = Vec::new();
        for (at, operand) in operands(op).enumerate() {
            if !holds_memref(type_of(operand)) {
                continue;
            }
            // An unregistered operation may be anything and only stand last.
            if !self.semantics.info(op).is_registered() {
                self.set_error(op, ErrorKind::Terminator);
                return;
            }
            let id = self.value_id(operand);
            let is_borrowed = function.is_some_and(|function| is_borrowed_result(function, at));
            passed.push(id.filter(|_| !is_borrowed));
            if let Some(id) = id.filter(|_| is_borrowed) {
                self.add_use(place.segment, place.step, id);
            }
        }
        self.operand_pointees_escape(op);
        self.memory().add_edge(
            place.segment,
            None,
            passed,
            EdgeSplit::Impossible,
            IrEdge::Return(op),
        );
    }

    fn passed_value(&mut self, from: Val<'c>, _: ValueId) -> Option<ValueId> {
        self.value_id(from)
    }

    fn forwarded(&mut self, values: &[(Val<'c>, Val<'c>)], edge: Option<EdgeId>) {
        if let Some(edge) = edge {
            for (from, to) in values {
                self.forward_pointer(*from, *to, edge);
            }
        }
    }
}

impl<'c> OwnershipReader<'c, '_> {
    fn before_regions(&mut self, graph: &ControlGraph<'c>, entered: EnteredId) -> RegionStart {
        let node = &graph.entered[entered];
        // Memory that regions use for longer than the operation runs is not passed to them.
        if self.semantics.region_order(node.op).outlives() {
            for (from, to) in graph.values_from(node.before) {
                if let (Some(id), true) = (self.value_id(*from), holds_memref(type_of(*to))) {
                    self.reading.memory.ids.insert(to.key(), id);
                }
            }
        }
        RegionStart {
            // The segment after the operation is added first.
            segment: SegmentId::new(self.reading.function.segments.len() + 1),
            value: ValueId::new(self.reading.function.values.len()),
            uses: self.pointer_use_count(),
        }
    }

    fn after_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
        next: SegmentId,
        inside: RegionStart,
    ) {
        let node = &graph.entered[entered];
        let op = node.op;
        if !self.semantics.table_facts(op).is_extendable {
            let memory = &mut self.reading.memory;
            let regions = graph.regions_of(entered);
            let entries: SmallVec<[SegmentId; 2]> = regions
                .filter_map(|region| memory.entry_segment(graph, region))
                .collect();
            for segment in entries.into_iter().chain([next]) {
                memory.function.segments[segment.index()].has_fixed_params = true;
            }
        }
        // The operation may use its own operands as long as it runs.
        for operand in graph.not_forwarded(node.before) {
            if let Some(id) = self.value_id(operand) {
                self.add_use(place.segment, place.step, id);
                self.reading.memory.function.used_at_start.push((next, id));
                self.expose(operand);
            }
            self.keep_pointees(operand, next);
            self.derive_induction_variables(op, operand);
        }
        if !node.is_known {
            self.derive_region_arguments(op);
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
