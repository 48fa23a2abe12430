//! The search for chains: a path through the block whose steps all hold few bytes.
//!
//! A step is one node with its load, or a chain with its bytes. For a limit there is a path or there is none. Once the lowest
//! limit with a path is known, the cheapest one for it is taken, through few positions: the one that takes the least time
//! by the model, if time is limited, or the one with the fewest bytes copied, then strips.

mod bound;
mod chains;
mod cuts;
mod heights;
mod least;
mod obstacle;
mod prices;
mod recompute;
mod seeds;

use crate::{
    chain::Spread,
    cost::Cost,
    frontiers::Frontiers,
    in_place::Pairs,
    load::Load,
    program::{BufferId, Node, NodeId, Program},
    refusal::Refusal,
};
pub use bound::Bound;
use chains::Chains;
use cuts::Cuts;
use least::{Around, KnownLeast, Least, Spans};
pub use obstacle::{Kept, Obstacle};
use prices::{least_price, price};
use smallvec::SmallVec;

/// Limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most nodes of a chain.
    pub nodes: usize,
    /// Most strips of an outer dimension; 1 for chains of one dimension.
    pub outer_strips: i64,
    /// Most bytes that a chain copies between strips, in percent of those that its nodes write.
    pub copied_percent: u64,
    /// A peak of so many bytes is small enough: none below is looked for.
    pub enough: u64,
    /// Most innermost iterations that chains repeat, in percent of those of the block.
    pub repeated_percent: u64,
    /// Most time that chains add to the block, in picoseconds of the model; `None` if time does not matter.
    pub added_time: Option<u64>,
    /// Whether the bytes decide that strips read again and copy, in place of time.
    pub by_traffic: bool,
    /// Most steps. One is a node of a chain whose place in the strips, or whose bytes, are computed.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 260,
            outer_strips: 30,
            copied_percent: 100,
            enough: 0,
            repeated_percent: 0,
            added_time: None,
            by_traffic: false,
            steps: 20_000_000,
        }
    }
}

/// How one dimension of a chain is split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The loop of the seed.
    pub number: u32,
    /// Rows in a strip of the smallest result.
    pub height: i64,
    /// How many fewer the first strip has.
    pub phase: i64,
    /// Buffers whose rows each strip computes again, sorted.
    pub again: Vec<BufferId>,
}

impl Split {
    /// How far a chain is along the dimension.
    pub fn frontiers(&self, spread: &Spread) -> Result<Frontiers, Refusal> {
        Frontiers::with_again(spread, self.height, self.phase, &self.again)
    }
}

/// A chain that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its nodes.
    pub nodes: std::ops::Range<usize>,
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
    /// How long its nodes take, in picoseconds of the model: as they are, and in strips.
    pub times: [u64; 2],
    /// Bytes that strips read again of memory that is not split, and that they copy.
    pub traffic: u64,
    /// Innermost iterations that strips repeat.
    pub repeated: u64,
}

impl Chosen {
    /// The time that the strips add.
    fn added_time(&self) -> i128 {
        i128::from(self.times[1]) - i128::from(self.times[0])
    }
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The most bytes that are held.
    pub peak: u64,
    /// The chains, in order.
    pub chains: Vec<Chosen>,
}

/// The part of the peak that the first limit is.
const FIRST: u64 = 128;

/// The part of the peak below which nothing is looked for by computing rows again.
const MOST_SAVED: u64 = 8;

/// The part of the peak that is not searched further: faster chains hold as much as the limit allows.
const PRECISION: u64 = 2_000;

/// Searches for chains of a block.
pub struct Search<'p> {
    program: &'p Program,
    limits: Limits,
    load: Load,
    spans: Spans,
    around: KnownLeast,
    cuts: Cuts,
    chains: Chains<'p>,
    /// Whether chains would hold less, but take too long.
    has_slow: bool,
}

impl<'p> Search<'p> {
    /// A search in a block.
    pub fn new(program: &'p Program, limits: Limits) -> Self {
        let pairs = Pairs::of(program);
        let load = Load::of(program, &pairs);
        Self {
            spans: Spans::of(program, &load),
            around: KnownLeast::new(program),
            load,
            cuts: Cuts::of(program, limits.nodes),
            chains: Chains::new(program, limits, pairs),
            program,
            limits,
            has_slow: false,
        }
    }

    /// Steps that were taken.
    pub const fn steps(&self) -> u64 {
        self.chains.steps
    }

