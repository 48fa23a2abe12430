//! How many bytes arenas may hold at each moment.
//!
//! The same program with each buffer freed after its last use holds, on a path through the function, at most the largest
//! load of that path. Arenas may hold as much: at a moment, the least over all paths through it of the largest load of
//! the path. A branch that allocates much raises the limit inside of it alone, and so does a loop that may not run. While a callee
//! runs, arenas hold what is needed then, and no more. So it is beside another allocation of unknown size, unless each path
//! certainly holds that beside a larger load: then the arenas may hold as much wherever it is held.

use super::{assign::Moments, beside::Beside};
use crate::merge_alloc::block_tree::{BlockTree, Place, graph};
use memplan_flow::{Components, Graph};
use memplan_lifetimes::program::{BlockId, NodeId, Position, ScopeId, Successor};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Memory that is allocated at a position.
#[derive(Clone, Debug)]
pub struct Needed {
    /// The block of the allocation.
    pub block: BlockId,
    /// The position of the allocation.
    pub first: Position,
    /// The positions at which it is needed, half-open, sorted and disjoint.
    pub live: Vec<(Position, Position)>,
    /// Bytes.
    pub bytes: u64,
    /// Bytes that each separate allocation may take besides.
    pub padding: u64,
}

/// An allocation beside the arenas whose size is not known, and which a scope executes at most once.
pub struct Unsized {
    /// Where it is certainly held, where each buffer is freed after its last use. Its bytes do not count.
    pub certain: Needed,
    /// The first position at which it may be held.
    pub first: Position,
    /// The first position at which it is certainly not held any more.
    pub end: Position,
}

/// Moments of a scope: between two of them nothing changes.
pub struct Timeline {
    /// The first position of each moment, and the end of the last one.
    positions: Vec<Position>,
}

impl Timeline {
    /// The moments of a scope, which change at these positions and where blocks begin and end.
    pub fn new(
        tree: &BlockTree<'_>,
        scope: ScopeId,
        positions: impl IntoIterator<Item = Position>,
    ) -> Self {
        let mut all: Vec<Position> = positions.into_iter().collect();
        for node in nodes(tree, scope) {
            let fact = &tree.program.nodes[node.index()];
            all.extend([fact.start, fact.end + 1]);
            for block in &fact.blocks {
                let fact = &tree.program.blocks[block.index()];
                all.extend([fact.first, fact.end]);
            }
        }
        Self::of(all)
    }

    /// The moments that change at these positions.
    pub fn of(mut positions: Vec<Position>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        Self { positions }
    }

    /// The number of moments.
    pub fn len(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }

    /// The moments from one position to another, which is not included.
    pub fn moments(&self, first: Position, end: Position) -> Moments {
        let at = |position: Position| self.positions.partition_point(|other| *other < position);
        let start = self.positions.partition_point(|other| *other <= first);
        (start.saturating_sub(1), at(end).min(self.len()))
    }

    /// The positions of moments, both included.
    pub fn positions(&self, moments: Moments) -> (Position, Position) {
        (self.positions[moments.0], self.positions[moments.1] - 1)
    }
}

/// The nodes of a scope, outer ones first.
fn nodes(tree: &BlockTree<'_>, scope: ScopeId) -> Vec<NodeId> {
    let program = tree.program;
    let mut all = vec![program.scopes[scope.index()].body];
    let mut next = 0;
    while let Some(node) = all.get(next).copied() {
        next += 1;
        for block in &program.nodes[node.index()].blocks {
            let inside = tree.inside.get(block).into_iter().flatten();
            all.extend(inside.filter(|node| program.nodes[node.index()].scope == scope));
        }
    }
    all
}

/// For each moment, the bytes that may be held where each buffer is freed after its last use. The buffers of a group are
/// in one place: one of them is needed at a time, or two while one takes over from the other.
pub fn limits(
    tree: &BlockTree<'_>,
    scope: ScopeId,
    timeline: &Timeline,
    groups: &[Vec<Needed>],
    of_unknown_size: &[Unsized],
    beside: &[Beside],
) -> Vec<u64> {
    let paths = Paths::of(tree, scope, timeline);
    let load = load(tree, timeline, &paths.inner, groups);
    let mut limits = paths.largest(&load);
    if !of_unknown_size.is_empty() {
        paths.beside(of_unknown_size, &load, &mut limits);
    }
    for other in beside {
        let (first, end) = timeline.moments(other.first, other.end);
        for moment in first..end {
            let left = limits[moment].saturating_sub(other.bytes);
            limits[moment] = left.max(load[moment]);
        }
    }
    limits
}

/// The most allocations of unknown size, and sets of them, for which paths are looked at: each takes as long as all
/// moments.
const MOST_UNSIZED: usize = 16;

