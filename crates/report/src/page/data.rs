//! The data of the page: the plan in columns, each type once.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::load::{self, Peak};
use crate::{
    FunctionReport, InsideReport, PeakBuffer, ScopeReport, SlotReport, expression::evaluate, names,
};

/// Everything that the page shows.
#[derive(Serialize)]
pub struct Data<'a> {
    /// What was read.
    title: &'a str,
    functions: Vec<Function<'a>>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    scopes: Vec<Scope<'a>>,
    /// Location, type and reason of what was left alone.
    skipped: Vec<[&'a str; 3]>,
    /// The stack against the bytes that are moved, as SVG; empty where there is nothing to draw.
    curve: String,
    /// What its buffers cost against the bytes of a memory space, in the same way.
    costs: String,
    /// What other options would give; those that make no difference are left out.
    measures: Vec<Measure<'a>>,
}

/// An option that changes the bytes of the heap.
#[derive(Serialize)]
struct Measure<'a> {
    option: &'a str,
    about: &'a str,
    heap: u64,
    /// The bytes without it.
    base: u64,
    /// Whether it turns off what is on.
    removes: bool,
}

/// Fields as in [`ScopeReport`], and what is computed from its buffers. Positions are as they are shown, and may be
/// negative.
#[derive(Serialize)]
struct Scope<'a> {
    name: String,
    number: usize,
    of_program: bool,
    arena: &'a str,
    planner: &'a str,
    optimal: bool,
    naive: u64,
    bound: u64,
    planned: u64,
    alignment: u64,
    types: Vec<&'a str>,
    buffers: Columns<'a>,
    /// Addresses that no buffer may use: start, end, and what they are.
    excluded: Vec<(u64, u64, String)>,
    /// The addresses of banks, each with its name.
    banks: Vec<(u64, u64, String)>,
    /// The sizes of the slots.
    slots: Vec<&'a [String]>,
    /// Loops over strips that are among the positions of the buffers.
    chains: Vec<Chain<'a>>,
    /// The load as steps.
    load: Vec<(i128, u64)>,
    /// First position of the peak, the position after its last, and the load there.
    peak: Option<(i128, i128, u64)>,
}

/// A loop over strips, as in [`ChainReport`]; what is known only at run time is null.
#[derive(Serialize)]
struct Chain<'a> {
    location: &'a str,
    from: i128,
    to: i128,
    operations: usize,
    along: String,
    strips: Option<u64>,
    /// The strips of each dimension: `8 x 8`.
    each: String,
    rows: String,
    per_strip: Option<String>,
    repeated: u64,
    before: Option<u64>,
    after: Option<u64>,
    /// The number of line buffers.
    lines: usize,
    line_bytes: Option<u64>,
    copied: Option<u64>,
}

/// Buffers, each at the same place in all lists. What few of them have is found by that place.
#[derive(Serialize, Default)]
struct Columns<'a> {
    id: Vec<u64>,
    /// Places in the list of types.
    #[serde(rename = "type")]
    ty: Vec<usize>,
    location: Vec<&'a str>,
    size: Vec<u64>,
    alignment: Vec<u64>,
    offset: Vec<u64>,
    live: Vec<Vec<(i128, i128)>>,
    /// For each window first position, the position after its last, first byte, and the byte after its last.
    windows: BTreeMap<usize, Vec<(i128, i128, u64, u64)>>,
    in_place_with: BTreeMap<usize, u64>,
    same_as: BTreeMap<usize, u64>,
    arena_of: BTreeMap<usize, &'a str>,
    /// What a line buffer is, in words.
    lines: BTreeMap<usize, String>,
    /// The operation at which the live range at the peak begins, and why the buffer is live there.
    made_by: BTreeMap<usize, String>,
    at_peak: BTreeMap<usize, String>,
    /// The slot of a buffer of dynamic size. Its size and offset here are as if each dimension were 1.
    slot: BTreeMap<usize, usize>,
}

impl<'a> Data<'a> {
    /// The scopes of `functions`: all, or in each function only the one of that number.
    pub fn new(
        title: &'a str,
        functions: impl IntoIterator<Item = &'a FunctionReport>,
        scope: Option<usize>,
    ) -> Self {
        let functions = functions.into_iter();
        Self {
            title,
            functions: functions.map(|one| function(one, scope)).collect(),
        }
    }

