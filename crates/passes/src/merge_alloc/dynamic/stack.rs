//! Sizes of several orders of magnitude: products of different dimensions, or sizes that depend on conditions.
//!
//! No order of such sizes holds for all values of their dimensions, and so no offsets that are sums of them do. What holds is an
//! order of the buffers: of two that are live at the same time, one is below the other one. An offset is computed
//! at run time, as the end of the last buffer below:
//!
//! ```text
//! offset_j = max over i below j (offset_i + size_i)
//! total    = max over all i (offset_i + size_i)
//! ```
//!
//! That is valid for all sizes. How much it takes depends on the order. It comes from a plan for one value of each
//! dimension, at which sizes of several orders of magnitude are alike: buffers that are small there and large elsewhere have
//! places that suit them elsewhere. Of the plans at a few values the one is taken that is nearest to the load at all of
//! them.
//!
//! The total is the largest sum of sizes on a path through the order. Each of these sums is at most the sum of the slots that the
//! stack replaces, for any values: so what holds for them holds for it. Or the total is compared with what the program
//! held at one moment, at many values: see the rule for the peak in the parent module.

use super::{
    PlanOptions,
    decide::{Part, Slot, Slots},
    facts::{Bounds, GuardId, Size, Term},
    groups::{Group, Known, Packed, load, pack},
    layout::{Layout, Stack, Stacked},
    polynomial::Polynomial,
    samples::{Sample, many, samples},
};
use fixedbitset::FixedBitSet;
use memplan_lifetimes::program::{BufferId, Position};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

type Guards = SmallVec<[(GuardId, bool); 1]>;

/// Most groups of buffers in a stack: sums of that many sizes do not overflow.
pub const MOST_GROUPS: usize = 4096;

/// Most pairs of groups that are live at the same time.
const MOST_PAIRS: usize = 1 << 21;

/// Most and least plans that are compared, and most buffers in all of them.
const MOST_PLANS: usize = 16;
const LEAST_PLANS: usize = 3;
const MOST_PLANNED: usize = 2048;

/// Most plans at a value at which the best one before is farthest from the load.
const MOST_REPAIRS: usize = 4;

/// Values at which a stack is compared with what the program held.
const MOST_SAMPLES: usize = 1000;

/// Most choices of one size for each slot.
const MOST_CHOICES: usize = 256;

/// A stack is used if it takes one part of this many less, at one sample.
const LEAST_GAIN: u64 = 100;

/// Thousandths of the load that no better plan is looked for.
const CLOSE: u64 = 1010;

/// A stack may exceed what the program held at one moment by one part of this many.
pub const MOST_ABOVE: u128 = 10;

/// Stacks the buffers of `parts`, which [`super::multiples`] has planned since then, where that takes less.
pub fn plan(
    known: &Known<'_, '_>,
    bounds: &Bounds,
    parts: &[Part],
    slots: &mut [Slots],
    options: &PlanOptions,
) {
    let planned = slots.iter_mut().flat_map(|slots| &mut slots.parts);
    for (original, part) in parts.iter().zip(planned) {
        if part.slots.len() < 2 {
            continue;
        }
        let Some(members) = members(known, bounds, original) else {
            continue;
        };
        let question = Question {
            known,
            bounds,
            members,
            limit: Limit::Slots(choices(part)),
            options,
        };
        if let Some(slot) = question.slot(Some(Replaced { bytes: 0, part })) {
            let terms = original.slots.iter().flat_map(|slot| &slot.terms);
            let terms = terms.cloned().collect();
            part.slots = vec![Slot { terms, ..slot }];
        }
    }
}

