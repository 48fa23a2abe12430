//! Sections whose entries are kept once: constants of one size, and strings.

use rustc_hash::FxHashMap;

/// The entries of a section, in the order of first appearance.
#[derive(Debug, Default)]
pub struct Pool {
    numbers: FxHashMap<Box<[u8]>, u32>,
    /// Their bytes, one behind the other, for as long as entries come.
    sizes: Vec<u32>,
}

/// Where the entries of one unit's section start, and their numbers in the pool.
#[derive(Debug)]
pub struct Entries(Vec<(u64, u32)>);

impl Entries {
    /// The entry that a byte is in, and which of its bytes that is. The end of the section is that of its last entry.
    pub fn at(&self, offset: u64) -> Option<(u32, u64)> {
        let behind = self.0.partition_point(|(start, _)| *start <= offset);
        let (start, number) = self.0.get(behind.checked_sub(1)?)?;
        Some((*number, offset - start))
    }
}

impl Pool {
    /// Adds the entries of a section; `None` where it is not made of entries.
    pub fn add(&mut self, data: &[u8], entry_size: u64, is_strings: bool) -> Option<Entries> {
        let size = usize::try_from(entry_size).ok().filter(|size| *size > 0)?;
        if !data.len().is_multiple_of(size) {
            return None;
        }
        let units = data.chunks_exact(size);
        if !is_strings {
            let entries = units.enumerate();
            let entries = entries.map(|(at, entry)| ((at * size) as u64, self.number(entry)));
            return Some(Entries(entries.collect()));
        }
        let is_end = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
        if data
            .chunks_exact(size)
            .next_back()
            .is_some_and(|last| !is_end(last))
        {
            return None;
        }
        let mut entries = Vec::new();
        let mut start = 0;
        for (at, unit) in units.enumerate() {
            if is_end(unit) {
                let end = (at + 1) * size;
                entries.push((start as u64, self.number(&data[start..end])));
                start = end;
            }
        }
        Some(Entries(entries))
    }

    fn number(&mut self, entry: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(entry) {
            return *number;
        }
        let number = self.sizes.len() as u32;
        self.sizes.push(entry.len() as u32);
        self.numbers.insert(entry.into(), number);
        number
    }

    /// All entries, sorted by their bytes, each aligned; and where each one starts, by its number.
    pub fn layout(self, align: u64, entry_size: u64) -> (Vec<u8>, Vec<u64>) {
        let mut entries: Vec<(Box<[u8]>, u32)> = self.numbers.into_iter().collect();
        entries.sort_unstable();
        let align = if align > entry_size {
            align as usize
        } else {
            1
        };
        let mut bytes: Vec<u8> = Vec::new();
        let mut offsets = vec![0; entries.len()];
        for (entry, number) in entries {
            bytes.resize(bytes.len().next_multiple_of(align), 0);
            offsets[number as usize] = bytes.len() as u64;
            bytes.extend_from_slice(&entry);
        }
        (bytes, offsets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_kept_once_and_sorted_whatever_comes_first() {
        let (one, other): (&[u8], &[u8]) = (b"b\0a\0", b"a\0c\0\0");
        for order in [[one, other], [other, one]] {
            let mut pool = Pool::default();
            let entries: Vec<Entries> = order
                .iter()
                .map(|data| pool.add(data, 1, true).unwrap())
                .collect();
            let (bytes, offsets) = pool.layout(1, 1);
            assert_eq!(bytes, b"\0a\0b\0c\0");
            for (data, entries) in order.iter().zip(entries) {
                for at in 0..data.len() {
                    let (entry, within) = entries.at(at as u64).unwrap();
                    let there = (offsets[entry as usize] + within) as usize;
                    assert_eq!(bytes[there], data[at]);
                }
            }
        }
    }

    #[test]
    fn constants_have_one_size() {
        let mut pool = Pool::default();
        assert!(pool.add(&[1, 2, 3], 2, false).is_none());
        let entries = pool.add(&[2, 0, 1, 0, 2, 0], 2, false).unwrap();
        assert_eq!(entries.at(0).unwrap().0, entries.at(4).unwrap().0);
        assert_eq!(pool.layout(2, 2).0, [1, 0, 2, 0]);
    }

    #[test]
    fn a_string_without_an_end_is_none() {
        assert!(Pool::default().add(b"a", 1, true).is_none());
        assert!(Pool::default().add(b"a\0b\0", 4, true).is_none());
    }

    #[test]
    fn entries_are_aligned_where_they_are_smaller() {
        let mut pool = Pool::default();
        pool.add(b"a\0bc\0", 1, true).unwrap();
        assert_eq!(pool.layout(4, 1).0, b"a\0\0\0bc\0");
    }
}
