//! Reports at a shape: values of the dimensions that sizes depend on.
//!
//! Slots follow the static part, each at the end of the one before it, rounded up to its alignment, as the program itself
//! computes them. A size that depends on conditions counts as if they held.

mod values;

use crate::{DimensionReport, FunctionReport, Report, expression, load};
use std::collections::{BTreeMap, BTreeSet};
use values::Values;

/// Values of dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The function; all that have the dimension, if there is no name.
    function: Option<String>,
    /// The number in the name of the dimension.
    dimension: usize,
    value: u64,
    text: String,
}

/// Why a report has no numbers at a shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// Not a dimension and a value.
    #[error("'{0}' is not a value of a dimension, such as d0=128 or forward:d1=7")]
    Form(String),
    /// The value is not a number, or negative, or too large.
    #[error("'{0}': the value has to be a number from 0 to {max}", max = i64::MAX)]
    Value(String),
    /// A dimension has two values.
    #[error("'{0}' and '{1}' are values of one dimension")]
    Twice(String, String),
    /// No size is dynamic.
    #[error("the report has no sizes that depend on dimensions")]
    Static,
    /// No function has the dimension.
    #[error("'{text}': no planned size depends on it; the dimensions are {known}")]
    Unknown {
        /// The entry.
        text: String,
        /// The dimensions that functions have.
        known: String,
    },
    /// Sizes depend on dimensions without a value.
    #[error("sizes of function '{function}' depend on {missing} too: a value is missing")]
    Missing {
        /// The function.
        function: String,
        /// Names of dimensions.
        missing: String,
    },
    /// The value is not within the bounds of the dimension.
    #[error("'{text}': in function '{function}' it is within {least} to {most}")]
    Bounds {
        /// The entry.
        text: String,
        /// The function.
        function: String,
        /// The least value.
        least: i64,
        /// The largest value.
        most: i64,
    },
    /// Of two dimensions, the program computes one from the other.
    #[error(
        "function '{function}' has no such shape: {size} bytes are in a slot of {slot} bytes, so the values contradict each other"
    )]
    Impossible {
        /// The function.
        function: String,
        /// The size of a buffer.
        size: String,
        /// The size of its slot.
        slot: String,
    },
    /// A size or a sum is too large.
    #[error("sizes of function '{0}' are too large at these values")]
    Large(String),
    /// A size or an offset is not an expression, or does not say how it is rounded up.
    #[error(
        "function '{0}': the report has no sizes and offsets that can be computed; write it again with this version"
    )]
    Expression(String),
}

impl Shape {
    /// Reads `d0=128` and `FUNCTION:d0=128`.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, ShapeError> {
        let mut entries: Vec<Entry> = Vec::new();
        for text in texts {
            let entry = Entry::of(text)?;
            let mut others = entries.iter();
            if let Some(other) = others.find(|other| {
                (&other.function, other.dimension) == (&entry.function, entry.dimension)
            }) {
                return Err(ShapeError::Twice(other.text.clone(), entry.text));
            }
            entries.push(entry);
        }
        Ok(Self { entries })
    }

    /// Whether no dimension has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The report with buffers of dynamic size among the others, where dimensions have these values.
    pub fn at(&self, report: &Report) -> Result<Report, ShapeError> {
        let all = || report.functions.iter();
        if all().all(|function| function.scopes.iter().all(|scope| scope.slots.is_empty())) {
            return Err(ShapeError::Static);
        }
        let names: BTreeSet<usize> = all().flat_map(dimensions).collect();
        for entry in &self.entries {
            let concerned = all().filter(|function| entry.concerns(function));
            let mut own = concerned.flat_map(dimensions);
            if !own.any(|dimension| dimension == entry.dimension) {
                return Err(ShapeError::Unknown {
                    text: entry.text.clone(),
                    known: listed(names),
                });
            }
        }
        let functions = all().map(|function| self.function(function));
        Ok(Report::new(functions.collect::<Result<_, _>>()?))
    }

    /// The value of a dimension in a function: its own, before that of all functions.
    fn value(&self, function: &FunctionReport, dimension: usize) -> Option<&Entry> {
        let own = self.entries.iter();
        let own = own.filter(|one| one.dimension == dimension && one.concerns(function));
        own.max_by_key(|one| one.function.is_some())
    }

    fn function(&self, function: &FunctionReport) -> Result<FunctionReport, ShapeError> {
        let mut at = function.clone();
        for dimension in &mut at.dimensions {
            self.set(function, dimension)?;
        }
        if function.scopes.iter().all(|scope| scope.slots.is_empty()) {
            return Ok(at);
        }
        let needed: BTreeSet<usize> = texts(function).flat_map(expression::dimensions).collect();
        let mut values: BTreeMap<usize, u64> = BTreeMap::new();
        let mut missing: BTreeSet<usize> = BTreeSet::new();
        for dimension in needed {
            match self.value(function, dimension) {
                Some(entry) => _ = values.insert(dimension, entry.value),
                None => _ = missing.insert(dimension),
            }
        }
        if !missing.is_empty() {
            return Err(ShapeError::Missing {
                function: function.name.clone(),
                missing: listed(missing),
            });
        }
        let values = Values {
            function: &function.name,
            values,
        };
        for scope in &mut at.scopes {
            if !scope.slots.is_empty() {
                *scope = values.scope(scope)?;
            }
        }
        let bound = at.lower_bound_bytes.unwrap_or(0).max(load_of_all(&at));
        Ok(at.with_totals(bound))
    }

    /// Checks the value of a dimension, and says that it has no other one.
    fn set(
        &self,
        function: &FunctionReport,
        dimension: &mut DimensionReport,
    ) -> Result<(), ShapeError> {
        let number = number_of(&dimension.name);
        let Some(entry) = number.and_then(|number| self.value(function, number)) else {
            return Ok(());
        };
        let value = entry.value as i64;
        if let Some((least, most)) = dimension.bounds
            && !(least..=most).contains(&value)
        {
            return Err(ShapeError::Bounds {
                text: entry.text.clone(),
                function: function.name.clone(),
                least,
                most,
            });
        }
        dimension.bounds = Some((value, value));
        Ok(())
    }
}