/// All buffers of a part, each with a size that is as large as it wherever it exists: its own, if that counts in the arena's
/// size, or one of its slot.
pub fn members(
    known: &Known<'_, '_>,
    bounds: &Bounds,
    part: &Part,
) -> Option<Vec<(BufferId, Term)>> {
    let mut all: Vec<(BufferId, Term)> = Vec::new();
    for slot in &part.slots {
        for member in &slot.members {
            let candidate = *known.candidates.get(member)?;
            let term = match candidate.counts(part.place) {
                true => candidate.term(),
                false => {
                    let mut terms = slot.terms.iter();
                    terms.find(|term| bounds.covers(term, candidate))?.clone()
                }
            };
            all.push((*member, term));
        }
    }
    all.sort_unstable_by_key(|(member, _)| *member);
    Some(all)
}

/// What a stack replaces: slots after a static part.
#[derive(Clone, Copy)]
pub struct Replaced<'p> {
    /// Bytes of the static part.
    pub bytes: u64,
    /// The slots.
    pub part: &'p Part,
}

/// What a stack takes at most.
pub enum Limit {
    /// All bytes of the slots that it replaces, for each choice of their sizes.
    Slots(Vec<Polynomial>),
    /// Little more than the bytes that the program certainly holds at one of some moments.
    Moments(Vec<Polynomial>),
    /// Anything: it is compared later.
    Nothing,
}

/// What a stack is made from.
pub struct Question<'q, 'k, 'c> {
    /// What is known of each buffer.
    pub known: &'q Known<'k, 'c>,
    /// Relations of dimensions.
    pub bounds: &'q Bounds,
    /// The buffers, in order, each with its size.
    pub members: Vec<(BufferId, Term)>,
    /// What it takes at most.
    pub limit: Limit,
    /// How buffers are planned.
    pub options: &'q PlanOptions,
}

/// Bytes of each layout at a sample.
struct Bytes {
    load: u64,
    slots: u64,
}

/// A stack, and where it is farthest from the load.
struct Tried {
    stack: Stack,
    /// Thousandths of the load there.
    worst: u64,
    /// The sample.
    at: usize,
}

impl Tried {
    /// Compares a stack with the load; `None` if it takes more than what it replaces.
    fn of(stack: Stack, samples: &[Sample], bytes: &[Bytes]) -> Option<Self> {
        let (mut worst, mut at) = (0, 0);
        for (place, (sample, bytes)) in samples.iter().zip(bytes).enumerate() {
            let total = stack.bytes(sample, true);
            if total > bytes.slots {
                return None;
            }
            let ratio = total.saturating_mul(1000) / bytes.load;
            if ratio > worst {
                (worst, at) = (ratio, place);
            }
        }
        Some(Self { stack, worst, at })
    }
}

