//! The search for chains: a path through the block whose steps all hold few bytes.
//!
//! A step is one node with its load, or a chain with its bytes. For a limit there is a path or there is none, and a cheapest
//! one: the fewest bytes copied, then strips. The limit is halved as long as there is one.

use crate::{
    chain::Spread,
    cost::{Cost, Layout},
    frontiers::{Frontiers, ceiling},
    in_place::{self, Pairs},
    load::{Load, live_through},
    program::{BufferId, Node, NodeId, Origin, Program},
    refusal::Refusal,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{collections::BTreeMap, ops::Range, rc::Rc};

/// Limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most nodes of a chain.
    pub nodes: usize,
    /// Most strips of an outer dimension; 1 for chains of one dimension.
    pub outer_strips: i64,
    /// Most bytes that a chain copies between strips, in percent of those that its nodes write.
    pub copied_percent: u64,
    /// Most layouts that are computed.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 260,
            outer_strips: 30,
            copied_percent: 100,
            steps: 200_000,
        }
    }
}

/// How one dimension of a chain is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The loop of the seed.
    pub number: u32,
    /// Rows in a strip of the smallest result.
    pub height: i64,
    /// How many fewer the first strip has.
    pub phase: i64,
}

/// A chain that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its nodes.
    pub nodes: Range<usize>,
    /// The node in whose loops it is split.
    pub seed: NodeId,
    /// The dimensions, the innermost first.
    pub splits: SmallVec<[Split; 2]>,
    /// Number of its operations.
    pub operations: usize,
    /// Bytes that are held, with what is live before or after it.
    pub bytes: u64,
    /// What it costs.
    pub cost: Cost,
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The most bytes that are held.
    pub peak: u64,
    /// The chains, in order.
    pub chains: Vec<Chosen>,
}

/// Most ranges of a block that may be chains.
const MOST_RANGES: usize = 300_000;

/// The part of the peak that the first limit is.
const FIRST: u64 = 128;

/// Searches for chains of a block.
pub struct Search<'p> {
    program: &'p Program,
    limits: Limits,
    pairs: Pairs,
    load: Load,
    /// Positions between nodes where the set of live buffers changes.
    cuts: Vec<usize>,
    edges: FxHashMap<(usize, usize), Edge>,
    /// For the end of a range, its seed and a loop, a start at which and before which there is no chain.
    refused: FxHashMap<(usize, NodeId, u32), (usize, Refusal)>,
    steps: u64,
    /// Why ranges are no chains, with how many.
    pub refusals: BTreeMap<Refusal, u64>,
}

/// What is live before or after a range of nodes, and in it.
struct Around {
    live: Vec<BufferId>,
    /// Its bytes.
    through: u64,
}

/// A range of nodes that may be a chain.
struct Edge {
    around: Around,
    /// Bytes that are live before or after it, at least, where results take the bytes of what dies.
    least: u64,
    /// Dimensions along which it may be split; `None` if not known yet.
    lines: Option<Vec<Line>>,
    /// Chains that were computed.
    variants: Vec<Chosen>,
}

/// A dimension of a chain, with what is not tried yet.
struct Line {
    spread: Rc<Spread>,
    heights: Vec<i64>,
    next: usize,
    /// Bytes of the last one that was tried.
    last: u64,
    /// Outer dimensions for the lowest heights.
    outer: Option<Vec<Outer>>,
}

/// An outer dimension of a chain.
struct Outer {
    spread: Rc<Spread>,
    inner: Frontiers,
    /// Heights and phases, narrowest first.
    options: Vec<(i64, i64)>,
    next: usize,
    last: u64,
}

impl<'p> Search<'p> {
    /// A search in a block. In long ones, chains are shorter.
    pub fn new(program: &'p Program, mut limits: Limits) -> Self {
        let most = MOST_RANGES / program.nodes.len().max(1);
        limits.nodes = limits.nodes.min(most.max(2));
        let pairs = Pairs::of(program);
        Self {
            load: Load::of(program, &pairs),
            pairs,
            cuts: cuts(program),
            program,
            limits,
            edges: FxHashMap::default(),
            refused: FxHashMap::default(),
            steps: 0,
            refusals: BTreeMap::new(),
        }
    }

    /// Layouts that were computed.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The bytes of the block without strips.
    pub fn unsplit(&self) -> u64 {
        self.load.at.iter().copied().max().unwrap_or(0)
    }

