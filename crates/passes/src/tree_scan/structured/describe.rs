//! Tells people of a function that keeps its loops and branches.

use super::{
    super::{
        codes,
        describe::{PATHS, buffer, curve, left_alone, path, scope, skipped, stack, tell_skipped},
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

/// What `apply=false` leaves on a function whose paths were followed as it is.
pub fn annotate(reading: &Reading<'_>, decision: &Decision) {
    let chosen = decision.chosen.as_ref();
    if let Some(offsets) = chosen.and_then(|chosen| chosen.offsets.as_ref()) {
        for (op, names) in &reading.makers {
            let offsets = names.iter().filter_map(|name| offsets.get(name));
            let offsets: Vec<i64> = offsets.map(|offset| *offset as i64).collect();
            match offsets.as_slice() {
                [] => {}
                [only] => set_integer(*op, OFFSET, *only),
                several => set_integers(*op, OFFSETS, several),
            }
        }
    }
    tell_skipped(&reading.memory.analysis);
}

/// The report of a function whose paths were followed as it is.
pub fn report(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision,
    settings: &Settings,
) -> FunctionReport {
    let [mode, fit, values] = settings.words.clone();
    let peak = |walked: &Option<StackLayout>| walked.as_ref().map(|walked| walked.peak);
    let is_written = settings.apply && decision.chosen.is_some() && !reading.names.is_empty();
    let paths = calls::function_body(function).and_then(|body| {
        let size = Sizes::new(&mut Semantics::default(), true)
            .region(body)
            .ok()?;
        Some(size.paths)
    });
    let count = paths.as_ref().and_then(Count::small).unwrap_or(u64::MAX);
    let each = match count <= PATHS as u64 {
        true => each_path(reading, decision, settings),
        false => Vec::new(),
    };
    let told = decision.told();
    let layout = LayoutReport {
        mode,
        fit,
        values,
        is_virtual: true,
        stack: stack(settings, is_written).to_owned(),
        alignment: decision.unit,
        max_live_bytes: decision.load,
        peak_bytes: told.peak,
        plain_bytes: decision.plain,
        scan_bytes: peak(&decision.scan),
        planner_bytes: peak(&decision.planner),
        defrag_bytes: peak(&decision.defrag),
        pinned: reading.memory.pinned(),
        before_tree_bytes: None,
        operations_before_tree: None,
        operations: operations(function),
        defragmentations: told.defragmentations,
        moves: told.moves,
        moved_bytes: told.moved_bytes,
        path_count: count,
        all_paths: paths.map_or_else(String::new, |paths| paths.to_string()),
        paths: each.iter().map(path).collect(),
        curve: curve(&decision.curve),
    };
    let mut skipped = skipped(&reading.memory.analysis);
    if decision.chosen.is_none() {
        let left = reading.memory.analysis.plannable.iter();
        let left =
            left.map(|plannable| reading.memory.analysis.handles.buffers[plannable.buffer.index()]);
        skipped.extend(left.map(|op| left_alone(op, codes::NO_ONE_PLACE.id)));
    }
    FunctionReport {
        name: symbol_name(function),
        scopes: map(function, reading, decision, settings)
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

/// One place for each value as the plan of an arena.
fn map(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision,
    settings: &Settings,
) -> Option<ScopeReport> {
    let chosen = decision.chosen.as_ref()?;
    let offsets = chosen.offsets.as_ref()?;
    let lives = decision.lives.as_ref().filter(|lives| !lives.is_empty())?;
    let buffers = lives.iter().enumerate().filter_map(|(id, life)| {
        let value = reading.values.get(life.name.0 as usize)?;
        let place = (*offsets.get(&life.name)?, life.live.clone());
        let (size, unit) = (life.value.size, decision.unit);
        Some(buffer(function, *value, id as u64, size, unit, place, None))
    });
    let buffers: Vec<BufferReport> = buffers.collect();
    Some(scope(
        function,
        settings,
        buffers,
        chosen.peak,
        decision.unit,
    ))
}

/// A remark at a function whose paths were followed as it is.
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