/// The paths through a scope.
struct Paths<'p> {
    tree: &'p BlockTree<'p>,
    timeline: &'p Timeline,
    nodes: Vec<NodeId>,
    /// The innermost block of each moment.
    inner: Vec<Option<BlockId>>,
}

impl<'p> Paths<'p> {
    fn of(tree: &'p BlockTree<'p>, scope: ScopeId, timeline: &'p Timeline) -> Self {
        let nodes = nodes(tree, scope);
        // Inner blocks come later.
        let mut inner = vec![None; timeline.len()];
        for node in &nodes {
            for block in &tree.program.nodes[node.index()].blocks {
                let fact = &tree.program.blocks[block.index()];
                let (first, end) = timeline.moments(fact.first, fact.end);
                inner[first..end].fill(Some(*block));
            }
        }
        Self {
            tree,
            timeline,
            nodes,
            inner,
        }
    }

    /// At each moment, the least over all paths through it of the largest load of the path.
    fn largest(&self, load: &[u64]) -> Vec<u64> {
        let program = self.tree.program;
        let mut most: FxHashMap<BlockId, u64> = FxHashMap::default();
        for (load, block) in load.iter().zip(&self.inner) {
            if let Some(block) = block {
                let most = most.entry(*block).or_default();
                *most = (*most).max(*load);
            }
        }
        let mut flows: Vec<Flow> = Vec::with_capacity(self.nodes.len());
        for node in self.nodes.iter().rev() {
            let flow = Flow::of(self.tree, *node, &most);
            if let Some(parent) = program.nodes[node.index()].parent {
                let most = most.entry(parent).or_default();
                *most = (*most).max(flow.least);
            }
            flows.push(flow);
        }
        let mut through: FxHashMap<BlockId, u64> = FxHashMap::default();
        for (node, flow) in self.nodes.iter().zip(flows.iter().rev()) {
            let fact = &program.nodes[node.index()];
            let around = fact.parent.map_or(0, |parent| through[&parent]);
            for (block, own) in fact.blocks.iter().zip(&flow.through) {
                through.insert(*block, around.max(*own));
            }
        }
        let limit = |block: &Option<BlockId>| block.map_or(u64::MAX, |block| through[&block]);
        self.inner.iter().map(limit).collect()
    }

    /// Lowers limits where allocations of unknown size may be held: there the load of a path counts only where all of them
    /// are certainly held.
    fn beside(&self, others: &[Unsized], load: &[u64], limits: &mut [u64]) {
        let of = |one: &Unsized| {
            let alone = [vec![one.certain.clone()]];
            self::load(self.tree, self.timeline, &self.inner, &alone)
        };
        let is_few = others.len() <= MOST_UNSIZED;
        let certain: Vec<Vec<u64>> = others.iter().filter(|_| is_few).map(of).collect();
        let ranges = others.iter();
        let ranges = ranges.map(|one| self.timeline.moments(one.first, one.end));
        let ranges: Vec<Moments> = ranges.collect();
        let mut changes: Vec<usize> = ranges.iter().flat_map(|range| [range.0, range.1]).collect();
        changes.sort_unstable();
        changes.dedup();
        let mut known: FxHashMap<Vec<usize>, Vec<u64>> = FxHashMap::default();
        for moments in changes.windows(2).map(|pair| pair[0]..pair[1]) {
            let is_held = |at: &usize| (ranges[*at].0..ranges[*at].1).contains(&moments.start);
            let held: Vec<usize> = (0..certain.len()).filter(is_held).collect();
            if is_few && held.is_empty() {
                continue;
            }
            if is_few && !known.contains_key(&held) && known.len() < MOST_UNSIZED {
                let is_beside = |moment: usize| held.iter().all(|at| certain[*at][moment] > 0);
                let loads = load.iter().enumerate();
                let loads = loads.map(|(moment, load)| load * u64::from(is_beside(moment)));
                let largest = self.largest(&loads.collect::<Vec<u64>>());
                known.insert(held.clone(), largest);
            }
            let known = known.get(&held);
            // More than a few: from the first one on, nothing is known.
            for moment in moments {
                let known = known.map_or(0, |known| known[moment]);
                limits[moment] = limits[moment].min(known).max(load[moment]);
            }
        }
    }
}

/// Whether a buffer is held at a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Always,
    OnSomePaths,
}

