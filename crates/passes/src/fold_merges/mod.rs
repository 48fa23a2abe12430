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
    pass::{Declaration, Example, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of rounds. A folded choice may make a merge redundant, and that may be the flag of another
/// choice. Chains are followed so far; the last round finds nothing more to do, or leaves the rest.
const ROUNDS: usize = 4;

/// The pass.
pub struct FoldMerges;

impl Pass for FoldMerges {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-fold-merges",
        summary: "Replace merges of one memref or flag by it, and fold control flow by constant \
        flags",
        description: "\
A merge is a block argument, a loop-carried value, a result of an \
operation with regions, or an `arith.select`. A merge that is always the same memref, or the \
same flag (`i1`), is replaced by it, also where merges of several loops refer to each other. \
Logic on constant flags, branches on constants, and `scf.if` and `scf.index_switch` with \
constant conditions are folded. A result of `scf.if` that is one of two memrefs defined outside \
becomes an `arith.select`, unless an operation inside may free memory. Unused flags, selects \
and `scf.if` operations are removed.

Functions without memrefs, and all other operations, are not changed: loops still carry the \
same values. The pass does the part of `canonicalize` that deallocation needs, in O(n log n).",
        example: Example {
            before: "\
func.func @f(%a: memref<8xf32>, %x: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<8xf32>) {
    memref.copy %x, %m : memref<8xf32> to memref<8xf32>
    %s = scf.if %true -> (memref<8xf32>) {
      scf.yield %m : memref<8xf32>
    } else {
      scf.yield %x : memref<8xf32>
    }
    scf.yield %s : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}",
            after: "\
func.func @f(%a: memref<8xf32>, %x: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<8xf32>) {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
        },
        options: &[],
        statistics: &[],
        codes: &[],
        dialects: &["arith", "cf"],
        module_only: false,
    };

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
