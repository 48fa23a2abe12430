//! What random tests draw from.

/// Numbers at random (xorshift64*).
pub struct Random(pub u64);

impl Random {
    /// Less than a count; 0 where that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % count.max(1)
    }

    /// Whether something happens that does so many times of 100.
    pub fn chance(&mut self, of_100: usize) -> bool {
        self.below(100) < of_100
    }
}
