//! After outlining: the bytes that a launch allocated become an attribution of the function, which upstream lowers. Attributions
//! that buffers of a launch share as a whole become one for each again: a function can state alignments.

use memplan_mlir::{
    attributions::{add_attribution, remove_attributions},
    build,
    ir::{
        Op, Val, erase, has_mark, is_unused, operands, ops, replace_all_uses, results, type_of,
        users,
    },
    layout::static_dimension,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{ARENA, BUFFER},
    workgroup::{Kernel, KernelKind, is_workgroup_memory},
};

/// Makes attributions of allocations of bytes at the start of a GPU function. Returns whether there are any.
pub fn promote<'c>(kernel: &Kernel<'c>, semantics: &mut Semantics) -> bool {
    let (KernelKind::Function { is_entry: true }, Some(entry)) = (kernel.kind, kernel.entry())
    else {
        return false;
    };
    let mut promoted = separate(kernel);
    let arenas: Vec<Op<'c>> = ops(entry).filter(|op| has_mark(*op, ARENA)).collect();
    for arena in arenas {
        let Some(bytes) = results(arena).next() else {
            continue;
        };
        let form = type_of(bytes);
        let all: Vec<Op<'c>> = users(bytes).collect();
        let frees = all
            .iter()
            .copied()
            .filter(|user| !user.has_attribute(BUFFER));
        let frees: Vec<Op<'c>> = frees.collect();
        let is_plain = is_workgroup_memory(form)
            && static_dimension(form, 0).is_some()
            && frees.iter().all(|user| semantics.of(*user).only_frees());
        if !is_plain {
            continue;
        }
        let alignment = build::integer(arena, "alignment").unwrap_or(1);
        let (op, first) = (kernel.op, kernel.first_attribution);
        let new = add_attribution(op, entry, first, form, Some(alignment));
        frees.into_iter().for_each(erase);
        replace_all_uses(bytes, new);
        erase(arena);
        promoted = true;
    }
    promoted
}

/// Gives each buffer that is a whole attribution one of its own.
fn separate(kernel: &Kernel<'_>) -> bool {
    let Some(entry) = kernel.entry() else {
        return false;
    };
    // A view of bytes has an offset.
    let is_buffer = |user: Op<'_>| user.has_attribute(BUFFER) && operands(user).count() == 1;
    let is_whole = |value: &Val<'_>| !is_unused(*value) && users(*value).all(is_buffer);
    let shared: Vec<Val<'_>> = kernel
        .attributions
        .iter()
        .copied()
        .filter(is_whole)
        .collect();
    for view in shared
        .iter()
        .flat_map(|value| users(*value).collect::<Vec<_>>())
    {
        let Some(buffer) = results(view).next() else {
            continue;
        };
        let (op, first) = (kernel.op, kernel.first_attribution);
        let new = add_attribution(op, entry, first, type_of(buffer), None);
        replace_all_uses(buffer, new);
        erase(view);
    }
    remove_attributions(kernel.op, entry, kernel.first_attribution, &shared);
    !shared.is_empty()
}
