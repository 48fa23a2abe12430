//! `memplan-regions`: memory of sizes that only the run knows, and what goes to callers, in regions.
//!
//! `read` (IR to plain data, in `facts`) -> `decide` (`solve`: which memory is one, and how far it goes; `place`: in which
//! region it is, and when that is given back) -> `write`. The runtime is `crates/runtime`.

mod carried;
mod decide;
mod declaration;
mod facts;
mod lanes;
pub mod lent;
mod piles;
mod place;
mod reach;
mod read;
mod settings;
mod shares;
mod solve;
mod write;

use crate::{call_graph::CallGraph, failure::fail_as, functions};
use decide::{Module, Root, decide};
use memplan_mlir::{
    calls::{callee_symbol, function_body},
    diagnostics,
    ir::{Op, blocks, context_of, ops, parent, regions},
    layout::DataLayout,
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    pass::{Declaration, Failed, Pass, Run},
    symbols,
};
use place::{Place, Plan};
use read::{Callee, Reading, Unread};
use settings::{PublicAbi, Settings};
use write::{MARK, WriteError};

/// The pass.
pub struct Regions;

impl Pass for Regions {
    const DECLARATION: &'static Declaration = &declaration::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings::of(&run.values);
        let mut names = Names::default();
        let all: Vec<Op<'_>> = functions::groups(run.op).into_iter().flatten().collect();
        let graph = CallGraph::of(run.op, all);
        let functions = graph.functions.iter();
        let unread: Vec<Option<Unread>> = functions
            .map(|function| unread(*function, &mut names))
            .collect();
        let readings = read_all(&graph, &unread, &mut names);
        let roots = roots(&graph, &readings, &settings);
        let of = |reading: &Option<Reading<'_>>| reading.as_ref().map(|one| one.function.clone());
        let functions: Vec<_> = readings.iter().map(of).collect();
        let module = Module {
            functions: functions.iter().map(Option::as_ref).collect(),
            roots,
            circles: circles(&graph),
        };
        let plans = decide(&module, &settings);
        if settings.remarks {
            for ((function, unread), (reading, of)) in graph
                .functions
                .iter()
                .zip(unread)
                .zip(readings.iter().zip(module.roots.iter().zip(&plans)))
            {
                match (reading, unread.and_then(Unread::text)) {
                    (Some(reading), _) => remarks(reading, *of.0, of.1),
                    (None, Some(reason)) => remarks_unread(*function, reason, &mut names),
                    (None, None) => {}
                }
            }
        }
        match write::write(
            run.op,
            readings,
            &plans,
            &module.roots,
            &settings,
            &mut names,
        ) {
            Ok(0) => run.preserve_all(),
            Ok(_) => {}
            Err(error) => {
                let at = match &error {
                    WriteError::Taken { op, .. } => *op,
                    WriteError::Build(_) => run.op,
                };
                return Err(fail_as::<Self>(at, error));
            }
        }
        Ok(())
    }
}

/// The functions that are looked into.
fn read_all<'c>(
    graph: &CallGraph<'c>,
    unread: &[Option<Unread>],
    names: &mut Names,
) -> Vec<Option<Reading<'c>>> {
    let functions = graph.functions.iter().zip(unread);
    let read = functions.map(|(function, unlooked)| {
        let body = function_body(*function).filter(|_| unlooked.is_none())?;
        let mut callee = |call: Op<'c>| {
            let is_named = callee_symbol(call).is_some();
            Callee::of(graph.target(call), is_named, |at| unread[at])
        };
        read::read(*function, body, &mut callee, names)
    });
    read.collect()
}

/// Why a function is not looked into, if so.
fn unread(function: Op<'_>, names: &mut Names) -> Option<Unread> {
    if function.has_attribute(MARK) {
        return Some(Unread::WorkedOn);
    }
    let mut above = parent(function);
    while let Some(op) = above.filter(|op| names.info(*op).known == Known::Module) {
        above = parent(op);
    }
    if names.info(function).known != Known::Func || above.is_some() {
        return Some(Unread::Kind);
    }
    let mut all = function_body(function)
        .into_iter()
        .flat_map(blocks)
        .flat_map(ops);
    if all.any(|op| {
        matches!(
            names.info(op).known,
            Known::AsyncCoroutine | Known::LlvmCoroutine
        )
    }) {
        return Some(Unread::Coroutine);
    }
    let index = context_of(function).index_type();
    let index = DataLayout::at(function).scalar(index);
    index
        .is_none_or(|index| index.size != 8)
        .then_some(Unread::Index)
}

/// Who calls each function that is not looked into.
fn roots(
    graph: &CallGraph<'_>,
    readings: &[Option<Reading<'_>>],
    settings: &Settings,
) -> Vec<Root> {
    let count = graph.functions.len();
    let mut is_called = vec![false; count];
    let mut by_others = vec![false; count];
    for (caller, calls) in graph.calls.iter().enumerate() {
        for callee in calls.iter().filter_map(|call| call.function()) {
            match readings[caller] {
                Some(_) => is_called[callee] = true,
                None => by_others[callee] = true,
            }
        }
    }
    let root = |at: usize| {
        if graph.taken[at].is_some() || by_others[at] {
            Root::Heap
        } else if symbols::is_private(graph.functions[at]) {
            if is_called[at] {
                Root::None
            } else {
                Root::Heap
            }
        } else {
            match settings.public_abi {
                PublicAbi::Keep => Root::Heap,
                PublicAbi::Destination => Root::Region,
            }
        }
    };
    let mut roots: Vec<Root> = (0..count).map(root).collect();
    // What only calls itself is called by nobody.
    let mut reached = vec![false; count];
    let mut open: Vec<usize> = (0..count).filter(|at| roots[*at] != Root::None).collect();
    let mut next = 0;
    loop {
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                open.extend(graph.calls[at].iter().filter_map(|call| call.function()));
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

/// Functions that call each other, callees before callers.
fn circles(graph: &CallGraph<'_>) -> Vec<Vec<usize>> {
    let circle = &graph.circle;
    let chunks = graph
        .order
        .chunk_by(|one, other| circle[*one] == circle[*other]);
    chunks.map(<[usize]>::to_vec).collect()
}

/// What becomes of each allocation of a function.
fn remarks(reading: &Reading<'_>, root: Root, plans: &[Option<Plan>; 2]) {
    let (Some(plan), _) = write::in_place(root, plans) else {
        return;
    };
    for (op, place) in reading.allocations.iter().zip(&plan.allocations) {
        let text = match place {
            Ok(Place::Destination) => "in the region of the caller".to_owned(),
            Ok(Place::Scope(facts::ROOT)) => "in the region of the function".to_owned(),
            Ok(Place::Next(_)) => "in one of two regions that a loop swaps".to_owned(),
            Ok(Place::Lane(_)) => "in a region that is cleared behind its last use".to_owned(),
            Ok(Place::Scope(_)) => "in the region of a loop".to_owned(),
            Err(Some(reason)) => format!("left alone: {}", reason.text()),
            Err(None) => "left alone: its size is known, and it stays in the function".to_owned(),
        };
        diagnostics::remark(op.location(), text).emit();
    }
}

/// The same for a function that is not looked into.
fn remarks_unread<'c>(function: Op<'c>, reason: &str, names: &mut Names) {
    let mut open: Vec<Op<'c>> = vec![function];
    while let Some(op) = open.pop() {
        if names.info(op).known == Known::Alloc {
            diagnostics::remark(op.location(), format!("left alone: {reason}")).emit();
        }
        let inside = open.len();
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
        open[inside..].reverse();
    }
}
