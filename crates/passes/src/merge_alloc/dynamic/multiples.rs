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
    PlanOptions,
    decide::{Part, Slot, Slots},
    facts::{Candidate, DimId, Size, TO_THE_END, Term},
    groups::{Group, Known, Lives, Packed, pack},
    layout::{Layout, Multiples},
};
use memplan_lifetimes::program::BufferId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The most padding of a plan with aligned offsets, as a fraction of its load.
const MOST_PADDING: u64 = 50;

/// Plans what can be planned so.
pub fn plan(known: &Known<'_, '_>, slots: &mut [Slots], options: &PlanOptions) {
    let question = Question { known, options };
    for part in slots.iter_mut().flat_map(|slots| &mut slots.parts) {
        let mut alike: BTreeMap<SmallVec<[DimId; 2]>, Vec<usize>> = BTreeMap::new();
        for (place, slot) in part.slots.iter().enumerate() {
            if let Some(dims) = dimensions(slot, known.candidates) {
                alike.entry(dims).or_default().push(place);
            }
        }
        let mut gone = Vec::new();
        for (dims, group) in alike {
            if group.len() < 2 {
                continue;
            }
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

/// What a slot takes less than.
pub struct Limit {
    /// The bytes for each element of the dimensions.
    pub bytes: u64,
    /// How often it may be rounded up to the alignment.
    pub paddings: u64,
    /// Whether it is the only slot of its arena.
    pub is_alone: bool,
}

/// What a plan is made from.
pub struct Question<'q, 'k, 'c> {
    /// What is known of each buffer.
    pub known: &'q Known<'k, 'c>,
    /// How buffers are planned.
    pub options: &'q PlanOptions,
}

impl Question<'_, '_, '_> {
    /// One slot in place of several with the same dimensions, if it takes less.
    fn slot(&self, part: &Part, dims: &[DimId], places: &[usize]) -> Option<Slot> {
        let old: Vec<&Slot> = places.iter().map(|place| &part.slots[*place]).collect();
        let most = |slot: &&Slot| slot.terms.iter().map(|term| term.size.bytes).max();
        let mut members: Vec<BufferId> =
            old.iter().flat_map(|slot| &slot.members).copied().collect();
        members.sort_unstable();
        let limit = Limit {
            bytes: old.iter().filter_map(most).fold(0, u64::saturating_add),
            paddings: old.len() as u64,
            is_alone: part.slots.len() == places.len(),
        };
        self.slot_below(members, dims, &limit)
    }

    /// One slot with these buffers, if it takes less than a limit.
    pub fn slot_below(
        &self,
        members: Vec<BufferId>,
        dims: &[DimId],
        limit: &Limit,
    ) -> Option<Slot> {
        let sizes = members.iter().map(|member| {
            let bytes = self.known.candidates.get(member)?.size.bytes;
            usize::try_from(bytes).ok()
        });
        let sizes: Vec<usize> = sizes.collect::<Option<_>>()?;
        let (groups, hosts) = self.known.groups(&members, &sizes, self.options)?;
        let bytes_of = |group: &Group| group.size as u64;
        let alignment = groups
            .iter()
            .map(|group| group.alignment)
            .max()
            .unwrap_or(1);
        let load = Lives::of(&groups).load(|group| bytes_of(&groups[group]));
        if load >= limit.bytes {
            return None;
        }
        let bytes = groups.iter();
        let bytes = bytes.map(|group| (bytes_of(group), group.alignment));
        let aligned = pack(&groups, bytes, self.options).filter(|packed| {
            // What follows is aligned, too.
            let end = match limit.is_alone {
                true => packed.units,
                false => packed.units.next_multiple_of(alignment),
            };
            end < limit.bytes
        });
        let divisor = groups
            .iter()
            .fold(0, |all, group| gcd(all, bytes_of(group)));
        let is_close = |packed: &Packed| packed.units - load <= load / MOST_PADDING;
        let (packed, bytes, rounding) = match aligned {
            Some(packed) if is_close(&packed) => (packed, 1, 1),
            aligned => {
                let units = groups.iter().map(|group| (bytes_of(group) / divisor, 1));
                let divided = pack(&groups, units, self.options);
                let divided = divided.filter(|packed| {
                    groups.iter().all(|group| group.alignment == alignment)
                        && packed.units.saturating_mul(divisor) < limit.bytes
                        && packed.units <= limit.paddings
                });
                match (divided, aligned) {
                    (Some(packed), _) => (packed, divisor, alignment),
                    (None, Some(packed)) => (packed, 1, 1),
                    (None, None) => return None,
                }
            }
        };
        let units = match limit.is_alone || rounding > 1 {
            true => packed.units,
            false => packed.units.next_multiple_of(alignment),
        };
        let size = |bytes| Size {
            bytes,
            dims: dims.into(),
        };
        let term = Term {
            size: size(units.checked_mul(bytes)?),
            guards: SmallVec::new(),
            held: (0, TO_THE_END),
        };
        Some(Slot {
            terms: vec![term],
            alignment,
            layout: Some(Layout::Multiples(Multiples {
                unit: size(bytes),
                rounding,
                sizes: hosts
                    .iter()
                    .map(|host| bytes_of(&groups[*host]) / bytes)
                    .collect(),
                offsets: hosts.iter().map(|host| packed.offsets[*host]).collect(),
                units,
            })),
            members,
            ..Slot::default()
        })
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}
