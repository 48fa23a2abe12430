//! The walk through a body that creates segments and edges after the control-flow graph.

use super::{IrEdge, MemoryFunction, SegmentStart};
use memplan_mlir::{
    ir::{Identity, Op, Region, Val, arguments, blocks, operands, ops, regions, results},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, EdgeSplit, RegionId, SegmentId, StepIndex, ValueId};
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

/// The operation that encloses a region.
#[derive(Clone, Copy)]
pub struct EnclosingOp<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The segment after it.
    pub next: SegmentId,
    /// Its regions run one after another, as the interfaces say. Otherwise they may run in any order, any
    /// number of times.
    pub is_known: bool,
}

/// The position of an operation.
#[derive(Clone, Copy)]
pub struct OpPosition {
    /// The segment.
    pub segment: SegmentId,
    /// The step in that segment.
    pub step: StepIndex,
}

/// The end of a block.
#[derive(Clone, Copy)]
pub struct BlockEnd<'c> {
    /// The terminator.
    pub op: Op<'c>,
    /// Its regions, if control enters them.
    pub entered: Option<EnteredId>,
    /// The segment of the control-flow graph that it ends.
    pub at: graph::SegmentId,
}

/// The origin of the values at the start of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StartValues {
    /// They are arguments of the function.
    Arguments,
    /// Edges pass them.
    Passed,
    /// Unknown.
    Unknown,
}

