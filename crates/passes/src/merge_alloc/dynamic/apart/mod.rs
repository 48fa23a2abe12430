//! Arenas in place of one, where the function then holds less of the heap.
//!
//! One arena is held from its first buffer to the end, also while results are allocated and other functions called. Several
//! are held as long as they are used. As for static sizes, at most a few are tried: what they take at one sample says which
//! buffers are in one arena, and each arena is then planned as one for all buffers is.
//!
//! What the function may hold at a moment is the load with the results, less what is held beside the arenas then. The
//! arenas are compared with that, and with the one arena, at all samples: they never take more than that does.

mod search;

use super::{
    PlanOptions,
    decide::{Part, Slot, Slots},
    facts::{Bounds, Candidate, DynamicFacts, SitePosition, Size, TO_THE_END, Term},
    groups::{Group, Known, Lives},
    multiples,
    samples::Sample,
    stack::{self, Limit, numbered},
};
use crate::merge_alloc::split::{
    Assignment, Beside, MOST_STEPS, Moments, Problem, Timeline, Unit, assign, least_excess,
};
use memplan_lifetimes::{
    live::union,
    program::{BufferId, Position},
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::Cell;

/// The moments that the search at one sample may look at, where one arena is far above the limits.
const STEPS: u64 = MOST_STEPS as u64 / 32;

/// Thousandths above the limits from which on that is far; a smaller excess is worth a shorter search.
const FAR: u64 = 16;

/// Most groups of buffers for which arenas are looked for.
const MOST_GROUPS: usize = 512;

/// An allocation beside the arenas, as that of a result.
pub struct Separate {
    /// The position of the allocation.
    pub first: Position,
    /// Until here it is certainly held, if it is certain to be allocated.
    pub certain: Option<Position>,
    /// Until here it may be held.
    pub end: Position,
    /// Its size.
    pub size: Size,
    /// Alignment in bytes.
    pub alignment: u64,
}

/// What a scope has beside the buffers of an arena.
pub struct Around {
    /// The positions of each operation of the site, half-open.
    pub spans: Vec<(Position, Position)>,
    /// Allocations.
    pub separate: Vec<Separate>,
    /// Memory of a static size or of any.
    pub beside: Vec<Beside>,
}

/// Replaces the only arena of a scope and memory space by several, where that holds less. The `parts` are those before other
/// plans.
pub fn plan(
    known: &Known<'_, '_>,
    facts: &DynamicFacts,
    parts: &[Part],
    slots: &mut [Slots],
    around: &mut dyn FnMut(&Slots) -> Option<Around>,
    options: &PlanOptions,
) {
    let mut parts = parts.iter();
    for slots in slots {
        let originals: Vec<&Part> = parts.by_ref().take(slots.parts.len()).collect();
        let ([part], [original]) = (slots.parts.as_slice(), originals.as_slice()) else {
            continue;
        };
        // Elsewhere, they have an arena of their own.
        let fixed = facts.company(slots.scope, &slots.space);
        let fixed = fixed.filter(|_| part.is_after_static);
        let fixed = fixed.map_or(&[][..], |company| &company.fixed);
        let Some(mut members) = stack::members(known, &facts.bounds, original) else {
            continue;
        };
        let mut first = fixed.iter().map(|one| one.buffer);
        let is_mixed = first
            .next()
            .is_none_or(|first| slots.members().any(|member| member == first));
        if is_mixed {
            members.extend(fixed.iter().map(|one| (one.buffer, one.term())));
            members.sort_unstable_by_key(|(buffer, _)| *buffer);
        }
        let fixed = if is_mixed { &[][..] } else { fixed };
        if part.is_given || part.range != (0, TO_THE_END) {
            continue;
        }
        if let Some(around) = around(slots)
            && let Some(question) = Question::of(
                known,
                &facts.bounds,
                part,
                (members, fixed),
                &around,
                options,
            )
            && let Some(found) = search::search(&question)
        {
            slots.parts = found;
        }
    }
}

/// An arena that is to be replaced.
struct Question<'q, 'k, 'c> {
    known: &'q Known<'k, 'c>,
    bounds: &'q Bounds,
    options: &'q PlanOptions,
    part: &'q Part,
    around: &'q Around,
    members: Vec<(BufferId, Term)>,
    /// The group of each member.
    hosts: Vec<usize>,
    groups: Vec<Group>,
    sizes: Vec<Term>,
    /// Bytes of the static part, which is the last group, if there is one.
    static_bytes: u64,
    /// The operations of the site that use the static part: the first and the end of the last one.
    static_uses: Option<(SitePosition, Position)>,
    timeline: Timeline,
    /// For each group, the moments in which it is used, and those in which it is live.
    moments: Vec<(Moments, Vec<Moments>)>,
    /// The buffers that are certainly there: each with its size, its alignment, and the moments in which it is live.
    certain: Vec<(Term, u64, Vec<Moments>)>,
}

