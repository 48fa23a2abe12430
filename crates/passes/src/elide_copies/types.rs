//! Whether the users of a buffer accept other memory in its place.

use super::Refusal;
use memplan_mlir::{
    ir::{Origin, Type, Val, element_of, is_memref, origin, results, type_of, users, uses},
    layout::{element_count, has_identity_layout},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Retyped, Semantics};

/// Largest depth of views through which types are followed.
pub const DEEPEST: usize = 32;
/// Attribute of operations that specify or assert the alignment of an address.
pub const ALIGNMENT: &str = "alignment";

/// Whether a user of a value, or of a view of it, asserts the alignment of its address.
pub fn speaks_of_address(value: Val<'_>, depth: usize) -> bool {
    depth > DEEPEST
        || users(value).any(|op| {
            op.has_attribute(ALIGNMENT)
                || results(op)
                    .filter(|result| is_memref(type_of(*result)))
                    .any(|view| speaks_of_address(view, depth + 1))
        })
}

/// Whether vector operations that are compiled for the alignment of their memory may use a value, or a view of it: callees may
/// have some.
pub fn is_used_as_vectors(value: Val<'_>, semantics: &mut Semantics, depth: usize) -> bool {
    depth > DEEPEST
        || users(value).any(|op| {
            semantics.table_facts(op).relies_on_alignment
                || semantics.calls_what_relies_on_alignment(op)
                || results(op)
                    .filter(|result| is_memref(type_of(*result)))
                    .any(|view| is_used_as_vectors(view, semantics, depth + 1))
        })
}

/// Whether all users of an allocation accept other memory of this type in its place.
pub fn may_be<'c>(
    value: Val<'c>,
    form: Type<'c>,
    semantics: &mut Semantics,
) -> Result<(), Refusal> {
    let Some(Origin::Result(alloc, _)) = origin(value) else {
        return Err(Refusal::Pinned);
    };
    if alloc.has_attribute(ALIGNMENT) && is_used_as_vectors(value, semantics, 0) {
        return Err(Refusal::Aligned);
    }
    let fits = match type_of(value) == form {
        true => !speaks_of_address(value, 0),
        false => accepts(value, form, semantics, 0),
    };
    if fits { Ok(()) } else { Err(Refusal::Strides) }
}

/// Whether a memref of one type is one of the other with its elements in the same order, both of static shape and identity
/// layout.
pub fn is_reshape(one: Type<'_>, other: Type<'_>) -> bool {
    has_identity_layout(one)
        && has_identity_layout(other)
        && element_of(one) == element_of(other)
        && element_count(one).is_some()
        && element_count(one) == element_count(other)
}

/// Whether all users of a value accept another type.
fn accepts<'c>(value: Val<'c>, form: Type<'c>, semantics: &mut Semantics, depth: usize) -> bool {
    depth <= DEEPEST
        && uses(value).all(|(op, operand)| {
            semantics.is_deallocation(op)
                || match semantics.retyped(op, operand, form) {
                    Retyped::Takes => true,
                    Retyped::Refuses => false,
                    Retyped::Views(view) => {
                        results(op).all(|result| accepts(result, view, semantics, depth + 1))
                    }
                }
        })
}
