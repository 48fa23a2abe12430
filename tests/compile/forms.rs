//! Objects that any linker accepts, other output formats of the same program, and programs that print the expected
//! output.

use crate::bench::{Bench, LIMIT, expected_text};
use crate::programs::{caller, module, of};
use anyhow::{Context, Result, ensure};
use memplan_harness::{
    command::{limited, output},
    networks::Network,
};
use std::{fs, path::Path};

#[test]
fn any_linker_takes_the_object_for_c_and_c_plus_plus() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(12)))?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.write("caller.cpp", &caller(12))?;
    bench.write("caller.c", &caller(12))?;
    let lld = format!("--ld-path={}", bench.tools.bin().join("ld.lld").display());
    for (compiler, source, linker) in [
        ("cc", "caller.c", "-fuse-ld=bfd"),
        ("c++", "caller.cpp", "-fuse-ld=bfd"),
        ("clang", "caller.c", &lld),
    ] {
        bench.tool(compiler, &[linker, source, "in.o", "-lm", "-o", "program"])?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        ensure!(printed == expected_text(12), "{compiler}: {printed}");
    }
    bench.tool("ld", &["-r", "in.o", "-o", "again.o"])?;
    ensure!(bench.executed("again.o", 12)? == expected_text(12));
    let symbols = bench.tool("llvm-readelf", &["-sW", "in.o"])?;
    let of = |name: &str| {
        symbols
            .lines()
            .filter(|line| line.ends_with(name))
            .collect::<Vec<_>>()
    };
    let helper = of(" h1");
    ensure!(
        helper.len() == 1 && helper[0].contains("LOCAL"),
        "{helper:?}"
    );
    // Of the eight constants, two are distinct.
    let kept: Vec<&str> = (0..8).flat_map(|at| of(&format!(" w{at}"))).collect();
    ensure!(kept.len() == 2, "{kept:?}");
    Ok(())
}

#[test]
fn each_form_is_the_same_program() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(8)))?;
    bench.output(&["compile", "in.mlir", "--emit", "asm"], "in.s")?;
    bench.tool("clang", &["-c", "in.s", "-o", "asm.o"])?;
    ensure!(bench.executed("asm.o", 8)? == expected_text(8));
    bench.output(
        &["compile", "in.mlir", "--emit", "mlir", "-o", "low.mlir"],
        "low.mlir",
    )?;
    bench.output(
        &[
            "compile",
            "low.mlir",
            "--pass-pipeline=builtin.module()",
            "-o",
            "low.o",
        ],
        "low.o",
    )?;
    ensure!(bench.executed("low.o", 8)? == expected_text(8));
    // Bytecode is equivalent to text.
    let whole = bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.tool(
        "mlir-opt",
        &["--emit-bytecode", "in.mlir", "-o", "in.mlirbc"],
    )?;
    ensure!(bench.output(&["compile", "in.mlirbc", "-o", "bytecode.o"], "bytecode.o")? == whole);
    // LLVM's optimizations keep private symbols private.
    bench.output(
        &[
            "compile",
            "in.mlir",
            "--llvm-passes",
            "default<O2>",
            "-o",
            "fast.o",
        ],
        "fast.o",
    )?;
    ensure!(bench.executed("fast.o", 8)? == expected_text(8));
    Ok(())
}

#[test]
fn arguments_come_from_files_and_modules_through_pipes() -> Result<()> {
    let bench = Bench::new()?;
    let input = bench.write("in.mlir", &module(of(5)))?;
    let whole = bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.write("arguments", "in.mlir\n-o\nout.o\n-j\n3\n")?;
    ensure!(bench.output(&["compile", "@arguments"], "out.o")? == whole);
    let mut command = limited(LIMIT, &bench.tools.memplan);
    command.args(["compile", "-", "-o", "-"]);
    command.stdin(fs::File::open(input)?);
    ensure!(output(&mut command)? == whole);
    Ok(())
}

#[test]
fn locations_are_kept_as_debug_information() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(9)))?;
    bench.output(&["compile", "in.mlir", "-g"], "in.o")?;
    bench.write("caller.c", &caller(9))?;
    bench.tool("clang", &["caller.c", "in.o", "-lm", "-o", "program"])?;
    bench.tool("llvm-dwarfdump", &["--verify", "program"])?;
    let lines = bench.tool("llvm-dwarfdump", &["--debug-line", "program"])?;
    ensure!(lines.contains("in.mlir"), "no lines of the source");
    let text = module(of(9));
    let line = text
        .lines()
        .position(|line| line.contains("@f7("))
        .context("no f7")?
        + 1;
    let found = bench.tool("llvm-symbolizer", &["--obj=program", "f7"])?;
    ensure!(found.contains(&format!("in.mlir:{line}")), "{found}");
    Ok(())
}

