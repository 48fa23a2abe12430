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
use memplan_bounded::{Count, Layout, Motion, PathCost, Point, StepId, ValueId, paths::Walked};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build::{integers_of, set_integer, set_integers, set_text},
    calls, diagnostics,
    ir::{Op, Origin, Val, location_text, origin, results, symbol_name, type_of},
    melior::ir::operation::OperationLike,
    names::Names,
};
use memplan_report::{
    BoundedReport, BufferReport, CurvePoint, FunctionReport, LayoutReport, PathReport, ScopeReport,
    Skipped,
};
use rustc_hash::FxHashMap;

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
    tell_skipped(&reading.analysis);
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
        all_paths: String::new(),
        paths: paths
            .iter()
            .take(PATHS)
            .map(|(_, cost)| path(cost))
            .collect(),
        curve: curve(&decision.curve),
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

fn path(cost: &PathCost) -> PathReport {
    PathReport {
        max_live_bytes: cost.max_live,
        peak_bytes: cost.peak,
        defragmentations: cost.defragmentations,
        moves: cost.moves,
        moved_bytes: cost.moved_bytes,
    }
}

/// From none moved to all.
fn curve(points: &[Point]) -> Vec<CurvePoint> {
    let points = points.iter().rev();
    points
        .map(|point| CurvePoint {
            peak_bytes: point.peak,
            moved_bytes: point.moved_bytes,
        })
        .collect()
}

fn skipped(analysis: &Analysis<'_>) -> Vec<Skipped> {
    let skipped = analysis.skipped.iter();
    skipped
        .map(|(buffer, reason)| left_alone(analysis.handles.buffers[buffer.index()], reason.id()))
        .collect()
}

fn left_alone(op: Op<'_>, reason: &str) -> Skipped {
    let ty = results(op).next().map(|result| type_of(result).to_string());
    Skipped {
        location: location_text(op.location()),
        ty: ty.unwrap_or_default(),
        reason: reason.to_owned(),
    }
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
    let (again, alignment) = (copies(reading), tree.unit());
    let mut buffers: Vec<BufferReport> = Vec::new();
    // The first place of each value.
    let mut first: Vec<u64> = Vec::with_capacity(tree.values.len());
    for (index, places) in places(reading, decision).into_iter().enumerate() {
        let value = reading.values[index];
        let origin = again[index].map(|copied| first[copied]);
        first.push(origin.unwrap_or(buffers.len() as u64));
        for (at, (offset, live)) in places.into_iter().enumerate() {
            let same_as = origin.or_else(|| (at > 0).then_some(first[index]));
            let size = tree.values[index].size;
            let place = (offset, live);
            let id = buffers.len() as u64;
            buffers.push(buffer(function, value, id, size, alignment, place, same_as));
        }
    }
    let peak = layout.peak;
    Some(scope(function, settings, buffers, peak, alignment))
}

/// A value in its place.
fn buffer(
    function: Op<'_>,
    value: Val<'_>,
    id: u64,
    size: u64,
    alignment: u64,
    (offset, live): Stay,
    same_as: Option<u64>,
) -> BufferReport {
    let location = match origin(value) {
        Some(Origin::Result(op, _)) => op.location(),
        _ => function.location(),
    };
    BufferReport {
        id,
        location: location_text(location),
        ty: type_of(value).to_string(),
        size,
        alignment,
        offset,
        live,
        in_place_with: None,
        arena_of: String::new(),
        same_as,
    }
}

/// A stack as the plan of an arena.
fn scope(
    function: Op<'_>,
    settings: &Settings,
    buffers: Vec<BufferReport>,
    peak: u64,
    unit: u64,
) -> ScopeReport {
    let scope = ScopeReport {
        kind: "function".to_owned(),
        location: location_text(function.location()),
        arena: stack(settings, settings.apply && peak > 0).to_owned(),
        memory_space: String::new(),
        planner: settings.words[..2].join(" "),
        optimal: false,
        naive_bytes: 0,
        load_bytes: 0,
        lower_bound_bytes: 0,
        lower_bound_proof: String::new(),
        planned_bytes: peak,
        alignment: unit,
        buffers,
        slots: Vec::new(),
    };
    scope.with_sums()
}

