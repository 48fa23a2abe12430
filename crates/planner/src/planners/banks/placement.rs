//! Places buffers one by one, each at the lowest offset that banks and placed buffers leave, and searches over orders.
//!
//! A buffer that finds no offset is left out. An order is better if fewer bytes are left out, then if the peak is lower.

use super::super::Task;
use super::super::meetings::{Meeting, forbidden, meetings};
use super::super::random::Random;
use crate::alignment::{align_up, common};
use crate::bank_choices::apart;
use crate::banks::{BankLayout, BankRule, Banks, Run, is_adjacent};
use crate::{Buffer, Planner, Problem, Solution};
use std::collections::HashMap;

/// Steps without a better plan, for each buffer, after which the order is perturbed.
const PATIENCE: usize = 8;

/// An offset that is not decided.
const OPEN: u64 = u64::MAX;

/// The end of memory that has none.
const FAR: u64 = 1 << 62;

/// The most strips of interleaved banks that are tried for a buffer before it is left out.
const MOST_STRIPS: u64 = 1 << 12;

pub struct Placer<'t> {
    task: &'t Task<'t>,
    problem: &'t Problem,
    banks: &'t Banks,
    rules: Vec<Option<&'t BankRule>>,
    apart: Vec<Vec<u32>>,
    meetings: Vec<Vec<Meeting>>,
    /// For each buffer, offsets at which it meets a forbidden range, as open intervals.
    forbidden: Vec<Vec<(i64, i64)>>,
    /// The end of the memory.
    end: u64,
    /// The steps of one placement of all buffers.
    pass: u64,
}

/// Offsets for some of the buffers.
pub struct Placed {
    offsets: Vec<u64>,
    /// The bytes of the others.
    pub unplaced: u64,
    peak: u64,
}

impl Placed {
    /// Less is better.
    pub fn rank(&self) -> (u64, u64) {
        (self.unplaced, self.peak)
    }

    /// Whether all buffers have an offset.
    pub fn is_complete(&self) -> bool {
        !self.offsets.contains(&OPEN)
    }
}

impl<'t> Placer<'t> {
    /// `None` without banks, or if there are too many pairs of ranges that are in use at once.
    pub fn new(task: &'t Task<'t>) -> Option<Self> {
        let problem = task.problem;
        let banks = problem.banks.as_ref()?;
        let meetings = meetings(problem)?;
        let rules: HashMap<u64, &BankRule> = banks
            .rules
            .placements
            .iter()
            .map(|it| (it.id, it))
            .collect();
        let pairs: usize = meetings.iter().map(Vec::len).sum();
        let buffers = problem.buffers.iter();
        Some(Placer {
            task,
            problem,
            banks,
            rules: buffers
                .clone()
                .map(|it| rules.get(&it.id).copied())
                .collect(),
            apart: apart(problem, banks),
            forbidden: buffers.map(|it| forbidden(problem, it)).collect(),
            meetings,
            end: problem.limit().unwrap_or(FAR).min(FAR),
            // Intervals are sorted, and banks are tried: more than a look at each.
            pass: 8 * pairs as u64 + 64 * problem.buffers.len() as u64 + 64,
        })
    }

    /// The order of a planner. Fixed buffers are placed before it.
    pub fn order(&self, planner: Planner) -> Vec<u32> {
        let buffers = &self.problem.buffers;
        let time = |at: u32| {
            let uses = buffers[at as usize].uses();
            uses.fold(0, |sum: u64, (time, ..)| {
                sum.saturating_add(time.end - time.start)
            })
        };
        let start = |at: u32| {
            buffers[at as usize]
                .uses()
                .map(|(time, ..)| time.start)
                .min()
        };
        let size = |at: u32| buffers[at as usize].size;
        let conflicts = |at: u32| {
            let others = self.meetings[at as usize].chunk_by(|one, other| one.other == other.other);
            others.fold(0, |sum: u64, group| {
                sum.saturating_add(size(group[0].other))
            })
        };
        let mut order: Vec<u32> = (0..buffers.len() as u32).collect();
        order.sort_by_cached_key(|&at| match planner {
            Planner::BySize => (u64::MAX - size(at), u64::MAX - time(at)),
            Planner::ByArea => (u64::MAX - size(at).saturating_mul(time(at)), 0),
            Planner::ByConflicts => (u64::MAX - conflicts(at).saturating_add(size(at)), 0),
            _ => (start(at).unwrap_or(0), u64::MAX - size(at)),
        });
        order
    }

    /// The solution, if all buffers are placed.
    pub fn solution(&self, placed: &Placed) -> Option<Solution> {
        let is_complete = placed.is_complete();
        is_complete.then(|| Solution::new(self.problem, placed.offsets.clone()))
    }

