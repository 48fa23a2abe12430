//! The example in each pass's manual page is what the pass does.

use std::process::Command;

use anyhow::{Result, ensure};
use memplan_harness::tools::Tools;
use memplan_passes::{PIPELINES, declarations};

/// The output of `mlir-opt` for a program, or the errors and notes with which it fails.
fn after(tools: &Tools, pipeline: &str, program: &str) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("example.mlir");
    std::fs::write(&input, program)?;
    let run = Command::new(tools.mlir_opt())
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline={pipeline}"))
        .arg(&input)
        .output()?;
    if run.status.success() {
        return Ok(String::from_utf8(run.stdout)?);
    }
    let texts = String::from_utf8(run.stderr)?;
    let diagnostics: Vec<&str> = texts
        .lines()
        .filter_map(|line| {
            let start = ["error: ", "note: "]
                .iter()
                .find_map(|kind| line.find(kind))?;
            Some(&line[start..])
        })
        .collect();
    Ok(diagnostics.join("\n"))
}

#[test]
fn each_pass_transforms_its_example_as_shown() -> Result<()> {
    let tools = Tools::find()?;
    let passes = declarations().into_iter();
    let passes = passes.map(|pass| (pass.argument, &pass.example));
    let pipelines = PIPELINES.iter().map(|one| (one.argument, &one.example));
    for (name, example) in passes.chain(pipelines) {
        let found = after(&tools, &format!("builtin.module({name})"), example.before)?;
        // A checking pass reports the error in its example.
        let said = if example.after.starts_with("error: ") {
            example.after.trim_end().to_owned()
        } else {
            after(&tools, "builtin.module()", example.after)?
        };
        ensure!(found == said, "{name} makes\n{found}\nand says\n{said}");
    }
    Ok(())
}
