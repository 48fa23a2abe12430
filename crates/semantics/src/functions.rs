//! The functions that a run covers.

use crate::names::{Names, OpKind};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, blocks, context_of, ops, parent, regions},
    parallel,
    pass::Failed,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// The functions with a body at or below `op` in textual order, grouped by their outermost function. Groups share no
/// IR.
pub fn groups<'c>(op: Op<'c>) -> Vec<Vec<Op<'c>>> {
    fn walk<'c>(
        op: Op<'c>,
        names: &mut Names,
        group: Option<&mut Vec<Op<'c>>>,
        groups: &mut Vec<Vec<Op<'c>>>,
    ) {
        let info = names.info(op);
        let is_function = info.is_function() && function_body(op).is_some();
        let mut fresh = Vec::new();
        let outermost = is_function && group.is_none();
        let mut group = if outermost { Some(&mut fresh) } else { group };
        if is_function && let Some(group) = group.as_deref_mut() {
            group.push(op);
        }
        for region in regions(op) {
            for block in blocks(region) {
                for nested in ops(block) {
                    if regions(nested).next().is_some() {
                        walk(nested, names, group.as_deref_mut(), groups);
                    }
                }
            }
        }
        if outermost {
            groups.push(fresh);
        }
    }
    let mut groups = Vec::new();
    walk(op, &mut Names::default(), None, &mut groups);
    groups
}

/// The functions without a body in a module and the modules in it.
pub fn declarations<'c>(module: Op<'c>, names: &mut Names) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    for op in regions(module).flat_map(blocks).flat_map(ops) {
        let info = names.info(op);
        if info.kind == OpKind::Module {
            found.extend(declarations(op, names));
        } else if info.is_function() && function_body(op).is_none() {
            found.push(op);
        }
    }
    found
}

/// Is `op` nested in modules only, so that its callees run on the same device?
pub fn is_in_modules_alone(op: Op<'_>, names: &mut Names) -> bool {
    let mut above = parent(op);
    while let Some(op) = above {
        if names.info(op).kind != OpKind::Module {
            return false;
        }
        above = parent(op);
    }
    true
}

/// Calls `visit` for each function at or below `op`, in parallel if the context is multithreaded. Continues after a
/// failure, so that every function gets its diagnostics.
pub fn visit_all<'c>(
    op: Op<'c>,
    visit: impl Fn(Op<'c>) -> Result<(), Failed> + Sync,
) -> Result<(), Failed> {
    visit_groups(op, &groups(op), visit)
}

/// [`visit_all`] for functions whose [`groups`] are known.
pub fn visit_groups<'c>(
    op: Op<'c>,
    groups: &[Vec<Op<'c>>],
    visit: impl Fn(Op<'c>) -> Result<(), Failed> + Sync,
) -> Result<(), Failed> {
    let failed = AtomicBool::new(false);
    parallel::for_each_group(context_of(op), groups, |function| {
        if visit(function).is_err() {
            failed.store(true, Ordering::Relaxed);
        }
    });
    if failed.into_inner() {
        Err(Failed)
    } else {
        Ok(())
    }
}
