//! Live ranges by dataflow over blocks and regions, one value at a time.
//!
//! A value is described by its events: its definition (a birth), its touches and its overwrites. It is
//! live at a point if two conditions hold. A touch is reachable from the point without passing the
//! definition or an overwrite. And the point is reached by the definition or, for a fresh allocation, by
//! an earlier touch: memory that nothing has touched yet has no contents. A value is also live at the
//! position of a touch or an overwrite.
//!
//! Only blocks between the events are visited. A node is one item of its block: its blocks are solved
//! once for their effect on the enclosing block (backward: `generates`, `passes`), and once more, from
//! the outside in, to emit ranges. A range of operations without events takes one step. As a definition
//! dominates its touches, the cost is in the number of events and of blocks in which the value is live,
//! not in the size of the function.

use crate::program::{BlockId, NodeId, Program, ScopeId, Successor};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub use crate::ranges::{Position, Ranges, contains, union};

/// An event of a value, at a position or over an inclusive span of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The block, in the scope of the value.
    pub block: BlockId,
    /// First position.
    pub first: Position,
    /// Last position.
    pub last: Position,
    /// Kind of event.
    pub kind: EventKind,
}

/// Kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The definition: earlier instances are dead.
    Birth,
    /// A read or write.
    Touch,
    /// A write of all elements: the earlier contents are dead.
    Overwrite,
}

/// Event from which on a value can be live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The first touch.
    FirstTouch,
    /// The birth.
    Birth,
}

/// Item of a block: an event, or a node with events inside.
#[derive(Clone, Copy, Debug)]
enum Item {
    Event(Event),
    Node(NodeId, Position, Position),
}

impl Item {
    const fn first(&self) -> Position {
        match self {
            Self::Event(event) => event.first,
            Self::Node(_, first, _) => *first,
        }
    }

    const fn last(&self) -> Position {
        match self {
            Self::Event(event) => event.last,
            Self::Node(_, _, last) => *last,
        }
    }
}

/// Transfer function. Backward: live before = generates or (passes and live after).
#[derive(Clone, Copy, Debug)]
struct Transfer {
    generates: bool,
    passes: bool,
}

impl Transfer {
    const IDENTITY: Self = Self {
        generates: false,
        passes: true,
    };

    const fn apply(self, after: bool) -> bool {
        self.generates || (self.passes && after)
    }

    /// Composition: this one first, then `next`.
    const fn then(self, next: Self) -> Self {
        Self {
            generates: next.generates || (next.passes && self.generates),
            passes: self.passes && next.passes,
        }
    }
}

/// Computes live ranges of the values of one function. Reuses its scratch memory.
pub struct Solver<'p> {
    program: &'p Program,
    items: FxHashMap<BlockId, SmallVec<[Item; 4]>>,
    /// For each block, the last value with items there: a fast check, as most blocks have none.
    marks: Vec<u32>,
    entity: u32,
    /// For each block, its index in the states of its node.
    places: Vec<u32>,
    /// States for reuse.
    spare: Vec<States>,
    nodes: FxHashMap<NodeId, (Transfer, Transfer)>,
    involved: FxHashMap<NodeId, SmallVec<[BlockId; 4]>>,
    since: Since,
}

/// State of a block at its start and end.
#[derive(Clone, Copy, Default, Debug)]
struct Ends {
    live_in: bool,
    live_out: bool,
    reached_in: bool,
}

/// States of the blocks of one node in which the value is live or has items. `Solver::places` maps blocks to
/// indices, for one set of states of a node at a time.
type States = Vec<(BlockId, Ends)>;

/// Index of a block in states.
fn place_of(states: &States, places: &[u32], block: BlockId) -> Option<usize> {
    let place = places[block.index()] as usize;
    (states.get(place)?.0 == block).then_some(place)
}

