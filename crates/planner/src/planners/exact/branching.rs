//! The branching heuristics: which item the search decides about next.

use super::super::random::Random;
use super::model::{Model, OFFSET_LIMIT};
use super::state::State;
use crate::timeline::Span;

/// The criterion that ranks items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// The conflicts of its sections.
    Blame,
    /// The conflicts of its sections times the fourth root of its size.
    BlameAndSize,
    /// The number of its sections times the conflicts of the worst of them.
    Time,
    /// Size times sections times the conflicts of the worst of them.
    Area,
    /// Size times the conflicts of the worst of its sections.
    Size,
}

/// The choice among the lowest sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionChoice {
    /// Any of them: the item with the best rank is taken.
    Anywhere,
    /// The section in which the number of items that can fill its floor, divided by its conflicts,
    /// is least.
    Scarce,
    /// The same with the square root of the conflicts.
    LessBlamed,
}

/// The branching heuristic of a run.
#[derive(Clone, Copy, Debug)]
pub struct Heuristic {
    pub rank: Rank,
    pub place: SectionChoice,
}

/// The state of the heuristics: the order of items and the learned weights.
pub struct Branching {
    heuristic: Heuristic,
    /// The weight of conflicts of each section; old conflicts count less.
    blame: Vec<f64>,
    /// The position of each item in the order of the ranks.
    order: Vec<u32>,
    random: Random,
    /// The fillers of each section of the current piece.
    fillers: Vec<Fillers>,
}

/// The items that can fill the floor of a section.
#[derive(Clone, Copy)]
struct Fillers {
    count: u32,
    /// The first in the order: its position and the item.
    first: (u32, u32),
}

const NO_FILLERS: Fillers = Fillers {
    count: 0,
    first: (u32::MAX, u32::MAX),
};

/// The weight of a conflict, relative to the initial weight 1 of a section. With a much larger
/// weight, the runs follow only the most recent conflicts.
const BLAME: f64 = 0.01;

/// The decay factor of the weights after each run.
const FADE: f64 = 0.999;

/// The random part of an item's rank.
const NOISE: f64 = 0.02;

impl Branching {
    pub fn new(model: &Model, seed: u64) -> Self {
        Branching {
            heuristic: Heuristic {
                rank: Rank::Size,
                place: SectionChoice::Anywhere,
            },
            blame: vec![1.0; model.section_count()],
            order: vec![0; model.count()],
            random: Random::new(seed),
            fillers: vec![NO_FILLERS; model.section_count()],
        }
    }

    /// Begins a run.
    pub fn prepare(&mut self, model: &Model, heuristic: Heuristic) {
        self.heuristic = heuristic;
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
        // Square roots are exact on every machine; other powers are not.
        let rank = match self.heuristic.rank {
            Rank::Blame => blame.sum(),
            Rank::BlameAndSize => blame.sum::<f64>() * size.sqrt().sqrt(),
            Rank::Time => time * blame.fold(0.0, f64::max),
            Rank::Area => time * size * blame.fold(0.0, f64::max),
            Rank::Size => size * blame.fold(0.0, f64::max),
        };
        rank * (1.0 + NOISE * self.random.fraction())
    }

    /// Records a conflict in `section`.
    pub fn blame(&mut self, section: u32) {
        self.blame[section as usize] += BLAME;
    }

    /// The most constrained of the connected pieces of time in `around`.
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

    /// Chooses one of the lowest items of `piece`, which must not be empty.
    pub fn item(&mut self, state: &mut State<'_>, piece: Span) -> u32 {
        let sections = piece.start as usize..piece.end as usize;
        let floors = &state.floor[sections.clone()];
        let floor = floors.iter().copied().min().unwrap_or(OFFSET_LIMIT);
        self.fillers[sections.clone()].fill(NO_FILLERS);
        let mut steps = (2 * sections.len() + state.model.count() / 4) as u64;
        for item in state.unplaced_at(floor) {
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
            let scarce = match self.heuristic.place {
                SectionChoice::Anywhere => 0.0,
                SectionChoice::Scarce => f64::from(count) / self.blame[section],
                SectionChoice::LessBlamed => f64::from(count) / self.blame[section].sqrt(),
            };
            if (scarce, first) < best {
                best = (scarce, first);
            }
        }
        best.1.1
    }
}
