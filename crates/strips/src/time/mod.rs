//! How long a block takes, as it is and with chains in strips: a model.
//!
//! The model counts what a processor does: the operations and the loops that it starts, the innermost iterations, the
//! elements that strips copy, and the bytes that come from beyond its caches. Each has a price. Operations are scalar
//! loops in the order of their dimensions, as linalg lowers them, compiled with optimization, on one core.
//!
//! Strips start an operation again and again, with all loops outside of the one that is split and that loop itself. What
//! is inside of it runs as often as before. So the time of a chain follows from sums that are computed once for a node.

mod chains;
mod nodes;

pub use chains::Works;

use crate::program::Program;
use std::ops::AddAssign;

/// What each count of [`Work`] takes, in picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    /// To see that an operation has no rows in a strip, or that it has some.
    pub condition: u64,
    /// To start an operation: its views, and the bounds of its loops.
    pub start: u64,
    /// To start an operation whose code does not stay in a cache, as its strip has many.
    pub fetch: u64,
    /// To start a loop: its first iteration, and the check whether vectors fit.
    pub r#loop: u64,
    /// An innermost iteration that writes another element than the one before.
    pub element: u64,
    /// An innermost iteration that accumulates, and waits for the one before.
    pub sum: u64,
    /// An element that is copied between strips.
    pub copied: u64,
    /// A byte of an operand that is not in a cache.
    pub streamed: u64,
    /// A byte of an operand that strips read again, in order.
    pub reread: u64,
}

/// Those of a server's core at about 3 GHz: see the manual for how they were measured.
pub const PRICES: Prices = Prices {
    condition: 500,
    start: 2_000,
    fetch: 80_000,
    r#loop: 500,
    element: 500,
    sum: 700,
    copied: 250,
    streamed: 150,
    reread: 30,
};

/// Bytes that stay in a cache from one operation to the next.
const CACHE: u64 = 1 << 20;

/// Operations whose code stays in a cache from one strip to the next.
const SHORT_STRIP: usize = 24;

/// Bytes of the first cache.
const FIRST_CACHE: u64 = 32 << 10;

/// Iterations of nested loops that a compiler writes one after the other.
const UNROLLED: u64 = 16;

/// Functions that take less may become slower by more, in picoseconds.
const SHORT: u64 = 1_000_000_000;

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Operations of strips, those without rows too.
    pub conditions: u64,
    /// Operations and copies that are started.
    pub starts: u64,
    /// Those of them whose code does not stay in a cache.
    pub fetches: u64,
    /// Loops that are started.
    pub loops: u64,
    /// Innermost iterations that write another element than the one before.
    pub elements: u64,
    /// Innermost iterations that accumulate.
    pub sums: u64,
    /// Elements that are copied between strips.
    pub copied: u64,
    /// Bytes of operands that do not stay in a cache.
    pub streamed: u64,
    /// Bytes of operands that strips read again.
    pub reread: u64,
}

impl Work {
    /// How long it takes, in picoseconds.
    pub fn time(&self) -> u64 {
        let all = [
            (self.conditions, PRICES.condition),
            (self.starts, PRICES.start),
            (self.fetches, PRICES.fetch),
            (self.loops, PRICES.r#loop),
            (self.elements, PRICES.element),
            (self.sums, PRICES.sum),
            (self.copied, PRICES.copied),
            (self.streamed, PRICES.streamed),
            (self.reread, PRICES.reread),
        ];
        all.into_iter().fold(0, |time: u64, (count, price)| {
            time.saturating_add(count.saturating_mul(price))
        })
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in [
            (&mut self.conditions, other.conditions),
            (&mut self.starts, other.starts),
            (&mut self.fetches, other.fetches),
            (&mut self.loops, other.loops),
            (&mut self.elements, other.elements),
            (&mut self.sums, other.sums),
            (&mut self.copied, other.copied),
            (&mut self.streamed, other.streamed),
            (&mut self.reread, other.reread),
        ] {
            *count = count.saturating_add(more);
        }
    }
}

/// How long a block takes as it is, in picoseconds.
pub fn unsplit(program: &Program) -> u64 {
    Works::of(program).unsplit(0..program.nodes.len())
}

/// How much longer a function may take in strips that takes so long as it is, in percent.
pub const fn most_added(time: u64) -> u64 {
    match time < SHORT {
        true => 10,
        false => 3,
    }
}

fn count(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}
