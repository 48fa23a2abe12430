//! The blocks of a function as a tree: which block has all positions of a range.

use memplan_flow::{Components, Graph};
use memplan_lifetimes::program::{BlockId, NodeId, Position, Program, ScopeId, Successor};
use rustc_hash::FxHashMap;

/// The blocks of a function with the nodes in each. Blocks of a node are in program order.
pub struct BlockTree<'p> {
    /// The function.
    pub program: &'p Program,
    /// The nodes in each block, in program order.
    pub inside: FxHashMap<BlockId, Vec<NodeId>>,
    /// Whether control flow may reach a block again without leaving its node.
    repeats: Vec<bool>,
}

memplan_flow::ids! {
    /// A block, by its place in its node.
    pub Place,
}

/// The control flow in a node: its blocks, and the edges between them.
pub fn graph(program: &Program, node: NodeId) -> Graph<Place> {
    let blocks = &program.nodes[node.index()].blocks;
    let places: FxHashMap<BlockId, Place> = blocks
        .iter()
        .enumerate()
        .map(|(place, block)| (*block, Place::new(place)))
        .collect();
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
        }
    }

    /// Whether control flow may reach a block again without leaving its node.
    pub fn repeats(&self, block: BlockId) -> bool {
        self.repeats[block.index()]
    }

    /// The innermost block of a scope that has these positions, both included, and does not repeat, with the positions
    /// of the operations of that block around them.
    pub fn around(
        &self,
        scope: ScopeId,
        uses: (Position, Position),
    ) -> Option<(BlockId, (Position, Position))> {
        let program = self.program;
        let mut node = program.scopes[scope.index()].body;
        let mut found = None;
        loop {
            let blocks = &program.nodes[node.index()].blocks;
            let fact = |block: &BlockId| &program.blocks[block.index()];
            let place = blocks.partition_point(|block| fact(block).first <= uses.0);
            let block = place.checked_sub(1).map(|place| blocks[place]);
            let block = block.filter(|block| uses.1 < fact(block).end && !self.repeats(*block));
            let Some(block) = block else {
                return found;
            };
            let (one, other) = (self.node_at(block, uses.0), self.node_at(block, uses.1));
            let first = one.map_or(uses.0, |node| program.nodes[node.index()].start);
            let last = other.map_or(uses.1, |node| program.nodes[node.index()].end);
            found = Some((block, (first, last)));
            match one {
                Some(inner) if one == other => node = inner,
                _ => return found,
            }
        }
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
