//! Operations that control may not come back from, and operations that may run before these.

use crate::{
    origins::is_zero,
    reorder::{Kind, may_go_on_forever},
};
use memplan_mlir::{
    affine,
    build::integers_of,
    ir::{Op, Origin, Val, blocks, is_memref, operands, ops, origin, regions, type_of},
    melior::ir::{
        operation::OperationLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
    names::{Known, Names},
    values::{at_most, equal},
};
use memplan_semantics::{
    declared::{effects, is_described, is_effect_free},
    speculation::is_safe_to_speculate,
};
use smallvec::SmallVec;

/// May control not come back from an operation, or from one in it: an assertion, a call, an endless loop, or what nothing is
/// known of?
pub(super) fn may_not_return(op: Op<'_>, names: &mut Names) -> bool {
    let info = names.info(op);
    let is_described = is_described(op);
    let is_known = info.is_registered() || is_described;
    if !is_known
        || info.is_call()
        || info.known == Known::Assert
        || Kind::of(op) == Kind::Unfollowed
        || may_go_on_forever(op, info)
    {
        return true;
    }
    let returns = match (info.has_memory_effects() || is_described)
        .then(|| effects(op))
        .flatten()
    {
        Some(effects) => effects.iter().all(|effect| effect.memory),
        None => info.has_recursive_effects() || info.is_terminator() || is_effect_free(op),
    };
    let mut nested = regions(op).flat_map(blocks).flat_map(ops);
    !returns || nested.any(|nested| may_not_return(nested, names))
}

/// May an operation that overwrites parts of `buffer`, and does nothing else, run where it would not have run? Its payload
/// does not trap, and it stays within the buffer, whatever its sizes and indices are.
pub(super) fn is_total<'c>(op: Op<'c>, buffer: Val<'c>, names: &mut Names) -> bool {
    let mut payload = regions(op).flat_map(blocks).flat_map(ops);
    if !payload.all(|nested| is_safe_to_speculate(nested) || names.info(nested).is_terminator()) {
        return false;
    }
    let is_first = match names.info(op).known {
        Known::Store => operands(op).skip(2).all(|index| is_zero(index, names)),
        Known::AffineStore => affine::evaluate(op, "map", &[])
            .is_some_and(|place| place.into_iter().all(|index| index == 0)),
        _ => true,
    };
    let memrefs = || operands(op).filter(|value| is_memref(type_of(*value)));
    let Some(first) = memrefs().next() else {
        return true;
    };
    // Sizes of several memrefs have to be the same.
    let fit = memrefs().all(|memref| memref == first)
        || memrefs().all(|memref| dynamic_sizes(memref, names).is_some_and(|all| all.is_empty()));
    is_first && fit && memrefs().all(|memref| is_within(memref, buffer, names))
}

/// Are two memrefs of the same shape of the same sizes, for certain?
pub(super) fn have_same_sizes<'c>(one: Val<'c>, other: Val<'c>, names: &mut Names) -> bool {
    let sizes = (dynamic_sizes(one, names), dynamic_sizes(other, names));
    let (Some(one), Some(other)) = sizes else {
        return false;
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| equal(*one, *other))
}

/// The sizes of a memref that its type leaves open, where they can be read off the operation that makes it.
fn dynamic_sizes<'c>(memref: Val<'c>, names: &mut Names) -> Option<SmallVec<[Val<'c>; 4]>> {
    if MemRefType::try_from(type_of(memref)).is_ok_and(|memref| memref.has_static_shape()) {
        return Some(SmallVec::new());
    }
    let Origin::Result(op, _) = origin(memref)? else {
        return None;
    };
    match names.info(op).known {
        Known::Alloc => Some(operands(op).collect()),
        Known::Subview => {
            let offsets = dynamic(&integers_of(op, "static_offsets")?);
            let sizes = dynamic(&integers_of(op, "static_sizes")?);
            Some(operands(op).skip(1 + offsets).take(sizes).collect())
        }
        _ => None,
    }
}

/// How many of the numbers of a view are only known at run time.
fn dynamic(numbers: &[i64]) -> usize {
    numbers.iter().filter(|number| **number == DYNAMIC).count()
}

/// What stands for a number that is only known at run time.
const DYNAMIC: i64 = i64::MIN;

/// Is a memref within `buffer`, for certain?
pub(super) fn is_within<'c>(memref: Val<'c>, buffer: Val<'c>, names: &mut Names) -> bool {
    let mut at = memref;
    while at != buffer {
        let Some(Origin::Result(view, _)) = origin(at) else {
            return false;
        };
        let Some(source) = operands(view).next() else {
            return false;
        };
        let fits = match names.info(view).known {
            Known::Subview => is_part(view, source, names).unwrap_or(false),
            // Of sizes that are the same, and of those that MLIR has checked.
            Known::ExpandShape | Known::CollapseShape | Known::Cast => {
                view.operand_count() == 1
                    && [at, source]
                        .iter()
                        .all(|one| dynamic_sizes(*one, names).is_some_and(|sizes| sizes.is_empty()))
            }
            _ => false,
        };
        if !fits {
            return false;
        }
        at = source;
    }
    true
}

/// Does a `memref.subview` start at constants, and end where its source does, or at constants that MLIR has checked?
fn is_part<'c>(view: Op<'c>, source: Val<'c>, names: &mut Names) -> Option<bool> {
    let offsets = integers_of(view, "static_offsets")?;
    let sizes = integers_of(view, "static_sizes")?;
    let strides = integers_of(view, "static_strides")?;
    if dynamic(&offsets) + dynamic(&strides) > 0 {
        return Some(false);
    }
    let shape = MemRefType::try_from(type_of(source)).ok()?;
    let mut given = operands(view).skip(1);
    let mut whole = dynamic_sizes(source, names)?.into_iter();
    for (dimension, ((offset, size), stride)) in
        offsets.into_iter().zip(sizes).zip(strides).enumerate()
    {
        let of_source = match shape.dim_size(dimension).ok()? {
            DimSize::Dynamic => Some(whole.next()?),
            DimSize::Static(_) => None,
        };
        let fits = match (size == DYNAMIC, of_source) {
            (false, None) => true,
            (true, Some(of_source)) => {
                offset == 0 && stride == 1 && at_most(given.next()?, of_source)
            }
            (true, None) | (false, Some(_)) => false,
        };
        if !fits {
            return Some(false);
        }
    }
    Some(true)
}
