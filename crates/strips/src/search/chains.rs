//! The chains of ranges: along which dimensions they may be split, in which heights, and what that holds.

use super::{
    Chosen, Limits, Longer, Range, Split,
    heights::{heights, is_innermost, widths},
    prices::rank,
    recompute::{Measure, Refining, again_of},
    seeds::{SeedLoop, may_be_outer, may_nest, seed},
};
use crate::{
    chain::{Spread, Spreader},
    cost::{Cost, Layout},
    frontiers::Frontiers,
    in_place::{self, Pairs},
    load::Load,
    program::{NodeId, Program},
    refusal::Refusal,
    time::Works,
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The chains of a block.
pub struct Chains<'p> {
    program: &'p Program,
    limits: Limits,
    pub pairs: Pairs,
    works: Works,
    /// For each node, the bytes that it writes.
    written: Vec<u64>,
    spreader: Spreader<'p>,
    /// For each position, the ranges that end there.
    ends: Vec<Option<Box<End>>>,
    pub steps: u64,
    /// No more are taken.
    pub most_steps: u64,
    /// Most iterations that chains repeat.
    pub most_repeated: u64,
    /// Whether more rows are computed again where chains hold too much.
    pub refines: bool,
    /// With a limit of fewer bytes, all ranges since this was set would be what they were.
    pub next_limit: u64,
}

/// The ranges that end at a position.
struct End {
    /// The last node that writes in known loops.
    seed: NodeId,
    /// Its loops that may be split.
    loops: SmallVec<[Dimension; 4]>,
    ranges: FxHashMap<usize, Edge>,
}

/// A loop of a seed, with the heights of its strips.
struct Dimension {
    one: SeedLoop,
    /// Those that are tried; none if it may only be split outside of another one.
    heights: Vec<i64>,
}

impl Dimension {
    /// Whether a chain that begins at `start` may hold at most `limit`.
    fn may_hold(&self, start: usize, limit: u64) -> bool {
        !self.heights.is_empty() && self.one.may_hold(start, limit)
    }
}

/// A range of nodes that may be a chain.
#[derive(Default)]
struct Edge {
    /// For each loop of the seed.
    lines: SmallVec<[Line; 4]>,
    /// Chains that were computed.
    variants: Vec<Variant>,
    /// Those that may compute rows again.
    refinings: Vec<Refining>,
}

/// A chain that was computed.
struct Variant {
    chain: Chosen,
    /// Whether its times are known: those of chains that hold too much are not asked for.
    is_timed: bool,
}

/// A dimension of a chain, with what is not tried yet.
#[derive(Default)]
struct Line {
    /// `None` if it is not computed yet.
    spread: Option<Result<Rc<Spread>, Refusal>>,
    /// The first height that is not tried.
    next: usize,
    /// Bytes of the last one that was tried.
    last: u64,
    /// Fewest bytes of those that were tried, without what is live before or after.
    least: Option<u64>,
    /// The lowest heights that were tried, as long as outer dimensions may need them.
    low: SmallVec<[Option<Rc<Frontiers>>; LOW_STRIPS]>,
    /// Strips of one row that only fill borders, if there are any strips; `None` if it is not computed yet.
    fill: Option<Option<i64>>,
    /// Outer dimensions for the lowest heights.
    outer: Option<Vec<Outer>>,
}

/// An outer dimension of a chain.
struct Outer {
    spread: Rc<Spread>,
    /// Heights and phases, narrowest first.
    options: Vec<(i64, i64)>,
    /// Those that one of the inner heights needed.
    known: SmallVec<[Option<Rc<Frontiers>>; 5]>,
    inner: SmallVec<[Inner; LOW_STRIPS]>,
}

/// Strips inside of an outer dimension.
struct Inner {
    frontiers: Rc<Frontiers>,
    next: usize,
    last: u64,
}

