//! Arithmetic on sizes that does not overflow.

use super::{BuildError, Builder, Compare};
use crate::ir::{Val, results};

impl<'c> Builder<'c> {
    /// The product of two `index` values as unsigned numbers. All bits are set if it overflows. Then further products
    /// overflow as well, unless a factor is 0.
    pub fn saturating_product(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        let index = self.index_type();
        let both = self.insert("arith.mului_extended", &[left, right], &[index; 2], &[])?;
        let mut both = results(both);
        let (Some(low), Some(high)) = (both.next(), both.next()) else {
            return Err(BuildError::unexpected());
        };
        let fits = self.compare(Compare::Equal, high, self.index(0)?)?;
        self.select(fits, low, self.index(-1)?)
    }
}