#[test]
fn coroutines_become_code() -> Result<()> {
    let bench = Bench::new()?;
    bench.write(
        "in.mlir",
        "func.func @twice(%m: memref<4xf32>) -> f32 {\n  %c0 = arith.constant 0 : index\n  \
         %t = async.execute {\n    %v = memref.load %m[%c0] : memref<4xf32>\n    \
         %w = arith.addf %v, %v : f32\n    memref.store %w, %m[%c0] : memref<4xf32>\n    async.yield\n  }\n  \
         async.await %t : !async.token\n  %r = memref.load %m[%c0] : memref<4xf32>\n  return %r : f32\n}\n\
         func.func @call(%x: f32) -> f32 attributes {llvm.emit_c_interface} {\n  \
         %c0 = arith.constant 0 : index\n  %m = memref.alloc() : memref<4xf32>\n  \
         memref.store %x, %m[%c0] : memref<4xf32>\n  \
         %r = call @twice(%m) : (memref<4xf32>) -> f32\n  return %r : f32\n}\n",
    )?;
    bench.write(
        "main.c",
        "#include <stdio.h>\nfloat call(float);\n\
         int main(void) { printf(\"%g\\n\", call(21)); return 0; }\n",
    )?;
    for more in [&[][..], &["--llvm-passes", "default<O2>"], &["-O0"]] {
        let mut arguments = vec!["compile", "in.mlir"];
        arguments.extend(more);
        bench.output(&arguments, "in.o")?;
        let printed = bench.printed_with("-lmlir_async_runtime", &["main.c", "in.o"])?;
        ensure!(printed == "42\n", "{more:?}: {printed}");
    }
    Ok(())
}

/// A network with its driver, whose `main` is the entry point.
fn with_driver(network: &Network, driver: &str) -> Result<String> {
    let end = network.text.rfind("\n}").context("no end")?;
    Ok(format!("{}\n{driver}\n}}\n", &network.text[..end]))
}

#[test]
fn small_networks_print_what_they_should() -> Result<()> {
    let bench = Bench::new()?;
    let mut count = 0;
    for network in Network::all()?.iter().filter(|network| network.is_small()) {
        let models = network
            .file()
            .parent()
            .and_then(Path::parent)
            .context("no folder")?
            .to_owned();
        let driver = models.join(format!("run/{}.driver.mlir", network.name));
        let text = with_driver(network, &fs::read_to_string(driver)?)?;
        bench.write("in.mlir", &text.replace("@main", "@driver"))?;
        bench.output(&["compile", "in.mlir"], "in.o")?;
        bench.write(
            "main.c",
            "void driver(void);\nint main(void) { driver(); return 0; }\n",
        )?;
        let runtime = models.join("runtime.c").display().to_string();
        bench.tool(
            "cc",
            &["-O1", "main.c", "in.o", &runtime, "-lm", "-o", "program"],
        )?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        let expected = fs::read_to_string(models.join(format!("run/{}.expected", network.name)))?;
        ensure!(
            printed.trim() == expected.trim(),
            "{}: {printed} {expected}",
            network.name
        );
        count += 1;
    }
    ensure!(count >= 5, "{count} small networks");
    Ok(())
}

/// MLIR calls a function of its runtime library for these copies. The caller passes memrefs without rank whose elements
/// lie apart.
#[test]
fn copies_of_memrefs_without_rank_need_no_library() -> Result<()> {
    let bench = Bench::new()?;
    let text = "func.func @copy(%a: memref<*xf32>, %b: memref<*xf32>) attributes {llvm.emit_c_interface} {\n  \
        memref.copy %a, %b : memref<*xf32> to memref<*xf32>\n  return\n}\n\
        func.func @again(%a: memref<*xf32>, %b: memref<*xf32>) {\n  \
        memref.copy %b, %a : memref<*xf32> to memref<*xf32>\n  return\n}\n";
    bench.write("in.mlir", text)?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    let undefined = bench.tool("llvm-nm", &["-u", "--format=just-symbols", "in.o"])?;
    ensure!(undefined.trim() == "memcpy", "{undefined}");
    bench.write(
        "caller.c",
        "#include <stdio.h>\n\
         struct memref { float *allocated, *aligned; long offset, sizes[2], strides[2]; };\n\
         struct unranked { long rank; struct memref *memref; };\n\
         void _mlir_ciface_copy(struct unranked *, struct unranked *);\n\
         int main(void) {\n\
           float from[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, to[12] = {0};\n\
           struct memref a = {from, from, 1, {2, 3}, {1, 4}}, b = {to, to, 0, {2, 3}, {6, 2}};\n\
           struct unranked one = {2, &a}, other = {2, &b};\n\
           _mlir_ciface_copy(&one, &other);\n\
           for (int i = 0; i < 12; ++i) printf(\"%g \", to[i]);\n\
         }\n",
    )?;
    bench.tool("cc", &["caller.c", "in.o", "-o", "program"])?;
    let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
    ensure!(printed == "1 0 5 0 9 0 2 0 6 0 10 0 ", "{printed}");
    Ok(())
}