impl<'p> Chains<'p> {
    pub fn new(program: &'p Program, limits: Limits, pairs: Pairs) -> Self {
        let ends = (0..=program.nodes.len()).map(|_| None);
        let nodes = (0..program.nodes.len()).map(NodeId::new);
        let works = Works::of(program);
        let percent = u128::from(limits.repeated_percent);
        let most_repeated = u128::from(works.all_iterations()) * percent / 100;
        Self {
            program,
            limits,
            pairs,
            works,
            written: nodes.map(|at| written(program, at)).collect(),
            spreader: Spreader::new(program),
            ends: ends.collect(),
            steps: 0,
            most_steps: limits.steps,
            most_repeated: u64::try_from(most_repeated).unwrap_or(u64::MAX),
            refines: true,
            next_limit: u64::MAX,
        }
    }

    /// Whether there are no more steps.
    pub const fn is_exhausted(&self) -> bool {
        self.steps >= self.most_steps
    }

    /// The cheapest chain of a range that holds at most `limit`.
    pub fn cheapest(&mut self, range: &Range, limit: u64, load: &Load) -> Result<Chosen, Longer> {
        let (start, end) = (range.nodes.start, range.nodes.end);
        let mut ending = match self.ends[end].take() {
            Some(ending) => ending,
            None => match seed(self.program, &range.nodes) {
                Some(seed) => Box::new(End::new(self.program, seed)),
                None => return Err(Longer::MayBe),
            },
        };
        if start > ending.seed.index() {
            self.ends[end] = Some(ending);
            return Err(Longer::MayBe);
        }
        let may_hold = |ending: &End, limit| {
            let mut loops = ending.loops.iter();
            loops.any(|one| one.may_hold(start, limit))
        };
        let mut found = match may_hold(&ending, limit) {
            true => Err(Longer::MayBe),
            false => Err(Longer::CannotBe),
        };
        // What is left for the strips.
        let rest = limit - range.around.least.min(limit);
        if may_hold(&ending, rest) {
            let mut edge = ending.ranges.remove(&start).unwrap_or_default();
            edge.lines.resize_with(ending.loops.len(), Line::default);
            for number in 0..ending.loops.len() {
                if ending.loops[number].may_hold(start, rest) && !self.is_exhausted() {
                    self.line(range, &mut ending, &mut edge, number, limit, load);
                }
            }
            self.refine(range, &mut edge, limit, load);
            for variant in &edge.variants {
                self.note(variant.chain.bytes, limit);
            }
            self.time(&mut edge, limit);
            let chains = edge.variants.iter().map(|variant| &variant.chain);
            let fitting = chains.filter(|chain| chain.bytes <= limit);
            let cheapest = fitting.min_by_key(|chain| rank(chain, &self.limits));
            found = cheapest.cloned().ok_or(Longer::MayBe);
            ending.ranges.insert(start, edge);
        }
        for Dimension { one, heights } in &ending.loops {
            if !heights.is_empty() && !one.is_refused(start) {
                self.note(range.around.least.saturating_add(one.least(start)), limit);
            }
        }
        self.ends[end] = Some(ending);
        found
    }

    /// With a limit of so many bytes, something may be else than with this one.
    pub fn note(&mut self, bytes: u64, limit: u64) {
        if bytes > limit {
            self.next_limit = self.next_limit.min(bytes);
        }
    }

    /// A loop of the seed, spread over a range.
    fn spread(
        &mut self,
        range: &Range,
        ending: &mut End,
        edge: &mut Edge,
        number: usize,
    ) -> Result<Rc<Spread>, Refusal> {
        if let Some(known) = &edge.lines[number].spread {
            return known.clone();
        }
        let one = &mut ending.loops[number].one;
        let spread = self
            .spreader
            .spread(range.nodes.clone(), ending.seed, one.number);
        self.steps += self.spreader.reached() as u64;
        let spread = spread.map(Rc::new);
        if spread.is_err() {
            one.refuse(range.nodes.start);
        }
        edge.lines[number].spread = Some(spread.clone());
        spread
    }

