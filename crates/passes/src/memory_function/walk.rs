//! The walk through a body: segments and edges as the control-flow graph has them.

use super::{IrEdge, MemoryFunction, Start};
use memplan_mlir::{
    ir::{Identity, Op, Region, Val, arguments, blocks, operands, ops, regions, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, RegionId, Room, SegmentId, StepIndex, ValueId};
use memplan_semantics::{
    Semantics,
    graph::{
        self, BlockId, ControlGraph, Edge, EdgeKind, End, Enter, EnteredId, Sources, Taken,
        ends_block,
    },
    names::NameInfo,
};
use smallvec::SmallVec;
use std::rc::Rc;

/// The operation around a region.
#[derive(Clone, Copy)]
pub struct Around<'c> {
    /// It.
    pub op: Op<'c>,
    /// Where control goes on after it.
    pub next: SegmentId,
    /// Regions run one after another, as the interfaces say; else in any order, any number of times.
    pub is_known: bool,
}

/// Where an operation stands.
#[derive(Clone, Copy)]
pub struct OpPosition {
    /// The segment.
    pub segment: SegmentId,
    /// The step of it.
    pub step: StepIndex,
}

/// The end of a block.
#[derive(Clone, Copy)]
pub struct Ending<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Its regions, if they are entered.
    pub entered: Option<EnteredId>,
    /// The segment of the graph that it ends.
    pub at: graph::SegmentId,
}

/// What values at the start of a segment are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Come {
    /// Arguments of the function.
    Arguments,
    /// What edges pass.
    Passed,
    /// Nobody knows.
    Unknown,
}

