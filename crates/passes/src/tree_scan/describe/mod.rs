//! Reports, attributes and remarks.

mod map;

use super::{
    codes,
    decide::Decision,
    read::Reading,
    settings::{Settings, StackPlacement},
};
use crate::treeify::{BEFORE, operations};
use memplan_bounded::{Layout, Motion, PathCost, StepId, TradeOffPoint, Tree, ValueId};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::{integers_of, set_integer, set_integers, set_text},
    diagnostics::Diagnostic,
    ir::{Op, location_text, results, symbol_name, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{
    BoundedReport, CurvePoint, FunctionReport, LayoutReport, PathReport, Skipped,
};
use memplan_semantics::attributes::{MOVES, OFFSET, OFFSETS, SKIP};

pub use map::{buffer_report, scope_report};

/// Limit of the paths that a report lists.
pub const MAX_LISTED_PATHS: usize = 1000;

/// The bytes live at once with rounded sizes, where they are more.
pub fn rounded(load: u64, rounded: u64) -> Option<u64> {
    (rounded > load).then_some(rounded)
}

/// Annotates each operation with the offsets of the values that it defines, and the moves before it.
pub fn annotate(reading: &Reading<'_>, layout: &Layout) {
    let sizes = reading.tree.rounded();
    for step in (0..reading.tree.len()).map(StepId::new) {
        let Some(op) = reading.steps[step.index()] else {
            continue;
        };
        let offsets: Vec<i64> = reading
            .tree
            .defines(step)
            .iter()
            .map(|value| layout.offsets[value.index()] as i64)
            .collect();
        match offsets.as_slice() {
            [] => {}
            [only] => set_integer(op, OFFSET, *only),
            several => set_integers(op, OFFSETS, several),
        }
    }
    for relocation in &layout.relocations {
        if let Some(op) = reading.steps[relocation.step.index()] {
            let size = |value: ValueId| sizes[value.index()] as i64;
            let moves: Vec<i64> = relocation
                .motions
                .iter()
                .flat_map(|motion| match *motion {
                    Motion::Move { value, from, to } => {
                        vec![from as i64, to as i64, size(value)]
                    }
                    Motion::Swap { below, above, at } => {
                        let (low, high) = (size(below), size(above));
                        let at = at as i64;
                        vec![at, at + high, low, at + low, at, high]
                    }
                })
                .collect();
            set_integers(op, MOVES, &moves);
        }
    }
    annotate_skipped(&reading.memory.analysis);
}

/// The name of the stack's placement in reports.
pub const fn stack_text(settings: &Settings, is_written: bool) -> &'static str {
    match (is_written, settings.stack_placement) {
        (false, _) => "",
        (true, StackPlacement::Alloc) => "alloc",
        (true, StackPlacement::Alloca) => "alloca",
        (true, StackPlacement::Argument) => "arg",
    }
}

/// The report of a function, with the chosen layout as the plan of an arena.
pub fn report(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision<'_>,
    settings: &Settings,
) -> FunctionReport {
    let tree = &reading.tree;
    let chosen = &decision.chosen;
    let paths = chosen.layout.paths(tree, &decision.analysis.load);
    let before = integers_of(function, BEFORE).filter(|before| before.len() == 2);
    let before = |at: usize| before.as_ref().map(|before| before[at].cast_unsigned());
    let is_written = settings.apply && chosen.layout.peak > 0;
    let [mode, fit, values] = settings.option_texts.clone();
    let layout = LayoutReport {
        mode,
        fit,
        values,
        is_virtual: false,
        stack: stack_text(settings, is_written).to_owned(),
        alignment: tree.unit(),
        max_live_bytes: decision.analysis.load.most,
        rounded_live_bytes: rounded(
            decision.analysis.load.most,
            decision.analysis.load.most_rounded,
        ),
        peak_bytes: chosen.layout.peak,
        plain_bytes: decision.plain.layout.peak,
        scan_bytes: Some(decision.scan.layout.peak),
        planner_bytes: Some(decision.planner.layout.peak),
        defrag_bytes: Some(decision.defrag.layout.peak),
        pinned: pinned(tree),
        before_tree_bytes: before(1),
        operations_before_tree: before(0),
        operations: operations(function),
        defragmentations: chosen.worst.defragmentations,
        moves: chosen.worst.moves,
        moved_bytes: chosen.worst.moved_bytes,
        path_count: paths.len() as u64,
        all_paths: paths.len().to_string(),
        paths: paths
            .iter()
            .take(MAX_LISTED_PATHS)
            .map(|(_, cost)| path(cost))
            .collect(),
        curve: curve(&decision.curve),
    };
    FunctionReport {
        name: symbol_name(function),
        scopes: map::arena_report(function, reading, decision, settings)
            .into_iter()
            .collect(),
        skipped: skipped(&reading.memory.analysis),
        bounded: Some(BoundedReport {
            size: None,
            layout: Some(layout),
        }),
        ..FunctionReport::default()
    }
}

