//! Parses a line that describes a buffer.

use super::columns::{Column, Columns};
use super::error::{FieldError, Reason, excerpt};
use crate::problem::check_buffer;
use crate::{BankError, BankRule, Buffer, LiveRange, ProblemError, Window};

/// A line that describes a buffer.
pub struct Parsed<'a> {
    /// The buffer, with 0 as its id.
    pub buffer: Buffer,
    /// Its id.
    pub id: &'a str,
    /// The name of its memory space.
    pub space: &'a str,
    /// The rule for its banks, with 0 as its id.
    pub bank: Option<BankRule>,
    /// From which buffers it is apart.
    pub apart: &'a str,
}

/// Parses a line. Times count from `origin`, the first one of the text or 0.
pub fn read<'a>(columns: &Columns, origin: i64, line: &'a str) -> Result<Parsed<'a>, FieldError> {
    let mut buffer = Buffer::new(0, 0, []);
    let (mut id, mut space) = ("", "");
    let (mut start, mut end, mut end_column) = (0, 0, 0);
    let mut gaps = (0, "");
    let (mut bank, mut apart) = (None, "");
    for (number, column, field) in fields(columns, line)? {
        match column {
            Column::Id if field.contains('"') => {
                return Err((number, Reason::Quoted(excerpt(field))));
            }
            Column::Id if field.is_empty() => return Err((number, Reason::NoId)),
            Column::Id => id = field,
            Column::Lower => start = read_time(number, field)?,
            Column::Upper => {
                end = read_time(number, field)? + columns.end_adjustment;
                end_column = number;
            }
            Column::Size => buffer.size = read_number(number, field)?,
            Column::Alignment if field.is_empty() => {}
            Column::Alignment => buffer.alignment = read_number(number, field)?,
            Column::Gaps => gaps = (number, field),
            Column::Offset => buffer.fixed_offset = read_optional(number, field)?,
            Column::Hint => _ = read_optional(number, field)?,
            Column::Space if field.contains('"') => {
                return Err((number, Reason::Quoted(excerpt(field))));
            }
            Column::Space => space = field,
            Column::Bank => bank = read_bank(number, field)?,
            Column::Apart if field.contains('"') => {
                return Err((number, Reason::Quoted(excerpt(field))));
            }
            Column::Apart => apart = field,
            Column::Unknown => {}
        }
    }
    if end < start {
        return Err((end_column, Reason::Backwards { start, end }));
    }
    let times = Times { columns, origin };
    times.live(&mut buffer, (start, end), end_column, gaps)?;
    check_buffer(&buffer).map_err(|error| {
        let text = error.in_words(&|_| id.into());
        (column_of(columns, &error), Reason::Problem { error, text })
    })?;
    Ok(Parsed {
        buffer,
        id,
        space,
        bank,
        apart,
    })
}

/// Parses `2`, `0 1`, `any` or `any 0 1`; `None` if the field is empty.
fn read_bank(number: usize, field: &str) -> Result<Option<BankRule>, FieldError> {
    let mut rule = BankRule {
        id: 0,
        banks: Vec::new(),
        crosses: false,
    };
    for word in field.split_ascii_whitespace() {
        match word.parse() {
            _ if word == "any" => rule.crosses = true,
            Ok(bank) => rule.banks.push(bank),
            Err(_) => return Err((number, Reason::Bank(excerpt(field)))),
        }
    }
    Ok((!field.is_empty()).then_some(rule))
}

/// The least time of a line, if it is negative. Errors are left to [`read`].
pub fn negative_time(columns: &Columns, line: &str) -> Option<i64> {
    let number = columns.number(Column::Lower)?;
    let field = line.split(',').nth(number - 1)?.trim_ascii();
    field.parse().ok().filter(|time: &i64| *time < 0)
}

/// The fields of a line: number of the column, its meaning, text.
fn fields<'a>(
    columns: &Columns,
    line: &'a str,
) -> Result<impl Iterator<Item = (usize, Column, &'a str)>, FieldError> {
    let found = 1 + line.bytes().filter(|&byte| byte == b',').count();
    let expected = columns.columns.len();
    if found != expected {
        return Err((found.min(expected), Reason::Fields { found, expected }));
    }
    let fields = line.split(',').map(str::trim_ascii);
    let numbered = (1..).zip(columns.columns.clone()).zip(fields);
    Ok(numbered.map(|((number, column), field)| (number, column, field)))
}

/// The column with the largest of the numbers that determine the buffer's need for addresses.
pub fn largest(columns: &Columns, buffer: &Buffer) -> usize {
    let all = [
        (buffer.size, Column::Size),
        (buffer.alignment, Column::Alignment),
        (buffer.fixed_offset.unwrap_or(0), Column::Offset),
    ];
    let largest = all.into_iter().rev().max_by_key(|&(bytes, _)| bytes);
    let column = largest.and_then(|(_, column)| columns.number(column));
    column.unwrap_or(1)
}

