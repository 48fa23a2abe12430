//! Adds barriers where they lower the bytes.
//!
//! A barrier never makes more buffers interfere. So all candidates together give the fewest bytes that barriers can reach.
//! Where these are fewer, the barrier that saves most is added, again and again. Several intervals may need the most bytes;
//! a barrier that lowers only some of them helps later ones. If no barrier helps alone, the best pair is added.
//!
//! Where that does not reach the fewest bytes, two other answers are tried. With few candidates, pairs are added wherever
//! they save more. And barriers are removed one by one from all candidates, as long as the bytes stay the same. In the end,
//! each barrier whose removal costs nothing is dropped.

use crate::control::Control;
use crate::{Action, Analysis, Interference, Kernel, Options, Place, PlanError};
use memplan_flow::Components;
use memplan_planner::{Effort, Planner, Problem};
use std::collections::HashMap;

/// A barrier that is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// Where: before this action, or at the end of the block. Positions are those in the kernel without added barriers.
    pub place: Place,
    /// How many more bytes the plan would have without this barrier and with the other added ones. Two barriers that help
    /// only together save the same bytes.
    pub saved_bytes: u64,
}

/// Most steps of the planner for a comparison.
const QUICK: u64 = 100_000;

/// Finds the barriers to add to a kernel, in the order of their places. [`plan`](crate::plan()) calls this.
///
/// # Errors
///
/// Those of [`plan`](crate::plan()).
pub fn insert_barriers(kernel: &Kernel, options: &Options) -> Result<Vec<Inserted>, PlanError> {
    let mut search = Search {
        kernel,
        effort: Effort::Steps(options.effort.steps().min(QUICK)),
        attempts: options.attempts,
        known: HashMap::new(),
    };
    let candidates = candidates(kernel)?;
    let all: Vec<Place> = candidates.iter().map(|one| one.place).collect();
    let most = options.most_barriers;
    let least = search.cost(&all)?.bytes;
    let (mut bytes, mut chosen) = search.greedy(&candidates, most, least, false)?;
    let are_few = candidates.len() * candidates.len() <= search.attempts as usize;
    if bytes > least && are_few {
        let (by_pairs, pairs) = search.greedy(&candidates, most, least, true)?;
        if by_pairs < bytes {
            (bytes, chosen) = (by_pairs, pairs);
        }
    }
    if bytes > least {
        let few = search.reduced(all, least)?;
        if few.len() <= most {
            chosen = few;
        }
    }
    let mut search = Search {
        effort: options.effort,
        attempts: u32::MAX,
        ..search
    };
    let bytes = search.bytes(&chosen)?;
    chosen = search.reduced(chosen, bytes)?;
    chosen.sort_unstable();
    let bytes = search.bytes(&chosen)?;
    let mut inserted = Vec::new();
    for (at, &place) in chosen.iter().enumerate() {
        let without = search.bytes(&except(&chosen, at))?;
        let saved_bytes = without.saturating_sub(bytes);
        inserted.push(Inserted { place, saved_bytes });
    }
    Ok(inserted)
}

/// A place where a barrier may help.
#[derive(Clone, Copy)]
struct Candidate {
    place: Place,
    is_in_loop: bool,
}

/// The candidates, those outside of loops first: before accesses and at ends of blocks, in uniform control, except beside a
/// barrier.
fn candidates(kernel: &Kernel) -> Result<Vec<Candidate>, PlanError> {
    let control = Control::of(kernel)?;
    let components = Components::of(&control.graph);
    let mut found = Vec::new();
    let blocks = control.order.iter().copied();
    for block in blocks.filter(|block| control.is_uniform(*block)) {
        let actions = &kernel.blocks[block].actions;
        for action in 0..=actions.len() {
            let is_access = actions.get(action).is_none_or(|action| {
                action.reads().next().is_some() || action.writes().next().is_some()
            });
            let is_after_barrier = action > 0 && actions[action - 1] == Action::Barrier;
            if is_access && !is_after_barrier {
                found.push(Candidate {
                    place: Place { block, action },
                    is_in_loop: components.is_cyclic(block),
                });
            }
        }
    }
    found.sort_by_key(|candidate| candidate.is_in_loop);
    Ok(found)
}

fn except(places: &[Place], at: usize) -> Vec<Place> {
    let mut places = places.to_vec();
    places.remove(at);
    places
}

/// The cost of a plan. Less is better: first fewer bytes, then lower sums in the largest intervals.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    bytes: u64,
    /// For each time of the problem, the sum of the sizes of live buffers; the largest sum first.
    sums: Vec<u64>,
}

