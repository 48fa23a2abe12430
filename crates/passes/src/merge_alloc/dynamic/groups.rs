//! Groups of buffers that have the same bytes one after another.

use super::{PlanOptions, facts::Candidate};
use crate::coalescing::{self, Class, Life, join};
use memplan_lifetimes::{
    Analysis, Plannable,
    live::union,
    program::{BufferId, Position},
};
use memplan_planner::{Buffer, Problem};
use rustc_hash::FxHashMap;

/// What is known of each buffer.
pub struct Known<'k, 'c> {
    /// The analysis.
    pub analysis: &'k Analysis<'c>,
    /// Its liveness.
    pub plannable: FxHashMap<BufferId, &'k Plannable>,
    /// Its size.
    pub candidates: &'k FxHashMap<BufferId, &'k Candidate>,
}

/// Buffers of one size that share bytes.
pub struct Group {
    /// Live ranges of all of them.
    pub live: Vec<(Position, Position)>,
    /// Index of its size.
    pub size: usize,
    /// Alignment in bytes.
    pub alignment: u64,
}

/// A plan of groups, in units.
pub struct Packed {
    /// The offset of each group.
    pub offsets: Vec<u64>,
    /// The end of the last one.
    pub units: u64,
}

impl<'k, 'c> Known<'k, 'c> {
    /// Of all buffers of an analysis.
    pub fn new(
        analysis: &'k Analysis<'c>,
        candidates: &'k FxHashMap<BufferId, &'k Candidate>,
    ) -> Self {
        let plannable = analysis.plannable.iter();
        Self {
            analysis,
            plannable: plannable.map(|one| (one.buffer, one)).collect(),
            candidates,
        }
    }

    /// The groups of buffers that reuse each other's bytes, and the group of each. Buffers share bytes where their `sizes`,
    /// given as numbers, are the same.
    pub fn groups(
        &self,
        members: &[BufferId],
        sizes: &[usize],
        options: &PlanOptions,
    ) -> Option<(Vec<Group>, Vec<usize>)> {
        let mut own = Vec::with_capacity(members.len());
        for member in members {
            let plannable = *self.plannable.get(member)?;
            let candidate = *self.candidates.get(member)?;
            if !plannable.carried.is_empty() {
                return None;
            }
            own.push((plannable, candidate));
        }
        let lives: Vec<Life<'_>> = own
            .iter()
            .zip(sizes)
            .map(|((plannable, _), size)| Life {
                live: &plannable.live,
                through_one: &plannable.through_one,
                class: Some(Class::of_size(*size as u64)),
            })
            .collect();
        let numbers: FxHashMap<BufferId, usize> = members
            .iter()
            .enumerate()
            .map(|(number, member)| (*member, number))
            .collect();
        let takeovers = self.analysis.takeovers.iter();
        let takeovers = takeovers.filter(|one| options.in_place && one.copy.is_none());
        let takeovers: Vec<coalescing::Candidate> = takeovers
            .filter_map(|one| {
                let (from, to) = (*numbers.get(&one.from)?, *numbers.get(&one.to)?);
                let is_whole = own[from].1.size == own[to].1.size && sizes[from] == sizes[to];
                is_whole.then_some(coalescing::Candidate {
                    from,
                    to,
                    position: one.position,
                })
            })
            .collect();
        let firsts = join(&lives, &takeovers);
        let mut groups: Vec<Group> = Vec::new();
        let mut of_first: FxHashMap<usize, usize> = FxHashMap::default();
        let mut hosts = Vec::with_capacity(members.len());
        for (place, first) in firsts.iter().enumerate() {
            let host = *of_first.entry(*first).or_insert(groups.len());
            if host == groups.len() {
                groups.push(Group {
                    live: Vec::new(),
                    size: sizes[place],
                    alignment: 1,
                });
            }
            let group = &mut groups[host];
            let candidate = own[place].1;
            group.live.extend(&candidate.live);
            let alignment = candidate.alignment.max(options.least_alignment);
            group.alignment = group.alignment.max(alignment);
            hosts.push(host);
        }
        for group in &mut groups {
            group.live = union(std::mem::take(&mut group.live)).to_vec();
        }
        Some((groups, hosts))
    }
}

/// Plans groups of these sizes and alignments.
pub fn pack(
    groups: &[Group],
    sizes: impl Iterator<Item = (u64, u64)>,
    options: &PlanOptions,
) -> Option<Packed> {
    let buffers = groups.iter().zip(sizes).enumerate();
    let buffers = buffers.map(|(id, (group, (size, alignment)))| {
        let live = group.live.iter();
        let live = live.map(|(first, end)| (u64::from(*first), u64::from(*end)));
        Buffer::new(id as u64, size, live).aligned(alignment)
    });
    let problem = Problem::new(buffers.collect()).ok()?;
    let planned = options.planner.solve_with(&problem, &options.options);
    let outcome = planned.ok()?;
    memplan_planner::validate::validate(&problem, &outcome.solution).ok()?;
    Some(Packed {
        units: outcome.solution.peak,
        offsets: outcome.solution.offsets,
    })
}

/// When groups are live.
pub struct Lives {
    /// In order of the program, whether a group is live from now on, and which.
    events: Vec<(bool, usize)>,
}

impl Lives {
    /// Of these groups.
    pub fn of(groups: &[Group]) -> Self {
        let mut events: Vec<(Position, bool, usize)> = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            for (start, end) in group.live.iter().filter(|(start, end)| start < end) {
                events.push((*start, true, place));
                events.push((*end, false, place));
            }
        }
        // An end comes before a start at the same position.
        events.sort_unstable();
        let events = events.into_iter();
        Self {
            events: events.map(|(_, starts, place)| (starts, place)).collect(),
        }
    }

    /// The most bytes that are live at once, where the groups have these sizes.
    pub fn load(&self, size: impl Fn(usize) -> u64) -> u64 {
        let (mut live, mut most): (u128, u128) = (0, 0);
        for (starts, place) in &self.events {
            let bytes = u128::from(size(*place));
            match starts {
                true => live += bytes,
                false => live -= bytes,
            }
            most = most.max(live);
        }
        u64::try_from(most).unwrap_or(u64::MAX)
    }
}
