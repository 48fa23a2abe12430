//! In which banks each buffer of a problem may lie, as choices between runs of banks.
//!
//! A *choice* of a buffer is a [`Run`]: the buffer lies in these banks and in no other. The choices of a buffer cover all of
//! its placements below a *limit*. Choose a run for each buffer such that buffers that are apart have runs without a common
//! bank: then every placement in these runs keeps the rules of banks, and is a plan if it is one without banks.
//!
//! Such a choice is a problem without banks ([`Choices::chosen`]): bytes outside of a run are forbidden for the buffers of
//! the run alone. Forbidden ranges have times, so each of these buffers is live at one more time, at the end, at which no
//! other buffer is live; the bytes are forbidden at these times. If all buffers are in one bank, the bytes below it are
//! forbidden at all times, and the capacity is the end of the bank.
//!
//! The planners and the certificate checker share this module. The checker trusts no choice of a planner: it enumerates
//! the choices itself.

use crate::alignment::{align_down, align_up, common};
use crate::banks::{BankLayout, BankRule, Banks, Run, is_adjacent};
use crate::{Buffer, Forbidden, LiveRange, Problem, Window};
use std::collections::{BTreeSet, HashMap};

/// The most forbidden ranges that the strips of interleaved banks become.
const MOST_STRIPS: u64 = 1 << 12;

/// The highest limit for which there are problems without banks.
const HIGHEST: u64 = 1 << 61;

/// Any placement at all, in interleaved banks.
pub const ANYWHERE: Run = Run {
    first: 0,
    count: u32::MAX,
};

/// The choices of the buffers of a problem.
pub struct Choices<'p> {
    pub problem: &'p Problem,
    banks: &'p Banks,
    /// Plans end at or below this address.
    pub limit: u64,
    /// The choices of each buffer, by position, sorted; none for buffers that touch no bank.
    pub domains: Vec<Vec<Run>>,
    /// The positions of the buffers that are apart from each buffer, and at some time in use at once.
    pub apart: Vec<Vec<u32>>,
    /// Whether the first byte of a buffer must be in the first bank of its run.
    starts: Vec<bool>,
    /// Banks in which the same buffers have the same placements have the same number.
    kinds: Vec<u32>,
}

/// The buffers that are apart from each buffer and at some time in use at once, by position. Quadratic in the members of a
/// group: operations touch few buffers.
pub fn apart(problem: &Problem, banks: &Banks) -> Vec<Vec<u32>> {
    let at: HashMap<u64, u32> = problem.buffers.iter().map(|it| it.id).zip(0..).collect();
    let mut apart: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); problem.buffers.len()];
    for group in &banks.rules.apart {
        let members: Vec<u32> = group.iter().filter_map(|id| at.get(id).copied()).collect();
        for (index, &one) in members.iter().enumerate() {
            for &other in &members[..index] {
                let [first, second] = [one, other].map(|at| &problem.buffers[at as usize]);
                if one != other && are_used_at_once(first, second) {
                    apart[one as usize].insert(other);
                    apart[other as usize].insert(one);
                }
            }
        }
    }
    apart
        .into_iter()
        .map(|it| it.into_iter().collect())
        .collect()
}

fn are_used_at_once(one: &Buffer, other: &Buffer) -> bool {
    let both_active = one.is_active() && other.is_active();
    both_active
        && one.uses().any(|(time, ..)| {
            let mut others = other.uses();
            others.any(|(other, ..)| time.start < other.end && other.start < time.end)
        })
}

/// The fewest banks that a buffer of this size touches.
pub fn least_touched(layout: &BankLayout, size: u64) -> u64 {
    match layout {
        BankLayout::Contiguous(_) => 1,
        BankLayout::Interleaved { count, width } => size.div_ceil(*width).min((*count).into()),
    }
}