/// The expected numbers were computed in double precision, from the definitions.
#[test]
fn expanded_operations_compute_what_they_say_and_leave_no_memory() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", include_str!("expanded.mlir"))?;
    bench.write("caller.c", include_str!("expanded.c"))?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.tool("cc", &["caller.c", "in.o", "-lm", "-o", "program"])?;
    let program = bench.path("program").display().to_string();
    let printed = bench.tool(&program, &[])?;
    ensure!(printed == include_str!("expanded.txt"), "{printed}");
    if bench.tools.valgrind.is_some() {
        bench.tool(
            "valgrind",
            &["-q", "--leak-check=full", "--error-exitcode=9", &program],
        )?;
    }
    Ok(())
}

/// The caller computes what each element should be.
#[test]
fn masked_transfers_read_what_the_mask_says() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", include_str!("masked.mlir"))?;
    bench.write("caller.c", include_str!("masked.c"))?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.tool("cc", &["caller.c", "in.o", "-lm", "-o", "program"])?;
    let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
    ensure!(printed == "same\n", "{printed}");
    Ok(())
}

/// A program may have a function of the name that MLIR calls to copy memrefs.
#[test]
fn a_function_of_the_program_is_not_that_of_mlir() -> Result<()> {
    let bench = Bench::new()?;
    let copy = "func.func @copy(%a: memref<*xf32>, %b: memref<*xf32>, %i: i32) -> i32 attributes {llvm.emit_c_interface} {\n  \
        memref.copy %a, %b : memref<*xf32> to memref<*xf32>\n  \
        %r = func.call @memrefCopy(%i) : (i32) -> i32\n  return %r : i32\n}\n";
    let defined = "func.func @memrefCopy(%i: i32) -> i32 attributes {llvm.emit_c_interface} {\n  \
        %c = arith.constant 40 : i32\n  %r = arith.addi %i, %c : i32\n  return %r : i32\n}\n";
    let declared = "func.func private @memrefCopy(i32) -> i32\n";
    let caller = "#include <stdio.h>\n\
        typedef struct { float *allocated, *aligned; long offset, sizes[2], strides[2]; } Memref;\n\
        typedef struct { long rank; Memref *descriptor; } Unranked;\n\
        int _mlir_ciface_copy(Unranked *, Unranked *, int);\n\
        #ifdef OWN\n\
        int memrefCopy(int i) { return i + 40; }\n\
        #else\n\
        int _mlir_ciface_memrefCopy(int);\n\
        #define memrefCopy _mlir_ciface_memrefCopy\n\
        #endif\n\
        int main(void) {\n\
          float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {0};\n\
          Memref from = {a, a, 0, {2, 3}, {1, 2}}, to = {b, b, 0, {2, 3}, {3, 1}};\n\
          Unranked one = {2, &from}, other = {2, &to};\n\
          int r = _mlir_ciface_copy(&one, &other, 2);\n\
          printf(\"%d %d:\", r, memrefCopy(3));\n\
          for (int i = 0; i < 6; ++i) printf(\" %g\", b[i]);\n\
        }\n";
    bench.write("caller.c", caller)?;
    for (own, option) in [(defined, "-DNONE"), (declared, "-DOWN")] {
        bench.write("in.mlir", &format!("{copy}{own}"))?;
        bench.output(&["compile", "in.mlir"], "in.o")?;
        // The same from lowered MLIR, whose functions have all names.
        let lowered = ["compile", "in.mlir", "--emit", "mlir", "-o", "low.mlir"];
        bench.output(&lowered, "low.mlir")?;
        let again = ["compile", "low.mlir", "--pass-pipeline=builtin.module()"];
        bench.output(&again, "low.o")?;
        for object in ["in.o", "low.o"] {
            bench.tool("cc", &["caller.c", option, object, "-o", "program"])?;
            let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
            ensure!(printed == "42 43: 1 3 5 2 4 6", "{object}: {printed}");
        }
    }
    Ok(())
}
