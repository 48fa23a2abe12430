//! `memplan-lower-dealloc`: conditional frees become frees, comparisons and branches.
//!
//! read ([`crate::origins`]) -> decide (`decide`, and memplan-ownership) -> write (`write`).

mod codes;
mod decide;
mod library;
mod table;
mod write;

use crate::{
    codes::INTERNAL,
    descriptor::{StackScope, home},
    failure::fail_as,
    origins::{self, callees},
};
use library::Library;
use memplan_mlir::{
    ir::{Op, parent_block},
    pass::{Declaration, Example, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::Summaries;

/// The pass.
pub struct LowerDealloc;

impl Pass for LowerDealloc {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-lower-dealloc",
        summary: "Lower bufferization.dealloc to frees, comparisons of allocations, and branches",
        description: "\
Memory is freed if the condition of any memref that is that memory holds, and no retained one is. Nothing is allocated \
on the heap for that.

Whether two memrefs are the same memory is decided by their allocations, not by where their data starts, which \
`memref.view` moves. Views are followed to what they are views of. Where all that a memref may be is known and starts \
where its allocation does, addresses are compared; else the first word of the memref as the LLVM lowering lays it out, \
which is the pointer that `malloc` gave: it goes through stack memory of the function, which LLVM makes a register of.

A few comparisons stand where the operation stood. Many become loops over a table on the stack, so code is linear in \
the operands; on a module, where several operations need that, in a private function that they share. What `gpu.alloc` \
made is freed by `gpu.dealloc`.",
        example: Example {
            before: "\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  return
}",
            after: "\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  }
  return
}",
        },
        options: &[],
        statistics: &[],
        codes: &[codes::ALL],
        dialects: &["arith", "func", "memref", "scf"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let calls = callees::of_run(run.op, all(), &readings);
        let (library, made) = library::make(run.op)
            .map_err(|error| fail_as::<LowerDealloc>(run.op, INTERNAL, error))?;
        let result = functions::visit_groups(run.op, &groups, |function| {
            readings.with(function, |semantics| {
                visit(function, semantics, &calls, &library)
            })
        });
        library.tidy(&made);
        result
    }
}

fn visit(
    function: Op<'_>,
    semantics: &mut Semantics,
    calls: &Summaries,
    library: &Library,
) -> Result<(), Failed> {
    let Some(mut reading) = origins::read_sites(function, semantics, calls) else {
        return Ok(());
    };
    let homes: Vec<StackScope<'_>> = reading
        .sites
        .iter()
        .map(|site| {
            let block = parent_block(site.op);
            block.map_or(StackScope::Scope, |block| home(function, block, semantics))
        })
        .collect();
    let helper = library.at(function, semantics.names());
    let plans = decide::decide(&mut reading, &homes, helper.is_some())?;
    write::write(&mut reading, &plans, &homes, helper)
        .map_err(|error| fail_as::<LowerDealloc>(function, INTERNAL, error))
}
