//! Sizes that are multiples of one that is known only at run time.
//!
//! Where all sizes of some slots are constants times the same dimensions, their buffers are planned like buffers of static
//! size, in multiples of the product of these dimensions. Offsets and the end are multiples of it, too, so that
//! the plan holds for each value, and so do its lower bound and its proof. One slot then has all of these buffers.
//!
//! The multiple is a byte for each element of the product, where offsets can be aligned at little cost: an offset is a multiple
//! of the alignment, for any product. Else it is the greatest common divisor of the sizes, rounded up to the
//! alignment at run time.
//!
//! The slot takes no more than the slots that it replaces. So what holds for them holds for it: see the rule for the
//! peak in the parent module.

use super::{
    decide::{Part, Slot, Slots, Term},
    facts::{Candidate, DimId, Size},
    layout::Layout,
};
use crate::coalescing::{self, Class, Life, join};
use memplan_lifetimes::{
    Analysis, Plannable,
    live::{Ranges, union},
    program::{BufferId, Position},
};
use memplan_planner::{Buffer, Options, Planner, Problem};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// How buffers are planned.
#[derive(Clone, Debug)]
pub struct How {
    /// The planner.
    pub planner: Planner,
    /// Its options.
    pub options: Options,
    /// Least alignment of a buffer, in bytes.
    pub least_alignment: u64,
    /// Whether buffers may reuse the bytes of others in place.
    pub in_place: bool,
}

/// The most padding of a plan with aligned offsets, as a fraction of its load.
const MOST_PADDING: u64 = 50;

/// Plans what can be planned so.
pub fn plan(
    analysis: &Analysis<'_>,
    candidates: &FxHashMap<BufferId, &Candidate>,
    slots: &mut [Slots],
    how: &How,
) {
    let mut places: Option<FxHashMap<BufferId, &Plannable>> = None;
    for part in slots.iter_mut().flat_map(|slots| &mut slots.parts) {
        let mut alike: BTreeMap<SmallVec<[DimId; 2]>, Vec<usize>> = BTreeMap::new();
        for (place, slot) in part.slots.iter().enumerate() {
            if let Some(dims) = dimensions(slot, candidates) {
                alike.entry(dims).or_default().push(place);
            }
        }
        let mut gone = Vec::new();
        for (dims, group) in alike {
            let known = places.get_or_insert_with(|| {
                let all = analysis.plannable.iter();
                all.map(|one| (one.buffer, one)).collect()
            });
            let question = Question {
                analysis,
                known,
                candidates,
                how,
            };
            if let Some(slot) = question.slot(part, &dims, &group) {
                part.slots[group[0]] = slot;
                gone.extend(&group[1..]);
            }
        }
        let mut place = 0;
        part.slots.retain(|_| {
            place += 1;
            !gone.contains(&(place - 1))
        });
        part.sort();
    }
}

/// The dimensions of all sizes of a slot, if these are the same and nothing else decides.
fn dimensions(
    slot: &Slot,
    candidates: &FxHashMap<BufferId, &Candidate>,
) -> Option<SmallVec<[DimId; 2]>> {
    let dims = &slot.terms.first()?.size.dims;
    let mut own = slot.members.iter().map(|member| candidates.get(member));
    let are_alike = slot.terms.iter().all(|term| term.guards.is_empty())
        && own.all(|one| one.is_some_and(|one| one.size.dims == *dims && one.size.bytes > 0));
    (are_alike && !dims.is_empty()).then(|| dims.clone())
}

/// What a plan is made from.
struct Question<'q, 'c> {
    analysis: &'q Analysis<'c>,
    known: &'q FxHashMap<BufferId, &'q Plannable>,
    candidates: &'q FxHashMap<BufferId, &'q Candidate>,
    how: &'q How,
}

/// Buffers of one size that share bytes.
struct Group {
    live: Vec<(Position, Position)>,
    bytes: u64,
    alignment: u64,
}

/// A plan of groups, in units.
struct Packed {
    offsets: Vec<u64>,
    units: u64,
}