    /// The chains with the least peak, and the cheapest of these; none if they do not hold less than `below`.
    pub fn run(&mut self, below: u64) -> Found {
        let mut best = Found {
            peak: self.unsplit().min(below),
            chains: Vec::new(),
        };
        // No path holds as little. Low limits are tried first: few ranges hold so little, so that they cost less.
        let mut least = 0;
        let mut limit = best.peak / FIRST;
        while best.peak - least > (best.peak / 200).max(1) && self.steps < self.limits.steps {
            limit = limit.clamp(least + 1, best.peak - 1);
            match self.path(limit) {
                None => {
                    least = limit;
                    limit = limit.saturating_mul(2);
                    if !best.chains.is_empty() || limit >= best.peak {
                        limit = least.midpoint(best.peak);
                    }
                }
                Some(chains) => {
                    let peak = self.peak(&chains);
                    best = Found { peak, chains };
                    limit = least.midpoint(best.peak);
                }
            }
        }
        best
    }

    /// The bytes of the block with these chains.
    fn peak(&self, chains: &[Chosen]) -> u64 {
        let in_chain = |at: &usize| chains.iter().any(|chain| chain.nodes.contains(at));
        let others = (0..self.program.nodes.len()).filter(|at| !in_chain(at));
        let others = others.map(|at| self.load.at[at]);
        chains
            .iter()
            .map(|chain| chain.bytes)
            .chain(others)
            .max()
            .unwrap_or(0)
    }

    /// The cheapest chains with which nothing holds more than `limit`.
    fn path(&mut self, limit: u64) -> Option<Vec<Chosen>> {
        let count = self.program.nodes.len();
        // The next node, from each one on, that holds more.
        let mut next_hot = vec![None; count + 1];
        for at in (0..count).rev() {
            next_hot[at] = (self.load.at[at] > limit)
                .then_some(at)
                .or(next_hot[at + 1]);
        }
        let mut best: Vec<Option<(u128, usize, Option<Chosen>)>> = vec![None; count + 1];
        best[0] = Some((0, 0, None));
        let mut cut = 0;
        for at in 0..count {
            while self.cuts[cut] < at {
                cut += 1;
            }
            let Some((price, ..)) = best[at] else {
                continue;
            };
            let offer =
                |best: &mut Vec<Option<_>>, to: usize, price: u128, chain: Option<Chosen>| {
                    let known = best[to]
                        .as_ref()
                        .map(|(price, ..): &(u128, usize, Option<Chosen>)| *price);
                    if known.is_none_or(|known| price < known) {
                        best[to] = Some((price, at, chain));
                    }
                };
            if next_hot[at] != Some(at) {
                offer(&mut best, at + 1, price, None);
            }
            let Some(hot) = next_hot[at] else { continue };
            if self.cuts[cut] != at || hot - at > self.limits.nodes {
                continue;
            }
            for later in cut + 1..self.cuts.len() {
                let to = self.cuts[later];
                if to <= hot {
                    continue;
                }
                if to - at > self.limits.nodes {
                    break;
                }
                if let Some(chain) = self.cheapest(at..to, limit) {
                    let price = price + self::price(&chain);
                    offer(&mut best, to, price, Some(chain));
                }
            }
        }
        let mut chains = Vec::new();
        let mut at = count;
        best[count].as_ref()?;
        while at > 0 {
            let (_, from, chain) = best[at].take()?;
            chains.extend(chain);
            at = from;
        }
        chains.reverse();
        Some(chains)
    }

    /// The cheapest chain of these nodes that holds at most `limit`.
    fn cheapest(&mut self, nodes: Range<usize>, limit: u64) -> Option<Chosen> {
        let key = (nodes.start, nodes.end);
        let mut edge = match self.edges.remove(&key) {
            Some(edge) => edge,
            None => self.edge(&nodes),
        };
        if edge.least <= limit && self.steps < self.limits.steps {
            if edge.lines.is_none() {
                edge.lines = Some(self.lines(&nodes));
            }
            let Edge {
                around,
                lines,
                variants,
                ..
            } = &mut edge;
            for line in lines.iter_mut().flatten() {
                self.line(&nodes, around, line, limit, variants);
            }
        }
        let found = edge.variants.iter().filter(|chain| chain.bytes <= limit);
        let found = found.min_by_key(|chain| price(chain)).cloned();
        self.edges.insert(key, edge);
        found
    }

