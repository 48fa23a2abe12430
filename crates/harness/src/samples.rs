//! The samples of operations, with their places in the files.

use anyhow::{Context, Result, ensure};
pub use memplan_semantics::samples::MARKER;
use memplan_semantics::samples::{FILES, samples};

/// Where the samples are, from the root of the repository.
pub const FOLDER: &str = "crates/semantics/samples";

/// All samples of a dialect.
#[derive(Debug)]
pub struct Dialect {
    /// Its name.
    pub name: String,
    /// The file, from the root of the repository.
    pub path: String,
    /// In the order of the file.
    pub samples: Vec<Sample>,
}

/// A program.
#[derive(Debug)]
pub struct Sample {
    /// The operations that it is a sample of.
    pub operations: Vec<String>,
    /// What sets it apart from another sample of these operations; empty where nothing has to.
    pub note: String,
    /// The program, with the comment.
    pub text: String,
    /// Its first line in the file, the first of which is 1.
    pub line: usize,
}

impl Dialect {
    /// All dialects that have samples, by name.
    ///
    /// # Errors
    ///
    /// A chunk does not begin with its comment.
    pub fn all() -> Result<Vec<Self>> {
        FILES
            .iter()
            .map(|(name, text)| Self::read(name, text))
            .collect()
    }

    fn read(name: &str, text: &str) -> Result<Self> {
        let path = format!("{FOLDER}/{name}.mlir");
        let mut line = 1;
        let mut samples = Vec::new();
        for chunk in text.split(MARKER) {
            let sample = Sample::read(chunk, line).with_context(|| format!("{path}:{line}"))?;
            line += chunk.matches('\n').count() + 1;
            samples.push(sample);
        }
        Ok(Self {
            name: name.to_owned(),
            path,
            samples,
        })
    }

    /// The sample that a line of the file belongs to.
    #[must_use]
    pub fn sample_at(&self, line: usize) -> Option<usize> {
        self.samples
            .partition_point(|sample| sample.line <= line)
            .checked_sub(1)
    }
}

impl Sample {
    fn read(text: &str, line: usize) -> Result<Self> {
        let sample = samples(text)
            .next()
            .filter(|sample| !sample.operations.is_empty());
        let sample = sample.context("a sample begins with the operations that it is of")?;
        for operation in &sample.operations {
            let is_name = operation.contains('.') && !operation.contains(char::is_whitespace);
            ensure!(is_name, "`{operation}` is no operation's name");
        }
        Ok(Self {
            operations: sample.operations.iter().map(ToString::to_string).collect(),
            note: sample.note.to_owned(),
            text: text.to_owned(),
            line,
        })
    }

    /// The operations and the note, as the comment has them.
    #[must_use]
    pub fn title(&self) -> String {
        let names = self.operations.join(", ");
        if self.note.is_empty() {
            names
        } else {
            format!("{names}: {}", self.note)
        }
    }
}
