//! Memory that a program allocates with C's allocator and turns into a memref's descriptor.
//!
//! If the pointer is used only for the descriptor of one memref, that memref is the only name of new memory, and
//! `memref.dealloc` frees it as `free` does.

use crate::{
    Semantics, TypeClass,
    names::{NameInfo, OpKind},
};
use memplan_mlir::{
    calls::{callee_symbol, flat_name},
    ir::{Identity, Key, Op, Origin, operands, origin, regions, results, type_of, users},
    values::is_speculatable,
};
use rustc_hash::FxHashSet;

/// Functions of C that return new memory.
const ALLOCATORS: [&str; 3] = ["malloc", "calloc", "aligned_alloc"];
/// Most operations that may compute a descriptor; beyond that, the search gives up.
const MAX_OPS: usize = 64;

/// Does an operation create a memref from a pointer of C's allocator that nothing else uses?
pub fn makes_memref(cast: Op<'_>, semantics: &mut Semantics) -> bool {
    semantics.info(cast).kind == OpKind::ConversionCast
        && allocation(cast, semantics).is_some_and(|call| is_used_for(call, cast))
}

/// The only allocating call from which the operands of an operation are computed.
fn allocation<'c>(cast: Op<'c>, semantics: &mut Semantics) -> Option<Op<'c>> {
    let mut found: Option<Op<'c>> = None;
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let mut open = vec![cast];
    while let Some(op) = open.pop() {
        for operand in operands(op) {
            let from = match origin(operand) {
                Some(Origin::Result(from, _)) => Some(from),
                _ => None,
            };
            let info: Option<NameInfo> = from.map(|from| semantics.info(from));
            match (from, info.map(|info| info.kind)) {
                (Some(call), Some(OpKind::LlvmCall)) if is_allocation(call) => {
                    if found
                        .replace(call)
                        .is_some_and(|known| known.key() != call.key())
                    {
                        return None;
                    }
                }
                (Some(from), Some(kind)) if is_computed(from) && kind != OpKind::IntToPtr => {
                    if seen.len() > MAX_OPS {
                        return None;
                    }
                    if seen.insert(from.key()) {
                        open.push(from);
                    }
                }
                _ if semantics.class(type_of(operand)) == TypeClass::Data => {}
                _ => return None,
            }
        }
    }
    found
}

/// Do all uses of a call's results end in one operation?
fn is_used_for<'c>(call: Op<'c>, cast: Op<'c>) -> bool {
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let mut open = vec![call];
    while let Some(op) = open.pop() {
        for user in results(op).flat_map(users) {
            if user.key() == cast.key() {
                continue;
            }
            if !is_computed(user) || seen.len() > MAX_OPS {
                return false;
            }
            if seen.insert(user.key()) {
                open.push(user);
            }
        }
    }
    true
}

fn is_computed(op: Op<'_>) -> bool {
    is_speculatable(op) && regions(op).next().is_none()
}

fn is_allocation(call: Op<'_>) -> bool {
    let name = callee_symbol(call).and_then(flat_name);
    name.is_some_and(|name| ALLOCATORS.contains(&name.as_str()))
}
