//! Text to problem.

use crate::{Buffer, LiveRange, Problem, ProblemError};
use smallvec::SmallVec;
use thiserror::Error;

/// Why a text is no problem, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct CsvError {
    /// The line, counted from 1.
    pub line: usize,
    /// The field in the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    /// There is no line that names the columns.
    #[error("the text is empty; the first line names the columns id, lower, upper, size")]
    Empty,
    /// The first line names a column that has no meaning.
    #[error(
        "unknown column '{0}'; there are id, lower, upper, size, alignment, gaps, offset, hint"
    )]
    UnknownColumn(String),
    /// The first line names a column twice.
    #[error("column '{0}' is there twice")]
    DuplicateColumn(String),
    /// The first line lacks a column.
    #[error("there is no column '{0}'")]
    MissingColumn(&'static str),
    /// A line has more or fewer fields than the first.
    #[error("{found} fields, but the first line has {expected}")]
    Fields {
        /// Fields in this line.
        found: usize,
        /// Fields in the first line.
        expected: usize,
    },
    /// A field is not a number of 64 bits without sign.
    #[error("'{0}' is not a number from 0 to 2^64 - 1")]
    Number(String),
    /// A gap does not have the form `4-6`.
    #[error("'{0}' is not a gap: write FROM-TO")]
    Gap(String),
    /// Gaps are not in order, overlap, are empty, or do not lie inside the live range.
    #[error("gap {}-{} is not after the gaps before it and inside the live range", .0.start, .0.end)]
    GapRange(LiveRange),
    /// A buffer ends before it starts.
    #[error("the buffer ends at {end}, before it starts at {start}")]
    Backwards {
        /// First point at which it is live.
        start: u64,
        /// First point at which it is no longer.
        end: u64,
    },
    /// The numbers can be read but make no sense.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Id,
    Lower,
    Upper,
    Size,
    Alignment,
    Gaps,
    Offset,
    Hint,
}

