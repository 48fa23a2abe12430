//! Sets of decisions, as bits: why something holds.

/// A stack of explanations, one for each event, and one in the making.
///
/// Of the bits, the first third is *placed at its low*, one for each item. The others are *raised
/// above it*, one for each such decision that holds, numbered from the first on: an item that was
/// raised may be raised again, and a conflict can follow from one of these decisions alone. Where
/// they are too many, the last ones share a bit.
pub struct Explanations {
    items: usize,
    words: usize,
    stack: Vec<u64>,
    /// The one in the making.
    making: Vec<u64>,
}

impl Explanations {
    pub fn new(items: usize) -> Self {
        let words = (3 * items).div_ceil(64);
        Explanations {
            items,
            words,
            stack: Vec::new(),
            making: vec![0; words],
        }
    }

    pub fn clear(&mut self) {
        self.stack.clear();
    }

    /// An event that follows from nothing.
    pub fn push_empty(&mut self) {
        self.stack.resize(self.stack.len() + self.words, 0);
    }

    /// An event that follows from the explanation in the making.
    pub fn push(&mut self) {
        self.stack.extend_from_slice(&self.making);
    }

    /// Forgets all but the first `events`.
    pub fn truncate(&mut self, events: usize) {
        self.stack.truncate(events * self.words);
    }

    pub fn start_empty(&mut self) {
        self.making.fill(0);
    }

    /// Starts with that of `event`.
    pub fn start_copy(&mut self, event: u32) {
        let start = event as usize * self.words;
        self.making
            .copy_from_slice(&self.stack[start..start + self.words]);
    }

    pub fn add_event(&mut self, event: u32) {
        let start = event as usize * self.words;
        union(&mut self.making, &self.stack[start..start + self.words]);
    }

    pub fn add(&mut self, explanation: &[u64]) {
        union(&mut self.making, explanation);
    }

    pub fn add_placed(&mut self, item: u32) {
        self.making[item as usize / 64] |= 1 << (item % 64);
    }

    pub fn add_raised(&mut self, number: usize) {
        let bit = self.raised(number);
        self.making[bit / 64] |= 1 << (bit % 64);
    }

    /// Takes the decision out; whether it was in.
    pub fn remove_placed(&mut self, item: u32) -> bool {
        self.remove(item as usize)
    }

    /// Takes the last decision to raise an item out; whether it was in. It stays in where it shares
    /// its bit with one before.
    pub fn remove_raised(&mut self, number: usize) -> bool {
        let bit = self.raised(number);
        let had = self.remove(bit);
        if had && number > 0 && self.raised(number - 1) == bit {
            self.making[bit / 64] |= 1 << (bit % 64);
        }
        had
    }

    fn raised(&self, number: usize) -> usize {
        (self.items + number).min(64 * self.words - 1)
    }

    fn remove(&mut self, bit: usize) -> bool {
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        let had = self.making[word] & mask != 0;
        self.making[word] &= !mask;
        had
    }

    /// The one in the making.
    pub fn making(&self) -> &[u64] {
        &self.making
    }
}

fn union(into: &mut [u64], from: &[u64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}
