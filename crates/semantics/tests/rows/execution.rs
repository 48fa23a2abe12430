//! Observes an operation when it is executed, using only upstream's lowering and `mlir-runner`.
//!
//! The operation runs once on memory with known contents, and once more for each memory operand with other contents.
//! Bytes that change are written. An operand is read if its other contents change a result, other memory, or the
//! written bytes. An operand is not overwritten completely if an element differs between two runs that differ only in
//! the contents of this operand. A returned pointer into the memory of an operand is a view of the operand.

use crate::{
    facts::{Facts, Source},
    lowering::PIPELINE,
    program::{AT_START, ELSEWHERE, Kind, Program},
};
use anyhow::{Result, ensure};
use memplan_harness::{
    command::{limited, output},
    tools::llvm_prefix,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(60);

/// The fields that identify a line of the output.
type Key = (usize, Kind, usize, i64);

/// The variant with the usual contents in all memory. Each other variant changes the contents for one argument.
const BASE: i64 = -1;

/// A repetition of that variant: values that differ are addresses.
const AGAIN: i64 = -2;

/// Executes programs with functions named `isolated_NUMBER`.
pub fn execute(all: &[Program]) -> Result<Vec<Facts>> {
    let folder = tempfile::tempdir()?;
    let mut text = String::from(
        "module attributes {gpu.container_module} {\nfunc.func private @printI64(i64)\n\
         func.func private @printComma()\nfunc.func private @printNewline()\n\
         func.func @number(%x: i64) {\nfunc.call @printI64(%x) : (i64) -> ()\nfunc.call @printComma() : () -> ()\nreturn\n}\n",
    );
    let mut main = String::from("func.func @main() {\n");
    for program in all {
        let number = program.number;
        text.push_str(&program.function);
        text.push_str(&program.text());
        let variants = program.memories().map(|(at, _)| at as i64);
        for variant in [BASE, AGAIN].into_iter().chain(variants) {
            let name = format!("%v{number}_{}", variant - AGAIN);
            _ = writeln!(
                main,
                "{name} = arith.constant {variant} : i64\nfunc.call @run_{number}({name}) : (i64) -> ()"
            );
        }
    }
    text.push_str(&main);
    text.push_str("return\n}\n}\n");
    let source = folder.path().join("programs.mlir");
    let lowered = folder.path().join("lowered.mlir");
    fs::write(&source, &text)?;
    let bin = llvm_prefix().join("bin");
    output(
        limited(LIMIT, bin.join("mlir-opt"))
            .arg(&source)
            .arg(format!("--pass-pipeline=builtin.module({PIPELINE})"))
            .arg("-o")
            .arg(&lowered),
    )?;
    // The last pass converts 16-bit floats on processors without them.
    let libraries = [
        "libmlir_runner_utils.so",
        "libmlir_c_runner_utils.so",
        "libmlir_float16_utils.so",
    ]
    .map(|name| llvm_prefix().join("lib").join(name).display().to_string());
    let printed = output(
        limited(LIMIT, bin.join("mlir-runner"))
            .arg(&lowered)
            .args(["-e", "main", "--entry-point-result=void", "-O0"])
            .arg(format!("--shared-libs={}", libraries.join(","))),
    )?;
    let mut values: BTreeMap<Key, Vec<i64>> = BTreeMap::new();
    for line in String::from_utf8(printed)?.lines() {
        let numbers = line.split(", ").filter(|one| !one.is_empty());
        let numbers: Vec<i64> = numbers.map(str::parse).collect::<Result<_, _>>()?;
        let [number, kind, at, variant, ..] = numbers[..] else {
            continue;
        };
        let kind = [Kind::Memory, Kind::Numbers, Kind::Pointer][kind as usize];
        let key = (number as usize, kind, at as usize, variant);
        values.insert(key, numbers[4..].to_vec());
    }
    let same: BTreeMap<Key, Vec<i64>> = values
        .iter()
        .filter(|((number, kind, at, _), _)| {
            let get = |variant| values.get(&(*number, *kind, *at, variant));
            get(BASE) == get(AGAIN)
        })
        .map(|(key, numbers)| (*key, numbers.clone()))
        .collect();
    all.iter().map(|program| observed(program, &same)).collect()
}

/// Derives facts from the runs of a program.
fn observed(program: &Program, values: &BTreeMap<Key, Vec<i64>>) -> Result<Facts> {
    let number = program.number;
    let mut facts = Facts::default();
    let get = |kind, at, variant| values.get(&(number, kind, at, variant));
    let memories: Vec<_> = program.memories().collect();
    for &(at, buffer) in &memories {
        let variant = at as i64;
        let (Some(after), Some(other)) =
            (get(Kind::Memory, at, BASE), get(Kind::Memory, at, variant))
        else {
            // An address was stored there.
            continue;
        };
        let (before, other_before) = (buffer.contents(at, false), buffer.contents(at, true));
        ensure!(after.len() == before.len(), "elements of program {number}");
        let (mut writes, mut reads, mut in_part) = (false, false, false);
        for place in 0..after.len() {
            let differs = after[place] != other[place];
            in_part |= differs;
            let (Some(before), Some(other_before)) = (before[place], other_before[place]) else {
                continue;
            };
            let is_written = after[place] != before || other[place] != other_before;
            writes |= is_written;
            reads |= differs && is_written;
        }
        for (memory, _) in memories.iter().filter(|(one, _)| *one != at) {
            let base = get(Kind::Memory, *memory, BASE);
            reads |= base != get(Kind::Memory, *memory, variant);
        }
        for result in 0..program.results.len() {
            let base = get(Kind::Numbers, result, BASE);
            reads |= base != get(Kind::Numbers, result, variant);
        }
        for operand in &program.operands[at] {
            let add = |is_so, into: &mut BTreeMap<usize, BTreeSet<Source>>| {
                if is_so {
                    into.entry(*operand).or_default().insert(Source::Execution);
                }
            };
            add(writes, &mut facts.writes);
            add(reads, &mut facts.reads);
            add(in_part, &mut facts.in_part);
        }
    }
    for result in 0..program.results.len() {
        let Some(inside) = get(Kind::Pointer, result, BASE) else {
            continue;
        };
        for ((at, _), place) in memories.iter().zip(inside) {
            for operand in &program.operands[*at] {
                let key = (result, *operand);
                if *place == ELSEWHERE {
                    continue;
                }
                let of = facts.of.entry(key).or_default();
                of.insert(Source::Execution);
                if *place != AT_START {
                    let moved = facts.moved.entry(key).or_default();
                    moved.insert(Source::Execution);
                }
            }
        }
    }
    Ok(facts)
}