/// For each value the first one that it is a copy of, for what follows a branch was duplicated: of the same
/// type from the same place of the text, and as many such before it on its path.
fn copies(reading: &Reading<'_>) -> Vec<Option<usize>> {
    let tree = &reading.tree;
    let keys: Vec<(String, String)> = reading
        .values
        .iter()
        .map(|value| {
            let location = match origin(*value) {
                Some(Origin::Result(op, _)) => location_text(op.location()),
                _ => String::new(),
            };
            (location, type_of(*value).to_string())
        })
        .collect();
    let mut first: FxHashMap<(&(String, String), usize), usize> = FxHashMap::default();
    let mut before: FxHashMap<&(String, String), usize> = FxHashMap::default();
    // What was counted on the way to the end of each segment around, to be taken back.
    let mut counted: Vec<&(String, String)> = Vec::new();
    let mut marks: Vec<usize> = Vec::with_capacity(tree.segments.len());
    let mut copies = vec![None; tree.values.len()];
    for segment in &tree.segments {
        let mark = segment.parent.map_or(0, |parent| marks[parent.index()]);
        for key in counted.drain(mark..) {
            if let Some(count) = before.get_mut(key) {
                *count -= 1;
            }
        }
        for step in segment.steps.clone() {
            for value in tree.defines(StepId(step)) {
                let key = &keys[value.index()];
                let count = before.entry(key).or_default();
                let known = *first.entry((key, *count)).or_insert(value.index());
                copies[value.index()] = (known != value.index()).then_some(known);
                *count += 1;
                counted.push(key);
            }
        }
        marks.push(counted.len());
    }
    copies
}

/// A place, and the instants at which something lies there.
type Stay = (u64, Vec<(u64, u64)>);

/// For each value its places, each with the instants at which it has it.
fn places(reading: &Reading<'_>, decision: &Decision<'_>) -> Vec<Vec<Stay>> {
    let tree = &reading.tree;
    let layout = &decision.chosen.layout;
    let sizes = tree.rounded();
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
                    let high = sizes[above.index()];
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

/// What `apply=false` leaves on a function whose paths were followed as it is.
pub fn annotate_structured(reading: &structured::Reading<'_>, decision: &structured::Decision) {
    let chosen = decision.chosen.as_ref();
    if let Some(offsets) = chosen.and_then(|chosen| chosen.offsets.as_ref()) {
        for (op, names) in &reading.makers {
            let offsets = names.iter().filter_map(|name| offsets.get(name));
            let offsets: Vec<i64> = offsets.map(|offset| *offset as i64).collect();
            match offsets.as_slice() {
                [] => {}
                [only] => set_integer(*op, "memplan.offset", *only),
                several => set_integers(*op, "memplan.offsets", several),
            }
        }
    }
    tell_skipped(&reading.analysis);
}

fn tell_skipped(analysis: &Analysis<'_>) {
    for (buffer, reason) in &analysis.skipped {
        let op = analysis.handles.buffers[buffer.index()];
        set_text(op, "memplan.skip", reason.id());
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
    let is_written = settings.apply && decision.chosen.is_some() && !reading.names.is_empty();
    let paths = calls::function_body(function).and_then(|body| {
        let size = Sizes::new(&mut Names::default(), true).region(body).ok()?;
        Some(size.paths)
    });
    let count = paths.as_ref().and_then(Count::small).unwrap_or(u64::MAX);
    let each = match count <= PATHS as u64 {
        true => structured::each_path(reading, decision, settings),
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
    let mut skipped = skipped(&reading.analysis);
    if decision.chosen.is_none() {
        let left = reading.analysis.plannable.iter();
        let left = left.map(|plannable| reading.analysis.handles.buffers[plannable.buffer.index()]);
        skipped.extend(left.map(|op| left_alone(op, "no-one-place")));
    }
    FunctionReport {
        name: symbol_name(function),
        scopes: structured_map(function, reading, decision, settings)
            .into_iter()
            .collect(),
        skipped,
        bounded: Some(BoundedReport {
            size: None,
            layout: Some(layout),
        }),
    }
}

/// One place for each value as the plan of an arena.
fn structured_map(
    function: Op<'_>,
    reading: &structured::Reading<'_>,
    decision: &structured::Decision,
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
