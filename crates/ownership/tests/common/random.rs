//! Random numbers for tests.

/// A random number generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    /// A number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % count.max(1)
    }

    /// True with a probability of `of_100` percent.
    pub fn chance(&mut self, of_100: usize) -> bool {
        self.below(100) < of_100
    }
}
