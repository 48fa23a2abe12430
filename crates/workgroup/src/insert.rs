//! Adds barriers where they lower the bytes.
//!
//! A barrier never makes more buffers interfere. So all candidates together give the fewest bytes that barriers can reach.
//! Where these are fewer, the barrier that saves most is added, again and again; if none saves anything alone, the best
//! pair is. If neither helps further, barriers are removed one by one from all candidates, as long as the bytes stay the
//! same. In the end, each barrier whose removal costs nothing is dropped.

use crate::control::Control;
use crate::{Action, Analysis, Interference, Kernel, Options, Place, PlanError};
use memplan_flow::Components;
use memplan_planner::{Effort, Planner};
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
    let most = options.most_barriers;
    let mut chosen = Vec::new();
    let mut bytes = search.bytes(&[])?;
    let least = search.bytes(&candidates)?;
    while bytes > least && chosen.len() < most {
        let singles = candidates.iter().map(|one| vec![*one]);
        let mut found = search.best(&chosen, singles, bytes)?;
        if found.is_none() && chosen.len() + 2 <= most {
            let pairs = candidates.iter().enumerate().flat_map(|(at, one)| {
                let others = candidates[at + 1..].iter();
                others.map(|other| vec![*one, *other])
            });
            found = search.best(&chosen, pairs, bytes)?;
        }
        let Some((better, places)) = found else {
            break;
        };
        (bytes, chosen) = (better, places);
    }
    if bytes > least {
        let all = search.reduced(candidates, least)?;
        if all.len() <= most {
            chosen = all;
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

/// The places where a barrier may help, those outside of loops first: before accesses and at ends of blocks, in uniform
/// control, except beside a barrier.
fn candidates(kernel: &Kernel) -> Result<Vec<Place>, PlanError> {
    let control = Control::of(kernel)?;
    let components = Components::of(&control.graph);
    let mut places = Vec::new();
    let blocks = control.order.iter().copied();
    for block in blocks.filter(|block| control.is_uniform(*block)) {
        let actions = &kernel.blocks[block].actions;
        for at in 0..=actions.len() {
            let next = actions.get(at);
            let is_access = next.is_none_or(|action| {
                action.reads().next().is_some() || action.writes().next().is_some()
            });
            let is_after_barrier = at > 0 && actions[at - 1] == Action::Barrier;
            if is_access && !is_after_barrier {
                places.push((components.is_cyclic(block), Place { block, action: at }));
            }
        }
    }
    places.sort_by_key(|(is_in_loop, _)| *is_in_loop);
    Ok(places.into_iter().map(|(_, place)| place).collect())
}

fn except(places: &[Place], at: usize) -> Vec<Place> {
    let mut places = places.to_vec();
    places.remove(at);
    places
}

struct Search<'k> {
    kernel: &'k Kernel,
    effort: Effort,
    attempts: u32,
    /// The bytes of plans so far. Most barriers change nothing.
    known: HashMap<Interference, u64>,
}

impl Search<'_> {
    /// The bytes of the plan with these barriers.
    fn bytes(&self, places: &[Place]) -> Result<u64, PlanError> {
        let kernel = self.kernel.with_barriers(places);
        self.planned(&kernel, &Analysis::of(&kernel)?)
    }

    /// The same, or the bytes of a plan with the same interference.
    fn similar_bytes(&mut self, places: &[Place]) -> Result<u64, PlanError> {
        let kernel = self.kernel.with_barriers(places);
        let analysis = Analysis::of(&kernel)?;
        if let Some(bytes) = self.known.get(analysis.interference()) {
            return Ok(*bytes);
        }
        let bytes = self.planned(&kernel, &analysis)?;
        self.known.insert(analysis.interference().clone(), bytes);
        Ok(bytes)
    }

    fn planned(&self, kernel: &Kernel, analysis: &Analysis) -> Result<u64, PlanError> {
        let options = memplan_planner::Options::default().with_effort(self.effort);
        let outcome = Planner::Auto.solve_with(&analysis.problem(kernel), &options)?;
        Ok(outcome.solution.peak)
    }

    /// The first of the choices with the fewest bytes, below `bytes`, together with the barriers that were chosen before.
    fn best(
        &mut self,
        chosen: &[Place],
        choices: impl Iterator<Item = Vec<Place>>,
        bytes: u64,
    ) -> Result<Option<(u64, Vec<Place>)>, PlanError> {
        let mut best = None;
        let mut fewest = bytes;
        for choice in choices {
            if self.attempts == 0 {
                break;
            }
            self.attempts -= 1;
            let places = [chosen, &choice].concat();
            let bytes = self.similar_bytes(&places)?;
            if bytes < fewest {
                fewest = bytes;
                best = Some((bytes, places));
            }
        }
        Ok(best)
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
