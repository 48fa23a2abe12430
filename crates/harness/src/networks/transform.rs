//! What `mlir-opt` makes of a network.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use crate::command::{limited, output};
use crate::tools::Tools;

/// Structured control flow becomes blocks.
pub const BLOCKS: &str = "--convert-scf-to-cf";

/// Operations on whole buffers become loops, and these blocks.
pub const LOOPS: &str =
    "--pass-pipeline=builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf)";

/// How long one run of `mlir-opt` may take.
const LIMIT: Duration = Duration::from_secs(120);

/// A network, transformed.
#[derive(Debug)]
pub struct Variant {
    /// What was done.
    pub name: String,
    /// The result.
    pub file: PathBuf,
}

/// What `mlir-opt` makes of the program `from` with these arguments: a file in `folder`, which is called as the
/// `name` says.
///
/// # Errors
///
/// `mlir-opt` fails, or takes too long.
pub fn transform(
    tools: &Tools,
    from: &Path,
    folder: &Path,
    name: &str,
    arguments: &[&str],
) -> Result<Variant> {
    let file = folder.join(format!("{}.mlir", file_name(name)));
    output(
        limited(LIMIT, tools.mlir_opt())
            .args(arguments)
            .arg(from)
            .arg("-o")
            .arg(&file),
    )?;
    Ok(Variant {
        name: name.to_owned(),
        file,
    })
}

/// How a file is called that holds a variant of this name, without what it ends in.
pub fn file_name(name: &str) -> String {
    name.replace(", ", "-").replace(' ', "-")
}
