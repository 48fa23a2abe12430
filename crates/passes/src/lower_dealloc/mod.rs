//! `memplan-lower-dealloc`: lowers conditional frees to frees, comparisons and branches.
//!
//! read ([`crate::origins`]) -> decide (`decide`, and memplan-ownership) -> write (`write`).

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
use memplan_declarations::lower_dealloc::codes;
use memplan_mlir::{
    ir::{Op, parent_block},
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::Summaries;

/// The pass.
pub struct LowerDealloc;

impl Pass for LowerDealloc {
    const DECLARATION: &'static Declaration = &memplan_declarations::lower_dealloc::DECLARATION;

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
