//! Errors in CSV text, with their positions.

use super::Labels;
use crate::ProblemError;
use thiserror::Error;

/// An error in CSV text, with its position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct CsvError {
    /// The line, counted from 1.
    pub line: usize,
    /// The field in the line, counted from 1.
    pub column: usize,
    /// The error.
    pub reason: Reason,
}

/// The kind of an error in CSV text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    /// There is no header line.
    #[error("the text is empty; the first line names the columns id, lower, upper, size")]
    Empty,
    /// The header names an unknown column, and lacks a required one.
    #[error(
        "unknown column '{0}'; there are id, lower, upper, size, alignment, gaps, offset, hint, space, bank, apart"
    )]
    UnknownColumn(String),
    /// A buffer has no id.
    #[error("the id is empty")]
    NoId,
    /// A time is not a whole number.
    #[error("'{0}' is not a time from -2^63 to 2^64 - 1")]
    Time(String),
    /// Times are further apart than 2^64 - 1.
    #[error("{time} is more than 2^64 - 1 after the first time, {origin}")]
    Span {
        /// A time in the text.
        time: i128,
        /// The first time of the text.
        origin: i64,
    },
    /// The bytes that stay in use in a gap do not lie inside the buffer.
    #[error("the bytes {low}:{high} of the gap are not inside the buffer, which has {size}")]
    Window {
        /// First byte.
        low: u64,
        /// First byte after them.
        high: u64,
        /// Bytes of the buffer.
        size: u64,
    },
    /// The header names a column twice.
    #[error("column '{0}' occurs twice")]
    DuplicateColumn(String),
    /// The header names one thing twice, by different names.
    #[error("columns '{first}' and '{second}' both name the {what}; keep one of them")]
    SameMeaning {
        /// The first of them.
        first: String,
        /// The second.
        second: String,
        /// What both name.
        what: &'static str,
    },
    /// The header lacks a required column.
    #[error("there is no column '{0}'")]
    MissingColumn(&'static str),
    /// A line has more or fewer fields than the header.
    #[error("{found} fields, but the first line has {expected}")]
    Fields {
        /// Fields in this line.
        found: usize,
        /// Fields in the first line.
        expected: usize,
    },
    /// A field is in quotes.
    #[error("{0} has quotes; write fields without them")]
    Quoted(String),
    /// A field is not a number of 64 bits without sign.
    #[error("'{0}' is not a number from 0 to 2^64 - 1")]
    Number(String),
    /// A gap has neither the form `4-6` nor `4-6@0:8`.
    #[error("'{0}' is not a gap: write FROM-TO, or FROM-TO@LOW:HIGH where bytes stay in use")]
    Gap(String),
    /// A field is no rule for the banks of a buffer.
    #[error(
        "'{0}' is not a bank: write numbers of banks, and any where the buffer may cross from bank to bank"
    )]
    Bank(String),
    /// A buffer is to be apart from one that there is not.
    #[error("'{0}' is no buffer of this memory space: write ids, or @NAME for a group")]
    Apart(String),
    /// Gaps are not in order, overlap, are empty, or do not lie inside the live range.
    #[error("gap {start}-{end} is not after the gaps before it and inside the live range")]
    GapRange {
        /// Its start.
        start: i128,
        /// Its end.
        end: i128,
    },
    /// A buffer ends before it starts.
    #[error("the buffer ends at {end}, before it starts at {start}")]
    Backwards {
        /// First point at which it is live.
        start: i128,
        /// First point at which it is no longer.
        end: i128,
    },
    /// The text has several memory spaces, and the caller asked for one problem.
    #[error("'{second}' is another memory space than '{first}', and only one can be read here")]
    Spaces {
        /// The space of the preceding buffers.
        first: String,
        /// The space of this buffer.
        second: String,
    },
    /// The text is well-formed, but the problem is invalid.
    #[error("{text}")]
    Problem {
        /// The error.
        error: ProblemError,
        /// In words, with the ids of the text.
        text: String,
    },
}

impl Reason {
    /// The error in a problem, in the words of the text.
    pub(super) fn of_problem(error: ProblemError, labels: &Labels) -> Self {
        let text = error.in_words(&|id| labels.buffer(id));
        Reason::Problem { error, text }
    }
}

/// A column, counted from 1, and the error in it.
pub type FieldError = (usize, Reason);

/// The start of a field for a message: on one line, with an ellipsis if it is long.
pub fn excerpt(field: &str) -> String {
    const LONGEST: usize = 40;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let start: String = field.chars().take(LONGEST).map(clean).collect();
    match field.char_indices().nth(LONGEST) {
        Some(_) => start + "…",
        None => start,
    }
}
