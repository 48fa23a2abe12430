//! Runs the FileCheck tests under `lit/`: `cargo test --test lit -- [-v] [-j N] [--list] [PART OF A PATH]...`
//!
//! A test is a file whose `RUN:` lines are bash commands that must all succeed. `REQUIRES:`, `UNSUPPORTED:` and
//! `XFAIL:` say when it runs and when it must fail. `lit/lit.cfg.py` lets LLVM's own lit run the same files.
//! Substitutions:
//!
//! | name | replacement |
//! |---|---|
//! | `%s` `%S` | the test file, its folder |
//! | `%t` `%T` | a path for temporary files, its folder; the commands run there |
//! | `%memplan-opt` | the stock `mlir-opt` with the plugin loaded |
//! | `%plugin` | the plugin |
//! | `%runtime` | the runtime, as a shared library |
//! | `%mlir_lib_dir` | the folder of the MLIR runner libraries, such as `libmlir_runner_utils.so` |
//! | `%valgrind` | valgrind that fails on invalid accesses |
//! | `%%` | `%` |
//!
//! `lit/substitutions.txt` defines more: runners, and the passes that lower a program for them.
//!
//! `mlir-opt`, `FileCheck`, `not`, the rest of LLVM's tools and `memplan` are on the `PATH`.
//! Features: `plugin`, the architecture (`x86_64`), and `valgrind` where it is installed.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Parser;
use memplan_harness::lit::execute::SuiteConfig;
use memplan_harness::lit::options::Options;
use memplan_harness::lit::substitution::{Substitutions, quoted};
use memplan_harness::lit::suite;
use memplan_harness::tools::{Tools, root};

/// The time limit of one command of a test.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("lit: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let options = Options::parse();
    let folder = root().join("lit");
    let mut tests = suite::discover(&folder)?;
    ensure!(!tests.is_empty(), "no tests in {}", folder.display());
    tests.retain(|test| options.selects(&test.to_string_lossy()[folder.as_os_str().len()..]));
    if options.list {
        for test in tests {
            println!("{}: test", test.strip_prefix(&folder)?.display());
        }
        return Ok(true);
    }
    let mut config = config(&Tools::with_memplan()?)?;
    for feature in &options.without {
        config.features.remove(feature);
    }
    let results = suite::run_all(&tests, &folder, &config, options.jobs.get());
    Ok(suite::summarize(
        &results,
        options.verbose,
        &mut io::stdout(),
    )?)
}

fn config(tools: &Tools) -> Result<SuiteConfig> {
    let mut features = BTreeSet::from(["plugin".to_owned(), env::consts::ARCH.to_owned()]);
    let plugin = quoted(&tools.plugin.to_string_lossy());
    let mlir_opt = quoted(&tools.mlir_opt().to_string_lossy());
    let mut substitutions = Substitutions::default()
        .with(
            "memplan-opt",
            format!("{mlir_opt} --load-pass-plugin={plugin}"),
        )
        .with("plugin", plugin)
        .with_path("runtime", &tools.runtime)
        .with_path("mlir_lib_dir", &tools.lib());
    if let Some(valgrind) = &tools.valgrind {
        features.insert("valgrind".to_owned());
        let valgrind = quoted(&valgrind.to_string_lossy());
        substitutions = substitutions.with(
            "valgrind",
            format!("{valgrind} --quiet --error-exitcode=99"),
        );
    }
    let definitions = fs::read_to_string(root().join("lit/substitutions.txt"))?;
    Ok(SuiteConfig {
        features,
        substitutions: substitutions.with_definitions(&definitions)?,
        path: path(tools)?,
        limit: LIMIT,
    })
}

/// A `PATH` with LLVM's tools and `memplan` first.
fn path(tools: &Tools) -> Result<OsString> {
    let mut folders = vec![tools.bin()];
    folders.extend(tools.memplan.parent().map(Path::to_path_buf));
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    Ok(env::join_paths(folders)?)
}
