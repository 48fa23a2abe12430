//! The blocks of a function as a tree: which blocks have all positions of a range between them.

use memplan_flow::{Components, Dominators, Graph, reached_from};
use memplan_lifetimes::program::{BlockId, NodeId, Position, Program, ScopeId, Successor};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The blocks of a function with the nodes in each. Blocks of a node are in program order.
pub struct BlockTree<'p> {
    /// The function.
    pub program: &'p Program,
    /// The nodes in each block, in program order.
    pub inside: FxHashMap<BlockId, Vec<NodeId>>,
    /// Whether control flow may reach a block again without leaving its node.
    repeats: Vec<bool>,
    /// Whether loops are taken as executed.
    loops_run: bool,
    /// The control flow of nodes of several blocks, where it was asked for.
    flows: RefCell<FxHashMap<NodeId, NodeFlow>>,
}

memplan_flow::ids! {
    /// A block, by its place in its node; the one after the last block is the outside.
    pub Place,
}

/// A range of operations that control flow enters only at its start and leaves only at its end, once for each execution
/// of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// The block with the start, and the position there; the first one of the block is before its operations.
    pub start: (BlockId, Position),
    /// The block with the end, and the last position there.
    pub end: (BlockId, Position),
    /// The first and the last position of all that may execute in the range.
    pub span: (Position, Position),
}

/// The places of two blocks of a node, and the positions of the blocks between them.
type Enclosing = (usize, usize, (Position, Position));

/// Ranges of more blocks are not looked at, as each block of a range is.
const MOST_BLOCKS: usize = 1024;

/// Dominance in a node of several blocks.
struct NodeFlow {
    graph: Graph<Place>,
    before: Dominators<Place>,
    after: Dominators<Place>,
    /// What was asked for: the places of two blocks.
    known: FxHashMap<(usize, usize), Option<Enclosing>>,
}

/// The control flow in a node: its blocks, and the edges between them.
pub fn graph(program: &Program, node: NodeId) -> Graph<Place> {
    let blocks = &program.nodes[node.index()].blocks;
    let places: FxHashMap<BlockId, Place> = places(blocks).collect();
    Graph::new(blocks.len(), |place: Place| {
        let successors = program.blocks[blocks[place.index()].index()]
            .successors
            .iter();
        let inside = successors.filter_map(|successor| match successor {
            Successor::Block(to) => places.get(to).copied(),
            Successor::Exit => None,
        });
        inside.collect::<Vec<_>>()
    })
}

fn places(blocks: &[BlockId]) -> impl Iterator<Item = (BlockId, Place)> {
    let all = blocks.iter().enumerate();
    all.map(|(place, block)| (*block, Place::new(place)))
}

