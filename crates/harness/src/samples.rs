//! The samples of operations, with their locations.

use anyhow::{Context, Result, ensure};
pub use memplan_semantics::samples::MARKER;
use memplan_semantics::samples::{self, FILES, FILES_WITHOUT_MEMORY, samples};

/// The folder of the samples, relative to the root of the repository.
pub const FOLDER: &str = "crates/semantics/samples";

/// The samples of a dialect.
#[derive(Debug)]
pub struct Dialect {
    /// The name of the dialect.
    pub name: String,
    /// The path of the file, relative to the root of the repository.
    pub path: String,
    /// Whether its operations touch memrefs.
    pub touches_memrefs: bool,
    /// The samples in the order of the file.
    pub samples: Vec<Sample>,
}

/// Whether `memplan compile` makes an object of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compiles {
    /// It does.
    Yes,
    /// With these features of the processor, as `--features` takes them.
    With(String),
    /// It is an error.
    No,
}

/// A sample program.
#[derive(Debug)]
pub struct Sample {
    /// The operations of which it is a sample.
    pub operations: Vec<String>,
    /// The difference from other samples of these operations; may be empty.
    pub note: String,
    /// Whether `memplan compile` makes an object of it.
    pub compiles: Compiles,
    /// The text of the program, including its comment.
    pub text: String,
    /// The number of its first line in the file, counted from 1.
    pub line: usize,
}

impl Dialect {
    /// All dialects that have samples, by name.
    ///
    /// # Errors
    ///
    /// A sample does not begin with its comment.
    pub fn all() -> Result<Vec<Self>> {
        FILES
            .iter()
            .map(|(name, text)| Self::read(name, text, true))
            .collect()
    }

    /// The samples of operations that do not touch memrefs, by dialect.
    ///
    /// # Errors
    ///
    /// As [`all`](Self::all).
    pub fn without_memory() -> Result<Vec<Self>> {
        FILES_WITHOUT_MEMORY
            .iter()
            .map(|(name, text)| Self::read(name, text, false))
            .collect()
    }

    fn read(name: &str, text: &str, touches_memrefs: bool) -> Result<Self> {
        let folder = match touches_memrefs {
            true => FOLDER.to_owned(),
            false => format!("{FOLDER}/without_memory"),
        };
        let path = format!("{folder}/{name}.mlir");
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
            touches_memrefs,
            samples,
        })
    }

    /// The index of the sample that contains a line of the file.
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
            compiles: match sample.compiles {
                samples::Compiles::Yes => Compiles::Yes,
                samples::Compiles::No => Compiles::No,
                samples::Compiles::With(features) => Compiles::With(features.to_owned()),
            },
            text: text.to_owned(),
            line,
        })
    }

    /// The operations and the note, as in the comment.
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