/// A reader of a body. The pass implements the hooks for values and operations; the walk is provided.
pub trait Walk<'c>: Sized {
    /// Whether edges from the ends of regions are kept where they are never taken: what they forward has to
    /// match when more operands are added. Other edges that are never taken are always left out.
    const WITH_UNTAKEN_YIELDS: bool;

    /// The function that has been read so far.
    fn memory(&mut self) -> &mut MemoryFunction<'c>;
    /// The effects of operations.
    fn semantics(&mut self) -> &mut Semantics;

    /// Whether a value refers to memory.
    fn is_memory_value(&self, val: Val<'c>) -> bool;
    /// Whether an operation touches memory; `inside` says whether its regions do. Nested operations are
    /// scanned first.
    fn scan_op(&mut self, op: Op<'c>, inside: bool) -> bool;
    /// Whether control enters the regions of an operation. By default the regions of terminators are not
    /// followed.
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

    /// Adds the values that are defined at the start of a segment.
    fn add_start_values(
        &mut self,
        start: StartValues,
        to: SegmentId,
        vals: &mut dyn Iterator<Item = Val<'c>>,
    );
    /// Visits an operation whose regions are not entered. Returns the segment after it.
    fn plain_op(&mut self, op: Op<'c>, place: OpPosition) -> SegmentId;
    /// Visits a terminator whose forwarding is unknown, for itself or its regions. Returns whether the walk
    /// continues there.
    fn unknown_terminator(&mut self, op: Op<'c>) -> bool;
    /// Visits an operand that a branch uses and forwards along no edge.
    fn branch_uses(&mut self, operand: Val<'c>, place: OpPosition);
    /// Visits operands that the end of a region forwards along no edge.
    fn not_forwarded(&mut self, op: Op<'c>, operands: &[Val<'c>], around: EnclosingOp<'c>);
    /// Visits a return.
    fn return_op(&mut self, op: Op<'c>, place: OpPosition);
    /// The value that an edge passes for a parameter, given the value of the IR that it forwards.
    fn passed_value(&mut self, from: Val<'c>, param: ValueId) -> Option<ValueId>;
    /// Visits the values that an edge forwards; `edge` is `None` if the edge is left out because it is never
    /// taken.
    fn forwarded(&mut self, values: &[(Val<'c>, Val<'c>)], edge: Option<EdgeId>);

    /// Walks a body. Its first segment is the entry.
    fn walk_body(&mut self, body: Region<'c>) {
        let mut memory = std::mem::take(self.memory());
        memory.graph = Rc::new(ControlGraph::of(
            body,
            self.semantics(),
            &mut |op, info, semantics| Self::is_entered(op, info, &memory, semantics),
        ));
        *self.memory() = memory;
        let id = self.memory().add_region(None);
        self.add_blocks(graph::BODY, id, None);
        self.walk_region(graph::BODY, None);
        self.memory().graph = Rc::default();
    }

    /// Records the operations that contain others which touch memory. Returns whether the region touches
    /// memory.
    fn scan_region(&mut self, region: Region<'c>) -> bool {
        let mut touches = false;
        for block in blocks(region) {
            touches |= arguments(block).any(|argument| self.is_memory_value(argument));
            for op in ops(block) {
                let mut inside = false;
                if regions(op).next().is_some() {
                    let info = self.semantics().info(op);
                    if !info.is_function() && !info.is_symbol_table() {
                        for region in regions(op) {
                            inside |= self.scan_region(region);
                        }
                    }
                    if inside {
                        self.memory().touching.insert(op.key());
                    }
                }
                touches |= self.scan_op(op, inside);
            }
        }
        touches
    }

    /// Adds segments for the blocks of a region.
    fn add_blocks(
        &mut self,
        region: graph::RegionId,
        id: RegionId,
        around: Option<EnclosingOp<'c>>,
    ) {
        let graph = Rc::clone(&self.memory().graph);
        for (number, block) in graph.blocks_of(region).enumerate() {
            let block = &graph.blocks[block];
            let segment = self
                .memory()
                .add_segment(id, SegmentStart::Block(block.block));
            self.memory().segments[block.first] = segment.into();
            let start = match around {
                _ if number > 0 => StartValues::Passed,
                None => StartValues::Arguments,
                Some(around) if around.is_known => StartValues::Passed,
                Some(_) => StartValues::Unknown,
            };
            self.add_start_values(start, segment, &mut arguments(block.block));
        }
    }

    /// Walks the blocks of a region.
    fn walk_region(&mut self, region: graph::RegionId, around: Option<EnclosingOp<'c>>) {
        let graph = Rc::clone(&self.memory().graph);
        // Definitions are visited before uses, whatever the textual order.
        for block in graph.in_order(region, true) {
            self.walk_block(&graph, block, around);
        }
    }

    /// Walks the operations of a block.
    fn walk_block(
        &mut self,
        graph: &ControlGraph<'c>,
        block: BlockId,
        around: Option<EnclosingOp<'c>>,
    ) {
        let mut at = graph.blocks[block].first;
        let Some(mut segment) = self.memory().segment_of(at) else {
            return;
        };
        let place = |reader: &mut Self, op, segment| OpPosition {
            segment,
            step: reader.memory().add_step(segment, op),
        };
        loop {
            for op in graph.ops(at) {
                let place = place(self, op, segment);
                segment = self.plain_op(op, place);
            }
            match graph.segments[at].end {
                End::Enters(entered) => {
                    let Some(after) = graph.entered[entered].after else {
                        return;
                    };
                    let place = place(self, graph.entered[entered].op, segment);
                    segment = self.op_with_regions(graph, entered, place);
                    at = after;
                }
                End::Terminator(op, entered) => {
                    let place = place(self, op, segment);
                    return self.block_end(graph, BlockEnd { op, entered, at }, place, around);
                }
                End::NeverLeft(op) => {
                    self.memory().add_step(segment, op);
                    return;
                }
                End::NoTerminator => return self.add_edges(graph, at, segment),
            }
        }
    }

    /// Visits an operation whose regions are entered. Returns the segment after it.
    fn op_with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        self.walk_op_with_regions(graph, entered, place)
    }

    /// Visits the end of a block. `around` is `None` in the body.
    fn block_end(
        &mut self,
        graph: &ControlGraph<'c>,
        end: BlockEnd<'c>,
        place: OpPosition,
        around: Option<EnclosingOp<'c>>,
    ) {
        self.leave_block(graph, end, place, around);
    }

    /// Adds the edges of the control-flow graph that leave a block.
    fn leave_block(
        &mut self,
        graph: &ControlGraph<'c>,
        end: BlockEnd<'c>,
        place: OpPosition,
        around: Option<EnclosingOp<'c>>,
    ) {
        let op = end.op;
        let is_branch = op.successor_count() > 0;
        let is_forwarding_unknown = is_branch
            && graph.edges_from(end.at).any(|edge| !edge.forwards_known)
            && operands(op).any(|operand| self.is_memory_value(operand));
        if (is_forwarding_unknown || self.memory().touches(op)) && !self.unknown_terminator(op) {
            return;
        }
        match around {
            _ if is_branch => {
                self.add_edges(graph, end.at, place.segment);
                for operand in graph.not_forwarded(end.at) {
                    self.branch_uses(operand, place);
                }
            }
            Some(around) => {
                self.not_forwarded(op, &graph.not_forwarded(end.at), around);
                self.add_edges(graph, end.at, place.segment);
            }
            None => self.return_op(op, place),
        }
    }

    /// Walks an operation whose regions are entered, with the edges of the control-flow graph. Returns the
    /// segment after it.
    fn walk_op_with_regions(
        &mut self,
        graph: &ControlGraph<'c>,
        entered: EnteredId,
        place: OpPosition,
    ) -> SegmentId {
        let node = &graph.entered[entered];
        let (op, is_known) = (node.op, node.is_known);
        let next = self.memory().add_segment_after(place.segment, op);
        if let Some(after) = node.after {
            self.memory().segments[after] = next.into();
        }
        let around = EnclosingOp { op, next, is_known };
        let start = match is_known {
            true => StartValues::Passed,
            false => StartValues::Unknown,
        };
        self.add_start_values(start, next, &mut results(op));
        for region in graph.regions_of(entered) {
            let id = self.memory().add_region(Some(place.segment));
            self.add_blocks(region, id, Some(around));
        }
        for region in graph.regions_of(entered) {
            self.walk_region(region, Some(around));
        }
        self.add_edges(graph, node.before, place.segment);
        next
    }

    /// Adds the edges out of a segment of the control-flow graph, which is part of `segment`.
    fn add_edges(&mut self, graph: &ControlGraph<'c>, at: graph::SegmentId, segment: SegmentId) {
        for edge in graph.edges_from(at) {
            let ir_edge = match edge.kind {
                EdgeKind::Enter(entered) => IrEdge::Enter(graph.entered[entered].op),
                EdgeKind::Yield(op) | EdgeKind::NoTerminator(Some(op)) => IrEdge::Yield(op),
                EdgeKind::Branch(op, number) => IrEdge::Branch(op, number),
                EdgeKind::NoTerminator(None) | EdgeKind::Return(_) => continue,
            };
            let values = graph.values(edge);
            let is_kept = Self::WITH_UNTAKEN_YIELDS && matches!(ir_edge, IrEdge::Yield(_));
            if edge.taken == Taken::Never && !is_kept {
                self.forwarded(values, None);
                continue;
            }
            let Some(to) = edge.to.and_then(|to| self.memory().segment_of(to)) else {
                continue;
            };
            let split = match ir_edge {
                IrEdge::Branch(..) if self.suspends(graph) => EdgeSplit::Unknown,
                _ if edge.can_split => EdgeSplit::Possible,
                IrEdge::Branch(..) if !edge.forwards_known => EdgeSplit::Unknown,
                _ => EdgeSplit::Impossible,
            };
            let passed = self.passed_values(edge, values, to);
            let edge = self
                .memory()
                .add_edge(segment, Some(to), passed, split, ir_edge);
            self.forwarded(values, Some(edge));
        }
    }

    /// Whether the body is an LLVM coroutine. Its suspension points are ordinary branches to which control
    /// may return.
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

    /// The values that an edge passes for the parameters of its target.
    fn passed_values(
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
            self.passed_value(from, param)
        });
        passed.collect()
    }
}