/// The column at which an error of [`Problem::check`](crate::Problem::check) is reported.
pub fn column_of(columns: &Columns, error: &ProblemError) -> usize {
    let column = match error {
        ProblemError::Alignment { .. } => Column::Alignment,
        ProblemError::Size { .. } => Column::Size,
        ProblemError::FixedAlignment { .. }
        | ProblemError::FixedOverlap { .. }
        | ProblemError::FixedForbidden { .. }
        | ProblemError::Banks(BankError::Fixed { .. } | BankError::FixedTogether(_)) => {
            Column::Offset
        }
        ProblemError::Banks(BankError::UnknownBank { .. }) => Column::Bank,
        ProblemError::Banks(BankError::ApartTwice { .. }) => Column::Apart,
        ProblemError::Banks(BankError::Size { .. }) => Column::Size,
        _ => Column::Id,
    };
    columns.number(column).unwrap_or(1)
}

/// The times of a text.
struct Times<'t> {
    columns: &'t Columns,
    /// The time that is 0 in the problem.
    origin: i64,
}

impl Times<'_> {
    /// Sets the live ranges of a buffer, which has its size, and the windows of its gaps.
    fn live(
        &self,
        buffer: &mut Buffer,
        (start, end): (i128, i128),
        end_column: usize,
        (number, gaps): (usize, &str),
    ) -> Result<(), FieldError> {
        let mut from = start;
        let mut previous = start;
        let add = |buffer: &mut Buffer, from: i128, to: i128, column: usize| {
            if from < to {
                buffer.live.push(self.range(from, to, column)?);
            }
            Ok(())
        };
        for text in gaps.split_ascii_whitespace() {
            let Gap {
                start,
                end: last,
                window,
            } = self.gap(number, text)?;
            if start < previous || start >= last || last > end {
                return Err((number, Reason::GapRange { start, end: last }));
            }
            previous = last;
            if let Some((low, high)) = window {
                let size = buffer.size;
                if high > size {
                    return Err((number, Reason::Window { low, high, size }));
                }
                if low < high {
                    let during = self.range(start, last, number)?;
                    buffer.windows.push(Window { during, low, high });
                }
            }
            add(buffer, from, start, number)?;
            from = last;
        }
        add(buffer, from, end, end_column)
    }

    /// Parses `4-6` or `4-6@0:8`. Times may be negative: `-6--4`.
    fn gap(&self, number: usize, text: &str) -> Result<Gap, FieldError> {
        let no_gap = || (number, Reason::Gap(excerpt(text)));
        let (times, window) = match text.split_once('@') {
            Some((times, window)) => (times, Some(window)),
            None => (text, None),
        };
        // The first character may be a sign.
        let dash = times.char_indices().skip(1).find(|(_, c)| *c == '-');
        let (dash, _) = dash.ok_or_else(no_gap)?;
        let window = match window {
            Some(window) => {
                let (low, high) = window.split_once(':').ok_or_else(no_gap)?;
                let (low, high) = (read_number(number, low)?, read_number(number, high)?);
                if low > high {
                    return Err(no_gap());
                }
                Some((low, high))
            }
            None => None,
        };
        Ok(Gap {
            start: read_time(number, &times[..dash])?,
            end: read_time(number, &times[dash + 1..])? + self.columns.end_adjustment,
            window,
        })
    }

    fn range(&self, start: i128, end: i128, column: usize) -> Result<LiveRange, FieldError> {
        let origin = self.origin;
        let since = |time: i128| {
            let passed = u64::try_from(time - i128::from(origin));
            passed.map_err(|_| (column, Reason::Span { time, origin }))
        };
        Ok(LiveRange {
            start: since(start)?,
            end: since(end)?,
        })
    }
}

/// A gap in a live range.
struct Gap {
    start: i128,
    end: i128,
    /// The bytes that stay in use.
    window: Option<(u64, u64)>,
}

/// Parses a number; `None` if the field is empty or -1.
fn read_optional(number: usize, field: &str) -> Result<Option<u64>, FieldError> {
    if field.is_empty() || field == "-1" {
        return Ok(None);
    }
    read_number(number, field).map(Some)
}

fn read_time(number: usize, field: &str) -> Result<i128, FieldError> {
    let time: Option<i128> = field.parse().ok();
    let is_valid = |time: &i128| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(time);
    time.filter(is_valid).ok_or_else(|| {
        let reason = match field.contains('"') {
            true => Reason::Quoted,
            false => Reason::Time,
        };
        (number, reason(excerpt(field)))
    })
}

fn read_number(number: usize, field: &str) -> Result<u64, FieldError> {
    field.parse().map_err(|_| {
        let reason = if field.contains('"') {
            Reason::Quoted
        } else {
            Reason::Number
        };
        (number, reason(excerpt(field)))
    })
}
