//! `memplan-simplify-dealloc`: removes comparisons and conditions from deallocs whose outcome is known
//! statically.
//!
//! read ([`crate::origins`]) -> decide (`decide`, and memplan-ownership) -> write (`write`).

mod decide;
mod write;

use crate::{
    codes::INTERNAL,
    failure::fail_as,
    origins::{self, callees},
};
use memplan_mlir::{
    ir::Op,
    pass::{Declaration, Example, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::Summaries;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pass.
pub struct SimplifyDealloc;

impl Pass for SimplifyDealloc {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-simplify-dealloc",
        summary: "Simplify bufferization.dealloc to the checks that need the run time",
        description: "\
Follows the provenance of memrefs through views, selects, branches, loops \
and, on a module, the bodies of called functions. The program is read once and written once.

Memrefs that are always the same memory become one operand, freed if the condition of any of \
them holds. Memory that is always retained is not freed. Memrefs that are never the same memory \
are not compared: operations are split, and retained operands removed. Known results become \
constants, and conditions computed from them are then known, too. An allocation that is only \
freed is removed. Views are replaced by their sources, so that a comparison of addresses \
compares allocations.",
        example: Example {
            before: "\
func.func @f(%a: memref<8xf32>, %c: i1) -> i1 {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %b, %d : memref<8xf32> to memref<8xf32>
  %r:2 = bufferization.dealloc (%b, %d : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%a, %d : memref<8xf32>, memref<8xf32>)
  %s = arith.ori %r#0, %r#1 : i1
  return %s : i1
}",
            after: "\
func.func @f(%a: memref<8xf32>, %c: i1) -> i1 {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %b, %d : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%b : memref<8xf32>) if (%c)
  %false = arith.constant false
  %s = arith.ori %false, %c : i1
  return %s : i1
}",
        },
        options: &[],
        statistics: &[],
        codes: &[],
        dialects: &["arith", "bufferization"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let calls = callees::summarize(run.op, all(), &readings);
        let is_changed = AtomicBool::new(false);
        functions::visit_groups(run.op, &groups, |function| {
            readings.with(function, |semantics| {
                visit(function, semantics, &calls, &is_changed)
            })
        })?;
        readings.save(run, all());
        if !is_changed.into_inner() {
            run.preserve_all();
        }
        Ok(())
    }
}

fn visit(
    function: Op<'_>,
    semantics: &mut Semantics,
    calls: &Summaries,
    is_changed: &AtomicBool,
) -> Result<(), Failed> {
    let Some(mut reading) = origins::read_deallocs(function, semantics, calls) else {
        return Ok(());
    };
    let decision = decide::decide(&mut reading);
    if decision.changes_nothing() {
        return Ok(());
    }
    is_changed.store(true, Ordering::Relaxed);
    write::write(&mut reading, &decision)
        .map_err(|error| fail_as::<SimplifyDealloc>(function, INTERNAL, error))
}
