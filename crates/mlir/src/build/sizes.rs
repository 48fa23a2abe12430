//! Sizes that the run computes.

use super::{BuildError, Builder, Compare};
use crate::ir::{Val, results};

impl<'c> Builder<'c> {
    /// The product of two of type `index`, as numbers without a sign; all bits where that is too large. So a product of more of
    /// them is too large, too, but where one is 0.
    pub fn product_or_most(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        let index = self.index_type();
        let both = self.insert("arith.mului_extended", &[left, right], &[index; 2], &[])?;
        let mut both = results(both);
        let (Some(low), Some(high)) = (both.next(), both.next()) else {
            return Err(BuildError::signature());
        };
        let fits = self.compare(Compare::Equal, high, self.index(0)?)?;
        self.select(fits, low, self.index(-1)?)
    }
}
