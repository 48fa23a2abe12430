//! Programs have the same plans, whichever form of linalg's operations they are written in: named ones such as
//! `linalg.matmul`, categories such as `linalg.contract`, or `linalg.generic`. MLIR's own passes rewrite the lit programs
//! and the networks to each form.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::limited;
use memplan_harness::networks::Network;
use memplan_harness::tools::{Tools, root};

const LIMIT: Duration = Duration::from_secs(120);

/// The passes to each form also simplify a program, so that one that gives names is what to compare lit programs with. It
/// makes invalid operations of some networks.
const NAMED: &str = "func.func(linalg-morph-ops{generic-to-named=true}),";
const FORMS: [&str; 2] = [
    "func.func(linalg-generalize-named-ops),",
    "func.func(linalg-morph-ops{named-to-category=true}),",
];

/// Operations of which a lit program that is compared has one.
const OPERATIONS: [&str; 3] = ["linalg.add", "linalg.exp", "linalg.matmul"];

/// Bytes of the arenas of a function, and how many arenas have a dynamic size.
type Arenas = (u64, usize);

/// The arenas of each function after a pass and the pipeline `memplan`, without programs that are refused.
fn arenas(tools: &Tools, program: &Path, first: &str) -> Result<BTreeMap<String, Arenas>> {
    let mut command = limited(LIMIT, tools.mlir_opt());
    command
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline=builtin.module({first}memplan)"))
        .args(["--split-input-file", "--allow-unregistered-dialect"])
        .arg(program);
    let text = String::from_utf8(command.output()?.stdout)?;
    let mut found = BTreeMap::new();
    let (mut chunk, mut function) = (0, String::new());
    for line in text.lines() {
        if line.starts_with("// -----") {
            chunk += 1;
        }
        if let Some((_, rest)) = line.split_once("func.func ")
            && let Some((_, name)) = rest.split_once('@')
        {
            let name = name.split('(').next().unwrap_or_default();
            function = format!("{chunk}: {name}");
            found.entry(function.clone()).or_insert((0, 0));
        }
        if line.contains("memplan.arena")
            && let Some((_, of)) = line.rsplit_once("memref<")
            && let Some((size, _)) = of.split_once("xi8")
        {
            let arenas: &mut Arenas = found.entry(function.clone()).or_default();
            match size.parse::<u64>() {
                Ok(bytes) => arenas.0 += bytes,
                Err(_) => arenas.1 += 1,
            }
        }
    }
    Ok(found)
}

/// Compares all programs, on all cores; `compare` says what is wrong with one.
fn all(programs: &[PathBuf], compare: impl Fn(&Path) -> Result<usize> + Sync) -> Result<usize> {
    let (next, functions) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match compare(program) {
                        Ok(count) => {
                            functions.fetch_add(count, Ordering::Relaxed);
                        }
                        Err(error) => {
                            let text = format!("{}: {error:#}", program.display());
                            wrong.lock().expect("no panic").push(text);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(functions.into_inner())
}

/// Files of lit tests that have one of these operations.
fn lit_programs() -> Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for folder in ["memplan", "memplan-elide-copies", "memplan-merge-alloc"] {
        for entry in fs::read_dir(root().join("lit").join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "mlir") {
                let text = fs::read_to_string(&path)?;
                if OPERATIONS.iter().any(|name| text.contains(name)) {
                    programs.push(path);
                }
            }
        }
    }
    programs.sort();
    Ok(programs)
}

#[test]
fn lit_programs_have_the_same_arenas_in_each_form() -> Result<()> {
    let tools = Tools::find()?;
    let functions = all(&lit_programs()?, |program| {
        let named = arenas(&tools, program, NAMED)?;
        for form in FORMS {
            let other = arenas(&tools, program, form)?;
            for (function, bytes) in &named {
                let other = other.get(function).with_context(|| function.clone())?;
                ensure!(
                    bytes == other,
                    "{function}: {bytes:?}, {other:?} after {form}"
                );
            }
        }
        Ok(named.len())
    })?;
    ensure!(functions > 200, "only {functions} functions are compared");
    Ok(())
}

#[test]
fn networks_have_plans_within_2_percent_in_each_form() -> Result<()> {
    let tools = Tools::find()?;
    let networks = Network::all()?;
    let files: Vec<PathBuf> = networks.iter().map(Network::file).collect();
    let functions = all(&files, |program| {
        let named = arenas(&tools, program, "")?;
        ensure!(!named.is_empty(), "no function");
        for form in FORMS {
            let other = arenas(&tools, program, form)?;
            for (function, (bytes, dynamic)) in &named {
                let (others, more) = other.get(function).with_context(|| function.clone())?;
                ensure!(
                    others * 100 <= bytes * 102 && dynamic == more,
                    "{function}: {bytes} bytes, {others} after {form}"
                );
            }
        }
        Ok(named.len())
    })?;
    ensure!(
        functions >= networks.len(),
        "only {functions} functions are compared"
    );
    Ok(())
}
