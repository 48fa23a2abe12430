//! Explanations as bit sets of decisions.

/// A stack of explanations, one for each event, and a current one.
///
/// The first third of the bits are *placed at its low*, one for each item. The others are *raised
/// above it*, one for each active decision of this kind, numbered from the first. An item that was
/// raised may be raised again, and a conflict can depend on one of these decisions alone. If there
/// are too many of them, the last ones share a bit.
pub struct Explanations {
    items: usize,
    words: usize,
    stack: Vec<u64>,
    /// The current explanation.
    current: Vec<u64>,
}

impl Explanations {
    pub fn new(items: usize) -> Self {
        let words = (3 * items).div_ceil(64);
        Explanations {
            items,
            words,
            stack: Vec::new(),
            current: vec![0; words],
        }
    }

    pub fn clear(&mut self) {
        self.stack.clear();
    }

    /// Pushes an event without premises.
    pub fn push_empty(&mut self) {
        self.stack.resize(self.stack.len() + self.words, 0);
    }

    /// Pushes an event with the current explanation.
    pub fn push(&mut self) {
        self.stack.extend_from_slice(&self.current);
    }

    /// Removes all events except the first `events`.
    pub fn truncate(&mut self, events: usize) {
        self.stack.truncate(events * self.words);
    }

    pub fn start_empty(&mut self) {
        self.current.fill(0);
    }

    /// Sets the current explanation to that of `event`.
    pub fn start_copy(&mut self, event: u32) {
        let start = event as usize * self.words;
        self.current
            .copy_from_slice(&self.stack[start..start + self.words]);
    }

    pub fn add_event(&mut self, event: u32) {
        let start = event as usize * self.words;
        union(&mut self.current, &self.stack[start..start + self.words]);
    }

    pub fn add(&mut self, explanation: &[u64]) {
        union(&mut self.current, explanation);
    }

    pub fn add_placed(&mut self, item: u32) {
        self.current[item as usize / 64] |= 1 << (item % 64);
    }

    pub fn add_raised(&mut self, number: usize) {
        let bit = self.raised(number);
        self.current[bit / 64] |= 1 << (bit % 64);
    }

    /// Removes the decision. Returns whether it was present.
    pub fn remove_placed(&mut self, item: u32) -> bool {
        self.remove(item as usize)
    }

    /// Removes the last decision to raise an item. Returns whether it was present. Its bit stays
    /// set if it shares the bit with an earlier decision.
    pub fn remove_raised(&mut self, number: usize) -> bool {
        let bit = self.raised(number);
        let had = self.remove(bit);
        if had && number > 0 && self.raised(number - 1) == bit {
            self.current[bit / 64] |= 1 << (bit % 64);
        }
        had
    }

    fn raised(&self, number: usize) -> usize {
        (self.items + number).min(64 * self.words - 1)
    }

    fn remove(&mut self, bit: usize) -> bool {
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        let had = self.current[word] & mask != 0;
        self.current[word] &= !mask;
        had
    }

    /// The current explanation.
    pub fn current(&self) -> &[u64] {
        &self.current
    }
}

fn union(into: &mut [u64], from: &[u64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}
