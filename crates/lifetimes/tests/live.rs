//! [`Solver`] against a naive dataflow that looks at every position of every block.
//!
//! A case is a string of choices, from which a program is built: nodes in nodes, blocks with any
//! edges between them (loops, irreducible ones, unreachable blocks), and events at some positions.

use memplan_lifetimes::{
    live::{Event, EventKind, Since, Solver},
    program::{BlockFact, BlockId, NodeFact, NodeId, Program, ScopeFact, ScopeId, Successor},
};
use proptest::{collection::vec, prelude::*};
use smallvec::SmallVec;

/// One step of a program: an operation, the arguments of a block, or the start or end of a node.
#[derive(Clone, Copy, Debug)]
struct Step {
    first: u32,
    last: u32,
    block: Option<BlockId>,
    node_start: bool,
    event: Option<EventKind>,
}

/// The steps of a node in a block: where it starts and ends, and first and last of each block.
struct NodeSteps {
    start: usize,
    end: usize,
    blocks: Vec<(usize, usize)>,
}

/// A program, and its steps with the edges between them.
#[derive(Default)]
struct Case {
    program: Program,
    steps: Vec<Step>,
    edges: Vec<(usize, usize)>,
    /// Steps that an event may be put on.
    places: Vec<usize>,
    nodes: Vec<NodeSteps>,
    position: u32,
}

/// Numbers to choose with; zeros when they run out.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % bound
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}

impl Case {
    fn step(&mut self, positions: u32, block: Option<BlockId>) -> usize {
        let first = self.position;
        self.position += positions;
        self.steps.push(Step {
            first,
            last: self.position - 1,
            block,
            node_start: false,
            event: None,
        });
        self.steps.len() - 1
    }

    /// Builds a node; returns its first and last step, which the body of a scope has none of.
    fn node(
        &mut self,
        choices: &mut Choices<'_>,
        parent: Option<BlockId>,
        depth: usize,
    ) -> Option<(usize, usize)> {
        let node = NodeId::new(self.program.nodes.len());
        let start = parent.map(|block| self.step(1, Some(block)));
        if let Some(start) = start {
            self.steps[start].node_start = true;
        }
        let count = 1 + choices.below(4);
        let base = self.program.blocks.len();
        let blocks: Vec<BlockId> = (base..base + count).map(BlockId::new).collect();
        let entries: SmallVec<[BlockId; 2]> = match parent {
            None => SmallVec::from_slice(&blocks[..1]),
            Some(_) => (0..1 + choices.below(2))
                .map(|_| blocks[choices.below(count)])
                .collect(),
        };
        let passes = parent.is_some() && choices.flip();
        self.program.nodes.push(NodeFact {
            parent,
            scope: ScopeId(0),
            start: start.map_or(self.position, |start| self.steps[start].first),
            end: 0,
            blocks: blocks.clone(),
            entries: entries.clone(),
            passes,
            runs_in_loop: false,
        });
        for _ in &blocks {
            let mut successors: SmallVec<[Successor; 2]> = SmallVec::new();
            for _ in 0..1 + choices.below(2) {
                let target = choices.below(count + 1);
                let successor = blocks
                    .get(target)
                    .map_or(Successor::Exit, |block| Successor::Block(*block));
                if !successors.contains(&successor) {
                    successors.push(successor);
                }
            }
            self.program.blocks.push(BlockFact {
                node,
                first: 0,
                end: 0,
                successors,
                predecessors: SmallVec::new(),
            });
        }
        let mut ends = Vec::new();
        for block in &blocks {
            let first = self.step(1, Some(*block));
            self.places.push(first);
            let mut last = first;
            for _ in 0..choices.below(4) {
                let (from, to) = if depth < 3 && choices.below(3) == 0 {
                    self.node(choices, Some(*block), depth + 1)
                        .expect("a node in a block has steps of its own")
                } else {
                    let positions = 1 + choices.below(5) as u32 / 4 * 2;
                    let step = self.step(positions, Some(*block));
                    self.places.push(step);
                    (step, step)
                };
                self.edges.push((last, from));
                last = to;
            }
            let fact = &mut self.program.blocks[block.index()];
            fact.first = self.steps[first].first;
            fact.end = self.position;
            ends.push((first, last));
        }
        let end = parent.map(|block| self.step(1, Some(block)));
        self.program.nodes[node.index()].end =
            end.map_or(self.position, |end| self.steps[end].first);
        for (block, (_, last)) in blocks.iter().zip(&ends) {
            for successor in self.program.blocks[block.index()].successors.clone() {
                match successor {
                    Successor::Block(target) => {
                        self.edges.push((*last, ends[target.index() - base].0));
                        let predecessors = &mut self.program.blocks[target.index()].predecessors;
                        predecessors.push(*block);
                    }
                    Successor::Exit => self.edges.extend(end.map(|end| (*last, end))),
                }
            }
        }
        let (start, end) = (start?, end?);
        for entry in entries {
            self.edges.push((start, ends[entry.index() - base].0));
        }
        if passes {
            self.edges.push((start, end));
        }
        self.nodes.push(NodeSteps {
            start,
            end,
            blocks: ends,
        });
        Some((start, end))
    }