impl Entry {
    fn of(text: &str) -> Result<Self, ShapeError> {
        let form = || ShapeError::Form(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(form)?;
        let (function, name) = match name.rsplit_once(':') {
            Some((function, name)) => (Some(function.trim()), name),
            None => (None, name),
        };
        let function = function.map(|name| name.strip_prefix('@').unwrap_or(name).to_owned());
        let dimension = number_of(name.trim()).ok_or_else(form)?;
        if function.as_ref().is_some_and(String::is_empty) {
            return Err(form());
        }
        let value = value.trim();
        let number = value.parse().ok().filter(|value| *value <= i64::MAX as u64);
        Ok(Self {
            function,
            dimension,
            value: number.ok_or_else(|| ShapeError::Value(text.to_owned()))?,
            text: text.to_owned(),
        })
    }

    fn concerns(&self, function: &FunctionReport) -> bool {
        let own = self.function.as_ref();
        own.is_none_or(|name| *name == function.name)
    }
}

/// The number of a dimension's name.
fn number_of(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('d')?;
    let are_digits = digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| are_digits)
}

fn listed(numbers: impl IntoIterator<Item = usize>) -> String {
    let names = numbers.into_iter().map(|number| format!("d{number}"));
    names.collect::<Vec<_>>().join(", ")
}

/// All dimensions of a function.
fn dimensions(function: &FunctionReport) -> Vec<usize> {
    let own = function.dimensions.iter();
    let own = own.filter_map(|dimension| number_of(&dimension.name));
    own.chain(texts(function).flat_map(expression::dimensions))
        .collect()
}

/// A line that says how slots of dynamic size are counted; nothing without any.
pub(crate) fn hint(report: &Report) -> Option<String> {
    let numbers: BTreeSet<usize> = report
        .functions
        .iter()
        .flat_map(texts)
        .flat_map(expression::dimensions)
        .collect();
    let values = numbers.iter().map(|number| format!("d{number}=N"));
    let values: Vec<String> = values.collect();
    let wanted = "sizes that are known only at run time are not in the bytes: --dim gives their dimensions values";
    (!values.is_empty()).then(|| format!("{wanted}, as in --dim {}\n", values.join(",")))
}

/// All sizes and offsets of a function.
fn texts(function: &FunctionReport) -> impl Iterator<Item = &str> {
    let slots = function.scopes.iter().flat_map(|scope| &scope.slots);
    slots.flat_map(|slot| {
        let buffers = slot.buffers.iter().flat_map(|buffer| {
            let inside = buffer.inside.iter();
            let inside = inside.flat_map(|one| [&one.offset, &one.size]);
            inside.chain(&buffer.size)
        });
        let orders = slot.other_orders.iter().flat_map(|order| {
            let inside = order.buffers.iter();
            let inside = inside.flat_map(|one| [&one.offset, &one.size]);
            order.size.iter().chain(inside)
        });
        let all = slot.size.iter().chain(&slot.unit).chain(buffers);
        let all = all.chain(orders);
        all.map(String::as_str)
    })
}