impl<'p> Choices<'p> {
    /// The choices in plans that end at or below `limit`. `None` if the problem, which must be valid, has no banks.
    pub fn new(problem: &'p Problem, limit: u64) -> Option<Self> {
        let banks = problem.banks.as_ref()?;
        let limit = limit.min(banks.layout.end().unwrap_or(u64::MAX));
        let apart = apart(problem, banks);
        let rules: HashMap<u64, &BankRule> = banks
            .rules
            .placements
            .iter()
            .map(|it| (it.id, it))
            .collect();
        let mut domains = Vec::with_capacity(problem.buffers.len());
        let mut starts = Vec::with_capacity(problem.buffers.len());
        for (buffer, apart) in problem.buffers.iter().zip(&apart) {
            let rule = rules.get(&buffer.id).copied();
            let is_interleaved = matches!(banks.layout, BankLayout::Interleaved { .. });
            starts.push(is_interleaved && rule.is_some_and(|rule| !rule.banks.is_empty()));
            domains.push(match buffer.is_active() {
                true => domain(&banks.layout, buffer, rule, !apart.is_empty(), limit),
                false => Vec::new(),
            });
        }
        let kinds = kinds(problem, &banks.layout, limit);
        Some(Choices {
            problem,
            banks,
            limit,
            domains,
            apart,
            starts,
            kinds,
        })
    }

    /// The number of banks.
    pub fn count(&self) -> u32 {
        self.banks.layout.count()
    }

    /// Whether plans can end above the limit.
    pub fn is_all(&self) -> bool {
        self.limit >= self.banks.layout.end().unwrap_or(u64::MAX)
    }

    /// Whether the buffer at this position touches banks.
    pub fn is_used(&self, position: usize) -> bool {
        self.problem
            .buffers
            .get(position)
            .is_some_and(Buffer::is_active)
    }

    /// The bank of a run in contiguous banks that is one bank.
    fn one_bank(&self, run: Run) -> Option<crate::Bank> {
        match &self.banks.layout {
            BankLayout::Contiguous(banks) if run.count == 1 => {
                banks.get(run.first as usize).copied()
            }
            _ => None,
        }
    }

    /// The least end of a buffer in its contiguous banks, by itself; `None` without a choice.
    pub fn least_end(&self, position: usize) -> Option<u64> {
        let BankLayout::Contiguous(banks) = &self.banks.layout else {
            return None;
        };
        let buffer = self.problem.buffers.get(position)?;
        let starts = self.domains[position]
            .iter()
            .map(|run| banks[run.first as usize].start);
        starts
            .map(|start| align_up(start, buffer.alignment) + buffer.size)
            .min()
    }

    /// Whether there are such banks, one after the other.
    pub fn is_run(&self, run: Run) -> bool {
        match &self.banks.layout {
            BankLayout::Contiguous(banks) => {
                let first = run.first as usize;
                let run = banks.get(first..first.saturating_add(run.count as usize));
                run.is_some_and(|run| !run.is_empty() && is_adjacent(run))
            }
            BankLayout::Interleaved { count, .. } => {
                run == ANYWHERE || run.first < *count && (1..=*count).contains(&run.count)
            }
        }
    }

    /// The first bank that is like a run that is one contiguous bank, and how much lower it starts.
    pub fn first_alike(&self, run: Run) -> Option<(Run, u64)> {
        let BankLayout::Contiguous(banks) = &self.banks.layout else {
            return None;
        };
        let own = self.one_bank(run)?;
        let first = self.kinds[run.first as usize];
        Some((
            Run { first, count: 1 },
            own.start - banks[first as usize].start,
        ))
    }

    /// Whether the same buffers can be in the two runs.
    pub fn are_alike(&self, one: Run, other: Run) -> bool {
        let kind = |run: Run| self.kinds.get(run.first as usize);
        one == other || one.count == 1 && other.count == 1 && kind(one) == kind(other)
    }

    /// Whether two runs have a bank in common.
    pub fn meet(&self, one: Run, other: Run) -> bool {
        one.meets(other, self.count())
    }

