//! Random functions with buffers of two or three independent dimensions: the arena takes little more than what is live at once, at
//! many values of the dimensions.

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::tools::Tools;
use memplan_problems::random::Random;
use memplan_report::{Report, Shape};
use std::fmt::Write;
use std::time::Duration;

/// Values of the dimensions at which arenas are compared with what is live.
const SAMPLES: usize = 60;

/// Functions of one kind, and the most thousandths of what is live.
struct Kind {
    functions: usize,
    buffers: usize,
    dimensions: usize,
    /// Whether each buffer is freed after its last use.
    frees: bool,
    /// Of the worst function at the worst values, and of the function in the middle.
    most: (u64, u64),
    /// The least number of functions that have an arena.
    planned: usize,
}

const KINDS: [Kind; 4] = [
    Kind {
        functions: 16,
        buffers: 12,
        dimensions: 2,
        frees: false,
        most: (1100, 1010),
        planned: 16,
    },
    Kind {
        functions: 16,
        buffers: 12,
        dimensions: 2,
        frees: true,
        most: (1100, 1010),
        planned: 15,
    },
    Kind {
        functions: 6,
        buffers: 40,
        dimensions: 2,
        frees: false,
        most: (1250, 1150),
        planned: 6,
    },
    Kind {
        functions: 8,
        buffers: 16,
        dimensions: 3,
        frees: true,
        most: (1150, 1050),
        planned: 6,
    },
];

/// A function: each buffer is filled where it is allocated, and read later.
fn function(name: &str, kind: &Kind, random: &mut Random) -> Result<String> {
    let times = kind.buffers * 2;
    let mut buffers = Vec::new();
    for number in 0..kind.buffers {
        let start = random.below(times);
        let end = (start + 1 + random.below(times / 3)).min(times);
        let bytes = [1, 2, 3, 4, 7, 8, 16][random.below(7)];
        let degree = [1, 1, 1, 2, 2, 3][random.below(6)];
        let dims: Vec<usize> = (0..degree).map(|_| random.below(kind.dimensions)).collect();
        buffers.push((number, start, end, bytes, dims));
    }
    let arguments: Vec<String> = (0..kind.dimensions)
        .map(|dim| format!("%n{dim}: index"))
        .collect();
    let mut text = format!("func.func @{name}({}, %x: i8) {{\n", arguments.join(", "));
    writeln!(text, "  %c0 = arith.constant 0 : index")?;
    for time in 0..=times {
        for (number, start, end, bytes, dims) in &buffers {
            let shape = "?x".repeat(dims.len());
            let memref = format!("memref<{bytes}x{shape}i8>");
            if *end == time {
                let zeros = vec!["%c0"; dims.len() + 1].join(", ");
                let read = format!("%v{number} = memref.load %b{number}[{zeros}] : {memref}");
                writeln!(text, "  {read}")?;
                writeln!(text, "  \"use\"(%v{number}) : (i8) -> ()")?;
                if kind.frees {
                    writeln!(text, "  memref.dealloc %b{number} : {memref}")?;
                }
            }
            if *start == time {
                let sizes: Vec<String> = dims.iter().map(|dim| format!("%n{dim}")).collect();
                let sizes = sizes.join(", ");
                writeln!(text, "  %b{number} = memref.alloc({sizes}) : {memref}")?;
                writeln!(
                    text,
                    "  linalg.fill ins(%x : i8) outs(%b{number} : {memref})"
                )?;
            }
        }
    }
    text.push_str("  return\n}\n");
    Ok(text)
}

#[test]
fn arenas_of_independent_dimensions_take_little_more_than_is_live() -> Result<()> {
    let tools = Tools::find()?;
    let mut random = Random(11);
    for kind in &KINDS {
        let folder = tempfile::tempdir()?;
        let (input, report) = (folder.path().join("in.mlir"), folder.path().join("r.json"));
        let texts = (0..kind.functions).map(|at| function(&format!("f{at}"), kind, &mut random));
        std::fs::write(&input, texts.collect::<Result<String>>()?)?;
        let pipeline = format!(
            "builtin.module(memplan-merge-alloc{{verify alignment=1 report={}}})",
            report.display()
        );
        output(
            limited(Duration::from_secs(120), tools.mlir_opt())
                .arg(&input)
                .arg("--allow-unregistered-dialect")
                .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
                .arg(format!("--pass-pipeline={pipeline}"))
                .args(["-o", "/dev/null"]),
        )?;
        let report = Report::from_json(&std::fs::read_to_string(&report)?)?;
        let mut worst: Vec<Option<u64>> = report
            .functions
            .iter()
            .map(|one| one.skipped.is_empty().then_some(0))
            .collect();
        for sample in 0..SAMPLES {
            let values = (0..kind.dimensions).map(|dim| {
                let power = random.below([13, 10, 5][sample % 3] + 1);
                format!("d{dim}={}", (1 << power) + random.below(1 << power))
            });
            let values: Vec<String> = values.collect();
            let shape = Shape::of(values.iter().map(String::as_str))?;
            let at = shape.at(&report)?;
            for (function, worst) in at.functions.iter().zip(&mut worst) {
                if let Some(worst) = worst {
                    let planned: u64 = function.scopes.iter().map(|one| one.planned_bytes).sum();
                    let live: u64 = function.scopes.iter().map(|one| one.load_bytes).sum();
                    *worst = (*worst).max(planned * 1000 / live.max(1));
                }
            }
        }
        let mut worst: Vec<u64> = worst.into_iter().flatten().collect();
        worst.sort_unstable();
        let all = format!(
            "{} buffers, {} dimensions, frees {}: {worst:?}",
            kind.buffers, kind.dimensions, kind.frees
        );
        ensure!(worst.len() >= kind.planned, "{all}");
        let most = worst.last().context("none is planned")?;
        let middle = worst[worst.len() / 2];
        ensure!(*most <= kind.most.0 && middle <= kind.most.1, "{all}");
    }
    Ok(())
}
