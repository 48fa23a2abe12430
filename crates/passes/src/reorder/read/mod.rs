//! A function's blocks as graphs. The walk goes as that of memplan-lifetimes does, which numbers positions: so each
//! operation has those that it spans there.

mod access;
mod edges;
mod items;
mod total;

use super::graph::{Graph, Node};
use access::{Access, Teller};
use edges::Edges;
use items::Lives;
use memplan_lifetimes::{
    Analysis,
    program::{BlockId, NodeId, Position, ScopeId},
};
use memplan_mlir::{
    calls::function_body,
    ir::{
        Block, Identity, Key, Op, Origin, blocks, operands, ops, origin, regions, results,
        terminator,
    },
    names::Names,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A block whose operations may stand in another order.
pub struct Reading<'c> {
    /// The operation that it is in.
    pub owner: Op<'c>,
    /// Its operations in the order given, but for the last one.
    pub ops: Vec<Op<'c>>,
    /// The last one.
    pub last: Op<'c>,
    /// The arena's scope.
    pub scope: ScopeId,
    /// What is known of it.
    pub graph: Graph,
    /// Operations with blocks inside that are among those read, by their places: for each the range of these.
    pub inner: Vec<(u32, std::ops::Range<usize>)>,
}

/// The blocks of a function, inner ones first.
pub fn read<'c>(analysis: &Analysis<'c>, names: &mut Names) -> Vec<Reading<'c>> {
    let Some(body) = analysis.handles.function.and_then(function_body) else {
        return Vec::new();
    };
    let mut reader = Reader {
        analysis,
        names,
        teller: Teller::new(analysis),
        lives: Lives::of(analysis),
        spans: spans(analysis),
        places: FxHashMap::default(),
        frames: Vec::new(),
        next_frame: 0,
        readings: Vec::new(),
    };
    let function = analysis.handles.function;
    let ids = analysis.program.scopes.first().map(|scope| scope.body);
    if let (Some(function), Some(node)) = (function, ids) {
        let ids = &analysis.program.nodes[node.index()].blocks;
        for (block, id) in blocks(body).zip(ids) {
            reader.block(function, block, *id);
        }
    }
    reader.readings
}

/// An operation with blocks that are told apart: these, and its last position.
type Span = (SmallVec<[NodeId; 1]>, Position);

/// Operations with blocks that are told apart, by their first positions.
fn spans(analysis: &Analysis<'_>) -> FxHashMap<Position, Span> {
    let program = &analysis.program;
    let mut spans: FxHashMap<Position, Span> = FxHashMap::default();
    for (index, node) in program.nodes.iter().enumerate() {
        if node.parent.is_some() {
            spans.insert(
                node.start,
                (SmallVec::from_slice(&[NodeId::new(index)]), node.end),
            );
        }
    }
    for scope in &program.scopes {
        if let Some(outer) = &scope.outer {
            let span = spans.entry(outer.span.0).or_default();
            span.0.push(scope.body);
            span.1 = outer.span.1;
        }
    }
    spans
}

/// A block that is being read.
struct Frame {
    number: u32,
    /// What the operation that is read right now uses.
    uses: SmallVec<[u32; 4]>,
}

struct Reader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    names: &'a mut Names,
    teller: Teller<'a, 'c>,
    lives: Lives<'a, 'c>,
    spans: FxHashMap<Position, Span>,
    /// For each operation of blocks that are being read: which, and its place there.
    places: FxHashMap<Key, (u32, u32)>,
    frames: Vec<Frame>,
    next_frame: u32,
    readings: Vec<Reading<'c>>,
}

impl<'c> Reader<'_, 'c> {
    /// Reads a block whose positions are known; what it does.
    fn block(&mut self, owner: Op<'c>, block: Block<'c>, id: BlockId) -> Access {
        let fact = &self.analysis.program.blocks[id.index()];
        let last = terminator(block);
        let number = self.next_frame;
        self.next_frame += 1;
        self.frames.push(Frame {
            number,
            uses: SmallVec::new(),
        });
        let mut position = fact.first + 1;
        let mut all = Access::default();
        let mut edges = Edges::default();
        let (mut own, mut spans, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for op in ops(block) {
            let first_reading = self.readings.len();
            let (access, end) = self.op(op, position);
            all.add(&access);
            if last.is_some_and(|last| last.key() == op.key()) {
                break;
            }
            let place = edges.next();
            if self.readings.len() > first_reading {
                inner.push((place, first_reading..self.readings.len()));
            }
            self.places.insert(op.key(), (number, place));
            let uses = self
                .frames
                .last_mut()
                .map(|frame| std::mem::take(&mut frame.uses));
            edges.add(&access, uses.unwrap_or_default());
            own.push(op);
            spans.push((position, end));
            position = end + 1;
        }
        self.frames.pop();
        for op in &own {
            self.places.remove(&op.key());
        }
        if let Some(last) = last.filter(|_| own.len() > 1) {
            let scope = self.analysis.program.scope_of(id);
            if let Some(found) = self.lives.items(id, &spans) {
                let nodes = edges.before.into_iter().zip(found.nodes).zip(&own);
                let node = |((before, node), op): ((_, Node), &Op<'c>)| Node {
                    before,
                    floats: node.touches.is_empty()
                        && node.inside == 0
                        && results(*op).next().is_some(),
                    ..node
                };
                self.readings.push(Reading {
                    owner,
                    last,
                    scope,
                    inner,
                    graph: Graph {
                        nodes: nodes.map(node).collect(),
                        items: found.items,
                        through: found.through,
                    },
                    ops: own,
                });
            }
        }
        all
    }

    /// Reads an operation at its first position: what it does, and its last position.
    fn op(&mut self, op: Op<'c>, position: Position) -> (Access, Position) {
        self.used(op);
        let mut access = self.teller.own(op, self.names);
        let mut end = position;
        match self.spans.remove(&position) {
            Some((nodes, last)) => {
                end = last;
                let program = &self.analysis.program;
                let ids = nodes
                    .iter()
                    .flat_map(|node| &program.nodes[node.index()].blocks);
                let ids: SmallVec<[BlockId; 4]> = ids.copied().collect();
                for (block, id) in regions(op).flat_map(blocks).zip(ids) {
                    let inner = self.block(op, block, id);
                    access.add(&inner);
                }
            }
            None => self.nested(op, &mut access),
        }
        (access, end)
    }

    /// What is in an operation whose blocks have no positions.
    fn nested(&mut self, op: Op<'c>, access: &mut Access) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.used(nested);
            let own = self.teller.own(nested, self.names);
            access.add(&own);
            self.nested(nested, access);
        }
    }

    /// Notes what an operation uses, in each block around it.
    fn used(&mut self, op: Op<'c>) {
        for operand in operands(op) {
            if let Some(Origin::Result(by, _)) = origin(operand)
                && let Some((number, place)) = self.places.get(&by.key())
                && let Ok(frame) = self
                    .frames
                    .binary_search_by_key(number, |frame| frame.number)
            {
                self.frames[frame].uses.push(*place);
            }
        }
    }
}