/// Reads a body. A pass that does says what it knows of values and operations; the rest is here.
pub trait Walk<'c>: Sized {
    /// Edges from the ends of regions that are never taken are read like others, because what they forward has to fit
    /// when more is forwarded. Others that are never taken are left out.
    const WITH_UNTAKEN_ENDS: bool;

    /// What has been read so far.
    fn memory(&mut self) -> &mut MemoryFunction<'c>;
    /// What operations do to memory.
    fn semantics(&mut self) -> &mut Semantics;

    /// Does a value refer to memory?
    fn is_concerned(&self, val: Val<'c>) -> bool;
    /// Does an operation touch memory, `inside` its regions or else? Those inside have been asked before.
    fn scanned(&mut self, op: Op<'c>, inside: bool) -> bool;
    /// Are the regions of an operation entered? What those of the end of a block do is not followed, by default.
    fn is_entered(
        op: Op<'c>,
        info: NameInfo,
        memory: &MemoryFunction<'c>,
        _: &mut Semantics,
    ) -> Enter {
        match !ends_block(op, info) && memory.touches(op) {
            true => Enter::Yes,
            false => Enter::No,
        }
    }

    /// Values for what comes at the start of a segment.
    fn come(&mut self, come: Come, to: SegmentId, vals: &mut dyn Iterator<Item = Val<'c>>);
    /// An operation whose regions are not entered; the segment after it.
    fn op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId;
    /// It is not known where the end of a block passes what it, and what is in its regions, uses. Is it read on?
    fn loses(&mut self, op: Op<'c>) -> bool;
    /// A branch uses an operand, and forwards it along no edge.
    fn branches_on(&mut self, operand: Val<'c>, place: OpPosition);
    /// The end of a region forwards operands along no edge.
    fn unforwarded(&mut self, op: Op<'c>, operands: &[Val<'c>], around: Around<'c>);
    /// The function returns.
    fn returns(&mut self, op: Op<'c>, place: OpPosition);
    /// What an edge passes for a parameter, which is forwarded from a value.
    fn passed(&mut self, from: Val<'c>, param: ValueId) -> Option<ValueId>;
    /// An edge forwards values; `None`: one that is left out because it is never taken.
    fn forwarded(&mut self, values: &[(Val<'c>, Val<'c>)], edge: Option<EdgeId>);

    /// Reads a body. The first segment is its entry.
    fn body(&mut self, body: Region<'c>) {
        let mut memory = std::mem::take(self.memory());
        memory.graph = Rc::new(ControlGraph::of(
            body,
            self.semantics(),
            &mut |op, info, semantics| Self::is_entered(op, info, &memory, semantics),
        ));
        *self.memory() = memory;
        let id = self.memory().region(None);
        self.make_blocks(graph::BODY, id, None);
        self.region(graph::BODY, None);
        self.memory().graph = Rc::default();
    }

    /// Notes which operations hold others that touch memory. Does the region?
    fn scan(&mut self, region: Region<'c>) -> bool {
        let mut touches = false;
        for block in blocks(region) {
            touches |= arguments(block).any(|argument| self.is_concerned(argument));
            for op in ops(block) {
                let mut inside = false;
                if regions(op).next().is_some() {
                    let info = self.semantics().info(op);
                    if !info.is_function() && !info.is_symbol_table() {
                        for region in regions(op) {
                            inside |= self.scan(region);
                        }
                    }
                    if inside {
                        self.memory().touching.insert(op.key());
                    }
                }
                touches |= self.scanned(op, inside);
            }
        }
        touches
    }

    /// Segments for the blocks of a region.
    fn make_blocks(&mut self, region: graph::RegionId, id: RegionId, around: Option<Around<'c>>) {
        let graph = Rc::clone(&self.memory().graph);
        for (number, block) in graph.blocks_of(region).enumerate() {
            let block = &graph.blocks[block];
            let segment = self.memory().segment(id, Start::Block(block.block));
            self.memory().segments[block.first] = segment.into();
            let come = match around {
                _ if number > 0 => Come::Passed,
                None => Come::Arguments,
                Some(around) if around.is_known => Come::Passed,
                Some(_) => Come::Unknown,
            };
            self.come(come, segment, &mut arguments(block.block));
        }
    }

    /// What the blocks of a region hold.
    fn region(&mut self, region: graph::RegionId, around: Option<Around<'c>>) {
        let graph = Rc::clone(&self.memory().graph);
        // What a block uses has been read before, whatever the order of the text.
        for block in graph.in_order(region, true) {
            self.block(&graph, block, around);
        }
    }

    /// What a block holds.
    fn block(&mut self, graph: &ControlGraph<'c>, block: BlockId, around: Option<Around<'c>>) {
        let mut at = graph.blocks[block].first;
        let Some(mut segment) = self.memory().segment_of(at) else {
            return;
        };
        let place = |reader: &mut Self, op, segment| OpPosition {
            segment,
            step: reader.memory().step(segment, op),
        };
        loop {
            for op in graph.ops(at) {
                let place = place(self, op, segment);
                segment = self.op(op, place);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    let Some(after) = graph.entered[entered].after else {
                        return;
                    };
                    let place = place(self, graph.entered[entered].op, segment);
                    segment = self.enters(graph, entered, place);
                    at = after;
                }
                End::Terminator(op, entered) => {
                    let place = place(self, op, segment);
                    return self.end(graph, Ending { op, entered, at }, place, around);
                }
                End::NeverLeft(op) => {
                    self.memory().step(segment, op);
                    return;
                }
                End::NoTerminator => return self.edges(graph, at, segment),
            }
        }
    }

    /// An operation whose regions are entered; the segment after it.
    fn enters(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        self.with_regions(graph, entered, place)
    }

    /// The end of a block; `None` around it in the body.
    fn end(
        &mut self,
        graph: &ControlGraph<'c>,
        end: Ending<'c>,
        place: OpPosition,
        around: Option<Around<'c>>,
    ) {
        self.leaves(graph, end, place, around);
    }

    /// The end of a block, which control leaves as the graph has it.
    fn leaves(
        &mut self,
        graph: &ControlGraph<'c>,
        end: Ending<'c>,
        place: OpPosition,
        around: Option<Around<'c>>,
    ) {
        let op = end.op;
        let is_branch = op.successor_count() > 0;
        let is_untold = is_branch
            && graph.edges_from(end.at).any(|edge| !edge.forwards_known)
            && operands(op).any(|operand| self.is_concerned(operand));
        if (is_untold || self.memory().touches(op)) && !self.loses(op) {
            return;
        }
        match around {
            _ if is_branch => {
                self.edges(graph, end.at, place.segment);
                for operand in graph.not_forwarded(end.at) {
                    self.branches_on(operand, place);
                }
            }
            Some(around) => {
                self.unforwarded(op, &graph.not_forwarded(end.at), around);
                self.edges(graph, end.at, place.segment);
            }
            None => self.returns(op, place),
        }
    }

    /// An operation whose regions are entered as the graph has it; the segment after it.
    fn with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let node = &graph.entered[entered];
        let (op, is_known) = (node.op, node.is_known);
        let next = self.memory().segment_after(place.segment, op);
        if let Some(after) = node.after {
            self.memory().segments[after] = next.into();
        }
        let around = Around { op, next, is_known };
        let come = match is_known {
            true => Come::Passed,
            false => Come::Unknown,
        };
        self.come(come, next, &mut results(op));
        for region in graph.regions_of(entered) {
            let id = self.memory().region(Some(place.segment));
            self.make_blocks(region, id, Some(around));
        }
        for region in graph.regions_of(entered) {
            self.region(region, Some(around));
        }
        self.edges(graph, node.before, place.segment);
        next
    }

    /// The edges out of a segment of the graph, which is part of this one here.
    fn edges(&mut self, graph: &ControlGraph<'c>, at: graph::SegmentId, segment: SegmentId) {
        for edge in graph.edges_from(at) {
            let way = match edge.kind {
                EdgeKind::Enter(entered) => IrEdge::Enter(graph.entered[entered].op),
                EdgeKind::Yield(op) | EdgeKind::NoTerminator(Some(op)) => IrEdge::Yield(op),
                EdgeKind::Branch(op, number) => IrEdge::Branch(op, number),
                EdgeKind::NoTerminator(None) | EdgeKind::Return(_) => continue,
            };
            let values = graph.values(edge);
            let is_kept = Self::WITH_UNTAKEN_ENDS && matches!(way, IrEdge::Yield(_));
            if edge.taken == Taken::Never && !is_kept {
                self.forwarded(values, None);
                continue;
            }
            let Some(to) = edge.to.and_then(|to| self.memory().segment_of(to)) else {
                continue;
            };
            let room = match way {
                IrEdge::Branch(..) if self.suspends(graph) => Room::Unknown,
                _ if edge.can_split => Room::Split,
                IrEdge::Branch(..) if !edge.forwards_known => Room::Unknown,
                _ => Room::None,
            };
            let passed = self.all_passed(edge, values, to);
            let edge = self.memory().edge(segment, Some(to), passed, room, way);
            self.forwarded(values, Some(edge));
        }
    }

    /// Is the body a coroutine of LLVM's? It leaves by branches that look like any other, and comes back.
    fn suspends(&mut self, graph: &ControlGraph<'c>) -> bool {
        if let Some(known) = self.memory().suspends {
            return known;
        }
        let mut all = graph.blocks_of(graph::BODY);
        let suspends = all.any(|block| {
            let mut ops = ops(graph.blocks[block].block);
            ops.any(|op| self.semantics().info(op).begins_coroutine_of_branches())
        });
        *self.memory().suspends.insert(suspends)
    }

    /// What an edge passes for each parameter of its target.
    fn all_passed(
        &mut self,
        edge: &Edge<'c>,
        values: &[(Val<'c>, Val<'c>)],
        to: SegmentId,
    ) -> Vec<Option<ValueId>> {
        if !edge.forwards_known {
            return Vec::new();
        }
        let params = &self.memory().function.segments[to.index()].params;
        let params: SmallVec<[ValueId; 4]> = params.iter().copied().collect();
        let mut sources = Sources::of(values);
        let passed = params.into_iter().map(|param| {
            let val = self.memory().values[param.index()]?;
            let from = sources.of_target(val)?;
            self.passed(from, param)
        });
        passed.collect()
    }
}
