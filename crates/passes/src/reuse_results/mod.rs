//! `memplan-reuse-results`: buffers live in the memory of results while nothing needs that.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which buffers, in which results) -> `hosts::write`.

mod decide;

use crate::{
    coalescing::PackingOptions,
    codes::{INTERNAL, OPTION},
    counts::Counts,
    failure::{fail, fail_as},
    hosts,
    merge_alloc::ArenaPlacement,
};
use codes::MOVED;
use decide::{Change, Where};
use memplan_declarations::{
    merge_alloc::{ARENA, CALLS, MIN_TRIPS},
    reuse_arguments::RESULTS,
    reuse_results::codes,
};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    build::BuildError,
    ir::{Op, is_memref, results},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, OptionValues, Pass, Run},
    symbols::function_type,
    values::{move_before, set_operand},
};
use memplan_semantics::{Readings, Semantics, attributes, functions, names::Names};

/// The pass.
pub struct ReuseResults;

impl Pass for ReuseResults {
    const DECLARATION: &'static Declaration = &memplan_declarations::reuse_results::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        PackingOptions::without_alignment(Self::DECLARATION.argument, values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        if run.values.text(RESULTS.name) == "off" {
            run.preserve_all();
            return Ok(());
        }
        let keeps = run.values.text(CALLS.name) == "capture";
        let how = PackingOptions::without_alignment(Self::DECLARATION.argument, &run.values)
            .map_err(|message| fail(run.op, OPTION, message))?;
        let arena = ArenaPlacement::of(run.values.text(ARENA.name));
        let arena = arena.unwrap_or(ArenaPlacement::Alloc);
        let known = |function| Where {
            arenas_on_heap: ArenaPlacement::likely(function, arena) == ArenaPlacement::Alloc,
            loops_run: run.values.text(MIN_TRIPS.name) == "1",
        };
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let mut changed = false;
        let mut visit = |callees: &dyn Callees| {
            for function in all().filter(|function| returns_memory(*function)) {
                if function.has_attribute(attributes::KEEP_FORM) {
                    continue;
                }
                let changes = readings.with(function, |semantics| {
                    let mut analysis = how.analyse(function, semantics, callees);
                    decide::decide(&mut analysis, known(function), semantics)
                });
                if changes.is_empty() {
                    continue;
                }
                changed = true;
                attributes::forget_pieces(function);
                readings.forget(function);
                for change in &changes {
                    counts.add([change.guests.len() as u64]);
                    tell(function, change, run.values.flag("remarks"));
                    write(change).map_err(|error| fail_as::<Self>(function, INTERNAL, error))?;
                }
            }
            Ok(())
        };
        match Names::default().info(run.op).is_function() {
            true => visit(&NoCallees::new(keeps)),
            false => visit(&Summaries::as_written(run.op, all(), keeps, &readings)),
        }?;
        if !changed {
            run.preserve_all();
        }
        readings.save(run, all());
        counts.publish(run);
        Ok(())
    }
}

fn returns_memory(function: Op<'_>) -> bool {
    function_type(function).is_some_and(|form| {
        let mut results = (0..form.result_count()).filter_map(|at| form.result(at).ok());
        results.any(is_memref)
    })
}

fn tell(function: Op<'_>, change: &Change<'_>, as_diagnostics: bool) {
    for guest in &change.guests {
        hosts::tell(
            ReuseResults::DECLARATION.argument,
            MOVED,
            function,
            *guest,
            format_args!("result {}", change.number),
            as_diagnostics,
        );
    }
}

fn write(change: &Change<'_>) -> Result<(), BuildError> {
    if let Some(before) = change.before {
        move_before(change.result, before);
        for (place, size) in change.sizes.iter().enumerate() {
            set_operand(change.result, place, *size);
        }
    }
    let host = results(change.result)
        .next()
        .ok_or_else(BuildError::unexpected)?;
    let mut semantics = Semantics::default();
    for guest in &change.guests {
        hosts::write(*guest, host, &mut semantics)?;
    }
    Ok(())
}
