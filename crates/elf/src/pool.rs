//! Sections with deduplicated entries (`SHF_MERGE`): constants of one size, and strings.
//!
//! A section is split into entries; a reference names an entry and an offset in it. The pool sorts its entries by
//! contents, so its bytes do not depend on the order of the object files.

use indexmap::IndexMap;
use object::elf;
use rustc_hash::FxBuildHasher;

use crate::{
    error::{Fault, index},
    object_file::Section,
};

/// Strings with a stricter alignment are not sorted among the others.
const MAX_STRING_ALIGN: u64 = 64;

/// Entries, each with its alignment.
#[derive(Default)]
pub(crate) struct Pool(IndexMap<Box<[u8]>, u64, FxBuildHasher>);

/// An input section in a pool: the starts of its entries, and their numbers in the pool.
pub(crate) struct PooledSection {
    starts: Vec<u64>,
    entries: Vec<u32>,
}

/// The starts of the entries of an input section, in order.
pub(crate) struct EntryStarts {
    starts: Vec<u64>,
    size: u64,
}

impl EntryStarts {
    /// `None` if the section cannot be split into entries, or these cannot be moved.
    pub fn new(section: &Section) -> Option<Self> {
        let size = section.data.len();
        let entsize = usize::try_from(section.entsize)
            .ok()
            .filter(|entsize| *entsize > 0)?;
        if !section.is(elf::SHF_MERGE)
            || section.is(elf::SHF_WRITE)
            || section.is(elf::SHF_LINK_ORDER)
            || section.kind != elf::SHT_PROGBITS.0
            || section.has_relocs()
            || !size.is_multiple_of(entsize)
        {
            return None;
        }
        let starts = if section.is(elf::SHF_STRINGS) {
            if section.align > MAX_STRING_ALIGN {
                return None;
            }
            strings(section.data, entsize)?
        } else {
            // If entries are closer together than the section's alignment, not every entry has that alignment.
            if !section.entsize.is_multiple_of(section.align) {
                return None;
            }
            (0..size as u64).step_by(entsize).collect()
        };
        Some(Self {
            starts,
            size: size as u64,
        })
    }

    /// Whether the bytes from `start` for `size` are in one entry, or at least one byte of an entry is at `start`.
    pub fn holds(&self, start: u64, size: u64) -> bool {
        let next = self.starts.partition_point(|entry| *entry <= start);
        let end = self.starts.get(next).copied().unwrap_or(self.size);
        start < self.size && start.checked_add(size).is_some_and(|last| last <= end)
    }
}

/// The starts of the strings in `data`; `None` if the last one has no terminator.
fn strings(data: &[u8], entsize: usize) -> Option<Vec<u64>> {
    let mut starts = Vec::new();
    let mut open = false;
    for (number, code_unit) in data.chunks_exact(entsize).enumerate() {
        if !open {
            starts.push((number * entsize) as u64);
        }
        open = code_unit.iter().any(|byte| *byte != 0);
    }
    (!open).then_some(starts)
}

impl Pool {
    pub fn add(&mut self, section: &Section, split: EntryStarts) -> Result<PooledSection, Fault> {
        let mut entries = Vec::with_capacity(split.starts.len());
        for (number, start) in split.starts.iter().enumerate() {
            let end = split.starts.get(number + 1).copied().unwrap_or(split.size);
            let bytes = &section.data[*start as usize..end as usize];
            // An entry has the alignment that its place in the section guarantees.
            let align = match start.trailing_zeros() {
                64.. => section.align,
                zeros => section.align.min(1 << zeros),
            };
            let entry = match self.0.get_full_mut(bytes) {
                Some((entry, _, known)) => {
                    *known = align.max(*known);
                    entry
                }
                None => self.0.insert_full(bytes.into(), align).0,
            };
            entries.push(index(entry, "constants")?);
        }
        Ok(PooledSection {
            starts: split.starts,
            entries,
        })
    }

    /// The size of an entry in bytes.
    pub fn len_of(&self, entry: u32) -> u64 {
        self.0
            .get_index(entry as usize)
            .map_or(0, |(bytes, _)| bytes.len() as u64)
    }

