//! What no chains of a block hold less than: the path of the search, where each chain costs its least.
//!
//! Strips have one row, and one column where they have two dimensions. Line buffers and borders are as large as what later
//! strips need, buffers are not rounded, and reuse in place is free. Chains have any length, and may copy and take as long
//! as they like. So chains of this model, without repeated operations and in this order of operations, hold no less.
//!
//! Each limit below which no path stays is a bound. Where the steps run out, the highest of these remains.

mod chain;
mod lives;

use super::{
    Search,
    cuts::Cuts,
    heights::{divisors, heights},
    least::{Least, Spans},
    seeds::{SeedLoop, may_be_outer, may_nest, seed},
};
use crate::{
    chain::{Spread, Spreader},
    frontiers::Frontiers,
    in_place::Pairs,
    load::Load,
    program::{NodeId, Program},
    refusal::Refusal,
};
use chain::LeastBytes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// What no chains of a block hold less than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The bytes.
    pub bytes: u64,
    /// Whether strips of one row hold as much: else the steps ran out.
    pub is_exact: bool,
    /// Steps that were taken.
    pub steps: u64,
}

impl Search<'_> {
    /// What no chains hold less than, in at most so many steps. It depends on no other limit.
    pub fn bound(&self, steps: u64) -> Bound {
        let nodes = self.program.nodes.iter().zip(&self.load.at);
        let alone = nodes.filter(|(node, _)| node.is_fence);
        let least = alone.map(|(_, bytes)| *bytes).max().unwrap_or(0);
        let mut bounding = Bounding {
            program: self.program,
            load: &self.load,
            spans: &self.spans,
            pairs: &self.chains.pairs,
            cuts: &self.cuts,
            spreader: Spreader::new(self.program),
            ends: (0..=self.program.nodes.len()).map(|_| None).collect(),
            steps: 0,
            most_steps: steps,
        };
        let (bytes, is_exact) = bounding.bisect(least, self.unsplit());
        Bound {
            bytes,
            is_exact,
            steps: bounding.steps,
        }
    }
}

/// The part of the peak that the first limit is.
const FIRST: u64 = 128;

struct Bounding<'p> {
    program: &'p Program,
    load: &'p Load,
    spans: &'p Spans,
    pairs: &'p Pairs,
    cuts: &'p Cuts,
    spreader: Spreader<'p>,
    /// For each position, the ranges that end there.
    ends: Vec<Option<Box<End>>>,
    steps: u64,
    most_steps: u64,
}

/// The ranges that end at a position.
struct End {
    /// The last node that writes in known loops.
    seed: NodeId,
    loops: SmallVec<[SeedLoop; 4]>,
    /// For each start that was tried, the bytes of the chain that holds the least.
    chains: FxHashMap<usize, Option<u64>>,
}

/// The steps ran out.
struct Exhausted;

