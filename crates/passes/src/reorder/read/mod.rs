//! Reads the blocks of a function as graphs. The walk is that of memplan-lifetimes, which numbers positions,
//! so that each operation has the positions that it spans.
//!
//! Items are read first: they show for most blocks that no order would help. Dependences are computed only
//! for the other blocks.

mod edges;
mod items;

use super::graph::{Graph, Node};
use crate::coalescing::PackingOptions;
use crate::op_effects::{Access, AccessAnalysis};
use edges::Edges;
use items::LiveRanges;
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
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// A block whose operations may be reordered.
pub struct Reading<'c> {
    /// Parent operation of the block.
    pub owner: Op<'c>,
    /// Its operations in the given order, without the last one.
    pub ops: Vec<Op<'c>>,
    /// The last operation.
    pub last: Op<'c>,
    /// The arena's scope.
    pub scope: ScopeId,
    /// Its graph, at first without edges.
    pub graph: Graph,
    /// Indices of operations with blocks that were read, too, with the range of these blocks.
    pub inner: Vec<(u32, Range<usize>)>,
}

/// Blocks of a function in which buffers are live, inner ones first, without edges.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    how: &PackingOptions,
) -> Vec<Reading<'c>> {
    let (Some(function), Some(scope)) =
        (analysis.handles.function, analysis.program.scopes.first())
    else {
        return Vec::new();
    };
    let mut reader = ReorderReader {
        analysis,
        semantics,
        lives: LiveRanges::of(analysis, how),
        spans: spans(analysis),
        readings: Vec::new(),
    };
    let ids = &analysis.program.nodes[scope.body.index()].blocks;
    let blocks = function_body(function).into_iter().flat_map(blocks);
    for (block, id) in blocks.zip(ids) {
        reader.block(function, block, *id);
    }
    reader.readings
}

/// The followed nodes of an operation, and its last position.
type Span = (SmallVec<[NodeId; 1]>, Position);

/// Operations with followed regions, by their first positions.
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

struct ReorderReader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    semantics: &'a mut Semantics,
    lives: LiveRanges<'a, 'c>,
    spans: FxHashMap<Position, Span>,
    readings: Vec<Reading<'c>>,
}

impl<'c> ReorderReader<'_, 'c> {
    fn block(&mut self, owner: Op<'c>, block: Block<'c>, id: BlockId) {
        let Some(last) = terminator(block) else {
            return;
        };
        let program = &self.analysis.program;
        let mut position = program.blocks[id.index()].first + 1;
        let (mut own, mut spans, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for op in ops(block).take_while(|op| op.key() != last.key()) {
            let mut end = position;
            if let Some((nodes, last)) = self.spans.remove(&position) {
                end = last;
                let first = self.readings.len();
                let ids = nodes.iter();
                let ids = ids.flat_map(|node| &program.nodes[node.index()].blocks);
                for (block, id) in regions(op).flat_map(blocks).zip(ids) {
                    self.block(op, block, *id);
                }
                if self.readings.len() > first {
                    inner.push((own.len() as u32, first..self.readings.len()));
                }
            }
            own.push(op);
            spans.push((position, end));
            position = end + 1;
        }
        let Some(found) = self.lives.items(id, &spans).filter(|_| own.len() > 1) else {
            return;
        };
        let nodes = found.nodes.into_iter().zip(&own);
        let nodes = nodes.map(|(node, op)| Node {
            floats: node.touches.is_empty() && node.inside == 0 && results(*op).next().is_some(),
            frees: self.semantics.is_deallocation(*op),
            ..node
        });
        self.readings.push(Reading {
            owner,
            last,
            scope: program.scope_of(id),
            inner,
            graph: Graph {
                nodes: nodes.collect(),
                items: found.items,
                through: found.through,
            },
            ops: own,
        });
    }
}

/// Computes dependences.
pub struct Orders<'a, 'c> {
    semantics: &'a mut Semantics,
    accesses: AccessAnalysis<'a, 'c>,
}

impl<'a, 'c> Orders<'a, 'c> {
    pub fn of(analysis: &'a Analysis<'c>, semantics: &'a mut Semantics) -> Self {
        Self {
            semantics,
            accesses: AccessAnalysis::new(analysis),
        }
    }

    /// Adds the edges of a block.
    pub fn fill(&mut self, reading: &mut Reading<'c>) {
        let mut edges = Edges::default();
        let mut places: FxHashMap<Key, u32> = FxHashMap::default();
        for op in &reading.ops {
            let mut uses = SmallVec::new();
            let mut access = Access::default();
            self.op(*op, &places, &mut uses, &mut access);
            places.insert(op.key(), edges.next());
            edges.add(access, uses);
        }
        for (node, before) in reading.graph.nodes.iter_mut().zip(edges.before) {
            node.before = before;
        }
    }

    /// Effects of an operation with its nested operations, and the earlier operations that define its
    /// operands.
    fn op(
        &mut self,
        op: Op<'c>,
        places: &FxHashMap<Key, u32>,
        uses: &mut SmallVec<[u32; 4]>,
        access: &mut Access,
    ) {
        for operand in operands(op) {
            if let Some(Origin::Result(by, _)) = origin(operand) {
                uses.extend(places.get(&by.key()).copied());
            }
        }
        self.accesses.record(op, self.semantics, access);
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.op(nested, places, uses, access);
        }
    }
}