    /// The most bytes that are held in a range of nodes without strips.
    pub fn unsplit_in(&self, nodes: std::ops::Range<usize>) -> u64 {
        self.load.at[nodes].iter().copied().max().unwrap_or(0)
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
        if !self.program.nodes.iter().any(Node::has_strips) {
            return best;
        }
        if self.limits.repeated_percent > 0 {
            // What is found without is the start, so that nothing takes more.
            let limits = Limits {
                repeated_percent: 0,
                ..self.limits
            };
            let mut without = Self::new(self.program, limits);
            best = without.run(below);
            self.chains.steps = without.chains.steps;
            self.has_slow = without.has_slow;
        }
        // In long blocks, chains begin and end at few positions first.
        let mut levels = self
            .cuts
            .levels()
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        let few = levels.peek().cloned().unwrap_or_default();
        while let Some(cuts) = levels.next() {
            let rest = self.limits.steps - self.chains.steps.min(self.limits.steps);
            let is_last = levels.peek().is_none();
            self.chains.most_steps = self.limits.steps - if is_last { 0 } else { rest / 2 };
            self.run_at(&cuts, &few, &mut best);
        }
        // Of chains that compute rows again, those that are known are enough.
        self.chains.refines = false;
        let enough = match self.limits.by_traffic {
            true => best.peak.max(self.limits.enough),
            false => best.peak,
        };
        if !best.chains.is_empty()
            && let Some(chains) = self.cheapest(&few, &best.chains, enough)
            && self.is_allowed(&chains)
        {
            let peak = self.peak(&chains);
            best = Found { peak, chains };
        }
        best
    }

    /// The cheapest chains through few positions, and those of a path that is known.
    fn cheapest(&mut self, few: &[usize], known: &[Chosen], limit: u64) -> Option<Vec<Chosen>> {
        let ends = known.iter();
        let ends = ends.flat_map(|chain| [chain.nodes.start, chain.nodes.end]);
        let mut cuts: Vec<usize> = few.iter().copied().chain(ends).collect();
        cuts.sort_unstable();
        cuts.dedup();
        self.path(&cuts, limit, Wanted::Cheapest)
    }

    /// Looks for chains that begin and end at some positions, and hold less.
    fn run_at(&mut self, cuts: &[usize], few: &[usize], best: &mut Found) {
        // No path holds as little. Low limits are tried first: few ranges hold so little, so that they cost less.
        let mut least = self.limits.enough.saturating_sub(1);
        let mut limit = best.peak / FIRST;
        if self.chains.most_repeated > 0 {
            // Rows that are computed again save a part of what is known, and each low limit makes many ranges try that.
            least = least.max(best.peak / MOST_SAVED);
            limit = best.peak - best.peak / MOST_SAVED;
        }
        let mut has_found = false;
        while best.peak.saturating_sub(least) > (best.peak / PRECISION).max(1)
            && !self.chains.is_exhausted()
        {
            limit = limit.clamp(least + 1, best.peak - 1);
            self.chains.next_limit = u64::MAX;
            match self.fast_path(cuts, few, limit) {
                None => {
                    // Up to the next limit at which a range is anything else, there is none either.
                    least = self.chains.next_limit.saturating_sub(1).max(limit);
                    limit = limit.saturating_mul(2).max(least.saturating_add(1));
                    if has_found || limit >= best.peak {
                        limit = least.midpoint(best.peak);
                    }
                }
                Some(chains) => {
                    let peak = self.peak(&chains);
                    *best = Found { peak, chains };
                    has_found = true;
                    limit = least.midpoint(best.peak);
                }
            }
        }
    }

    /// The bytes of the block with these chains.
    fn peak(&self, chains: &[Chosen]) -> u64 {
        let mut peak = chains.iter().map(|chain| chain.bytes).max().unwrap_or(0);
        let mut at = 0;
        let rest = self.program.nodes.len();
        let starts = chains.iter().map(|chain| chain.nodes.start).chain([rest]);
        let ends = chains.iter().map(|chain| chain.nodes.end).chain([rest]);
        for (start, end) in starts.zip(ends) {
            peak = self.load.at[at..start].iter().copied().fold(peak, u64::max);
            at = end;
        }
        peak
    }

