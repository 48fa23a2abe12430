//! The part of memplan's headers that passes and pipelines declare: what `memplan/Passes.h` and `memplan-c/Passes.h`
//! include, as MLIR's own headers include what is generated.
//!
//! * [`cpp`]: for C++, a struct of options and a function for each.
//! * [`c`]: for C, a function for each.

#![forbid(unsafe_code)]

pub mod c;
pub mod cpp;
mod names;

use memplan_mlir::pass::OptionDeclaration;
use std::{fs, io, path::Path};

/// What a header has for a pass or a pipeline.
struct Entry {
    argument: &'static str,
    summary: &'static str,
    options: Vec<&'static OptionDeclaration>,
    is_pipeline: bool,
}

/// All passes, and all pipelines behind them.
fn entries() -> impl Iterator<Item = Entry> {
    let passes = memplan_passes::declarations().into_iter();
    let passes = passes.map(|pass| Entry {
        argument: pass.argument,
        summary: pass.summary,
        options: pass.options.iter().collect(),
        is_pipeline: false,
    });
    let pipelines = memplan_passes::PIPELINES.iter();
    passes.chain(pipelines.map(|pipeline| Entry {
        argument: pipeline.argument,
        summary: pipeline.summary,
        options: pipeline.options().collect(),
        is_pipeline: true,
    }))
}

/// Lines of a comment, each with `prefix` in front, 80 columns wide.
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
/// A folder cannot be made, or a file not be written.
pub fn write(folder: &Path) -> io::Result<()> {
    for (name, text) in [("memplan", cpp::text()), ("memplan-c", c::text())] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Passes.h.inc"), text)?;
    }
    Ok(())
}
