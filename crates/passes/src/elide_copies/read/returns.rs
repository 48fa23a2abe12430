//! Operations that control may not come back from, and operations that may run before these.

use memplan_mlir::{
    ir::{Op, Origin, Val, blocks, is_memref, operands, ops, origin, regions, type_of},
    melior::ir::{
        operation::OperationLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
    values::{at_most, equal},
};
use memplan_semantics::{Number, Semantics, statement::Part};

/// May control not come back from an operation, or from one in it?
pub(super) fn may_not_return(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut nested = regions(op).flat_map(blocks).flat_map(ops);
    semantics.may_not_return(op) || nested.any(|nested| may_not_return(nested, semantics))
}

/// May an operation that overwrites parts of `buffer`, and does nothing else, run where it would not have run? Its payload
/// does not trap, and it stays within the buffer, whatever its sizes and indices are.
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
    // Sizes of several memrefs have to be the same.
    let fit = memrefs().all(|memref| memref == first)
        || memrefs().all(|memref| {
            semantics
                .dynamic_sizes(memref)
                .is_some_and(|all| all.is_empty())
        });
    fit && memrefs().all(|memref| is_within(memref, buffer, semantics))
}

/// Are two memrefs of the same shape of the same sizes, for certain?
pub(super) fn have_same_sizes<'c>(one: Val<'c>, other: Val<'c>, semantics: &mut Semantics) -> bool {
    let sizes = (semantics.dynamic_sizes(one), semantics.dynamic_sizes(other));
    let (Some(one), Some(other)) = sizes else {
        return false;
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| equal(*one, *other))
}

/// Is a memref within `buffer`, for certain?
pub(super) fn is_within<'c>(memref: Val<'c>, buffer: Val<'c>, semantics: &mut Semantics) -> bool {
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
            // Of sizes that are the same, and of those that MLIR has checked.
            Some(Part::All) => {
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

/// Does a slice start at constants, and end where its source does, or at constants that MLIR has checked?
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
                    && at_most(*size, of_source)
            }
            _ => false,
        };
        if !fits {
            return Some(false);
        }
    }
    Some(true)
}
