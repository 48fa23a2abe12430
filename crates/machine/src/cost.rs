//! Costs of bytes.

use std::fmt;

/// A cost, in thousandths of the machine's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(pub u64);

impl Cost {
    /// One unit.
    pub const ONE: Self = Self(1000);

    /// Reads a decimal number without a sign, with at most three decimals, up to a million.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let part = part.trim_end_matches('0');
        if !is_number(whole) || part.len() > 3 || !(part.is_empty() || is_number(part)) {
            return None;
        }
        let whole: u64 = whole.parse().ok().filter(|whole| *whole <= 1_000_000)?;
        let part: u64 = format!("{part:0<3}").parse().ok()?;
        Some(Self(whole * 1000 + part))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1000, self.0 % 1000);
        match part {
            0 => write!(f, "{whole}"),
            part => f.write_str(format!("{whole}.{part:03}").trim_end_matches('0')),
        }
    }
}
