//! What other options of `memplan` would give: as plain data, and in words.

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::grouped;
use crate::{FunctionReport, Report, peak};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The bytes of a function with the options of a run of `memplan`, and with one of them changed.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct ExplainedReport {
    /// The options, as between the braces of `memplan{…}`.
    pub options: String,
    /// The bytes with these.
    pub bytes: ExplainedBytes,
    /// What each measure gives.
    pub measures: Vec<MeasureReport>,
    /// Whether some sizes are known only at run time. They are not counted. Absent where none are.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_dynamic_sizes: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// The bytes that a call of a function holds at one moment at most.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ExplainedBytes {
    /// Of arenas.
    pub planned_bytes: u64,
    /// Of the heap: arenas, results, and what is left alone.
    pub heap_bytes: u64,
}

/// One measure: an option with another value.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct MeasureReport {
    /// What the option does, in words.
    pub measure: String,
    /// The option to write.
    pub option: String,
    /// Whether the option turns off what is on.
    pub removes: bool,
    /// The bytes with it; null where the pipeline fails.
    pub bytes: Option<ExplainedBytes>,
}

/// The buffers at a peak that are listed.
const MOST_BUFFERS: usize = 8;

pub(crate) const COLUMNS: [Column; 5] = [
    Column::left("option", "The option to write."),
    Column::right("arenas", "Most bytes of arenas at one moment of a call."),
    Column::right("heap", "Most bytes of the heap at one moment of a call."),
    Column::right("change", "How many bytes of the heap more or less that is."),
    Column::left("measure", "What the option turns on, off, or changes."),
];