/// Number of values that must not move.
fn pinned(tree: &Tree) -> u64 {
    let pinned = tree.values.iter().filter(|value| value.pinned);
    pinned.count() as u64
}

/// The report of the cost of a path.
pub fn path(cost: &PathCost) -> PathReport {
    PathReport {
        max_live_bytes: cost.max_live,
        peak_bytes: cost.peak,
        defragmentations: cost.defragmentations,
        moves: cost.moves,
        moved_bytes: cost.moved_bytes,
    }
}

/// The report of peaks against moved bytes, from no move to all moves.
pub fn curve(points: &[TradeOffPoint]) -> Vec<CurvePoint> {
    let points = points.iter().rev();
    points
        .map(|point| CurvePoint {
            peak_bytes: point.peak,
            moved_bytes: point.moved_bytes,
        })
        .collect()
}

/// The report of skipped allocations.
pub fn skipped(analysis: &Analysis<'_>) -> Vec<Skipped> {
    let skipped = analysis.skipped.iter();
    skipped
        .map(|(buffer, reason)| {
            skipped_allocation(analysis.handles.buffers[buffer.index()], reason.id())
        })
        .collect()
}

/// The report of a skipped allocation.
pub fn skipped_allocation(op: Op<'_>, reason: &str) -> Skipped {
    let ty = results(op).next().map(|result| type_of(result).to_string());
    Skipped {
        location: location_text(op.location()),
        ty: ty.unwrap_or_default(),
        reason: reason.to_owned(),
        id: None,
        arena_of: String::new(),
    }
}

/// Annotates skipped allocations with the reasons.
pub fn annotate_skipped(analysis: &Analysis<'_>) {
    for (buffer, reason) in &analysis.skipped {
        let op = analysis.handles.buffers[buffer.index()];
        set_text(op, SKIP, reason.id());
    }
}

/// Emits a remark at the function, and one at each skipped allocation.
pub fn remarks(function: Op<'_>, reading: &Reading<'_>, decision: &Decision<'_>) {
    let worst = decision.chosen.worst;
    let pinned = match pinned(&reading.tree) {
        0 => String::new(),
        count => format!("; {count} pinned"),
    };
    let message = format!(
        "stack of {} bytes: plain {}, without moves {}, planner {}, with moves {}, live at once {}; \
         at most {} bytes in {} moves on a path{pinned}",
        decision.chosen.layout.peak,
        decision.plain.layout.peak,
        decision.scan.layout.peak,
        decision.planner.layout.peak,
        decision.defrag.layout.peak,
        decision.analysis.load.most,
        worst.moved_bytes,
        worst.moves,
    );
    Diagnostic::new(codes::LAYOUT, function.location(), message).emit();
    for (buffer, reason) in &reading.memory.analysis.skipped {
        let op = reading.memory.analysis.handles.buffers[buffer.index()];
        let message = format!("skipped: {}", reason.text());
        Diagnostic::new(codes::LEFT, op.location(), message).emit();
    }
}