/// What some programs put at the beginning of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a problem, without capacity.
///
/// # Errors
///
/// The first line and field that cannot be read, or, with the line of the buffer where it is one
/// alone that is to blame, what [`Problem::check`] finds.
pub fn read(text: &str) -> Result<Problem, CsvError> {
    let mut lines = (1..)
        .zip(text.trim_start_matches(BYTE_ORDER_MARK).lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let Some((line, names)) = lines.next() else {
        return Err(CsvError {
            line: 1,
            column: 1,
            reason: Reason::Empty,
        });
    };
    let header = Header::read(names).map_err(|(column, reason)| CsvError {
        line,
        column,
        reason,
    })?;
    let mut buffers = Vec::new();
    for (line, text) in lines {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let buffer = header
            .buffer(&fields)
            .map_err(|(column, reason)| CsvError {
                line,
                column,
                reason,
            })?;
        // What is wrong with one buffer alone is reported at its line.
        if let Err(error) = Problem::new(vec![buffer.clone()]) {
            return Err(CsvError {
                line,
                column: 1,
                reason: error.into(),
            });
        }
        buffers.push(buffer);
    }
    Problem::new(buffers).map_err(|error| CsvError {
        line,
        column: 1,
        reason: error.into(),
    })
}

/// A column, counted from 1, and what is wrong in it.
type Fault = (usize, Reason);

struct Header {
    columns: Vec<Column>,
    /// What to add to the ends of ranges: 1 where the text gives the last point instead.
    after: u64,
}

impl Header {
    fn read(line: &str) -> Result<Header, Fault> {
        let mut header = Header {
            columns: Vec::new(),
            after: 0,
        };
        for (number, name) in (1..).zip(line.split(',').map(str::trim)) {
            let column = match name {
                "id" | "buffer" | "buffer_id" => Column::Id,
                "lower" | "start" | "begin" => Column::Lower,
                "upper" | "end" => Column::Upper,
                "size" => Column::Size,
                "alignment" => Column::Alignment,
                "gaps" => Column::Gaps,
                "offset" => Column::Offset,
                "hint" => Column::Hint,
                _ => return Err((number, Reason::UnknownColumn(name.to_owned()))),
            };
            if header.columns.contains(&column) {
                return Err((number, Reason::DuplicateColumn(name.to_owned())));
            }
            header.after += u64::from(name == "end");
            header.columns.push(column);
        }
        let needed = [
            (Column::Id, "id"),
            (Column::Lower, "lower"),
            (Column::Upper, "upper"),
            (Column::Size, "size"),
        ];
        match needed
            .iter()
            .find(|(column, _)| !header.columns.contains(column))
        {
            Some(&(_, name)) => Err((header.columns.len(), Reason::MissingColumn(name))),
            None => Ok(header),
        }
    }

    fn buffer(&self, fields: &[&str]) -> Result<Buffer, Fault> {
        let (found, expected) = (fields.len(), self.columns.len());
        if found != expected {
            return Err((found.min(expected), Reason::Fields { found, expected }));
        }
        let mut buffer = Buffer::new(0, 0, []);
        let (mut start, mut end, mut end_column) = (0, 0, 0);
        let mut gaps = (0, "");
        for ((number, &column), &field) in (1..).zip(&self.columns).zip(fields) {
            match column {
                Column::Id => buffer.id = read_number(number, field)?,
                Column::Lower => start = read_number(number, field)?,
                Column::Upper => (end, end_column) = (self.read_end(number, field)?, number),
                Column::Size => buffer.size = read_number(number, field)?,
                Column::Alignment => buffer.alignment = read_number(number, field)?,
                Column::Gaps => gaps = (number, field),
                Column::Offset if field.is_empty() || field == "-1" => {}
                Column::Offset => buffer.fixed_offset = Some(read_number(number, field)?),
                Column::Hint => {}
            }
        }
        if end < start {
            return Err((end_column, Reason::Backwards { start, end }));
        }
        buffer.live = self.live(LiveRange { start, end }, gaps.0, gaps.1)?;
        Ok(buffer)
    }

    /// The live range less the gaps.
    fn live(
        &self,
        range: LiveRange,
        number: usize,
        gaps: &str,
    ) -> Result<SmallVec<[LiveRange; 1]>, Fault> {
        let mut live = SmallVec::new();
        let mut start = range.start;
        for text in gaps.split_whitespace() {
            let (from, to) = text
                .split_once('-')
                .ok_or_else(|| (number, Reason::Gap(text.to_owned())))?;
            let gap = LiveRange {
                start: read_number(number, from)?,
                end: self.read_end(number, to)?,
            };
            if gap.start < start || gap.start >= gap.end || gap.end > range.end {
                return Err((number, Reason::GapRange(gap)));
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

    fn read_end(&self, number: usize, field: &str) -> Result<u64, Fault> {
        let end = read_number(number, field)?;
        end.checked_add(self.after)
            .ok_or_else(|| (number, Reason::Number(field.to_owned())))
    }
}

fn read_number(number: usize, field: &str) -> Result<u64, Fault> {
    field
        .parse()
        .map_err(|_| (number, Reason::Number(field.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text).expect_err("this must not be read").to_string()
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let problem = read("size,hint,upper,id,lower\n64,-1,9,7,2\n").expect("readable");
        assert_eq!(problem.buffers, [Buffer::new(7, 64, [(2, 9)])]);
    }

    #[test]
    fn optional_columns_are_read() {
        let text = "id,lower,upper,size,alignment,gaps,offset\n0,0,9,10,8,2-4 6-7,16\n\n1, 0, 9, 10, 1, , -1\n2,3,3,5,1,,\n";
        let expected = [
            Buffer::new(0, 10, [(0, 2), (4, 6), (7, 9)])
                .aligned(8)
                .fixed_at(16),
            Buffer::new(1, 10, [(0, 9)]),
            Buffer::new(2, 5, []),
        ];
        assert_eq!(read(text).expect("readable").buffers, expected);
    }

    #[test]
    fn a_column_named_end_holds_the_last_point_in_time() {
        let problem = read("buffer_id,start,end,size,gaps\n1,0,8,4,3-5\n").expect("readable");
        assert_eq!(problem.buffers, [Buffer::new(1, 4, [(0, 3), (6, 9)])]);
    }

    #[test]
    fn errors_name_line_and_column() {
        assert_eq!(
            error("id,lower,upper,size\n0,0,1,1\n1,0,x,1\n"),
            "line 3, column 3: 'x' is not a number from 0 to 2^64 - 1"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,0,-1,1\n"),
            "line 2, column 3: '-1' is not a number from 0 to 2^64 - 1"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,4,1,1\n"),
            "line 2, column 3: the buffer ends at 1, before it starts at 4"
        );
        assert_eq!(
            error("id,lower,upper,size\n0,4,5\n"),
            "line 2, column 3: 3 fields, but the first line has 4"
        );
        assert_eq!(
            error("id,lower,upper\n"),
            "line 1, column 3: there is no column 'size'"
        );
        assert_eq!(
            error("id,id,upper\n"),
            "line 1, column 2: column 'id' is there twice"
        );
        assert!(
            error("id,lower,top\n")
                .starts_with("line 1, column 3: unknown column 'top'; there are id")
        );
        assert!(error("").starts_with("line 1, column 1: the text is empty"));
    }

    #[test]
    fn gaps_must_lie_in_order_inside_the_live_range() {
        let gaps = |gaps: &str| error(&format!("gaps,id,lower,upper,size\n{gaps},0,2,9,1\n"));
        assert_eq!(
            gaps("4"),
            "line 2, column 1: '4' is not a gap: write FROM-TO"
        );
        for bad in ["1-3", "5-5", "6-7 5-6", "8-10"] {
            assert!(
                gaps(bad).contains("is not after the gaps before it and inside the live range"),
                "{bad}"
            );
        }
        assert!(gaps("3-4@1:2").contains("is not a number"));
    }

    #[test]
    fn what_makes_no_sense_is_reported_at_its_line() {
        let text = "id,lower,upper,size,alignment\n0,0,1,1,1\n1,0,1,1,3\n";
        assert_eq!(
            error(text),
            "line 3, column 1: buffer 1 has alignment 3, which is not a power of two"
        );
        assert!(
            error("id,lower,upper,size\n0,0,1,1\n0,0,1,1\n").ends_with("buffer 0 is there twice")
        );
    }
}
