//! Random programs, run on concrete bytes: whatever goes wrong there must be found.

use super::{
    fault::Fault,
    live::live,
    program::{
        Action, ArenaId, ChoiceId, Derivation, Edge, Node, NodeId, OpId, Program, Slice, SliceId,
        Step, ValueId, Values,
    },
    solve::solve,
};
use std::collections::{BTreeMap, BTreeSet};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const BYTES: u64 = 24;

/// Writes random programs.
struct Writer {
    random: Random,
    program: Program,
    current: NodeId,
    /// Values that may be used.
    scope: Vec<ValueId>,
    /// For each choice, the values as they are compared, before views are taken into account.
    compared: Vec<Vec<ValueId>>,
    ops: u32,
}

impl Writer {
    fn program(seed: u64) -> (Program, Vec<Vec<ValueId>>) {
        let mut writer = Self {
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            program: Program::default(),
            current: NodeId(0),
            scope: Vec::new(),
            compared: Vec::new(),
            ops: 0,
        };
        writer.program.arenas.push(Vec::new());
        writer.node();
        writer.step(Action::Allocate(ArenaId(0)));
        for _ in 0..2 {
            writer.birth();
        }
        writer.statements(3);
        writer.program.close_choices();
        (writer.program, writer.compared)
    }

    fn node(&mut self) -> NodeId {
        self.program.nodes.push(Node::default());
        NodeId(self.program.nodes.len() as u32 - 1)
    }

    fn start(&mut self, node: NodeId) {
        self.current = node;
        let here = self.program.steps.len();
        self.program.nodes[node.index()].steps = here..here;
    }

    fn step(&mut self, action: Action) {
        let op = OpId(self.ops);
        self.ops += 1;
        self.program.steps.push(Step { op, action });
        self.program.nodes[self.current.index()].steps.end = self.program.steps.len();
    }

    fn edge(&mut self, from: NodeId, to: NodeId, binds: Vec<(ValueId, ValueId)>) {
        self.program.nodes[from.index()].edges.push(Edge { to, binds });
    }

    fn value(&mut self, derivation: Derivation) -> ValueId {
        self.program.values.push(derivation);
        ValueId(self.program.values.len() as u32 - 1)
    }

    fn visible(&mut self) -> ValueId {
        let scope = std::mem::take(&mut self.scope);
        // Recent values more often.
        let near = scope.len().saturating_sub(4);
        let value = if self.random.below(2) == 0 {
            self.random.pick(&scope[near..])
        } else {
            self.random.pick(&scope)
        };
        self.scope = scope;
        value
    }

    fn birth(&mut self) {
        let fresh = self.program.slices.len();
        let slice = if fresh > 0 && self.random.below(8) == 0 {
            SliceId(self.random.below(fresh) as u32)
        } else {
            let size = 1 + self.random.below(5) as u64;
            let rotating = !self.scope.is_empty() && self.random.below(3) == 0;
            let count = if rotating { 2 + self.random.below(2) } else { 1 };
            let mut start = self.random.below(8) as u64;
            let mut slots = Vec::new();
            for _ in 0..count {
                slots.push(start..start + size);
                start += size + self.random.below(2) as u64;
            }
            let id = SliceId(fresh as u32);
            self.program.arenas[0].push(id);
            self.program.slices.push(Slice {
                arena: ArenaId(0),
                buffer: fresh as i64,
                slots,
            });
            id
        };
        let slots = self.program.slices[slice.index()].slots.len();
        let choice = (slots > 1).then(|| {
            let held: Vec<ValueId> = (1..slots).map(|_| self.visible()).collect();
            self.compared.push(held.clone());
            self.program.choices.push(held);
            ChoiceId(self.compared.len() as u32 - 1)
        });
        let result = self.value(Derivation::Root);
        self.step(Action::Birth {
            slice,
            result,
            choice,
        });
        self.scope.push(result);
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.random.below(6) {
            match self.random.below(if depth > 0 { 14 } else { 10 }) {
                0 | 1 => self.birth(),
                2 => {
                    let source = self.visible();
                    let pointer_inside = true;
                    let result = self.value(Derivation::View {
                        source,
                        pointer_inside,
                    });
                    let sources = Values::from_slice(&[source]);
                    self.step(Action::Alias { result, sources });
                    self.scope.push(result);
                }
                3 => {
                    let (a, b) = (self.visible(), self.visible());
                    let result = self.value(Derivation::Select(a, b));
                    let sources = Values::from_slice(&[a, b]);
                    self.step(Action::Alias { result, sources });
                    self.scope.push(result);
                }
                4..=6 => {
                    let writes = Values::from_slice(&[self.visible()]);
                    let reads = Values::new();
                    self.step(Action::Access { reads, writes });
                }
                7 | 8 => {
                    let reads = Values::from_slice(&[self.visible()]);
                    let writes = Values::new();
                    self.step(Action::Access { reads, writes });
                }
                9 if self.random.below(12) == 0 => self.step(Action::Free(ArenaId(0))),
                9 => {
                    let reads = Values::from_slice(&[self.visible()]);
                    let writes = Values::from_slice(&[self.visible()]);
                    self.step(Action::Access { reads, writes });
                }
                10 | 11 => self.branch(depth - 1),
                _ => self.repeat(depth - 1),
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let before = self.current;
        let (one, other, after) = (self.node(), self.node(), self.node());
        let result = self.value(Derivation::Root);
        for arm in [one, other] {
            self.edge(before, arm, Vec::new());
            self.start(arm);
            let visible = self.scope.len();
            self.statements(depth);
            let given = self.visible();
            self.scope.truncate(visible);
            self.edge(self.current, after, vec![(given, result)]);
        }
        self.start(after);
        self.scope.push(result);
    }

    /// A loop that carries two values, either of which may be handed on as the other.
    fn repeat(&mut self, depth: usize) {
        let before = self.current;
        let (head, after) = (self.node(), self.node());
        let carried = [self.value(Derivation::Root), self.value(Derivation::Root)];
        let results = [self.value(Derivation::Root), self.value(Derivation::Root)];
        let initial = [self.visible(), self.visible()];
        let to = |targets: [ValueId; 2], given: [ValueId; 2]| {
            vec![(given[0], targets[0]), (given[1], targets[1])]
        };
        self.edge(before, head, to(carried, initial));
        if self.random.below(2) == 0 {
            self.edge(before, after, to(results, initial));
        }
        self.start(head);
        let visible = self.scope.len();
        self.scope.extend(carried);
        self.statements(depth);
        let given = [self.visible(), self.visible()];
        self.scope.truncate(visible);
        self.edge(self.current, head, to(carried, given));
        self.edge(self.current, after, to(results, given));
        self.start(after);
        self.scope.extend(results);
    }
}

#[derive(Clone)]
struct Instance {
    slice: SliceId,
    start: u64,
    end: u64,
    written: BTreeSet<u64>,
}

/// Runs a program on bytes along one random path; returns the reads that saw other bytes than
/// those that were written, and uses of freed memory.
struct Execution<'p> {
    program: &'p Program,
    compared: &'p [Vec<ValueId>],
    random: Random,
    env: BTreeMap<ValueId, usize>,
    instances: Vec<Instance>,
    /// Who wrote each byte last.
    owner: Vec<Option<usize>>,
    freed: bool,
    wrong: BTreeSet<(OpId, SliceId)>,
}

impl Execution<'_> {
    fn run(&mut self) {
        let mut node = NodeId(0);
        for _ in 0..40 {
            let here = &self.program.nodes[node.index()];
            for step in &self.program.steps[here.steps.clone()] {
                self.step(step);
            }
            if here.edges.is_empty() {
                return;
            }
            let edge = &here.edges[self.random.below(here.edges.len())];
            let given: Vec<_> = edge
                .binds
                .iter()
                .filter_map(|(from, to)| Some((*to, *self.env.get(from)?)))
                .collect();
            self.env.extend(given);
            node = edge.to;
        }
    }

