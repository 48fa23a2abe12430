//! Blocks, regions and the ways between them, as the control-flow graph has them.

use super::{Around, Reader, Start, Way, held::Inside, reductions::reduces};
use crate::{
    ownership_dealloc::{
        error::{What, name_of},
        growing::grows,
    },
    regions::lent::is_lent_by,
};
use memplan_mlir::{
    ir::{Identity, Op, Region, Val, arguments, holds_memref, operands, parent, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{RegionId, Room, SegmentId, Step, ValueId};
use memplan_semantics::graph::{
    self, BlockId, ControlGraph, EdgeKind, End, Enter, EnteredId, Sources, Taken,
};
use memplan_semantics::names::OpKind;
use smallvec::SmallVec;
use std::rc::Rc;

impl<'c> Reader<'c, '_> {
    /// Reads the graph of a body, once it is known which operations touch memrefs.
    pub(super) fn control(&mut self, body: Region<'c>) -> ControlGraph<'c> {
        let touching = &self.touching;
        ControlGraph::of(body, self.semantics, &mut |op, info, semantics| {
            let enters = match info.is_terminator() || op.successor_count() > 0 {
                // Others would have to be written anew around their regions.
                true => {
                    info.kind == OpKind::ScfReduce
                        && parent(op).is_some_and(|around| reduces(around, touching, semantics))
                }
                false => touching.contains(&op.key()),
            };
            match enters {
                true => Enter::Yes,
                false => Enter::No,
            }
        })
    }

    /// Segments for the blocks of a region.
    pub(super) fn make_blocks(
        &mut self,
        region: graph::RegionId,
        id: RegionId,
        around: Option<Around<'c>>,
    ) {
        let graph = Rc::clone(&self.graph);
        for (number, block) in graph.blocks_of(region).enumerate() {
            let block = &graph.blocks[block];
            let segment = self.segment(id, Start::Block(block.block));
            self.segments[block.first] = segment;
            self.blocks.insert(block.block.key(), segment);
            let passed = number > 0 || around.is_some_and(|around| around.is_known);
            self.values(passed, segment, arguments(block.block));
        }
    }

    /// What the blocks of a region hold.
    pub(super) fn region(
        &mut self,
        region: graph::RegionId,
        id: RegionId,
        around: Option<Around<'c>>,
    ) {
        let graph = Rc::clone(&self.graph);
        // What a block uses has been read before, whatever the order of the text.
        for block in graph.in_order(region, true) {
            self.block(&graph, block, id, around);
        }
    }

    fn block(
        &mut self,
        graph: &ControlGraph<'c>,
        block: BlockId,
        region: RegionId,
        around: Option<Around<'c>>,
    ) {
        let mut at = graph.blocks[block].first;
        let mut segment = self.segments[at];
        loop {
            for op in graph.ops(at) {
                let info = self.semantics.info(op);
                let step = self.step(segment, op);
                segment = self.simple(op, info, segment, step, region);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    let Some(after) = graph.entered[entered].after else {
                        return;
                    };
                    segment = self.enters(graph, entered, segment, region);
                    at = after;
                }
                End::Terminator(op, regions) => {
                    return self.ends(graph, (op, regions), (at, segment), region, around);
                }
                End::NeverLeft(op) => {
                    self.step(segment, op);
                    return;
                }
                End::Falls => return self.edges(graph, at, segment),
            }
        }
    }

    /// An operation with regions that touch memrefs; the segment behind it.
    fn enters(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
        region: RegionId,
    ) -> SegmentId {
        let op = graph.entered[entered].op;
        let step = self.step(segment, op);
        if self.reduces(op) {
            self.reducing_loop(graph, entered, segment, region)
        } else if self.semantics.info(op).has_foreign_model() {
            self.fails(op, What::ModelAround);
            segment
        } else {
            self.with_regions(graph, entered, segment, step, region)
        }
    }

    fn with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        segment: SegmentId,
        step: Step,
        outer: RegionId,
    ) -> SegmentId {
        let node = &graph.entered[entered];
        let (op, is_known) = (node.op, node.is_known);
        let is_asynchronous = self.semantics.info(op).is_asynchronous;
        let next = self.segment(outer, Start::Behind(op));
        self.reading.function.segments[next.index()].behind = Some(segment);
        if let Some(after) = node.after {
            self.segments[after] = next;
        }
        let around = Around { op, next, is_known };
        self.values(is_known, next, results(op));
        let inside = Inside {
            segment: SegmentId::new(self.reading.function.segments.len()),
            value: ValueId::new(self.reading.function.values.len()),
            uses: self.uses_of_carriers(),
        };
        // What is used inside for longer than the operation runs is never handed over to it.
        if is_asynchronous {
            for (from, to) in graph.values_from(node.before) {
                if let (Some(id), true) = (self.id(*from), holds_memref(type_of(*to))) {
                    self.ids.insert(to.key(), id);
                }
            }
        }
        let mut bodies: SmallVec<[(graph::RegionId, RegionId); 2]> = SmallVec::new();
        for region in graph.regions_of(entered) {
            self.reading.function.regions.push(Some(outer));
            let id = RegionId::new(self.reading.function.regions.len() - 1);
            self.make_blocks(region, id, Some(around));
            bodies.push((region, id));
        }
        if !grows(op, self.semantics.names()) {
            let entries = graph.entries(entered).map(|entry| self.segments[entry]);
            for segment in entries.chain([next]) {
                self.reading.function.segments[segment.index()].is_fixed = true;
            }
        }
        for (region, id) in bodies {
            self.region(region, id, Some(around));
        }
        // What it uses itself, it may use as long as it runs.
        for operand in graph.not_forwarded(node.before) {
            if let Some(id) = self.id(operand) {
                self.uses(segment, step, id);
                self.reading.function.kept.push((next, id));
                self.expose(operand);
            }
            self.keeps_carried(operand, next);
        }
        if !is_known {
            self.carry_into(op);
        }
        let memory = self.semantics.of(op);
        if memory.opaque.is_none() {
            self.captures(op, &memory);
        }
        if is_asynchronous || memory.start.is_some() {
            self.asynchronous(op, inside, next);
        }
        self.edges(graph, node.before, segment);
        next
    }

    /// The edges out of a segment of the graph, which is part of this one here. What the end of a region forwards has to
    /// fit where it is never taken, too: flags go along.
    fn edges(&mut self, graph: &ControlGraph<'c>, at: graph::SegmentId, segment: SegmentId) {
        for edge in graph.edges_from(at) {
            let way = match edge.kind {
                EdgeKind::Enter(_) if edge.taken == Taken::Never => continue,
                EdgeKind::Enter(entered) => Way::Enter(graph.entered[entered].op),
                EdgeKind::Yield(op) | EdgeKind::Falls(Some(op)) => Way::Yield(op),
                EdgeKind::Branch(op, number) => Way::Branch(op, number),
                EdgeKind::Falls(None) | EdgeKind::Return(_) => continue,
            };
            let Some(to) = edge.to.map(|to| self.segments[to]) else {
                continue;
            };
            let room = match edge.can_split {
                true => Room::Split,
                false => Room::None,
            };
            let values = graph.values(edge);
            let passed = match edge.is_told {
                true => self.passed(values, to),
                false => Vec::new(),
            };
            self.edge(segment, Some(to), passed, room, way);
            for (from, to) in values {
                self.passes_carried(*from, *to);
            }
        }
    }

    /// What an edge that forwards these values passes for each parameter of its target.
    fn passed(&self, values: &[(Val<'c>, Val<'c>)], to: SegmentId) -> Vec<Option<ValueId>> {
        let params = &self.reading.function.segments[to.index()].params;
        let mut sources = Sources::of(values);
        let passed = params.iter().map(|param| {
            let val = self.reading.values[param.index()]?;
            self.id(sources.of_target(val)?)
        });
        passed.collect()
    }

    /// The last operation of a block, and its regions where they are read.
    fn ends(
        &mut self,
        graph: &ControlGraph<'c>,
        (op, regions): (Op<'c>, Option<EnteredId>),
        (at, segment): (graph::SegmentId, SegmentId),
        region: RegionId,
        around: Option<Around<'c>>,
    ) {
        let info = self.semantics.info(op);
        let step = self.step(segment, op);
        match (regions, around) {
            (Some(regions), Some(around)) => {
                return self.reduce(graph, regions, segment, region, around);
            }
            (_, Some(around)) if info.kind == OpKind::ScfReduceReturn && around.is_known => {
                return self.reduced(op, segment, around);
            }
            _ => {}
        }
        if info.has_foreign_model() {
            self.fails(op, What::ModelAround);
        } else if self.touching.contains(&op.key()) {
            self.fails(op, What::Terminator);
        } else if op.successor_count() > 0 {
            self.branch(graph, op, (at, segment), step);
        } else if let Some(around) = around {
            let others = graph.not_forwarded(at);
            if others.iter().any(|operand| holds_memref(type_of(*operand))) {
                let what = match around.is_known {
                    true => What::Terminator,
                    false => What::HandedTo(name_of(around.op)),
                };
                self.fails(op, what);
            }
            for operand in others {
                self.carrier_escapes(operand, op);
            }
            self.edges(graph, at, segment);
        } else {
            self.returns(op, segment, step);
        }
    }

    fn returns(&mut self, op: Op<'c>, segment: SegmentId, step: Step) {
        let function = parent(op);
        let mut passed: Vec<Option<ValueId>> = Vec::new();
        for (at, operand) in operands(op).enumerate() {
            if !holds_memref(type_of(operand)) {
                continue;
            }
            // It may be anything, which only happens to stand last.
            if !self.semantics.info(op).is_registered() {
                self.fails(op, What::Terminator);
                return;
            }
            let id = self.id(operand);
            let is_lent = function.is_some_and(|function| is_lent_by(function, at));
            passed.push(id.filter(|_| !is_lent));
            if let Some(id) = id.filter(|_| is_lent) {
                self.uses(segment, step, id);
            }
        }
        self.carriers_escape(op);
        self.edge(segment, None, passed, Room::None, Way::Return(op));
    }

    fn branch(
        &mut self,
        graph: &ControlGraph<'c>,
        op: Op<'c>,
        (at, segment): (graph::SegmentId, SegmentId),
        step: Step,
    ) {
        self.reading.function.segments[segment.index()].is_choice =
            self.semantics.info(op).kind == OpKind::CondBranch;
        let holds = |operand| self.id(operand).is_some() || self.is_carrier(operand);
        if graph.edges_from(at).any(|edge| !edge.is_told) && operands(op).any(holds) {
            self.fails(op, What::Terminator);
            return;
        }
        self.edges(graph, at, segment);
        for operand in graph.not_forwarded(at) {
            if let Some(id) = self.id(operand) {
                self.uses(segment, step, id);
            }
            self.uses_carrier(operand, segment, step);
        }
    }
}