    /// Computes the chains along a loop of the seed that may hold at most `limit`.
    fn line(
        &mut self,
        range: &Range,
        ending: &mut End,
        edge: &mut Edge,
        number: usize,
        limit: u64,
        load: &Load,
    ) {
        let Ok(spread) = self.spread(range, ending, edge, number) else {
            return;
        };
        let Dimension { one, heights } = &mut ending.loops[number];
        let line = &mut edge.lines[number];
        while let Some(height) = heights.get(line.next).filter(|_| line.last <= limit) {
            self.steps += spread.links.len() as u64;
            line.next += 1;
            let frontiers = Frontiers::of(&spread, *height, 0).map(Rc::new);
            let may_be_inner = self.limits.outer_strips > 1 && line.outer.is_none();
            if may_be_inner && line.low.len() < LOW_STRIPS {
                line.low.push(frontiers.as_ref().ok().cloned());
            }
            match frontiers {
                Ok(frontiers) => {
                    let variant = self.variant(range, &[(&spread, &frontiers)], limit, load);
                    let saved = self.most_saved(&variant.chain);
                    line.learn(&variant.chain, saved);
                    line.last = variant.chain.bytes - saved;
                    if saved > 0 {
                        let splits = smallvec![(Rc::clone(&spread), frontiers)];
                        let refining = Refining::new(splits, variant.chain.clone());
                        edge.refinings.push(refining);
                    }
                    edge.variants.extend(self.affordable(variant, &spread));
                }
                Err(refusal) => {
                    if refusal == Refusal::NoResult {
                        // Nor is there one with other heights. One that only earlier nodes make is found by its own end.
                        line.next = heights.len();
                        one.refuse(range.nodes.start);
                    }
                }
            }
        }
        if line.next < heights.len() {
            let last = line.last;
            self.note(last, limit);
        }
        if self.limits.outer_strips > 1 {
            if edge.lines[number].outer.is_none() {
                edge.lines[number].outer = Some(self.outer(range, ending, edge, number, &spread));
                edge.lines[number].low.clear();
            }
            let mut all = edge.lines[number].outer.take();
            for outer in all.iter_mut().flatten() {
                self.outer_line(range, &spread, outer, (edge, number), limit, load);
            }
            edge.lines[number].outer = all;
        }
        if let Some(bytes) = edge.lines[number].least {
            let one = &mut ending.loops[number].one;
            one.learn(range.nodes.start, bytes);
        }
    }

    /// A chain with its bytes, and with its times if it holds at most `limit`.
    fn variant(
        &self,
        range: &Range,
        splits: &[(&Spread, &Frontiers)],
        limit: u64,
        load: &Load,
    ) -> Variant {
        let mut chain = self.chosen(range, splits, load);
        let is_timed = chain.bytes <= limit;
        if is_timed {
            self.measure(&mut chain, splits);
        }
        Variant { chain, is_timed }
    }

    /// Adds how long the nodes of a chain take, as they are and in strips, and the bytes that strips move.
    fn measure(&self, chain: &mut Chosen, splits: &[(&Spread, &Frontiers)]) {
        let layout = Layout::new(self.program, &self.pairs, splits);
        let work = self.works.chain(self.program, &layout, splits);
        let nodes = splits[0].0.nodes.clone();
        chain.times = [self.works.unsplit(nodes), work.time()];
        let again = self.works.read_again(splits);
        chain.traffic = again.saturating_add(chain.cost.copied);
    }

    /// Computes the times of chains that hold at most `limit`.
    fn time(&self, edge: &mut Edge, limit: u64) {
        let Edge {
            lines, variants, ..
        } = edge;
        let untimed = variants.iter_mut().filter(|variant| !variant.is_timed);
        for variant in untimed.filter(|variant| variant.chain.bytes <= limit) {
            let splits = variant.chain.splits.iter().map(|split| {
                let spreads = lines.iter().filter_map(|line| line.spread.as_ref());
                let mut spreads = spreads.filter_map(|spread| spread.as_ref().ok());
                let spread = spreads.find(|spread| spread.seed.1 == split.number)?;
                let frontiers = split.frontiers(spread).ok()?;
                Some((&**spread, frontiers))
            });
            let splits: Option<SmallVec<[_; 2]>> = splits.collect();
            let splits = splits.iter().flatten();
            let splits = splits.map(|(spread, frontiers)| (*spread, frontiers));
            let splits: SmallVec<[_; 2]> = splits.collect();
            self.measure(&mut variant.chain, &splits);
            variant.is_timed = true;
        }
    }

