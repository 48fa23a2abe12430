//! Every operation of stock `mlir-opt` that touches memrefs has a sample, and every sample contains its operations.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::samples::{Dialect, MARKER};
use memplan_harness::tools::{llvm_prefix, root};

/// The time limit of a run.
const LIMIT: Duration = Duration::from_secs(120);

/// The operations that `ci/operations.py` finds in the .td files of the installed LLVM.
fn listed() -> Result<BTreeSet<String>> {
    let names = output(
        limited(LIMIT, root().join("ci/operations.py"))
            .arg("--names")
            .env("LLVM_PREFIX", llvm_prefix()),
    )?;
    Ok(String::from_utf8(names)?
        .lines()
        .map(str::to_owned)
        .collect())
}

#[test]
fn every_operation_has_a_sample() -> Result<()> {
    let mut missing = listed()?;
    ensure!(missing.len() > 500, "only {} are listed", missing.len());
    for dialect in Dialect::all()? {
        for sample in dialect.samples {
            for operation in &sample.operations {
                missing.remove(operation);
            }
        }
    }
    let missing: Vec<_> = missing.into_iter().collect();
    ensure!(missing.is_empty(), "without a sample: {missing:?}");
    Ok(())
}

#[test]
fn every_sample_is_valid_and_holds_its_operations() -> Result<()> {
    let mut faults = Vec::new();
    for dialect in Dialect::all()? {
        let printed = output(
            limited(LIMIT, llvm_prefix().join("bin/mlir-opt"))
                .current_dir(root())
                .args(["--split-input-file", "--mlir-print-op-generic"])
                .arg(&dialect.path),
        )?;
        let printed = String::from_utf8(printed)?;
        let chunks: Vec<_> = printed.split(MARKER).collect();
        ensure!(chunks.len() == dialect.samples.len(), "{}", dialect.path);
        for (sample, chunk) in dialect.samples.iter().zip(chunks) {
            for operation in &sample.operations {
                if !chunk.contains(&format!("\"{operation}\"(")) {
                    faults.push(format!("{}:{}: no {operation}", dialect.path, sample.line));
                }
            }
        }
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// The answers are identified by the names of the samples.
#[test]
fn no_two_samples_have_one_name() -> Result<()> {
    for dialect in Dialect::all()? {
        let mut titles = BTreeMap::new();
        for sample in &dialect.samples {
            let before = titles.insert(sample.title(), sample.line);
            ensure!(
                before.is_none(),
                "{}:{}: {}",
                dialect.path,
                sample.line,
                sample.title()
            );
        }
    }
    Ok(())
}
