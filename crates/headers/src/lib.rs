//! Generates the headers of passes and pipelines: `Passes.h.inc`, which `memplan/Passes.h` and
//! `memplan-c/Passes.h` include, as MLIR's own headers include generated files.
//!
//! * [`cpp`]: C++, a struct of options and a function for each pass and pipeline.
//! * [`c`]: C, a function for each pass and pipeline.

#![forbid(unsafe_code)]

pub mod c;
pub mod cpp;
mod names;

use memplan_declarations::{PASSES, PIPELINES};
use memplan_interface::OptionDeclaration;
use std::{fs, io, path::Path};

/// A pass or a pipeline.
struct Entry {
    argument: &'static str,
    summary: &'static str,
    options: Vec<&'static OptionDeclaration>,
    is_pipeline: bool,
}

/// All passes, then all pipelines.
fn entries() -> impl Iterator<Item = Entry> {
    let passes = PASSES.iter().map(|pass| Entry {
        argument: pass.argument,
        summary: pass.summary,
        options: pass.options.iter().collect(),
        is_pipeline: false,
    });
    passes.chain(PIPELINES.iter().map(|pipeline| Entry {
        argument: pipeline.argument,
        summary: pipeline.summary,
        options: pipeline.options().collect(),
        is_pipeline: true,
    }))
}

/// The lines of a comment, each with `prefix`, 80 columns wide.
fn comment(text: &str, prefix: &str) -> String {
    let options = textwrap::Options::new(80)
        .initial_indent(prefix)
        .subsequent_indent(prefix);
    textwrap::fill(text, options) + "\n"
}

/// Writes `memplan/Passes.h.inc` and `memplan-c/Passes.h.inc` into a folder of headers.
///
/// # Errors
///
/// The error of creating a folder or writing a file.
pub fn write(folder: &Path) -> io::Result<()> {
    for (name, text) in [("memplan", cpp::text()), ("memplan-c", c::text())] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        memplan_output::write(&folder.join("Passes.h.inc"), text.as_bytes())?;
    }
    Ok(())
}
