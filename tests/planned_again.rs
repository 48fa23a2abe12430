//! Right programs are not refused: each program of the lit folder that `memplan` plans is verified, is planned and verified a
//! second time, and is verified after MLIR's own simplification.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::limited;
use memplan_harness::samples::MARKER;
use memplan_harness::tools::{Tools, root};

const LIMIT: Duration = Duration::from_secs(120);

/// A pipeline that plans, and one that verifies its result as well.
struct Check {
    plans: &'static str,
    verifies: &'static str,
}

const CHECKS: [Check; 3] = [
    Check {
        plans: "memplan",
        verifies: "memplan,memplan-verify",
    },
    Check {
        plans: "memplan,memplan",
        verifies: "memplan{verify=true},memplan{verify=true}",
    },
    // It changes operations in strips, of which nothing is known then.
    Check {
        plans: "memplan{split=none},canonicalize",
        verifies: "memplan{split=none},canonicalize,memplan-verify",
    },
];

/// Attributes of plans that were written by hand, and may be wrong.
const PLANNED: [&str; 8] = [
    "memplan.arena",
    "memplan.buffer",
    "memplan.item",
    "memplan.offset",
    "memplan.pieces",
    "memplan.rows",
    "memplan.state",
    "memplan.strips",
];

/// A program of a lit file, with the line at which it starts.
struct Program {
    file: PathBuf,
    line: usize,
    text: String,
}

fn programs() -> Result<Vec<Program>> {
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("lit"))? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder)? {
            let file = file?.path();
            if file.extension().is_some_and(|end| end == "mlir") {
                files.push(file);
            }
        }
    }
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let mut line = 1;
        for text in text.split(MARKER) {
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let code: Vec<&str> = code.collect();
            let is_planned = |name: &&str| code.iter().any(|line| line.contains(*name));
            if code.iter().any(|line| line.contains("memref")) && !PLANNED.iter().any(is_planned) {
                programs.push(Program {
                    file: file.clone(),
                    line,
                    text: text.to_owned(),
                });
            }
            line += text.matches('\n').count() + 1;
        }
    }
    Ok(programs)
}

/// Runs a pipeline on programs; the errors if it fails.
fn run(tools: &Tools, programs: &[&Program], pipeline: &str, at: &Path) -> Result<Option<String>> {
    let texts: Vec<&str> = programs.iter().map(|program| &*program.text).collect();
    fs::write(at, texts.join(MARKER))?;
    let mut command = limited(LIMIT, tools.mlir_opt());
    command
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline=builtin.module({pipeline})"))
        .args(["--split-input-file", "--allow-unregistered-dialect", "-o"])
        .arg("/dev/null")
        .arg(at);
    let output = command.output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let errors = errors
        .lines()
        .filter(|line| line.contains(" error: ") && !line.contains(" was not produced"));
    Ok((!output.status.success()).then(|| errors.collect::<Vec<_>>().join("\n")))
}

/// Checks the programs of a file; the number of programs that can be planned.
fn check(tools: &Tools, programs: &[&Program], check: &Check, at: &Path) -> Result<usize> {
    if run(tools, programs, check.verifies, at)?.is_none() {
        return Ok(programs.len());
    }
    let mut planned = 0;
    let mut refused = Vec::new();
    for program in programs {
        let program = std::slice::from_ref(program);
        if run(tools, program, check.plans, at)?.is_some() {
            continue;
        }
        planned += 1;
        if let Some(errors) = run(tools, program, check.verifies, at)? {
            let (file, line) = (program[0].file.display(), program[0].line);
            refused.push(format!("{file}:{line}: {}\n{errors}", check.verifies));
        }
    }
    ensure!(refused.is_empty(), "{}", refused.join("\n"));
    Ok(planned)
}

#[test]
fn lit_programs_that_are_planned_are_verified_and_planned_again() -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let programs = programs()?;
    let files: Vec<Vec<&Program>> = programs
        .chunk_by(|one, other| one.file == other.file)
        .map(|of_file| of_file.iter().collect())
        .collect();
    let (next, planned) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for worker in 0..cores {
            let at = folder.path().join(format!("{worker}.mlir"));
            let (tools, files, next, planned, wrong) = (&tools, &files, &next, &planned, &wrong);
            scope.spawn(move || {
                while let Some(of_file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for one in &CHECKS {
                        let file = of_file[0].file.display().to_string();
                        match check(tools, of_file, one, &at).context(file) {
                            Ok(count) => {
                                planned.fetch_add(count, Ordering::Relaxed);
                            }
                            Err(error) => {
                                wrong.lock().expect("no panic").push(format!("{error:#}"))
                            }
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    let planned = planned.into_inner() / CHECKS.len();
    ensure!(planned > 700, "only {planned} programs are planned");
    Ok(())
}
