//! One place for each value, on all paths and in all turns.

use super::{Paths, PathsError, Walked, each_value, mode::Mode, walk::Run};
use crate::{
    plan::Placement,
    program::{Block, Item, Var},
    tree::Value,
};
use memplan_planner::{Buffer, Effort, Options, Planner, Problem, Solution, validate::validate};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// When a value may be live, on any path and in any turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Life {
    /// Its name.
    pub name: Var,
    /// What it is.
    pub value: Value,
    /// Half-open ranges of instants, two for each operation, in the order in which these are first met.
    pub live: Vec<(u64, u64)>,
}

impl Paths<'_> {
    /// The stack if nothing is shared on any path: the most bytes that a path makes. Linear.
    pub fn plain(&self) -> u64 {
        self.plain_of(self.program)
    }

    fn plain_of(&self, block: &Block) -> u64 {
        let items = block.items.iter().map(|item| match item {
            Item::Step { makes, .. } => {
                let sizes = makes.iter().map(|(_, value)| self.size(value));
                sizes.fold(0, u64::saturating_add)
            }
            Item::Alias { .. } => 0,
            Item::Branch { arms, .. } => {
                arms.iter().map(|arm| self.plain_of(arm)).max().unwrap_or(0)
            }
            Item::Loop {
                turns,
                induction,
                body,
                ..
            } => {
                let number = induction.as_ref().map_or(0, |(_, value)| self.size(value));
                let turn = self.plain_of(body).saturating_add(number);
                turn.saturating_mul(*turns)
            }
        });
        items.fold(0, u64::saturating_add)
    }

    /// One place for each value, of which no two share a byte, on whatever path they are; `None` where
    /// something is made in a loop that turns more than once, which takes a place for each turn. Linear.
    pub fn apart(&self) -> Option<Walked> {
        let mut places = FxHashMap::default();
        let peak = self.behind(self.program, 0, &mut places)?;
        Some(Walked::still(peak, Some(places)))
    }

    /// One past the highest byte of what a block makes, from `top` on.
    fn behind(&self, block: &Block, mut top: u64, places: &mut FxHashMap<Var, u64>) -> Option<u64> {
        for item in &block.items {
            match item {
                Item::Step { makes, .. } => {
                    for (name, value) in makes {
                        places.insert(*name, top);
                        top = top.checked_add(self.size(value))?;
                    }
                }
                Item::Alias { .. } | Item::Loop { turns: 0, .. } => {}
                Item::Branch { arms, .. } => {
                    for arm in arms {
                        top = self.behind(arm, top, places)?;
                    }
                }
                Item::Loop {
                    turns,
                    induction,
                    body,
                    ..
                } => {
                    let start = top;
                    if let Some((name, value)) = induction {
                        places.insert(*name, top);
                        top = top.checked_add(self.size(value))?;
                    }
                    top = self.behind(body, top, places)?;
                    if *turns > 1 && top > start {
                        return None;
                    }
                }
            }
        }
        Some(top)
    }

    /// One place for each value on all paths, by a planner: values that are live at once somewhere lie
    /// apart. Never higher than a scan of which all paths agree. `None` if a value is live together with an
    /// older one of the same name.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn one_place(&self, effort: Effort) -> Result<Option<Walked>, PathsError> {
        let Some(lives) = self.lives()? else {
            return Ok(None);
        };
        let options = Options::default().with_effort(effort);
        let Ok(solved) = Planner::Auto.solve_with(&self.problem(&lives), &options) else {
            return Ok(None);
        };
        let names = lives.iter().map(|life| life.name);
        let offsets = names.zip(solved.solution.offsets);
        let mut best = Walked::still(solved.solution.peak, Some(offsets.collect()));
        for placement in [Placement::First, Placement::Best] {
            if let Ok(other) = self.scan(placement)
                && other.offsets.is_some()
                && other.peak < best.peak
            {
                best = other;
            }
        }
        Ok(Some(best))
    }

    /// The lowest stack without moves: of one place for each value, if there is that, and of scans, of which
    /// paths may not agree on one.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load), if none is found.
    pub fn lowest_still(&self, one_place: Option<&Walked>) -> Result<Walked, PathsError> {
        let mut best = one_place.cloned();
        let mut problem = PathsError::Work;
        for placement in [Placement::First, Placement::Best] {
            match self.scan(placement) {
                Ok(other) if best.as_ref().is_none_or(|best| other.peak < best.peak) => {
                    best = Some(other);
                }
                Ok(_) => {}
                Err(error) => problem = error,
            }
        }
        best.ok_or(problem)
    }

    /// Whether one place for each value is right: what may be live at once lies apart. Finds out what may be
    /// live by itself; values that exclude each other count as live at once behind the branch.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn holds(&self, offsets: &FxHashMap<Var, u64>) -> Result<bool, PathsError> {
        let Some(lives) = self.lives()? else {
            return Ok(false);
        };
        let places = lives.iter().map(|life| offsets.get(&life.name).copied());
        let places: Option<Vec<u64>> = places.collect();
        let problem = self.problem(&lives);
        Ok(places
            .is_some_and(|places| validate(&problem, &Solution::new(&problem, places)).is_ok()))
    }

    /// What may be live when, ascending names; `None` if a value is live together with an older one of the
    /// same name.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn lives(&self) -> Result<Option<Vec<Life>>, PathsError> {
        let run = Run::of(self.program, self.unit, Mode::Trace)?;
        if run.overlaps_itself {
            return Ok(None);
        }
        let mut values: FxHashMap<Var, Value> = FxHashMap::default();
        each_value(self.program, &mut |name, value| {
            values.insert(name, *value);
        });
        let mut lives: Vec<Life> = Vec::with_capacity(run.instants.len());
        for (name, instants) in run.instants {
            let mut instants: Vec<u64> = instants.into_iter().collect();
            instants.sort_unstable();
            let mut live: Vec<(u64, u64)> = Vec::new();
            for at in instants {
                match live.last_mut() {
                    Some(last) if last.1 == at => last.1 = at + 1,
                    _ => live.push((at, at + 1)),
                }
            }
            let value = values.get(&name).copied().ok_or(PathsError::Unknown)?;
            lives.push(Life { name, value, live });
        }
        lives.sort_unstable_by_key(|life| life.name);
        Ok(Some(lives))
    }

    fn problem(&self, lives: &[Life]) -> Problem {
        let buffers = lives.iter().map(|life| {
            let live: SmallVec<[(u64, u64); 4]> = life.live.iter().copied().collect();
            let size = self.size(&life.value);
            Buffer::new(u64::from(life.name.0), size, live).aligned(self.unit)
        });
        Problem {
            buffers: buffers.collect(),
            ..Problem::default()
        }
    }
}
