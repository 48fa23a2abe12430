//! Tells people: the report of a function, attributes and remarks.

use super::{
    decide::Decision,
    read::Reading,
    settings::{Home, Settings},
    structured,
};
use crate::{
    bounded::size::Sizes,
    treeify::{BEFORE, operations},
};
use memplan_bounded::{Layout, Motion, StepId, ValueId, paths::Walked};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::{integers_of, set_integer, set_integers, set_text},
    calls, diagnostics,
    ir::{Op, Origin, location_text, origin, results, symbol_name, type_of},
    melior::ir::operation::OperationLike,
    names::Names,
};
use memplan_report::{
    BoundedReport, BufferReport, CurvePoint, FunctionReport, LayoutReport, PathReport, ScopeReport,
    Skipped,
};

/// So many paths are listed.
const PATHS: usize = 1000;

/// On what is moved in front of an operation: first byte before, first byte then, size, in turn.
const MOVES: &str = "memplan.moves";

/// What `apply=false` leaves: on each operation where what it makes lies, and what is moved in front of it.
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
            [only] => set_integer(op, "memplan.offset", *only),
            several => set_integers(op, "memplan.offsets", several),
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
    for (buffer, reason) in &reading.analysis.skipped {
        let op = reading.analysis.handles.buffers[buffer.index()];
        set_text(op, "memplan.skip", reason.id());
    }
}

/// The word for where the stack is.
pub const fn stack(settings: &Settings, is_written: bool) -> &'static str {
    match (is_written, settings.home) {
        (false, _) => "",
        (true, Home::Alloc) => "alloc",
        (true, Home::Alloca) => "alloca",
        (true, Home::Argument) => "arg",
    }
}

/// The report of a function, with the layout that was chosen as a map.
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
    let [mode, fit, values] = settings.words.clone();
    let layout = LayoutReport {
        mode,
        fit,
        values,
        is_virtual: false,
        stack: stack(settings, is_written).to_owned(),
        alignment: tree.unit(),
        max_live_bytes: decision.analysis.load.most,
        peak_bytes: chosen.layout.peak,
        plain_bytes: decision.plain.layout.peak,
        scan_bytes: Some(decision.scan.layout.peak),
        planner_bytes: Some(decision.planner.layout.peak),
        defrag_bytes: Some(decision.defrag.layout.peak),
        before_tree_bytes: before(1),
        operations_before_tree: before(0),
        operations: operations(function),
        defragmentations: chosen.worst.defragmentations,
        moves: chosen.worst.moves,
        moved_bytes: chosen.worst.moved_bytes,
        path_count: paths.len() as u64,
        paths: paths
            .iter()
            .take(PATHS)
            .map(|(_, cost)| PathReport {
                max_live_bytes: cost.max_live,
                peak_bytes: cost.peak,
                defragmentations: cost.defragmentations,
                moves: cost.moves,
                moved_bytes: cost.moved_bytes,
            })
            .collect(),
        curve: decision
            .curve
            .iter()
            .rev()
            .map(|point| CurvePoint {
                peak_bytes: point.peak,
                moved_bytes: point.moved_bytes,
            })
            .collect(),
    };
    FunctionReport {
        name: symbol_name(function),
        scopes: map(function, reading, decision, settings)
            .into_iter()
            .collect(),
        skipped: skipped(&reading.analysis),
        bounded: Some(BoundedReport {
            size: None,
            layout: Some(layout),
        }),
    }
}

fn skipped(analysis: &Analysis<'_>) -> Vec<Skipped> {
    let skipped = analysis.skipped.iter();
    skipped
        .map(|(buffer, reason)| {
            let op = analysis.handles.buffers[buffer.index()];
            let ty = results(op).next().map(|result| type_of(result).to_string());
            Skipped {
                location: location_text(op.location()),
                ty: ty.unwrap_or_default(),
                reason: reason.id().to_owned(),
            }
        })
        .collect()
}

/// The layout as a plan of an arena: a value that moves is a buffer for each place that it has.
fn map(
    function: Op<'_>,
    reading: &Reading<'_>,
    decision: &Decision<'_>,
    settings: &Settings,
) -> Option<ScopeReport> {
    let tree = &reading.tree;
    let layout = &decision.chosen.layout;
    if tree.values.is_empty() {
        return None;
    }
    let sizes = tree.rounded();
    let mut buffers = Vec::new();
    for (index, places) in places(reading, decision).into_iter().enumerate() {
        let value = reading.values[index];
        let location = match origin(value) {
            Some(Origin::Result(op, _)) => op.location(),
            _ => function.location(),
        };
        for (offset, live) in places {
            buffers.push(BufferReport {
                id: buffers.len() as u64,
                location: location_text(location),
                ty: type_of(value).to_string(),
                size: sizes[index],
                alignment: tree.unit(),
                offset,
                live,
                in_place_with: None,
                arena_of: String::new(),
            });
        }
    }
    let naive = buffers.iter().map(|buffer| buffer.size).sum();
    let load = decision.analysis.load.most;
    let (proof, optimal) = ("load".to_owned(), layout.peak == load);
    Some(ScopeReport {
        kind: "function".to_owned(),
        location: location_text(function.location()),
        arena: stack(settings, settings.apply && layout.peak > 0).to_owned(),
        memory_space: String::new(),
        planner: settings.words[..2].join(" "),
        optimal,
        naive_bytes: naive,
        load_bytes: load,
        lower_bound_bytes: load,
        lower_bound_proof: proof,
        planned_bytes: layout.peak,
        alignment: tree.unit(),
        buffers,
        slots: Vec::new(),
    })
}