impl Bounding<'_> {
    /// The least limit from `least` on within which a path stays, and whether it is known; one stays within `most`.
    fn bisect(&mut self, mut least: u64, mut most: u64) -> (u64, bool) {
        // Low limits are tried first: few ranges hold so little.
        let mut limit = most / FIRST;
        let mut has_found = false;
        while least < most {
            limit = limit.clamp(least, most - 1);
            match self.path(limit) {
                Err(Exhausted) => return (least, false),
                Ok(Some(peak)) => {
                    most = peak;
                    has_found = true;
                }
                Ok(None) => least = limit + 1,
            }
            limit = match has_found || limit >= most / 2 {
                true => least.midpoint(most),
                false => limit.saturating_mul(2),
            };
        }
        (least, true)
    }

    /// The peak of a path that stays within a limit, if there is one.
    fn path(&mut self, limit: u64) -> Result<Option<u64>, Exhausted> {
        let (load, cuts) = (self.load, self.cuts.all());
        let count = self.program.nodes.len();
        let mut peaks: Vec<Option<u64>> = vec![None; count + 1];
        peaks[0] = Some(0);
        let mut least = Least::new(self.spans);
        let mut last_hot = None;
        let mut cut = 0;
        for end in 1..=count {
            least.set_end(end);
            let held = load.at[end - 1];
            if held > limit {
                last_hot = Some(end - 1);
            }
            peaks[end] = peaks[end - 1]
                .map(|peak| peak.max(held))
                .filter(|peak| *peak <= limit);
            let is_cut = cuts[cut + 1] == end;
            cut += usize::from(is_cut);
            let Some(hot) = last_hot.filter(|_| is_cut && peaks[end].is_none()) else {
                continue;
            };
            // Quadratic, within the steps: a chain may have any length.
            for start in cuts[..cut].iter().rev().copied() {
                self.take(1)?;
                while least.start() > start {
                    least.grow();
                }
                let Some(before) = peaks[start].filter(|_| start <= hot) else {
                    continue;
                };
                let around = least.bytes();
                if around > limit {
                    continue;
                }
                let Some(mut ending) = self.ending(start..end) else {
                    continue;
                };
                let may_hold = |limit| ending.loops.iter().any(|one| one.may_hold(start, limit));
                let (may_be_longer, may_be) = (may_hold(limit), may_hold(limit - around));
                let chain = match may_be {
                    true => self.chain(&mut ending, start..end)?,
                    false => None,
                };
                self.ends[end] = Some(ending);
                let peak = chain.map(|bytes| bytes.saturating_add(around).max(before));
                peaks[end] = peak.filter(|peak| *peak <= limit);
                if peaks[end].is_some() || !may_be_longer {
                    break;
                }
            }
        }
        Ok(peaks[count])
    }

    /// Takes steps.
    const fn take(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.steps += steps as u64;
        match self.steps > self.most_steps {
            true => Err(Exhausted),
            false => Ok(()),
        }
    }

    /// What is known of the ranges that end with one that may be a chain.
    fn ending(&mut self, nodes: Range<usize>) -> Option<Box<End>> {
        let program = self.program;
        if self.ends[nodes.end].is_none() {
            let seed = seed(program, &nodes)?;
            self.ends[nodes.end] = Some(Box::new(End {
                seed,
                loops: SeedLoop::of(program.node(seed)).collect(),
                chains: FxHashMap::default(),
            }));
        }
        self.ends[nodes.end].take_if(|ending| nodes.start <= ending.seed.index())
    }

    /// The bytes of the chain of a range that holds the least, without what is live before or after.
    fn chain(&mut self, ending: &mut End, nodes: Range<usize>) -> Result<Option<u64>, Exhausted> {
        if let Some(known) = ending.chains.get(&nodes.start) {
            return Ok(*known);
        }
        let seed = ending.seed;
        let mut spreads: SmallVec<[Option<Spread>; 4]> = SmallVec::new();
        for one in &mut ending.loops {
            if one.is_refused(nodes.start) {
                spreads.push(None);
                continue;
            }
            let spread = self.spreader.spread(nodes.clone(), seed, one.number);
            self.take(self.spreader.reached())?;
            if spread.is_err() {
                one.refuse(nodes.start);
            }
            spreads.push(spread.ok());
        }
        let mut least: Option<u64> = None;
        for (number, inner) in spreads.iter().enumerate() {
            let Some(inner) = inner else { continue };
            let one = &mut ending.loops[number];
            let lowest = match self.lowest(inner)? {
                Ok(lowest) => lowest,
                Err(refusal) => {
                    if refusal == Refusal::NoResult {
                        one.refuse(nodes.start);
                    }
                    continue;
                }
            };
            let mut held = self.held(&[(inner, &lowest)]);
            let mut bytes = held.most();
            // Whether ranges that begin earlier have no other dimensions.
            let mut are_same = true;
            for (outer, spread) in ending.loops.iter().zip(&spreads).skip(number + 1) {
                let outer = self.program.node(seed).loops[outer.number as usize];
                let Some(spread) = spread.as_ref().filter(|_| may_be_outer(outer, inner)) else {
                    continue;
                };
                self.take(inner.links.len())?;
                let narrowest = Frontiers::of(spread, 1, 0);
                match narrowest.ok().filter(|_| may_nest(inner, spread)) {
                    Some(narrowest) => {
                        let both = self.held(&[(inner, &lowest), (spread, &narrowest)]);
                        bytes = bytes.min(both.most());
                        held.strips = held.strips.min(both.strips);
                    }
                    None => are_same = false,
                }
            }
            if are_same {
                ending.loops[number].learn(nodes.start, held.strips);
            }
            least = Some(least.map_or(bytes, |least| least.min(bytes)));
        }
        ending.chains.insert(nodes.start, least);
        Ok(least)
    }

    /// What a chain holds at least.
    fn held(&self, splits: &[(&Spread, &Frontiers)]) -> LeastBytes {
        LeastBytes::of(self.program, self.pairs, splits)
    }

    /// The lowest strips in which a dimension can be split.
    fn lowest(&mut self, spread: &Spread) -> Result<Result<Frontiers, Refusal>, Exhausted> {
        let (seed, number) = spread.seed;
        let rows = self.program.node(seed).loops[number as usize].extent;
        let mut all = heights(rows, false);
        all.extend(heights(rows, true));
        all.sort_unstable();
        let mut refusal = Refusal::OneStrip;
        for height in all {
            match self.strips(spread, height)? {
                Err(Refusal::Rates) => refusal = Refusal::Rates,
                Err(other) => return Ok(Err(other)),
                Ok(found) if height == 1 => return Ok(Ok(found)),
                Ok(found) => return self.lower(spread, found).map(Ok),
            }
        }
        Ok(Err(refusal))
    }

    /// The lowest strips: all that fit have a multiple of the rows of these.
    fn lower(&mut self, spread: &Spread, found: Frontiers) -> Result<Frontiers, Exhausted> {
        let mut lower: Vec<i64> = divisors(found.height).collect();
        lower.sort_unstable();
        for height in lower {
            if let Ok(lower) = self.strips(spread, height)? {
                return Ok(lower);
            }
        }
        Ok(found)
    }

    /// Strips of so many rows.
    fn strips(
        &mut self,
        spread: &Spread,
        height: i64,
    ) -> Result<Result<Frontiers, Refusal>, Exhausted> {
        self.take(spread.links.len())?;
        Ok(Frontiers::of(spread, height, 0))
    }
}