impl<'p> Solver<'p> {
    /// A solver for a function.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            items: FxHashMap::default(),
            marks: vec![0; program.blocks.len()],
            entity: 0,
            places: vec![0; program.blocks.len()],
            spare: Vec::new(),
            nodes: FxHashMap::default(),
            involved: FxHashMap::default(),
            since: Since::FirstTouch,
        }
    }

    /// Live ranges of a value of `scope`. All events are in blocks of that scope.
    pub fn ranges(&mut self, scope: ScopeId, events: &[Event], since: Since) -> Ranges {
        if let Some(ranges) = self.straight(events, since) {
            return ranges;
        }
        self.items.clear();
        self.entity = match self.entity.checked_add(1) {
            Some(next) => next,
            None => {
                self.marks.fill(0);
                1
            }
        };
        self.nodes.clear();
        self.involved.clear();
        self.since = since;
        for event in events {
            self.place(event.block, Item::Event(*event));
        }
        for items in self.items.values_mut() {
            // Of two items with the same first position, the shorter one comes first.
            items.sort_by_key(|item| (item.first(), item.last()));
        }
        let root = self.program.scopes[scope.index()].body;
        let mut ranges = Vec::new();
        self.emit_node(root, false, false, &mut ranges);
        union(ranges)
    }

    /// The common case: all events in one block, birth first, and no overwrite after the first touch. `None`
    /// otherwise.
    fn straight(&self, events: &[Event], since: Since) -> Option<Ranges> {
        let first = events.first()?;
        let [birth, touches @ ..] = events else {
            return None;
        };
        if birth.kind != EventKind::Birth
            || touches
                .iter()
                .any(|event| event.block != first.block || event.kind == EventKind::Birth)
            || touches
                .iter()
                .skip(usize::from(since == Since::FirstTouch))
                .any(|event| event.kind == EventKind::Overwrite)
            || touches.iter().any(|event| event.first < birth.first)
        {
            return None;
        }
        let mut ranges = Ranges::new();
        let last = touches.iter().map(|event| event.last).max();
        let touched = touches.iter().map(|event| event.first).min();
        let start = match since {
            Since::FirstTouch => touched,
            Since::Birth => touched.map(|touched| touched.min(birth.last + 1)),
        };
        if let (Some(start), Some(last)) = (start, last) {
            ranges.push((start, last + 1));
        }
        Some(ranges)
    }

    /// Adds an item to its block, and the enclosing nodes to theirs.
    fn place(&mut self, mut block: BlockId, mut item: Item) {
        loop {
            self.marks[block.index()] = self.entity;
            let items = self.items.entry(block).or_default();
            let new_block = items.is_empty();
            items.push(item);
            if !new_block {
                return;
            }
            let node = self.program.blocks[block.index()].node;
            let blocks = self.involved.entry(node).or_default();
            let new_node = blocks.is_empty();
            blocks.push(block);
            let fact = &self.program.nodes[node.index()];
            match fact.parent {
                Some(parent) if new_node => {
                    item = Item::Node(node, fact.start, fact.end);
                    block = parent;
                }
                _ => return,
            }
        }
    }

    fn items_of(&self, block: BlockId) -> Option<&SmallVec<[Item; 4]>> {
        if self.marks[block.index()] != self.entity {
            return None;
        }
        self.items.get(&block)
    }

    fn item_backward(&mut self, item: Item) -> Transfer {
        match item {
            Item::Event(event) => Transfer {
                generates: event.kind == EventKind::Touch,
                passes: false,
            },
            Item::Node(node, ..) => self.node_transfers(node).0,
        }
    }

    /// Forward: reached after = generates or (passes and reached before).
    fn item_forward(&mut self, item: Item) -> Transfer {
        match item {
            Item::Event(event) => Transfer {
                generates: match event.kind {
                    EventKind::Birth => self.since == Since::Birth,
                    EventKind::Touch => self.since == Since::FirstTouch,
                    EventKind::Overwrite => true,
                },
                passes: event.kind != EventKind::Birth,
            },
            Item::Node(node, ..) => self.node_transfers(node).1,
        }
    }

    fn block_transfer(&mut self, block: BlockId, backward: bool) -> Transfer {
        let Some(mut items) = self.items_of(block).cloned() else {
            return Transfer::IDENTITY;
        };
        if backward {
            items.reverse();
        }
        items.into_iter().fold(Transfer::IDENTITY, |before, item| {
            let next = if backward {
                self.item_backward(item)
            } else {
                self.item_forward(item)
            };
            before.then(next)
        })
    }

    /// Transfer functions of a node: of liveness (backward) and of reaching events (forward).
    fn node_transfers(&mut self, node: NodeId) -> (Transfer, Transfer) {
        if let Some(found) = self.nodes.get(&node) {
            return *found;
        }
        let program = self.program;
        let fact = &program.nodes[node.index()];
        let backward = Transfer {
            generates: self.live_at_entry(node, false),
            passes: fact.passes || self.live_at_entry(node, true),
        };
        let forward = Transfer {
            generates: self.forward_exits(node, false),
            passes: fact.passes || self.forward_exits(node, true),
        };
        self.nodes.insert(node, (backward, forward));
        (backward, forward)
    }

    /// Whether the value is live at an entry of the node.
    fn live_at_entry(&mut self, node: NodeId, live_after: bool) -> bool {
        let states = self.backward(node, live_after);
        let mut entries = self.program.nodes[node.index()].entries.iter();
        let live = entries.any(|block| {
            place_of(&states, &self.places, *block).is_some_and(|place| states[place].1.live_in)
        });
        self.spare.push(states);
        live
    }

    /// Liveness at the starts and ends of the blocks of a node.
    fn backward(&mut self, node: NodeId, live_after: bool) -> States {
        let program = self.program;
        let mut states = self.spare.pop().unwrap_or_default();
        states.clear();
        let mut work: Vec<(BlockId, bool)> = Vec::new();
        for block in self.involved.get(&node).cloned().unwrap_or_default() {
            work.push((block, false));
        }
        if live_after {
            let blocks = &program.nodes[node.index()].blocks;
            work.extend(blocks.iter().filter_map(|block| {
                let exits = program.blocks[block.index()]
                    .successors
                    .contains(&Successor::Exit);
                exits.then_some((*block, true))
            }));
        }
        while let Some((block, live_out)) = work.pop() {
            let place = place_of(&states, &self.places, block);
            let old = place.map(|place| states[place].1);
            let mut new = old.unwrap_or_default();
            new.live_out |= live_out;
            if old.is_some_and(|old| old.live_out == new.live_out) {
                continue;
            }
            // Inner nodes have other blocks, and so other places.
            new.live_in = self.block_transfer(block, true).apply(new.live_out);
            match place {
                Some(place) => states[place].1 = new,
                None => {
                    self.places[block.index()] = states.len() as u32;
                    states.push((block, new));
                }
            }
            if new.live_in && !old.is_some_and(|old| old.live_in) {
                for predecessor in &program.blocks[block.index()].predecessors {
                    work.push((*predecessor, true));
                }
            }
        }
        states
    }

    /// Whether a birth or touch reaches the exit of a node.
    fn forward_exits(&mut self, node: NodeId, reached_before: bool) -> bool {
        let program = self.program;
        let fact = &program.nodes[node.index()];
        let mut seen: FxHashSet<(BlockId, bool)> = FxHashSet::default();
        let mut work: Vec<(BlockId, bool)> = Vec::new();
        if reached_before {
            work.extend(fact.entries.iter().map(|block| (*block, true)));
        }
        for block in self.involved.get(&node).cloned().unwrap_or_default() {
            work.push((block, false));
        }
        while let Some((block, reached)) = work.pop() {
            if !seen.insert((block, reached)) {
                continue;
            }
            if !self.block_transfer(block, false).apply(reached) {
                continue;
            }
            for successor in &program.blocks[block.index()].successors {
                match successor {
                    Successor::Exit => return true,
                    Successor::Block(next) => work.push((*next, true)),
                }
            }
        }
        false
    }

    /// Emits the ranges inside a node, given the state at its two ends.
    fn emit_node(
        &mut self,
        node: NodeId,
        live_after: bool,
        reached_before: bool,
        ranges: &mut Vec<(Position, Position)>,
    ) {
        let program = self.program;
        let fact = &program.nodes[node.index()];
        // First, as it may overwrite the places.
        let reached_after = match fact.parent {
            Some(_) => self.node_transfers(node).1.apply(reached_before),
            None => false,
        };
        let mut states = self.backward(node, live_after);

        // Forward, into live blocks only: elsewhere nothing is emitted.
        let mut work: Vec<BlockId> = Vec::new();
        let reach = |states: &mut States, places: &[u32], work: &mut Vec<BlockId>, block| {
            if let Some(place) = place_of(states, places, block)
                && states[place].1.live_in
                && !states[place].1.reached_in
            {
                states[place].1.reached_in = true;
                work.push(block);
            }
        };
        let involved = self.involved.get(&node).cloned().unwrap_or_default();
        work.extend(involved.iter().copied());
        if reached_before {
            for block in &fact.entries {
                reach(&mut states, &self.places, &mut work, *block);
            }
        }
        while let Some(block) = work.pop() {
            let place = place_of(&states, &self.places, block);
            let state = place.map(|place| states[place].1).unwrap_or_default();
            if !state.live_out || !self.block_transfer(block, false).apply(state.reached_in) {
                continue;
            }
            for successor in &program.blocks[block.index()].successors {
                if let Successor::Block(next) = successor {
                    reach(&mut states, &self.places, &mut work, *next);
                }
            }
        }

        if fact.parent.is_some() {
            let enters = fact.entries.iter().any(|block| {
                place_of(&states, &self.places, *block)
                    .is_some_and(|place| states[place].1.live_in && states[place].1.reached_in)
            });
            if enters || (fact.passes && live_after && reached_before) {
                ranges.push((fact.start, fact.start + 1));
            }
            if live_after && reached_after {
                ranges.push((fact.end, fact.end + 1));
            }
        }
        // The places are not asked any more.
        states.sort_by_key(|(block, _)| *block);
        for (block, state) in &states {
            self.emit_block(*block, *state, ranges);
        }
        self.spare.push(states);
    }

    fn emit_block(&mut self, block: BlockId, state: Ends, ranges: &mut Vec<(Position, Position)>) {
        let program = self.program;
        let fact = &program.blocks[block.index()];
        let Some(items) = self.items_of(block).cloned() else {
            if state.live_out && state.reached_in {
                // Blocks that follow each other in the text are one range, however many.
                match ranges.last_mut() {
                    Some(last) if last.1 == fact.first => last.1 = fact.end,
                    _ => ranges.push((fact.first, fact.end)),
                }
            }
            return;
        };
        // Backward: is it live before each item?
        let mut live = state.live_out;
        let mut live_after: SmallVec<[bool; 8]> = SmallVec::new();
        for item in items.iter().rev() {
            live_after.push(live);
            live = self.item_backward(*item).apply(live);
        }
        live_after.reverse();

        // Forward: emit what is live and reached.
        let mut reached = state.reached_in;
        let mut from = fact.first;
        for (item, live_after) in items.iter().zip(live_after) {
            let live_before = self.item_backward(*item).apply(live_after);
            if live_before && reached && from < item.first() {
                ranges.push((from, item.first()));
            }
            match item {
                Item::Event(event) => {
                    if event.kind != EventKind::Birth {
                        ranges.push((event.first, event.last + 1));
                    }
                }
                Item::Node(node, ..) => self.emit_node(*node, live_after, reached, ranges),
            }
            reached = self.item_forward(*item).apply(reached);
            from = from.max(item.last() + 1);
        }
        if state.live_out && reached && from < fact.end {
            ranges.push((from, fact.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_joins_ranges_that_overlap_or_touch() {
        let ranges = union(vec![(7, 9), (0, 2), (2, 3), (8, 12), (20, 21)]);
        assert_eq!(ranges.as_slice(), [(0, 3), (7, 12), (20, 21)]);
    }

    #[test]
    fn contains_takes_the_start_and_not_the_end() {
        let ranges = union(vec![(2, 4), (6, 7)]);
        let inside: Vec<Position> = (0..9).filter(|at| contains(&ranges, *at)).collect();
        assert_eq!(inside, [2, 3, 6]);
    }

    #[test]
    fn what_is_never_touched_is_never_live() {
        let program = Program::default();
        let birth = Event {
            block: BlockId(0),
            first: 1,
            last: 1,
            kind: EventKind::Birth,
        };
        let mut solver = Solver::new(&program);
        for since in [Since::FirstTouch, Since::Birth] {
            assert!(solver.ranges(ScopeId(0), &[birth], since).is_empty());
        }
    }
}