    /// As JSON that may stand in a script element of a page: nothing in it ends the element.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("it holds only strings, numbers and lists");
        // Outside of strings JSON has no such sign.
        json.replace('<', "\\u003c")
    }
}

fn function(function: &FunctionReport, only: Option<usize>) -> Function<'_> {
    let numbers = 0..function.scopes.len();
    let skipped = function.skipped.iter();
    Function {
        name: &function.name,
        scopes: numbers
            .filter(|&number| only.is_none_or(|only| only == number))
            .map(|number| scope(function, number))
            .collect(),
        skipped: skipped
            .map(|one| [&one.location, &one.ty, &one.reason].map(String::as_str))
            .collect(),
        curve: match only {
            None => crate::svg::curve(function).unwrap_or_default(),
            Some(_) => String::new(),
        },
        costs: match only {
            None => crate::svg::cost_curve(function).unwrap_or_default(),
            Some(_) => String::new(),
        },
        measures: measures(function),
    }
}

/// The measures that change the bytes of the heap, the best first.
fn measures(function: &FunctionReport) -> Vec<Measure<'_>> {
    let Some(explained) = &function.explained else {
        return Vec::new();
    };
    let base = explained.bytes.heap_bytes;
    let all = explained.measures.iter().filter_map(|measure| {
        let heap = measure.bytes?.heap_bytes;
        (heap != base).then_some(Measure {
            option: &measure.option,
            about: &measure.measure,
            heap,
            base,
            removes: measure.removes,
        })
    });
    let mut all: Vec<Measure<'_>> = all.collect();
    all.sort_by_key(|measure| measure.heap);
    all
}

/// A text for each buffer that the report explains at the peak, by its place.
fn of_peak(scope: &ScopeReport, text: impl Fn(&PeakBuffer) -> String) -> BTreeMap<usize, String> {
    let places: HashMap<u64, usize> = scope
        .buffers
        .iter()
        .map(|buffer| buffer.id)
        .zip(0..)
        .collect();
    let explained = scope.peak.iter().flat_map(|peak| &peak.buffers);
    explained
        .filter_map(|buffer| Some((*places.get(&buffer.id)?, text(buffer))))
        .collect()
}

fn scope(function: &FunctionReport, number: usize) -> Scope<'_> {
    let scope = &function.scopes[number];
    let load = load::curve(&load::blocks(scope));
    let peak = load::peak(&load);
    let mut types = Types::default();
    Scope {
        name: names::scope(function, number),
        number,
        of_program: scope.of_program(),
        arena: &scope.arena,
        planner: &scope.planner,
        optimal: scope.optimal,
        naive: scope.separate_bytes(),
        bound: scope.lower_bound_bytes,
        planned: scope.planned_bytes,
        alignment: scope.alignment,
        buffers: Columns {
            lines: line_buffers(function, number),
            made_by: of_peak(scope, |buffer| {
                format!("{} at {}", buffer.made_by.name, buffer.made_by.location)
            }),
            at_peak: of_peak(scope, PeakBuffer::reason),
            ..columns(scope, &mut types)
        },
        chains: chains(function, scope),
        types: types.names,
        excluded: scope
            .excluded
            .iter()
            .map(|range| (range.start, range.end, range.name()))
            .collect(),
        banks: scope
            .banks
            .iter()
            .flat_map(|banks| banks.ranges())
            .zip(0..)
            .map(|((start, end), number)| (*start, *end, format!("bank {number}")))
            .collect(),
        slots: scope.slots.iter().map(|slot| &slot.size[..]).collect(),
        load: load
            .into_iter()
            .map(|(start, load)| (scope.time(start), load))
            .collect(),
        peak: peak.map(|Peak { start, end, load }| (scope.time(start), scope.time(end), load)),
    }
}