/// The most bytes that are live at once, added up over scopes and memory spaces: arenas of one scope hold no less.
fn load_of_all(function: &FunctionReport) -> u64 {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<load::Block>> = BTreeMap::new();
    for scope in &function.scopes {
        let key = (&*scope.kind, &*scope.location, &*scope.memory_space);
        groups.entry(key).or_default().extend(load::blocks(scope));
    }
    let loads = groups
        .values()
        .map(|blocks| load::peak(&load::curve(blocks)).map_or(0, |peak| peak.load));
    loads.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, report, scope};
    use crate::{InsideReport, ScopeReport, SlotBufferReport, SlotOrderReport, SlotReport};

    fn member(id: u64, live: (u64, u64)) -> SlotBufferReport {
        SlotBufferReport {
            id,
            location: "here".into(),
            ty: "memref<?xf32>".into(),
            live: vec![live],
            size: None,
            alignment: None,
            inside: None,
            arena_of: String::new(),
        }
    }

    fn inside(
        id: u64,
        live: (u64, u64),
        offset: &str,
        size: &str,
        above: &[u64],
    ) -> SlotBufferReport {
        SlotBufferReport {
            inside: Some(InsideReport {
                offset: offset.into(),
                size: size.into(),
                above: above.to_vec(),
            }),
            ..member(id, live)
        }
    }

    fn slot(sizes: &[&str], buffers: Vec<SlotBufferReport>) -> SlotReport {
        SlotReport {
            size: sizes.iter().copied().map(str::to_owned).collect(),
            unit: None,
            alignment: 64,
            buffers,
            other_orders: Vec::new(),
        }
    }

    /// A report of 100 static bytes and these slots, with bounds of d1.
    fn dynamic(slots: Vec<SlotReport>) -> Report {
        let mut scope = scope(vec![buffer(0, 100, 0, &[(0, 2)])]);
        scope.slots = slots;
        let mut report = report(vec![scope]);
        report.functions[0].dimensions = [("d0", None), ("d1", Some((1, 9)))]
            .map(|(name, bounds)| DimensionReport {
                name: name.into(),
                bounds,
                ..DimensionReport::default()
            })
            .to_vec();
        report
    }

    fn at(report: &Report, texts: &[&str]) -> Result<ScopeReport, ShapeError> {
        let at = Shape::of(texts.iter().copied())?.at(report)?;
        at.check().expect("it is a plan");
        Ok(at.functions[0].scopes[0].clone())
    }

    fn places(scope: &ScopeReport) -> Vec<(u64, u64)> {
        let buffers = scope.buffers.iter();
        buffers.map(|one| (one.offset, one.size)).collect()
    }

    #[test]
    fn slots_follow_the_static_part_and_each_other() {
        let mut second = member(2, (5, 9));
        second.size = Some("4*d1".into());
        let report = dynamic(vec![
            slot(&["16*d0", "4*d1"], vec![member(1, (0, 5)), second]),
            slot(&["4*d0"], vec![member(3, (1, 9))]),
        ]);
        let scope = at(&report, &["d0=10", "d1=3"]).unwrap();
        assert_eq!(places(&scope), [(0, 100), (128, 160), (128, 12), (320, 40)]);
        assert_eq!((scope.planned_bytes, scope.load_bytes), (360, 300));
        assert!(scope.slots.is_empty());
    }

    #[test]
    fn a_buffer_in_place_counts_once() {
        let report = dynamic(vec![slot(
            &["16*d0"],
            vec![member(1, (0, 5)), member(2, (4, 9)), member(3, (9, 12))],
        )]);
        let scope = at(&report, &["d0=4"]).unwrap();
        let hosts: Vec<_> = scope.buffers.iter().map(|one| one.in_place_with).collect();
        assert_eq!(hosts, [None, None, Some(1), None]);
        assert_eq!(scope.load_bytes, 164);
    }

    #[test]
    fn of_several_orders_the_one_that_takes_least_is_shown() {
        let first = vec![
            inside(1, (0, 5), "0", "4*d0", &[]),
            inside(2, (4, 9), "4*d0", "64*d1", &[1]),
        ];
        let mut several = slot(&["4*d0 + 64*d1"], first);
        let other = |offset: &str, size: &str| InsideReport {
            offset: offset.into(),
            size: size.into(),
            above: Vec::new(),
        };
        several.other_orders = vec![SlotOrderReport {
            size: vec!["36*d0".into()],
            buffers: vec![other("32*d0", "4*d0"), other("0", "64*d1")],
        }];
        let report = dynamic(vec![several]);
        // The first order takes 128 bytes at both, and the second one 72 and 360.
        let scope = at(&report, &["d0=2", "d1=1"]).unwrap();
        assert_eq!(places(&scope), [(0, 100), (192, 8), (128, 64)]);
        let scope = at(&report, &["d0=10", "d1=1"]).unwrap();
        assert_eq!(places(&scope), [(0, 100), (128, 40), (192, 64)]);
        let mut fewer = report;
        fewer.functions[0].scopes[0].slots[0].other_orders[0]
            .buffers
            .pop();
        assert!(Shape::of(["d0=2", "d1=2"]).unwrap().at(&fewer).is_err());
    }

    #[test]
    fn a_unit_is_rounded_up() {
        let buffers = vec![
            inside(1, (0, 5), "0*d0", "4*d0", &[]),
            inside(2, (1, 5), "4*d0", "8*d0", &[]),
        ];
        let mut slot = slot(&["12*d0"], buffers);
        slot.unit = Some("4*d0".into());
        let scope = at(&dynamic(vec![slot]), &["d0=17"]).unwrap();
        assert_eq!(places(&scope), [(0, 100), (128, 68), (256, 136)]);
        assert_eq!(scope.planned_bytes, 128 + 3 * 128);
    }

    #[test]
    fn a_stack_is_rounded_up_at_each_start() {
        let buffers = vec![
            inside(1, (2, 6), "max(1*d0 + 1*d1, 9)", "3*d1", &[2, 4]),
            inside(2, (0, 6), "1*d0", "1*d1", &[3]),
            inside(3, (0, 6), "0", "1*d0", &[]),
            inside(4, (0, 6), "0", "9", &[]),
        ];
        let mut buffers = buffers;
        buffers[3].live = vec![(7, 8)];
        buffers[1].alignment = Some(1);
        let report = dynamic(vec![slot(&["1*d0 + 4*d1", "9 + 3*d1"], buffers)]);
        let scope = at(&report, &["d0=65", "d1=2"]).unwrap();
        let first = 128;
        let wanted = [
            (0, 100),
            (first + 128, 6),
            (first + 65, 2),
            (first, 65),
            (first, 9),
        ];
        assert_eq!(places(&scope), wanted);
        assert_eq!(scope.planned_bytes, first + 134);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let report = dynamic(vec![slot(&["16*d0*d1"], vec![member(1, (0, 5))])]);
        let cases: &[(&[&str], &str)] = &[
            (&["d0"], "'d0' is not a value of a dimension"),
            (&["x=4"], "'x=4' is not a value of a dimension"),
            (&[":d0=4"], "':d0=4' is not a value of a dimension"),
            (&["d0=x"], "'d0=x': the value has to be a number"),
            (&["d0=-1"], "'d0=-1': the value has to be a number"),
            (&["d0=9223372036854775808"], "the value has to be a number"),
            (
                &["d0=1", "d0=1"],
                "'d0=1' and 'd0=1' are values of one dimension",
            ),
            (
                &["d7=1"],
                "'d7=1': no planned size depends on it; the dimensions are d0, d1",
            ),
            (
                &["other:d0=1"],
                "'other:d0=1': no planned size depends on it",
            ),
            (&["d1=1"], "sizes of function 'forward' depend on d0 too"),
            (
                &["d0=1", "d1=10"],
                "'d1=10': in function 'forward' it is within 1 to 9",
            ),
            (
                &["d0=9223372036854775807", "d1=1"],
                "are too large at these values",
            ),
        ];
        for (texts, wanted) in cases {
            let found = at(&report, texts).unwrap_err().to_string();
            assert!(
                found.contains(wanted),
                "expected '{wanted}', found '{found}'"
            );
        }
        // The program knows that d1 is at most d0.
        let mut smaller = member(2, (5, 9));
        smaller.size = Some("16*d1".into());
        let equal = dynamic(vec![slot(&["16*d0"], vec![member(1, (0, 5)), smaller])]);
        assert!(at(&equal, &["d0=4", "d1=4"]).is_ok());
        let error = at(&equal, &["d0=4", "d1=5"]).unwrap_err().to_string();
        let wanted = "no such shape: 16*d1 bytes are in a slot of 16*d0 bytes";
        assert!(error.contains(wanted), "{error}");
        let fixed = dynamic(Vec::new());
        assert_eq!(at(&fixed, &["d0=1"]), Err(ShapeError::Static));
        let old = dynamic(vec![slot(
            &["20*d0"],
            vec![inside(1, (0, 5), "16*d0", "4*d0", &[])],
        )]);
        assert!(at(&old, &["d0=4"]).is_ok());
        let unknown = ShapeError::Expression("forward".into());
        assert_eq!(at(&old, &["d0=5"]), Err(unknown));
    }

    #[test]
    fn the_value_of_a_function_comes_before_that_of_all() {
        let report = dynamic(vec![slot(&["16*d0"], vec![member(1, (0, 5))])]);
        let scope = at(&report, &["d0=1", "@forward:d0=2"]).unwrap();
        assert_eq!(places(&scope)[1], (128, 32));
        let at = Shape::of(["d0=3"]).unwrap().at(&report).unwrap();
        let text = crate::text::table(&at);
        assert!(text.contains("forward (d0=3)"), "{text}");
        assert!(crate::text::table(&report).contains("as in --dim d0=N\n"));
    }
}