    /// Looks for better orders for that many steps, or until `take` is content with a solution.
    pub fn search(
        &self,
        mut rank: (u64, u64),
        mut order: Vec<u32>,
        mut steps: u64,
        mut take: impl FnMut(Solution) -> bool,
    ) {
        let mut random = Random::new(self.task.options.seed);
        let mut idle = 0;
        while steps >= self.pass && !self.task.is_late() && order.len() > 1 {
            steps -= self.pass;
            let mut next = order.clone();
            let is_stuck = idle > PATIENCE * next.len();
            let moves = if is_stuck { 1 + next.len() / 8 } else { 1 };
            for _ in 0..moves {
                let from = random.below(next.len());
                let item = next.remove(from);
                next.insert(random.below(from + 1), item);
            }
            let placed = self.place(&next);
            idle += 1;
            if placed.rank() <= rank || is_stuck {
                if placed.rank() < rank || is_stuck {
                    idle = 0;
                }
                (rank, order) = (placed.rank(), next);
            }
            if let Some(found) = self.solution(&placed)
                && take(found)
            {
                return;
            }
        }
    }

    /// Places the buffers in this order, after the fixed ones and those that touch nothing.
    pub fn place(&self, order: &[u32]) -> Placed {
        let buffers = &self.problem.buffers;
        let decided = |buffer: &Buffer| match buffer.fixed_offset {
            Some(offset) => offset,
            None if buffer.is_active() => OPEN,
            None => 0,
        };
        let mut offsets: Vec<u64> = buffers.iter().map(decided).collect();
        let mut unplaced = 0u64;
        for &at in order {
            let at = at as usize;
            if offsets[at] == OPEN {
                match self.lowest(at, &offsets) {
                    Some(offset) => offsets[at] = offset,
                    None => unplaced = unplaced.saturating_add(buffers[at].size),
                }
            }
        }
        let placed = buffers
            .iter()
            .zip(&offsets)
            .filter(|(_, offset)| **offset != OPEN);
        let peak = placed
            .map(|(buffer, offset)| offset + buffer.size)
            .max()
            .unwrap_or(0);
        Placed {
            offsets,
            unplaced,
            peak,
        }
    }

    /// The lowest possible offset of a buffer.
    fn lowest(&self, at: usize, offsets: &[u64]) -> Option<u64> {
        let size = self.problem.buffers[at].size;
        let mut excluded = self.forbidden[at].clone();
        for meeting in &self.meetings[at] {
            let offset = offsets[meeting.other as usize];
            if offset != OPEN {
                let offset = offset as i64;
                excluded.push((offset + meeting.above, offset + meeting.below));
            }
        }
        excluded.sort_unstable();
        let placed = self.apart[at]
            .iter()
            .filter(|&&other| offsets[other as usize] != OPEN);
        let taken: Vec<Run> = placed
            .filter_map(|&other| {
                let other = other as usize;
                let layout = &self.banks.layout;
                layout.run_at(self.problem.buffers[other].size, offsets[other])
            })
            .collect();
        let mut offset = self.in_banks(at, 0, &taken)?;
        loop {
            if offset + size > self.end {
                return None;
            }
            // Sorted by their lower end, so the first that contains the offset may be followed by longer ones.
            let around = excluded
                .iter()
                .take_while(|(above, _)| *above < offset as i64);
            let next = around
                .map(|&(_, below)| below)
                .filter(|&below| below > offset as i64)
                .max();
            match next {
                Some(next) => offset = self.in_banks(at, next as u64, &taken)?,
                None => return Some(offset),
            }
        }
    }

    /// The lowest aligned offset from this one on at which the rules of banks hold for a buffer that must not touch what is
    /// taken.
    fn in_banks(&self, at: usize, from: u64, taken: &[Run]) -> Option<u64> {
        let Buffer {
            size, alignment, ..
        } = self.problem.buffers[at];
        let rule = self.rules[at];
        let all = self.banks.layout.count();
        let is_allowed =
            |bank: u32| rule.is_none_or(|it| it.banks.is_empty() || it.banks.contains(&bank));
        let is_free = |bank: u32| !taken.iter().any(|run| run.has(bank, all));
        match &self.banks.layout {
            BankLayout::Contiguous(banks) => {
                let crosses = rule.is_some_and(|rule| rule.crosses);
                let is_possible = |at: usize| is_allowed(at as u32) && is_free(at as u32);
                let mut first = banks.partition_point(|bank| bank.end <= from);
                while first < banks.len() {
                    let mut last = first;
                    if is_possible(first) {
                        while crosses
                            && last + 1 < banks.len()
                            && is_possible(last + 1)
                            && is_adjacent(&banks[last..=last + 1])
                        {
                            last += 1;
                        }
                        let offset = align_up(from.max(banks[first].start), alignment);
                        if offset + size <= banks[last].end {
                            return Some(offset);
                        }
                    }
                    first = last + 1;
                }
                None
            }
            BankLayout::Interleaved { width, .. } => {
                let mut offset = align_up(from, alignment);
                // After these, the banks and the offsets in their strips repeat.
                let period = width.saturating_mul(all.into());
                let repeats = alignment / common([alignment, period].into_iter());
                let strips = repeats.saturating_mul(all.into()).min(MOST_STRIPS);
                for _ in 0..=strips {
                    let run = self.banks.layout.run_at(size, offset)?;
                    if is_allowed(run.first) && !taken.iter().any(|it| it.meets(run, all)) {
                        return Some(offset);
                    }
                    // The first offset in a strip touches the fewest banks.
                    offset = align_up((offset / width + 1) * width, alignment);
                    if offset > self.end {
                        return None;
                    }
                }
                None
            }
        }
    }
}
