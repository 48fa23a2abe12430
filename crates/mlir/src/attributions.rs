//! Memory attributions of GPU functions.

use crate::{
    attributes::elements,
    build::set_integer,
    ir::{Block, Identity, Op, Type, Val, arguments, changes, context_of},
};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, TypeLike, attribute::IntegerAttribute,
    operation::OperationLike,
};
use memplan_interface::attributes::LLVM_ALIGN;

/// The attribute with the number of attributions in workgroup memory.
const COUNT: &str = "workgroup_attributions";
/// The attribute with their attributes.
const ATTRIBUTES: &str = "workgroup_attrib_attrs";

fn count(op: Op<'_>) -> usize {
    usize::try_from(crate::build::integer(op, COUNT).unwrap_or(0)).unwrap_or(0)
}

/// The attributes of each attribution in workgroup memory.
fn attributes<'c>(op: Op<'c>, count: usize) -> Vec<Attribute<'c>> {
    let all = op.attribute(ATTRIBUTES).ok().and_then(elements);
    let mut all = all.unwrap_or_default();
    all.resize(count, context_of(op).dictionary(&[]));
    all
}

fn set<'c>(op: Op<'c>, all: &[Attribute<'c>]) {
    set_integer(op, COUNT, all.len() as i64);
    let none = context_of(op).dictionary(&[]);
    // `gpu.launch` has no such attribute.
    if !op.has_attribute(ATTRIBUTES) && all.iter().all(|one| *one == none) {
        return;
    }
    let all = context_of(op).array(all);
    // SAFETY: live handles, and a name that the call only reads.
    unsafe {
        let name = crate::string_ref::borrow(ATTRIBUTES);
        mlir_sys::mlirOperationSetInherentAttributeByName(op.to_raw(), name, all.to_raw());
    }
}

/// Adds an attribution in workgroup memory after the others, the first of which is the argument `first` of `entry`. Without an
/// alignment, it has that of its type.
pub fn add_attribution<'c>(
    op: Op<'c>,
    entry: Block<'c>,
    first: usize,
    form: Type<'c>,
    alignment: Option<i64>,
) -> Val<'c> {
    changes::all();
    let number = count(op);
    let mut all = attributes(op, number);
    let i64_type = context_of(op).integer_type(64);
    let alignment = alignment.map(|bytes| IntegerAttribute::new(i64_type, bytes).into());
    let stated: Vec<(&str, Attribute<'c>)> = alignment
        .into_iter()
        .map(|bytes| (LLVM_ALIGN, bytes))
        .collect();
    all.push(context_of(op).dictionary(&stated));
    set(op, &all);
    // SAFETY: live handles, and a position that is at most the number of arguments.
    unsafe {
        Val::from_raw(mlir_sys::mlirBlockInsertArgument(
            entry.to_raw(),
            (first + number) as isize,
            form.to_raw(),
            op.location().to_raw(),
        ))
    }
}

/// Removes attributions in workgroup memory, which nothing uses. The first of all is the argument `first` of `entry`.
pub fn remove_attributions<'c>(op: Op<'c>, entry: Block<'c>, first: usize, unused: &[Val<'c>]) {
    changes::all();
    let number = count(op);
    let own: Vec<Val<'c>> = arguments(entry).skip(first).take(number).collect();
    let is_unused = |value: &Val<'c>| unused.iter().any(|one| one.key() == value.key());
    let mut all = attributes(op, number);
    for (at, value) in own.iter().enumerate().rev() {
        if is_unused(value) {
            all.remove(at);
            // SAFETY: a live block, and an argument without uses.
            unsafe { mlir_sys::mlirBlockEraseArgument(entry.to_raw(), (first + at) as u32) }
        }
    }
    if all.len() < number {
        set(op, &all);
    }
}