    fn edge(&self, nodes: &Range<usize>) -> Edge {
        let live = live_through(self.program, nodes);
        let through = self.load.through(self.program, nodes, &live, &[]);
        // For each type, the bytes of what begins, and of what ends.
        let mut by_type: FxHashMap<u32, [u64; 2]> = FxHashMap::default();
        for id in &live {
            let buffer = self.program.buffer(*id);
            let Some((first, last)) = buffer.span() else {
                continue;
            };
            let bytes = by_type.entry(buffer.r#type).or_default();
            match (
                nodes.contains(&first.index()),
                nodes.contains(&last.index()),
            ) {
                (true, false) => bytes[0] += buffer.bytes(),
                (false, true) => bytes[1] += buffer.bytes(),
                _ => {}
            }
        }
        let taken: u64 = by_type.values().map(|bytes| bytes[0].min(bytes[1])).sum();
        Edge {
            around: Around { live, through },
            least: through.saturating_sub(taken),
            lines: None,
            variants: Vec::new(),
        }
    }

    /// The dimensions along which a chain may be split: loops of its last node that writes.
    fn lines(&mut self, nodes: &Range<usize>) -> Vec<Line> {
        let program = self.program;
        let mut lines = Vec::new();
        let Some(seed) = seed(program, nodes) else {
            return lines;
        };
        let node = program.node(seed);
        let outermost_sum = node.loops.iter().position(|one| !one.is_parallel);
        for (number, one) in node.loops.iter().enumerate() {
            if one.extent <= 1 || !(one.is_parallel || outermost_sum == Some(number)) {
                continue;
            }
            match self.spread(nodes, seed, number as u32) {
                Ok(spread) => lines.push(Line {
                    spread: Rc::new(spread),
                    heights: heights(one.extent, is_innermost(node, number as u32)),
                    next: 0,
                    last: 0,
                    outer: None,
                }),
                Err(refusal) => self.count(refusal),
            }
        }
        lines
    }

    /// Spreads a loop of a seed over a range. What refuses it in a range does so in each that begins earlier. So where it
    /// fails, the last start at which it does is looked for.
    fn spread(
        &mut self,
        nodes: &Range<usize>,
        seed: NodeId,
        number: u32,
    ) -> Result<Spread, Refusal> {
        let key = (nodes.end, seed, number);
        if let Some((start, refusal)) = self.refused.get(&key)
            && nodes.start <= *start
        {
            return Err(*refusal);
        }
        let of = |start: usize| Spread::of(self.program, start..nodes.end, seed, number);
        let result = of(nodes.start);
        let Err(refusal) = &result else { return result };
        if refusal.stays() {
            let mut known = (nodes.start, *refusal);
            let first = self.cuts.partition_point(|cut| *cut <= nodes.start);
            let last = self.cuts.partition_point(|cut| *cut <= seed.index());
            let (mut from, mut to) = (first, last);
            while from < to {
                let middle = usize::midpoint(from, to);
                match of(self.cuts[middle]) {
                    Err(refusal) if refusal.stays() => {
                        known = (self.cuts[middle], refusal);
                        from = middle + 1;
                    }
                    _ => to = middle,
                }
            }
            self.refused.insert(key, known);
        }
        result
    }

    fn count(&mut self, refusal: Refusal) {
        *self.refusals.entry(refusal).or_default() += 1;
    }

    /// Computes the chains of a line that may hold at most `limit`.
    fn line(
        &mut self,
        nodes: &Range<usize>,
        around: &Around,
        line: &mut Line,
        limit: u64,
        variants: &mut Vec<Chosen>,
    ) {
        let program = self.program;
        let mut inner: Vec<Frontiers> = Vec::new();
        while let Some(height) = line.heights.get(line.next).filter(|_| line.last <= limit) {
            self.steps += 1;
            line.next += 1;
            match Frontiers::of(program, &line.spread, *height, 0) {
                Ok(frontiers) => {
                    let chosen = self.chosen(nodes, around, &[(&line.spread, &frontiers)]);
                    line.last = chosen.bytes;
                    variants.extend(self.affordable(chosen, &line.spread));
                    inner.push(frontiers);
                }
                Err(refusal) => self.count(refusal),
            }
        }
        if self.limits.outer_strips > 1 {
            if line.outer.is_none() {
                line.outer = Some(self.outer(nodes, line));
            }
            for outer in line.outer.iter_mut().flatten() {
                self.outer_line(nodes, around, &line.spread, outer, limit, variants);
            }
        }
    }

    /// A chain with its bytes.
    fn chosen(
        &self,
        nodes: &Range<usize>,
        around: &Around,
        splits: &[(&Spread, &Frontiers)],
    ) -> Chosen {
        let cost = Layout::new(self.program, &self.pairs, splits).cost();
        let taken = in_place::takeovers(self.program, splits);
        let through = match taken[..] {
            [] => around.through,
            _ => self.load.through(self.program, nodes, &around.live, &taken),
        };
        Chosen {
            nodes: nodes.clone(),
            seed: splits[0].0.seed.0,
            splits: splits
                .iter()
                .map(|(spread, frontiers)| Split {
                    number: spread.seed.1,
                    height: frontiers.height,
                    phase: frontiers.phase,
                })
                .collect(),
            operations: splits[0].0.links.len(),
            bytes: through.saturating_add(cost.bytes),
            cost,
        }
    }

    /// The chain, unless it copies too much.
    fn affordable(&self, chosen: Chosen, spread: &Spread) -> Option<Chosen> {
        let percent = u128::from(self.limits.copied_percent);
        let copied = u128::from(chosen.cost.copied) * 100;
        let written = spread
            .links
            .iter()
            .map(|link| u128::from(written(self.program, link.node)));
        (copied <= written.sum::<u128>() * percent).then_some(chosen)
    }

    /// Outer dimensions of a line, for its lowest strips.
    fn outer(&mut self, nodes: &Range<usize>, line: &Line) -> Vec<Outer> {
        let program = self.program;
        let (seed, number) = line.spread.seed;
        let node = program.node(seed);
        let mut found = Vec::new();
        for (outer, one) in node.loops.iter().enumerate() {
            let outer = outer as u32;
            // The innermost loop runs along elements that are beside each other.
            if outer <= number || one.extent < 4 || !one.is_parallel || line.spread.accumulates {
                continue;
            }
            let spread = match self.spread(nodes, seed, outer) {
                Ok(spread) => spread,
                Err(refusal) => {
                    self.count(refusal);
                    continue;
                }
            };
            if !may_nest(&line.spread, &spread) {
                continue;
            }
            let Ok(single) = Frontiers::of(program, &spread, 1, 0) else {
                continue;
            };
            let spread = Rc::new(spread);
            let fill = -single.first;
            let options = widths(one.extent, fill, self.limits.outer_strips);
            for height in line.heights.iter().take(LOW_STRIPS) {
                if let Ok(inner) = Frontiers::of(program, &line.spread, *height, 0) {
                    found.push(Outer {
                        spread: Rc::clone(&spread),
                        inner,
                        options: options.clone(),
                        next: 0,
                        last: 0,
                    });
                }
            }
        }
        found
    }

    fn outer_line(
        &mut self,
        nodes: &Range<usize>,
        around: &Around,
        inner: &Spread,
        outer: &mut Outer,
        limit: u64,
        variants: &mut Vec<Chosen>,
    ) {
        while let Some((width, phase)) = outer
            .options
            .get(outer.next)
            .filter(|_| outer.last <= limit)
        {
            self.steps += 1;
            outer.next += 1;
            match Frontiers::of(self.program, &outer.spread, *width, *phase) {
                Ok(frontiers) => {
                    let splits = [(inner, &outer.inner), (&*outer.spread, &frontiers)];
                    let chosen = self.chosen(nodes, around, &splits);
                    outer.last = chosen.bytes;
                    variants.extend(self.affordable(chosen, inner));
                }
                Err(refusal) => self.count(refusal),
            }
        }
    }
}

/// Heights of an inner dimension for which outer ones are tried.
const LOW_STRIPS: usize = 2;

/// Whether two dimensions of one chain can be split together.
fn may_nest(inner: &Spread, outer: &Spread) -> bool {
    let has_same_links = inner.links.len() == outer.links.len()
        && inner.links.iter().zip(&outer.links).all(|(one, other)| {
            let is_row = |window: &Option<_>| window.is_some();
            one.node == other.node
                && one.split != other.split
                && one
                    .windows
                    .iter()
                    .map(is_row)
                    .eq(other.windows.iter().map(is_row))
        });
    let mut buffers = inner.buffers.iter().zip(&outer.buffers);
    has_same_links
        && inner.buffers.len() == outer.buffers.len()
        && buffers
            .all(|(one, other)| one.buffer == other.buffer && one.dimension != other.dimension)
        && !outer.accumulates
        && [inner, outer].iter().all(|spread| {
            let windows = spread.links.iter().flat_map(|link| &link.windows);
            windows.flatten().all(|window| !window.map.is_grouped())
        })
}

/// Bytes that a node writes.
fn written(program: &Program, id: NodeId) -> u64 {
    let node = program.node(id);
    let writes = node.accesses.iter().filter(|access| access.writes);
    let bytes = writes.map(|access| {
        let indices = access.indices.iter().flat_map(|index| &index.terms);
        let mut loops: SmallVec<[u32; 6]> = indices.map(|(number, _)| *number).collect();
        loops.sort_unstable();
        loops.dedup();
        let extents = loops
            .iter()
            .map(|number| node.loops[*number as usize].extent);
        extents.fold(program.buffer(access.buffer).element, |bytes, extent| {
            bytes.saturating_mul(extent.max(0).unsigned_abs())
        })
    });
    bytes.fold(0, u64::saturating_add)
}

/// What a chain costs in a path.
fn price(chain: &Chosen) -> u128 {
    let Cost { copied, strips, .. } = chain.cost;
    let each = 1_000_000 + 1000 * chain.nodes.len() as u128;
    u128::from(copied) + 1000 * u128::from(strips) + each
}

/// The last node of a range that writes in known loops.
fn seed(program: &Program, nodes: &Range<usize>) -> Option<NodeId> {
    let writes = |at: &usize| {
        let node = &program.nodes[*at];
        node.has_strips() && node.accesses.iter().any(|access| access.writes)
    };
    nodes.clone().rev().find(writes).map(NodeId::new)
}

/// Elements that are beside each other and that a strip has at least: those of a vector.
const BESIDE: i64 = 16;

/// Whether iterations of a loop write elements that are beside each other.
fn is_innermost(node: &Node, number: u32) -> bool {
    let mut writes = node.accesses.iter().filter(|access| access.writes);
    writes.any(|access| match &access.indices[..] {
        [_, .., last] => last.coefficient(number) != 0,
        _ => false,
    })
}

/// Heights of strips of so many rows, lowest first. If rows are beside each other, strips are as wide as vectors.
fn heights(rows: i64, are_beside: bool) -> Vec<i64> {
    let mut all: Vec<i64> = vec![1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
    let divisors = (1..=rows.isqrt().min(MOST_DIVISORS)).filter(|one| rows % one == 0);
    all.extend(divisors.flat_map(|one| [one, rows / one]));
    all.sort_unstable();
    all.dedup();
    all.retain(|height| *height <= rows / 2 && (!are_beside || height % BESIDE == 0));
    if all.len() > 8 {
        all.retain(|height| matches!(height, 1 | 2 | 4 | 8) || (rows % height == 0 && *height > 4));
    }
    if all.len() > 10 {
        let few = all.iter().enumerate();
        let few = few.filter(|(at, _)| *at < 4 || at % 2 == 0);
        all = few.map(|(_, height)| *height).collect();
    }
    all
}

/// Largest number that is tried as a divisor.
const MOST_DIVISORS: i64 = 1 << 16;

/// Numbers of strips of an outer dimension.
const COUNTS: [i64; 14] = [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28];

/// Most widths that are tried.
const WIDTHS: usize = 5;

/// Widths and phases of strips of so many columns, narrowest first. `fill` strips of one column only fill borders; with as
/// large a phase, none does.
fn widths(columns: i64, fill: i64, most: i64) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64, i64)> = Vec::new();
    let phases: FxHashSet<i64> = [0, fill].into_iter().collect();
    for phase in phases {
        for count in COUNTS {
            let width = ceiling(columns + phase, count);
            let filling = if phase == 0 { ceiling(fill, width) } else { 0 };
            let strips = ceiling(columns + phase, width) + filling;
            if strips <= most && width < columns && phase <= width {
                all.push((width, strips, phase));
            }
        }
    }
    all.sort_unstable();
    // Wider ones only where they take fewer strips.
    let mut fewest = i64::MAX;
    all.retain(|(_, strips, _)| {
        let is_fewer = *strips < fewest;
        fewest = fewest.min(*strips);
        is_fewer
    });
    let count = all.len();
    let kept = |at: usize| {
        count <= WIDTHS || (0..WIDTHS).any(|one| one * (count - 1) / (WIDTHS - 1) == at)
    };
    let kept = all.into_iter().enumerate().filter(|(at, _)| kept(*at));
    kept.map(|(_, (width, _, phase))| (width, phase)).collect()
}

/// Positions between nodes where the set of live buffers changes, with the start and the end.
fn cuts(program: &Program) -> Vec<usize> {
    let count = program.nodes.len();
    let mut changes = vec![false; count + 1];
    for buffer in &program.buffers {
        if let (Some((first, last)), true) = (buffer.span(), buffer.origin != Origin::Outside) {
            // Live after its first node, up to its last one.
            changes[first.index()] = true;
            changes[last.index()] = true;
        }
    }
    // Position p is before node p: where what is live before node p is not what is live before node p + 1.
    (0..=count)
        .filter(|at| *at == 0 || *at == count || changes[*at])
        .collect()
}
