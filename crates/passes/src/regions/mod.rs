//! `memplan-regions`: places allocations of dynamic size, and allocations that are returned, in regions.
//!
//! `read` (IR to plain data, in `facts`) -> `decide` (`solve`: classes of memrefs that may alias, and how far
//! their memory reaches; `region_placement`: the region of each allocation, and when it is released) ->
//! `write`. The runtime is `crates/runtime`.

mod allocation_sites;
pub mod borrowed;
mod classes;
mod decide;
mod describe;
mod enclosing_region;
mod facts;
mod interval_coloring;
mod loop_carried;
mod reach;
mod read;
mod region_placement;
mod settings;
mod solve;
mod summary;
mod unbounded_growth;
mod write;

use crate::{codes::INTERNAL, collector::Collector, failure::fail_as};
use decide::{Module, Root, decide};
use memplan_declarations::regions::codes;
use memplan_mlir::{
    calls::function_body,
    ir::{Identity, Key, Op, blocks, context_of, ops},
    layout::DataLayout,
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
    symbols,
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::{
    CallGraph,
    Callee::{Declared, Known, OneOf, Unknown, Unseen},
    Callees as _, FreesArgument, Summaries,
};
use read::{Callee, Reading, SkipReason};
use rustc_hash::FxHashSet;
use settings::{PublicAbi, Settings};
use write::{MARK, WriteError};

/// The pass.
pub struct Regions {
    collector: Collector,
}

impl Pass for Regions {
    const DECLARATION: &'static Declaration = &memplan_declarations::regions::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl Regions {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings::of(&run.values);
        let mut semantics = Semantics::default();
        let all: Vec<Op<'_>> = functions::groups(run.op).into_iter().flatten().collect();
        let graph = CallGraph::of(run.op, all);
        let functions = graph.functions.iter();
        let skip_reasons: Vec<Option<SkipReason>> = functions
            .map(|function| skip_reason(*function, &mut semantics))
            .collect();
        let asynchronous = asynchronous_calls(run.op, &graph, &mut semantics);
        let mut readings = read_all(&graph, &skip_reasons, &asynchronous, &mut semantics);
        for (at, reading) in readings.iter_mut().enumerate() {
            let calls = reading.iter_mut().flat_map(|one| &mut one.function.calls);
            calls.for_each(|call| {
                call.is_recursive = graph.component[call.callee] == graph.component[at]
            });
        }
        let roots = roots(&graph, &readings, &settings);
        let of = |reading: &Option<Reading<'_>>| reading.as_ref().map(|one| one.function.clone());
        let functions: Vec<_> = readings.iter().map(of).collect();
        let module = Module {
            functions: functions.iter().map(Option::as_ref).collect(),
            roots,
            components: graph.components().collect(),
            callers: &graph.callers,
            recursive: &graph.recursive,
        };
        let plans = decide(&module, &settings);
        if settings.remarks {
            for ((function, skip), (reading, of)) in graph
                .functions
                .iter()
                .zip(&skip_reasons)
                .zip(readings.iter().zip(module.roots.iter().zip(&plans)))
            {
                match (reading, skip.and_then(SkipReason::text)) {
                    (Some(reading), _) => describe::remarks(reading, *of.0, of.1),
                    (None, Some(reason)) => {
                        describe::remarks_for_skipped(*function, reason, &mut semantics);
                    }
                    (None, None) => {}
                }
            }
        }
        // Reports describe the IR that was read, so they are drafted before it is rewritten.
        let mut drafts: Vec<(Op<'_>, describe::ReportDraft)> = Vec::new();
        if self.collector.is_open() {
            for (at, function) in graph.functions.iter().enumerate() {
                let function_drafts = match (&readings[at], skip_reasons[at]) {
                    (Some(reading), _) => {
                        describe::reports(at, reading, module.roots[at], &plans[at])
                    }
                    (None, Some(reason)) => {
                        vec![describe::report_for_skipped(
                            at,
                            *function,
                            reason,
                            &mut semantics,
                        )]
                    }
                    (None, None) => Vec::new(),
                };
                drafts.extend(function_drafts.into_iter().map(|draft| (*function, draft)));
            }
        }
        match write::write(
            run.op,
            readings,
            &plans,
            &module.roots,
            &settings,
            &mut semantics,
        ) {
            Ok(written) => {
                if written.count == 0 {
                    run.preserve_all();
                }
                for (index, amount) in describe::counts(&plans).into_iter().enumerate() {
                    run.count(index, amount);
                }
                for (function, draft) in drafts {
                    self.collector.add(function, draft.finish(&written.symbols));
                }
            }
            Err(error) => {
                let (at, code) = match &error {
                    WriteError::NameTaken { op, .. } => (*op, codes::NOT_RUNTIME),
                    WriteError::Build(_) => (run.op, INTERNAL),
                };
                return Err(fail_as::<Self>(at, code, error));
            }
        }
        Ok(())
    }
}

/// Calls of asynchronous callees that neither capture nor free their arguments.
fn asynchronous_calls<'c>(
    root: Op<'c>,
    graph: &CallGraph<'c>,
    semantics: &mut Semantics,
) -> FxHashSet<Key> {
    let calls = graph.calls.iter().flatten().map(|call| call.op);
    let is_asynchronous = |call: &Op<'c>| {
        let info = semantics.info(*call);
        info.is_call() && !info.is_extensible_call() && semantics.of(*call).start.is_some()
    };
    let calls: Vec<Op<'c>> = calls.filter(is_asynchronous).collect();
    if calls.is_empty() {
        return FxHashSet::default();
    }
    let functions = graph.functions.iter().copied();
    let summaries = Summaries::as_written(root, functions, false, &Readings::default());
    let captures_nothing = |call: &&Op<'c>| match summaries.callee(**call) {
        Known(summary) | OneOf { summary, .. } => {
            let mut arguments = summary.arguments.iter();
            arguments.all(|one| !one.is_captured && one.frees == FreesArgument::No)
        }
        Declared { captures, .. } => !captures,
        Unseen | Unknown { .. } => false,
    };
    calls
        .iter()
        .filter(captures_nothing)
        .map(Identity::key)
        .collect()
}