    /// A chain with its bytes, without its times.
    fn chosen(&self, range: &Range, splits: &[(&Spread, &Frontiers)], load: &Load) -> Chosen {
        let program = self.program;
        let layout = Layout::new(program, &self.pairs, splits);
        let cost = layout.cost();
        // Where a result takes the bytes of what dies, one of both holds none; none of both, where one is in a result.
        let held = |buffer, sides| load.held(program, buffer, sides);
        let shared = in_place::takeovers(program, splits).into_iter();
        let shared = shared.map(|(from, into)| {
            let both = [held(from, [true, false]), held(into, [false, true])];
            both[0].max(both[1])
        });
        let through = range.around.through.saturating_sub(shared.sum());
        Chosen {
            nodes: range.nodes.clone(),
            seed: splits[0].0.seed.0,
            splits: splits
                .iter()
                .map(|(spread, frontiers)| Split {
                    number: spread.seed.1,
                    height: frontiers.height,
                    phase: frontiers.phase,
                    again: again_of(spread, frontiers),
                })
                .collect(),
            operations: splits[0].0.links.len(),
            bytes: through.saturating_add(cost.bytes),
            cost,
            times: [0; 2],
            traffic: 0,
            repeated: self.works.repeated(splits),
        }
    }

    /// Bytes that a chain saves at most where strips compute rows again.
    const fn most_saved(&self, chosen: &Chosen) -> u64 {
        match self.most_repeated {
            0 => 0,
            _ => chosen.cost.kept,
        }
    }

    /// Computes rows again where chains then hold at most `limit`.
    fn refine(&mut self, range: &Range, edge: &mut Edge, limit: u64, load: &Load) {
        let fits = |variant: &Variant| variant.chain.bytes <= limit;
        if !self.refines || edge.variants.iter().any(fits) {
            return;
        }
        edge.refinings.sort_by_key(|refining| refining.chosen.bytes);
        for refining in &mut edge.refinings {
            while refining.chosen.bytes > limit && refining.may_hold(limit) && !self.is_exhausted()
            {
                let measure = Measuring { chains: self, load };
                let (program, most) = (self.program, self.most_repeated);
                let (tried, is_less) = refining.step(program, &self.pairs, range, most, &measure);
                self.steps += tried * refining.chosen.operations as u64;
                if is_less {
                    let spread = refining.inner();
                    let variant = Variant {
                        chain: refining.chosen.clone(),
                        is_timed: false,
                    };
                    let found = self.affordable(variant, spread);
                    let fits = found.as_ref().is_some_and(fits);
                    edge.variants.extend(found);
                    if fits {
                        return;
                    }
                }
            }
        }
    }

    /// The chain, unless it copies too much, or has too many strips.
    fn affordable(&self, variant: Variant, spread: &Spread) -> Option<Variant> {
        let is_affordable = self.check_cost(&variant.chain.cost, spread).is_ok();
        is_affordable.then_some(variant)
    }

    /// Whether a chain copies too much, or has too many strips.
    pub fn check_cost(&self, cost: &Cost, spread: &Spread) -> Result<(), Refusal> {
        let percent = u128::from(self.limits.copied_percent);
        let links = spread.links.iter();
        let written = links.map(|link| u128::from(self.written[link.node.index()]));
        if cost.strips > MOST_STRIPS {
            return Err(Refusal::Strips);
        }
        match u128::from(cost.copied) * 100 <= written.sum::<u128>() * percent {
            true => Ok(()),
            false => Err(Refusal::Copies),
        }
    }

    /// Outer dimensions of a line, for its lowest strips.
    fn outer(
        &mut self,
        range: &Range,
        ending: &mut End,
        edge: &mut Edge,
        number: usize,
        inner: &Spread,
    ) -> Vec<Outer> {
        let node = self.program.node(ending.seed);
        let mut found = Vec::new();
        // The innermost loop runs along elements that are beside each other.
        for outer in number + 1..ending.loops.len() {
            let one = node.loops[ending.loops[outer].one.number as usize];
            if !may_be_outer(one, inner) {
                continue;
            }
            let start = range.nodes.start;
            if ending.loops[outer].one.is_refused(start) {
                continue;
            }
            let Ok(spread) = self.spread(range, ending, edge, outer) else {
                continue;
            };
            if !may_nest(inner, &spread) {
                continue;
            }
            let fill = edge.lines[outer].fill.get_or_insert_with(|| {
                let single = Frontiers::of(&spread, 1, 0).ok()?;
                Some(-single.first)
            });
            let Some(fill) = *fill else { continue };
            let heights = &ending.loops[number].heights;
            let low = heights.iter().take(LOW_STRIPS).enumerate();
            let low = low.filter_map(|(at, height)| {
                let frontiers = match edge.lines[number].low.get(at) {
                    Some(known) => known.clone()?,
                    None => Rc::new(Frontiers::of(inner, *height, 0).ok()?),
                };
                Some(Inner {
                    frontiers,
                    next: 0,
                    last: 0,
                })
            });
            let low = low.collect();
            found.push(Outer {
                spread,
                options: widths(one.extent, fill, self.limits.outer_strips),
                known: SmallVec::new(),
                inner: low,
            });
        }
        found
    }

