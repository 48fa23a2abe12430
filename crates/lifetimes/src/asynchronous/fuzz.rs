//! Random programs, run step by step: whatever still goes on at a point must be known to be pending there.

use super::{
    Act, ActKind, Edge, Facts, HandleFact, HandleId, Handles, Index, Source, StartFact, StartId,
    Tag, solve::Solver,
};
use crate::{
    live::contains,
    program::{
        BlockFact, BlockId, NodeFact, NodeId, Position, Program, ScopeFact, ScopeId, Successor,
        ValueId,
    },
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What is executed, in a block.
#[derive(Clone, Copy, Debug)]
enum Step {
    Act(usize),
    NewGroup(HandleId, Position),
    Node(NodeId),
}

#[derive(Debug, Default)]
struct Case {
    program: Program,
    facts: Facts,
    steps: FxHashMap<BlockId, Vec<Step>>,
    arguments: FxHashMap<BlockId, Vec<HandleId>>,
    results: FxHashMap<NodeId, HandleId>,
    tags: Vec<HandleId>,
    copies: bool,
}

/// Kinds of handles are never mixed up.
#[derive(Clone, Default)]
struct Visible {
    tokens: Vec<HandleId>,
    groups: Vec<HandleId>,
    copies: Vec<HandleId>,
}

impl Case {
    fn new(seed: u64) -> Self {
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
            let mut ways: Vec<Successor> = Vec::new();
            for _ in 0..1 + random.below(2) {
                let onward = match random.chance(70) {
                    true => place + 1 + random.below(2),
                    false => random.below(count),
                };
                ways.push(match blocks.get(onward) {
                    // The function's entry is not entered again.
                    Some(target) if onward > 0 || parent.is_some() => Successor::Block(*target),
                    _ => Successor::Exit,
                });
            }
            for way in ways {
                let successors = &mut self.program.blocks[block.index()].successors;
                if !successors.contains(&way) {
                    successors.push(way);
                }
                self.edge(Source::Block(*block), way, &inside, random);
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

/// Something that is waited for, while the program runs.
#[derive(Clone, Debug, Default)]
struct Object {
    after: Vec<usize>,
    instances: Vec<usize>,
    /// The number of its group of copies.
    group: Option<usize>,
}

struct Run<'a> {
    case: &'a Case,
    random: Random,
    handles: FxHashMap<HandleId, usize>,
    objects: Vec<Object>,
    /// Which start, whether it is done, and its group.
    instances: Vec<(StartId, bool, Option<usize>)>,
    groups: usize,
    seen: Vec<(Position, StartId)>,
    left: Vec<StartId>,
    fuel: usize,
}

impl Run<'_> {
    fn at(&mut self, position: Position) {
        for &(start, done, _) in &self.instances {
            if !done {
                self.seen.push((position, start));
            }
        }
    }

    fn object(&mut self, object: Object) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    fn finish(&mut self, object: usize) {
        let mut work = vec![object];
        let mut seen = vec![false; self.objects.len()];
        while let Some(object) = work.pop() {
            if std::mem::replace(&mut seen[object], true) {
                continue;
            }
            let Object {
                after,
                instances,
                group,
            } = self.objects[object].clone();
            work.extend(after);
            for instance in instances {
                // A copy is done with its group alone.
                let start = self.instances[instance].0;
                if !self.case.facts.starts[start.0 as usize].grouped {
                    self.instances[instance].1 = true;
                }
            }
            if let Some(group) = group {
                self.finish_groups(group + 1);
            }
        }
    }

    fn finish_groups(&mut self, end: usize) {
        for (_, done, group) in &mut self.instances {
            *done |= group.is_some_and(|group| group < end);
        }
    }

    fn act(&mut self, index: usize) {
        let case = self.case;
        let act = &case.facts.acts[index];
        self.at(act.position);
        match &act.kind {
            ActKind::After {
                from,
                to,
                all: true,
            } => {
                let chosen = from[self.random.below(from.len())];
                let object = self.handles[&chosen];
                self.handles.insert(*to, object);
            }
            ActKind::After { from, to, .. } => {
                let after: Vec<usize> = from.iter().map(|from| self.handles[from]).collect();
                let next = case.facts.acts.get(index + 1);
                let starts = next.is_some_and(|next| {
                    next.position == act.position && matches!(next.kind, ActKind::Start(_))
                });
                match starts {
                    true => {
                        let object = self.object(Object {
                            after,
                            ..Object::default()
                        });
                        self.handles.insert(*to, object);
                    }
                    false => {
                        let group = self.handles[to];
                        self.objects[group].after.extend(after);
                    }
                }
            }
            ActKind::Start(start) => {
                let handle = case.facts.starts[start.0 as usize].handles[0];
                let instance = self.instances.len();
                self.instances.push((*start, false, None));
                if case.tags.contains(&handle) {
                    let tag = *self.handles.get(&handle).unwrap_or(&usize::MAX);
                    let tag = match tag {
                        usize::MAX => self.object(Object::default()),
                        tag => tag,
                    };
                    self.handles.insert(handle, tag);
                    self.objects[tag].instances.push(instance);
                    return;
                }
                let waits = index > 0 && {
                    let before = &case.facts.acts[index - 1];
                    before.position == act.position
                };
                if !waits {
                    let object = self.object(Object::default());
                    self.handles.insert(handle, object);
                }
                let object = self.handles[&handle];
                self.objects[object].instances.push(instance);
            }
            ActKind::Group { from, to } => {
                let number = self.groups;
                self.groups += 1;
                for from in from {
                    for instance in self.objects[self.handles[from]].instances.clone() {
                        self.instances[instance].2.get_or_insert(number);
                    }
                }
                let object = self.object(Object {
                    group: Some(number),
                    ..Object::default()
                });
                self.handles.insert(*to, object);
            }
            ActKind::Wait(waited) => {
                for handle in waited {
                    if case.tags.contains(handle) {
                        // One of those that go on with this tag: any.
                        if let Some(tag) = self.handles.get(handle).copied() {
                            let all = self.objects[tag].instances.clone();
                            let open: Vec<usize> = all
                                .into_iter()
                                .filter(|instance| !self.instances[*instance].1)
                                .collect();
                            if !open.is_empty() {
                                let one = open[self.random.below(open.len())];
                                self.instances[one].1 = true;
                            }
                        }
                        continue;
                    }
                    self.finish(self.handles[handle]);
                }
            }
            ActKind::Drain(most) => {
                self.finish_groups(self.groups.saturating_sub(*most as usize));
            }
        }
    }

    /// Hands handles over along one of the ways; says where that goes.
    fn way(&mut self, source: Source, ways: &[Successor]) -> Option<Successor> {
        let edges = &self.case.facts.edges[&source];
        let edges: Vec<&Edge> = edges
            .iter()
            .filter(|edge| ways.contains(&edge.to))
            .collect();
        let edge = edges[self.random.below(edges.len())];
        let targets: Vec<HandleId> = match (edge.to, source) {
            (Successor::Block(block), _) => self.case.arguments[&block].clone(),
            (Successor::Exit, Source::Node(node)) => vec![self.case.results[&node]],
            (Successor::Exit, Source::Block(block)) => {
                let node = self.case.program.blocks[block.index()].node;
                self.case.results.get(&node).copied().into_iter().collect()
            }
        };
        // What nothing is handed over to is something that is done.
        let idle = self.object(Object::default());
        let given: Vec<(HandleId, usize)> = targets
            .iter()
            .map(|target| {
                let mut pairs = edge.pairs.iter();
                let from = pairs.find(|(_, to)| to == target);
                (*target, from.map_or(idle, |(from, _)| self.handles[from]))
            })
            .collect();
        self.handles.extend(given);
        Some(edge.to)
    }

    /// Runs a node to its end; false if that is not reached.
    fn node(&mut self, node: NodeId) -> bool {
        let program = &self.case.program;
        let fact = &program.nodes[node.index()];
        let mut at = Successor::Block(fact.entries[0]);
        if fact.parent.is_some() {
            self.at(fact.start);
            let ways: &[Successor] = match fact.passes {
                true => &[at, Successor::Exit],
                false => &[at],
            };
            let Some(to) = self.way(Source::Node(node), ways) else {
                return false;
            };
            at = to;
        }
        while let Successor::Block(block) = at {
            let fact = &program.blocks[block.index()];
            self.at(fact.first);
            for step in self.case.steps.get(&block).cloned().unwrap_or_default() {
                match step {
                    Step::Act(index) => self.act(index),
                    Step::NewGroup(handle, position) => {
                        self.at(position);
                        let object = self.object(Object::default());
                        self.handles.insert(handle, object);
                    }
                    Step::Node(node) => {
                        if !self.node(node) {
                            return false;
                        }
                    }
                }
            }
            self.at(fact.end - 1);
            if self.fuel == 0 {
                return false;
            }
            self.fuel -= 1;
            match self.way(Source::Block(block), &fact.successors) {
                Some(to) => at = to,
                None => return false,
            }
        }
        if fact.parent.is_some() {
            self.at(fact.end);
        } else {
            let open = self.instances.iter().filter(|(_, done, _)| !done);
            self.left.extend(open.map(|(start, ..)| *start));
        }
        true
    }
}

#[test]
fn whatever_still_goes_on_is_pending() {
    let (mut bounded, mut held, mut short) = (0, 0, 0);
    for seed in 1..=2000 {
        let case = Case::new(seed);
        let found = Solver::new(&case.program, &case.facts).solve();
        for path in 0..30 {
            let mut run = Run {
                case: &case,
                random: Random(seed * 1000 + path + 1),
                handles: FxHashMap::default(),
                objects: Vec::new(),
                instances: Vec::new(),
                groups: 0,
                seen: Vec::new(),
                left: Vec::new(),
                fuel: 25,
            };
            run.node(NodeId(0));
            for (position, start) in run.seen {
                let ranges = &found[start.0 as usize];
                assert!(
                    ranges
                        .as_ref()
                        .is_none_or(|ranges| contains(ranges, position)),
                    "seed {seed}: {start:?} goes on at {position}, not in {ranges:?}\n{case:#?}"
                );
            }
            for start in run.left {
                assert!(
                    found[start.0 as usize].is_none(),
                    "seed {seed}: {start:?} goes on when all is left\n{case:#?}"
                );
            }
        }
        for (ranges, start) in found.iter().zip(&case.facts.starts) {
            match ranges {
                None => held += 1,
                Some(ranges) => {
                    bounded += 1;
                    let last = ranges.last().map_or(0, |range| range.1);
                    short += usize::from(last > start.span.0 + 1);
                }
            }
        }
    }
    println!("{bounded} end, {short} of them later than at once; {held} never do");
    assert!(short > 500 && held > 500);
}
