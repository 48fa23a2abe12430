//! A layout as the plan of an arena.

use super::{
    super::{decide::Decision, read::Reading, settings::Settings},
    stack,
};
use memplan_bounded::{Motion, StepId, ValueId};
use memplan_mlir::{
    ir::{Op, Origin, Val, location_text, origin, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{BufferReport, ScopeReport};
use rustc_hash::FxHashMap;

/// The layout as a plan of an arena: a value that moves is a buffer for each place that it has.
pub fn map(
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
pub fn buffer(
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
pub fn scope(
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
        op_floor_bytes: None,
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
pub type Stay = (u64, Vec<(u64, u64)>);

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
