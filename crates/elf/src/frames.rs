//! `.eh_frame`: stack unwinding information. Equal common parts (CIEs) are kept once. Entries of functions (FDEs)
//! in discarded sections are discarded too.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::{error::Fault, object_file::InputReloc, reloc::Reloc};

/// A common part (CIE): its bytes, and its relocations relative to it.
type Common = (Box<[u8]>, Box<[Reloc]>);

/// The frames of the joined object.
#[derive(Default)]
pub(crate) struct Frames {
    pub bytes: Vec<u8>,
    /// The offset of each common part.
    common: IndexMap<Common, u64, FxBuildHasher>,
    /// Whether an object file had the terminating record.
    ended: bool,
}

/// One record of an input section.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub start: u64,
    pub bytes: &'a [u8],
    /// For the entry of a function: the offset of its common part.
    pub common: Option<u64>,
}

/// The offset in a record of the distance to its common part.
const POINTER: usize = 4;
/// The offset in a function's entry of the function's address.
pub(crate) const FUNCTION: u64 = 8;

/// Splits a section into records, and says whether a terminating empty one follows.
pub(crate) fn records(data: &[u8]) -> Result<(Vec<Record<'_>>, bool), Fault> {
    let malformed = || Fault::Malformed("its .eh_frame is no list of records".into());
    let word = |at: usize| {
        let bytes = data.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let mut records = Vec::new();
    let mut start = 0;
    while start < data.len() {
        let length = match word(start).ok_or_else(malformed)? {
            0 if data[start..].iter().all(|byte| *byte == 0) => return Ok((records, true)),
            u32::MAX => return Err(Fault::Unsupported("an .eh_frame of 64-bit records".into())),
            length => length as usize,
        };
        let end = (start + POINTER)
            .checked_add(length)
            .ok_or_else(malformed)?;
        let bytes = data
            .get(start..end)
            .filter(|_| length >= 4)
            .ok_or_else(malformed)?;
        let common = match word(start + POINTER).ok_or_else(malformed)? as usize {
            0 => None,
            distance => Some(
                (start + POINTER)
                    .checked_sub(distance)
                    .ok_or_else(malformed)? as u64,
            ),
        };
        records.push(Record {
            start: start as u64,
            bytes,
            common,
        });
        start = end;
    }
    Ok((records, false))
}

/// Removes the relocations before `end` from the front of `relocs`.
pub(crate) fn take_until<'a>(relocs: &mut &'a [InputReloc], end: u64) -> &'a [InputReloc] {
    let (taken, left) = relocs.split_at(relocs.partition_point(|reloc| reloc.offset < end));
    *relocs = left;
    taken
}

impl Frames {
    /// Appends bytes unchanged. Returns their offset.
    pub fn append(&mut self, data: &[u8]) -> u64 {
        let start = self.bytes.len() as u64;
        self.bytes.extend_from_slice(data);
        start
    }

    /// Appends a record. `relocs` are its relocations relative to it; they are appended to `placed`, those of the
    /// section. For the entry of a function, `common` is the offset of its common part in the joined object.
    pub fn push(
        &mut self,
        record: &Record,
        relocs: &[Reloc],
        common: Option<u64>,
        placed: &mut Vec<Reloc>,
    ) -> Result<u64, Fault> {
        if common.is_none() {
            let key = (record.bytes.into(), relocs.into());
            if let Some(known) = self.common.get(&key) {
                return Ok(*known);
            }
            self.common.insert(key, self.bytes.len() as u64);
        }
        let start = self.append(record.bytes);
        if let Some(common) = common {
            let pointer = start as usize + POINTER;
            let distance =
                u32::try_from(pointer as u64 - common).map_err(|_| Fault::TooLarge("frames"))?;
            self.bytes[pointer..pointer + 4].copy_from_slice(&distance.to_le_bytes());
        }
        placed.extend(relocs.iter().map(|reloc| Reloc {
            offset: reloc.offset + start,
            ..*reloc
        }));
        Ok(start)
    }

    /// Sets that a terminating record follows all others.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Appends the terminating record, if needed.
    pub fn finish(&mut self) {
        if std::mem::take(&mut self.ended) {
            self.bytes.extend_from_slice(&[0; 4]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn records_are_split_and_find_their_common_part() {
        let data = list(&[8, 0, 7, 12, 16, 1, 2, 4, 0, 0]);
        let (found, ended) = records(&data).expect("a list");
        let found: Vec<_> = found
            .iter()
            .map(|record| (record.start, record.common))
            .collect();
        assert_eq!(found, [(0, None), (12, Some(0)), (28, None)]);
        assert!(ended);
    }

    #[test]
    fn truncated_lists_and_invalid_offsets_are_refused() {
        for words in [
            &[8, 0][..],
            &[u32::MAX, 0],
            &[4, 5],
            &[2, 0],
            &[u32::MAX - 1, 0],
            &[0, 1],
        ] {
            assert!(records(&list(words)).is_err(), "{words:?}");
        }
        assert!(records(&[4, 0, 0]).is_err());
    }
}
