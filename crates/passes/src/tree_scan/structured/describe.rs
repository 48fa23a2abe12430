//! Reports, attributes and remarks for functions that keep their loops and branches.

use super::{
    super::{
        codes,
        describe::{
            MAX_LISTED_PATHS, annotate_skipped, buffer_report, curve, path, rounded, scope_report,
            skipped, skipped_allocation, stack_text,
        },
        settings::Settings,
    },
    Decision, Reading, each_path,
};
use crate::{bounded::size::Sizes, treeify::operations};
use memplan_bounded::{Count, paths::StackLayout};
use memplan_mlir::{
    build::{set_integer, set_integers},
    calls,
    diagnostics::Diagnostic,
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_report::{BoundedReport, BufferReport, FunctionReport, LayoutReport, ScopeReport};
use memplan_semantics::{
    Semantics,
    attributes::{OFFSET, OFFSETS},
};

/// Annotates the operations of a function that keeps its loops and branches with the offsets of their values.
pub fn annotate(reading: &Reading<'_>, decision: &Decision) {
    let chosen = decision.chosen.as_ref();
    if let Some(offsets) = chosen.and_then(|chosen| chosen.offsets.as_ref()) {
        for (op, names) in &reading.definitions {
            let offsets = names.iter().filter_map(|name| offsets.get(name));
            let offsets: Vec<i64> = offsets.map(|offset| *offset as i64).collect();
            match offsets.as_slice() {
                [] => {}
                [only] => set_integer(*op, OFFSET, *only),
                several => set_integers(*op, OFFSETS, several),
            }
        }
    }
    annotate_skipped(&reading.memory.analysis);
}

/// The report of a function that keeps its loops and branches.
pub fn report(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision,
    settings: &Settings,
) -> FunctionReport {
    let [mode, fit, values] = settings.option_texts.clone();
    let peak = |walked: &Option<StackLayout>| walked.as_ref().map(|walked| walked.peak);
    let is_written =
        settings.apply && decision.chosen.is_some() && !reading.allocation_vars.is_empty();
    let paths = calls::function_body(function).and_then(|body| {
        let size = Sizes::new(&mut Semantics::default(), true)
            .region(body)
            .ok()?;
        Some(size.paths)
    });
    let count = paths.as_ref().and_then(Count::small).unwrap_or(u64::MAX);
    let path_costs = match count <= MAX_LISTED_PATHS as u64 {
        true => each_path(reading, decision, settings),
        false => Vec::new(),
    };
    let reported = decision.reported();
    let layout = LayoutReport {
        mode,
        fit,
        values,
        is_virtual: true,
        stack: stack_text(settings, is_written).to_owned(),
        alignment: decision.unit,
        max_live_bytes: decision.load,
        rounded_live_bytes: rounded(decision.load, decision.rounded_load),
        peak_bytes: reported.peak,
        plain_bytes: decision.plain,
        scan_bytes: peak(&decision.scan),
        planner_bytes: peak(&decision.planner),
        defrag_bytes: peak(&decision.defrag),
        pinned: reading.memory.pinned(),
        before_tree_bytes: None,
        operations_before_tree: None,
        operations: operations(function),
        defragmentations: reported.defragmentations,
        moves: reported.moves,
        moved_bytes: reported.moved_bytes,
        path_count: count,
        all_paths: paths.map_or_else(String::new, |paths| paths.to_string()),
        paths: path_costs.iter().map(path).collect(),
        curve: curve(&decision.curve),
    };
    let mut skipped = skipped(&reading.memory.analysis);
    if decision.chosen.is_none() {
        let unplaced = reading.memory.analysis.plannable.iter();
        let unplaced = unplaced
            .map(|plannable| reading.memory.analysis.handles.buffers[plannable.buffer.index()]);
        skipped.extend(unplaced.map(|op| skipped_allocation(op, "no-one-place")));
    }
    FunctionReport {
        name: symbol_name(function),
        scopes: arena_report(function, reading, decision, settings)
            .into_iter()
            .collect(),
        skipped,
        bounded: Some(BoundedReport {
            size: None,
            layout: Some(layout),
        }),
        ..FunctionReport::default()
    }
}

/// One offset for each value as the plan of an arena.
fn arena_report(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision,
    settings: &Settings,
) -> Option<ScopeReport> {
    let chosen = decision.chosen.as_ref()?;
    let offsets = chosen.offsets.as_ref()?;
    let live_ranges = decision
        .live_ranges
        .as_ref()
        .filter(|live_ranges| !live_ranges.is_empty())?;
    let buffers = live_ranges
        .iter()
        .enumerate()
        .filter_map(|(id, live_range)| {
            let value = reading.values.get(live_range.name.0 as usize)?;
            let place = (*offsets.get(&live_range.name)?, live_range.live.clone());
            let memory = live_range.value;
            let (size, alignment) = (memory.size, memory.alignment);
            Some(buffer_report(
                function, *value, id as u64, size, alignment, place, None,
            ))
        });
    let buffers: Vec<BufferReport> = buffers.collect();
    Some(scope_report(
        function,
        settings,
        buffers,
        chosen.peak,
        decision.unit,
    ))
}

/// Emits a remark at a function that keeps its loops and branches.
pub fn remark(function: Op<'_>, decision: &Decision) {
    let text = |walked: &Option<StackLayout>| match walked {
        Some(walked) => walked.peak.to_string(),
        None => "unknown".to_owned(),
    };
    let moved = decision
        .defrag
        .as_ref()
        .map_or(0, |defrag| defrag.moved_bytes);
    let message = format!(
        "without expansion: plain {}, without moves {}, planner {}, with moves {} ({moved} \
         bytes moved), live at once {}",
        decision.plain,
        text(&decision.scan),
        text(&decision.planner),
        text(&decision.defrag),
        decision.load,
    );
    Diagnostic::new(codes::LAYOUT, function.location(), message).emit();
}