/// An arena: the moments in which it is held, the bytes of its static part, and its slots.
struct Arena<'s> {
    held: Moments,
    static_bytes: u64,
    slots: &'s [Slot],
}

/// What is held at a sample, in bytes.
#[derive(Clone, Copy)]
struct Excess {
    /// The most above the limits.
    above: u64,
    /// The most.
    most: u64,
}

impl Excess {
    /// Thousandths of what is held that are above the limits; at least one, if any is.
    fn share(&self) -> u64 {
        let share = self.above.saturating_mul(1000) / self.most.max(1);
        share.max(u64::from(self.above > 0))
    }
}

impl<'q, 'k, 'c> Question<'q, 'k, 'c> {
    fn of(
        known: &'q Known<'k, 'c>,
        bounds: &'q Bounds,
        part: &'q Part,
        (members, fixed): (Vec<(BufferId, Term)>, &[Candidate]),
        around: &'q Around,
        options: &'q PlanOptions,
    ) -> Option<Self> {
        let (numbers, mut sizes) = numbered(&members);
        let buffers: Vec<BufferId> = members.iter().map(|(buffer, _)| *buffer).collect();
        let (mut groups, hosts) = known.groups(&buffers, &numbers, options)?;
        let static_part = static_part(known, fixed, options)?;
        let static_bytes = static_part.as_ref().map_or(0, |(_, bytes)| *bytes);
        if let Some((group, bytes)) = static_part {
            sizes.push(Term {
                size: Size::fixed(bytes),
                guards: SmallVec::new(),
                held: (0, 1),
            });
            groups.push(Group {
                size: sizes.len() - 1,
                ..group
            });
        }
        if !(1..=MOST_GROUPS).contains(&groups.len()) {
            return None;
        }
        let mut uses = vec![(Position::MAX, 0); groups.len()];
        let mut certain: Vec<&Candidate> = Vec::new();
        let own = buffers.iter().zip(&hosts).map(|(buffer, host)| {
            let candidate = *known.candidates.get(buffer)?;
            Some((candidate, *host))
        });
        let last = groups.len() - 1;
        let all = own.chain(fixed.iter().map(|candidate| Some((candidate, last))));
        let mut static_uses: Option<(SitePosition, Position)> = None;
        for one in all {
            let (candidate, host) = one?;
            let (first, end) = uses_of(around, candidate)?;
            if candidate.size.dims.is_empty() && host == last && !fixed.is_empty() {
                let known = static_uses.unwrap_or((candidate.at, end));
                static_uses = Some((known.0.min(candidate.at), known.1.max(end)));
            }
            uses[host] = (uses[host].0.min(first), uses[host].1.max(end));
            let is_certain = match candidate.size.dims.is_empty() {
                // Of a static size: allocated in the site itself.
                true => known.analysis.program.buffers[candidate.buffer.index()].position == first,
                false => candidate.certain && candidate.guards.is_empty(),
            };
            if is_certain {
                certain.push(candidate);
            }
        }
        let live = groups.iter().flat_map(|group| &group.live);
        let separate = around.separate.iter();
        let separate = separate.flat_map(|one| [Some(one.first), Some(one.end), one.certain]);
        let beside = around.beside.iter().flat_map(|one| [one.first, one.end]);
        let ends = [around.spans.first()?.0, around.spans.last()?.1];
        let mut positions: Vec<Position> = uses
            .iter()
            .chain(live)
            .chain(certain.iter().flat_map(|one| &one.live))
            .flat_map(|(first, end)| [*first, *end])
            .chain(separate.flatten())
            .chain(beside)
            .chain(ends)
            .collect();
        positions.push(around.spans.get(part.place as usize)?.0);
        let timeline = Timeline::of(positions);
        let at = |live: &[(Position, Position)]| -> Vec<Moments> {
            let live = live.iter();
            live.map(|(first, end)| timeline.moments(*first, *end))
                .collect()
        };
        let moments = uses.iter().zip(&groups);
        let moments =
            moments.map(|((first, end), group)| (timeline.moments(*first, *end), at(&group.live)));
        let moments = moments.collect();
        let certain = certain.into_iter().map(|one| {
            let alignment = one.alignment.max(options.least_alignment);
            (one.term(), alignment, at(&one.live))
        });
        let certain = certain.collect();
        Some(Self {
            known,
            bounds,
            options,
            part,
            around,
            members,
            hosts,
            groups,
            sizes,
            static_bytes,
            static_uses,
            timeline,
            moments,
            certain,
        })
    }

