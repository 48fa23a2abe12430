//! The options `bounds` and `shape`: the largest values of dimensions, and their only ones, which become attributes of
//! arguments, and assertions.

use super::codes;
use crate::failure::fail;
use memplan_lifetimes::BoundsUse;
use memplan_mlir::{
    build::{BuildError, Builder, Compare},
    ir::{Attribute, Op, Val, arguments, blocks, context_of, ops, regions, symbol_name, type_of},
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols,
};
use memplan_semantics::{
    Readings,
    attributes::BOUNDS,
    bounds::{self, Dimension, LARGEST, NONE, Range},
};

/// What the option asks for.
#[derive(Clone, Debug, Default)]
pub struct SizeBounds {
    entries: Vec<Entry>,
    /// Whether to use what the program itself says.
    is_known: bool,
}

/// The bounds of one dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// The function; all that have this dimension and are not private, if there is no name.
    function: Option<String>,
    /// The number of the dimension among all of a function's arguments.
    dimension: usize,
    range: Range,
    /// The name of the option.
    option: &'static str,
    text: String,
}

/// The option for bounds.
const BOUNDS_OPTION: &str = "bounds";

/// The option for one value.
const SHAPE_OPTION: &str = "shape";

impl SizeBounds {
    /// Reads `d0<=8`, `1<=d0<=8`, `NAME:d0<=8`, and `known`; and values, such as `d0=8` and `NAME:d0=8`.
    pub fn of<'t>(
        texts: impl Iterator<Item = &'t str>,
        values: impl Iterator<Item = &'t str>,
    ) -> Result<Self, String> {
        let mut all = Self::default();
        for text in texts {
            if text == "known" {
                all.is_known = true;
                continue;
            }
            let entry = Entry::of(text).ok_or_else(|| {
                format!(
                    "memplan-merge-alloc: option 'bounds' takes [FUNCTION:][LEAST<=]dN<=MOST with numbers up to {LARGEST}, \
                     such as d0<=8 or forward:1<=d1<=512, or 'known', not '{text}'"
                )
            })?;
            all.push(entry)?;
        }
        // Last, so that a value that is not within bounds is found.
        for text in values {
            let entry = Entry::of_value(text).ok_or_else(|| {
                format!(
                    "memplan-merge-alloc: option 'shape' takes [FUNCTION:]dN=VALUE with numbers up to {LARGEST}, such as \
                     d0=128 or forward:d1=7, not '{text}'"
                )
            })?;
            all.push(entry)?;
        }
        Ok(all)
    }

    fn push(&mut self, entry: Entry) -> Result<(), String> {
        let key = |entry: &Entry| (entry.option, entry.function.clone(), entry.dimension);
        let own = key(&entry);
        if let Some(other) = self.entries.iter().find(|other| key(other) == own) {
            return Err(format!(
                "memplan-merge-alloc: option '{}' has '{}' and '{}'",
                entry.option, other.text, entry.text
            ));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Where bounds are used.
    pub const fn usage(&self) -> BoundsUse {
        match self.is_known {
            true => BoundsUse::Known,
            false => BoundsUse::Given,
        }
    }

    /// Sets the attributes of functions, and checks those that they have. An entry has to concern one of them. Returns what was
    /// there before.
    pub fn set<'c>(
        &self,
        root: Op<'c>,
        functions: &[Op<'c>],
        readings: &Readings,
    ) -> Result<Vec<Before<'c>>, Failed> {
        let mut result = Ok(());
        let mut before = Vec::new();
        for entry in &self.entries {
            let mut is_used = false;
            for function in functions {
                if entry.concerns(*function)
                    && let Some(dimension) =
                        bounds::dimensions(*function).get(entry.dimension).copied()
                {
                    is_used = true;
                    if let Err(error) = entry.check(*function, dimension) {
                        result = Err(fail(*function, codes::BOUNDS, error));
                        continue;
                    }
                    before.extend(set(*function, dimension, entry.range, readings));
                }
            }
            if !is_used {
                let text = format!(
                    "no function has the dimension of `{}={}`: d0, d1, … are the dynamic dimensions of the arguments of \
                     a function, in order; a private function has to be named",
                    entry.option, entry.text
                );
                result = Err(fail(root, codes::BOUNDS, text));
            }
        }
        for function in functions {
            if let Err(error) = bounds::given(*function) {
                result = Err(fail(*function, codes::BOUNDS, error));
            }
        }
        result.map(|()| before)
    }
}

