//! The result of compiling a partition.

use memplan_mlir::codes::Severity;
use memplan_report::FunctionReport;
use serde::{Deserialize, Serialize};
use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

/// A location in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The source file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 if unknown.
    pub column: usize,
}

/// The source location in a text `file:line:column`.
pub fn source_location(location: &str) -> Option<SourceLocation> {
    let mut parts = location.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts
        .next()
        .filter(|file| !file.contains(['(', '[', '<']))?;
    Some(SourceLocation {
        file: file.to_owned(),
        line,
        column,
    })
}

/// The severity of a message, the greatest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MessageSeverity {
    /// An error: the partition failed.
    Error,
    /// A warning.
    Warning,
    /// A remark, which the user asked for.
    Remark,
    /// A note on the message before.
    Note,
}

impl From<Severity> for MessageSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Remark => Self::Remark,
        }
    }
}

/// A message about the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its severity.
    #[serde(rename = "gravity")]
    pub severity: MessageSeverity,
    /// The source location, if known.
    #[serde(rename = "place")]
    pub source_location: Option<SourceLocation>,
    /// The location as MLIR prints it.
    pub location: String,
    /// The text.
    pub text: String,
    /// The notes on the message.
    pub notes: Vec<Message>,
}

impl Message {
    /// A message about a partition as a whole, at its first function, of this name, if that has a location.
    pub fn of_partition(
        severity: MessageSeverity,
        (name, location): (&str, &str),
        text: &str,
    ) -> Self {
        let found = source_location(location);
        let location = match found {
            Some(_) => location.to_owned(),
            None => format!("unit of '{name}'"),
        };
        Self {
            severity,
            source_location: found,
            location,
            text: text.trim_end().to_owned(),
            notes: Vec::new(),
        }
    }
}

/// The time spent in each phase, of one thread or summed over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Reading bytecode.
    pub read: Duration,
    /// Planning.
    pub plan: Duration,
    /// Splitting planned partitions into parts.
    pub part: Duration,
    /// Lowering to the LLVM dialect.
    pub lower: Duration,
    /// Translation to LLVM IR, and LLVM's passes.
    pub translate: Duration,
    /// Machine code generation.
    pub code: Duration,
}

impl AddAssign for Phases {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.plan += other.plan;
        self.part += other.part;
        self.lower += other.lower;
        self.translate += other.translate;
        self.code += other.code;
    }
}

/// Runs `work`, and adds the time that it took to `total`.
pub fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// The result of a partition, or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The index of the partition in the module.
    #[serde(rename = "unit")]
    pub partition: usize,
    /// The name of its first function.
    pub name: String,
    /// The messages about it.
    pub messages: Vec<Message>,
    /// Whether it failed; there is no code then.
    pub failed: bool,
    /// An object file, bitcode or bytecode.
    #[serde(skip)]
    pub code: Vec<u8>,
    /// Symbols that the code defines for other partitions only.
    pub private: Vec<String>,
    /// The plans of its functions.
    pub reports: Vec<FunctionReport>,
    /// The time that it took.
    #[serde(skip)]
    pub phases: Phases,
    /// The index of the part in its partition, and the number of parts.
    pub part: (usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_a_line_and_a_column() {
        let found = source_location("a:b.mlir:12:3");
        let expected = SourceLocation {
            file: "a:b.mlir".to_owned(),
            line: 12,
            column: 3,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(source_location("unknown"), None);
        assert_eq!(source_location("callsite(f at g.mlir:1:2)"), None);
    }
}
