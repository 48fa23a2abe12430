//! Random programs of births, views, selections, accesses, branches and loops.

use crate::program::{
    Action, Arena, ArenaId, BufferName, ChoiceId, Derivation, Edge, Elements, Node, NodeId,
    OpAction, OpId, Program, Slice, SliceId, ValueId, Values,
};
use memplan_problems::random::Random;
use std::ops::Range;

/// A generator of random programs.
pub struct Generator {
    random: Random,
    program: Program,
    current: NodeId,
    /// Values that may be used.
    scope: Vec<ValueId>,
    /// For each choice, the values that it is compared with, without their views.
    compared: Vec<Vec<ValueId>>,
    ops: u32,
}

impl Generator {
    /// A program, with the values that each choice compares with its slots.
    pub fn program(seed: u64) -> (Program, Vec<Vec<ValueId>>) {
        let mut writer = Self {
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            program: Program::default(),
            current: NodeId(0),
            scope: Vec::new(),
            compared: Vec::new(),
            ops: 0,
        };
        let value = writer.value(Derivation::Root);
        writer.program.arenas.push(Arena {
            value,
            slices: Vec::new(),
        });
        writer.node();
        writer.step(Action::Allocate {
            arena: ArenaId(0),
            value,
        });
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
        let here = self.program.actions.len();
        self.program.nodes[node.index()].actions = here..here;
    }

    fn step(&mut self, action: Action) {
        let op = OpId(self.ops);
        self.ops += 1;
        self.program.actions.push(OpAction { op, action });
        self.program.nodes[self.current.index()].actions.end = self.program.actions.len();
    }

    fn edge(&mut self, from: NodeId, to: NodeId, binds: Vec<(ValueId, ValueId)>) {
        self.program.nodes[from.index()]
            .edges
            .push(Edge { to, binds });
    }

    fn value(&mut self, derivation: Derivation) -> ValueId {
        self.program.values.push(derivation);
        ValueId(self.program.values.len() as u32 - 1)
    }

    fn visible(&mut self) -> ValueId {
        let scope = std::mem::take(&mut self.scope);
        // Recent values are more likely.
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
            let count = if rotating {
                2 + self.random.below(2)
            } else {
                1
            };
            let mut start = self.random.below(8) as u64;
            let mut slots = Vec::new();
            for _ in 0..count {
                slots.push(start..start + size);
                start += size + self.random.below(2) as u64;
            }
            self.slice(slots)
        };
        let slots = self.program.slices[slice.index()].slots.len();
        let spared = (slots > 1).then(|| (1..slots).map(|_| self.visible()).collect());
        self.born(slice, spared);
    }

    fn slice(&mut self, slots: Vec<Range<u64>>) -> SliceId {
        let id = SliceId(self.program.slices.len() as u32);
        self.program.arenas[0].slices.push(id);
        self.program.slices.push(Slice {
            arena: ArenaId(0),
            buffer: BufferName::Number(i64::from(id.0)),
            slots,
            places: Default::default(),
        });
        id
    }

    fn born(&mut self, slice: SliceId, spared: Option<Vec<ValueId>>) -> ValueId {
        let choice = spared.map(|spared| {
            self.compared.push(spared.clone());
            self.program.choices.push(spared);
            ChoiceId(self.compared.len() as u32 - 1)
        });
        let result = self.value(Derivation::Root);
        self.step(Action::Birth {
            slice,
            arena: ValueId(0),
            result,
            choice,
        });
        self.scope.push(result);
        result
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
                    let both = [self.visible(), self.visible()];
                    let writes = Values::from_slice(&both[self.random.below(2)..]);
                    let mut elements = Elements::default();
                    if self.random.below(3) == 0 {
                        // Correct only for slices of this size.
                        let bytes = 1 + self.random.below(5) as u64;
                        elements.overwritten.push((writes[0], bytes));
                    }
                    self.step(Action::Access {
                        reads: Values::new(),
                        writes,
                        elements,
                    });
                }
                7 if self.random.below(6) == 0 => {
                    let value = self.visible();
                    let both = [value];
                    let (reads, writes) = (Values::from_slice(&both), Values::from_slice(&both));
                    self.step(Action::access(reads, writes));
                    self.step(Action::Donate {
                        value,
                        others: Values::new(),
                        is_lost: true,
                    });
                }
                7 | 8 => {
                    let reads = Values::from_slice(&[self.visible()]);
                    let writes = Values::new();
                    self.step(Action::access(reads, writes));
                }
                9 if self.random.below(6) == 0 => {
                    let (arena, value) = (ArenaId(0), ValueId(0));
                    self.step(Action::Free { arena, value });
                }
                9 => {
                    let (read, written) = (self.visible(), self.visible());
                    let mut elements = Elements::default();
                    if self.random.below(2) == 0 {
                        let bytes = 1 + self.random.below(5) as u64;
                        elements.in_step.push((read, written, bytes));
                    }
                    self.step(Action::Access {
                        reads: Values::from_slice(&[read]),
                        writes: Values::from_slice(&[written]),
                        elements,
                    });
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
            let either = [self.visible(), self.visible()];
            let given = &either[self.random.below(2)..];
            self.scope.truncate(visible);
            let binds = given.iter().map(|given| (*given, result)).collect();
            self.edge(self.current, after, binds);
        }
        self.start(after);
        self.scope.push(result);
    }

    /// A birth in a loop, while one of the loop-carried values is still needed.
    fn rotation(&mut self, carried: [ValueId; 2]) -> ValueId {
        let (a, b) = (self.random.pick(&carried), self.random.pick(&carried));
        let either = self.value(Derivation::Select(a, b));
        let sources = Values::from_slice(&[a, b]);
        self.step(Action::Alias {
            result: either,
            sources,
        });
        let start = self.random.below(8) as u64;
        let size = 1 + self.random.below(4) as u64;
        let spared = if self.random.below(2) == 0 {
            vec![self.random.pick(&carried)]
        } else {
            carried.to_vec()
        };
        let starts = (0..=spared.len() as u64).map(|slot| start + slot * size);
        let slice = self.slice(starts.map(|start| start..start + size).collect());
        let born = self.born(slice, Some(spared));
        let (reads, writes) = (Values::new(), Values::from_slice(&[born]));
        self.step(Action::access(reads, writes));
        let (reads, writes) = (Values::from_slice(&[either]), Values::new());
        self.step(Action::access(reads, writes));
        born
    }

    /// A loop that carries two values, either of which may become the other.
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
        let born = (self.random.below(2) == 0).then(|| self.rotation(carried));
        self.statements(depth);
        let given = match born {
            Some(born) if self.random.below(3) > 0 => [born, carried[0]],
            _ => [self.visible(), self.visible()],
        };
        self.scope.truncate(visible);
        let mut binds = to(carried, given);
        if self.random.below(2) == 0 {
            binds.push((carried[1], carried[0]));
        }
        self.edge(self.current, head, binds);
        self.edge(self.current, after, to(results, given));
        self.start(after);
        self.scope.extend(results);
    }
}