impl<'p> BlockTree<'p> {
    /// The blocks of a function.
    pub fn of(program: &'p Program) -> Self {
        let mut inside: FxHashMap<BlockId, Vec<NodeId>> = FxHashMap::default();
        let mut repeats = vec![false; program.blocks.len()];
        for (index, node) in program.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                inside.entry(parent).or_default().push(NodeId::new(index));
            }
            let graph = graph(program, NodeId::new(index));
            let components = Components::of(&graph);
            for (place, block) in graph.nodes().zip(&node.blocks) {
                repeats[block.index()] = components.is_cyclic(place);
            }
        }
        for nodes in inside.values_mut() {
            nodes.sort_unstable_by_key(|node| program.nodes[node.index()].start);
        }
        Self {
            program,
            inside,
            repeats,
            loops_run: true,
            flows: RefCell::default(),
        }
    }

    /// The same, with loops that may not run.
    #[must_use]
    pub fn with_loops(mut self, loops_run: bool) -> Self {
        self.loops_run = loops_run;
        self
    }

    /// Whether loops are taken as executed.
    pub const fn loops_run(&self) -> bool {
        self.loops_run
    }

    /// Whether control flow may reach a node, and pass it without entering it.
    pub fn may_pass(&self, node: NodeId) -> bool {
        let node = &self.program.nodes[node.index()];
        let is_loop = || node.entries.iter().any(|block| self.repeats(*block));
        node.passes && !(self.loops_run && is_loop())
    }

    /// Whether control flow may reach a block again without leaving its node.
    pub fn repeats(&self, block: BlockId) -> bool {
        self.repeats[block.index()]
    }

    /// Whether one block has been executed whenever another one is.
    pub fn executes_before(&self, one: BlockId, other: BlockId) -> bool {
        let program = self.program;
        let (mut one, fact) = (one, &program.blocks[other.index()]);
        loop {
            let own = &program.blocks[one.index()];
            if own.first <= fact.first && fact.end <= own.end {
                return true;
            }
            let node = &program.nodes[own.node.index()];
            let (Some(first), Some(last)) = (node.blocks.first(), node.blocks.last()) else {
                return false;
            };
            let span = program.blocks[first.index()].first..program.blocks[last.index()].end;
            if span.contains(&fact.first) {
                let blocks = node.blocks.iter();
                let at = blocks.filter(|block| program.blocks[block.index()].first <= fact.first);
                let Some(at) = at.copied().max() else {
                    return false;
                };
                return self.dominates(own.node, one, at);
            }
            if node.blocks.len() > 1 || self.may_pass(own.node) {
                return false;
            }
            let Some(parent) = node.parent else {
                return false;
            };
            one = parent;
        }
    }

    /// Whether one block of a node is on all paths to another one.
    fn dominates(&self, node: NodeId, one: BlockId, other: BlockId) -> bool {
        let blocks = &self.program.nodes[node.index()].blocks;
        let place = |block: BlockId| blocks.iter().position(|other| *other == block);
        let (Some(one), Some(other)) = (place(one), place(other)) else {
            return false;
        };
        let mut flows = self.flows.borrow_mut();
        let flow = flows
            .entry(node)
            .or_insert_with(|| NodeFlow::of(self.program, node));
        flow.before.dominates(Place::new(one), Place::new(other))
    }

    /// The innermost range of a scope that has these positions, both included. Its blocks do not repeat, unless the
    /// positions are of one iteration.
    pub fn around(
        &self,
        scope: ScopeId,
        uses: (Position, Position),
        of_one_iteration: bool,
    ) -> Option<Around> {
        let program = self.program;
        let mut node = program.scopes[scope.index()].body;
        let mut found = None;
        loop {
            let blocks = &program.nodes[node.index()].blocks;
            let fact = |block: &BlockId| &program.blocks[block.index()];
            let place = |position: Position| {
                let place = blocks.partition_point(|block| fact(block).first <= position);
                let place = place.checked_sub(1)?;
                (position < fact(&blocks[place]).end).then_some(place)
            };
            let (Some(start), Some(end)) = (place(uses.0), place(uses.1)) else {
                return found;
            };
            if start != end {
                return self.blocks_around(node, uses, (start, end)).or(found);
            }
            let block = blocks[start];
            // What ends an iteration may hand buffers to the next one.
            if self.repeats(block) && !(of_one_iteration && uses.1 + 1 < fact(&block).end) {
                return found;
            }
            let (one, other) = (self.node_at(block, uses.0), self.node_at(block, uses.1));
            let first = one.map_or(uses.0, |node| program.nodes[node.index()].start);
            let last = other.map_or(uses.1, |node| program.nodes[node.index()].end);
            found = Some(Around {
                start: (block, first),
                end: (block, last),
                span: (first, last),
            });
            match one {
                Some(inner) if one == other => node = inner,
                _ => return found,
            }
        }
    }

    /// A range from one block of a node to another one around positions in two blocks.
    fn blocks_around(
        &self,
        node: NodeId,
        uses: (Position, Position),
        (start, end): (usize, usize),
    ) -> Option<Around> {
        let program = self.program;
        let mut flows = self.flows.borrow_mut();
        let flow = flows
            .entry(node)
            .or_insert_with(|| NodeFlow::of(program, node));
        let key = (start, end);
        let known = flow.known.get(&key).copied();
        let (first, last, inner) = known.unwrap_or_else(|| {
            let found = flow.around(self, node, (start, end));
            flow.known.insert(key, found);
            found
        })?;
        let blocks = &program.nodes[node.index()].blocks;
        let fact = |place: usize| &program.blocks[blocks[place].index()];
        // Blocks in the range may have uses anywhere, and other blocks have none.
        let is_inside = |place: usize| (start..=end).contains(&place);
        let from = match first {
            _ if first == start => self.start_of(blocks[first], uses.0),
            _ if is_inside(first) => fact(first).first,
            _ => fact(first).end.saturating_sub(1),
        };
        let to = match last {
            _ if last == end => self.end_of(blocks[last], uses.1),
            _ if is_inside(last) => fact(last).end.saturating_sub(1),
            _ => fact(last).first,
        };
        // The blocks between them may be anywhere in the text.
        let span = (inner.0.min(from).min(to), inner.1.max(from).max(to));
        Some(Around {
            start: (blocks[first], from),
            end: (blocks[last], to),
            span,
        })
    }

    /// The first position of what a block has at a position.
    fn start_of(&self, block: BlockId, position: Position) -> Position {
        let node = self.node_at(block, position);
        node.map_or(position, |node| self.program.nodes[node.index()].start)
    }

    /// The last position of what a block has at a position.
    fn end_of(&self, block: BlockId, position: Position) -> Position {
        let node = self.node_at(block, position);
        node.map_or(position, |node| self.program.nodes[node.index()].end)
    }

    /// The node of a block that has a position.
    fn node_at(&self, block: BlockId, position: Position) -> Option<NodeId> {
        let nodes = self.inside.get(&block)?;
        let fact = |node: &NodeId| &self.program.nodes[node.index()];
        let place = nodes.partition_point(|node| fact(node).start <= position);
        let node = nodes.get(place.checked_sub(1)?)?;
        (position <= fact(node).end).then_some(*node)
    }
}

