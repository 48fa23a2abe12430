//! `memplan-lower-dealloc`: lowers conditional frees to frees, comparisons and branches.
//!
//! read ([`crate::origins`]) -> decide (`decide`, and memplan-ownership) -> write (`write`).

mod codes;
mod decide;
mod helper_function;
mod table;
mod write;

use crate::{
    codes::INTERNAL,
    descriptor::{StackScope, stack_scope_of},
    failure::fail_as,
    origins::{self, callees},
};
use helper_function::HelperFunctions;
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
        summary: "Lower bufferization.dealloc to deallocations, pointer comparisons, and \
        branches",
        description: "\
An allocation is freed if the condition of any memref in it holds, and no \
retained memref is in it. The lowering allocates nothing on the heap.

Memrefs are compared by their allocations, not by where their data starts, which `memref.view` \
changes. Views are followed to their sources. If all that a memref may be is known, and its \
data starts where its allocation does, addresses are compared. Otherwise the allocated pointer \
is compared, which is the first field of the memref descriptor in the LLVM lowering. It is read \
through stack memory of the function, which LLVM promotes to a register.

A few comparisons are written in place of the operation. Many become loops over a table on the \
stack, so that code size is linear in the number of operands. On a module, operations that need \
such loops share a private function. Memory of `gpu.alloc` is freed by `gpu.dealloc`.",
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
        let calls = callees::summarize(run.op, all(), &readings);
        let (helpers, created) = helper_function::create(run.op)
            .map_err(|error| fail_as::<LowerDealloc>(run.op, INTERNAL, error))?;
        let result = functions::visit_groups(run.op, &groups, |function| {
            readings.with(function, |semantics| {
                visit(function, semantics, &calls, &helpers)
            })
        });
        helpers.erase_uncalled(&created);
        result
    }
}

fn visit(
    function: Op<'_>,
    semantics: &mut Semantics,
    calls: &Summaries,
    helpers: &HelperFunctions,
) -> Result<(), Failed> {
    let Some(mut reading) = origins::read_deallocs(function, semantics, calls) else {
        return Ok(());
    };
    let stack_scopes: Vec<StackScope<'_>> = reading
        .sites
        .iter()
        .map(|site| {
            let block = parent_block(site.op);
            block.map_or(StackScope::AllocaScope, |block| {
                stack_scope_of(function, block, semantics)
            })
        })
        .collect();
    let helper = helpers.callable_from(function, semantics.names());
    let plans = decide::decide(&mut reading, &stack_scopes, helper.is_some())?;
    write::write(&mut reading, &plans, &stack_scopes, helper)
        .map_err(|error| fail_as::<LowerDealloc>(function, INTERNAL, error))
}