/// What each measure gives: of all functions, and of each. Then the buffers at the peak of each arena, the largest first.
pub fn text(report: &Report) -> String {
    let mut explained: Vec<(&FunctionReport, &ExplainedReport)> = report
        .functions
        .iter()
        .filter_map(|function| Some((function, function.explained.as_ref()?)))
        .collect();
    let is_silent = |one: &ExplainedReport| {
        one.bytes.heap_bytes == 0 && !one.has_dynamic_sizes && changes(one).next().is_none()
    };
    if explained.is_empty() {
        return "nothing is explained: run memplan{explain=true report=FILE}\n".to_owned();
    }
    let mut out = String::new();
    let count = explained.len();
    explained.retain(|(_, one)| !is_silent(one));
    if explained.is_empty() {
        return "no function allocates, with any measure\n".to_owned();
    }
    if explained.len() > 1 {
        let title = format!("all {count} functions");
        section(
            &mut out,
            &title,
            &sum(explained.iter().map(|(_, one)| *one)),
        );
    }
    for (function, one) in explained {
        let name = format!("@{}", clipped(&function.name));
        section(&mut out, &name, one);
        let named = report.functions.iter();
        for planned in named.filter(|planned| planned.name == function.name) {
            for (number, scope) in planned.scopes.iter().enumerate() {
                _ = write!(
                    out,
                    "{}",
                    peak::largest(planned, number, scope, MOST_BUFFERS)
                );
                let packing = scope.planned_bytes.saturating_sub(scope.load_bytes);
                if packing > 0 {
                    let rest = scope.planned_bytes.saturating_sub(scope.lower_bound_bytes);
                    _ = writeln!(
                        out,
                        "{} B more than are live: {} B for alignment and packing that no plan avoids, {} B of this plan",
                        grouped(packing),
                        grouped(packing.saturating_sub(rest)),
                        grouped(rest)
                    );
                }
                if let Some(floor) = scope.op_floor_bytes {
                    _ = writeln!(
                        out,
                        "{} B are touched by one operation: no order needs less",
                        grouped(floor)
                    );
                }
                out.push('\n');
            }
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A report in which functions with a plan have what another entry of the same name explains.
#[must_use]
pub fn joined(mut report: Report) -> Report {
    let entries = report.functions.iter();
    let explained: BTreeMap<String, ExplainedReport> = entries
        .filter(|function| function.scopes.is_empty())
        .filter_map(|function| Some((function.name.clone(), function.explained.clone()?)))
        .collect();
    for function in report
        .functions
        .iter_mut()
        .filter(|one| !one.scopes.is_empty())
    {
        if function.explained.is_none() {
            function.explained = explained.get(&function.name).cloned();
        }
    }
    report
}

/// The measures that change the bytes of the heap.
fn changes(one: &ExplainedReport) -> impl Iterator<Item = &MeasureReport> {
    one.measures.iter().filter(|measure| {
        measure
            .bytes
            .is_none_or(|bytes| bytes.heap_bytes != one.bytes.heap_bytes)
    })
}

/// The sums over functions. A measure that fails in one fails.
fn sum<'r>(all: impl Iterator<Item = &'r ExplainedReport>) -> ExplainedReport {
    let add = |one: ExplainedBytes, other: ExplainedBytes| ExplainedBytes {
        planned_bytes: one.planned_bytes.saturating_add(other.planned_bytes),
        heap_bytes: one.heap_bytes.saturating_add(other.heap_bytes),
    };
    let mut whole = ExplainedReport::default();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for one in all {
        whole.options.clone_from(&one.options);
        whole.bytes = add(whole.bytes, one.bytes);
        whole.has_dynamic_sizes |= one.has_dynamic_sizes;
        for measure in &one.measures {
            let place = *places.entry(&measure.option).or_insert_with(|| {
                whole.measures.push(MeasureReport {
                    bytes: Some(ExplainedBytes::default()),
                    ..measure.clone()
                });
                whole.measures.len() - 1
            });
            let sum = &mut whole.measures[place].bytes;
            *sum = sum.zip(measure.bytes).map(|(sum, bytes)| add(sum, bytes));
        }
    }
    whole
}

fn section(out: &mut String, title: &str, one: &ExplainedReport) {
    let base = one.bytes;
    _ = writeln!(
        out,
        "{title}: {} B of arenas, {} B of the heap, with memplan{{{}}}\n",
        grouped(base.planned_bytes),
        grouped(base.heap_bytes),
        one.options
    );
    if one.has_dynamic_sizes {
        out.push_str("sizes that are known only at run time are not counted\n\n");
    }
    let known = |measure: &&MeasureReport| measure.bytes.is_some();
    let heap = |measure: &MeasureReport| measure.bytes.map_or(0, |bytes| bytes.heap_bytes);
    let mut lower: Vec<&MeasureReport> = one.measures.iter().filter(known).collect();
    lower.sort_by_key(|measure| heap(measure));
    let (mut on, mut worse) = (Vec::new(), Vec::new());
    lower.retain(|measure| {
        let bytes = heap(measure);
        match bytes > base.heap_bytes {
            true if measure.removes => on.push(*measure),
            true => worse.push(*measure),
            false => return bytes < base.heap_bytes,
        }
        false
    });
    on.reverse();
    for (what, measures) in [
        ("would lower it", &lower),
        ("lower it already; without them", &on),
        ("would raise it", &worse),
    ] {
        if measures.is_empty() {
            continue;
        }
        let mut rows = vec![headings(&COLUMNS)];
        rows.extend(measures.iter().filter_map(|measure| row(base, measure)));
        _ = writeln!(
            out,
            "{what}:\n{}",
            aligned(&rows, &alignments(&COLUMNS), &[1])
        );
    }
    if lower.is_empty() {
        out.push_str("no measure lowers it\n");
    }
    let same = one.measures.iter().filter(|measure| {
        measure
            .bytes
            .is_some_and(|bytes| bytes.heap_bytes == base.heap_bytes)
    });
    list(out, "no difference", same);
    list(
        out,
        "fails",
        one.measures
            .iter()
            .filter(|measure| measure.bytes.is_none()),
    );
    out.push('\n');
}

fn list<'m>(out: &mut String, what: &str, measures: impl Iterator<Item = &'m MeasureReport>) {
    let options: Vec<&str> = measures.map(|measure| measure.option.as_str()).collect();
    if !options.is_empty() {
        _ = writeln!(out, "{what}: {}", options.join(", "));
    }
}

fn row(base: ExplainedBytes, measure: &MeasureReport) -> Option<[String; 5]> {
    let bytes = measure.bytes?;
    let difference = bytes.heap_bytes.abs_diff(base.heap_bytes);
    let sign = if bytes.heap_bytes < base.heap_bytes {
        "-"
    } else {
        "+"
    };
    let percent = match base.heap_bytes {
        0 => String::new(),
        heap => format!(" ({sign}{:.1}%)", 100.0 * difference as f64 / heap as f64),
    };
    Some([
        measure.option.clone(),
        grouped(bytes.planned_bytes),
        grouped(bytes.heap_bytes),
        format!("{sign}{}{percent}", grouped(difference)),
        measure.measure.clone(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, scope};

    fn bytes(planned_bytes: u64, heap_bytes: u64) -> ExplainedBytes {
        ExplainedBytes {
            planned_bytes,
            heap_bytes,
        }
    }

    fn measure(option: &str, removes: bool, bytes: Option<ExplainedBytes>) -> MeasureReport {
        MeasureReport {
            measure: format!("what {option} does"),
            option: option.to_owned(),
            removes,
            bytes,
        }
    }

    fn function(name: &str) -> FunctionReport {
        FunctionReport {
            name: name.to_owned(),
            explained: Some(ExplainedReport {
                options: "alignment=64".to_owned(),
                bytes: bytes(1000, 1200),
                measures: vec![
                    measure("elide=none", true, Some(bytes(2000, 2200))),
                    measure("recompute=cheap", false, Some(bytes(800, 1000))),
                    measure("alignment=16", false, Some(bytes(900, 900))),
                    measure("reorder=none", true, Some(bytes(1000, 1200))),
                    measure("hoist=loops", false, Some(bytes(1000, 1300))),
                    measure("split=none", true, None),
                ],
                has_dynamic_sizes: false,
            }),
            ..FunctionReport::default()
        }
    }

    #[test]
    fn the_best_measure_comes_first_and_each_is_there_once() {
        let text = text(&Report::new(vec![function("f")]));
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        let order = [
            "@f: 1,000 B of arenas, 1,200 B of the heap, with memplan{alignment=64}",
            "would lower it:",
            "alignment=16",
            "-300 (-25.0%)",
            "recompute=cheap",
            "lower it already; without them:",
            "elide=none",
            "+1,000 (+83.3%)",
            "would raise it:",
            "hoist=loops",
            "no difference: reorder=none",
            "fails: split=none",
        ];
        assert!(order.map(at).is_sorted(), "{text}");
    }

    #[test]
    fn several_functions_have_a_sum_and_a_failure_counts() {
        let mut other = function("g");
        other.explained.as_mut().expect("there").measures[2].bytes = None;
        let text = text(&Report::new(vec![function("f"), other]));
        assert!(
            text.starts_with("all 2 functions: 2,000 B of arenas, 2,400 B"),
            "{text}"
        );
        let first = text.split("@f").next().expect("a part");
        assert!(first.contains("fails: alignment=16, split=none"), "{text}");
        assert!(first.contains("-400 (-16.7%)"), "{text}");
    }

    #[test]
    fn the_largest_buffers_at_the_peak_follow() {
        let mut planned = FunctionReport {
            name: "f".to_owned(),
            scopes: vec![scope(
                (0..12)
                    .map(|id| buffer(id, 100 + id, 200 * id, &[(0, 4)]))
                    .collect(),
            )],
            ..FunctionReport::default()
        };
        planned.scopes[0].op_floor_bytes = Some(300);
        let text = text(&Report::new(vec![function("f"), planned]));
        assert!(text.contains("   #11    111 "), "{text}");
        assert!(text.contains("4 smaller"), "{text}");
        assert!(!text.contains("#3 "), "{text}");
        assert!(
            text.contains("300 B are touched by one operation"),
            "{text}"
        );
    }

    #[test]
    fn sizes_that_are_not_counted_are_named() {
        let mut dynamic = function("f");
        dynamic.explained.as_mut().expect("there").has_dynamic_sizes = true;
        let said = "sizes that are known only at run time are not counted";
        assert!(text(&Report::new(vec![dynamic])).contains(said));
        assert!(!text(&Report::new(vec![function("f")])).contains(said));
    }

    #[test]
    fn a_report_without_measures_says_how_to_get_them() {
        assert!(text(&Report::new(Vec::new())).contains("explain=true"));
    }
}
