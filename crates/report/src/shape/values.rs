//! What a scope takes where the dimensions have some values: slots become buffers of static size.

use super::ShapeError;
use crate::expression::evaluate;
use crate::{BufferReport, ScopeReport, SlotBufferReport, SlotReport};
use std::collections::{BTreeMap, HashMap};

/// The most bytes of a slot: programs do not allocate more.
const MOST_BYTES: u64 = 1 << 54;

/// The values of the dimensions of a function.
pub struct Values<'f> {
    /// The name of the function, for errors.
    pub function: &'f str,
    /// By the number in a dimension's name.
    pub values: BTreeMap<usize, u64>,
}

/// Where a buffer of a slot is.
#[derive(Clone, Copy)]
struct Extent {
    start: u64,
    size: u64,
    alignment: u64,
}

impl Values<'_> {
    fn large(&self) -> ShapeError {
        ShapeError::Large(self.function.to_owned())
    }

    fn bad(&self) -> ShapeError {
        ShapeError::Expression(self.function.to_owned())
    }

    fn bytes(&self, text: &str) -> Result<u64, ShapeError> {
        // As ones, so that what is no expression is not taken for a large number.
        evaluate(text, |_| 1).ok_or_else(|| self.bad())?;
        let value = |dimension| self.values.get(&dimension).copied().unwrap_or(0);
        let bytes = evaluate(text, value).ok_or_else(|| self.large())?;
        self.small(Some(bytes))
    }

    fn small(&self, bytes: Option<u64>) -> Result<u64, ShapeError> {
        let small = bytes.filter(|bytes| *bytes <= MOST_BYTES);
        small.ok_or_else(|| self.large())
    }

    /// The scope with the buffers of its slots among the others.
    pub fn scope(&self, scope: &ScopeReport) -> Result<ScopeReport, ShapeError> {
        let mut at = ScopeReport {
            slots: Vec::new(),
            op_floor_bytes: None,
            peak: None,
            ..scope.clone()
        };
        for slot in &scope.slots {
            if !slot.alignment.is_power_of_two() {
                return Err(self.bad());
            }
            let start = at.planned_bytes.checked_next_multiple_of(slot.alignment);
            let start = start.ok_or_else(|| self.large())?;
            let (bytes, extents) = self.slot(slot)?;
            let first = at.buffers.len();
            for (buffer, extent) in slot.buffers.iter().zip(extents) {
                at.buffers.push(BufferReport {
                    id: buffer.id,
                    location: buffer.location.clone(),
                    ty: buffer.ty.clone(),
                    size: extent.size,
                    alignment: extent.alignment,
                    offset: start
                        .checked_add(extent.start)
                        .ok_or_else(|| self.large())?,
                    live: buffer.live.clone(),
                    windows: Vec::new(),
                    in_place_with: None,
                    arena_of: buffer.arena_of.clone(),
                    same_as: None,
                });
            }
            join_in_place(&mut at.buffers[first..]);
            at.alignment = at.alignment.max(slot.alignment);
            at.planned_bytes = start.checked_add(bytes).ok_or_else(|| self.large())?;
        }
        let mut at = at.with_sums();
        // What a search has proven of the static part holds for more buffers, too.
        let is_search = matches!(&*scope.lower_bound_proof, "clique" | "search" | "distances");
        if is_search && scope.lower_bound_bytes > at.lower_bound_bytes {
            at.lower_bound_bytes = scope.lower_bound_bytes;
            at.lower_bound_proof.clone_from(&scope.lower_bound_proof);
            at.optimal = at.lower_bound_bytes == at.planned_bytes;
        }
        Ok(at)
    }

    /// The size of a slot, and the places of its buffers in it: those of the first order that takes least.
    fn slot(&self, slot: &SlotReport) -> Result<(u64, Vec<Extent>), ShapeError> {
        let mut least = self.order(slot)?;
        for other in &slot.other_orders {
            if other.buffers.len() != slot.buffers.len() {
                return Err(self.bad());
            }
            let mut ordered = SlotReport {
                size: other.size.clone(),
                ..slot.clone()
            };
            for (buffer, inside) in ordered.buffers.iter_mut().zip(&other.buffers) {
                buffer.inside = Some(inside.clone());
            }
            let found = self.order(&ordered)?;
            if found.0 < least.0 {
                least = found;
            }
        }
        Ok(least)
    }

    /// The size of a slot in its first order, and the places of its buffers in it.
    fn order(&self, slot: &SlotReport) -> Result<(u64, Vec<Extent>), ShapeError> {
        let sizes = slot.size.iter().map(|size| self.bytes(size));
        let all = sizes.collect::<Result<Vec<u64>, _>>()?.into_iter().max();
        let all = all.ok_or_else(|| self.bad())?;
        let unit = slot.unit.as_ref().map(|unit| self.bytes(unit));
        let unit = unit.transpose()?;
        // A number of bytes with the unit rounded up.
        let rounded = |bytes: u64| match unit {
            None | Some(0) => Some(bytes),
            Some(unit) => {
                (bytes / unit).checked_mul(unit.checked_next_multiple_of(slot.alignment)?)
            }
        };
        let mut extents: Vec<Option<Extent>> = Vec::with_capacity(slot.buffers.len());
        for buffer in &slot.buffers {
            let alignment = buffer.alignment.unwrap_or(slot.alignment);
            let size = match (&buffer.inside, &buffer.size) {
                (Some(inside), _) => self.bytes(&inside.size)?,
                (None, Some(size)) => self.bytes(size)?,
                (None, None) => all,
            };
            let start = match &buffer.inside {
                None => 0,
                Some(inside) if !inside.above.is_empty() => {
                    extents.push(None);
                    continue;
                }
                Some(inside) => self.small(rounded(self.bytes(&inside.offset)?))?,
            };
            // Older reports do not say how offsets are rounded.
            if !alignment.is_power_of_two() || !start.is_multiple_of(alignment) {
                return Err(self.bad());
            }
            extents.push(Some(Extent {
                start,
                size,
                alignment,
            }));
        }
        let is_stack = extents.iter().any(Option::is_none);
        self.stack(slot, &mut extents)?;
        let extents: Vec<Extent> = extents.into_iter().flatten().collect();
        let end = extents.iter().map(|one| one.start + one.size).max();
        let bytes = match end {
            Some(end) if is_stack => Some(end),
            _ => rounded(all),
        };
        let bytes = self.small(bytes)?;
        let ends = extents.iter().map(|one| one.start + one.size);
        if let Some((buffer, _)) = slot.buffers.iter().zip(ends).find(|(_, end)| *end > bytes) {
            let inside = buffer.inside.as_ref().map(|inside| &inside.size);
            let size = inside.or(buffer.size.as_ref());
            return Err(ShapeError::Impossible {
                function: self.function.to_owned(),
                size: size.cloned().unwrap_or_default(),
                slot: slot.size.join(" or "),
            });
        }
        Ok((bytes, extents))
    }

    /// Finds the places of buffers above others. A round for each level of them.
    fn stack(&self, slot: &SlotReport, extents: &mut [Option<Extent>]) -> Result<(), ShapeError> {
        let places = slot.buffers.iter().enumerate();
        let places: HashMap<u64, usize> = places.map(|(place, one)| (one.id, place)).collect();
        while extents.iter().any(Option::is_none) {
            let mut is_changed = false;
            for (place, buffer) in slot.buffers.iter().enumerate() {
                if extents[place].is_some() {
                    continue;
                }
                if let Some(end) = self.end_below(buffer, &places, extents)?
                    && let Some(inside) = &buffer.inside
                {
                    let alignment = buffer.alignment.unwrap_or(slot.alignment);
                    if !alignment.is_power_of_two() {
                        return Err(self.bad());
                    }
                    extents[place] = Some(Extent {
                        start: self.small(end.checked_next_multiple_of(alignment))?,
                        size: self.bytes(&inside.size)?,
                        alignment,
                    });
                    is_changed = true;
                }
            }
            if !is_changed {
                return Err(self.bad());
            }
        }
        Ok(())
    }

    /// The largest end of the buffers below one, if all of them have places.
    fn end_below(
        &self,
        buffer: &SlotBufferReport,
        places: &HashMap<u64, usize>,
        extents: &[Option<Extent>],
    ) -> Result<Option<u64>, ShapeError> {
        let mut end = 0;
        for below in buffer.inside.iter().flat_map(|inside| &inside.above) {
            let place = places.get(below).ok_or_else(|| self.bad())?;
            match extents[*place] {
                Some(extent) => end = end.max(extent.start + extent.size),
                None => return Ok(None),
            }
        }
        Ok(Some(end))
    }
}