impl Question<'_, '_> {
    /// One slot in place of several with the same dimensions, if it takes less.
    fn slot(&self, part: &Part, dims: &[DimId], places: &[usize]) -> Option<Slot> {
        let old: Vec<&Slot> = places.iter().map(|place| &part.slots[*place]).collect();
        let most = |slot: &&Slot| slot.terms.iter().map(|term| term.size.bytes).max();
        let before = old.iter().filter_map(most).fold(0, u64::saturating_add);
        let mut members: Vec<BufferId> =
            old.iter().flat_map(|slot| &slot.members).copied().collect();
        members.sort_unstable();
        let (groups, hosts) = self.groups(&members)?;
        let alignment = groups
            .iter()
            .map(|group| group.alignment)
            .max()
            .unwrap_or(1);
        let load = load(groups.iter().map(|group| (&group.live, group.bytes)));
        if load >= before {
            return None;
        }
        let is_alone = part.slots.len() == places.len();
        let bytes = groups.iter().map(|group| (group.bytes, group.alignment));
        let aligned = self.pack(&groups, bytes).filter(|packed| {
            // What follows is aligned, too.
            let end = match is_alone {
                true => packed.units,
                false => packed.units.next_multiple_of(alignment),
            };
            end < before
        });
        let divisor = groups.iter().fold(0, |all, group| gcd(all, group.bytes));
        let is_close = |packed: &Packed| packed.units - load <= load / MOST_PADDING;
        let (packed, bytes, rounding) = match aligned {
            Some(packed) if is_close(&packed) => (packed, 1, 1),
            aligned => {
                let units = groups.iter().map(|group| (group.bytes / divisor, 1));
                let divided = self.pack(&groups, units);
                // Each unit may be padded, where each slot was, by as much.
                let divided = divided.filter(|packed| {
                    groups.iter().all(|group| group.alignment == alignment)
                        && packed.units.saturating_mul(divisor) < before
                        && packed.units <= old.len() as u64
                });
                match (divided, aligned) {
                    (Some(packed), _) => (packed, divisor, alignment),
                    (None, Some(packed)) => (packed, 1, 1),
                    (None, None) => return None,
                }
            }
        };
        let units = match is_alone || rounding > 1 {
            true => packed.units,
            false => packed.units.next_multiple_of(alignment),
        };
        let unit = Size {
            bytes,
            dims: dims.into(),
        };
        let term = Term {
            size: Size {
                bytes: units.checked_mul(bytes)?,
                dims: dims.into(),
            },
            ..old[0].terms[0].clone()
        };
        Some(Slot {
            terms: vec![term],
            alignment,
            layout: Some(Layout {
                unit,
                rounding,
                sizes: hosts
                    .iter()
                    .map(|host| groups[*host].bytes / bytes)
                    .collect(),
                offsets: hosts.iter().map(|host| packed.offsets[*host]).collect(),
                units,
            }),
            members,
            ..Slot::default()
        })
    }

    /// The groups of buffers that reuse each other's bytes, and the group of each.
    fn groups(&self, members: &[BufferId]) -> Option<(Vec<Group>, Vec<usize>)> {
        let mut own = Vec::with_capacity(members.len());
        for member in members {
            let plannable = *self.known.get(member)?;
            let candidate = *self.candidates.get(member)?;
            if !plannable.carried.is_empty() {
                return None;
            }
            own.push((plannable, candidate));
        }
        let lives: Vec<Life<'_>> = own
            .iter()
            .map(|(plannable, candidate)| Life {
                live: &plannable.live,
                through_one: &plannable.through_one,
                class: Some(Class::of_size(candidate.size.bytes)),
            })
            .collect();
        let numbers: FxHashMap<BufferId, usize> = members
            .iter()
            .enumerate()
            .map(|(number, member)| (*member, number))
            .collect();
        let takeovers = self.analysis.takeovers.iter();
        let takeovers = takeovers.filter(|one| self.how.in_place && one.copy.is_none());
        let takeovers: Vec<coalescing::Candidate> = takeovers
            .filter_map(|one| {
                let (from, to) = (*numbers.get(&one.from)?, *numbers.get(&one.to)?);
                let size = |number: usize| own[number].1.size.bytes;
                (size(from) == size(to)).then_some(coalescing::Candidate {
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
        for (first, (_, candidate)) in firsts.iter().zip(&own) {
            let place = *of_first.entry(*first).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Group {
                    live: Vec::new(),
                    bytes: candidate.size.bytes,
                    alignment: 1,
                });
            }
            let group = &mut groups[place];
            group.live.extend(&candidate.live);
            let alignment = candidate.alignment.max(self.how.least_alignment);
            group.alignment = group.alignment.max(alignment);
            hosts.push(place);
        }
        for group in &mut groups {
            group.live = union(std::mem::take(&mut group.live)).to_vec();
        }
        Some((groups, hosts))
    }

    /// Plans groups of these sizes and alignments.
    fn pack(&self, groups: &[Group], sizes: impl Iterator<Item = (u64, u64)>) -> Option<Packed> {
        let buffers = groups.iter().zip(sizes).enumerate();
        let buffers = buffers.map(|(id, (group, (size, alignment)))| {
            let live = group.live.iter();
            let live = live.map(|(first, end)| (u64::from(*first), u64::from(*end)));
            Buffer::new(id as u64, size, live).aligned(alignment)
        });
        let problem = Problem::new(buffers.collect()).ok()?;
        let outcome = self
            .how
            .planner
            .solve_with(&problem, &self.how.options)
            .ok()?;
        memplan_planner::validate::validate(&problem, &outcome.solution).ok()?;
        Some(Packed {
            units: outcome.solution.peak,
            offsets: outcome.solution.offsets,
        })
    }
}

/// The most bytes that are live at once.
fn load<'g>(groups: impl Iterator<Item = (&'g Vec<(Position, Position)>, u64)>) -> u64 {
    let units = groups.map(|(live, bytes)| (live.iter().copied().collect::<Ranges>(), bytes));
    coalescing::most(&coalescing::profile(units))
}

fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}
