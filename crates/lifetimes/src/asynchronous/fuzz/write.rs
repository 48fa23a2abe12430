//! Writes random programs.

use super::{Case, Random, Step};
use crate::{
    asynchronous::{
        Act, ActKind, Edge, HandleFact, HandleId, Handles, Index, Source, StartFact, StartId, Tag,
    },
    program::{
        BlockFact, BlockId, NodeFact, NodeId, Position, ScopeFact, ScopeId, Successor, ValueId,
    },
};
use smallvec::{SmallVec, smallvec};

/// Kinds of handles are never mixed up.
#[derive(Clone, Default)]
struct Visible {
    tokens: Vec<HandleId>,
    groups: Vec<HandleId>,
    copies: Vec<HandleId>,
}

impl Case {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed * 0x9E37_79B9 + 1);
        let mut case = Self {
            copies: random.chance(35),
            ..Self::default()
        };
        case.program.scopes.push(ScopeFact {
            body: NodeId(0),
            outer: None,
        });
        if random.chance(40) {
            for index in 0..2 {
                let tag = Tag {
                    memref: ValueId(0),
                    indices: smallvec![Index::Constant(index)],
                };
                let handle = HandleId(case.facts.handles.len() as u32);
                case.facts.handles.push(HandleFact {
                    made_in: SmallVec::new(),
                    tag: Some(tag),
                });
                case.tags.push(handle);
            }
        }
        case.node(None, &Visible::default(), 0, &mut random);
        case.program.connect();
        case
    }

    fn handle(&mut self, block: BlockId) -> HandleId {
        self.facts.handles.push(HandleFact {
            made_in: smallvec![block],
            tag: None,
        });
        HandleId(self.facts.handles.len() as u32 - 1)
    }

    fn next(&mut self) -> Position {
        self.program.end += 1;
        self.program.end - 1
    }

    /// A node, with a token as its result if it is in a block.
    fn node(
        &mut self,
        parent: Option<BlockId>,
        outer: &Visible,
        depth: usize,
        random: &mut Random,
    ) -> NodeId {
        let node = NodeId::new(self.program.nodes.len());
        let start = parent.map_or(0, |_| self.next());
        self.program.nodes.push(NodeFact {
            parent,
            scope: ScopeId(0),
            start,
            end: start,
            blocks: Vec::new(),
            entries: SmallVec::new(),
            passes: false,
            runs_in_loop: false,
        });
        let result = parent.map(|block| self.handle(block));
        let count = 1 + random.below(4);
        let blocks: Vec<BlockId> = (0..count)
            .map(|_| {
                self.program.blocks.push(BlockFact {
                    node,
                    first: 0,
                    end: 0,
                    successors: SmallVec::new(),
                    predecessors: SmallVec::new(),
                });
                BlockId::new(self.program.blocks.len() - 1)
            })
            .collect();
        for block in &blocks {
            let is_entry = *block == blocks[0];
            let arguments = match is_entry && parent.is_none() {
                true => 0,
                false => random.below(3),
            };
            let arguments = (0..arguments).map(|_| self.handle(*block)).collect();
            self.arguments.insert(*block, arguments);
        }
        let mut seen = outer.clone();
        // Something to hand over at all.
        if let Some(result) = result {
            self.results.insert(node, result);
        }
        self.program.nodes[node.index()].blocks = blocks.clone();
        self.program.nodes[node.index()].entries = smallvec![blocks[0]];
        if parent.is_some() {
            self.edge(
                Source::Node(node),
                Successor::Block(blocks[0]),
                outer,
                random,
            );
            if random.chance(40) && !outer.tokens.is_empty() {
                self.program.nodes[node.index()].passes = true;
                self.edge(Source::Node(node), Successor::Exit, outer, random);
            }
        }
        for (place, block) in blocks.iter().enumerate() {
            let inside = self.block(*block, &seen, depth, random);
            let mut edges: Vec<Successor> = Vec::new();
            for _ in 0..1 + random.below(2) {
                let onward = match random.chance(70) {
                    true => place + 1 + random.below(2),
                    false => random.below(count),
                };
                edges.push(match blocks.get(onward) {
                    // The function's entry is not entered again.
                    Some(target) if onward > 0 || parent.is_some() => Successor::Block(*target),
                    _ => Successor::Exit,
                });
            }
            for edge in edges {
                let successors = &mut self.program.blocks[block.index()].successors;
                if !successors.contains(&edge) {
                    successors.push(edge);
                }
                self.edge(Source::Block(*block), edge, &inside, random);
            }
            if place == 0 {
                // The first block is before all others.
                seen = inside;
            }
        }
        let end = parent.map_or(self.program.end, |_| self.next());
        self.program.nodes[node.index()].end = end;
        node
    }

    /// What a way hands over: to each target a token, or nothing where there is none.
    fn edge(&mut self, source: Source, to: Successor, from: &Visible, random: &mut Random) {
        let targets: Vec<HandleId> = match (source, to) {
            (_, Successor::Block(block)) => self.arguments[&block].clone(),
            (Source::Node(node), Successor::Exit) => {
                self.results.get(&node).copied().into_iter().collect()
            }
            (Source::Block(block), Successor::Exit) => {
                let node = self.program.blocks[block.index()].node;
                self.results.get(&node).copied().into_iter().collect()
            }
        };
        let mut pairs = SmallVec::new();
        for target in targets {
            if !from.tokens.is_empty() {
                pairs.push((from.tokens[random.below(from.tokens.len())], target));
            }
        }
        let edges = self.facts.edges.entry(source).or_default();
        edges.push(Edge { to, pairs });
    }

    fn act(&mut self, block: BlockId, position: Position, kind: ActKind) {
        self.facts.acts.push(Act {
            block,
            position,
            kind,
        });
        let index = self.facts.acts.len() - 1;
        self.steps.entry(block).or_default().push(Step::Act(index));
    }

    fn start(&mut self, block: BlockId, position: Position, handle: HandleId, grouped: bool) {
        self.facts.starts.push(StartFact {
            scope: ScopeId(0),
            span: (position, position),
            uses: 0..0,
            handles: smallvec![handle],
            grouped,
        });
        let start = StartId(self.facts.starts.len() as u32 - 1);
        self.act(block, position, ActKind::Start(start));
    }

    fn block(
        &mut self,
        block: BlockId,
        outer: &Visible,
        depth: usize,
        random: &mut Random,
    ) -> Visible {
        let mut seen = outer.clone();
        self.program.blocks[block.index()].first = self.next();
        seen.tokens.extend(&self.arguments[&block]);
        let some = |all: &[HandleId], random: &mut Random| -> Handles {
            let count = 1 + random.below(2);
            (0..count.min(all.len()))
                .map(|_| all[all.len() - 1 - random.below(all.len().min(4))])
                .collect()
        };
        for _ in 0..random.below(5) {
            // Some are about copies in groups, and little else.
            let kind = match self.copies {
                true => [8, 8, 9, 9, 9, 9, 11][random.below(7)],
                false => random.below(12),
            };
            match kind {
                0..=2 => {
                    let position = self.next();
                    let to = self.handle(block);
                    if !seen.tokens.is_empty() && random.chance(60) {
                        let from = some(&seen.tokens, random);
                        let all = false;
                        self.act(block, position, ActKind::After { from, to, all });
                    }
                    self.start(block, position, to, false);
                    seen.tokens.push(to);
                }
                3 | 4 if !seen.tokens.is_empty() => {
                    let position = self.next();
                    let waited = some(&seen.tokens, random);
                    self.act(block, position, ActKind::Wait(waited));
                }
                5 if seen.tokens.len() > 1 => {
                    let position = self.next();
                    let (from, to) = (some(&seen.tokens, random), self.handle(block));
                    let all = true;
                    self.act(block, position, ActKind::After { from, to, all });
                    seen.tokens.push(to);
                }
                6 => {
                    let position = self.next();
                    let group = self.handle(block);
                    let steps = self.steps.entry(block).or_default();
                    steps.push(Step::NewGroup(group, position));
                    seen.groups.push(group);
                }
                7 if !seen.groups.is_empty() => {
                    let position = self.next();
                    let group = seen.groups[random.below(seen.groups.len())];
                    if seen.tokens.is_empty() || random.chance(40) {
                        self.act(block, position, ActKind::Wait(smallvec![group]));
                    } else {
                        let token = seen.tokens[random.below(seen.tokens.len())];
                        let (from, all) = (smallvec![token], false);
                        let to = group;
                        self.act(block, position, ActKind::After { from, to, all });
                    }
                }
                8 => {
                    let position = self.next();
                    let to = self.handle(block);
                    self.start(block, position, to, true);
                    seen.copies.push(to);
                }
                9 if !seen.copies.is_empty() => {
                    let position = self.next();
                    match random.below(3) {
                        0 => {
                            let (from, to) = (some(&seen.copies, random), self.handle(block));
                            self.act(block, position, ActKind::Group { from, to });
                            seen.copies.push(to);
                        }
                        1 => {
                            let waited = some(&seen.copies, random);
                            self.act(block, position, ActKind::Wait(waited));
                        }
                        _ => {
                            let most = random.below(3) as u32;
                            self.act(block, position, ActKind::Drain(most));
                        }
                    }
                }
                10 if !self.tags.is_empty() => {
                    let position = self.next();
                    let tag = self.tags[random.below(2)];
                    match random.chance(50) {
                        true => self.start(block, position, tag, false),
                        false => self.act(block, position, ActKind::Wait(smallvec![tag])),
                    }
                }
                11 if depth < 2 => {
                    let node = self.node(Some(block), &seen, depth + 1, random);
                    self.steps.entry(block).or_default().push(Step::Node(node));
                    seen.tokens.push(self.results[&node]);
                }
                _ => {
                    self.next();
                }
            }
        }
        self.next();
        self.program.blocks[block.index()].end = self.program.end;
        seen
    }
}