impl Question<'_, '_, '_> {
    /// One slot with all buffers; in place of others, if it takes less.
    pub fn slot(&self, replaced: Option<Replaced<'_>>) -> Option<Slot> {
        let (numbers, sizes) = numbered(&self.members);
        let members: Vec<BufferId> = self.members.iter().map(|(member, _)| *member).collect();
        let (groups, hosts) = self.known.groups(&members, &numbers, self.options)?;
        if groups.len() > MOST_GROUPS {
            return None;
        }
        let together = together(&groups)?;
        let all = samples(sizes.iter().map(|term| &term.size), self.bounds);
        let bytes: Vec<Bytes> = all
            .iter()
            .map(|sample| Bytes {
                load: load(&groups, self.at(&groups, &sizes, sample)).max(1),
                slots: replaced.map_or(u64::MAX, |replaced| replaced.taken(sample)),
            })
            .collect();
        if !bytes.iter().any(|bytes| is_less(bytes.load, bytes.slots)) {
            return None;
        }
        let plans = (MOST_PLANNED / groups.len().max(1)).clamp(LEAST_PLANS, MOST_PLANS);
        let mut open: Vec<usize> = (0..plans.min(all.len())).rev().collect();
        let mut is_tried = vec![false; all.len()];
        let mut repairs = MOST_REPAIRS;
        let mut stacks: Vec<Tried> = Vec::new();
        while let Some(at) = open.pop() {
            is_tried[at] = true;
            let wanted = groups.iter().map(|group| group.alignment);
            let at_sample = self.at(&groups, &sizes, &all[at]).zip(wanted);
            let packed = pack(&groups, at_sample, self.options);
            let found = packed.and_then(|packed| {
                let stack = stacked(&groups, &hosts, &sizes, &packed, &together);
                Tried::of(stack, &all, &bytes)
            });
            if let Some(found) = found {
                let place = stacks.partition_point(|known| known.worst <= found.worst);
                stacks.insert(place, found);
            }
            let Some(best) = stacks.first() else { continue };
            if best.worst <= CLOSE {
                break;
            }
            // Where the best one takes most, another one may take less.
            if open.is_empty() && repairs > 0 && !is_tried[best.at] {
                repairs -= 1;
                open.push(best.at);
            }
        }
        let mut stacks = stacks.into_iter().map(|tried| tried.stack);
        let stack = stacks.find(|stack| self.is_limited(stack))?;
        let gains =
            |(sample, bytes): (&Sample, &Bytes)| is_less(stack.bytes(sample, true), bytes.slots);
        if !all.iter().zip(&bytes).any(gains) {
            return None;
        }
        let alignment = groups.iter().map(|group| group.alignment).max();
        Some(Slot {
            terms: sizes,
            alignment: alignment.unwrap_or(1),
            members,
            layout: Some(Layout::Stack(stack)),
            ..Slot::default()
        })
    }

    /// Whether it takes no more than it may.
    fn is_limited(&self, stack: &Stack) -> bool {
        match &self.limit {
            Limit::Slots(choices) => {
                let size = stack.size();
                let mut paths = size.polynomials().iter();
                paths.all(|path| {
                    let mut choices = choices.iter();
                    choices.any(|slots| slots.is_at_least(path, self.bounds))
                })
            }
            Limit::Moments(moments) => {
                let samples = many(&stack.sizes, self.bounds, MOST_SAMPLES);
                samples.iter().all(|sample| {
                    let most = moments.iter().map(|moment| moment.at(sample)).max();
                    let total = u128::from(stack.bytes(sample, false));
                    total * MOST_ABOVE <= most.unwrap_or(0).saturating_mul(MOST_ABOVE + 1)
                })
            }
            Limit::Nothing => true,
        }
    }

    /// The bytes of each group at a sample. None is empty, so that each has a place among the others.
    fn at<'g>(
        &self,
        groups: &'g [Group],
        sizes: &'g [Term],
        sample: &'g Sample,
    ) -> impl Iterator<Item = u64> {
        let size = |group: &Group| sample.bytes(&sizes[group.size].size);
        groups.iter().map(move |group| size(group).max(1))
    }
}

/// The number of the size of each buffer, and the sizes.
pub fn numbered(members: &[(BufferId, Term)]) -> (Vec<usize>, Vec<Term>) {
    let mut sizes: Vec<Term> = Vec::new();
    let mut known: FxHashMap<(&Size, &Guards), usize> = FxHashMap::default();
    let mut numbers = Vec::with_capacity(members.len());
    for (_, term) in members {
        let key = (&term.size, &term.guards);
        let number = *known.entry(key).or_insert(sizes.len());
        if number == sizes.len() {
            sizes.push(term.clone());
        }
        numbers.push(number);
    }
    (numbers, sizes)
}

/// Whether a number of bytes is noticeably less than another one.
const fn is_less(bytes: u64, than: u64) -> bool {
    bytes < than - than / LEAST_GAIN
}

impl Replaced<'_> {
    /// Its bytes at a sample.
    fn taken(&self, sample: &Sample) -> u64 {
        let slots = &self.part.slots;
        let first = slots.first().map_or(1, |first| first.alignment);
        round_up(self.bytes, first).saturating_add(bytes(slots, sample))
    }
}

