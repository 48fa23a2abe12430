//! Variants of a network, by `mlir-opt`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use crate::command::{limited, output};
use crate::tools::Tools;

/// Converts structured control flow to blocks.
pub const BLOCKS: &str = "--convert-scf-to-cf";

/// Converts operations on whole buffers to loops, and these to blocks.
pub const LOOPS: &str =
    "--pass-pipeline=builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf)";

/// The time limit of one run of `mlir-opt`.
const LIMIT: Duration = Duration::from_secs(120);

/// A transformed network.
#[derive(Debug)]
pub struct Variant {
    /// The name of the transformation.
    pub name: String,
    /// The path of the transformed network.
    pub file: PathBuf,
}

/// Transforms the program `from` with `mlir-opt` and these arguments. Writes the result to a file
/// in `folder` that is named after `name`.
///
/// # Errors
///
/// `mlir-opt` fails, or exceeds the time limit.
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

/// The file name of a variant, without extension.
pub fn file_name(name: &str) -> String {
    name.replace(", ", "-").replace(' ', "-")
}
