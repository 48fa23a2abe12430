//! The offsets of state: each at the first free address, in the order of the text.

use std::fmt::{self, Display, Formatter};

/// State that needs a place.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Bytes, at least one.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// The required offset, a multiple of the alignment.
    pub fixed: Option<u64>,
}

/// Why there is no place. Numbers are indices of what is placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// The second of these has a required offset, and overlaps the first one.
    Overlap(usize, usize),
    /// The required offset is in this range of excluded addresses.
    Forbidden(usize, u64, u64),
    /// It would end above the largest offset.
    TooLarge(usize),
}

impl Display for Misplaced {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap(..) => out.write_str("two required offsets overlap"),
            Self::Forbidden(_, start, end) => write!(
                out,
                "its offset is given, but `forbid` excludes addresses {start} to {end}"
            ),
            Self::TooLarge(_) => out.write_str("the state takes more than 2^63 - 1 bytes"),
        }
    }
}

/// The offset of each. First come those that are required.
pub fn place(all: &[Wanted], forbidden: &[(u64, u64)]) -> Result<Vec<u64>, Misplaced> {
    let most = i64::MAX as u64;
    let forbidden: Vec<(u64, u64)> = forbidden
        .iter()
        .filter(|(from, to)| from < to)
        .copied()
        .collect();
    let least_alignment = all.iter().map(|wanted| wanted.alignment).min().unwrap_or(1);
    let mut offsets = vec![0; all.len()];
    let mut fixed = Vec::new();
    for (place, wanted) in all.iter().enumerate() {
        let Some(offset) = wanted.fixed else { continue };
        let end = offset.checked_add(wanted.size).filter(|end| *end <= most);
        let end = end.ok_or(Misplaced::TooLarge(place))?;
        let hit = forbidden
            .iter()
            .find(|(from, to)| *from < end && offset < *to);
        if let Some((from, to)) = hit {
            return Err(Misplaced::Forbidden(place, *from, *to));
        }
        offsets[place] = offset;
        fixed.push((offset, end, place));
    }
    fixed.sort_unstable();
    if let Some(pair) = fixed.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        let (first, second) = (pair[0].2.min(pair[1].2), pair[0].2.max(pair[1].2));
        return Err(Misplaced::Overlap(first, second));
    }
    // Free addresses, in order.
    let mut taken: Vec<(u64, u64)> = fixed.iter().map(|(from, to, _)| (*from, *to)).collect();
    taken.extend(&forbidden);
    taken.sort_unstable();
    let mut free = Vec::new();
    let mut start = 0;
    for (from, to) in taken {
        if start < from {
            free.push((start, from));
        }
        start = start.max(to);
    }
    free.push((start, most));
    for (place, wanted) in all.iter().enumerate() {
        if wanted.fixed.is_some() {
            continue;
        }
        let fit = |(from, to): &(u64, u64)| {
            let offset = from.checked_next_multiple_of(wanted.alignment)?;
            let end = offset.checked_add(wanted.size)?;
            (end <= *to).then_some((offset, end))
        };
        let found = free.iter().enumerate();
        let found = found.filter_map(|(gap, range)| Some((gap, fit(range)?)));
        let Some((gap, (offset, end))) = found.into_iter().next() else {
            return Err(Misplaced::TooLarge(place));
        };
        offsets[place] = offset;
        let (from, to) = free[gap];
        // A gap without an aligned address stays empty. So there are few gaps.
        let is_usable = |(from, to): &(u64, u64)| {
            let first = from.checked_next_multiple_of(least_alignment);
            first.is_some_and(|first| first < *to)
        };
        let rest = [(from, offset), (end, to)];
        free.splice(gap..=gap, rest.into_iter().filter(is_usable));
    }
    Ok(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, option, prelude::*};

    fn wanted(size: u64, alignment: u64, fixed: Option<u64>) -> Wanted {
        Wanted {
            size,
            alignment,
            fixed,
        }
    }

    #[test]
    fn each_takes_the_first_free_address() {
        let all = [
            wanted(4, 64, None),
            wanted(100, 64, None),
            wanted(4, 64, None),
        ];
        assert_eq!(place(&all, &[]), Ok(vec![0, 64, 192]));
        // The third fits before the second.
        assert_eq!(place(&all, &[(10, 70), (90, 128)]), Ok(vec![0, 128, 256]));
        let all = [
            wanted(4, 1, None),
            wanted(100, 64, None),
            wanted(4, 1, None),
        ];
        assert_eq!(place(&all, &[]), Ok(vec![0, 64, 4]));
    }

    #[test]
    fn required_offsets_are_kept() {
        let all = [
            wanted(64, 64, None),
            wanted(8, 64, Some(0)),
            wanted(8, 8, Some(136)),
        ];
        assert_eq!(place(&all, &[]), Ok(vec![64, 0, 136]));
        assert_eq!(
            place(&all, &[(130, 140)]),
            Err(Misplaced::Forbidden(2, 130, 140))
        );
        let all = [wanted(64, 64, Some(64)), wanted(8, 8, Some(120))];
        assert_eq!(place(&all, &[]), Err(Misplaced::Overlap(0, 1)));
    }

    #[test]
    fn more_than_there_are_addresses_is_an_error() {
        let all = [wanted(1 << 62, 1, None), wanted(1 << 62, 1, None)];
        assert_eq!(place(&all, &[]), Err(Misplaced::TooLarge(1)));
        let all = [wanted(1, 1, Some(i64::MAX as u64))];
        assert_eq!(place(&all, &[]), Err(Misplaced::TooLarge(0)));
    }

    proptest! {
        #[test]
        fn no_two_share_a_byte_and_none_is_at_excluded_addresses(
            raw in vec((1u64..40, 0u32..4, option::weighted(0.2, 0u64..20)), 0..12),
            ranges in vec((0u64..100, 0u64..30), 0..4),
        ) {
            let all: Vec<Wanted> = raw
                .iter()
                .map(|(size, shift, fixed)| {
                    let alignment = 1 << shift;
                    wanted(*size, alignment, fixed.map(|number| number * alignment))
                })
                .collect();
            let forbidden: Vec<_> = ranges.iter().map(|(from, size)| (*from, from + size)).collect();
            let Ok(offsets) = place(&all, &forbidden) else {
                prop_assert!(all.iter().any(|one| one.fixed.is_some()));
                return Ok(());
            };
            let mut taken: Vec<(u64, u64)> = forbidden.iter().copied().filter(|(a, b)| a < b).collect();
            for (one, offset) in all.iter().zip(offsets) {
                prop_assert!(offset.is_multiple_of(one.alignment));
                prop_assert!(one.fixed.is_none_or(|fixed| fixed == offset));
                let own = (offset, offset + one.size);
                prop_assert!(taken.iter().all(|(a, b)| own.1 <= *a || *b <= own.0));
                taken.push(own);
            }
        }
    }
}