    /// Chains with which nothing holds more than `limit`, and which take little time.
    fn fast_path(&mut self, cuts: &[usize], few: &[usize], limit: u64) -> Option<Vec<Chosen>> {
        let any = self.path(cuts, limit, Wanted::Any)?;
        if self.is_allowed(&any) {
            return Some(any);
        }
        let cheapest = self.cheapest(few, &any, limit)?;
        self.has_slow |= !self.is_fast(&cheapest);
        self.is_allowed(&cheapest).then_some(cheapest)
    }

    /// Whether chains add no more time, and repeat no more iterations, than the limits allow.
    fn is_allowed(&self, chains: &[Chosen]) -> bool {
        let repeated = chains.iter().map(|chain| chain.repeated);
        repeated.fold(0, u64::saturating_add) <= self.chains.most_repeated && self.is_fast(chains)
    }

    /// Whether chains add no more time than the limits allow.
    fn is_fast(&self, chains: &[Chosen]) -> bool {
        let added: i128 = chains.iter().map(Chosen::added_time).sum();
        let most = self.limits.added_time;
        most.is_none_or(|most| added <= i128::from(most))
    }

    /// Chains with which nothing holds more than `limit`.
    fn path(&mut self, cuts: &[usize], limit: u64, wanted: Wanted) -> Option<Vec<Chosen>> {
        let Self {
            program,
            load,
            spans,
            around,
            ..
        } = self;
        let count = program.nodes.len();
        let mut steps: Vec<Option<Step>> = vec![None; count + 1];
        steps[0] = Some(Step {
            price: 0,
            from: 0,
            chain: None,
        });
        // Strips may save time.
        let has_least = self.limits.added_time.is_none() && !self.limits.by_traffic;
        let mut ranges = Least::new(spans);
        let mut last_hot = None;
        let mut cut = 0;
        let mut last_reached = 0;
        for end in 1..=count {
            if end - last_reached > self.limits.nodes.max(1) {
                return None;
            }
            if load.at[end - 1] > limit {
                last_hot = Some(end - 1);
                self.chains.note(load.at[end - 1], limit);
            }
            let mut best = steps[end - 1]
                .as_ref()
                .filter(|_| last_hot != Some(end - 1));
            let mut best = best.take().map(|step| Step {
                price: step.price,
                from: end - 1,
                chain: None,
            });
            let is_cut = cuts[cut + 1] == end;
            cut += usize::from(is_cut);
            let hot = last_hot.filter(|hot| is_cut && end - hot <= self.limits.nodes);
            for start in cuts[..cut].iter().rev().copied() {
                let Some(hot) = hot.filter(|_| end - start <= self.limits.nodes) else {
                    break;
                };
                if wanted == Wanted::Any && best.is_some() {
                    break;
                }
                let Some(before) = steps[start].as_ref().filter(|_| start <= hot) else {
                    continue;
                };
                let least_price = least_price(&(start..end));
                let is_dear = |known: &Step| has_least && before.price + least_price >= known.price;
                let nodes = start..end;
                let around = around.of(&mut ranges, &nodes);
                self.chains.note(around.least, limit);
                if around.least > limit || best.as_ref().is_some_and(is_dear) {
                    continue;
                }
                let range = Range { nodes, around };
                match self.chains.cheapest(&range, limit, load) {
                    Ok(chain) => {
                        let price = before.price + price(&chain, &self.limits);
                        if best.as_ref().is_none_or(|known| price < known.price) {
                            best = Some(Step {
                                price,
                                from: start,
                                chain: Some(chain),
                            });
                        }
                    }
                    Err(Longer::MayBe) => {}
                    Err(Longer::CannotBe) => break,
                }
            }
            if best.is_some() {
                last_reached = end;
            }
            steps[end] = best;
        }
        let mut chains = Vec::new();
        let mut at = count;
        while at > 0 {
            let Step { from, chain, .. } = steps[at].take()?;
            chains.extend(chain);
            at = from;
        }
        chains.reverse();
        Some(chains)
    }
}

/// A range of nodes, with the bytes of what is live before or after it, and in it.
#[derive(Clone, Debug)]
struct Range {
    nodes: std::ops::Range<usize>,
    around: Around,
}

/// Which path is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// One.
    Any,
    /// The one that costs the least.
    Cheapest,
}

/// A step of a path: a node, or a chain.
#[derive(Clone, Debug)]
struct Step {
    /// Of the path up to here.
    price: i128,
    from: usize,
    chain: Option<Chosen>,
}

/// Whether a range that is no chain may become one if it begins earlier.
enum Longer {
    MayBe,
    CannotBe,
}
