//! Banks as people write them.

use super::{parse, parse_range};

/// The banks of a memory, as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Banks {
    /// So many equal banks.
    Count(u32),
    /// The size of each, from address 0 on.
    Sizes(Vec<u64>),
    /// The addresses of each: the first one, and the first one after it.
    Ranges(Vec<(u64, u64)>),
    /// Banks that alternate.
    Interleaved {
        /// How many there are.
        count: u32,
        /// Consecutive bytes in one bank.
        width: u64,
    },
}

impl Banks {
    /// Reads `4`, `16KiB,16KiB`, `0-16KiB,32KiB-48KiB` or `32x4`, with at most so many banks.
    ///
    /// # Errors
    ///
    /// A message for the user.
    pub fn parse(text: &str, most: u32) -> Result<Self, String> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let count = |text: &str| {
            let count = text.parse().ok();
            let count = count.filter(|count| (1..=most).contains(count));
            count.ok_or_else(|| format!("'{text}' is not a number of banks from 1 to {most}"))
        };
        if is_number(text) {
            return count(text).map(Self::Count);
        }
        // 0x10 is a size.
        if let Some((number, width)) = text.split_once('x')
            && is_number(number)
            && number != "0"
        {
            let (count, width) = (count(number)?, parse(width)?);
            return Ok(Self::Interleaved { count, width });
        }
        Self::of_parts(text.split(','))
    }

    /// Reads the size of each bank, or its addresses.
    ///
    /// # Errors
    ///
    /// A message for the user.
    pub fn of_parts<'p>(parts: impl Iterator<Item = &'p str> + Clone) -> Result<Self, String> {
        match parts.clone().any(|part| part.contains('-')) {
            true => parts
                .map(parse_range)
                .collect::<Result<_, _>>()
                .map(Self::Ranges),
            false => parts.map(parse).collect::<Result<_, _>>().map(Self::Sizes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Banks;

    #[test]
    fn banks_are_a_number_sizes_ranges_or_interleaved() {
        let parsed = |text| Banks::parse(text, 1024);
        assert_eq!(parsed("4"), Ok(Banks::Count(4)));
        assert_eq!(parsed("1KiB,512"), Ok(Banks::Sizes(vec![1024, 512])));
        assert_eq!(parsed("0x10"), Ok(Banks::Sizes(vec![16])));
        let ranges = Banks::Ranges(vec![(0, 8), (16, 24)]);
        assert_eq!(parsed("0-8,0x10-24"), Ok(ranges));
        let (count, width) = (32, 4);
        assert_eq!(parsed("32x4"), Ok(Banks::Interleaved { count, width }));
        for wrong in [
            "", "0", "1025", "4xy", "2000x4", "1KiB,", "0-8,16", "8-8", "x4",
        ] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
