//! Parts of a buffer, and whether two of them are apart.

use memplan_mlir::{
    build::integers_of,
    ir::{Op, Origin, Val, operands, origin},
    names::{Known, Names},
};
use smallvec::SmallVec;

/// A part of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// All of it, or a part that is not known.
    Whole,
    /// In each dimension, from the first index to one past the last.
    Box(SmallVec<[(i64, i64); 4]>),
}

impl Place {
    /// Do two parts have no element in common, for certain?
    pub fn is_apart(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(one), Self::Box(two)) if one.len() == two.len() => {
                let mut pairs = one.iter().zip(two);
                pairs.any(|(one, two)| one.1 <= two.0 || two.1 <= one.0)
            }
            _ => false,
        }
    }

    /// The part of `buffer` that `view` is: known for one `memref.subview` of it with numbers.
    pub fn of<'c>(view: Val<'c>, buffer: Val<'c>, names: &mut Names) -> Self {
        let Some(Origin::Result(op, 0)) = origin(view) else {
            return Self::Whole;
        };
        if names.info(op).known != Known::Subview || operands(op).next() != Some(buffer) {
            // A view of the part may be looked at in another way.
            return match names.info(op).known {
                Known::Cast | Known::ExpandShape | Known::CollapseShape => operands(op)
                    .next()
                    .map_or(Self::Whole, |source| Self::of(source, buffer, names)),
                _ => Self::Whole,
            };
        }
        Self::of_subview(op).unwrap_or(Self::Whole)
    }

    fn of_subview(op: Op<'_>) -> Option<Self> {
        let offsets = integers_of(op, "static_offsets")?;
        let sizes = integers_of(op, "static_sizes")?;
        let strides = integers_of(op, "static_strides")?;
        let mut dimensions = SmallVec::new();
        for ((offset, size), stride) in offsets.into_iter().zip(sizes).zip(strides) {
            // What only the run knows is the least number there is.
            let range = if offset == i64::MIN || stride < 1 {
                // A step that only the run knows may go back.
                (0, i64::MAX)
            } else if size < 1 {
                (offset, i64::MAX)
            } else {
                let last = (size - 1).checked_mul(stride)?;
                (offset, offset.checked_add(last)?.checked_add(1)?)
            };
            dimensions.push(range);
        }
        Some(Self::Box(dimensions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(dimensions: &[(i64, i64)]) -> Place {
        Place::Box(dimensions.iter().copied().collect())
    }

    #[test]
    fn parts_are_apart_if_they_are_in_one_dimension() {
        assert!(part(&[(0, 4), (0, 2)]).is_apart(&part(&[(0, 4), (2, 4)])));
        assert!(!part(&[(0, 4), (0, 3)]).is_apart(&part(&[(3, 5), (2, 4)])));
        assert!(!part(&[(0, 4)]).is_apart(&Place::Whole));
        assert!(!Place::Whole.is_apart(&Place::Whole));
        assert!(!part(&[(0, 1)]).is_apart(&part(&[(1, 2), (0, 1)])));
    }
}