/// A place, and the instants at which something lies there.
type Stay = (u64, Vec<(u64, u64)>);

/// For each value its places, each with the instants at which it has it.
fn places(reading: &Reading<'_>, decision: &Decision<'_>) -> Vec<Vec<Stay>> {
    let tree = &reading.tree;
    let layout = &decision.chosen.layout;
    let mut places: Vec<Vec<Stay>> = tree
        .values
        .iter()
        .enumerate()
        .map(|(index, _)| {
            vec![(
                layout.offsets[index],
                decision.analysis.deaths.ranges[index].clone(),
            )]
        })
        .collect();
    // A move holds for all below its segment: it cuts a stretch of the preorder out of what was there.
    let mut ends: Vec<u64> = vec![0; tree.len()];
    for segment in &tree.segments {
        for step in segment.steps.clone() {
            ends[step as usize] = u64::from(segment.end) * 2;
        }
    }
    for relocation in &layout.relocations {
        let from = u64::from(relocation.step.0) * 2;
        let to = ends[relocation.step.index()];
        let mut last: Vec<(ValueId, u64)> = Vec::new();
        for motion in &relocation.motions {
            let moved: &[(ValueId, u64)] = match *motion {
                Motion::Move { value, to, .. } => &[(value, to)],
                Motion::Swap { below, above, at } => {
                    let high = tree.rounded()[above.index()];
                    &[(above, at), (below, at + high)]
                }
            };
            for (value, place) in moved {
                last.retain(|(other, _)| other != value);
                last.push((*value, *place));
            }
        }
        for (value, place) in last {
            let mut cut = Vec::new();
            for (_, live) in &mut places[value.index()] {
                let mut kept = Vec::new();
                for (start, end) in live.drain(..) {
                    for (start, end, inside) in [
                        (start, end.min(from), false),
                        (start.max(from), end.min(to), true),
                        (start.max(to), end, false),
                    ] {
                        if start < end {
                            let list = if inside { &mut cut } else { &mut kept };
                            list.push((start, end));
                        }
                    }
                }
                *live = kept;
            }
            cut.sort_unstable();
            places[value.index()].push((place, cut));
        }
    }
    for places in &mut places {
        places.retain(|(_, live)| !live.is_empty());
    }
    places
}

/// A remark at the function, at each move and at each allocation that is left alone.
pub fn remarks(function: Op<'_>, reading: &Reading<'_>, decision: &Decision<'_>) {
    let worst = decision.chosen.worst;
    let message = format!(
        "stack of {} bytes: plain {}, without moves {}, planner {}, with moves {}, live at once {}; \
         at most {} bytes in {} moves on a path",
        decision.chosen.layout.peak,
        decision.plain.layout.peak,
        decision.scan.layout.peak,
        decision.planner.layout.peak,
        decision.defrag.layout.peak,
        decision.analysis.load.most,
        worst.moved_bytes,
        worst.moves,
    );
    diagnostics::remark(function.location(), message).emit();
    for (buffer, reason) in &reading.analysis.skipped {
        let op = reading.analysis.handles.buffers[buffer.index()];
        let message = format!("left alone: {}", reason.text());
        diagnostics::remark(op.location(), message).emit();
    }
}

/// The report of a function whose paths were followed as it is.
pub fn structured_report(
    function: Op<'_>,
    reading: &structured::Reading<'_>,
    decision: &structured::Decision,
    settings: &Settings,
) -> FunctionReport {
    let [mode, fit, values] = settings.words.clone();
    let peak = |walked: &Option<Walked>| walked.as_ref().map(|walked| walked.peak);
    let chosen = decision.chosen.as_ref();
    let is_written = settings.apply && chosen.is_some() && !reading.names.is_empty();
    let paths = calls::function_body(function).and_then(|body| {
        let size = Sizes::new(&mut Names::default(), true).region(body).ok()?;
        size.paths.small()
    });
    let layout = LayoutReport {
        mode,
        fit,
        values,
        is_virtual: true,
        stack: stack(settings, is_written).to_owned(),
        alignment: decision.unit,
        max_live_bytes: decision.load,
        peak_bytes: chosen.map_or(decision.load, |chosen| chosen.peak),
        plain_bytes: decision.plain,
        scan_bytes: peak(&decision.scan),
        planner_bytes: peak(&decision.planner),
        defrag_bytes: peak(&decision.defrag),
        before_tree_bytes: None,
        operations_before_tree: None,
        operations: operations(function),
        defragmentations: 0,
        moves: 0,
        moved_bytes: 0,
        path_count: paths.unwrap_or(u64::MAX),
        paths: Vec::new(),
        curve: Vec::new(),
    };
    FunctionReport {
        name: symbol_name(function),
        scopes: Vec::new(),
        skipped: skipped(&reading.analysis),
        bounded: Some(BoundedReport {
            size: None,
            layout: Some(layout),
        }),
    }
}

/// A remark at a function whose paths were followed as it is.
pub fn structured_remark(function: Op<'_>, decision: &structured::Decision) {
    let text = |walked: &Option<Walked>| match walked {
        Some(walked) => walked.peak.to_string(),
        None => "unknown".to_owned(),
    };
    let moved = decision
        .defrag
        .as_ref()
        .map_or(0, |defrag| defrag.moved_bytes);
    let message = format!(
        "paths as they are: plain {}, without moves {}, planner {}, with moves {} ({moved} bytes moved), \
         live at once {}",
        decision.plain,
        text(&decision.scan),
        text(&decision.planner),
        text(&decision.defrag),
        decision.load,
    );
    diagnostics::remark(function.location(), message).emit();
}