/// The bytes of slots at a sample.
pub fn bytes(slots: &[Slot], sample: &Sample) -> u64 {
    let mut bytes: u64 = 0;
    for (place, slot) in slots.iter().enumerate() {
        let next = slots.get(place + 1).map_or(1, |next| next.alignment);
        let size = match &slot.layout {
            Some(Layout::Multiples(layout)) => {
                let unit = sample.bytes(&layout.unit);
                round_up(unit, layout.rounding).saturating_mul(layout.units)
            }
            Some(Layout::Stack(stack)) => stack.bytes(sample, true),
            None => {
                let sizes = slot.terms.iter().map(|term| sample.bytes(&term.size));
                sizes.max().unwrap_or(0)
            }
        };
        bytes = bytes.saturating_add(round_up(size, next));
    }
    bytes
}

/// The sums of one size of each slot.
pub fn choices(part: &Part) -> Vec<Polynomial> {
    let mut choices = vec![Polynomial::default()];
    for slot in &part.slots {
        let sizes = match &slot.layout {
            Some(Layout::Stack(stack)) => stack.size().polynomials().to_vec(),
            _ => slot.terms.iter().map(Polynomial::of).collect(),
        };
        let most = match choices.len() * sizes.len() {
            0..=MOST_CHOICES => sizes.len(),
            _ => 1,
        };
        let sizes = &sizes[..most];
        let longer = choices
            .iter()
            .flat_map(|sum| sizes.iter().map(|size| sum.plus(size)));
        choices = longer.collect();
    }
    choices
}

/// For each group, those that are live at the same time; `None` if there are too many.
fn together(groups: &[Group]) -> Option<Vec<Vec<usize>>> {
    let mut events: Vec<(Position, bool, usize)> = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        for (start, end) in &group.live {
            events.push((*start, true, place));
            events.push((*end, false, place));
        }
    }
    // An end comes before a start at the same position.
    events.sort_unstable();
    let mut together: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    let mut live: Vec<usize> = Vec::new();
    let mut pairs = 0;
    for (_, starts, place) in events {
        if !starts {
            live.retain(|other| *other != place);
            continue;
        }
        pairs += live.len();
        if pairs > MOST_PAIRS {
            return None;
        }
        for other in &live {
            together[*other].push(place);
            together[place].push(*other);
        }
        live.push(place);
    }
    for others in &mut together {
        others.sort_unstable();
        others.dedup();
    }
    Some(together)
}

/// The order of a plan.
fn stacked(
    groups: &[Group],
    hosts: &[usize],
    sizes: &[Term],
    packed: &Packed,
    together: &[Vec<usize>],
) -> Stack {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|group| packed.offsets[*group]);
    let mut place_of = vec![0; groups.len()];
    for (place, group) in order.iter().enumerate() {
        place_of[*group] = place;
    }
    // All groups that are below each, also indirectly.
    let mut reached: Vec<FixedBitSet> = Vec::with_capacity(groups.len());
    let mut made: Vec<Stacked> = Vec::with_capacity(groups.len());
    for (place, group) in order.iter().enumerate() {
        // Those that are live at the same time have other bytes: one with a lower offset ends below.
        let lower = together[*group].iter().map(|other| place_of[*other]);
        let mut lower: Vec<usize> = lower.filter(|other| *other < place).collect();
        lower.sort_unstable_by(|one, other| other.cmp(one));
        let mut reach = FixedBitSet::with_capacity(groups.len());
        let mut below = Vec::new();
        for other in lower {
            if !reach.contains(other) {
                reach.union_with(&reached[other]);
                reach.insert(other);
                below.push(other);
            }
        }
        reached.push(reach);
        below.reverse();
        made.push(Stacked {
            size: groups[*group].size,
            alignment: groups[*group].alignment,
            below,
        });
    }
    Stack {
        sizes: sizes.to_vec(),
        groups: made,
        group_of: hosts.iter().map(|host| place_of[*host]).collect(),
    }
}

