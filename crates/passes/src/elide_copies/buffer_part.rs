//! Parts of a buffer, and a test whether two of them are disjoint.

use memplan_mlir::{
    ir::{Origin, Val, operands, origin, type_of},
    layout::has_identity_layout,
    strides::element_range,
};
use memplan_semantics::{Semantics, Slice, statement::Part};
use smallvec::SmallVec;

/// A part of a buffer. What is not known of it is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BufferPart {
    /// A range of indices in each dimension of the buffer, half-open.
    indices: Option<SmallVec<[(i64, i64); 4]>>,
    /// The elements of the buffer that it spans, half-open, in the order of their addresses.
    elements: Option<(i64, i64)>,
}

impl BufferPart {
    /// All of a buffer, or an unknown part.
    pub const WHOLE: Self = Self {
        indices: None,
        elements: None,
    };

    /// Whether two parts of a buffer certainly have no common element.
    pub fn is_apart(&self, other: &Self) -> bool {
        self.has_no_element_of(other)
            || match (&self.indices, &other.indices) {
                (Some(one), Some(two)) if one.len() == two.len() => {
                    let mut pairs = one.iter().zip(two);
                    pairs.any(|(one, two)| is_before(*one, *two))
                }
                _ => false,
            }
    }

    /// As `is_apart`, also for parts of two buffers of other shapes that have the same memory.
    pub fn has_no_element_of(&self, other: &Self) -> bool {
        match (self.elements, other.elements) {
            (Some(one), Some(two)) => is_before(one, two),
            _ => false,
        }
    }

    /// The part of `buffer` that `view` is. Indices are known for one slice with constant offsets and sizes, in any
    /// shape; elements for slices of slices, too, of a buffer whose layout is the identity.
    pub fn of<'c>(view: Val<'c>, buffer: Val<'c>, semantics: &mut Semantics) -> Self {
        let mut part = Self::WHOLE;
        let mut at = view;
        let mut slices = 0;
        while at != buffer {
            let Some((source, slice)) = step(at, semantics) else {
                return Self::WHOLE;
            };
            if let Some(slice) = slice {
                slices += 1;
                part.indices = Self::indices_of(slice).filter(|_| source == buffer && slices == 1);
            }
            at = source;
        }
        if slices > 0 && has_identity_layout(type_of(buffer)) {
            part.elements = element_range(type_of(view));
        }
        part
    }

    fn indices_of(slice: Slice<'_>) -> Option<SmallVec<[(i64, i64); 4]>> {
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
        Some(dimensions)
    }
}

/// Whether one of two ranges ends before the other one.
fn is_before(one: (i64, i64), two: (i64, i64)) -> bool {
    one.1 <= two.0 || two.1 <= one.0
}

/// Whether two views have each element at the same address, if the buffers that they are views of have the same memory.
pub fn have_same_addresses<'c>(
    (one, own): (Val<'c>, Val<'c>),
    (other, others): (Val<'c>, Val<'c>),
    semantics: &mut Semantics,
) -> bool {
    let mut is_view = |view: Val<'c>, buffer: Val<'c>| {
        let mut at = view;
        while at != buffer {
            match step(at, semantics) {
                Some((source, _)) => at = source,
                None => return false,
            }
        }
        has_identity_layout(type_of(buffer))
    };
    type_of(one) == type_of(other)
        && (one == own && other == others
            || element_range(type_of(one)).is_some() && is_view(one, own) && is_view(other, others))
}

/// The source of a view of elements, and the slice that it is.
fn step<'c>(view: Val<'c>, semantics: &mut Semantics) -> Option<(Val<'c>, Option<Slice<'c>>)> {
    let Some(Origin::Result(op, 0)) = origin(view) else {
        return None;
    };
    let source = operands(op).next()?;
    match semantics.part(op)? {
        Part::All(_) => Some((source, None)),
        Part::Slice => Some((source, Some(semantics.slice(op)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(dimensions: &[(i64, i64)]) -> BufferPart {
        BufferPart {
            indices: Some(dimensions.iter().copied().collect()),
            elements: None,
        }
    }

    fn span(start: i64, end: i64) -> BufferPart {
        BufferPart {
            indices: None,
            elements: Some((start, end)),
        }
    }

    #[test]
    fn parts_are_apart_if_they_are_in_one_dimension() {
        assert!(part(&[(0, 4), (0, 2)]).is_apart(&part(&[(0, 4), (2, 4)])));
        assert!(!part(&[(0, 4), (0, 3)]).is_apart(&part(&[(3, 5), (2, 4)])));
        assert!(!part(&[(0, 4)]).is_apart(&BufferPart::WHOLE));
        assert!(!BufferPart::WHOLE.is_apart(&BufferPart::WHOLE));
        assert!(!part(&[(0, 1)]).is_apart(&part(&[(1, 2), (0, 1)])));
    }

    #[test]
    fn parts_are_apart_if_the_elements_that_they_span_are() {
        assert!(span(0, 8).is_apart(&span(8, 12)));
        assert!(!span(0, 9).is_apart(&span(8, 12)));
        assert!(!span(0, 8).is_apart(&part(&[(8, 12)])));
    }
}
