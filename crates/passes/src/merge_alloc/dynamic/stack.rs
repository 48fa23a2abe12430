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
//! That is valid for all sizes. How much it takes depends on the order, which [`super::orders`] finds. It comes from a plan for
//! one value of each dimension, at which sizes of several orders of magnitude are alike: buffers that are small there and large
//! elsewhere have places that suit them elsewhere. There may be a few orders, of which a run takes one.
//!
//! The total is the largest sum of sizes on a path through the first order, or less. Each of these sums is at most the sum of the slots that the
//! stack replaces, for any values: so what holds for them holds for it. Or the total is compared with what the program
//! held at one moment, at many values: see the rule for the peak in the parent module.

use super::{
    PlanOptions,
    decide::{Part, Slot, Slots},
    facts::{Bounds, GuardId, Size, Term},
    groups::Known,
    layout::{Layout, Stack, round_up},
    orders::{self, is_less},
    polynomial::Polynomial,
    samples::{Sample, many, samples},
};
use memplan_lifetimes::program::BufferId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

type Guards = SmallVec<[(GuardId, bool); 1]>;

/// Most groups of buffers in a stack: sums of that many sizes do not overflow.
pub const MOST_GROUPS: usize = 4096;

/// Values at which a stack is compared with what the program held.
const MOST_SAMPLES: usize = 1000;

/// Values of several dimensions, independent of each other, at which orders are compared beside those to plan at.
const MORE_SAMPLES: usize = 40;

/// Most choices of one size for each slot.
const MOST_CHOICES: usize = 256;

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

impl Question<'_, '_, '_> {
    /// One slot with all buffers; in place of others, if it takes less.
    pub fn slot(&self, replaced: Option<Replaced<'_>>) -> Option<Slot> {
        let (numbers, sizes) = numbered(&self.members);
        let members: Vec<BufferId> = self.members.iter().map(|(member, _)| *member).collect();
        let (groups, hosts) = self.known.groups(&members, &numbers, self.options)?;
        if groups.len() > MOST_GROUPS {
            return None;
        }
        let mut all = samples(sizes.iter().map(|term| &term.size), self.bounds);
        if all.first().is_some_and(|sample| sample.dims().len() > 1) {
            let more = many(&sizes, self.bounds, MORE_SAMPLES).into_iter();
            all.extend(more.map(Sample::with_conditions));
        }
        let most = |sample: &Sample| replaced.map_or(u64::MAX, |replaced| replaced.taken(sample));
        let most: Vec<u64> = all.iter().map(most).collect();
        let problem = orders::Problem {
            groups: &groups,
            hosts: &hosts,
            sizes: &sizes,
            bounds: self.bounds,
            samples: &all,
            most: &most,
            replaced: replaced.and_then(|replaced| replaced.order(&members, &hosts)),
            options: self.options,
        };
        let limits_first = matches!(self.limit, Limit::Slots(_));
        let stack = problem.stack(limits_first, &|stack| self.is_limited(stack))?;
        let mut both = all.iter().zip(&most);
        if !both.any(|(sample, most)| is_less(stack.bytes(sample, true), *most)) {
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
                // A run takes no more than the first order.
                let size = stack.size_of(0);
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

impl Replaced<'_> {
    /// A number for each group of buffers, ascending by slot and place in it; `None` if a buffer has no slot, or if those of a group
    /// are at different places. An order by these takes no more than the slots: what is live at the same time is in different ones, or
    /// at different places.
    fn order(&self, members: &[BufferId], hosts: &[usize]) -> Option<Vec<u64>> {
        let mut numbers: FxHashMap<BufferId, u64> = FxHashMap::default();
        for (slot, number) in self.part.slots.iter().zip(0_u64..) {
            for (place, member) in slot.members.iter().enumerate() {
                let inside = match &slot.layout {
                    Some(Layout::Multiples(layout)) => layout.offsets[place],
                    Some(Layout::Stack(_)) => return None,
                    None => 0,
                };
                numbers.insert(*member, number << 48 | inside.min((1 << 48) - 1));
            }
        }
        let groups = hosts.iter().max()? + 1;
        let mut order = vec![None; groups];
        for (member, host) in members.iter().zip(hosts) {
            let number = *numbers.get(member)?;
            if *order[*host].get_or_insert(number) != number {
                return None;
            }
        }
        order.into_iter().collect()
    }

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
            Some(Layout::Stack(stack)) => stack.size_of(0).polynomials().to_vec(),
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