impl Stack {
    /// Bytes at a sample, `aligned` or as if all alignments were 1.
    fn bytes(&self, sample: &Sample, aligned: bool) -> u64 {
        let sizes = self.sizes.iter().map(|term| sample.bytes_if(term));
        let sizes: Vec<u64> = sizes.collect();
        let is_alike = self.is_alike();
        let mut ends: Vec<u64> = Vec::with_capacity(self.groups.len());
        let mut total = 0;
        for group in &self.groups {
            let below = group.below.iter().map(|below| ends[*below]);
            let to = if aligned { group.alignment } else { 1 };
            let start = round_up(below.max().unwrap_or(0), to);
            total = total.max(start.saturating_add(sizes[group.size]));
            let taken = match is_alike {
                true => round_up(sizes[group.size], to),
                false => sizes[group.size],
            };
            ends.push(start.saturating_add(taken));
        }
        total
    }
}

/// The next multiple; the number itself if there is none.
fn round_up(bytes: u64, to: u64) -> u64 {
    bytes.checked_next_multiple_of(to.max(1)).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge_alloc::dynamic::facts::DimId;
    use memplan_planner::{Options, Planner};
    use memplan_problems::random::Random;

    #[test]
    fn buffers_that_are_live_together_have_other_bytes_at_all_samples() {
        let mut random = Random(5);
        let mut next = |below: u64| random.below(below as usize) as u64;
        let options = PlanOptions {
            planner: Planner::default(),
            options: Options::default(),
            least_alignment: 1,
            in_place: true,
            mixes: true,
        };
        for _ in 0..60 {
            let sizes: Vec<Term> = (0..1 + next(6))
                .map(|_| Term {
                    size: Size {
                        bytes: 1 + next(64),
                        dims: (0..=next(2)).map(|_| DimId(next(3) as u32)).collect(),
                    },
                    guards: Guards::new(),
                    held: (0, 1),
                })
                .collect();
            let groups: Vec<Group> = (0..1 + next(24))
                .map(|_| {
                    let start = next(40) as Position;
                    let later = start + 50 + next(9) as Position;
                    let mut live = vec![(start, start + 1 + next(20) as Position)];
                    if next(3) == 0 {
                        live.push((later, later + 1 + next(9) as Position));
                    }
                    Group {
                        live,
                        size: next(sizes.len() as u64) as usize,
                        alignment: 1 << next(5),
                    }
                })
                .collect();
            let bounds = Bounds {
                constant: vec![(Some(0), None); 3],
                ..Bounds::default()
            };
            let all = many(&sizes, &bounds, 30);
            let at = |group: &Group| all[1].bytes(&sizes[group.size].size).max(1);
            let wanted = groups.iter().map(|group| (at(group), group.alignment));
            let packed = pack(&groups, wanted, &options).expect("the problem has a plan");
            let together = together(&groups).expect("there are few pairs");
            let hosts: Vec<usize> = (0..groups.len()).collect();
            let stack = stacked(&groups, &hosts, &sizes, &packed, &together);
            assert!(stack.bytes(&all[1], true) <= packed.units);
            for sample in &all {
                let places = places(&stack, sample);
                let of = |group: usize| places[stack.group_of[group]];
                for (one, others) in together.iter().enumerate() {
                    let (start, end) = of(one);
                    assert_eq!(start % groups[one].alignment, 0);
                    assert!(end <= stack.bytes(sample, true));
                    for other in others {
                        let (other_start, other_end) = of(*other);
                        assert!(end <= other_start || other_end <= start);
                    }
                }
            }
        }
    }

    /// Start and end of each group.
    fn places(stack: &Stack, sample: &Sample) -> Vec<(u64, u64)> {
        let mut places: Vec<(u64, u64)> = Vec::new();
        for group in &stack.groups {
            let below = group.below.iter().map(|below| places[*below].1);
            let start = round_up(below.max().unwrap_or(0), group.alignment);
            places.push((start, start + sample.bytes(&stack.sizes[group.size].size)));
        }
        places
    }
}
