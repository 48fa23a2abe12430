//! The samples in `crates/semantics/samples`: for each operation of stock `mlir-opt` that touches memrefs, a program in
//! which it does.
//!
//! One file holds those of a dialect, in chunks as `--split-input-file` cuts them. A chunk's first line is a comment:
//! the operations that it is a sample of, and a note where an operation has several.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::tools::root;

/// Where the samples are, from the root of the repository.
pub const FOLDER: &str = "crates/semantics/samples";

/// What `mlir-opt` cuts at, and writes between the chunks of its output.
pub const MARKER: &str = "// -----\n";

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
    /// A file cannot be read, or a chunk does not begin with its comment.
    pub fn all() -> Result<Vec<Self>> {
        let folder = root().join(FOLDER);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "mlir")
            {
                let stem = path.file_stem().context("a file has a name")?;
                names.push(stem.to_string_lossy().into_owned());
            }
        }
        names.sort();
        names.into_iter().map(Self::read).collect()
    }

    fn read(name: String) -> Result<Self> {
        let path = format!("{FOLDER}/{name}.mlir");
        let text = fs::read_to_string(root().join(&path)).with_context(|| path.clone())?;
        let mut line = 1;
        let mut samples = Vec::new();
        for chunk in text.split(MARKER) {
            let sample = Sample::read(chunk, line).with_context(|| format!("{path}:{line}"))?;
            line += chunk.matches('\n').count() + 1;
            samples.push(sample);
        }
        Ok(Self {
            name,
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
        let head = text
            .lines()
            .next()
            .and_then(|head| head.strip_prefix("// "));
        let head = head.context("a sample begins with the operations that it is of")?;
        let (names, note) = head.split_once(": ").unwrap_or((head, ""));
        let operations: Vec<_> = names.split(", ").map(str::to_owned).collect();
        for operation in &operations {
            let is_name = operation.contains('.') && !operation.contains(char::is_whitespace);
            ensure!(is_name, "`{operation}` is no operation's name");
        }
        Ok(Self {
            operations,
            note: note.to_owned(),
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
