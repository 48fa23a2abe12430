//! `.eh_frame`: how to unwind the stack. What many functions have in common (a CIE) is kept once; what is said of a function
//! (an FDE) goes with it.
//!
//! The form is that of the Linux Standard Base, "Exception Frames": a length, how far back the CIE is (zero in a CIE itself),
//! and the rest.

use crate::{
    JoinError,
    join::{Made, Moved, Target},
    read::Relocation,
};
use rustc_hash::FxHashMap;

/// A relocation and what it refers to now; `None` where that was dropped.
pub type Reference = (Relocation, Option<(Target, i64)>);

/// A CIE: its bytes, and its relocations as far as they make a difference.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Common {
    bytes: Box<[u8]>,
    relocations: Vec<(u64, u32, Target, i64)>,
}

/// CIEs by what they are, with their places.
#[derive(Debug, Default)]
pub struct Frames(FxHashMap<Common, u64>);

impl Frames {
    /// Adds the records of an object, whose relocations are sorted by offset, to a section.
    pub fn add(
        &mut self,
        made: &mut Made,
        unit: &str,
        data: &[u8],
        relocations: &[Reference],
    ) -> Result<(), JoinError> {
        let damaged = || JoinError::Damaged(unit.to_owned(), "its unwinding information");
        let word = |at: usize| {
            let bytes = data.get(at..at.checked_add(4)?)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let mut common: FxHashMap<usize, u64> = FxHashMap::default();
        let mut rest = relocations;
        let mut start = 0;
        while start < data.len() {
            let length = word(start).ok_or_else(damaged)?;
            if length == u32::MAX {
                let what = "its unwinding information is too large";
                return Err(JoinError::Unsupported(unit.to_owned(), what));
            }
            let end = start + 4 + length as usize;
            let record = data.get(start..end).ok_or_else(damaged)?;
            let count = rest.partition_point(|(one, _)| one.offset < end as u64);
            let (here, behind) = rest.split_at(count);
            rest = behind;
            // An empty record ends what a linker reads; there is more behind it here.
            if length > 0 {
                let back = word(start + 4).ok_or_else(damaged)? as usize;
                if back == 0 {
                    let place = self.common(made, unit, record, here, start as u64)?;
                    common.insert(start, place);
                } else {
                    let of = (start + 4).checked_sub(back).ok_or_else(damaged)?;
                    let of = common.get(&of).ok_or_else(damaged)?;
                    frame(made, record, here, start as u64, *of)
                        .ok_or_else(|| JoinError::TooLarge("unwinding information".to_owned()))?;
                }
            }
            start = end;
        }
        Ok(())
    }

    fn common(
        &mut self,
        made: &mut Made,
        unit: &str,
        record: &[u8],
        relocations: &[Reference],
        start: u64,
    ) -> Result<u64, JoinError> {
        let mut moved = Vec::new();
        for (relocation, target) in relocations {
            let (target, addend) = target.ok_or_else(|| JoinError::Dropped(unit.to_owned()))?;
            moved.push((relocation.offset - start, relocation.kind, target, addend));
        }
        let one = Common {
            bytes: record.into(),
            relocations: moved,
        };
        if let Some(place) = self.0.get(&one) {
            return Ok(*place);
        }
        let place = made.size;
        for (offset, kind, target, addend) in &one.relocations {
            made.relocations.push(Moved {
                offset: place + offset,
                kind: *kind,
                target: *target,
                addend: *addend,
            });
        }
        made.data.extend_from_slice(record);
        made.size += record.len() as u64;
        self.0.insert(one, place);
        Ok(place)
    }
}

/// Adds what is said of one function, unless that was dropped. `None`: its CIE is too far away.
fn frame(
    made: &mut Made,
    record: &[u8],
    relocations: &[Reference],
    start: u64,
    common: u64,
) -> Option<()> {
    let is_dropped = relocations
        .iter()
        .any(|(one, target)| one.offset == start + 8 && target.is_none());
    if is_dropped {
        return Some(());
    }
    let place = made.size;
    let back = u32::try_from(place + 4 - common).ok()?;
    made.data.extend_from_slice(&record[..4]);
    made.data.extend_from_slice(&back.to_le_bytes());
    made.data.extend_from_slice(&record[8..]);
    made.size += record.len() as u64;
    for (relocation, target) in relocations {
        if let Some((target, addend)) = *target {
            made.relocations.push(Moved {
                offset: place + relocation.offset - start,
                kind: relocation.kind,
                target,
                addend,
            });
        }
    }
    Some(())
}
