//! Banks: parts of a memory that can be accessed at the same time, and which buffers may lie in which of them.
//!
//! # The model
//!
//! The memory of a problem has *banks*, numbered from 0 in the order of addresses ([`BankLayout`]):
//!
//! * *Contiguous* banks are disjoint ranges of addresses. Bytes between two of them do not exist. The tiles of AMD's AI
//!   engines have four or eight such banks (MLIR-AIE, `--alloc-scheme=bank-aware`); so have the tightly coupled memories
//!   of DSPs, such as the two data memories of Tensilica's cores, and the L1 and L2 memories of TI's C7x.
//! * *Interleaved* banks take turns every `width` bytes: an address lies in bank `address / width % count`. The shared
//!   memory of NVIDIA's GPUs has 32 banks of 4 bytes (CUDA C++ Programming Guide, "Shared Memory"); memory controllers
//!   interleave channels in the same manner.
//!
//! A buffer *touches* the banks in which its bytes lie. The rules are about these banks ([`BankRules`]):
//!
//! * Contiguous banks: a buffer touches one bank, and all of its bytes exist. A rule may name the banks that it may touch,
//!   and may let it cross from a bank to the next one.
//! * Interleaved banks: most buffers are wider than a bank, so they may lie anywhere. A rule may name the banks in which
//!   the first byte may lie.
//! * Buffers that are *apart* touch no common bank if they are in use at the same time. An operation that reads two
//!   operands in one cycle needs that (dual-access memories of DSPs; Saghir, Chow and Lee, "Exploiting dual data-memory
//!   banks in digital signal processors", 1996), and so do ping and pong, of which one is filled while the other is read.
//!   Buffers that are never in use at the same time may share a bank. The relation is symmetric.
//!
//! A rule counts all bytes of a buffer, at all times at which it is in use, also those outside of its
//! [windows](crate::Window). Buffers without bytes and buffers that are never in use touch no bank.
//!
//! [Forbidden](crate::Forbidden) addresses, such as a stack in one of the banks, and fixed offsets hold as they do without
//! banks.
//!
//! # The objective
//!
//! The first question is whether the buffers fit in the banks, so the end of the last contiguous bank is a capacity. With
//! a capacity, planners return the first plan that fits. Without one, they minimize the highest address, as without banks:
//! the number of leading banks that a device must have follows from it. A problem may have no plan at all, whatever the
//! capacity: more buffers that are apart than banks, for instance. A lower bound of `u64::MAX` says so.

use crate::Buffer;

/// The most banks of a memory.
pub const MAX_BANKS: u32 = 1024;

/// The banks of a memory, and the rules for buffers in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Banks {
    /// Where the banks are.
    pub layout: BankLayout,
    /// Which buffers may be where.
    pub rules: BankRules,
}

/// Where the banks of a memory are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BankLayout {
    /// Disjoint ranges of addresses, in order.
    Contiguous(Vec<Bank>),
    /// `count` banks that take turns every `width` bytes, from address 0 on.
    Interleaved {
        /// The number of banks.
        count: u32,
        /// Consecutive bytes in one bank.
        width: u64,
    },
}

/// A contiguous bank: the addresses from `start` up to but not including `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bank {
    /// The first byte.
    pub start: u64,
    /// The first byte after it.
    pub end: u64,
}

/// Which buffers may lie in which banks. Buffers are given by id.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BankRules {
    /// Rules for single buffers, at most one for each. Without one, a buffer may lie in any contiguous bank, or anywhere in
    /// interleaved ones.
    pub placements: Vec<BankRule>,
    /// Groups of buffers of which no two touch a common bank while both are in use.
    pub apart: Vec<Vec<u64>>,
}

/// The rule for one buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BankRule {
    /// The buffer.
    pub id: u64,
    /// The banks that it may touch; interleaved banks: those in which it may start. Empty for all.
    pub banks: Vec<u32>,
    /// Whether it may touch several contiguous banks.
    pub crosses: bool,
}

impl BankRules {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.placements.is_empty() && self.apart.is_empty()
    }
}

impl BankLayout {
    /// `count` contiguous banks of equal size. `None` if the capacity is no multiple of their number.
    pub fn equal(count: u32, capacity: u64) -> Option<Self> {
        let size = capacity.checked_div(count.into())?;
        let banks = (0..u64::from(count)).map(|number| Bank {
            start: number * size,
            end: (number + 1) * size,
        });
        (size * u64::from(count) == capacity).then(|| BankLayout::Contiguous(banks.collect()))
    }

    /// Contiguous banks of these sizes, one after the other. `None` if they end above 2^64 - 1.
    pub fn of_sizes(sizes: &[u64]) -> Option<Self> {
        let mut end: u64 = 0;
        let mut banks = Vec::with_capacity(sizes.len());
        for size in sizes {
            let start = end;
            end = end.checked_add(*size)?;
            banks.push(Bank { start, end });
        }
        Some(BankLayout::Contiguous(banks))
    }

    /// The number of banks.
    pub fn count(&self) -> u32 {
        match self {
            // More than MAX_BANKS are refused.
            BankLayout::Contiguous(banks) => u32::try_from(banks.len()).unwrap_or(u32::MAX),
            BankLayout::Interleaved { count, .. } => *count,
        }
    }