    /// The choices of a buffer that have to be tried where `domains` has those that are left. Of two banks in which the
    /// same buffers have the same placements, and which are choices of the same buffers, the first suffices: in a plan, the
    /// contents of the two can change places.
    pub fn to_try(&self, domains: &[Vec<Run>], position: usize) -> Vec<Run> {
        let all = &domains[position];
        let has_twin = |at: usize| {
            let mut earlier = all[..at].iter();
            earlier.any(|&other| {
                let both_whole = [other, all[at]]
                    .iter()
                    .all(|&run| self.one_bank(run).is_some());
                both_whole
                    && self.are_alike(other, all[at])
                    && is_symmetric(domains, other, all[at])
            })
        };
        let kept = (0..all.len()).filter(|&at| !has_twin(at));
        kept.map(|at| all[at]).collect()
    }

    /// The problem without banks in which these buffers lie in these runs, all of the other buffers left out. It has no plan
    /// within its capacity if and only if they cannot lie there below the limit. `None` where it has too many ranges or
    /// too large numbers.
    pub fn chosen(&self, placements: &[(u32, Run)]) -> Option<Problem> {
        if self.limit > HIGHEST {
            return None;
        }
        let of = |&(position, _): &(u32, Run)| self.problem.buffers.get(position as usize).cloned();
        let buffers: Option<Vec<Buffer>> = placements.iter().map(of).collect();
        let buffers = buffers?;
        let first = placements.first().map(|&(_, run)| run);
        let is_same = placements.iter().all(|&(_, run)| Some(run) == first);
        let bank = first.filter(|_| is_same).and_then(|run| self.one_bank(run));
        if let Some(bank) = bank
            && buffers.iter().all(|buffer| !buffer.live.is_empty())
        {
            let mut forbidden = self.problem.forbidden.clone();
            if bank.start > 0 {
                forbidden.push(Forbidden::new(0, bank.start));
            }
            return Some(Problem {
                buffers,
                capacity: Some(bank.end.min(self.limit)),
                forbidden,
                banks: None,
            });
        }
        self.chosen_by_time(placements, buffers)
    }

    /// The same with a time for each buffer at which bytes outside of its run are forbidden.
    fn chosen_by_time(
        &self,
        placements: &[(u32, Run)],
        mut buffers: Vec<Buffer>,
    ) -> Option<Problem> {
        let ends = buffers
            .iter()
            .flat_map(Buffer::uses)
            .map(|(time, ..)| time.end);
        let horizon = ends.max().unwrap_or(0);
        // What is forbidden later must not be forbidden at the added times.
        let mut forbidden: Vec<Forbidden> = Vec::new();
        for range in &self.problem.forbidden {
            match range.during {
                None => forbidden.push(*range),
                Some(during) if during.start < horizon => {
                    forbidden.push(range.during(during.start, during.end.min(horizon)));
                }
                Some(_) => {}
            }
        }
        let mut order: Vec<usize> = (0..placements.len()).collect();
        order.sort_by_key(|&at| placements[at].1);
        let mut time = horizon;
        for group in order.chunk_by(|&one, &other| placements[one].1 == placements[other].1) {
            let run = placements[group[0]].1;
            if run != ANYWHERE && run.count < self.count() || self.is_contiguous() {
                let start = time;
                for &at in group {
                    let end = time.checked_add(1)?;
                    buffers[at].live.push(LiveRange { start: time, end });
                    time = end;
                }
                let outside = self.outside(run)?.into_iter();
                forbidden
                    .extend(outside.map(|(from, to)| Forbidden::new(from, to).during(start, time)));
            }
            let starting = group
                .iter()
                .filter(|&&at| self.starts[placements[at].0 as usize]);
            let start = time;
            for &at in starting {
                let during = LiveRange {
                    start: time,
                    end: time.checked_add(1)?,
                };
                time = during.end;
                buffers[at].windows.push(Window {
                    during,
                    low: 0,
                    high: 1,
                });
            }
            if start < time {
                let outside = self.outside(Run { count: 1, ..run })?.into_iter();
                forbidden
                    .extend(outside.map(|(from, to)| Forbidden::new(from, to).during(start, time)));
            }
        }
        // The windows of a buffer are in order: those that were added are the last.
        Some(Problem {
            buffers,
            capacity: Some(self.limit),
            forbidden,
            banks: None,
        })
    }

