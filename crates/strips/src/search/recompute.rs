//! Rows that strips compute again, so that no line buffer or border keeps them.
//!
//! A chain starts with all rows kept. While it holds too much, one more buffer is computed again: the one that saves the most
//! bytes for each iteration that is repeated. What feeds it is computed again with it, up to buffers that keep rows anyway,
//! which keep some more.
//!
//! MCUNetV2 (Lin et al., NeurIPS 2021) computes halos again in all layers of a patch; here, each buffer has its own choice.

use super::{Chosen, Range};
use crate::{
    chain::Spread,
    cost::Layout,
    frontiers::Frontiers,
    in_place::Pairs,
    program::{BufferId, Program, Role},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The dimensions of a chain, the innermost first.
type Splits = SmallVec<[(Rc<Spread>, Rc<Frontiers>); 2]>;

/// A chain that may compute more rows again.
pub struct Refining {
    splits: Splits,
    /// The chain so far.
    pub chosen: Chosen,
    /// For a dimension and a buffer, what it gained when that was computed last.
    scores: FxHashMap<(usize, usize), f64>,
    /// Whether something was computed again since all buffers were tried.
    is_changed: bool,
    /// Whether nothing is left to compute again.
    is_done: bool,
}

/// One of the buffers that keep rows.
struct Candidate {
    dimension: usize,
    place: usize,
    /// Bytes that are kept for each iteration that would be repeated.
    gain: f64,
}

/// What a buffer would gain.
struct Scored {
    score: f64,
    candidate: Candidate,
    /// The chain, if it was computed in this step.
    found: Option<(Splits, Chosen)>,
}

/// Buffers that are tried first; each step tries those that gained the most before (lazy greedy: Minoux, 1978).
const TRIED: usize = 12;

/// Buffers that are computed again with one, one after the other.
const WITH_IT: usize = 16;

/// What computes the bytes of a chain.
pub trait Measure {
    /// The chain with its bytes.
    fn measure(&self, range: &Range, splits: &[(&Spread, &Frontiers)]) -> Chosen;
    /// Iterations of a node.
    fn iterations(&self, node: usize) -> u64;
}

impl Refining {
    /// A chain that keeps all rows.
    pub fn new(splits: Splits, chosen: Chosen) -> Self {
        Self {
            splits,
            chosen,
            scores: FxHashMap::default(),
            is_changed: false,
            is_done: false,
        }
    }

    /// Its innermost dimension.
    pub fn inner(&self) -> &Spread {
        &self.splits[0].0
    }

    /// Whether it may hold at most `limit`.
    pub const fn may_hold(&self, limit: u64) -> bool {
        !self.is_done && self.chosen.bytes.saturating_sub(self.chosen.cost.kept) <= limit
    }

    /// Computes more rows again: the number of frontiers that were tried, and whether the chain holds less now.
    pub fn step(
        &mut self,
        program: &Program,
        pairs: &Pairs,
        range: &Range,
        most: u64,
        measure: &impl Measure,
    ) -> (u64, bool) {
        let mut tried = 0;
        // What each would gain; those that are not computed in this step gained as much in an earlier one.
        let mut scores: Vec<Scored> = Vec::new();
        let mut gains = 0;
        for candidate in self.candidates(program, pairs, measure) {
            let key = (candidate.dimension, candidate.place);
            let (score, found) = match self.scores.get(&key) {
                Some(score) => (*score, None),
                None if gains < TRIED => {
                    self.evaluate(range, &candidate, most, measure, &mut tried)
                }
                None => continue,
            };
            gains += usize::from(score > 0.0);
            scores.push(Scored {
                score,
                candidate,
                found,
            });
        }
        let mut best = None;
        while let Some(at) = highest(&scores) {
            let scored = &mut scores[at];
            if let Some(found) = scored.found.take() {
                best = Some(found);
                break;
            }
            let candidate = &scored.candidate;
            let (score, found) = self.evaluate(range, candidate, most, measure, &mut tried);
            (scored.score, scored.found) = (score, found);
        }
        for Scored {
            score, candidate, ..
        } in scores
        {
            let key = (candidate.dimension, candidate.place);
            self.scores.insert(key, score);
        }
        match best {
            Some((splits, chosen)) => {
                (self.splits, self.chosen) = (splits, chosen);
                self.is_changed = true;
                (tried, true)
            }
            None => {
                // What gained nothing may gain something now.
                self.is_done = !self.is_changed;
                self.is_changed = false;
                self.scores.clear();
                (tried, false)
            }
        }
    }

    /// The bytes that one more buffer saves for each iteration that it repeats; 0 if it saves none, or repeats too much.
    fn evaluate(
        &self,
        range: &Range,
        candidate: &Candidate,
        most: u64,
        measure: &impl Measure,
        tried: &mut u64,
    ) -> (f64, Option<(Splits, Chosen)>) {
        let Some(splits) = self.with(candidate, tried) else {
            return (0.0, None);
        };
        let chosen = measure.measure(range, &borrowed(&splits));
        if chosen.bytes >= self.chosen.bytes || chosen.repeated > most {
            return (0.0, None);
        }
        let saved = (self.chosen.bytes - chosen.bytes) as f64;
        let repeated = chosen.repeated.saturating_sub(self.chosen.repeated);
        let score = saved / (repeated as f64 + 1.0);
        (score, Some((splits, chosen)))
    }

    /// The buffers that keep rows, the most promising ones first.
    fn candidates(
        &self,
        program: &Program,
        pairs: &Pairs,
        measure: &impl Measure,
    ) -> Vec<Candidate> {
        let splits = borrowed(&self.splits);
        let layout = Layout::new(program, pairs, &splits);
        let inner = splits[0].0;
        // For each buffer, the iterations of what writes it.
        let mut iterations = vec![0_u64; inner.buffers.len()];
        for link in &inner.links {
            let accesses = &program.node(link.node).accesses;
            for (access, place) in accesses.iter().zip(&link.places) {
                if let Some(place) = place.filter(|_| access.writes) {
                    let more = measure.iterations(link.node.index());
                    let known = &mut iterations[place as usize];
                    *known = known.saturating_add(more);
                }
            }
        }
        let mut found = Vec::new();
        for (dimension, (_, frontiers)) in splits.iter().enumerate() {
            for (place, front) in frontiers.buffers.iter().enumerate() {
                if !layout.is_carried(place, dimension) || !self.may_be_again(dimension, place) {
                    continue;
                }
                let bytes = match dimension {
                    0 => layout.strip_bytes(place),
                    outer => layout.border_bytes(place, outer),
                };
                let part = front.overlap() as f64 / front.made.rate.max(1) as f64;
                let repeated = iterations[place] as f64 * part;
                found.push(Candidate {
                    dimension,
                    place,
                    gain: bytes as f64 / (repeated + 1.0),
                });
            }
        }
        found.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        found
    }

    /// Rows that are kept between strips of the outer dimension are kept once for each row of the inner one.
    fn may_be_again(&self, dimension: usize, place: usize) -> bool {
        let outer = self.splits.iter().skip(1);
        dimension > 0
            || outer
                .map(|(_, frontiers)| &frontiers.buffers[place])
                .all(|front| !front.is_carried())
    }

    /// The dimensions with one more buffer that is computed again, and what feeds it.
    fn with(&self, candidate: &Candidate, tried: &mut u64) -> Option<Splits> {
        let dimension = candidate.dimension;
        let (spread, before) = &self.splits[dimension];
        let is_carried = |frontiers: &Frontiers, place: usize| {
            spread.buffers[place].role == Role::Between && frontiers.buffers[place].is_carried()
        };
        let mut again = again_of(spread, before);
        let add = |again: &mut Vec<BufferId>, place: usize| {
            let buffer = spread.buffers[place].buffer;
            let at = again.partition_point(|other| *other < buffer);
            again.insert(at, buffer);
        };
        add(&mut again, candidate.place);
        for _ in 0..WITH_IT {
            *tried += 1;
            let (height, phase) = (before.height, before.phase);
            let after = Frontiers::with_again(spread, height, phase, &again).ok()?;
            let newly = (0..spread.buffers.len()).filter(|place| {
                is_carried(&after, *place)
                    && !is_carried(before, *place)
                    && self.may_be_again(dimension, *place)
            });
            let newly: Vec<usize> = newly.collect();
            if newly.is_empty() {
                let mut splits = self.splits.clone();
                splits[dimension].1 = Rc::new(after);
                return is_possible(&splits).then_some(splits);
            }
            for place in newly {
                add(&mut again, place);
            }
        }
        None
    }
}

/// The place of the highest score above 0.
fn highest(scores: &[Scored]) -> Option<usize> {
    let gains = scores.iter().enumerate().filter(|(_, one)| one.score > 0.0);
    gains
        .max_by(|(_, one), (_, other)| one.score.total_cmp(&other.score))
        .map(|(at, _)| at)
}

/// Whether no buffer keeps rows between strips of an outer dimension and has rows of an inner one computed again.
fn is_possible(splits: &Splits) -> bool {
    let [(_, inner), outer @ ..] = &splits[..] else {
        return false;
    };
    let is_kept = |place: usize| {
        let mut outer = outer.iter();
        outer.any(|(_, frontiers)| frontiers.buffers[place].is_carried())
    };
    let mut buffers = inner.buffers.iter().enumerate();
    buffers.all(|(place, front)| !front.is_again || !is_kept(place))
}

/// The buffers of which rows are computed again.
pub fn again_of(spread: &Spread, frontiers: &Frontiers) -> Vec<BufferId> {
    let both = spread.buffers.iter().zip(&frontiers.buffers);
    both.filter(|(_, front)| front.is_again)
        .map(|(split, _)| split.buffer)
        .collect()
}

fn borrowed(splits: &Splits) -> SmallVec<[(&Spread, &Frontiers); 2]> {
    splits
        .iter()
        .map(|(spread, frontiers)| (&**spread, &**frontiers))
        .collect()
}
