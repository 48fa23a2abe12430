//! Operations that may not return, and operations that may execute before these.

use memplan_mlir::{
    ir::{Op, Origin, Val, blocks, is_memref, operands, ops, origin, regions, type_of},
    melior::ir::{
        operation::OperationLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
};
use memplan_semantics::{Number, Semantics, statement::Part};

/// Whether an operation, or a nested one, may not return.
pub(super) fn may_not_return(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut nested = regions(op).flat_map(blocks).flat_map(ops);
    semantics.may_not_return(op) || nested.any(|nested| may_not_return(nested, semantics))
}

/// Whether an operation that only overwrites parts of `buffer` may be speculated: its payload does not trap,
/// and it stays within the buffer for all sizes and indices.
pub(super) fn is_total<'c>(op: Op<'c>, buffer: Val<'c>, semantics: &mut Semantics) -> bool {
    let mut payload = regions(op).flat_map(blocks).flat_map(ops);
    let is_safe = |nested: Op<'c>, semantics: &mut Semantics| {
        semantics.is_safe_to_speculate(nested) || semantics.info(nested).is_terminator()
    };
    if !payload.all(|nested| is_safe(nested, semantics)) || !semantics.writes_in_bounds(op) {
        return false;
    }
    let memrefs = || operands(op).filter(|value| is_memref(type_of(*value)));
    let Some(first) = memrefs().next() else {
        return true;
    };
    // Sizes of several memrefs have to be equal.
    let fit = memrefs().all(|memref| memref == first)
        || memrefs().all(|memref| {
            semantics
                .dynamic_sizes(memref)
                .is_some_and(|all| all.is_empty())
        });
    fit && memrefs().all(|memref| is_within(memref, buffer, semantics))
}

/// Whether two memrefs of the same shape certainly have equal sizes.
pub fn have_same_sizes<'c>(one: Val<'c>, other: Val<'c>, semantics: &mut Semantics) -> bool {
    let sizes = (semantics.dynamic_sizes(one), semantics.dynamic_sizes(other));
    let (Some(one), Some(other)) = sizes else {
        return false;
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| semantics.are_equal(*one, *other))
}

/// Whether a memref is certainly within `buffer`.
pub fn is_within<'c>(memref: Val<'c>, buffer: Val<'c>, semantics: &mut Semantics) -> bool {
    let mut at = memref;
    while at != buffer {
        let Some(Origin::Result(view, _)) = origin(at) else {
            return false;
        };
        let Some(source) = operands(view).next() else {
            return false;
        };
        let fits = match semantics.part(view) {
            Some(Part::Slice) => is_part(view, source, semantics).unwrap_or(false),
            // Sizes that are equal, or that MLIR has verified.
            Some(Part::All(_)) => {
                view.operand_count() == 1
                    && [at, source].iter().all(|one| {
                        semantics
                            .dynamic_sizes(*one)
                            .is_some_and(|sizes| sizes.is_empty())
                    })
            }
            None => false,
        };
        if !fits {
            return false;
        }
        at = source;
    }
    true
}

/// Whether a slice starts at constants, and ends where its source does, or at constants that MLIR has
/// verified.
fn is_part<'c>(view: Op<'c>, source: Val<'c>, semantics: &mut Semantics) -> Option<bool> {
    let slice = semantics.slice(view)?;
    let mut places = slice.offsets.iter().chain(&slice.strides);
    if places.any(|number| number.constant().is_none()) {
        return Some(false);
    }
    let shape = MemRefType::try_from(type_of(source)).ok()?;
    let mut whole = semantics.dynamic_sizes(source)?.into_iter();
    let dimensions = slice.offsets.iter().zip(&slice.sizes).zip(&slice.strides);
    for (dimension, ((offset, size), stride)) in dimensions.enumerate() {
        let of_source = match shape.dim_size(dimension).ok()? {
            DimSize::Dynamic => Some(whole.next()?),
            DimSize::Static(_) => None,
        };
        let fits = match (size, of_source) {
            (Number::Constant(_), None) => true,
            (Number::Value(size), Some(of_source)) => {
                offset.constant() == Some(0)
                    && stride.constant() == Some(1)
                    && semantics.is_at_most(*size, of_source)
            }
            _ => false,
        };
        if !fits {
            return Some(false);
        }
    }
    Some(true)
}