/// The chains whose loops are among the positions of the buffers of a scope.
fn chains<'a>(function: &'a FunctionReport, scope: &ScopeReport) -> Vec<Chain<'a>> {
    let live = || scope.buffers.iter().flat_map(|buffer| &buffer.live);
    let first = live().map(|one| one.0).min().unwrap_or(0);
    let end = live().map(|one| one.1).max().unwrap_or(0);
    let chains = function.chains.iter();
    let chains = chains.filter(|chain| chain.positions.0 < end && chain.positions.1 > first);
    chains
        .map(|chain| Chain {
            location: &chain.location,
            from: scope.time(chain.positions.0),
            to: scope.time(chain.positions.1),
            operations: chain.operations.len(),
            along: chain.along(),
            strips: chain.strips,
            each: chain.each(),
            rows: chain.rows(),
            per_strip: chain
                .operations_per_strip()
                .map(|count| format!("{count:.1}")),
            repeated: chain.repeated,
            before: chain.load_before_bytes,
            after: chain.load_after_bytes,
            lines: chain.line_buffers.len(),
            line_bytes: chain.line_bytes(),
            copied: chain.copied_bytes,
        })
        .collect()
}

/// What the line buffers of a scope are, by their places.
fn line_buffers(function: &FunctionReport, number: usize) -> BTreeMap<usize, String> {
    let buffers = function.scopes[number].buffers.iter().enumerate();
    let places: HashMap<u64, usize> = buffers.map(|(at, buffer)| (buffer.id, at)).collect();
    let lines = function.lines_of(number);
    let lines = lines.filter_map(|(id, lines)| Some((*places.get(&id)?, lines.text())));
    lines.collect()
}

fn columns<'a>(scope: &'a ScopeReport, types: &mut Types<'a>) -> Columns<'a> {
    let mut columns = Columns::default();
    for (at, buffer) in scope.buffers.iter().enumerate() {
        columns.id.push(buffer.id);
        columns.ty.push(types.place(&buffer.ty));
        columns.location.push(&buffer.location);
        columns.size.push(buffer.size);
        columns.alignment.push(buffer.alignment);
        columns.offset.push(buffer.offset);
        columns.live.push(scope.all_times(&buffer.live));
        if !buffer.windows.is_empty() {
            let windows = buffer.windows.iter();
            let windows = windows.map(|one| {
                let (start, end) = scope.times(one.during);
                (start, end, one.bytes.0, one.bytes.1)
            });
            columns.windows.insert(at, windows.collect());
        }
        columns
            .in_place_with
            .extend(buffer.in_place_with.map(|host| (at, host)));
        columns
            .same_as
            .extend(buffer.same_as.map(|other| (at, other)));
        if !buffer.arena_of.is_empty() {
            columns.arena_of.insert(at, &buffer.arena_of);
        }
    }
    let mut offset = scope.planned_bytes;
    for (number, slot) in scope.slots.iter().enumerate() {
        let size = least(slot);
        for buffer in &slot.buffers {
            let inside = buffer.inside.as_ref();
            let of = |text: fn(&InsideReport) -> &String| inside.and_then(|one| bytes(text(one)));
            columns.slot.insert(columns.id.len(), number);
            columns.id.push(buffer.id);
            columns.ty.push(types.place(&buffer.ty));
            columns.location.push(&buffer.location);
            columns.size.push(of(|one| &one.size).unwrap_or(size));
            columns.alignment.push(slot.alignment);
            let before = of(|one| &one.offset).unwrap_or(0);
            columns.offset.push(offset.saturating_add(before));
            columns.live.push(scope.all_times(&buffer.live));
        }
        offset = offset.saturating_add(size);
    }
    columns
}

/// The bytes of a slot as if each dimension were 1.
fn least(slot: &SlotReport) -> u64 {
    let all = slot.size.iter().filter_map(|size| bytes(size));
    all.max().unwrap_or(1)
}

/// A size or an offset as if each dimension were 1.
fn bytes(text: &str) -> Option<u64> {
    evaluate(text, |_| 1)
}