/// Joins the buffers of a slot that have one place and size, and of which one takes the place over: both are live at only
/// one position.
fn join_in_place(buffers: &mut [BufferReport]) {
    let mut lives: Vec<(u64, u64, u64, u64, usize)> = Vec::new();
    for (place, buffer) in buffers.iter().enumerate().filter(|(_, one)| one.size > 0) {
        let live = buffer.live.iter();
        lives.extend(live.map(|(start, end)| (buffer.offset, buffer.size, *start, *end, place)));
    }
    lives.sort_unstable();
    let mut hosts: Vec<usize> = (0..buffers.len()).collect();
    for pair in lives.windows(2) {
        let ((offset, size, _, end, first), (other_offset, other_size, start, other_end, second)) =
            (pair[0], pair[1]);
        let is_one = end.min(other_end) == start.saturating_add(1);
        if (offset, size) != (other_offset, other_size) || !is_one {
            continue;
        }
        let (host, guest) = (found(&mut hosts, first), found(&mut hosts, second));
        if host != guest {
            hosts[guest] = host;
            buffers[guest].in_place_with = Some(buffers[host].id);
        }
    }
}

/// The host of a buffer, with shorter paths for later.
fn found(hosts: &mut [usize], mut place: usize) -> usize {
    while hosts[place] != place {
        hosts[place] = hosts[hosts[place]];
        place = hosts[place];
    }
    place
}
