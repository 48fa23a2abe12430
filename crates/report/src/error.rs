//! What can be wrong with a report.

use crate::Report;

/// Why a report could not be read, or does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The text is not JSON, or not the JSON of a report. Line and column count from 1.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line of the first character that does not fit.
        line: usize,
        /// Column of the first character that does not fit.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// The report is of a version that this crate does not know.
    #[error(
        "report version {found} is not supported: this build reads version {}",
        Report::VERSION
    )]
    Version {
        /// The version that the report claims.
        found: u64,
    },
    /// [`Report::from_json`] was handed no document, or more than one.
    #[error("expected one report, found {found}")]
    Count {
        /// How many documents there are.
        found: usize,
    },
    /// The numbers of a report contradict each other.
    #[error("{place}: {problem}")]
    Inconsistent {
        /// Function, scope and buffer.
        place: String,
        /// What does not hold.
        problem: String,
    },
}
