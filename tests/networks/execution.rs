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

/// How long one execution may take: the slowest takes two minutes where nothing else runs.
const LIMIT: Duration = Duration::from_secs(900);

/// Executes the variants of a network, and those that come out as the same program once.
pub struct Executions<'e> {
    network: &'e Network,
    tools: &'e Tools,
    folder: &'e Path,
    level: u8,
    /// What has been executed, all with the expected output.
    programs: HashSet<Vec<u8>>,
}

impl<'e> Executions<'e> {
    /// None yet; in `folder`, at an optimization level.
    pub fn new(network: &'e Network, tools: &'e Tools, folder: &'e Path, level: u8) -> Self {
        Self {
            network,
            tools,
            folder,
            level,
            programs: HashSet::new(),
        }
    }

    /// How many programs were executed.
    pub fn count(&self) -> usize {
        self.programs.len()
    }

    /// Executes a variant and compares what it prints with what is expected.
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

/// What one call of a network asks of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    /// Allocations executed.
    pub allocations: u64,
    /// Most bytes held at one moment, as asked for.
    pub peak: u64,
}

/// Executes a variant with a heap that counts.
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

/// What a program still holds when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Executes a variant under valgrind: no invalid access, the expected output. Returns what leaks.
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

/// Reads `in use at exit: 2,249,479 bytes in 18 blocks`.
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

/// Line by line, whatever the white space.
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
