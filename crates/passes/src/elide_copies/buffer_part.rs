//! Parts of a buffer, and a test whether two of them are disjoint.

use memplan_mlir::ir::{Origin, Val, operands, origin};
use memplan_semantics::{Semantics, Slice, statement::Part};
use smallvec::SmallVec;

/// A part of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferPart {
    /// All of it, or an unknown part.
    Whole,
    /// A range of indices in each dimension, half-open.
    Box(SmallVec<[(i64, i64); 4]>),
}

impl BufferPart {
    /// Whether two parts certainly have no common element.
    pub fn is_apart(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(one), Self::Box(two)) if one.len() == two.len() => {
                let mut pairs = one.iter().zip(two);
                pairs.any(|(one, two)| one.1 <= two.0 || two.1 <= one.0)
            }
            _ => false,
        }
    }

    /// The part of `buffer` that `view` is. It is known for one slice with constant offsets and sizes, in any
    /// shape.
    pub fn of<'c>(view: Val<'c>, buffer: Val<'c>, semantics: &mut Semantics) -> Self {
        let mut at = view;
        while let Some(Origin::Result(op, 0)) = origin(at) {
            let Some(source) = operands(op).next() else {
                break;
            };
            match semantics.part(op) {
                Some(Part::All) => at = source,
                Some(Part::Slice) if source == buffer => {
                    let slice = semantics.slice(op);
                    return slice.and_then(Self::of_slice).unwrap_or(Self::Whole);
                }
                _ => break,
            }
        }
        Self::Whole
    }

    fn of_slice(slice: Slice<'_>) -> Option<Self> {
        let mut dimensions = SmallVec::new();
        let numbers = slice.offsets.iter().zip(&slice.sizes).zip(&slice.strides);
        for ((offset, size), stride) in numbers {
            // The smallest integer marks a dynamic value.
            let [offset, size, stride] =
                [offset, size, stride].map(|number| number.constant().unwrap_or(i64::MIN));
            let range = if offset == i64::MIN || stride < 1 {
                // A dynamic step may be negative.
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

    fn part(dimensions: &[(i64, i64)]) -> BufferPart {
        BufferPart::Box(dimensions.iter().copied().collect())
    }

    #[test]
    fn parts_are_apart_if_they_are_in_one_dimension() {
        assert!(part(&[(0, 4), (0, 2)]).is_apart(&part(&[(0, 4), (2, 4)])));
        assert!(!part(&[(0, 4), (0, 3)]).is_apart(&part(&[(3, 5), (2, 4)])));
        assert!(!part(&[(0, 4)]).is_apart(&BufferPart::Whole));
        assert!(!BufferPart::Whole.is_apart(&BufferPart::Whole));
        assert!(!part(&[(0, 1)]).is_apart(&part(&[(1, 2), (0, 1)])));
    }
}
