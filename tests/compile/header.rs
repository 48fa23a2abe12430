//! `memplan header`: its prototypes are those of the functions in objects.

use crate::bench::Bench;
use anyhow::{Context, Result, ensure};

/// Arenas of static and of dynamic size, in two memory spaces, and of a function whose name C does not have.
const PROGRAM: &str = "\
func.func @work(%y: memref<f32>, %x: memref<?x8xf32>, %k: i32, %b: i1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %d = memref.dim %x, %c0 : memref<?x8xf32>
  %n = arith.index_cast %k : i32 to index
  %a = memref.alloc(%d) : memref<?x8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x8xf32>)
  %c = memref.alloc(%n) : memref<?xf64>
  %w = arith.constant 1.0 : f64
  linalg.fill ins(%w : f64) outs(%c : memref<?xf64>)
  memref.copy %a, %x : memref<?x8xf32> to memref<?x8xf32>
  %r = memref.load %c[%c0] : memref<?xf64>
  %s = arith.truncf %r : f64 to f32
  memref.store %s, %y[] : memref<f32>
  return
}
func.func @fixed(%x: memref<100xf32>) {
  %a = memref.alloc() : memref<100xf32>
  linalg.exp ins(%x : memref<100xf32>) outs(%a : memref<100xf32>)
  memref.copy %a, %x : memref<100xf32> to memref<100xf32>
  return
}
func.func @\"a.*/b\"(%x: memref<100xf32>) {
  %a = memref.alloc() : memref<100xf32>
  linalg.exp ins(%x : memref<100xf32>) outs(%a : memref<100xf32>)
  memref.copy %a, %x : memref<100xf32> to memref<100xf32>
  return
}
";

const MAIN: &str = "\
#include \"plan.h\"
#include \"plan.h\"
#include <stdio.h>
int main(void) {
  memplan_arena fixed = fixed_arena_size();
  memplan_arena work = work_arena_size(5, 7);
  printf(\"%d %d\\n\", (int)fixed.size, (int)fixed.alignment);
  printf(\"%d %d\\n\", (int)work.size, (int)work.alignment);
  return 0;
}
";

#[test]
fn prototypes_are_those_of_the_object() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", PROGRAM)?;
    bench.write("main.c", MAIN)?;
    bench.write("main.cpp", MAIN)?;
    let plugin = format!("--load-pass-plugin={}", bench.tools.plugin.display());
    let pipeline = "--pass-pipeline=builtin.module(memplan-merge-alloc{arena=arg verify})";
    bench.tool(
        "mlir-opt",
        &["in.mlir", &plugin, pipeline, "-o", "plan.mlir"],
    )?;
    let text = bench.output(&["header", "plan.mlir", "-o", "plan.h"], "plan.h")?;
    let text = String::from_utf8(text)?;
    ensure!(text == include_str!("plan.h"), "another header: {text}");
    bench.output(&["compile", "plan.mlir", "-o", "plan.o"], "plan.o")?;
    let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", "program"];
    for compiler in [
        &["cc", "-std=c99", "main.c"],
        &["c++", "-std=c++17", "main.cpp"],
    ] {
        let (name, first) = compiler.split_first().context("no compiler")?;
        bench.tool(name, &[first, &["plan.o", "-lm"][..], &strict].concat())?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        // 7 numbers of 8 bytes, rounded up to 64, and 5 * 8 floats.
        ensure!(printed == "400 64\n224 64\n", "{name}: {printed}");
    }
    let wrong = bench.run(&["header", "in.mlir"])?;
    let message = String::from_utf8(wrong.stderr)?;
    ensure!(wrong.status.code() == Some(2), "{message}");
    ensure!(
        message.contains("in.mlir has no function @NAME_arena_size"),
        "{message}"
    );
    Ok(())
}
