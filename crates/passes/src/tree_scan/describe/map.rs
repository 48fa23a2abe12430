//! Reports a layout as the plan of an arena.

use super::{
    super::{decide::Decision, read::Reading, settings::Settings},
    stack_text,
};
use memplan_bounded::{Motion, StepId, Value, ValueId};
use memplan_mlir::{
    ir::{Op, Origin, Val, location_text, origin, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{BufferReport, ScopeReport};
use rustc_hash::FxHashMap;

/// The layout as the plan of an arena. A value that moves is one buffer for each of its offsets.
pub fn arena_report(
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
    let (copy_of, alignment) = (copies(reading), tree.unit());
    let mut buffers: Vec<BufferReport> = Vec::new();
    // The first buffer of each value.
    let mut first: Vec<u64> = Vec::with_capacity(tree.values.len());
    for (index, offsets) in offsets(reading, decision).into_iter().enumerate() {
        let value = reading.values[index];
        let origin = copy_of[index].map(|copied| first[copied]);
        first.push(origin.unwrap_or(buffers.len() as u64));
        for (at, (offset, live)) in offsets.into_iter().enumerate() {
            let same_as = origin.or_else(|| (at > 0).then_some(first[index]));
            let Value {
                size,
                alignment: own,
                ..
            } = tree.values[index];
            // With moves, all values are placed at the strictest alignment.
            let alignment = match layout.relocations.is_empty() {
                true => own,
                false => alignment,
            };
            let place = (offset, live);
            let id = buffers.len() as u64;
            buffers.push(buffer_report(
                function, value, id, size, alignment, place, same_as,
            ));
        }
    }
    let peak = layout.peak;
    Some(scope_report(function, settings, buffers, peak, alignment))
}

/// The report of a value at an offset.
pub fn buffer_report(
    function: Op<'_>,
    value: Val<'_>,
    id: u64,
    size: u64,
    alignment: u64,
    (offset, live): OffsetAndLiveRanges,
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
        windows: Vec::new(),
        in_place_with: None,
        arena_of: String::new(),
        same_as,
    }
}

/// The report of a stack as the plan of an arena.
pub fn scope_report(
    function: Op<'_>,
    settings: &Settings,
    buffers: Vec<BufferReport>,
    peak: u64,
    unit: u64,
) -> ScopeReport {
    let report = ScopeReport {
        kind: "function".to_owned(),
        location: location_text(function.location()),
        arena: stack_text(settings, settings.apply && peak > 0).to_owned(),
        memory_space: String::new(),
        planner: settings.option_texts[..2].join(" "),
        optimal: false,
        naive_bytes: 0,
        load_bytes: 0,
        lower_bound_bytes: 0,
        lower_bound_proof: String::new(),
        lower_bound_sizes: Vec::new(),
        op_floor_bytes: None,
        peak: None,
        planned_bytes: peak,
        alignment: unit,
        excluded: Vec::new(),
        banks: None,
        buffers,
        held: None,
        each_iteration: false,
        first_time: 0,
        slots: Vec::new(),
    };
    report.with_sums()
}

/// For each value the first value of which it is a copy, as the code after branches was duplicated. Copies
/// have one location and type, and as many such values before them on their path.
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
    // The values that are counted on the path to the end of each enclosing segment, to undo the counts.
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

/// An offset in bytes, and the ranges of instants at which a value is live there.
pub type OffsetAndLiveRanges = (u64, Vec<(u64, u64)>);

/// For each value its offsets, each with the ranges at which the value is live there.
fn offsets(reading: &Reading<'_>, decision: &Decision<'_>) -> Vec<Vec<OffsetAndLiveRanges>> {
    let tree = &reading.tree;
    let layout = &decision.chosen.layout;
    let sizes = tree.rounded();
    let mut offsets: Vec<Vec<OffsetAndLiveRanges>> = tree
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
    // A move is valid in the subtree of its segment: it cuts that range of the preorder out of the previous
    // live ranges.
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
            for (_, live) in &mut offsets[value.index()] {
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
            offsets[value.index()].push((place, cut));
        }
    }
    for offsets in &mut offsets {
        offsets.retain(|(_, live)| !live.is_empty());
    }
    offsets
}
