//! Writes the manual as HTML: `memplan-manual FOLDER`.

#![forbid(unsafe_code)]

use anyhow::{Context, Result};
use clap::Parser;
use memplan_manual::{book::parts, html};
use std::path::PathBuf;

/// Write the manual as HTML.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the files go; the folder is made.
    folder: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let folder = &arguments.folder;
    html::write(folder, &parts()).with_context(|| format!("cannot write to {}", folder.display()))
}