/// Reads the functions that are analysed; `None` for the others.
fn read_all<'c>(
    graph: &CallGraph<'c>,
    skip_reasons: &[Option<SkipReason>],
    asynchronous: &FxHashSet<Key>,
    semantics: &mut Semantics,
) -> Vec<Option<Reading<'c>>> {
    let functions = graph.functions.iter().zip(skip_reasons);
    let read = functions.map(|(function, skip)| {
        let body = function_body(*function).filter(|_| skip.is_none())?;
        let mut callee = |call: Op<'c>| match asynchronous.contains(&call.key()) {
            true => Callee::Asynchronous,
            false => Callee::of(graph.target(call), |at| skip_reasons[at]),
        };
        read::read(*function, body, &mut callee, semantics)
    });
    read.collect()
}

/// The reason to skip a function; `None` if it is analysed.
fn skip_reason(function: Op<'_>, semantics: &mut Semantics) -> Option<SkipReason> {
    if function.has_attribute(MARK) {
        return Some(SkipReason::HasRegions);
    }
    if !semantics.table_facts(function).is_extendable
        || !functions::is_in_modules_alone(function, semantics.names())
    {
        return Some(SkipReason::Kind);
    }
    let mut all = function_body(function)
        .into_iter()
        .flat_map(blocks)
        .flat_map(ops);
    if all.any(|op| semantics.info(op).begins_coroutine()) {
        return Some(SkipReason::Coroutine);
    }
    let index = context_of(function).index_type();
    let index = DataLayout::at(function).scalar(index);
    index
        .is_none_or(|index| index.size != 8)
        .then_some(SkipReason::Index)
}

/// For each function, its callers other than analysed functions.
fn roots(
    graph: &CallGraph<'_>,
    readings: &[Option<Reading<'_>>],
    settings: &Settings,
) -> Vec<Root> {
    let count = graph.functions.len();
    let mut is_called = vec![false; count];
    let mut called_by_skipped = vec![false; count];
    for (caller, calls) in graph.calls.iter().enumerate() {
        for callee in calls.iter().filter_map(|call| call.target.function()) {
            match readings[caller] {
                Some(_) => is_called[callee] = true,
                None => called_by_skipped[callee] = true,
            }
        }
    }
    let root = |at: usize| {
        let is_private = symbols::is_private(graph.functions[at]);
        let (has_heap_caller, root) = match (is_private, settings.public_abi) {
            (true, _) => (!is_called[at], Root::None),
            (false, PublicAbi::Keep) => (true, Root::Heap),
            (false, PublicAbi::Destination) => (false, Root::Region),
        };
        // Only now, as looking for references walks all attributes.
        match has_heap_caller || called_by_skipped[at] || graph.referrer(at).is_some() {
            true => Root::Heap,
            false => root,
        }
    };
    let mut roots: Vec<Root> = (0..count).map(root).collect();
    // A function that only a cycle of calls reaches has no root: one of each cycle becomes a root.
    let mut reached = vec![false; count];
    let mut open: Vec<usize> = (0..count).filter(|at| roots[*at] != Root::None).collect();
    let mut next = 0;
    loop {
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                open.extend(
                    graph.calls[at]
                        .iter()
                        .filter_map(|call| call.target.function()),
                );
            }
        }
        let Some(at) = (next..count).find(|at| !reached[*at]) else {
            return roots;
        };
        roots[at] = Root::Heap;
        next = at;
        open.push(at);
    }
}
