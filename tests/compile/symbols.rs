//! Symbols, linkages, module-level assembly and module attributes keep their meaning in the object.

use crate::bench::Bench;
use anyhow::{Result, ensure};

#[test]
fn private_names_of_two_objects_do_not_clash() -> Result<()> {
    let bench = Bench::new()?;
    for (name, number) in [("one", 1), ("two", 2)] {
        bench.write(
            &format!("{name}.mlir"),
            &format!(
                "memref.global \"private\" constant @data : memref<2xi32> = dense<[{number}, 0]>\n\
                 memref.global \"private\" @state : memref<1xi32> = uninitialized\n\
                 func.func private @helper(%x: i32) -> i32 {{\n  \
                 %c0 = arith.constant 0 : index\n  %d = memref.get_global @data : memref<2xi32>\n  \
                 %s = memref.get_global @state : memref<1xi32>\n  memref.store %x, %s[%c0] : memref<1xi32>\n  \
                 %v = memref.load %d[%c0] : memref<2xi32>\n  %r = arith.addi %v, %x : i32\n  return %r : i32\n}}\n\
                 func.func @{name}(%x: i32) -> i32 {{\n  %v = vector.broadcast %x : i32 to vector<2xi32>\n  \
                 vector.print %v : vector<2xi32>\n  \
                 %r = func.call @helper(%x) : (i32) -> i32\n  return %r : i32\n}}\n"
            ),
        )?;
        let (input, object) = (format!("{name}.mlir"), format!("{name}.o"));
        bench.output(&["compile", &input], &object)?;
        let (form, text) = (format!("{name}.s"), format!("{name}.s.o"));
        bench.output(&["compile", &input, "--emit", "asm"], &form)?;
        bench.tool("clang", &["-c", &form, "-o", &text])?;
    }
    bench.write(
        "main.c",
        "#include <stdio.h>\nint one(int);\nint two(int);\n\
         int main(void) { int a = one(10), b = two(20); printf(\"%d %d\\n\", a, b); return 0; }\n",
    )?;
    for objects in [
        ["one.o", "two.o"],
        ["one.s.o", "two.o"],
        ["two.s.o", "one.s.o"],
    ] {
        let files = [&["main.c"], &objects[..]].concat();
        let printed = bench.printed_with("-lmlir_c_runner_utils", &files)?;
        ensure!(
            printed == "( 10, 10 )\n( 20, 20 )\n11 22\n",
            "{objects:?}: {printed}"
        );
    }
    Ok(())
}

/// Linkages, constructors, addresses in data, groups.
const LINKAGES: &str = include_str!("linkages.mlir");

#[test]
fn linkages_constructors_and_groups_keep_their_meaning() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", LINKAGES)?;
    bench.write("main.c", include_str!("linkages.c"))?;
    let ours = bench.output(&["compile", "in.mlir", "-j", "1"], "in.o")?;
    ensure!(bench.output(&["compile", "in.mlir", "-j", "4"], "in.o")? == ours);
    bench.output(&["compile", "in.mlir", "--emit", "asm"], "in.s")?;
    bench.tool("clang", &["-c", "in.s", "-o", "asm.o"])?;
    bench.tool(
        "mlir-translate",
        &["--mlir-to-llvmir", "in.mlir", "-o", "in.ll"],
    )?;
    let pic = "--relocation-model=pic";
    bench.tool("llc", &[pic, "--filetype=obj", "in.ll", "-o", "llc.o"])?;
    for object in ["in.o", "asm.o", "llc.o"] {
        bench.tool("cc", &["main.c", object, "-o", "program"])?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        ensure!(printed == "75 8 50 50 7 50 9\n", "{object}: {printed}");
    }
    Ok(())
}

#[test]
fn nested_symbol_tables_keep_their_names() -> Result<()> {
    let bench = Bench::new()?;
    let global = |name: &str, value: u32| {
        format!("memref.global \"private\" constant @{name} : memref<2xi32> = dense<{value}>\n")
    };
    bench.write(
        "in.mlir",
        &format!(
            "{}{}gpu.module @kernels {{\n{}{}gpu.func @k(%i: index) -> i32 {{\n  \
             %b = memref.get_global @b : memref<2xi32>\n  %v = memref.load %b[%i] : memref<2xi32>\n  \
             gpu.return %v : i32\n}}\n}}\nfunc.func @f() -> memref<2xi32> {{\n  \
             %b = memref.get_global @b : memref<2xi32>\n  return %b : memref<2xi32>\n}}\n",
            global("a", 9),
            global("b", 9),
            global("a", 3),
            global("b", 4),
        ),
    )?;
    let arguments = [
        "compile",
        "in.mlir",
        "--emit=mlir",
        "--pass-pipeline=",
        "-o",
        "out.mlir",
    ];
    let text = String::from_utf8(bench.output(&arguments, "out.mlir")?)?;
    let kernel = text.split("gpu.module").nth(1).unwrap_or_default();
    let kernel = kernel.split("gpu.return").next().unwrap_or_default();
    ensure!(kernel.contains("memref.get_global @b"), "{text}");
    ensure!(text.matches("dense<9>").count() == 1, "{text}");
    ensure!(text.matches("memref.get_global @a").count() == 1, "{text}");
    Ok(())
}

