//! The bytes that operations read and write of a buffer.

use super::strips::Times;
use crate::{coalescing::ASSUMED, late_uses::is_view};
use memplan_mlir::{
    ir::{
        Op, Origin, Val, blocks, is_memref, operands, ops, origin, regions, results, type_of, uses,
    },
    layout::{DataLayout, element_count, with_memory_space},
};
use memplan_semantics::{Semantics, Touch};

/// What operations do to a buffer.
#[derive(Clone, Copy)]
pub struct Access {
    /// Bytes, all executions together.
    pub reads: u64,
    pub writes: u64,
    /// Whether all operations accept any memory space.
    pub any_space: bool,
}

impl Default for Access {
    fn default() -> Self {
        Self {
            reads: 0,
            writes: 0,
            any_space: true,
        }
    }
}

impl Access {
    /// Both accesses.
    pub fn and(self, other: Self) -> Self {
        Self {
            reads: self.reads.saturating_add(other.reads),
            writes: self.writes.saturating_add(other.writes),
            any_space: self.any_space && other.any_space,
        }
    }
}

/// An operation that uses a buffer or a view of it.
pub struct Used<'c> {
    pub user: Op<'c>,
    pub access: Access,
}

/// The uses of an allocation of some bytes: each moves the bytes of its operand, or of one element, once for each execution.
/// `None` if a view cannot be in another space, or if the shape is not known.
pub fn of<'c>(alloc: Op<'c>, size: u64, semantics: &mut Semantics) -> Option<Vec<Used<'c>>> {
    let whole = results(alloc).next()?;
    let count = u64::try_from(element_count(type_of(whole))?).ok()?;
    let element = size / count.max(1);
    let mut found = Vec::new();
    let mut open = vec![whole];
    while let Some(value) = open.pop() {
        for (user, operand) in uses(value) {
            if semantics.is_deallocation(user) {
                continue;
            }
            let memory = semantics.of(user);
            if is_view(user, operand, semantics) {
                let view = results(user).next()?;
                let has_spaces =
                    memory.any_space && with_memory_space(type_of(view), None).is_some();
                open.push(has_spaces.then_some(view)?);
                continue;
            }
            let access = access(user, operand, Some(alloc), (count, element), semantics)?;
            found.push(Used { user, access });
        }
    }
    Some(found)
}

/// What an operation does to a memref operand, of a base with so many elements of so many bytes.
fn access(
    user: Op<'_>,
    operand: usize,
    base: Option<Op<'_>>,
    (count, element): (u64, u64),
    semantics: &mut Semantics,
) -> Option<Access> {
    let memory = semantics.of(user);
    let touch = memory
        .operand(operand)
        .map_or(Touch::BOTH, |used| used.touch);
    let of = operands(user).nth(operand).map(type_of)?;
    let elements = match semantics.accesses_one_element(user) {
        true => Some(1),
        false => element_count(of).and_then(|count| u64::try_from(count).ok()),
    };
    let times = Times::of(user, base, semantics);
    // A part of unknown size is at most the whole. Those of all strips are about the whole.
    let bytes = match elements {
        Some(elements) => elements.min(count).saturating_mul(times.all),
        None => count.saturating_mul(times.whole),
    };
    let bytes = bytes.saturating_mul(element);
    let is = |does: bool| if does { bytes } else { 0 };
    Some(Access {
        reads: is(touch.reads()),
        writes: is(touch.writes()),
        any_space: memory.any_space,
    })
}

/// The base of a view.
pub fn base<'c>(value: Val<'c>, semantics: &mut Semantics) -> Val<'c> {
    let mut at = value;
    while let Some(Origin::Result(view, _)) = origin(at) {
        let source = semantics.of(view).view_source();
        let source = source.and_then(|source| operands(view).nth(source as usize));
        match source {
            Some(source) => at = source,
            None => break,
        }
    }
    at
}

/// What an operation and those in it do to memrefs: each with its base. Sizes that are not known count as [`ASSUMED`] elements.
pub fn of_operation<'c>(
    op: Op<'c>,
    layout: &DataLayout,
    semantics: &mut Semantics,
    visit: &mut dyn FnMut(Val<'c>, Access),
) {
    if !semantics.is_deallocation(op) {
        for (operand, value) in operands(op).enumerate() {
            if !is_memref(type_of(value)) || is_view(op, operand, semantics) {
                continue;
            }
            let base = base(value, semantics);
            let count = element_count(type_of(base)).and_then(|count| u64::try_from(count).ok());
            let whole = (
                count.unwrap_or(ASSUMED),
                layout.element_bytes(type_of(value)),
            );
            let made = match origin(base) {
                Some(Origin::Result(made, _)) => Some(made),
                _ => None,
            };
            if let Some(access) = access(op, operand, made, whole, semantics) {
                visit(base, access);
            }
        }
    }
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        of_operation(nested, layout, semantics, visit);
    }
}
