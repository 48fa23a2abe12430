//! The pictures in the README and in the manual are up to date. `MEMPLAN_BLESS=1` draws them again.

mod picture {
    pub mod beside;
    pub mod listing;
}

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;
use picture::{beside, listing};

/// The folder of the manual's pictures, and the programs that they show.
const MANUAL: &str = "crates/manual/pictures";
/// The time limit of a run.
const LIMIT: Duration = Duration::from_secs(120);

/// Compares a picture with the stored one; with `MEMPLAN_BLESS`, stores it.
fn is_kept(picture: &str, drawn: &str) -> Result<()> {
    let kept = root().join(picture);
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        fs::write(&kept, drawn)?;
    }
    ensure!(
        fs::read_to_string(&kept).is_ok_and(|kept| kept == drawn),
        "{picture} is out of date; MEMPLAN_BLESS=1 cargo test --release --test picture draws it anew"
    );
    Ok(())
}

/// The output of passes for a program. Its path is relative to the root, so that locations are the same everywhere.
fn output_of(tools: &Tools, program: &str, passes: &str) -> Result<String> {
    let run = output(
        limited(LIMIT, tools.mlir_opt())
            .current_dir(root())
            .arg(program)
            .arg("--mlir-use-nameloc-as-prefix")
            .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg(format!("--pass-pipeline=builtin.module({passes})")),
    )?;
    Ok(String::from_utf8(run)?)
}

/// The picture that `memplan plot` draws.
fn plotted(tools: &Tools, plan: &Path) -> Result<String> {
    let run = output(
        limited(LIMIT, &tools.memplan)
            .arg("plot")
            .arg(plan)
            .args(["-o", "-"]),
    )?;
    Ok(String::from_utf8(run)?)
}

/// The picture of the plan that a pass reports for a program.
fn plan(program: &str, pass: &str, options: &str) -> Result<String> {
    let tools = Tools::with_memplan()?;
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let passes = format!("{pass}{{{options} report={}}}", report.display());
    output_of(&tools, program, &passes)?;
    plotted(&tools, &report)
}

/// The operations of functions, without the computation of sizes and addresses.
fn visible_operations(text: &str) -> Vec<&str> {
    let hidden = [
        "arith.",
        "memref.alloca",
        "memref.load",
        "memref.view",
        "private @memplan_",
        "module {",
    ];
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && *line != "}");
    let shown = lines.filter(|line| !hidden.iter().any(|part| line.contains(part)));
    shown
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect()
}

#[test]
fn the_readme_shows_what_plot_draws() -> Result<()> {
    let drawn = plan(
        "tests/models/bufferized/resnet18.mlir",
        "memplan-merge-alloc",
        "arena=arg",
    )?;
    is_kept("tests/pictures/resnet18.svg", &drawn)
}

#[test]
fn lifetimes_are_what_is_planned_with() -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let program = format!("{MANUAL}/lifetimes.mlir");
    output_of(
        &tools,
        &program,
        &format!("memplan-merge-alloc{{report={}}}", report.display()),
    )?;
    let report = Report::from_json(&fs::read_to_string(report)?)?;
    let scope = report.functions.first().and_then(|one| one.scopes.first());
    let text = fs::read_to_string(root().join(program))?;
    let lines: Vec<&str> = text.lines().collect();
    let bars = listing::planned(&lines, scope.context("no scope")?);
    is_kept(
        &format!("{MANUAL}/lifetimes.svg"),
        &beside::draw(&lines, &bars),
    )
}

#[test]
fn planners_place_as_they_are_drawn() -> Result<()> {
    let tools = Tools::with_memplan()?;
    let folder = tempfile::tempdir()?;
    // Both plans are in one file, so that they are one picture: each planner is a memory space.
    let mut both = String::from("id,lower,upper,size,offset,space\n");
    for planner in ["first-fit", "auto"] {
        let run = output(
            limited(LIMIT, &tools.memplan)
                .arg("solve")
                .arg(root().join(MANUAL).join("planners.csv"))
                .args(["--planner", planner, "-o", "-"]),
        )?;
        let rows = String::from_utf8(run)?;
        ensure!(rows.starts_with("id,lower,upper,size,offset\n"), "{rows}");
        for row in rows.lines().skip(1) {
            both += &format!("{row},{planner}\n");
        }
    }
    let plans = folder.path().join("planners.csv");
    fs::write(&plans, both)?;
    is_kept(&format!("{MANUAL}/planners.svg"), &plotted(&tools, &plans)?)
}

#[test]
fn memory_is_freed_where_bars_end() -> Result<()> {
    let text = output_of(
        &Tools::find()?,
        &format!("{MANUAL}/ownership.mlir"),
        "memplan-ownership-dealloc",
    )?;
    let lines = visible_operations(&text);
    let drawn = beside::draw(&lines, &listing::freed(&lines));
    is_kept(&format!("{MANUAL}/ownership.svg"), &drawn)
}

#[test]
fn regions_are_made_and_released_as_they_are_drawn() -> Result<()> {
    let text = output_of(
        &Tools::find()?,
        &format!("{MANUAL}/regions.mlir"),
        "memplan-regions,canonicalize",
    )?;
    let lines = visible_operations(&text);
    let drawn = beside::draw(&lines, &listing::freed(&lines));
    is_kept(&format!("{MANUAL}/regions.svg"), &drawn)
}

#[test]
fn bounded_programs_move_what_is_drawn_twice() -> Result<()> {
    let drawn = plan(
        &format!("{MANUAL}/bounded.mlir"),
        "memplan-bounded-pipeline",
        "fit=first",
    )?;
    is_kept(&format!("{MANUAL}/bounded.svg"), &drawn)
}
