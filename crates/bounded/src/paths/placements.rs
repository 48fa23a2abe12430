//! One offset for each value, the same on all paths and in all iterations.

use super::{Paths, PathsError, StackLayout, each_value, interpreter::Interpreter, mode::Mode};
use crate::{
    plan::Placement,
    program::{Block, Item, Var},
    tree::Value,
};
use memplan_planner::{Buffer, Effort, Options, Planner, Problem, Solution, validate::validate};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The live range of a name, over all paths and iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveRange {
    /// The name.
    pub name: Var,
    /// The value that it stands for.
    pub value: Value,
    /// Half-open ranges of instants, two for each operation, which are numbered as they are first interpreted.
    pub live: Vec<(u64, u64)>,
}

impl Paths<'_> {
    /// The size of the stack without any reuse: each path places its values one above the other. What a block adds
    /// depends on where it starts only by the alignment there, so that the work is linear in the program times the
    /// strictest alignment at most.
    pub fn plain(&self) -> u64 {
        let mut known = FxHashMap::default();
        self.plain_end(self.program, 0, &mut known)
    }

    /// One past the last byte of a block whose values are placed from `top` on. `known` has the bytes that blocks add, by
    /// their address and by what is over at the start.
    fn plain_end(
        &self,
        block: &Block,
        top: u64,
        known: &mut FxHashMap<(*const Block, u64), u64>,
    ) -> u64 {
        let start = top % self.unit;
        if let Some(added) = known.get(&(std::ptr::from_ref(block), start)) {
            return top.saturating_add(*added);
        }
        let mut end = start;
        for item in &block.items {
            match item {
                Item::Step { defines, .. } => {
                    for (_, value) in defines {
                        end = above(end, value);
                    }
                }
                Item::Alias { .. } => {}
                Item::Branch { arms, .. } => {
                    let ends = arms.iter().map(|arm| self.plain_end(arm, end, known));
                    end = ends.max().unwrap_or(end);
                }
                Item::Loop {
                    trip_count,
                    induction,
                    body,
                    ..
                } => {
                    let iteration = |from: u64, known: &mut _| {
                        let from = induction
                            .as_ref()
                            .map_or(from, |(_, value)| above(from, value));
                        self.plain_end(body, from, known)
                    };
                    end = self.repeated(end, *trip_count, |from| iteration(from, known));
                }
            }
        }
        known.insert((std::ptr::from_ref(block), start), end - start);
        top.saturating_add(end - start)
    }

    /// The top after `times` iterations from `top` on. After as many as the strictest alignment, what is over repeats.
    fn repeated(&self, top: u64, times: u64, mut iteration: impl FnMut(u64) -> u64) -> u64 {
        let mut tops = vec![top];
        let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
        seen.insert(top % self.unit, 0);
        while (tops.len() as u64) <= times {
            let last = tops[tops.len() - 1];
            let next = iteration(last);
            if next == u64::MAX {
                return next;
            }
            if let Some(&first) = seen.get(&(next % self.unit)) {
                // The iterations from `first` on repeat.
                let period = (tops.len() - first) as u64;
                let grown = next - tops[first];
                let rest = times - first as u64;
                let whole = grown.saturating_mul(rest / period);
                let part = tops[first + (rest % period) as usize];
                return part.saturating_add(whole);
            }
            seen.insert(next % self.unit, tops.len());
            tops.push(next);
        }
        tops[tops.len() - 1]
    }

    /// A layout in which no two values share a byte, whatever paths they are on. `None` if a loop with more than one
    /// iteration defines values, which would need an offset for each iteration. Linear.
    pub fn disjoint(&self) -> Option<StackLayout> {
        let mut offsets = FxHashMap::default();
        let peak = self.place_disjoint(self.program, 0, &mut offsets)?;
        Some(StackLayout::without_moves(peak, Some(offsets)))
    }

    /// Places the values of a block from `top` on. Returns one past the highest byte.
    fn place_disjoint(
        &self,
        block: &Block,
        mut top: u64,
        offsets: &mut FxHashMap<Var, u64>,
    ) -> Option<u64> {
        for item in &block.items {
            match item {
                Item::Step { defines, .. } => {
                    for (name, value) in defines {
                        top = place(*name, value, top, offsets)?;
                    }
                }
                Item::Alias { .. } | Item::Loop { trip_count: 0, .. } => {}
                Item::Branch { arms, .. } => {
                    for arm in arms {
                        top = self.place_disjoint(arm, top, offsets)?;
                    }
                }
                Item::Loop {
                    trip_count,
                    induction,
                    body,
                    ..
                } => {
                    let start = top;
                    if let Some((name, value)) = induction {
                        top = place(*name, value, top, offsets)?;
                    }
                    top = self.place_disjoint(body, top, offsets)?;
                    if *trip_count > 1 && top > start {
                        return None;
                    }
                }
            }
        }
        Some(top)
    }

    /// A layout with one offset for each value on all paths, found by a solver: values that are live at the same time
    /// are disjoint. Never higher than a scan whose offsets are the same on all paths. `None` if a value is live
    /// together with an older one of the same name.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load).
    pub fn fixed_offsets(&self, effort: Effort) -> Result<Option<StackLayout>, PathsError> {
        let Some(live_ranges) = self.live_ranges()? else {
            return Ok(None);
        };
        let options = Options::default().with_effort(effort);
        let Ok(solved) = Planner::Auto.solve_with(&self.problem(&live_ranges), &options) else {
            return Ok(None);
        };
        let names = live_ranges.iter().map(|range| range.name);
        let offsets = names.zip(solved.solution.offsets);
        let mut best = StackLayout::without_moves(solved.solution.peak, Some(offsets.collect()));
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

    /// The lowest stack without moves: the lower one of `fixed_offsets`, if there is one, and of the scans, whose offsets
    /// may differ between paths.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load), if no layout is found.
    pub fn lowest_without_moves(
        &self,
        fixed_offsets: Option<&StackLayout>,
    ) -> Result<StackLayout, PathsError> {
        let mut best = fixed_offsets.cloned();
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

    /// Whether `offsets` is valid: values that may be live at the same time are disjoint. Computes the live ranges
    /// itself. Values of different arms that reach the same name count as live together after the branch.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load).
    pub fn offsets_are_valid(&self, offsets: &FxHashMap<Var, u64>) -> Result<bool, PathsError> {
        let Some(live_ranges) = self.live_ranges()? else {
            return Ok(false);
        };
        let known = live_ranges
            .iter()
            .map(|range| offsets.get(&range.name).copied());
        let known: Option<Vec<u64>> = known.collect();
        let problem = self.problem(&live_ranges);
        Ok(known.is_some_and(|known| validate(&problem, &Solution::new(&problem, known)).is_ok()))
    }

    /// The live ranges, by ascending names; `None` if a value is live together with an older one of the same name.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load).
    pub fn live_ranges(&self) -> Result<Option<Vec<LiveRange>>, PathsError> {
        let run = Interpreter::run(self.program, self.unit, Mode::Trace)?;
        if run.overlaps_itself {
            return Ok(None);
        }
        let mut values: FxHashMap<Var, Value> = FxHashMap::default();
        each_value(self.program, &mut |name, value| {
            values.insert(name, *value);
        });
        let mut live_ranges: Vec<LiveRange> = Vec::with_capacity(run.instants.len());
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
            live_ranges.push(LiveRange { name, value, live });
        }
        live_ranges.sort_unstable_by_key(|range| range.name);
        Ok(Some(live_ranges))
    }

    fn problem(&self, live_ranges: &[LiveRange]) -> Problem {
        let buffers = live_ranges.iter().map(|range| {
            let live: SmallVec<[(u64, u64); 4]> = range.live.iter().copied().collect();
            Buffer::new(u64::from(range.name.0), range.value.size, live)
                .aligned(range.value.alignment)
        });
        Problem {
            buffers: buffers.collect(),
            ..Problem::default()
        }
    }
}

/// One past the last byte of a value at the lowest offset from `top` on; `top` if it has no bytes.
fn above(top: u64, value: &Value) -> u64 {
    match (value.size, top.checked_next_multiple_of(value.alignment)) {
        (0, _) => top,
        (size, Some(offset)) => offset.saturating_add(size),
        (_, None) => u64::MAX,
    }
}

/// Places a value at the lowest offset from `top` on. Returns one past its last byte; `None` if that is too large.
fn place(name: Var, value: &Value, top: u64, offsets: &mut FxHashMap<Var, u64>) -> Option<u64> {
    if value.size == 0 {
        offsets.insert(name, 0);
        return Some(top);
    }
    let offset = top.checked_next_multiple_of(value.alignment)?;
    offsets.insert(name, offset);
    offset.checked_add(value.size)
}