    fn step(&mut self, step: &Step) {
        match &step.action {
            Action::Allocate(_) => self.freed = false,
            Action::Free(_) => self.freed = true,
            Action::Birth {
                slice,
                result,
                choice,
            } => {
                let slots = &self.program.slices[slice.index()].slots;
                let slot = match choice {
                    None => self.random.below(slots.len()),
                    Some(choice) => {
                        let held = &self.compared[choice.index()];
                        let starts: Vec<u64> = held
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
            Action::Access { reads, writes } => {
                self.check(step.op, reads);
                for value in writes {
                    let Some(instance) = self.env.get(value).copied() else {
                        continue;
                    };
                    let it = &mut self.instances[instance];
                    if self.freed {
                        self.wrong.insert((step.op, it.slice));
                    }
                    let all = self.random.below(2) == 0;
                    for byte in it.start..it.end {
                        if all || self.random.below(2) == 0 {
                            it.written.insert(byte);
                            self.owner[byte as usize] = Some(instance);
                        }
                    }
                }
                self.check(step.op, reads);
            }
            Action::Escape(..) | Action::Deallocate(_) | Action::Distinct(_) => {}
        }
    }

    fn check(&mut self, op: OpId, reads: &Values) {
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

#[test]
fn whatever_goes_wrong_on_bytes_is_found() {
    let (mut wrong, mut found, mut silent) = (0, 0, 0);
    for seed in 1..=4000 {
        let (program, compared) = Writer::program(seed);
        let faults = solve(&program, &live(&program));
        let told: BTreeSet<(OpId, SliceId)> = faults
            .iter()
            .filter_map(|fault| match fault {
                Fault::Overwritten { op, slice, .. }
                | Fault::BornAgain {
                    read: op, slice, ..
                }
                | Fault::Freed { op, slice, .. } => Some((*op, *slice)),
                _ => None,
            })
            .collect();
        let mut seen = BTreeSet::new();
        for path in 0..40 {
            let mut execution = Execution {
                program: &program,
                compared: &compared,
                random: Random(seed * 1000 + path + 1),
                env: BTreeMap::new(),
                instances: Vec::new(),
                owner: vec![None; BYTES as usize + 16],
                freed: false,
                wrong: BTreeSet::new(),
            };
            execution.run();
            seen.append(&mut execution.wrong);
        }
        let missed: Vec<_> = seen.difference(&told).collect();
        assert!(missed.is_empty(), "seed {seed}: {missed:?}\n{program:#?}");
        wrong += seen.len();
        found += told.len();
        silent += usize::from(told.is_empty());
    }
    println!("{wrong} of {wrong} wrong accesses found; {found} told in all; {silent} clean programs");
    assert!(wrong > 1000 && silent > 100);
}
