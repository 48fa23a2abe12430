//! Executes a program on concrete bytes.

use crate::program::{Action, NodeId, OpAction, OpId, Program, SliceId, ValueId, Values};
use memplan_problems::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// More bytes than the arena of any program has.
const BYTES: usize = 64;

struct Instance {
    slice: SliceId,
    start: u64,
    end: u64,
    written: BTreeSet<u64>,
}

/// An execution of one random path.
pub struct Execution<'p> {
    program: &'p Program,
    compared: &'p [Vec<ValueId>],
    random: Random,
    env: BTreeMap<ValueId, usize>,
    instances: Vec<Instance>,
    /// The instance that wrote each byte last.
    owner: Vec<Option<usize>>,
    freed: bool,
    wrong: BTreeSet<(OpId, SliceId)>,
}

impl<'p> Execution<'p> {
    /// The wrong accesses on one path: reads of bytes that another instance wrote, and uses of freed memory.
    pub fn run(
        program: &'p Program,
        compared: &'p [Vec<ValueId>],
        random: Random,
    ) -> BTreeSet<(OpId, SliceId)> {
        let mut execution = Self {
            program,
            compared,
            random,
            env: BTreeMap::new(),
            instances: Vec::new(),
            owner: vec![None; BYTES],
            freed: false,
            wrong: BTreeSet::new(),
        };
        execution.walk();
        execution.wrong
    }

    fn walk(&mut self) {
        let mut node = NodeId(0);
        for _ in 0..40 {
            let here = &self.program.nodes[node.index()];
            for step in &self.program.actions[here.actions.clone()] {
                self.step(step);
            }
            if here.edges.is_empty() {
                return;
            }
            let edge = &here.edges[self.random.below(here.edges.len())];
            let mut given: Vec<_> = edge
                .binds
                .iter()
                .filter_map(|(from, to)| Some((*to, *self.env.get(from)?)))
                .collect();
            if self.random.below(2) == 0 {
                given.reverse();
            }
            self.env.extend(given);
            node = edge.to;
        }
    }

    fn step(&mut self, step: &OpAction) {
        match &step.action {
            Action::Allocate { .. } => self.freed = false,
            Action::Free { .. } => self.freed = true,
            Action::Birth {
                slice,
                result,
                choice,
                ..
            } => {
                let slots = &self.program.slices[slice.index()].slots;
                let slot = match choice {
                    None => self.random.below(slots.len()),
                    Some(choice) => {
                        let spared = &self.compared[choice.index()];
                        let starts: Vec<u64> = spared
                            .iter()
                            .filter_map(|value| self.env.get(value))
                            .map(|instance| self.instances[*instance].start)
                            .collect();
                        slots
                            .iter()
                            .position(|slot| !starts.iter().any(|start| slot.contains(start)))
                            .unwrap()
                    }
                };
                self.instances.push(Instance {
                    slice: *slice,
                    start: slots[slot].start,
                    end: slots[slot].end,
                    written: BTreeSet::new(),
                });
                self.env.insert(*result, self.instances.len() - 1);
            }
            Action::Alias { result, sources } => {
                let source = self.random.pick(sources);
                if let Some(instance) = self.env.get(&source) {
                    self.env.insert(*result, *instance);
                }
            }
            Action::Access {
                reads,
                writes,
                elements,
            } => {
                self.check(step.op, reads.iter());
                for &written in writes {
                    let Some(instance) = self.env.get(&written).copied() else {
                        continue;
                    };
                    let it = &mut self.instances[instance];
                    if self.freed {
                        self.wrong.insert((step.op, it.slice));
                    }
                    let sized =
                        |value: &ValueId, bytes| *value == written && bytes == it.end - it.start;
                    let mut overwritten = elements.overwritten.iter();
                    let all = self.random.below(2) == 0
                        || overwritten.any(|(value, bytes)| sized(value, *bytes));
                    for byte in it.start..it.end {
                        if all || self.random.below(2) == 0 {
                            it.written.insert(byte);
                            self.owner[byte as usize] = Some(instance);
                        }
                    }
                }
                let late = reads.iter().filter(|read| {
                    let mut in_step = elements.in_step.iter();
                    !in_step.any(|pair| pair.0 == **read && self.is_in_step(*pair))
                });
                let late: Values = late.copied().collect();
                self.check(step.op, late.iter());
            }
            Action::Donate { value, .. } => {
                let instance = self.env.get(value).map(|one| &self.instances[*one]);
                for byte in instance.into_iter().flat_map(|one| one.start..one.end) {
                    if self.random.below(2) == 0 {
                        self.owner[byte as usize] = None;
                    }
                }
            }
            Action::Move { .. }
            | Action::Escape(..)
            | Action::Needed(_)
            | Action::Ended(..)
            | Action::Deallocate(_)
            | Action::Distinct(_)
            | Action::Token(_) => {}
        }
    }

    /// Whether both values refer to the same range of so many bytes.
    fn is_in_step(&self, (read, written, bytes): (ValueId, ValueId, u64)) -> bool {
        let run = |value| {
            let instance = &self.instances[*self.env.get(&value)?];
            Some(instance.start..instance.end)
        };
        let (read, written) = (run(read), run(written));
        read == written && read.is_some_and(|run| run.end - run.start == bytes)
    }

    fn check<'v>(&mut self, op: OpId, reads: impl Iterator<Item = &'v ValueId>) {
        for value in reads {
            if let Some(&instance) = self.env.get(value) {
                let it = &self.instances[instance];
                let mut bytes = it.written.iter();
                if self.freed || bytes.any(|byte| self.owner[*byte as usize] != Some(instance)) {
                    self.wrong.insert((op, it.slice));
                }
            }
        }
    }
}
