//! Reproducibility: the same bytes for any number of threads, order of functions, and number of machines.

use crate::bench::{Bench, expected_text};
use crate::programs::{Shape, caller, module, of};
use anyhow::{Context, Result, ensure};
use std::{collections::BTreeMap, fs};

#[test]
fn objects_and_plans_are_the_same_whatever_the_threads() -> Result<()> {
    let bench = Bench::new()?;
    for functions in [1, 10, 90] {
        bench.write("in.mlir", &module(of(functions)))?;
        let mut first = None;
        for jobs in ["1", "2", "3", "4", "8"] {
            let arguments = [
                "compile", "in.mlir", "-o", "out.o", "-j", jobs, "--report", "out.json",
            ];
            let object = bench.output(&arguments, "out.o")?;
            let report = fs::read(bench.path("out.json"))?;
            let (known, plans) = first.get_or_insert((object.clone(), report.clone()));
            ensure!(*known == object, "-j {jobs} makes another object");
            ensure!(*plans == report, "-j {jobs} makes another report");
        }
        let table = bench.run(&["table", "--check", "out.json"])?;
        ensure!(table.status.success(), "the report contradicts itself");
        ensure!(bench.executed("out.o", functions)? == expected_text(functions));
    }
    Ok(())
}

/// The bytes of each function of an object.
fn functions(bench: &Bench, object: &str) -> Result<BTreeMap<String, String>> {
    let listing = bench.tool(
        "llvm-objdump",
        &[
            "-d",
            "-r",
            "--no-show-raw-insn",
            "--no-leading-addr",
            object,
        ],
    )?;
    let mut found = BTreeMap::new();
    for part in listing.split("\n\n").skip(1) {
        if let Some((name, code)) = part.trim().split_once(">:\n") {
            let name = name.trim_start_matches('<').to_owned();
            // The target of a jump is an address; padding is no part of the function.
            let code = code
                .lines()
                .map(|line| line.split('<').next().unwrap_or(line));
            let code = code.map(|line| match line.trim().split_once('\t') {
                Some((jump, _)) if jump.starts_with(['j', 'c']) => jump.to_owned(),
                _ => line.split('#').next().unwrap_or(line).trim().to_owned(),
            });
            let code: Vec<String> = code.filter(|line| !line.starts_with("nop")).collect();
            found.insert(name, code.join("\n"));
        }
    }
    Ok(found)
}

#[test]
fn functions_in_another_order_have_the_same_code() -> Result<()> {
    let bench = Bench::new()?;
    let shape = of(40);
    bench.write("in.mlir", &module(shape))?;
    let reversed = Shape {
        is_reversed: true,
        ..shape
    };
    bench.write("back.mlir", &module(reversed))?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.output(&["compile", "back.mlir"], "back.o")?;
    let (one, other) = (functions(&bench, "in.o")?, functions(&bench, "back.o")?);
    ensure!(one.len() >= 80, "{} functions", one.len());
    ensure!(one.keys().eq(other.keys()));
    for (name, code) in &one {
        ensure!(other[name] == *code, "{name}:\n{code}\n\n{}", other[name]);
    }
    Ok(())
}

#[test]
fn functions_that_need_each_other_are_lowered_in_parts() -> Result<()> {
    let bench = Bench::new()?;
    let shape = Shape {
        is_tied: true,
        ..of(60)
    };
    bench.write("in.mlir", &module(shape))?;
    let done = bench.run(&[
        "compile",
        "in.mlir",
        "-o",
        "one.o",
        "-j",
        "1",
        "--mem-report",
    ])?;
    ensure!(done.status.success());
    let text = String::from_utf8(done.stderr)?;
    let parts = text.lines().find_map(|line| line.strip_prefix("parts"));
    let parts: usize = parts.context("no parts")?.trim().parse()?;
    ensure!(parts > 4, "{text}");
    let one = fs::read(bench.path("one.o"))?;
    for jobs in ["2", "4"] {
        ensure!(bench.output(&["compile", "in.mlir", "-j", jobs], "in.o")? == one);
    }
    // The same program as the one that is lowered as a whole.
    let whole = bench.executed("one.o", 60)?;
    let lowered = bench.output(&["compile", "in.mlir", "--emit", "llvm"], "in.ll")?;
    ensure!(!lowered.is_empty());
    bench.tool(
        "llc",
        &[
            "-O2",
            "--relocation-model=pic",
            "--filetype=obj",
            "in.ll",
            "-o",
            "ll.o",
        ],
    )?;
    ensure!(bench.executed("ll.o", 60)? == whole);
    Ok(())
}

#[test]
fn shards_are_linked_to_the_same_object() -> Result<()> {
    let bench = Bench::new()?;
    for shape in [
        of(30),
        Shape {
            is_tied: true,
            ..of(60)
        },
    ] {
        bench.write("in.mlir", &module(shape))?;
        let whole = bench.output(&["compile", "in.mlir", "--report", "in.json"], "in.o")?;
        let plans = fs::read(bench.path("in.json"))?;
        for shard in ["0/3", "1/3", "2/3"] {
            let name = format!("{}.shard", &shard[..1]);
            bench.output(
                &["compile", "in.mlir", "--shard", shard, "-o", &name],
                &name,
            )?;
        }
        // In any order, and one of them twice.
        let arguments = [
            "link",
            "2.shard",
            "0.shard",
            "1.shard",
            "0.shard",
            "-o",
            "linked.o",
            "--report",
            "linked.json",
        ];
        ensure!(bench.output(&arguments, "linked.o")? == whole);
        ensure!(fs::read(bench.path("linked.json"))? == plans);
        let missing = bench.run(&["link", "2.shard", "0.shard", "-o", "bad.o"])?;
        ensure!(missing.status.code() == Some(2) && !bench.path("bad.o").exists());
        let said = String::from_utf8_lossy(&missing.stderr).into_owned();
        ensure!(said.contains("shard 1 of 3 is missing"), "{said}");
    }
    Ok(())
}

#[test]
fn ninja_makes_the_same_object() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(20)))?;
    let whole = bench.output(&["compile", "in.mlir", "-O1", "-o", "whole.o"], "whole.o")?;
    let arguments = [
        "compile",
        "in.mlir",
        "--emit",
        "ninja",
        "--shards",
        "3",
        "-O1",
        "-o",
        "build.ninja",
    ];
    bench.output(&arguments, "build.ninja")?;
    bench.tool("ninja", &[])?;
    ensure!(fs::read(bench.path("in.o"))? == whole);
    ensure!(bench.tool("ninja", &[])?.contains("no work to do"));
    // A lost shard is compiled again.
    fs::remove_file(bench.path("in.o.1.shard"))?;
    bench.tool("ninja", &[])?;
    ensure!(fs::read(bench.path("in.o"))? == whole);
    Ok(())
}

#[test]
fn a_module_of_nothing_is_an_object_of_nothing() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", "")?;
    let whole = bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.write("caller.c", &caller(0))?;
    bench.tool("cc", &["caller.c", "in.o", "-o", "program"])?;
    for shard in ["0", "1"] {
        let (number, file) = (format!("{shard}/2"), format!("{shard}.shard"));
        bench.output(
            &["compile", "in.mlir", "--shard", &number, "-o", &file],
            &file,
        )?;
    }
    let linked = bench.output(
        &["link", "0.shard", "1.shard", "-o", "linked.o"],
        "linked.o",
    )?;
    ensure!(linked == whole);
    Ok(())
}
