//! Sets of decisions, as bits: why something holds.

/// A stack of explanations, one for each event, and one in the making.
///
/// Of the bits, the first half is *placed at its low*, one for each item, the second half *raised
/// above it*.
pub struct Explanations {
    items: usize,
    words: usize,
    stack: Vec<u64>,
    /// The one in the making.
    making: Vec<u64>,
}

impl Explanations {
    pub fn new(items: usize) -> Self {
        let words = (2 * items).div_ceil(64);
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

    pub fn add_raised(&mut self, item: u32) {
        let bit = self.items + item as usize;
        self.making[bit / 64] |= 1 << (bit % 64);
    }

    /// Takes the decision out; whether it was in.
    pub fn remove_placed(&mut self, item: u32) -> bool {
        self.remove(item as usize)
    }

    /// Takes the decision out; whether it was in.
    pub fn remove_raised(&mut self, item: u32) -> bool {
        self.remove(self.items + item as usize)
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