    fn is_contiguous(&self) -> bool {
        matches!(self.banks.layout, BankLayout::Contiguous(_))
    }

    /// The bytes up to the limit that are not in the banks of a run.
    fn outside(&self, run: Run) -> Option<Vec<(u64, u64)>> {
        let end = self.limit + 1;
        let mut outside = Vec::new();
        let mut from = 0;
        let mut inside = |start: u64, stop: u64| {
            if from < start.min(end) {
                outside.push((from, start.min(end)));
            }
            from = stop;
        };
        match &self.banks.layout {
            BankLayout::Contiguous(banks) => {
                let first = run.first as usize;
                let last = first + run.count as usize - 1;
                inside(banks[first].start, banks[last].end);
            }
            BankLayout::Interleaved { count, width } => {
                let period = width.checked_mul((*count).into())?;
                if end / period > MOST_STRIPS {
                    return None;
                }
                let mut start = 0;
                // A run that goes on with bank 0 begins in the period before.
                let over = (run.first + run.count).saturating_sub(*count);
                inside(0, width * u64::from(over));
                while start < end {
                    let first = start + width * u64::from(run.first);
                    inside(first, first + width * u64::from(run.count));
                    start += period;
                }
            }
        }
        inside(end, end);
        Some(outside)
    }
}

/// Whether the same buffers have each of two banks as a choice, and none may lie in one of them and in others.
fn is_symmetric(domains: &[Vec<Run>], one: Run, other: Run) -> bool {
    domains.iter().all(|domain| {
        let covers = |run: &Run| {
            let end = run.first.saturating_add(run.count);
            run.count > 1
                && [one, other]
                    .iter()
                    .any(|it| (run.first..end).contains(&it.first))
        };
        domain.contains(&one) == domain.contains(&other) && !domain.iter().any(covers)
    })
}

