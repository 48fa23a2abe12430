//! Executes networks: in `mlir-runner`, and as executables under valgrind.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::networks::transform::Variant;
use memplan_harness::networks::{Network, models};
use memplan_harness::runner::runner;
use memplan_harness::tools::Tools;

/// The time limit of one execution: the slowest takes two minutes on an idle machine.
const LIMIT: Duration = Duration::from_secs(900);

/// Executes the variants of a network; equal programs are executed once.
pub struct Executions<'e> {
    network: &'e Network,
    tools: &'e Tools,
    folder: &'e Path,
    level: u8,
    /// The programs that have been executed, all with the expected output.
    programs: HashSet<Vec<u8>>,
}

impl<'e> Executions<'e> {
    /// No executions yet; in `folder`, at an optimization level.
    pub fn new(network: &'e Network, tools: &'e Tools, folder: &'e Path, level: u8) -> Self {
        Self {
            network,
            tools,
            folder,
            level,
            programs: HashSet::new(),
        }
    }

    /// The number of programs executed.
    pub fn count(&self) -> usize {
        self.programs.len()
    }

    /// Executes a variant and compares its output with the expected one.
    pub fn execute(&mut self, variant: &Variant) -> Result<()> {
        let program = output(
            limited(LIMIT, models().join("lower"))
                .arg(&self.network.name)
                .arg(&variant.file)
                .env("LLVM_PREFIX", &self.tools.llvm),
        )?;
        if self.programs.contains(&program) {
            return Ok(());
        }
        let file = self.folder.join("lowered.mlir");
        fs::write(&file, &program)?;
        let printed = output(&mut runner(self.tools, &file, self.level, &[], LIMIT))?;
        compare(self.network, &printed)?;
        self.programs.insert(program);
        Ok(())
    }
}

/// The heap use of one call of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    /// The number of allocations executed.
    pub allocations: u64,
    /// The maximum number of requested bytes at one time.
    pub peak: u64,
}

/// Executes a variant with a counting heap.
pub fn heap(network: &Network, variant: &Variant, tools: &Tools) -> Result<Heap> {
    let printed = output(
        limited(LIMIT, models().join("count"))
            .arg(&network.name)
            .arg(&variant.file)
            .env("LLVM_PREFIX", &tools.llvm),
    )?;
    let text = String::from_utf8_lossy(&printed);
    let mut lines = text.lines();
    let mut number = || lines.next()?.trim().parse().ok();
    let found = number().zip(number());
    let (allocations, peak) = found.with_context(|| format!("no counts in {text:?}"))?;
    let rest: Vec<&str> = lines.collect();
    compare(network, rest.join("\n").as_bytes())?;
    Ok(Heap { allocations, peak })
}

/// The memory that a program has not freed at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub struct Leak {
    /// Bytes.
    pub bytes: u64,
    /// Allocations.
    pub blocks: u64,
}

impl fmt::Display for Leak {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bytes in {} blocks", self.bytes, self.blocks)
    }
}

/// Executes a variant under valgrind: no invalid access, the expected output. Returns the leaks.
pub fn leak(
    network: &Network,
    variant: &Variant,
    tools: &Tools,
    valgrind: &Path,
    folder: &Path,
) -> Result<Leak> {
    let program = folder.join("program");
    let log = folder.join("valgrind.log");
    output(
        limited(LIMIT, models().join("compile"))
            .arg(&network.name)
            .args([&variant.file, &program])
            .env("LLVM_PREFIX", &tools.llvm),
    )?;
    let printed = output(
        limited(LIMIT, valgrind)
            .arg("--error-exitcode=99")
            .arg(format!("--log-file={}", log.display()))
            .arg(&program),
    )
    .with_context(|| fs::read_to_string(&log).unwrap_or_default())?;
    compare(network, &printed)?;
    let log = fs::read_to_string(&log)?;
    in_use_at_exit(&log).with_context(|| format!("valgrind says nothing of the heap:\n{log}"))
}

/// Parses `in use at exit: 2,249,479 bytes in 18 blocks`.
fn in_use_at_exit(log: &str) -> Option<Leak> {
    let (_, rest) = log.split_once("in use at exit: ")?;
    let mut numbers = rest
        .split_whitespace()
        .filter_map(|word| word.replace(',', "").parse().ok());
    Some(Leak {
        bytes: numbers.next()?,
        blocks: numbers.next()?,
    })
}

/// Compares line by line, up to white space.
fn compare(network: &Network, printed: &[u8]) -> Result<()> {
    let printed = String::from_utf8_lossy(printed);
    let expected = network.expected.as_deref().context("no expected output")?;
    let (got, want): (Vec<_>, Vec<_>) = (
        printed.split_whitespace().collect(),
        expected.split_whitespace().collect(),
    );
    ensure!(got == want, "prints {got:?} and not {want:?}");
    Ok(())
}