    /// The concatenation of all entries, sorted, and the offset of each.
    pub fn sorted_entries(&self) -> (Vec<u8>, Vec<u64>) {
        let mut order: Vec<_> = self.0.iter().enumerate().collect();
        order.sort_unstable_by_key(|(_, (bytes, _))| *bytes);
        let mut data: Vec<u8> = Vec::new();
        let mut offsets = vec![0; order.len()];
        for (entry, (bytes, align)) in order {
            let start = (data.len() as u64).next_multiple_of(*align);
            data.resize(start as usize, 0);
            data.extend_from_slice(bytes);
            offsets[entry] = start;
        }
        (data, offsets)
    }
}

impl PooledSection {
    /// The entry at an offset of the input section, and the offset in the entry.
    pub fn find(&self, offset: u64) -> Option<(u32, u64)> {
        let number = self
            .starts
            .partition_point(|start| *start <= offset)
            .checked_sub(1)?;
        Some((*self.entries.get(number)?, offset - self.starts[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(data: &[u8], flags: u64, entsize: u64, align: u64) -> Section<'_> {
        Section {
            kind: elf::SHT_PROGBITS.0,
            flags: flags | elf::SHF_MERGE.0,
            size: data.len() as u64,
            align,
            entsize,
            ..Section::with_data(b".rodata", data)
        }
    }

    const STRINGS: u64 = elf::SHF_STRINGS.0;

    fn pooled(pool: &mut Pool, section: &Section) -> PooledSection {
        let entries = EntryStarts::new(section).expect("it can be cut");
        pool.add(section, entries).expect("it is added")
    }

    #[test]
    fn equal_strings_are_there_once_in_order() {
        let mut pool = Pool::default();
        let first = pooled(&mut pool, &section(b"two\0one\0", STRINGS, 1, 1));
        let second = pooled(&mut pool, &section(b"one\0\0three\0", STRINGS, 1, 1));
        let (data, offsets) = pool.sorted_entries();
        assert_eq!(data, b"\0one\0three\0two\0");
        let at = |pooled: &PooledSection, offset| {
            pooled
                .find(offset)
                .map(|(entry, inside)| offsets[entry as usize] + inside)
        };
        assert_eq!(at(&first, 0), Some(11));
        assert_eq!((at(&first, 6), at(&second, 2)), (Some(3), Some(3)));
        assert_eq!(at(&second, 4), Some(0));
    }

    #[test]
    fn constants_are_cut_by_size_and_wide_strings_at_wide_zeros() {
        let mut pool = Pool::default();
        pooled(&mut pool, &section(&[2, 0, 1, 0, 2, 0], 0, 2, 2));
        assert_eq!(pool.sorted_entries().0, [1, 0, 2, 0]);
        let mut pool = Pool::default();
        pooled(
            &mut pool,
            &section(&[1, 0, 0, 1, 0, 0, 0, 0], STRINGS, 2, 1),
        );
        assert_eq!(pool.sorted_entries().0, [0, 0, 1, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn an_entry_is_aligned_as_its_place_was() {
        let mut pool = Pool::default();
        pooled(&mut pool, &section(b"b\0\0\0\0\0\0\0c\0a\0", STRINGS, 1, 8));
        let (data, offsets) = pool.sorted_entries();
        for (word, entry) in [(b'b', 0), (b'c', 2)] {
            assert_eq!(
                (data[offsets[entry] as usize], offsets[entry] % 8),
                (word, 0)
            );
        }
    }

    #[test]
    fn sections_with_incomplete_entries_are_not_split() {
        assert!(EntryStarts::new(&section(b"open", STRINGS, 1, 1)).is_none());
        assert!(EntryStarts::new(&section(&[0; 6], 0, 4, 4)).is_none());
        assert!(EntryStarts::new(&section(&[0; 8], 0, 0, 1)).is_none());
        assert!(EntryStarts::new(&section(&[0; 8], 0, 4, 8)).is_none());
        assert!(EntryStarts::new(&section(&[0; 8], elf::SHF_WRITE.0, 4, 4)).is_none());
    }

    #[test]
    fn a_range_is_held_if_it_is_in_one_entry() {
        let entries =
            EntryStarts::new(&section(b"one\0two\0", STRINGS, 1, 1)).expect("it can be cut");
        assert!(entries.holds(0, 4) && entries.holds(5, 3) && entries.holds(7, 0));
        assert!(!entries.holds(0, 5) && !entries.holds(8, 0) && !entries.holds(u64::MAX, 2));
    }
}