impl NodeFlow {
    fn of(program: &Program, node: NodeId) -> Self {
        let fact = &program.nodes[node.index()];
        let inside = graph(program, node);
        let places: FxHashMap<BlockId, Place> = places(&fact.blocks).collect();
        let outside = Place::new(fact.blocks.len());
        // Control flow comes from outside and goes there.
        let whole = Graph::new(fact.blocks.len() + 1, |place: Place| {
            if place == outside {
                let entries = fact.entries.iter().filter_map(|block| places.get(block));
                return entries.copied().collect::<Vec<Place>>();
            }
            let mut next = inside.successors(place).to_vec();
            let successors = &program.blocks[fact.blocks[place.index()].index()].successors;
            if successors.is_empty() || successors.contains(&Successor::Exit) {
                next.push(outside);
            }
            next
        });
        Self {
            before: Dominators::of(&whole, outside),
            after: Dominators::of(&whole.reversed(), outside),
            graph: inside,
            known: FxHashMap::default(),
        }
    }

    /// The blocks around all blocks of a range.
    fn around(
        &self,
        tree: &BlockTree<'_>,
        node: NodeId,
        (start, end): (usize, usize),
    ) -> Option<Enclosing> {
        if end - start > MOST_BLOCKS {
            return None;
        }
        let blocks = &tree.program.nodes[node.index()].blocks;
        let once = |place: Place| {
            let block = blocks.get(place.index());
            block.is_some_and(|block| !tree.repeats(*block))
        };
        let nearest = |all: &Dominators<Place>, from: Place, other: Place| {
            let mut place = from;
            while !all.dominates(place, other) || !once(place) {
                place = all.immediate(place)?;
            }
            Some(place)
        };
        let (mut first, mut last) = (Place::new(start), Place::new(end));
        for place in (start..=end).map(Place::new) {
            first = nearest(&self.before, first, place)?;
        }
        for place in (start..=end).rev().map(Place::new) {
            last = nearest(&self.after, last, place)?;
        }
        loop {
            let (wider, later) = (
                nearest(&self.before, first, last)?,
                nearest(&self.after, last, first)?,
            );
            if (wider, later) == (first, last) {
                break;
            }
            (first, last) = (wider, later);
        }
        let after = reached_from(&self.graph, first, |place| place == last);
        let between = after.iter().filter(|place| *place != last);
        let facts = between.map(|place| &tree.program.blocks[blocks[place.index()].index()]);
        let span = facts.map(|fact| (fact.first, fact.end.saturating_sub(1)));
        let span = span.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let span = span.unwrap_or((Position::MAX, 0));
        Some((first.index(), last.index(), span))
    }
}
