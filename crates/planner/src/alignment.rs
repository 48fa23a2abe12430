//! Multiples of alignments. Most alignments are powers of two, for which no division is needed.

/// The least multiple of `alignment` that is not below `offset`.
pub(crate) fn align_up(offset: u64, alignment: u64) -> u64 {
    align_down(offset + (alignment - 1), alignment)
}

/// The largest multiple of `alignment` that is not above `offset`.
pub(crate) fn align_down(offset: u64, alignment: u64) -> u64 {
    if alignment.is_power_of_two() {
        offset & !(alignment - 1)
    } else {
        offset - offset % alignment
    }
}

/// The largest alignment that divides all of these: all offsets are multiples of it. 1 if there are none.
pub(crate) fn common(alignments: impl Iterator<Item = u64>) -> u64 {
    alignments.reduce(divisor).unwrap_or(1)
}

/// The greatest common divisor of two alignments.
fn divisor(one: u64, other: u64) -> u64 {
    if one.is_power_of_two() && other.is_power_of_two() {
        return one.min(other);
    }
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_powers_of_two_and_of_others() {
        for alignment in 1..40 {
            for offset in 0..200 {
                let up = align_up(offset, alignment);
                let down = align_down(offset, alignment);
                assert!(up.is_multiple_of(alignment) && down.is_multiple_of(alignment));
                assert!(down <= offset && offset <= up);
                assert_eq!(
                    up - down,
                    if offset % alignment == 0 {
                        0
                    } else {
                        alignment
                    }
                );
            }
        }
    }

    #[test]
    fn the_common_alignment_divides_all() {
        assert_eq!(common([64, 8, 16].into_iter()), 8);
        assert_eq!(common([12, 18, 64].into_iter()), 2);
        assert_eq!(common([6, 4].into_iter()), 2);
        assert_eq!(common([].into_iter()), 1);
    }
}