impl Entry {
    fn of(text: &str) -> Option<Self> {
        let (function, rest) = function_and_rest(text);
        let parts: Vec<&str> = rest.split("<=").map(str::trim).collect();
        let (least, dimension, most) = match parts.as_slice() {
            [dimension, most] => (0, dimension, most),
            [least, dimension, most] => (number(least)?, dimension, most),
            _ => return None,
        };
        let most = number(most)?;
        Self::new(
            BOUNDS_OPTION,
            text,
            function,
            dimension,
            Range { least, most },
        )
    }

    /// A dimension that has one value.
    fn of_value(text: &str) -> Option<Self> {
        let (function, rest) = function_and_rest(text);
        let (dimension, value) = rest.split_once('=')?;
        let value = number(value.trim())?;
        let range = Range {
            least: value,
            most: value,
        };
        Self::new(SHAPE_OPTION, text, function, dimension.trim(), range)
    }

    fn new(
        option: &'static str,
        text: &str,
        function: Option<String>,
        dimension: &str,
        range: Range,
    ) -> Option<Self> {
        let digits = dimension.strip_prefix('d')?;
        let is_number = digits.chars().all(|digit| digit.is_ascii_digit());
        let dimension = digits.parse().ok().filter(|_| is_number)?;
        let is_named = function.as_ref().is_none_or(|name| !name.is_empty());
        (range.least <= range.most && is_named).then(|| Self {
            function,
            dimension,
            range,
            option,
            text: text.to_owned(),
        })
    }

    /// Whether a value is within the bounds that the dimension has. (Of two bounds, the tighter one counts.)
    fn check(&self, function: Op<'_>, dimension: Dimension) -> Result<(), String> {
        let known = bounds::given(function).unwrap_or_default();
        let known = known.iter().find(|(known, _)| *known == dimension);
        let Some((_, known)) = known.filter(|_| self.option == SHAPE_OPTION) else {
            return Ok(());
        };
        if known.least <= self.range.least && self.range.most <= known.most {
            return Ok(());
        }
        let bounds = match known.most {
            NONE => format!("at least {}", known.least),
            most if most == known.least => most.to_string(),
            most => format!("{} to {most}", known.least),
        };
        Err(format!(
            "`shape={}` contradicts the bounds of d{}: it is {bounds}",
            self.text, self.dimension
        ))
    }

    fn concerns(&self, function: Op<'_>) -> bool {
        match &self.function {
            Some(name) => symbol_name(function) == *name,
            None => !symbols::is_private(function),
        }
    }
}

/// `NAME:` before a text, and the rest.
fn function_and_rest(text: &str) -> (Option<String>, &str) {
    match text.rsplit_once(':') {
        Some((function, rest)) => (Some(function.trim().to_owned()), rest),
        None => (None, text),
    }
}

fn number(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number)?;
    (number <= LARGEST).then_some(number)
}

/// The attribute of an argument before it was set.
pub struct Before<'c> {
    function: Op<'c>,
    argument: usize,
    attribute: Option<Attribute<'c>>,
}

/// Sets all attributes as they were, the last one first.
pub fn restore(all: Vec<Before<'_>>) {
    for one in all.into_iter().rev() {
        symbols::set_argument_attribute(one.function, one.argument, BOUNDS, one.attribute);
    }
}

/// Adds the bounds of one dimension to those that are there. Those of other dimensions of the argument stay, or are all
/// numbers.
fn set<'c>(
    function: Op<'c>,
    dimension: Dimension,
    range: Range,
    readings: &Readings,
) -> Option<Before<'c>> {
    let known = bounds::given(function).unwrap_or_default();
    let all = bounds::dimensions(function);
    let own = all.iter().filter(|one| one.argument == dimension.argument);
    let ranges: Vec<Range> = own
        .map(|one| {
            let found = known.iter().find(|(known, _)| known == one);
            let known = found.map_or(
                Range {
                    least: 0,
                    most: NONE,
                },
                |(_, known)| *known,
            );
            match *one == dimension {
                true => Range {
                    least: known.least.max(range.least),
                    most: known.most.min(range.most),
                },
                false => known,
            }
        })
        .collect();
    let text = bounds::attribute_text(&ranges);
    let new = context_of(function).parse_attribute(&text)?;
    let attribute = symbols::argument_attribute(function, dimension.argument, BOUNDS);
    if attribute == Some(new) {
        return None;
    }
    readings.forget(function);
    symbols::set_argument_attribute(function, dimension.argument, BOUNDS, Some(new));
    Some(Before {
        function,
        argument: dimension.argument,
        attribute,
    })
}

