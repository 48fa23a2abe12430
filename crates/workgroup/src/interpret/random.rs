//! Pseudo-random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).

/// A generator of pseudo-random numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.number() % count as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A number that depends on all of these.
pub(super) fn hash(numbers: &[u64]) -> u64 {
    let start = 0x9e37_79b9_7f4a_7c15;
    numbers.iter().fold(start, |hash, number| {
        mix(hash.rotate_left(17) ^ number).wrapping_add(start)
    })
}