    /// The one arena.
    fn one(&self) -> Arena<'_> {
        let start = self.around.spans[self.part.place as usize].0;
        Arena {
            held: (
                self.timeline.moments(start, start + 1).0,
                self.timeline.len(),
            ),
            static_bytes: self.static_bytes,
            slots: &self.part.slots,
        }
    }

    /// Offers assignments of the groups to arenas, at a sample, until one is taken.
    fn offer(
        &self,
        sample: &Sample,
        limits: &[u64],
        one: &Excess,
        mut takes: impl FnMut(&Assignment) -> bool,
    ) {
        let units: Vec<Unit> = self
            .groups
            .iter()
            .zip(&self.moments)
            .map(|(group, (uses, live))| {
                let bytes = sample.bytes_if(&self.sizes[group.size]);
                Unit {
                    size: bytes
                        .checked_next_multiple_of(group.alignment)
                        .unwrap_or(bytes),
                    least: bytes,
                    live: live.clone(),
                    certain: live.clone(),
                    uses: *uses,
                }
            })
            .collect();
        let limits: Vec<u64> = limits.iter().map(|limit| (*limit).min(one.most)).collect();
        let problem = Problem {
            units: &units,
            limits: &limits,
            held: &|uses| uses,
            steps: Cell::new((STEPS * one.share().min(FAR) / FAR) as usize),
        };
        // What is live is held.
        if least_excess(&problem) < one.above {
            assign(&problem, |found| found.arenas.len() > 1 && takes(found));
        }
    }

    /// The least bytes above the limits, at a sample, that arenas of these groups hold: each holds what is live at its most.
    fn least_above(&self, groups: &[Vec<usize>], sample: &Sample, limits: &[u64]) -> u64 {
        let mut held = vec![0_u64; limits.len()];
        let mut load = vec![0_u64; limits.len()];
        for groups in groups {
            load.fill(0);
            let mut uses = (usize::MAX, 0);
            for group in groups {
                let (own, live) = &self.moments[*group];
                uses = (uses.0.min(own.0), uses.1.max(own.1));
                let bytes = sample.bytes_if(&self.sizes[self.groups[*group].size]);
                for (first, end) in live {
                    add(&mut load[*first..*end], bytes);
                }
            }
            let most = load.iter().copied().max().unwrap_or(0);
            if let Some(held) = held.get_mut(uses.0..uses.1) {
                add(held, most);
            }
        }
        above(&held, limits)
    }

    /// The one arena, freed after its last use; `None` if that is where the site ends.
    fn until_last_use(&self) -> Option<Part> {
        let candidates = self.members.iter();
        let candidates = candidates.map(|(buffer, _)| self.known.candidates.get(buffer));
        let ends = candidates.map(|one| Some(uses_of(self.around, one?)?.1));
        let ends = ends.collect::<Option<Vec<_>>>()?.into_iter();
        let end = ends.chain(self.static_uses.map(|(_, end)| end)).max()?;
        let spans = &self.around.spans;
        let last = spans.partition_point(|span| span.1 < end);
        let part = self.part;
        (last + 1 < spans.len()).then(|| Part {
            range: (spans[part.place as usize].0, spans[last].1),
            end: Some(last as SitePosition),
            ..part.clone()
        })
    }

    /// The arena of some groups.
    fn part_of(&self, groups: &[usize]) -> Option<Part> {
        let is_own: FxHashSet<usize> = groups.iter().copied().collect();
        let static_uses = self
            .static_uses
            .filter(|_| is_own.contains(&(self.groups.len() - 1)));
        let both = self.members.iter().zip(&self.hosts);
        let members: Vec<(BufferId, Term)> = both
            .filter(|(_, host)| is_own.contains(host))
            .map(|(member, _)| member.clone())
            .collect();
        let candidates = members
            .iter()
            .map(|(buffer, _)| self.known.candidates.get(buffer).copied());
        let candidates: Vec<&Candidate> = candidates.collect::<Option<_>>()?;
        let uses = candidates.iter().map(|one| uses_of(self.around, one));
        let ends = uses.collect::<Option<Vec<_>>>()?.into_iter();
        let ends = ends
            .map(|(_, end)| end)
            .chain(static_uses.map(|(_, end)| end));
        let end = ends.max()?;
        let places = candidates.iter().map(|one| one.at);
        let places = places.chain(static_uses.map(|(at, _)| at));
        // The operation that ends the site is not followed by anything.
        let spans = &self.around.spans;
        let last = spans.partition_point(|span| span.1 < end);
        let end = (last + 1 < spans.len()).then_some(last as SitePosition);
        let place = places.min()?;
        let last = end.map_or(TO_THE_END, |end| spans[end as usize].1);
        Some(Part {
            place,
            range: (spans[place as usize].0, last),
            end,
            is_after_static: static_uses.is_some(),
            slots: match members.is_empty() {
                true => Vec::new(),
                false => vec![self.slot(members, &candidates)?],
            },
            ..self.part.clone()
        })
    }

    /// Whether an arena has a buffer that is certainly allocated, or none but those of static size.
    fn is_used(&self, part: &Part) -> bool {
        let mut members = part.slots.iter().flat_map(|slot| &slot.members);
        let is_certain = |member: &BufferId| {
            let candidate = self.known.candidates.get(member);
            candidate.is_some_and(|one| one.certain && one.guards.is_empty())
        };
        part.slots.is_empty() || members.any(is_certain)
    }

    /// A slot for some members.
    fn slot(&self, members: Vec<(BufferId, Term)>, candidates: &[&Candidate]) -> Option<Slot> {
        let dims = &candidates.first()?.size.dims;
        let mut both = members.iter().zip(candidates);
        let are_alike = !dims.is_empty()
            && both.all(|((_, term), one)| {
                one.size == term.size
                    && one.size.dims == *dims
                    && one.size.bytes > 0
                    && term.guards.is_empty()
            });
        if are_alike {
            let limit = multiples::Limit {
                bytes: u64::MAX,
                paddings: members.len() as u64,
                is_alone: true,
            };
            let question = multiples::Question {
                known: self.known,
                options: self.options,
            };
            let buffers = members.iter().map(|(buffer, _)| *buffer).collect();
            return question.slot_below(buffers, dims, &limit);
        }
        stack::Question {
            known: self.known,
            bounds: self.bounds,
            members,
            limit: Limit::Nothing,
            options: self.options,
        }
        .slot(None)
    }

    /// Bytes that arenas may hold at each moment, at a sample.
    fn limits(&self, sample: &Sample) -> Vec<u64> {
        let mut load = vec![0_u64; self.timeline.len()];
        let mut add = |(first, end): Moments, bytes: u64| add(&mut load[first..end], bytes);
        for (term, alignment, live) in &self.certain {
            let bytes = sample.bytes(&term.size).saturating_add(*alignment);
            live.iter().for_each(|live| add(*live, bytes));
        }
        let separate = &self.around.separate;
        for one in separate {
            if let Some(end) = one.certain {
                let bytes = sample.bytes(&one.size).saturating_add(one.alignment);
                add(self.timeline.moments(one.first, end), bytes);
            }
        }
        let most = load.iter().copied().max().unwrap_or(0);
        let mut limits = vec![most; load.len()];
        for one in &self.around.beside {
            let (first, end) = self.timeline.moments(one.first, one.end);
            for moment in first..end {
                let left = limits[moment].saturating_sub(one.bytes);
                limits[moment] = left.max(load[moment]);
            }
        }
        for one in separate {
            let (first, end) = self.timeline.moments(one.first, one.end);
            let bytes = sample.bytes(&one.size);
            for limit in &mut limits[first..end] {
                *limit = limit.saturating_sub(bytes);
            }
        }
        limits
    }

    fn arenas<'s>(&self, parts: &'s [Part]) -> Vec<Arena<'s>> {
        let spans = &self.around.spans;
        let arena = |part: &'s Part| {
            let (first, _) = spans[part.place as usize];
            let end = part.end.map(|end| spans[end as usize].1);
            let end = end.map(|end| self.timeline.moments(first, end).1);
            Arena {
                held: (
                    self.timeline.moments(first, first + 1).0,
                    end.unwrap_or(self.timeline.len()),
                ),
                static_bytes: self.static_bytes * u64::from(part.is_after_static),
                slots: &part.slots,
            }
        };
        parts.iter().map(arena).collect()
    }
}

