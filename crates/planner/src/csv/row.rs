//! Parses a line that describes a buffer.

use super::columns::{Column, Columns};
use super::error::{FieldError, Reason, excerpt};
use crate::problem::check_buffer;
use crate::{Buffer, LiveRange, ProblemError};
use smallvec::SmallVec;

/// Parses a line: the buffer and the name of its memory space.
pub fn read<'a>(columns: &Columns, line: &'a str) -> Result<(Buffer, &'a str), FieldError> {
    let found = 1 + line.bytes().filter(|&byte| byte == b',').count();
    let expected = columns.columns.len();
    if found != expected {
        return Err((found.min(expected), Reason::Fields { found, expected }));
    }
    let mut buffer = Buffer::new(0, 0, []);
    let mut space = "";
    let (mut start, mut end, mut end_column) = (0, 0, 0);
    let mut gaps = (0, "");
    let fields = line.split(',').map(str::trim_ascii);
    for ((number, &column), field) in (1..).zip(&columns.columns).zip(fields) {
        match column {
            Column::Id => buffer.id = read_number(number, field)?,
            Column::Lower => start = read_number(number, field)?,
            Column::Upper => (end, end_column) = (read_end(columns, number, field)?, number),
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
        }
    }
    if end < start {
        return Err((end_column, Reason::Backwards { start, end }));
    }
    buffer.live = live(columns, LiveRange { start, end }, gaps.0, gaps.1)?;
    check_buffer(&buffer).map_err(|error| (column_of(columns, &error), error.into()))?;
    Ok((buffer, space))
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
        | ProblemError::FixedForbidden { .. } => Column::Offset,
        _ => Column::Id,
    };
    columns.number(column).unwrap_or(1)
}

/// The live range without its gaps. A gap with a window, in which a part of the buffer stays in
/// use, is ignored.
fn live(
    columns: &Columns,
    range: LiveRange,
    number: usize,
    gaps: &str,
) -> Result<SmallVec<[LiveRange; 1]>, FieldError> {
    let mut live = SmallVec::new();
    let mut start = range.start;
    let mut previous = range.start;
    for text in gaps.split_ascii_whitespace() {
        let (times, window) = match text.split_once('@') {
            Some((times, window)) => (times, Some(window)),
            None => (text, None),
        };
        let no_gap = || (number, Reason::Gap(excerpt(text)));
        let (from, to) = times.split_once('-').ok_or_else(no_gap)?;
        let gap = LiveRange {
            start: read_number(number, from)?,
            end: read_end(columns, number, to)?,
        };
        if gap.start < previous || gap.start >= gap.end || gap.end > range.end {
            return Err((number, Reason::GapRange(gap)));
        }
        previous = gap.end;
        if let Some(window) = window {
            let (low, high) = window.split_once(':').ok_or_else(no_gap)?;
            if read_number(number, low)? > read_number(number, high)? {
                return Err(no_gap());
            }
            continue;
        }
        if start < gap.start {
            live.push(LiveRange {
                start,
                end: gap.start,
            });
        }
        start = gap.end;
    }
    if start < range.end {
        live.push(LiveRange {
            start,
            end: range.end,
        });
    }
    Ok(live)
}

fn read_end(columns: &Columns, number: usize, field: &str) -> Result<u64, FieldError> {
    let end = read_number(number, field)?;
    end.checked_add(columns.end_adjustment)
        .ok_or_else(|| (number, Reason::Number(excerpt(field))))
}

/// Parses a number; `None` if the field is empty or -1.
fn read_optional(number: usize, field: &str) -> Result<Option<u64>, FieldError> {
    if field.is_empty() || field == "-1" {
        return Ok(None);
    }
    read_number(number, field).map(Some)
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