/// The choices of a buffer. If it is apart from others, each run of banks that it can touch is one.
fn domain(
    layout: &BankLayout,
    buffer: &Buffer,
    rule: Option<&BankRule>,
    is_apart: bool,
    limit: u64,
) -> Vec<Run> {
    let is_allowed =
        |bank: u32| rule.is_none_or(|it| it.banks.is_empty() || it.banks.contains(&bank));
    let is_restricted = rule.is_some_and(|rule| !rule.banks.is_empty());
    let is_contiguous = matches!(layout, BankLayout::Contiguous(_));
    if !is_apart && !is_restricted && !is_contiguous {
        return vec![ANYWHERE];
    }
    if let Some(offset) = buffer.fixed_offset {
        let run = layout.run_at(buffer.size, offset);
        let fits = offset.saturating_add(buffer.size) <= limit;
        return run.filter(|_| fits).into_iter().collect();
    }
    let mut domain = match layout {
        BankLayout::Contiguous(banks) => {
            let crosses = rule.is_some_and(|rule| rule.crosses);
            let mut domain = Vec::new();
            for first in 0..banks.len() {
                let allowed = |last: usize| {
                    let is_next = last == first || crosses && is_adjacent(&banks[last - 1..=last]);
                    is_next && is_allowed(last as u32)
                };
                let reach = (first..banks.len())
                    .take_while(|&last| allowed(last))
                    .count();
                // Without others to be apart from, the longest runs have all placements.
                let is_inside = crosses
                    && !is_apart
                    && first > 0
                    && is_allowed(first as u32 - 1)
                    && is_adjacent(&banks[first - 1..=first]);
                let counts = match is_apart {
                    true => 1..reach + 1,
                    false if is_inside => 0..0,
                    false => reach.max(1)..reach + 1,
                };
                for count in counts {
                    let last = banks[first + count - 1];
                    let start = banks[first]
                        .start
                        .checked_next_multiple_of(buffer.alignment);
                    let end = start.and_then(|start| start.checked_add(buffer.size));
                    let fits = end.is_some_and(|end| end <= last.end.min(limit));
                    let touches =
                        count == 1 || !is_apart || last.start - banks[first].end + 2 <= buffer.size;
                    if fits && touches {
                        domain.push(Run {
                            first: first as u32,
                            count: count as u32,
                        });
                    }
                }
            }
            domain
        }
        BankLayout::Interleaved { count, width } => {
            // Offsets have these distances from where the banks repeat.
            let step = common([buffer.alignment, width * u64::from(*count)].into_iter());
            let mut runs = Vec::new();
            for first in (0..*count).filter(|&bank| is_allowed(bank)) {
                let start = width * u64::from(first);
                let low = align_up(start, step);
                if low >= start + width {
                    continue;
                }
                let touched = |offset: u64| {
                    let strips = (offset - start + buffer.size - 1) / width + 1;
                    strips.min((*count).into()) as u32
                };
                let most = touched(align_down(start + width - 1, step));
                let least = if is_apart { touched(low) } else { most };
                runs.extend((least..=most).map(|count| Run { first, count }));
            }
            runs
        }
    };
    domain.sort_unstable();
    domain
}

