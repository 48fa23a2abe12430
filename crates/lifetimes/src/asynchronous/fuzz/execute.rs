//! Runs a program step by step.

use super::{Case, Random, Step};
use crate::{
    asynchronous::{ActKind, Edge, HandleId, Source, StartId},
    program::{NodeId, Position, Successor},
};
use rustc_hash::FxHashMap;

/// Something that is waited for, while the program runs.
#[derive(Clone, Debug, Default)]
struct Object {
    after: Vec<usize>,
    instances: Vec<usize>,
    /// The number of its group of copies.
    group: Option<usize>,
}

/// A run along one random path.
pub struct Run<'a> {
    case: &'a Case,
    random: Random,
    handles: FxHashMap<HandleId, usize>,
    objects: Vec<Object>,
    /// Which start, whether it is done, and its group.
    instances: Vec<(StartId, bool, Option<usize>)>,
    groups: usize,
    /// What went on at each position that it came by.
    pub seen: Vec<(Position, StartId)>,
    /// What went on when all was left.
    pub left: Vec<StartId>,
    fuel: usize,
}

impl<'a> Run<'a> {
    /// Runs all of a case.
    pub fn new(case: &'a Case, random: Random) -> Self {
        let mut run = Self {
            case,
            random,
            handles: FxHashMap::default(),
            objects: Vec::new(),
            instances: Vec::new(),
            groups: 0,
            seen: Vec::new(),
            left: Vec::new(),
            fuel: 25,
        };
        run.node(NodeId(0));
        run
    }

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

    /// Follows one of the edges, with the handles that it forwards; returns its destination.
    fn follow_edge(&mut self, source: Source, successors: &[Successor]) -> Option<Successor> {
        let edges = &self.case.facts.edges[&source];
        let edges: Vec<&Edge> = edges
            .iter()
            .filter(|edge| successors.contains(&edge.to))
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
            let successors: &[Successor] = match fact.passes {
                true => &[at, Successor::Exit],
                false => &[at],
            };
            let Some(to) = self.follow_edge(Source::Node(node), successors) else {
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
            match self.follow_edge(Source::Block(block), &fact.successors) {
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