    fn outer_line(
        &mut self,
        range: &Range,
        spread: &Rc<Spread>,
        outer: &mut Outer,
        (edge, number): (&mut Edge, usize),
        limit: u64,
        load: &Load,
    ) {
        // Higher strips hold no less.
        let mut least = 0;
        for inner in &mut outer.inner {
            inner.last = inner.last.max(least);
            while inner.next < outer.options.len() && inner.last <= limit {
                self.steps += spread.links.len() as u64;
                inner.next += 1;
                while outer.known.len() < inner.next {
                    let (width, phase) = outer.options[outer.known.len()];
                    let frontiers = Frontiers::of(&outer.spread, width, phase);
                    outer.known.push(frontiers.ok().map(Rc::new));
                }
                let Some(frontiers) = &outer.known[inner.next - 1] else {
                    continue;
                };
                let splits = [(&**spread, &*inner.frontiers), (&*outer.spread, frontiers)];
                let variant = self.variant(range, &splits, limit, load);
                let saved = self.most_saved(&variant.chain);
                edge.lines[number].learn(&variant.chain, saved);
                inner.last = variant.chain.bytes - saved;
                if saved > 0 {
                    let inner = (Rc::clone(spread), Rc::clone(&inner.frontiers));
                    let splits = smallvec![inner, (Rc::clone(&outer.spread), Rc::clone(frontiers))];
                    let refining = Refining::new(splits, variant.chain.clone());
                    edge.refinings.push(refining);
                }
                edge.variants.extend(self.affordable(variant, spread));
                if inner.next == 1 {
                    least = inner.last;
                }
            }
            if inner.next < outer.options.len() {
                self.note(inner.last, limit);
            }
        }
        // What all inner heights were tried with is not needed again.
        let tried = outer.inner.iter().map(|inner| inner.next).min();
        outer
            .known
            .iter_mut()
            .take(tried.unwrap_or(0))
            .for_each(|known| *known = None);
    }
}

/// What computes the bytes of chains.
struct Measuring<'m, 'p> {
    chains: &'m Chains<'p>,
    load: &'m Load,
}

impl Measure for Measuring<'_, '_> {
    fn measure(&self, range: &Range, splits: &[(&Spread, &Frontiers)]) -> Chosen {
        self.chains.chosen(range, splits, self.load)
    }

    fn iterations(&self, node: usize) -> u64 {
        self.chains.works.iterations(node)
    }
}

impl End {
    fn new(program: &Program, seed: NodeId) -> Self {
        let node = program.node(seed);
        let loops = SeedLoop::of(node).map(|one| {
            let rows = node.loops[one.number as usize].extent;
            let heights = heights(rows, is_innermost(node, one.number));
            Dimension { one, heights }
        });
        Self {
            seed,
            loops: loops.collect(),
            ranges: FxHashMap::default(),
        }
    }
}

impl Line {
    /// A chain was tried, which may save bytes where rows are computed again.
    fn learn(&mut self, chosen: &Chosen, saved: u64) {
        let bytes = chosen.cost.bytes - saved;
        self.least = Some(self.least.map_or(bytes, |least| least.min(bytes)));
    }
}

/// Most strips of a chain: of more, each is a small part of the work, and takes few of the bytes that are left.
const MOST_STRIPS: u64 = 1 << 16;

/// Heights of an inner dimension for which outer ones are tried.
const LOW_STRIPS: usize = 2;

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
