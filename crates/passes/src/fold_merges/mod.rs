//! `memplan-fold-merges`: replaces values that are always one memref or flag, and folds choices by constants.
//!
//! scan (`scan`: candidates) -> fold flags (`flag_folding`) -> read (`read`: merges and their sources) ->
//! decide (`decide`, plain data) -> write (`write`). A round takes linear time, except for dominators, O(m
//! log n). There are at most four rounds.

mod decide;
mod flag_folding;
mod read;
mod scan;
mod write;

use crate::{codes::INTERNAL, failure::fail_as};
use memplan_mlir::{
    build::BuildError,
    calls::function_body,
    ir::{Op, Region},
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of rounds. A folded choice may make a merge redundant, and that may be the flag of another
/// choice. Chains are followed so far; the last round finds nothing more to do, or leaves the rest.
const ROUNDS: usize = 4;

/// The pass.
pub struct FoldMerges;

impl Pass for FoldMerges {
    const DECLARATION: &'static Declaration = &memplan_declarations::fold_merges::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let is_changed = AtomicBool::new(false);
        functions::visit_groups(run.op, &groups, |function| {
            let Some(body) = function_body(function) else {
                return Ok(());
            };
            let folded = readings.with(function, |semantics| fold(function, body, semantics));
            let changes =
                folded.map_err(|error| fail_as::<FoldMerges>(function, INTERNAL, error))?;
            if changes {
                is_changed.store(true, Ordering::Relaxed);
            }
            Ok(())
        })?;
        readings.save(run, all());
        if !is_changed.into_inner() {
            run.preserve_all();
        }
        Ok(())
    }
}

/// Folds merges and choices of a function. Returns whether anything changed.
fn fold<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
) -> Result<bool, BuildError> {
    for round in 0..ROUNDS {
        if !fold_once(function, body, semantics)? {
            return Ok(round > 0);
        }
    }
    Ok(true)
}

fn fold_once<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
) -> Result<bool, BuildError> {
    let candidates = scan::scan(body, semantics);
    if !candidates.has_memrefs {
        return Ok(false);
    }
    let mut is_changed = flag_folding::fold(&candidates, semantics)?;
    if candidates.has_merges {
        let reading = read::read(function, body, &candidates, semantics);
        let decision = decide::decide(&reading.merges);
        is_changed |= write::replace(&reading, &decision)?;
    }
    is_changed |= write::erase_dead(&candidates);
    is_changed |= write::inline_choices(&candidates)?;
    Ok(is_changed)
}