struct Search<'k> {
    kernel: &'k Kernel,
    effort: Effort,
    attempts: u32,
    /// The costs of plans so far. Most barriers change nothing.
    known: HashMap<Interference, Cost>,
}

impl Search<'_> {
    /// The bytes of the plan with these barriers.
    fn bytes(&self, places: &[Place]) -> Result<u64, PlanError> {
        let kernel = self.kernel.with_barriers(places);
        let problem = Analysis::of(&kernel)?.problem(&kernel);
        self.planned(&problem)
    }

    /// The cost of the plan with these barriers, or of another plan with the same interference.
    fn cost(&mut self, places: &[Place]) -> Result<Cost, PlanError> {
        let kernel = self.kernel.with_barriers(places);
        let analysis = Analysis::of(&kernel)?;
        if let Some(cost) = self.known.get(analysis.interference()) {
            return Ok(cost.clone());
        }
        let problem = analysis.problem(&kernel);
        let bytes = self.planned(&problem)?;
        let mut sums: Vec<u64> = Vec::new();
        for buffer in &problem.buffers {
            for time in buffer.live.iter().flat_map(|live| live.start..live.end) {
                let time = time as usize;
                sums.resize(sums.len().max(time + 1), 0);
                sums[time] += buffer.size;
            }
        }
        sums.sort_unstable_by_key(|sum| std::cmp::Reverse(*sum));
        let cost = Cost { bytes, sums };
        self.known
            .insert(analysis.interference().clone(), cost.clone());
        Ok(cost)
    }

    fn planned(&self, problem: &Problem) -> Result<u64, PlanError> {
        let options = memplan_planner::Options::default().with_effort(self.effort);
        let outcome = Planner::Auto.solve_with(problem, &options)?;
        Ok(outcome.solution.peak)
    }

    /// Adds a barrier or a pair, again and again, until the bytes are `least` or nothing helps. Without `by_pairs`, it adds
    /// pairs only where no barrier helps alone.
    fn greedy(
        &mut self,
        candidates: &[Candidate],
        most: usize,
        least: u64,
        by_pairs: bool,
    ) -> Result<(u64, Vec<Place>), PlanError> {
        let mut chosen = Vec::new();
        let mut cost = self.cost(&[])?;
        while cost.bytes > least && chosen.len() < most {
            let singles = candidates.iter().map(|one| vec![*one]);
            let mut found = self.best(&chosen, singles, &cost)?;
            if chosen.len() + 2 <= most && (by_pairs || found.is_none()) {
                let pairs = candidates.iter().enumerate().flat_map(|(at, one)| {
                    let others = candidates[at + 1..].iter();
                    others.map(|other| vec![*one, *other])
                });
                let bytes = found.as_ref().map_or(cost.bytes, |(cost, _)| cost.bytes);
                let pair = self.best(&chosen, pairs, &cost)?;
                found = pair.filter(|(cost, _)| cost.bytes < bytes).or(found);
            }
            let Some(better) = found else {
                break;
            };
            (cost, chosen) = better;
        }
        Ok((cost.bytes, chosen))
    }

    /// The choice with the fewest bytes, if it is better than `cost`, together with the barriers that were chosen before. Of
    /// those with the same bytes, it has the fewest barriers in loops.
    fn best(
        &mut self,
        chosen: &[Place],
        choices: impl Iterator<Item = Vec<Candidate>>,
        cost: &Cost,
    ) -> Result<Option<(Cost, Vec<Place>)>, PlanError> {
        let mut best: Option<(usize, Cost, Vec<Place>)> = None;
        for choice in choices {
            if self.attempts == 0 {
                break;
            }
            self.attempts -= 1;
            let added = choice.iter().map(|candidate| candidate.place);
            let places: Vec<Place> = chosen.iter().copied().chain(added).collect();
            let new = self.cost(&places)?;
            let in_loops = choice.iter().filter(|one| one.is_in_loop).count();
            let is_first = best.as_ref().is_none_or(|(most, old, _)| {
                (new.bytes, in_loops, &new.sums) < (old.bytes, *most, &old.sums)
            });
            if new < *cost && is_first {
                best = Some((in_loops, new, places));
            }
        }
        Ok(best.map(|(_, cost, places)| (cost, places)))
    }

    /// The barriers without those that the bytes do not need; those in loops go first.
    fn reduced(&mut self, mut places: Vec<Place>, bytes: u64) -> Result<Vec<Place>, PlanError> {
        for at in (0..places.len()).rev() {
            if self.attempts == 0 {
                break;
            }
            self.attempts -= 1;
            let without = except(&places, at);
            if self.bytes(&without)? <= bytes {
                places = without;
            }
        }
        Ok(places)
    }
}
