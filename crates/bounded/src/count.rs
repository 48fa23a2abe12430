//! Unsigned integers of any size, for the number of operations that an expanded program would have.

use std::fmt;

/// An unsigned integer of up to [`Count::MOST_BITS`] bits. A larger one is only known to be larger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// Digits to the base 2^32, least significant first, without leading zeros; `None` beyond the limit.
    limbs: Option<Vec<u32>>,
}

impl Count {
    /// The limit, in bits: larger numbers are not computed.
    pub const MOST_BITS: usize = 1 << 14;

    /// The number zero.
    pub const fn zero() -> Self {
        Self {
            limbs: Some(Vec::new()),
        }
    }

    /// The number one.
    pub fn one() -> Self {
        Self::from(1)
    }

    /// A number beyond the limit.
    pub const fn huge() -> Self {
        Self { limbs: None }
    }

    /// The number, if it is below 2^64.
    pub fn small(&self) -> Option<u64> {
        match self.limbs.as_deref()? {
            [] => Some(0),
            [low] => Some(u64::from(*low)),
            [low, high] => Some(u64::from(*high) << 32 | u64::from(*low)),
            _ => None,
        }
    }

    fn of(mut limbs: Vec<u32>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        if limbs.len() * 32 > Self::MOST_BITS {
            return Self::huge();
        }
        Self { limbs: Some(limbs) }
    }

    #[must_use]
    /// The sum of both numbers.
    pub fn plus(&self, other: &Self) -> Self {
        let (Some(left), Some(right)) = (&self.limbs, &other.limbs) else {
            return Self::huge();
        };
        let mut sum = Vec::with_capacity(left.len().max(right.len()) + 1);
        let mut carry = 0_u64;
        for at in 0..left.len().max(right.len()) {
            let digit = |of: &[u32]| u64::from(of.get(at).copied().unwrap_or(0));
            carry += digit(left) + digit(right);
            sum.push(carry as u32);
            carry >>= 32;
        }
        sum.push(carry as u32);
        Self::of(sum)
    }

    /// The product. Zero times a number beyond the limit is zero.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        if *self == Self::zero() || *other == Self::zero() {
            return Self::zero();
        }
        let (Some(left), Some(right)) = (&self.limbs, &other.limbs) else {
            return Self::huge();
        };
        let mut product = vec![0_u32; left.len() + right.len()];
        for (at, digit) in left.iter().enumerate() {
            let mut carry = 0_u64;
            for (beside, other) in right.iter().enumerate() {
                carry += u64::from(product[at + beside]) + u64::from(*digit) * u64::from(*other);
                product[at + beside] = carry as u32;
                carry >>= 32;
            }
            product[at + right.len()] = carry as u32;
        }
        Self::of(product)
    }

    /// `self` to the power of `times`, and the sum of all lower powers: `(p^n, 1 + p + … + p^(n-1))`. Takes a number of
    /// products that is logarithmic in `times`.
    pub fn powers(&self, times: u64) -> (Self, Self) {
        let (mut power, mut sum) = (Self::one(), Self::zero());
        for bit in (0..64 - times.leading_zeros()).rev() {
            // From n to 2n: the sum grows by the power times itself.
            sum = sum.plus(&power.times(&sum));
            power = power.times(&power);
            if times >> bit & 1 == 1 {
                sum = sum.plus(&power);
                power = power.times(self);
            }
        }
        (power, sum)
    }
}

impl From<u64> for Count {
    fn from(number: u64) -> Self {
        Self::of(vec![number as u32, (number >> 32) as u32])
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(limbs) = &self.limbs else {
            return write!(f, "more than 2^{}", Self::MOST_BITS);
        };
        let mut rest = limbs.clone();
        let mut groups = Vec::new();
        while !rest.is_empty() {
            let mut remainder = 0_u64;
            for limb in rest.iter_mut().rev() {
                remainder = remainder << 32 | u64::from(*limb);
                *limb = (remainder / 1_000_000_000) as u32;
                remainder %= 1_000_000_000;
            }
            groups.push(remainder);
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let Some((first, others)) = groups.split_last() else {
            return f.pad("0");
        };
        write!(f, "{first}")?;
        for group in others.iter().rev() {
            write!(f, "{group:09}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn numbers_of_any_size() {
        let (power, sum) = Count::from(2).powers(100);
        assert_eq!(power.to_string(), "1267650600228229401496703205376");
        assert_eq!(sum.to_string(), "1267650600228229401496703205375");
        assert_eq!(Count::from(u64::MAX).small(), Some(u64::MAX));
        assert_eq!(
            Count::from(u64::MAX).plus(&Count::one()).to_string(),
            "18446744073709551616"
        );
        assert_eq!(Count::zero().to_string(), "0");
        assert_eq!(Count::from(1_000_000_007).to_string(), "1000000007");
    }

    #[test]
    fn powers_are_those_of_the_definition() {
        for base in 0..5_u64 {
            for times in 0..9_u32 {
                let (power, sum) = Count::from(base).powers(u64::from(times));
                assert_eq!(power.small(), Some(base.pow(times)));
                assert_eq!(sum.small(), Some((0..times).map(|n| base.pow(n)).sum()));
            }
        }
    }

    #[test]
    fn numbers_beyond_the_limit_stay_so() {
        let (power, _) = Count::from(2).powers(1 << 60);
        assert_eq!(power, Count::huge());
        assert_eq!(power.plus(&Count::one()), Count::huge());
        assert_eq!(power.times(&Count::zero()), Count::zero());
        assert_eq!(Count::one().powers(1 << 60).0, Count::one());
        assert_eq!(power.to_string(), "more than 2^16384");
    }
}