/// Types, each once.
#[derive(Default)]
struct Types<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Types<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{buffer, chain, report, scope, windowed};
    use crate::{SlotBufferReport, SlotReport};

    fn read(scope: ScopeReport) -> Value {
        let report = report(vec![scope]);
        let text = Data::new("t", &report.functions, None).to_json();
        assert!(!text.contains('<'), "{text}");
        let data: Value = serde_json::from_str(&text).expect("it is JSON");
        data["functions"][0]["scopes"][0].clone()
    }

    #[test]
    fn buffers_in_columns() {
        let mut buffers = vec![
            buffer(5, 64, 0, &[(0, 4), (6, 9)]),
            buffer(6, 32, 64, &[(1, 7)]),
            buffer(7, 64, 0, &[(4, 5)]),
        ];
        buffers[2].in_place_with = Some(5);
        buffers[1].location = "</script><!--".into();
        let scope = read(scope(buffers));
        let columns = &scope["buffers"];
        assert_eq!(columns["id"], json!([5, 6, 7]));
        assert_eq!(columns["type"], json!([0, 1, 0]));
        assert_eq!(scope["types"], json!(["memref<64xi8>", "memref<32xi8>"]));
        assert_eq!(columns["location"][1], "</script><!--");
        assert_eq!(columns["live"][0], json!([[0, 4], [6, 9]]));
        assert_eq!(columns["in_place_with"], json!({"2": 5}));
        assert_eq!(scope["peak"], json!([1, 5, 96]));
    }

    #[test]
    fn windows_are_found_by_the_place_of_their_buffer() {
        let scope = read(scope(vec![
            buffer(5, 64, 0, &[(0, 9)]),
            windowed(
                buffer(6, 32, 64, &[(1, 4)]),
                &[((4, 6), (8, 16)), ((7, 9), (0, 4))],
            ),
        ]));
        let windows = &scope["buffers"]["windows"];
        assert_eq!(windows, &json!({"1": [[4, 6, 8, 16], [7, 9, 0, 4]]}));
        let load = json!([[0, 64], [1, 96], [4, 72], [6, 64], [7, 68], [9, 0]]);
        assert_eq!(scope["load"], load);
    }

    #[test]
    fn slots_follow_the_static_part() {
        let mut scope = scope(vec![buffer(0, 100, 0, &[(0, 2)])]);
        let slot = |id, sizes: &[&str]| SlotReport {
            size: sizes.iter().copied().map(str::to_owned).collect(),
            unit: None,
            alignment: 64,
            buffers: vec![SlotBufferReport {
                id,
                location: "here".into(),
                ty: "memref<?xf32>".into(),
                live: vec![(0, 5)],
                size: None,
                alignment: None,
                inside: None,
                arena_of: String::new(),
            }],
            other_orders: Vec::new(),
        };
        scope.slots = vec![slot(1, &["16*d0", "48*d1*d2"]), slot(2, &["4*d0"])];
        let scope = read(scope);
        assert_eq!(scope["buffers"]["size"], json!([100, 48, 4]));
        assert_eq!(scope["buffers"]["offset"], json!([0, 100, 148]));
        assert_eq!(scope["buffers"]["slot"], json!({"1": 0, "2": 1}));
        assert_eq!(scope["slots"][0], json!(["16*d0", "48*d1*d2"]));
    }

    #[test]
    fn chains_are_there_and_line_buffers_are_found_by_their_place() {
        let mut report = report(vec![scope(vec![
            buffer(5, 64, 0, &[(0, 9)]),
            buffer(6, 480, 64, &[(1, 9)]),
        ])]);
        let function = &mut report.functions[0];
        function.chains = vec![chain((2, 9)), chain((9, 12))];
        let lines = &mut function.chains[0].line_buffers[0];
        (lines.scope, lines.id) = (Some(0), Some(6));
        assert_eq!(report.check(), Ok(()));
        let text = Data::new("t", &report.functions, None).to_json();
        let data: Value = serde_json::from_str(&text).expect("it is JSON");
        let scope = &data["functions"][0]["scopes"][0];
        let text = "line buffer of memref<4x26x10xf32> (4.06 KiB), keeps 2 rows";
        assert_eq!(scope["buffers"]["lines"], json!({"1": text}));
        // The second one is after all buffers.
        assert_eq!(scope["chains"].as_array().map(Vec::len), Some(1));
        let chain = &scope["chains"][0];
        assert_eq!((&chain["from"], &chain["to"]), (&json!(2), &json!(9)));
        assert_eq!(
            (&chain["each"], &chain["rows"]),
            (&json!("7 x 4"), &json!("1 x 4"))
        );
        assert_eq!(
            (&chain["lines"], &chain["line_bytes"]),
            (&json!(1), &json!(480))
        );
    }
}