/// Asserts at the entry of a function that its arguments are within their bounds.
pub fn assert(function: Op<'_>) -> Result<(), BuildError> {
    let entry = regions(function)
        .next()
        .and_then(|body| blocks(body).next());
    let Some((entry, first)) = entry.and_then(|entry| Some((entry, ops(entry).next()?))) else {
        return Ok(());
    };
    let values: Vec<Val<'_>> = arguments(entry).collect();
    let builder = Builder::before(first, function.location()).ok_or_else(BuildError::unexpected)?;
    let given = bounds::given(function).unwrap_or_default();
    let said = given
        .into_iter()
        .filter(|(_, range)| range.most < NONE || range.least > 0);
    for (dimension, range) in said {
        let argument = values[dimension.argument];
        let (value, name) = match dimension.dimension {
            Some(number) => {
                let all = bounds::dimensions(function);
                let place = all.iter().position(|one| *one == dimension).unwrap_or(0);
                (
                    builder.dimension(argument, number as i64)?,
                    format!("d{place}"),
                )
            }
            None => (argument, format!("argument {}", dimension.argument)),
        };
        let constant = |number| builder.constant(number, type_of(value));
        if range.least == range.most {
            let is_it = builder.compare(Compare::Equal, value, constant(range.most)?)?;
            builder.assert(is_it, &format!("{name} is not {}", range.most))?;
            continue;
        }
        let mut fits = builder.compare(Compare::LessOrEqual, value, constant(range.most)?)?;
        // A dimension is never negative.
        if range.least > 0 || dimension.dimension.is_none() {
            let least = builder.compare(Compare::LessOrEqual, constant(range.least)?, value)?;
            fits = builder.and(least, fits)?;
        }
        let text = format!(
            "{name} is not within its bounds, {} to {}",
            range.least, range.most
        );
        builder.assert(fits, &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bounds: &[&str], values: &[&str]) -> Result<SizeBounds, String> {
        SizeBounds::of(bounds.iter().copied(), values.iter().copied())
    }

    #[test]
    fn an_entry_has_a_function_a_dimension_and_a_range() {
        let entry = |function: Option<&str>, dimension, least, most, text: &str| Entry {
            function: function.map(str::to_owned),
            dimension,
            range: Range { least, most },
            option: BOUNDS_OPTION,
            text: text.to_owned(),
        };
        let all = [
            entry(None, 0, 0, 8, "d0<=8"),
            entry(None, 12, 1, 512, "1<=d12<=512"),
            entry(Some("f"), 1, 0, 0, "f:d1<=0"),
        ];
        for wanted in all {
            assert_eq!(Entry::of(&wanted.text), Some(wanted));
        }
        let value = Entry {
            option: SHAPE_OPTION,
            ..entry(Some("f"), 1, 7, 7, "f:d1=7")
        };
        assert_eq!(Entry::of_value("f:d1=7"), Some(value));
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        let wrong = [
            "",
            "d0",
            "d0<8",
            "8",
            "d<=8",
            "d0<=-1",
            "d0<=x",
            "9<=d0<=8",
            ":d0<=8",
            "d+1<=8",
            "0<=1<=d0<=2",
            "d0<=99999999999999999999",
            "known ",
        ];
        for text in wrong {
            assert!(of(&[text], &[]).is_err(), "{text}");
        }
        let wrong = [
            "",
            "d0",
            "8",
            "d=8",
            "d0=-1",
            "d0=x",
            ":d0=8",
            "d0<=8",
            "d0=8=8",
            "d0=99999999999999999999",
            "known",
        ];
        for text in wrong {
            assert!(of(&[], &[text]).is_err(), "{text}");
        }
        assert!(of(&["d0<=8", "d0<=9"], &[]).is_err());
        assert!(of(&["d0<=8", "f:d0<=9", "known"], &["d0=8", "f:d0=9"]).is_ok());
        assert!(of(&[], &["d0=8", "d0=8"]).is_err());
    }
}