/// The bytes that are certainly held at each moment where each buffer is freed after its last use.
fn load(
    tree: &BlockTree<'_>,
    timeline: &Timeline,
    inner: &[Option<BlockId>],
    groups: &[Vec<Needed>],
) -> Vec<u64> {
    let mut load = vec![0_u64; timeline.len()];
    let mut executed: FxHashMap<(BlockId, BlockId), bool> = FxHashMap::default();
    let mut held: Vec<(usize, u64, Held)> = Vec::new();
    for group in groups {
        held.clear();
        for one in group {
            let bytes = one.bytes.saturating_add(one.padding);
            let mut add = |moment: usize, is_live: bool| {
                let Some(at) = inner[moment] else { return };
                let is_certain = at == one.block
                    || *executed
                        .entry((one.block, at))
                        .or_insert_with(|| tree.executes_before(one.block, at));
                if is_certain || is_live {
                    let held_as = if is_certain {
                        Held::Always
                    } else {
                        Held::OnSomePaths
                    };
                    held.push((moment, bytes, held_as));
                }
            };
            let mut last = timeline.moments(one.first, one.first + 1).0;
            if one.live.is_empty() {
                add(last, true);
            }
            for live in &one.live {
                let (first, end) = timeline.moments(live.0, live.1);
                // Between two uses it is held if the second one is certain.
                let next = inner.get(first).copied().flatten();
                let waits = next.map_or((0, 0), |block| {
                    let fact = &tree.program.blocks[block.index()];
                    timeline.moments(fact.first, fact.end)
                });
                (last.max(waits.0)..first.min(waits.1)).for_each(|moment| add(moment, false));
                (first.max(last)..end).for_each(|moment| add(moment, true));
                last = last.max(end);
            }
        }
        held.sort_unstable();
        for held in held.chunk_by(|one, other| one.0 == other.0) {
            let certain = held.iter().filter(|(.., held_as)| *held_as == Held::Always);
            let certain = certain
                .map(|(_, bytes, _)| *bytes)
                .reduce(u64::saturating_add);
            // Buffers of one place are one value if they are live at once.
            let least = held.iter().map(|(_, bytes, _)| *bytes).min();
            let one_of = least.filter(|_| held.len() > 1);
            let load = &mut load[held[0].0];
            *load = load.saturating_add(certain.or(one_of).unwrap_or(0));
        }
    }
    load
}

/// The largest loads of paths through a node.
struct Flow {
    /// The least over all paths.
    least: u64,
    /// For each block, the least over the paths through it.
    through: Vec<u64>,
}

impl Flow {
    /// `most` has the largest load that each block certainly has.
    fn of(tree: &BlockTree<'_>, node: NodeId, most: &FxHashMap<BlockId, u64>) -> Self {
        let program = tree.program;
        let fact = &program.nodes[node.index()];
        let blocks = &fact.blocks;
        let graph: Graph<Place> = graph(program, node);
        // A loop that runs counts as a whole.
        let components = tree.loops_run().then(|| Components::of(&graph));
        let index = |place: Place| match &components {
            Some(components) => components.component(place).index(),
            None => place.index(),
        };
        let count = components.as_ref().map_or(blocks.len(), Components::len);
        let mut own = vec![0_u64; count];
        let mut exits = vec![false; count];
        let mut enters = vec![false; count];
        let (mut next, mut previous) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (place, block) in graph.nodes().zip(blocks) {
            let from = index(place);
            own[from] = own[from].max(most.get(block).copied().unwrap_or(0));
            let successors = &program.blocks[block.index()].successors;
            exits[from] |= successors.is_empty() || successors.contains(&Successor::Exit);
            enters[from] |= fact.entries.contains(block);
            for to in graph.successors(place).iter().map(|to| index(*to)) {
                if to != from {
                    next[from].push(to);
                    previous[to].push(from);
                }
            }
        }
        let before = least_before(&own, &enters, &next);
        let after = least_before(&own, &exits, &previous);
        // Paths that never end, and blocks that are never reached: nothing is known to be held on them.
        let known = |bytes: u64| if bytes == u64::MAX { 0 } else { bytes };
        let whole = |place: usize| {
            own[place]
                .max(known(before[place]))
                .max(known(after[place]))
        };
        let entries = (0..count).filter(|place| enters[*place]);
        let least = entries
            .map(|place| own[place].max(known(after[place])))
            .min();
        Self {
            least: match tree.may_pass(node) && !(tree.loops_run() && fact.runs_in_loop) {
                true => 0,
                false => least.unwrap_or(0),
            },
            through: graph.nodes().map(|place| whole(index(place))).collect(),
        }
    }
}

/// For each node of a graph, the least over all paths to it of the largest load before it; `u64::MAX` if there is no path.
fn least_before(own: &[u64], starts: &[bool], next: &[Vec<usize>]) -> Vec<u64> {
    let mut least = vec![u64::MAX; own.len()];
    let mut open = BinaryHeap::new();
    for place in (0..own.len()).filter(|place| starts[*place]) {
        least[place] = 0;
        open.push(Reverse((0, place)));
    }
    while let Some(Reverse((bytes, place))) = open.pop() {
        if bytes > least[place] {
            continue;
        }
        let bytes = bytes.max(own[place]);
        for to in &next[place] {
            if bytes < least[*to] {
                least[*to] = bytes;
                open.push(Reverse((bytes, *to)));
            }
        }
    }
    least
}
