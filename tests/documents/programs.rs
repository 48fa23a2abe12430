//! Programs of documents: MLIR before and after passes, C, and excerpts of files.

use anyhow::{Context, Result, ensure};
use memplan_harness::{
    command::{limited, output},
    tools::{Tools, root},
};
use std::{fs, path::Path, process::Command, time::Duration};

/// How long a compiler may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A program after passes, as `mlir-opt` prints it, or the errors, warnings, remarks and notes.
pub fn after(
    tools: &Tools,
    folder: &Path,
    passes: &str,
    program: &str,
) -> Result<(String, String)> {
    let input = folder.join("block.mlir");
    fs::write(&input, program)?;
    let run = Command::new(tools.mlir_opt())
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline=builtin.module({passes})"))
        .arg(&input)
        .output()?;
    let said = String::from_utf8(run.stderr)?;
    let kinds = ["error: ", "warning: ", "remark: ", "note: "];
    let diagnostics = said.lines().filter_map(|line| {
        let start = kinds.iter().find_map(|kind| line.find(kind))?;
        Some(format!("{}\n", &line[start..]))
    });
    Ok((String::from_utf8(run.stdout)?, diagnostics.collect()))
}

/// A program as `mlir-opt` prints it; an error where it is none.
pub fn parsed(tools: &Tools, folder: &Path, program: &str) -> Result<String> {
    let (printed, diagnostics) = after(tools, folder, "", program)?;
    ensure!(!printed.is_empty(), "{diagnostics}");
    Ok(printed)
}

/// Compiles a program in C with the runtime's header and library, and runs it.
pub fn compiles_and_runs(tools: &Tools, folder: &Path, program: &str) -> Result<()> {
    let (source, executable) = (folder.join("block.c"), folder.join("block"));
    fs::write(&source, program)?;
    output(
        limited(LIMIT, "cc")
            .args(["-Wall", "-Werror", "-O1"])
            .arg("-I")
            .arg(root().join("crates/runtime/include"))
            .arg(&source)
            .arg(&tools.runtime)
            .arg("-o")
            .arg(&executable),
    )?;
    let libraries = tools.runtime.parent().context("no folder")?;
    output(limited(LIMIT, &executable).env("LD_LIBRARY_PATH", libraries))?;
    Ok(())
}

/// A file of the repository has all parts of an excerpt, in this order. Parts end at a comment that is an ellipsis;
/// indentation, and the marks of comments of documentation, do not count.
pub fn is_excerpt(code: &str, source: &str) -> Result<()> {
    let text = fs::read_to_string(root().join(source)).with_context(|| source.to_owned())?;
    let text = flush(&text);
    let mut rest = text.as_str();
    let is_gap = |line: &&str| ["// …", "# …", "/* … */"].contains(&line.trim());
    let lines: Vec<&str> = code.lines().collect();
    for part in lines.split(|line| is_gap(line)) {
        let part = flush(&part.join("\n"));
        let at = rest.find(&part);
        let at = at.with_context(|| format!("{source} does not have, in this order:{part}"))?;
        // The line feed at its end begins the next part.
        rest = &rest[at + part.len() - 1..];
    }
    Ok(())
}

fn flush(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("//!").map_or(line, str::trim)
    });
    let lines: Vec<&str> = lines.collect();
    format!("\n{}\n", lines.join("\n"))
}
