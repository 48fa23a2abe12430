//! Blocks divided into parts. An operation divides its block if its regions contain acts, or if it forwards
//! handles to them. Other operations are stepped over.

use super::{Act, ActKind, Edge, Facts, HandleId, Source, StartId};
use crate::program::{BlockId, NodeId, Position, Program, Successor};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a block: the index counts the dividing operations before it.
pub(super) type Part = (BlockId, usize);

/// Subject of an act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Concern {
    Handle(HandleId),
    Start(StartId),
    /// All groups of copies.
    Groups,
    /// All transfers with a tag.
    Tags,
}

/// Control flow between parts, with the handles that each edge forwards, and the acts by subject.
pub(super) struct Flow<'f> {
    pub program: &'f Program,
    pub facts: &'f Facts,
    /// Operations that divide each block, in program order.
    parting: FxHashMap<BlockId, Vec<NodeId>>,
    concerned: FxHashMap<(Concern, BlockId), Vec<u32>>,
    /// Number of uses of each handle.
    mentions: Vec<u32>,
}

impl<'f> Flow<'f> {
    pub fn of(program: &'f Program, facts: &'f Facts) -> Self {
        let mut flow = Self {
            program,
            facts,
            parting: FxHashMap::default(),
            concerned: FxHashMap::default(),
            mentions: vec![0; facts.handles.len()],
        };
        let mut parting: FxHashSet<NodeId> = FxHashSet::default();
        for (index, act) in (0..).zip(&facts.acts) {
            flow.concern(index, act);
            flow.part(program.blocks[act.block.index()].node, &mut parting);
        }
        for (from, edges) in &facts.edges {
            let node = match from {
                Source::Block(block) => program.blocks[block.index()].node,
                Source::Node(node) => *node,
            };
            flow.part(node, &mut parting);
            for (handle, _) in edges.iter().flat_map(|edge| &edge.pairs) {
                flow.mentions[handle.0 as usize] += 1;
            }
        }
        for nodes in flow.parting.values_mut() {
            nodes.sort_unstable_by_key(|node| program.nodes[node.index()].start);
        }
        flow
    }

    fn concern(&mut self, index: u32, act: &Act) {
        let mut add = |concern| {
            let acts = self.concerned.entry((concern, act.block)).or_default();
            if acts.last() != Some(&index) {
                acts.push(index);
            }
        };
        match &act.kind {
            ActKind::Start(start) => {
                add(Concern::Start(*start));
                if self.facts.tag(*start).is_some() {
                    add(Concern::Tags);
                }
            }
            ActKind::After { from: used, .. } | ActKind::Wait(used) => {
                for handle in used {
                    self.mentions[handle.0 as usize] += 1;
                    add(Concern::Handle(*handle));
                }
            }
            ActKind::Group { from, .. } => {
                for handle in from {
                    self.mentions[handle.0 as usize] += 1;
                }
                add(Concern::Groups);
            }
            ActKind::Drain(_) => add(Concern::Groups),
        }
    }

    /// Marks a node as dividing its block, and the enclosing nodes theirs.
    fn part(&mut self, mut node: NodeId, parting: &mut FxHashSet<NodeId>) {
        while let Some(parent) = self.program.nodes[node.index()].parent
            && parting.insert(node)
        {
            self.parting.entry(parent).or_default().push(node);
            node = self.program.blocks[parent.index()].node;
        }
    }

    /// The part of `block` that contains `position`.
    pub fn part_at(&self, block: BlockId, position: Position) -> Part {
        let start = |node: &NodeId| self.program.nodes[node.index()].start;
        let nodes = self.parting.get(&block);
        let before = nodes.map_or(0, |nodes| {
            nodes.partition_point(|node| start(node) < position)
        });
        (block, before)
    }

    /// First and last position of a part, and the operation that ends it, if any.
    pub fn span(&self, (block, part): Part) -> (Position, Position, Option<NodeId>) {
        let (nodes, fact) = (&self.program.nodes, &self.program.blocks[block.index()]);
        let parting = self.parting.get(&block).map_or(&[][..], Vec::as_slice);
        let start = part
            .checked_sub(1)
            .map_or(fact.first, |before| nodes[parting[before].index()].end);
        match parting.get(part) {
            Some(node) => (start, nodes[node.index()].start, Some(*node)),
            None => (start, fact.end, None),
        }
    }

    /// The part after a node; `None` if the node is the body of a scope.
    pub fn part_after(&self, node: NodeId) -> Option<Part> {
        let fact = &self.program.nodes[node.index()];
        let (block, before) = self.part_at(fact.parent?, fact.start);
        Some((block, before + 1))
    }

    /// The first act on this subject in `block`, from the act of number `index` on.
    pub fn next(&self, concern: Concern, block: BlockId, index: u32) -> Option<u32> {
        let acts = self.concerned.get(&(concern, block))?;
        acts.get(acts.partition_point(|act| *act < index)).copied()
    }

    /// Number of the first act at or after `position`.
    pub fn first_at(&self, position: Position) -> u32 {
        let acts = &self.facts.acts;
        acts.partition_point(|act| act.position < position) as u32
    }

    /// The handles that each edge from `from` to `to` forwards.
    pub fn forwarded(
        &self,
        from: Source,
        to: Successor,
    ) -> impl Iterator<Item = &[(HandleId, HandleId)]> {
        let edges = self.facts.edges.get(&from).map_or(&[][..], Vec::as_slice);
        let mut forwarded = edges
            .iter()
            .filter(move |edge: &&Edge| edge.to == to)
            .map(|edge| edge.pairs.as_slice())
            .peekable();
        // An edge that forwards nothing has no entry.
        let plain = forwarded.peek().is_none().then_some(&[][..]);
        plain.into_iter().chain(forwarded)
    }

    /// Whether an act in `block` is the only use of a handle that is defined in that block: no later act uses
    /// it.
    pub fn is_last_use(&self, handle: HandleId, block: BlockId) -> bool {
        self.mentions[handle.0 as usize] == 1
            && self.facts.handles[handle.0 as usize].made_in[..] == [block]
    }
}