    /// A node without events is one stretch to the solver, whatever its blocks do.
    fn flatten_nodes_without_events(&mut self) {
        for node in &self.nodes {
            if self.steps[node.start..node.end]
                .iter()
                .any(|step| step.event.is_some())
            {
                continue;
            }
            self.edges.push((node.start, node.end));
            for (first, last) in &node.blocks {
                self.edges.push((node.start, *first));
                self.edges.push((*last, node.end));
            }
        }
    }

    fn build(choices: &mut Choices<'_>) -> Self {
        let mut case = Self::default();
        case.program.scopes.push(ScopeFact {
            body: NodeId(0),
            outer: None,
        });
        case.node(choices, None, 0);
        case.program.end = case.position;
        let birth = case.places[choices.below(case.places.len())];
        case.steps[birth].event = Some(EventKind::Birth);
        for _ in 0..choices.below(5) {
            let touch = case.places[choices.below(case.places.len())];
            let kind = match choices.below(2) {
                0 => EventKind::Touch,
                _ => EventKind::Overwrite,
            };
            case.steps[touch].event.get_or_insert(kind);
        }
        case.flatten_nodes_without_events();
        case
    }

    /// The birth first, as the solver is called, then touches in the order of the text.
    fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self
            .steps
            .iter()
            .filter_map(|step| {
                Some(Event {
                    block: step.block?,
                    first: step.first,
                    last: step.last,
                    kind: step.event?,
                })
            })
            .collect();
        events.sort_by_key(|event| (event.kind != EventKind::Birth, event.first));
        events
    }

    /// Live at each step: needed later, and there since.
    fn naive(&self, since: Since) -> Vec<bool> {
        let count = self.steps.len();
        let (mut needed, mut needed_after) = (vec![false; count], vec![false; count]);
        let (mut there, mut there_before) = (vec![false; count], vec![false; count]);
        loop {
            let old = (needed.clone(), there.clone());
            for (index, step) in self.steps.iter().enumerate() {
                needed[index] = match step.event {
                    Some(EventKind::Touch) => true,
                    Some(EventKind::Birth | EventKind::Overwrite) => false,
                    None => needed_after[index],
                };
                there[index] = match (step.event, since) {
                    (Some(EventKind::Birth), _) => since == Since::Birth,
                    (Some(EventKind::Overwrite), _) | (Some(_), Since::FirstTouch) => true,
                    (Some(_), Since::Birth) | (None, _) => there_before[index],
                };
            }
            for (from, to) in &self.edges {
                needed_after[*from] |= needed[*to];
                there_before[*to] |= there[*from];
            }
            if old == (needed.clone(), there.clone()) {
                return (0..count)
                    .map(|index| match self.steps[index].event {
                        Some(EventKind::Touch | EventKind::Overwrite) => true,
                        Some(EventKind::Birth) => false,
                        None => needed[index] && there_before[index],
                    })
                    .collect();
            }
        }
    }
}

fn check(choices: &[u8]) {
    let case = Case::build(&mut Choices(choices.iter()));
    let mut solver = Solver::new(&case.program);
    for since in [Since::FirstTouch, Since::Birth] {
        let ranges = solver.ranges(ScopeId(0), &case.events(), since);
        assert!(
            ranges.windows(2).all(|pair| pair[0].1 < pair[1].0),
            "sorted, disjoint and not adjacent: {ranges:?}"
        );
        let naive = case.naive(since);
        for (step, live) in case.steps.iter().zip(naive) {
            for position in step.first..=step.last {
                let found = ranges
                    .iter()
                    .any(|(first, end)| (*first..*end).contains(&position));
                // Where a node starts, what is live around its loop alone may count as live.
                let more = step.node_start && found;
                assert!(
                    found == live || more,
                    "position {position} with {since:?}: found {found}, is {live}\n{ranges:?}\n{:?}\n{:?}",
                    case.events(),
                    case.program,
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_are_those_of_a_dataflow_over_every_position(choices in vec(any::<u8>(), 0..160)) {
        check(&choices);
    }
}