/// What arenas hold at a sample.
fn excess(arenas: &[Arena<'_>], sample: &Sample, limits: &[u64]) -> Excess {
    let mut held = vec![0_u64; limits.len()];
    for arena in arenas {
        let alignment = arena.slots.first().map_or(1, |slot| slot.alignment);
        let start = arena
            .static_bytes
            .checked_next_multiple_of(alignment.max(1));
        let start = start.unwrap_or(u64::MAX);
        let bytes = stack::bytes(arena.slots, sample).saturating_add(start);
        add(&mut held[arena.held.0..arena.held.1], bytes);
    }
    Excess {
        above: above(&held, limits),
        most: held.into_iter().max().unwrap_or(0),
    }
}

/// Adds bytes at some moments.
fn add(moments: &mut [u64], bytes: u64) {
    for held in moments {
        *held = held.saturating_add(bytes);
    }
}

/// The most bytes above the limits at one moment.
fn above(held: &[u64], limits: &[u64]) -> u64 {
    let both = held.iter().zip(limits);
    let above = both.map(|(held, limit)| held.saturating_sub(*limit));
    above.max().unwrap_or(0)
}

/// The buffers of the static part as one group, and their bytes: `None` in it without any.
#[allow(clippy::option_option)]
fn static_part(
    known: &Known<'_, '_>,
    fixed: &[Candidate],
    options: &PlanOptions,
) -> Option<Option<(Group, u64)>> {
    if fixed.is_empty() {
        return Some(None);
    }
    let buffers: Vec<BufferId> = fixed.iter().map(|one| one.buffer).collect();
    let sizes: Vec<usize> = fixed.iter().map(|one| one.size.bytes as usize).collect();
    let (groups, _) = known.groups(&buffers, &sizes, options)?;
    let bytes = Lives::of(&groups).load(|group| groups[group].size as u64);
    let live = groups.iter().flat_map(|group| group.live.iter().copied());
    let group = Group {
        live: union(live.collect()).to_vec(),
        size: 0,
        alignment: groups.iter().map(|group| group.alignment).max()?,
    };
    Some(Some((group, bytes)))
}

/// The positions of the operations of the site in which a buffer is used, half-open.
fn uses_of(around: &Around, candidate: &Candidate) -> Option<(Position, Position)> {
    let (first, own_end) = *around.spans.get(candidate.at as usize)?;
    let last = candidate
        .live
        .iter()
        .map(|(_, end)| *end)
        .max()
        .unwrap_or(0);
    let place = around.spans.partition_point(|span| span.1 < last);
    let end = around.spans.get(place).or(around.spans.last())?.1;
    Some((first, end.max(own_end)))
}
