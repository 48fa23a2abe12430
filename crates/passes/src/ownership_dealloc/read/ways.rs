//! Blocks, regions and the ways between them.

use super::{Around, Reader, Start, Way, held::Inside};
use crate::{
    block_graph::BlockGraph,
    ownership_dealloc::{
        error::{What, name_of},
        slots::grows,
        turns,
    },
    regions::lent::is_lent_by,
};
use memplan_mlir::{
    flow::{self, RegionEdge},
    ir::{
        Identity, Key, Op, Region, arguments, blocks, holds_memref, next_in_block, operands, ops,
        parent, regions, results, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo},
};
use memplan_ownership::function::{RegionId, Room, SegmentId, Step, ValueId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    /// Segments for the blocks of a region.
    pub(super) fn make_blocks(
        &mut self,
        region: Region<'c>,
        id: RegionId,
        around: Option<Around<'c>>,
    ) {
        for (number, block) in blocks(region).enumerate() {
            let segment = self.segment(id, Start::Block(block));
            self.blocks.insert(block.key(), segment);
            let passed = number > 0 || around.is_some_and(|around| around.is_known);
            self.values(passed, segment, arguments(block));
        }
    }

    /// What the blocks of a region hold.
    pub(super) fn region(&mut self, region: Region<'c>, id: RegionId, around: Option<Around<'c>>) {
        // What a block uses has been read before, whatever the order of the text.
        for block in BlockGraph::last_first(region).in_order() {
            let mut segment = self.blocks[&block.key()];
            let mut last = None;
            for op in ops(block) {
                segment = self.op(op, segment, id, around);
                last = Some(op);
            }
            if let (Some(last), Some(around)) = (last, around)
                && !self.ends_block(last)
            {
                // A block without a terminator ends where its last operation does.
                self.enter_all(segment, around.op, around.next, Way::Yield(last));
            }
        }
    }

    /// Is an operation that stands last taken for one that ends its block?
    fn ends_block(&mut self, op: Op<'c>) -> bool {
        let info = self.semantics.info(op);
        let is_plain = !self.touching.contains(&op.key());
        info.is_terminator() || op.successor_count() > 0 || (is_plain && !info.is_registered())
    }

    /// An operation; the segment behind it.
    fn op(
        &mut self,
        op: Op<'c>,
        segment: SegmentId,
        region: RegionId,
        around: Option<Around<'c>>,
    ) -> SegmentId {
        let info = self.semantics.info(op);
        let step = self.step(segment, op);
        let is_last = next_in_block(op).is_none();
        match (info.known, around) {
            (Known::ScfParallel, _) if self.reduces(op) => {
                return self.reducing_loop(op, segment, region);
            }
            (Known::ScfReduce, Some(around)) if self.reduces(around.op) => {
                self.reduce(op, segment, region, around);
                return segment;
            }
            (Known::ScfReduceReturn, Some(around)) if around.is_known => {
                self.reduced(op, segment, around);
                return segment;
            }
            _ => {}
        }
        if info.has_foreign_model()
            && (self.touching.contains(&op.key()) || (is_last && self.ends_block(op)))
        {
            self.fails(op, What::ModelAround);
            return segment;
        }
        if self.touching.contains(&op.key()) {
            if is_last && (info.is_terminator() || op.successor_count() > 0) {
                self.fails(op, What::Terminator);
                return segment;
            }
            return self.with_regions(op, info, segment, step, region);
        }
        if is_last && self.ends_block(op) {
            self.terminator(op, info, segment, step, around);
        } else {
            return self.simple(op, info, segment, step, region);
        }
        segment
    }

    /// An operation with regions that touch memrefs.
    fn with_regions(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        outer: RegionId,
    ) -> SegmentId {
        let is_known = info.is_region_branch() && self.is_known(op);
        let next = self.segment(outer, Start::Behind(op));
        self.reading.function.segments[next.index()].behind = Some(segment);
        let around = Around { op, next, is_known };
        let edges = if is_known {
            flow::entry_edges(op).unwrap_or_default()
        } else {
            Vec::new()
        };
        self.values(is_known, next, results(op));
        let inside = Inside {
            segment: SegmentId::new(self.reading.function.segments.len()),
            value: ValueId::new(self.reading.function.values.len()),
            uses: self.uses_of_carriers(),
        };
        // What is used inside for longer than the operation runs is never handed over to it.
        if info.is_asynchronous {
            for (from, to) in edges.iter().flat_map(|edge| &edge.values) {
                if let (Some(id), true) = (self.id(*from), holds_memref(type_of(*to))) {
                    self.ids.insert(to.key(), id);
                }
            }
        }
        let mut bodies: SmallVec<[(Region<'c>, RegionId); 2]> = SmallVec::new();
        for region in regions(op) {
            self.reading.function.regions.push(Some(outer));
            let id = RegionId::new(self.reading.function.regions.len() - 1);
            self.make_blocks(region, id, Some(around));
            bodies.push((region, id));
        }
        if !grows(op, self.semantics.names()) {
            for segment in self.entries(op).into_iter().chain([next]) {
                self.reading.function.segments[segment.index()].is_fixed = true;
            }
        }
        for (region, id) in bodies {
            self.region(region, id, Some(around));
        }
        // What it uses itself, it may use as long as it runs.
        let forwarded: FxHashSet<Key> = edges
            .iter()
            .flat_map(|edge| edge.values.iter().map(|(from, _)| from.key()))
            .collect();
        for operand in operands(op) {
            if forwarded.contains(&operand.key()) {
                continue;
            }
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
        if info.is_asynchronous || memory.start.is_some() {
            self.asynchronous(op, inside, next);
        }
        if is_known {
            self.region_edges(segment, op, &edges, next, Way::Enter(op));
        } else {
            self.enter_all(segment, op, next, Way::Enter(op));
        }
        next
    }

    /// Into any region, and past all.
    fn enter_all(&mut self, from: SegmentId, op: Op<'c>, next: SegmentId, way: Way<'c>) {
        for entry in self.entries(op) {
            self.edge(from, Some(entry), Vec::new(), Room::None, way);
        }
        self.edge(from, Some(next), Vec::new(), Room::None, way);
    }

    /// Where the regions of an operation start.
    fn entries(&self, op: Op<'c>) -> SmallVec<[SegmentId; 2]> {
        regions(op)
            .filter_map(|region| blocks(region).next())
            .map(|entry| self.blocks[&entry.key()])
            .collect()
    }

    /// Are all ways through the regions known?
    pub(super) fn is_known(&mut self, op: Op<'c>) -> bool {
        flow::entry_edges(op).is_some()
            && regions(op).flat_map(blocks).all(|block| {
                terminator(block).is_some_and(|last| {
                    last.successor_count() > 0
                        || self.is_dead_end(last)
                        || (self.semantics.info(last).is_region_terminator()
                            && flow::terminator_edges(last).is_some())
                })
            })
    }

    fn is_dead_end(&mut self, op: Op<'c>) -> bool {
        matches!(
            self.semantics.info(op).known,
            Known::Unreachable | Known::LlvmUnreachable
        )
    }

    /// Edges between an operation and its regions.
    fn region_edges(
        &mut self,
        from: SegmentId,
        op: Op<'c>,
        edges: &[RegionEdge<'c>],
        next: SegmentId,
        way: Way<'c>,
    ) {
        let empty_else = matches!(
            self.semantics.info(op).known,
            Known::ScfIf | Known::AffineIf
        ) && results(op).next().is_none()
            && regions(op)
                .nth(1)
                .is_some_and(|region| blocks(region).next().is_none());
        for edge in edges {
            let entry = edge
                .region
                .and_then(|index| regions(op).nth(index))
                .and_then(|region| blocks(region).next());
            let to = entry.map_or(next, |entry| self.blocks[&entry.key()]);
            let room = if to == next && empty_else && matches!(way, Way::Enter(_)) {
                Room::Split
            } else {
                Room::None
            };
            let params = self.reading.function.segments[to.index()].params.clone();
            let passed = params
                .iter()
                .map(|param| {
                    let val = self.reading.values[param.index()]?;
                    let (from, _) = edge.values.iter().find(|(_, to)| *to == val)?;
                    self.id(*from)
                })
                .collect();
            self.edge(from, Some(to), passed, room, way);
            for (from, to) in &edge.values {
                self.passes_carried(*from, *to);
            }
        }
    }

    /// The last operation of a block.
    fn terminator(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        around: Option<Around<'c>>,
    ) {
        if op.successor_count() > 0 {
            self.branch(op, info, segment, step);
            return;
        }
        if self.is_dead_end(op) {
            return;
        }
        match around {
            None => {
                let function = parent(op);
                let mut passed: Vec<Option<ValueId>> = Vec::new();
                for (at, operand) in operands(op).enumerate() {
                    if !holds_memref(type_of(operand)) {
                        continue;
                    }
                    // It may be anything, which only happens to stand last.
                    if !info.is_registered() {
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
            Some(around) if around.is_known => {
                let edges = turns::terminator_edges(op).unwrap_or_default();
                let forwarded: FxHashSet<Key> = edges
                    .iter()
                    .flat_map(|edge| edge.values.iter().map(|(from, _)| from.key()))
                    .collect();
                for operand in operands(op) {
                    if forwarded.contains(&operand.key()) {
                        continue;
                    }
                    if holds_memref(type_of(operand)) {
                        self.fails(op, What::Terminator);
                    }
                    self.carrier_escapes(operand, op);
                }
                self.region_edges(segment, around.op, &edges, around.next, Way::Yield(op));
            }
            Some(around) => {
                if operands(op).any(|operand| holds_memref(type_of(operand))) {
                    self.fails(op, What::HandedTo(name_of(around.op)));
                }
                self.carriers_escape(op);
                self.enter_all(segment, around.op, around.next, Way::Yield(op));
            }
        }
    }

    fn branch(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId, step: Step) {
        self.reading.function.segments[segment.index()].is_choice = info.known == Known::CondBranch;
        let mut forwarded: FxHashSet<Key> = FxHashSet::default();
        for (index, successor) in successors(op).enumerate() {
            let branch = if info.is_branch() {
                flow::branch_operands(op, index)
            } else {
                None
            };
            let holds = |operand| self.id(operand).is_some() || self.is_carrier(operand);
            if branch.is_none() && operands(op).any(holds) {
                self.fails(op, What::Terminator);
                return;
            }
            let to = self.blocks[&successor.key()];
            let mut passed = Vec::new();
            let mut handed: SmallVec<[_; 4]> = SmallVec::new();
            for (at, argument) in arguments(successor).enumerate() {
                let from = branch.as_ref().and_then(|branch| {
                    let at = at.checked_sub(branch.produced)?;
                    branch.forwarded.get(at).copied()
                });
                if let Some(from) = from {
                    forwarded.insert(from.key());
                    handed.push((from, argument));
                }
                if holds_memref(type_of(argument)) && !self.bases.contains_key(&argument.key()) {
                    passed.push(from.and_then(|from| self.id(from)));
                }
            }
            self.edge(
                segment,
                Some(to),
                passed,
                Room::Split,
                Way::Branch(op, index),
            );
            for (from, argument) in handed {
                self.passes_carried(from, argument);
            }
        }
        for operand in operands(op) {
            if !forwarded.contains(&operand.key()) {
                if let Some(id) = self.id(operand) {
                    self.uses(segment, step, id);
                }
                self.uses_carrier(operand, segment, step);
            }
        }
    }
}