/// A number for each bank. Contiguous banks have the same one if they have the same bytes below the limit, the distance of
/// their starts is a multiple of each alignment, and nothing is forbidden in them.
fn kinds(problem: &Problem, layout: &BankLayout, limit: u64) -> Vec<u32> {
    let BankLayout::Contiguous(banks) = layout else {
        return (0..layout.count()).collect();
    };
    let mut alignments: Vec<u64> = problem.buffers.iter().map(|it| it.alignment).collect();
    alignments.sort_unstable();
    alignments.dedup();
    let is_plain = |bank: &crate::Bank| {
        let mut forbidden = problem.forbidden.iter();
        !forbidden.any(|range| range.start < bank.end && bank.start < range.end)
    };
    let bytes = |bank: &crate::Bank| bank.end.min(limit).saturating_sub(bank.start);
    let mut kinds: Vec<u32> = Vec::with_capacity(banks.len());
    for (number, bank) in banks.iter().enumerate() {
        let alike = (0..number).find(|&other| {
            let other = &banks[other];
            let distance = bank.start - other.start;
            is_plain(bank)
                && is_plain(other)
                && bytes(bank) == bytes(other)
                && alignments
                    .iter()
                    .all(|&alignment| distance.is_multiple_of(alignment))
        });
        kinds.push(alike.map_or(number as u32, |other| kinds[other]));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BankRules;

    fn run(first: u32, count: u32) -> Run {
        Run { first, count }
    }

    fn problem(layout: BankLayout, placements: Vec<BankRule>, apart: Vec<Vec<u64>>) -> Problem {
        let buffers = vec![
            Buffer::new(0, 6, [(0, 2)]),
            Buffer::new(1, 2, [(1, 3)]),
            Buffer::new(2, 1, [(2, 3)]),
        ];
        let rules = BankRules { placements, apart };
        let problem = Problem::new(buffers).expect("valid");
        problem.with_banks(Banks { layout, rules })
    }

    fn crossing(id: u64) -> BankRule {
        let banks = Vec::new();
        BankRule {
            id,
            banks,
            crosses: true,
        }
    }

    #[test]
    fn runs_cover_what_a_buffer_can_touch() {
        let layout = || BankLayout::of_sizes(&[4, 4, 4, 8]).expect("banks");
        let domains = |apart, limit| {
            let problem = problem(layout(), vec![crossing(0)], apart);
            Choices::new(&problem, limit).expect("banks").domains
        };
        let free = domains(Vec::new(), 20);
        assert_eq!(free[0], [run(0, 4)]);
        assert_eq!(free[1], [run(0, 1), run(1, 1), run(2, 1), run(3, 1)]);
        let apart = domains(vec![vec![0, 1]], 20);
        let all = [
            run(0, 2),
            run(0, 3),
            run(1, 2),
            run(1, 3),
            run(2, 2),
            run(3, 1),
        ];
        assert_eq!(apart[0], all);
        assert_eq!(domains(vec![vec![0, 1]], 9)[0], [run(0, 2), run(0, 3)]);
        assert_eq!(domains(Vec::new(), 9)[1], [run(0, 1), run(1, 1)]);
        // They are never in use at once.
        assert_eq!(domains(vec![vec![0, 2]], 20)[0], [run(0, 4)]);
    }

    #[test]
    fn runs_of_interleaved_banks_continue_with_the_first() {
        let layout = BankLayout::Interleaved { count: 3, width: 4 };
        let problem = problem(layout, Vec::new(), vec![vec![0, 1]]);
        let choices = Choices::new(&problem, 23).expect("banks");
        let all = [
            run(0, 2),
            run(0, 3),
            run(1, 2),
            run(1, 3),
            run(2, 2),
            run(2, 3),
        ];
        assert_eq!(choices.domains[0], all);
        assert_eq!(choices.domains[2], [ANYWHERE]);
        assert_eq!(choices.outside(run(2, 2)), Some(vec![(4, 8), (16, 20)]));
        assert_eq!(choices.outside(run(0, 1)), Some(vec![(4, 12), (16, 24)]));
    }

    #[test]
    fn buffers_of_one_bank_are_a_problem_without_times() {
        let layout = BankLayout::equal(4, 32).expect("banks");
        let problem = problem(layout, Vec::new(), Vec::new());
        let choices = Choices::new(&problem, 30).expect("banks");
        let one = choices
            .chosen(&[(0, run(3, 1)), (1, run(3, 1))])
            .expect("a problem");
        assert_eq!(
            (one.capacity, one.forbidden),
            (Some(30), vec![Forbidden::new(0, 24)])
        );
        let two = choices
            .chosen(&[(1, run(1, 1)), (0, run(0, 1))])
            .expect("a problem");
        assert_eq!(two.check(), Ok(()));
        let forbidden = [
            Forbidden::new(8, 31).during(3, 4),
            Forbidden::new(0, 8).during(4, 5),
            Forbidden::new(16, 31).during(4, 5),
        ];
        assert_eq!(
            (two.capacity, two.forbidden),
            (Some(30), forbidden.to_vec())
        );
    }

    #[test]
    fn alike_banks_are_tried_once() {
        let layout = BankLayout::equal(4, 32).expect("banks");
        let fixed = problem(layout.clone(), Vec::new(), Vec::new());
        let choices = Choices::new(&fixed, 32).expect("banks");
        let mut domains = choices.domains.clone();
        assert_eq!(choices.to_try(&domains, 0), [run(0, 1)]);
        domains[1] = vec![run(2, 1)];
        assert_eq!(choices.to_try(&domains, 0), [run(0, 1), run(2, 1)]);
        // The last bank is smaller below the limit, and one has forbidden bytes.
        let choices = Choices::new(&fixed, 31).expect("banks");
        assert_eq!(choices.to_try(&choices.domains, 0), [run(0, 1), run(3, 1)]);
        let forbidden =
            problem(layout, Vec::new(), Vec::new()).with_forbidden(Forbidden::new(7, 8));
        let choices = Choices::new(&forbidden, 32).expect("banks");
        assert_eq!(choices.to_try(&choices.domains, 0), [run(0, 1), run(1, 1)]);
    }
}
