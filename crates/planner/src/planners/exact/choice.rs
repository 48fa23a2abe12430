//! What to decide about next.

use super::super::random::Random;
use super::model::{Model, NOWHERE};
use super::state::State;
use crate::timeline::Span;

/// What makes an item come early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// The conflicts that its sections were in.
    Blame,
    /// The same, times the fourth root of its size.
    BlameAndSize,
    /// Many sections, and the conflicts of the worst of them.
    Time,
    /// Size times sections, and the conflicts of the worst of them.
    Area,
    /// Size, and the conflicts of the worst of its sections.
    Size,
}

/// Of which of the lowest sections to take an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// Of any: the item with the best rank counts.
    Anywhere,
    /// Of the one with the fewest items that can fill its floor, for each conflict it was in.
    Scarce,
    /// The same, but conflicts count as their square root.
    LessBlamed,
}

/// How one run of the search chooses.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    pub rank: Rank,
    pub place: Where,
}

/// The orders, and what conflicts have taught.
pub struct Choice {
    pick: Pick,
    /// For each section how often it was in conflict; old conflicts count less.
    blame: Vec<f64>,
    /// For each item its place in the order of the ranks.
    order: Vec<u32>,
    random: Random,
    /// For each section of the piece at hand.
    fillers: Vec<Fillers>,
}

/// The items that can fill the floor of a section.
#[derive(Clone, Copy)]
struct Fillers {
    count: u32,
    /// The first in the order: its place there and itself.
    first: (u32, u32),
}

const NO_FILLERS: Fillers = Fillers {
    count: 0,
    first: (u32::MAX, u32::MAX),
};

/// What a conflict weighs, next to the 1 of a section that was in none. Much more, and the runs
/// follow the conflicts of the last ones only.
const BLAME: f64 = 0.01;

/// What a conflict weighs after a run, for what it weighed before.
const FADE: f64 = 0.999;

/// Part of an item's rank that is random.
const NOISE: f64 = 0.02;

impl Choice {
    pub fn new(model: &Model, seed: u64) -> Self {
        Choice {
            pick: Pick {
                rank: Rank::Size,
                place: Where::Anywhere,
            },
            blame: vec![1.0; model.section_count()],
            order: vec![0; model.count()],
            random: Random::new(seed),
            fillers: vec![NO_FILLERS; model.section_count()],
        }
    }

    /// A new run begins.
    pub fn prepare(&mut self, model: &Model, pick: Pick) {
        self.pick = pick;
        for blame in &mut self.blame {
            *blame *= FADE;
        }
        let mut ranks: Vec<(f64, u32)> = (0..model.count() as u32)
            .map(|item| (self.rank(model, item), item))
            .collect();
        ranks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (place, (_, item)) in (0..).zip(ranks) {
            self.order[item as usize] = place;
        }
    }

    fn rank(&mut self, model: &Model, item: u32) -> f64 {
        let sections = model.sections.of(item);
        let time = sections.len() as f64;
        let size = model.size[item as usize] as f64;
        let blame = sections.iter().map(|&section| self.blame[section as usize]);
        // Roots are exact on every machine; other powers are not.
        let rank = match self.pick.rank {
            Rank::Blame => blame.sum(),
            Rank::BlameAndSize => blame.sum::<f64>() * size.sqrt().sqrt(),
            Rank::Time => time * blame.fold(0.0, f64::max),
            Rank::Area => time * size * blame.fold(0.0, f64::max),
            Rank::Size => size * blame.fold(0.0, f64::max),
        };
        rank * (1.0 + NOISE * self.random.fraction())
    }

    /// `section` was in conflict.
    pub fn blame(&mut self, section: u32) {
        self.blame[section as usize] += BLAME;
    }

    /// The most pressing of the pieces of time into which `around` has fallen.
    pub fn piece(&self, state: &State<'_>, around: Span) -> Span {
        let mut best = (0, around);
        let mut section = around.start;
        while section < around.end {
            if state.rest[section as usize] == 0 {
                section += 1;
                continue;
            }
            let start = section;
            let mut pressure = 0;
            while section < around.end && (section == start || state.across[section as usize] > 0) {
                let height = state.floor[section as usize] + state.rest[section as usize];
                pressure = pressure.max(height);
                section += 1;
            }
            if pressure > best.0 {
                let end = section;
                best = (pressure, Span { start, end });
            }
        }
        best.1
    }

    /// One of the lowest items of `piece`, in which there is one.
    pub fn item(&mut self, state: &mut State<'_>, piece: Span) -> u32 {
        let sections = piece.start as usize..piece.end as usize;
        let floors = &state.floor[sections.clone()];
        let floor = floors.iter().copied().min().unwrap_or(NOWHERE);
        self.fillers[sections.clone()].fill(NO_FILLERS);
        let mut steps = (2 * sections.len() + state.model.count() / 4) as u64;
        for item in state.waiting_at(floor) {
            let hull = state.model.hull[item as usize];
            if hull.start < piece.start || hull.end > piece.end {
                continue;
            }
            let order = self.order[item as usize];
            let sections = state.model.sections.of(item);
            steps += sections.len() as u64;
            for &section in sections {
                let fillers = &mut self.fillers[section as usize];
                fillers.count += 1;
                fillers.first = fillers.first.min((order, item));
            }
        }
        state.steps += steps;
        let mut best = (f64::INFINITY, NO_FILLERS.first);
        for section in sections {
            let Fillers { count, first } = self.fillers[section];
            if count == 0 {
                continue;
            }
            let scarce = match self.pick.place {
                Where::Anywhere => 0.0,
                Where::Scarce => f64::from(count) / self.blame[section],
                Where::LessBlamed => f64::from(count) / self.blame[section].sqrt(),
            };
            if (scarce, first) < best {
                best = (scarce, first);
            }
        }
        best.1.1
    }
}