    /// The end of the last contiguous bank; interleaved banks have none.
    pub fn end(&self) -> Option<u64> {
        match self {
            BankLayout::Contiguous(banks) => Some(banks.last().map_or(0, |bank| bank.end)),
            BankLayout::Interleaved { .. } => None,
        }
    }

    /// The banks that a buffer touches at this offset, from that of its first byte on. Interleaved banks continue with bank
    /// 0 after the last one. Empty for a buffer without bytes; `None` if a byte is outside of all contiguous banks.
    pub fn touched(&self, buffer: &Buffer, offset: u64) -> Option<Vec<u32>> {
        let run = self.run_at(buffer.size, offset)?;
        Some(run.banks(self.count()).collect())
    }

    /// The same for so many bytes, in short.
    pub(crate) fn run_at(&self, size: u64, offset: u64) -> Option<Run> {
        if size == 0 {
            return Some(Run { first: 0, count: 0 });
        }
        let last = offset.checked_add(size - 1)?;
        match self {
            BankLayout::Contiguous(banks) => {
                let at = |address| {
                    let at = banks.partition_point(|bank| bank.end <= address);
                    banks.get(at).filter(|bank| bank.start <= address)?;
                    Some(at)
                };
                let (first, last) = (at(offset)?, at(last)?);
                let whole = is_adjacent(&banks[first..=last]);
                whole.then_some(Run {
                    first: first as u32,
                    count: (last - first + 1) as u32,
                })
            }
            BankLayout::Interleaved { count, width } => {
                let strips = last / width - offset / width + 1;
                Some(Run {
                    first: (offset / width % u64::from(*count)) as u32,
                    count: strips.min(u64::from(*count)) as u32,
                })
            }
        }
    }
}

/// Whether each bank starts at the end of the one before.
pub(crate) fn is_adjacent(banks: &[Bank]) -> bool {
    banks.windows(2).all(|pair| pair[0].end == pair[1].start)
}

/// Consecutive banks: `count` of them from `first` on; interleaved ones continue with bank 0 after the last one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Run {
    pub first: u32,
    pub count: u32,
}

impl Run {
    /// Whether a bank is one of them, of `all` banks.
    pub fn has(self, bank: u32, all: u32) -> bool {
        let distance = if bank >= self.first {
            bank - self.first
        } else {
            all - self.first + bank
        };
        distance < self.count
    }

    /// The banks.
    pub fn banks(self, all: u32) -> impl Iterator<Item = u32> + Clone {
        (0..self.count).map(move |next| (self.first + next) % all.max(1))
    }

    /// Whether they have a bank in common.
    pub fn meets(self, other: Run, all: u32) -> bool {
        self.count > 0
            && other.count > 0
            && (self.has(other.first, all) || other.has(self.first, all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(layout: &BankLayout, offset: u64, size: u64) -> Option<Vec<u32>> {
        layout.touched(&Buffer::new(0, size, [(0, 1)]), offset)
    }

    #[test]
    fn contiguous_banks_are_touched_by_their_bytes() {
        let banks = [(0, 8), (8, 16), (20, 24)].map(|(start, end)| Bank { start, end });
        let layout = BankLayout::Contiguous(banks.to_vec());
        assert_eq!((layout.count(), layout.end()), (3, Some(24)));
        assert_eq!(touched(&layout, 0, 8), Some(vec![0]));
        assert_eq!(touched(&layout, 7, 2), Some(vec![0, 1]));
        assert_eq!(touched(&layout, 20, 4), Some(vec![2]));
        assert_eq!(touched(&layout, 9, 0), Some(vec![]));
        for (offset, size) in [(15, 2), (14, 8), (16, 1), (23, 2), (u64::MAX, 2)] {
            assert_eq!(touched(&layout, offset, size), None, "{offset} {size}");
        }
    }

    #[test]
    fn interleaved_banks_take_turns() {
        let layout = BankLayout::Interleaved { count: 4, width: 4 };
        assert_eq!((layout.count(), layout.end()), (4, None));
        assert_eq!(touched(&layout, 4, 4), Some(vec![1]));
        assert_eq!(touched(&layout, 15, 2), Some(vec![3, 0]));
        assert_eq!(touched(&layout, 10, 99), Some(vec![2, 3, 0, 1]));
    }

    #[test]
    fn layouts_follow_from_sizes() {
        let bank = |start, end| Bank { start, end };
        let two = BankLayout::Contiguous(vec![bank(0, 8), bank(8, 16)]);
        assert_eq!(BankLayout::equal(2, 16), Some(two));
        assert_eq!(BankLayout::equal(3, 16), None);
        assert_eq!(BankLayout::equal(0, 16), None);
        let sizes = BankLayout::Contiguous(vec![bank(0, 4), bank(4, 12)]);
        assert_eq!(BankLayout::of_sizes(&[4, 8]), Some(sizes));
        assert_eq!(BankLayout::of_sizes(&[u64::MAX, 1]), None);
    }

    #[test]
    fn runs_meet_around_the_end() {
        let run = |first, count| Run { first, count };
        assert!(run(3, 2).meets(run(0, 1), 4) && run(0, 1).meets(run(3, 2), 4));
        assert!(!run(3, 1).meets(run(0, 3), 4) && !run(1, 0).meets(run(0, 4), 4));
        assert!(run(2, 4).meets(run(1, 1), 4));
        assert_eq!(run(3, 2).banks(4).collect::<Vec<_>>(), [3, 0]);
    }
}
