//! One arena in a global for all public functions: `share=entry-points`.

use super::{
    MergeAlloc, codes,
    materialize::{GlobalArena, result},
};
use crate::{codes::INTERNAL, failure::fail_as};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, erase, parent, replace_all_uses, symbol_name},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols::FreshNames,
};
use memplan_semantics::attributes::ARENA;
use memplan_summaries::CallGraph;
use rustc_hash::FxHashMap;

/// The name of the global.
const NAME: &str = "entry_points_arena";

/// Arenas of public functions, each with its function.
pub type Shared<'c> = Vec<(usize, GlobalArena<'c>)>;

/// Checks that no function with a shared arena may call another one.
pub fn check(graph: &CallGraph<'_>, sharing: &[usize]) -> Result<(), Failed> {
    let mut shares = vec![false; graph.functions.len()];
    sharing.iter().for_each(|function| shares[*function] = true);
    let mut result = Ok(());
    for &function in sharing {
        let mut seen = vec![false; graph.functions.len()];
        seen[function] = true;
        // Calls, each with the operation of the function that leads to it.
        let own = graph.calls[function].iter();
        let mut open: Vec<_> = own.map(|call| (call.op, call)).collect();
        while let Some((first, call)) = open.pop() {
            let Some(callee) = call.target.function() else {
                continue;
            };
            if std::mem::replace(&mut seen[callee], true) {
                continue;
            }
            if shares[callee] {
                let [one, other] = [function, callee].map(|at| symbol_name(graph.functions[at]));
                Diagnostic::new(
                    codes::GLOBAL_SHARED,
                    graph.functions[function].location(),
                    format!(
                        "share=entry-points: @{one} and @{other} would use one arena at once: one \
                         calls the other"
                    ),
                )
                .note(first.location(), "called here")
                .emit();
                result = Err(Failed);
                break;
            }
            open.extend(graph.calls[callee].iter().map(|call| (first, call)));
        }
    }
    result
}

/// Makes one global of the arenas of each module and memory space: the largest.
pub fn unite(
    graph: &CallGraph<'_>,
    shared: &Shared<'_>,
    fresh: &mut FreshNames,
) -> Result<(), Failed> {
    let mut groups: FxHashMap<(Option<Key>, String), Vec<usize>> = FxHashMap::default();
    let mut order = Vec::new();
    for (place, (function, arena)) in shared.iter().enumerate() {
        let module = parent(graph.functions[*function]).map(|module| module.key());
        let key = (module, memory_space(arena.memref));
        let group = groups.entry(key.clone()).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(place);
    }
    for key in order {
        let group = &groups[&key];
        let first = graph.functions[shared[group[0]].0];
        let arenas: Vec<GlobalArena<'_>> = group.iter().map(|place| shared[*place].1).collect();
        one(first, &arenas, fresh)
            .map_err(|error| fail_as::<MergeAlloc>(first, INTERNAL, error))?;
    }
    Ok(())
}

/// One global in place of several, before the first function.
fn one<'c>(
    first: Op<'c>,
    arenas: &[GlobalArena<'c>],
    fresh: &mut FreshNames,
) -> Result<(), BuildError> {
    let Some(largest) = arenas.iter().rev().max_by_key(|arena| arena.size) else {
        return Ok(());
    };
    let alignment = arenas.iter().map(|arena| arena.alignment).max();
    let alignment = alignment.unwrap_or(1) as i64;
    let name = fresh.fresh(first, NAME);
    let outside = Builder::before(first, first.location()).ok_or_else(BuildError::signature)?;
    outside.global(&name, largest.memref, alignment)?;
    for arena in arenas {
        let location = arena.get.location();
        let builder = Builder::before(arena.get, location).ok_or_else(BuildError::signature)?;
        let get = builder.get_global(&name, largest.memref)?;
        build::set_integer(get, ARENA, alignment);
        replace_all_uses(result(arena.get), result(get));
        erase(arena.get);
        erase(arena.global);
    }
    Ok(())
}