#[test]
fn assembly_and_shared_symbols_are_unique() -> Result<()> {
    let bench = Bench::new()?;
    // Two partitions, if nothing ties them.
    let filled = |number: usize| -> String {
        let lines = (0..700).map(|at| format!("  %{} = llvm.add %{at}, %x : i32\n", at + 1));
        format!(
            "llvm.func @fill{number}(%x: i32) -> i32 {{\n  %0 = llvm.add %x, %x : i32\n{}  llvm.return %700 : i32\n}}\n",
            lines.collect::<String>()
        )
    };
    let caller = |name: &str| {
        format!(
            "llvm.func @{name}() -> i32 {{\n  omp.critical {{\n    omp.terminator\n  }}\n  \
             %0 = llvm.call @helper() : () -> i32\n  llvm.return %0 : i32\n}}\n"
        )
    };
    bench.write(
        "in.mlir",
        &format!(
            "module attributes {{llvm.module_asm = [\".local helper\", \"helper: mov $42, %eax\", \"ret\"]}} {{\n\
             llvm.func @helper() -> i32\n{}{}{}{}}}\n",
            filled(0),
            caller("f"),
            filled(1),
            caller("g").replace("llvm.call @helper() : ()", "llvm.call @fill0(%c) : (i32)").replace(
                "omp.critical",
                "%c = llvm.mlir.constant(0 : i32) : i32\n  omp.critical"
            ),
        ),
    )?;
    bench.write(
        "main.c",
        "#include <stdio.h>\nint f(void), g(void);\nstatic void *seen;\nstatic int locks;\n\
         int __kmpc_global_thread_num(void *at) { return 0; }\n\
         void __kmpc_critical(void *at, int t, void *lock) { if (lock != seen) locks++; seen = lock; }\n\
         void __kmpc_critical_with_hint(void *at, int t, void *lock, unsigned h) { __kmpc_critical(at, t, lock); }\n\
         void __kmpc_end_critical(void *at, int t, void *lock) {}\n\
         int main(void) { int a = f(), b = g(); printf(\"%d %d %d\\n\", a, b, locks); return 0; }\n",
    )?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    bench.tool("cc", &["main.c", "in.o", "-o", "program"])?;
    let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
    ensure!(printed == "42 0 1\n", "{printed}");
    Ok(())
}

#[test]
fn module_attributes_are_kept() -> Result<()> {
    let bench = Bench::new()?;
    let attributes = "llvm.target_triple = \"aarch64-unknown-linux-gnu\", \
                      llvm.module_asm = [\".globl three\", \"three: mov w0, #3\", \"ret\"]";
    let functions = "func.func private @three() -> i32\n\
                     func.func @f() -> i32 {\n  %0 = call @three() : () -> i32\n  return %0 : i32\n}\n\
                     func.func @g() -> i32 {\n  %0 = call @f() : () -> i32\n  return %0 : i32\n}\n";
    for functions in ["", functions] {
        let text = format!("module attributes {{{attributes}}} {{\n{functions}}}\n");
        bench.write("in.mlir", &text)?;
        bench.output(&["compile", "in.mlir"], "in.o")?;
        let file = bench.tool("llvm-readelf", &["-h", "in.o"])?;
        ensure!(file.contains("AArch64"), "{file}");
        let symbols = bench.tool("llvm-readelf", &["-sW", "in.o"])?;
        ensure!(symbols.matches(" three\n").count() == 1, "{symbols}");
        let text = bench.output(&["compile", "in.mlir", "--emit", "llvm"], "in.ll")?;
        let text = String::from_utf8(text)?;
        ensure!(
            text.contains("target triple = \"aarch64-unknown-linux-gnu\""),
            "{text}"
        );
    }
    // An explicit target overrides the module's.
    bench.write(
        "in.mlir",
        "module attributes {llvm.target_triple = \"aarch64-linux-gnu\"} {}\n",
    )?;
    bench.output(
        &["compile", "in.mlir", "--target", "riscv64-linux-gnu"],
        "in.o",
    )?;
    let file = bench.tool("llvm-readelf", &["-h", "in.o"])?;
    ensure!(file.contains("RISC-V"), "{file}");
    Ok(())
}
