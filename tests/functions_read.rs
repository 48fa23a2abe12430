//! A function is read once as long as it does not change: the report of the pipeline `memplan` counts the reads,
//! which are at most one more than the number of passes that changed the function. MLIR shows the changes of each
//! pass.

use anyhow::{Context, Result, ensure};
use memplan_harness::command::limited;
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Functions that call each other: one that captures its argument, one that returns it, and two that are recursive.
const CALLS: &str = "
func.func private @outside(memref<16xf32>)
func.func private @fill(%to: memref<16xf32>, %value: f32) {
  %own = memref.alloc() : memref<16xf32>
  linalg.fill ins(%value : f32) outs(%own : memref<16xf32>)
  linalg.exp ins(%own : memref<16xf32>) outs(%to : memref<16xf32>)
  return
}
func.func private @same(%given: memref<16xf32>) -> memref<16xf32> {
  return %given : memref<16xf32>
}
func.func private @made(%value: f32) -> memref<16xf32> {
  %made = memref.alloc() : memref<16xf32>
  call @fill(%made, %value) : (memref<16xf32>, f32) -> ()
  return %made : memref<16xf32>
}
func.func private @even(%n: index, %given: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %zero : index
  scf.if %more {
    %next = arith.subi %n, %one : index
    %own = memref.alloc() : memref<16xf32>
    memref.copy %given, %own : memref<16xf32> to memref<16xf32>
    func.call @odd(%next, %own) : (index, memref<16xf32>) -> ()
    memref.copy %own, %given : memref<16xf32> to memref<16xf32>
  }
  return
}
func.func private @odd(%n: index, %given: memref<16xf32>) {
  call @even(%n, %given) : (index, memref<16xf32>) -> ()
  call @outside(%given) : (memref<16xf32>) -> ()
  return
}
func.func @main(%n: index, %value: f32, %to: memref<32xf32>) {
  %first = call @made(%value) : (f32) -> memref<16xf32>
  %again = call @same(%first) : (memref<16xf32>) -> memref<16xf32>
  call @even(%n, %again) : (index, memref<16xf32>) -> ()
  %left = memref.alloc() : memref<16xf32>
  linalg.exp ins(%again : memref<16xf32>) outs(%left : memref<16xf32>)
  %right = memref.alloc() : memref<16xf32>
  linalg.exp ins(%left : memref<16xf32>) outs(%right : memref<16xf32>)
  %both = memref.alloc() : memref<32xf32>
  %one = memref.subview %both[0] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1]>>
  %other = memref.subview %both[16] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %left, %one : memref<16xf32> to memref<16xf32, strided<[1]>>
  memref.copy %right, %other : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %both, %to : memref<32xf32> to memref<32xf32>
  return
}
";

/// Real networks: with loops, with branches, with dynamic sizes, and straight-line ones.
const NETWORKS: [&str; 8] = [
    "greedy_decode",
    "lenet",
    "lstm_for",
    "lstm_while",
    "mobilenet_v2",
    "tiny_transformer",
    "tiny_transformer_dynseq",
    "train_lenet",
];

/// The text of each function of a module, by its name.
fn functions(module: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut lines = module.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("  func.func ") else {
            continue;
        };
        let name = rest.split_once('@').map_or(rest, |(_, name)| name);
        let name = name.split('(').next().unwrap_or(name).to_owned();
        let mut text = line.to_owned();
        if line.ends_with('{') {
            for line in lines.by_ref().take_while(|line| *line != "  }") {
                text.push('\n');
                text.push_str(line);
            }
        }
        all.insert(name, text);
    }
    all
}

/// For each function, the number of reads, and the number of passes that change it.
fn counts(tools: &Tools, input: &Path, options: &str) -> Result<BTreeMap<String, (u64, u64)>> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let run = |pipeline: &str| -> Result<(String, String)> {
        let out = limited(Duration::from_secs(120), tools.mlir_opt())
            .arg(input)
            .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg(format!("--pass-pipeline=builtin.module({pipeline})"))
            .args([
                "--mlir-print-ir-after-all",
                "--mlir-print-ir-module-scope",
                "--mlir-disable-threading",
                "--mlir-elide-elementsattrs-if-larger=8",
            ])
            .output()?;
        let (text, dumps) = (
            String::from_utf8(out.stdout)?,
            String::from_utf8(out.stderr)?,
        );
        ensure!(out.status.success(), "{pipeline}: {dumps}");
        Ok((text, dumps))
    };
    let mut before = functions(&run("")?.0);
    let (_, dumps) = run(&format!("memplan{{{options}report={}}}", report.display()))?;
    let mut changes: BTreeMap<String, u64> = BTreeMap::new();
    for dump in dumps.split("// -----// IR Dump After ").skip(1) {
        // Changes of stock passes need not be known to memplan.
        let is_stock = !dump
            .lines()
            .next()
            .is_some_and(|line| line.contains("(memplan-"));
        let after = functions(dump);
        for (name, text) in &after {
            if is_stock || before.get(name) != Some(text) {
                *changes.entry(name.clone()).or_default() += 1;
            }
        }
        before = after;
    }
    let report = Report::from_json(&std::fs::read_to_string(&report)?)?;
    let all = report.functions.into_iter().map(|function| {
        let read = function.functions_read.context("not counted")?;
        let changed = changes.get(&function.name).copied().unwrap_or_default();
        Ok((function.name, (u64::from(read), changed)))
    });
    all.collect()
}

fn check(tools: &Tools, input: &Path) -> Result<()> {
    // memplan-verify reads functions itself, so the counts are the same with it.
    let [counted, verified] = ["", "verify=true "].map(|options| counts(tools, input, options));
    let counted = counted?;
    ensure!(
        counted == verified?,
        "{}: memplan-verify counts",
        input.display()
    );
    let is_read = counted.values().any(|(read, _)| *read > 0);
    ensure!(is_read, "{}: nothing is read", input.display());
    for (name, (read, changed)) in counted {
        ensure!(
            read <= changed + 1,
            "{}: @{name} is read {read} times, and {changed} passes change it",
            input.display()
        );
    }
    Ok(())
}

#[test]
fn real_networks_are_read_once_while_they_stand() -> Result<()> {
    let tools = Tools::find()?;
    for network in NETWORKS {
        check(
            &tools,
            &root().join(format!("tests/models/bufferized/{network}.mlir")),
        )?;
    }
    Ok(())
}

#[test]
fn functions_that_call_each_other_are_read_once_while_they_stand() -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("calls.mlir");
    std::fs::write(&input, CALLS)?;
    check(&tools, &input)
}
