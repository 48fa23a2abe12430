//! Allocations that are used through one reshape alone, and are written by a copy or a transposition, are allocated in
//! that shape. The copy then writes the allocation itself, so that it may become a view of its source.

use super::{read::uses_at, types};
use memplan_lifetimes::{
    Analysis,
    program::{Position, UseKind, ValueKind},
};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Origin, Val, erase, operands, origin, replace_all_uses, set_type,
        type_of, uses,
    },
    layout::have_same_shape,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;

/// Changes the types of such allocations; returns their number. The analysis is invalid if there are any. `gone` receives
/// the reshapes, which are erased.
pub fn run<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    gone: &mut FxHashSet<Key>,
) -> usize {
    let found: Vec<(Val<'c>, Val<'c>)> = analysis
        .handles
        .ops
        .iter()
        .filter_map(|(position, op)| reshaped(analysis, *position, *op, semantics))
        .collect();
    let mut count = 0;
    for (own, shaped) in found {
        if let Some(Origin::Result(reshape, _)) = origin(shaped)
            && gone.insert(reshape.key())
        {
            set_type(own, type_of(shaped));
            replace_all_uses(shaped, own);
            erase(reshape);
            count += 1;
        }
    }
    count
}

/// An allocation and its reshape, to which `op` copies.
fn reshaped<'c>(
    analysis: &Analysis<'c>,
    position: Position,
    op: Op<'c>,
    semantics: &mut Semantics,
) -> Option<(Val<'c>, Val<'c>)> {
    let copy = semantics.copy(op)?;
    let shaped = operands(op).nth(copy.to as usize)?;
    let Some(Origin::Result(reshape, 0)) = origin(shaped) else {
        return None;
    };
    let mut written = uses_at(&analysis.program, position).iter();
    let written = written.find(|used| used.kind == UseKind::Overwrite)?;
    let base = analysis.aliases.base(written.value);
    let ValueKind::Alloc(buffer) = analysis.program.values[base.index()].kind else {
        return None;
    };
    let own = analysis.handles.values[base.index()];
    if operands(reshape).next() != Some(own) {
        return None;
    }
    let [one, other] = [own, shaped].map(type_of);
    let is_reshape = semantics.of(reshape).view_source() == Some(0)
        && !have_same_shape(one, other)
        && types::is_reshape(one, other);
    let planned = &analysis.plannable;
    let is_planned = planned
        .binary_search_by_key(&buffer, |one| one.buffer)
        .is_ok();
    let mut users = uses(own).map(|(user, _)| user);
    let is_only = users.all(|user| user.key() == reshape.key() || semantics.is_deallocation(user));
    let alloc = analysis.handles.buffers[buffer.index()];
    let is_static = alloc.operand_count() == 0;
    (is_reshape && is_only && is_static && is_planned).then_some((own, shaped))
}
