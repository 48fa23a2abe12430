//! The state of a function along a length that is being written.

use super::super::super::types::Element;
use super::super::chain::Chain;
use super::sizes::{Number, Size};
use super::value::Value;

/// How often a function is called.
pub const CALLS: usize = 5;

/// The most elements that one program computes in all calls.
pub const WORK: i64 = 400_000;
/// The most elements of a memref.
pub const MOST: i64 = 12_000;

/// A function along a length that is being written.
pub struct Along<'c> {
    /// The program.
    pub chain: &'c mut Chain,
    /// The type of elements.
    pub element: Element,
    /// How many lengths sizes are known for; the function is called with the first `CALLS` of them.
    pub lengths: usize,
    /// The numbers that the function gets.
    pub numbers: Vec<Number>,
    /// The memrefs that the function gets.
    pub memrefs: Vec<Value>,
    /// What may be read, the oldest first.
    pub values: Vec<Value>,
    /// What the function allocates.
    pub allocations: Vec<Value>,
    /// The number of the last memory.
    pub roots: usize,
    /// How much may still be computed.
    pub work: i64,
}

impl Along<'_> {
    /// Whether so much more may be computed, for each element of a memref; if so, less may be later.
    pub fn affords(&mut self, sizes: &[Size], each: i64) -> bool {
        let count = |length| sizes.iter().map(|size| size.at(length)).product();
        let counts: Vec<i64> = (0..CALLS).map(count).collect();
        let work: i64 = counts.iter().map(|count| count * each).sum();
        let affords = work <= self.work && counts.iter().all(|count| *count <= MOST);
        if affords {
            self.work -= work;
        }
        affords
    }

    /// A value for which `fits` is true, most often the last one.
    pub fn pick(&mut self, fits: impl Fn(&Self, &Value) -> bool) -> Option<Value> {
        let all = self.values.iter().rev();
        let found: Vec<Value> = all.filter(|value| fits(self, value)).cloned().collect();
        let latest = found.first()?;
        Some(match self.chain.choices.chance(40) {
            false => latest.clone(),
            true => self.chain.choices.of(&found).clone(),
        })
    }
}
