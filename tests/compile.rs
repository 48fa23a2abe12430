//! `memplan compile` and `memplan link`: the same bytes whatever the threads, objects that any linker takes, and programs
//! that print what they should.

mod compile {
    pub mod programs;
}

use anyhow::{Context, Result, ensure};
use compile::programs::{Shape, caller, expected, module, of};
use memplan_harness::{
    command::{limited, output},
    networks::Network,
    tools::Tools,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Output,
    time::Duration,
};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

/// A folder, and the tools.
struct Bench {
    tools: Tools,
    folder: TempDir,
}

impl Bench {
    fn new() -> Result<Self> {
        Ok(Self {
            tools: Tools::with_memplan()?,
            folder: TempDir::new()?,
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Runs memplan in the folder.
    fn run(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = limited(LIMIT, &self.tools.memplan);
        command.args(arguments).current_dir(self.folder.path());
        Ok(command.output()?)
    }

    /// The same, which has to succeed; what it made.
    fn made(&self, arguments: &[&str], file: &str) -> Result<Vec<u8>> {
        let done = self.run(arguments)?;
        ensure!(
            done.status.success(),
            "memplan {arguments:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        fs::read(self.path(file)).with_context(|| format!("no {file}"))
    }

    /// Runs a tool in the folder, which has to succeed.
    fn tool(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let llvm = self.tools.bin().join(name);
        let program = if llvm.is_file() { llvm } else { name.into() };
        let mut command = limited(LIMIT, program);
        command.args(arguments).current_dir(self.folder.path());
        Ok(String::from_utf8(output(&mut command)?)?)
    }

    /// What the program prints that an object and a caller are linked to.
    fn executed(&self, object: &str, functions: usize) -> Result<String> {
        self.write("caller.c", &caller(functions))?;
        self.tool("cc", &["caller.c", object, "-lm", "-o", "program"])?;
        self.tool(&self.path("program").display().to_string(), &[])
    }
}

fn expected_text(functions: usize) -> String {
    let numbers = 0..functions;
    numbers
        .map(|number| format!("{}\n", expected(number, 1.0, 3)))
        .collect()
}

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
            let object = bench.made(&arguments, "out.o")?;
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

#[test]
fn all_that_fails_is_told_in_order_and_nothing_is_written() -> Result<()> {
    let bench = Bench::new()?;
    let shape = Shape {
        failing: &[2, 3, 40, 59],
        ..of(60)
    };
    bench.write("in.mlir", &module(shape))?;
    let mut first: Option<String> = None;
    for jobs in ["1", "2", "4", "8"] {
        let done = bench.run(&["compile", "in.mlir", "-o", "out.o", "-j", jobs])?;
        ensure!(done.status.code() == Some(1), "{:?}", done.status);
        ensure!(!bench.path("out.o").exists(), "there is an object");
        let text = String::from_utf8(done.stderr)?;
        let told: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("func.func @f"))
            .filter_map(|line| line["func.func @".len()..].split('(').next())
            .collect();
        let mut functions = told.clone();
        functions.dedup();
        ensure!(functions == ["f2", "f3", "f40", "f59"], "{text}");
        ensure!(
            text.contains("in.mlir:") && text.contains(": error: "),
            "{text}"
        );
        ensure!(
            *first.get_or_insert(text.clone()) == text,
            "-j {jobs} says something else"
        );
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
            // Where it goes to is an address; padding is not the function's.
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
    bench.made(&["compile", "in.mlir"], "in.o")?;
    bench.made(&["compile", "back.mlir"], "back.o")?;
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
        ensure!(bench.made(&["compile", "in.mlir", "-j", jobs], "in.o")? == one);
    }
    // The same program as what lowers the module as a whole.
    let whole = bench.executed("one.o", 60)?;
    let lowered = bench.made(&["compile", "in.mlir", "--emit", "llvm"], "in.ll")?;
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
        let whole = bench.made(&["compile", "in.mlir", "--report", "in.json"], "in.o")?;
        let plans = fs::read(bench.path("in.json"))?;
        for shard in ["0/3", "1/3", "2/3"] {
            let name = format!("{}.shard", &shard[..1]);
            bench.made(
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
        ensure!(bench.made(&arguments, "linked.o")? == whole);
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
    let whole = bench.made(&["compile", "in.mlir", "-O1", "-o", "whole.o"], "whole.o")?;
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
    bench.made(&arguments, "build.ninja")?;
    bench.tool("ninja", &[])?;
    ensure!(fs::read(bench.path("in.o"))? == whole);
    ensure!(bench.tool("ninja", &[])?.contains("no work to do"));
    // A shard that was lost is made again.
    fs::remove_file(bench.path("in.o.1.shard"))?;
    bench.tool("ninja", &[])?;
    ensure!(fs::read(bench.path("in.o"))? == whole);
    Ok(())
}

#[test]
fn any_linker_takes_the_object_for_c_and_c_plus_plus() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(12)))?;
    bench.made(&["compile", "in.mlir"], "in.o")?;
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
    // Of the eight constants, two differ.
    let kept: Vec<&str> = (0..8).flat_map(|at| of(&format!(" w{at}"))).collect();
    ensure!(kept.len() == 2, "{kept:?}");
    Ok(())
}

#[test]
fn private_names_of_two_objects_do_not_meet() -> Result<()> {
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
        bench.made(&["compile", &input], &object)?;
        let (form, text) = (format!("{name}.s"), format!("{name}.s.o"));
        bench.made(&["compile", &input, "--emit", "asm"], &form)?;
        bench.tool("clang", &["-c", &form, "-o", &text])?;
    }
    bench.write(
        "main.c",
        "#include <stdio.h>\nint one(int);\nint two(int);\n\
         int main(void) { int a = one(10), b = two(20); printf(\"%d %d\\n\", a, b); return 0; }\n",
    )?;
    let library = bench.tools.bin().with_file_name("lib");
    let (folder, path) = (
        format!("-L{}", library.display()),
        format!("-Wl,-rpath,{}", library.display()),
    );
    for objects in [
        ["one.o", "two.o"],
        ["one.s.o", "two.o"],
        ["two.s.o", "one.s.o"],
    ] {
        let mut arguments = vec!["main.c", &folder, &path, "-o", "program"];
        arguments.extend(objects);
        arguments.push("-lmlir_c_runner_utils");
        bench.tool("cc", &arguments)?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        ensure!(
            printed == "( 10, 10 )\n( 20, 20 )\n11 22\n",
            "{objects:?}: {printed}"
        );
    }
    Ok(())
}

/// Linkages, constructors, addresses in data, groups.
const LINKAGES: &str = include_str!("compile/linkages.mlir");

#[test]
fn linkages_constructors_and_groups_mean_what_they_say() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", LINKAGES)?;
    bench.write("main.c", include_str!("compile/linkages.c"))?;
    let ours = bench.made(&["compile", "in.mlir", "-j", "1"], "in.o")?;
    ensure!(bench.made(&["compile", "in.mlir", "-j", "4"], "in.o")? == ours);
    bench.made(&["compile", "in.mlir", "--emit", "asm"], "in.s")?;
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

/// Functions of which LLVM refuses some, and gives up on others.
fn fatal() -> String {
    let functions = (0..6).map(|number| match number {
        1 | 4 => format!(
            "llvm.func @f{number}() {{\n  llvm.inline_asm has_side_effects \"bogus{number}\", \"\" : () -> ()\n  llvm.return\n}}\n"
        ),
        2 | 3 => format!(
            "llvm.func @f{number}(%x: vector<4xi32>) -> vector<4xi32> {{\n  \
             %r = llvm.call_intrinsic \"llvm.aarch64.neon.abs.v4i32\"(%x) : (vector<4xi32>) -> vector<4xi32>\n  \
             llvm.return %r : vector<4xi32>\n}}\n"
        ),
        _ => format!("llvm.func @f{number}() {{\n  llvm.return\n}}\n"),
    });
    functions.collect()
}

#[test]
fn where_llvm_gives_up_all_others_are_told_the_same_each_time() -> Result<()> {
    let bench = Bench::new()?;
    let text = fatal();
    bench.write("in.mlir", &text)?;
    let mut first: Option<String> = None;
    for jobs in ["1", "2", "8", "2", "8"] {
        let done = bench.run(&["compile", "in.mlir", "-o", "out.o", "-j", jobs])?;
        let told = String::from_utf8(done.stderr)?;
        ensure!(done.status.code() == Some(1), "{:?} {told}", done.status);
        ensure!(!bench.path("out.o").exists(), "there is an object");
        let known = first.get_or_insert_with(|| told.clone());
        ensure!(*known == told, "-j {jobs} says\n{told}\nand not\n{known}");
    }
    let told = first.unwrap_or_default();
    let places = [
        "bogus1",
        "unit of 'f2': error: LLVM gave up",
        "unit of 'f3': error: LLVM gave up",
        "bogus4",
    ]
    .map(|part| told.find(part));
    ensure!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{told}"
    );
    // From standard input, which is gone the second time.
    let mut command = std::process::Command::new(&bench.tools.memplan);
    let input = fs::File::open(bench.path("in.mlir"))?;
    let done = command
        .args(["compile", "-", "-o", "-"])
        .stdin(input)
        .output()?;
    let piped = String::from_utf8(done.stderr)?;
    ensure!(
        done.status.code() == Some(1) && done.stdout.is_empty(),
        "{piped}"
    );
    ensure!(piped.matches("LLVM gave up").count() == 2, "{piped}");
    Ok(())
}

#[test]
fn tables_of_symbols_inside_keep_their_names() -> Result<()> {
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
    let text = String::from_utf8(bench.made(&arguments, "out.mlir")?)?;
    let kernel = text.split("gpu.module").nth(1).unwrap_or_default();
    let kernel = kernel.split("gpu.return").next().unwrap_or_default();
    ensure!(kernel.contains("memref.get_global @b"), "{text}");
    ensure!(text.matches("dense<9>").count() == 1, "{text}");
    ensure!(text.matches("memref.get_global @a").count() == 1, "{text}");
    Ok(())
}

#[test]
fn assembly_and_what_llvm_shares_are_one_for_all_units() -> Result<()> {
    let bench = Bench::new()?;
    // Two units, if nothing ties them.
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
    bench.made(&["compile", "in.mlir"], "in.o")?;
    bench.tool("cc", &["main.c", "in.o", "-o", "program"])?;
    let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
    ensure!(printed == "42 0 1\n", "{printed}");
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
    let library = bench.tools.bin().with_file_name("lib");
    let (folder, path) = (
        format!("-L{}", library.display()),
        format!("-Wl,-rpath,{}", library.display()),
    );
    for more in [&[][..], &["--llvm-passes", "default<O2>"], &["-O0"]] {
        let mut arguments = vec!["compile", "in.mlir"];
        arguments.extend(more);
        bench.made(&arguments, "in.o")?;
        let runtime = "-lmlir_async_runtime";
        bench.tool(
            "cc",
            &["main.c", "in.o", &folder, &path, runtime, "-o", "program"],
        )?;
        let printed = bench.tool(&bench.path("program").display().to_string(), &[])?;
        ensure!(printed == "42\n", "{more:?}: {printed}");
    }
    Ok(())
}

#[test]
fn each_form_is_the_same_program() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(8)))?;
    bench.made(&["compile", "in.mlir", "--emit", "asm"], "in.s")?;
    bench.tool("clang", &["-c", "in.s", "-o", "asm.o"])?;
    ensure!(bench.executed("asm.o", 8)? == expected_text(8));
    bench.made(
        &["compile", "in.mlir", "--emit", "mlir", "-o", "low.mlir"],
        "low.mlir",
    )?;
    bench.made(
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
    // Bytecode is as good as text.
    let whole = bench.made(&["compile", "in.mlir"], "in.o")?;
    bench.tool(
        "mlir-opt",
        &["--emit-bytecode", "in.mlir", "-o", "in.mlirbc"],
    )?;
    ensure!(bench.made(&["compile", "in.mlirbc", "-o", "bytecode.o"], "bytecode.o")? == whole);
    // What LLVM optimizes is what is private, too.
    bench.made(
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
    let whole = bench.made(&["compile", "in.mlir"], "in.o")?;
    bench.write("arguments", "in.mlir\n-o\nout.o\n-j\n3\n")?;
    ensure!(bench.made(&["compile", "@arguments"], "out.o")? == whole);
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
    bench.made(&["compile", "in.mlir", "-g"], "in.o")?;
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
fn what_makes_no_sense_is_refused() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &module(of(2)))?;
    bench.write(
        "bad.mlir",
        "func.func @f(%x: f32) -> f32 {\n  return %y : f32\n}\n",
    )?;
    bench.write(
        "values.mlir",
        "%0 = arith.constant 1 : i32\nfunc.func @f() {\n  return\n}\n",
    )?;
    bench.write(
        "unknown.mlir",
        "func.func @f() {\n  \"what.is\"() : () -> ()\n  return\n}\n",
    )?;
    for (arguments, code, said) in [
        (&["compile", "absent.mlir"][..], 2, "absent.mlir"),
        (
            &["compile", "bad.mlir"],
            1,
            "bad.mlir:2:10: error: use of undeclared SSA value name",
        ),
        (&["compile", "unknown.mlir"], 1, "unknown.mlir:2:"),
        (&["compile", "in.mlir", "--target", "nowhere"], 2, "nowhere"),
        (
            &["compile", "in.mlir", "--target", "wasm32-unknown-unknown"],
            2,
            "not for 'wasm32",
        ),
        (
            &["compile", "in.mlir", "--cpu", "pdp11"],
            2,
            "'pdp11' is no processor",
        ),
        (
            &["compile", "in.mlir", "--features=+sse2,+wings"],
            2,
            "'wings' is no feature",
        ),
        (
            &["compile", "in.mlir", "--features=sse2"],
            2,
            "neither + nor -",
        ),
        (
            &["compile", "in.mlir", "--llvm-passes", "no-such-pass"],
            2,
            "no-such-pass",
        ),
        (
            &["compile", "in.mlir", "--pass-pipeline", "no-such-pass"],
            2,
            "no-such-pass",
        ),
        (
            &["compile", "in.mlir", "--memplan", "planner=none"],
            2,
            "planner",
        ),
        (&["compile", "in.mlir", "--shard", "3/3"], 2, "I/N"),
        (
            &["compile", "in.mlir", "--shard", "0/2", "--emit", "asm"],
            2,
            "shards",
        ),
        (&["compile", "in.mlir", "-j", "0"], 2, "0"),
        (
            &["compile", "in.mlir", "-o", "./in.mlir"],
            2,
            "-o names another",
        ),
        (
            &["compile", "in.mlir", "--memplan", "report=x.json"],
            2,
            "--report FILE",
        ),
        (
            &["compile", "values.mlir"],
            1,
            "values.mlir:1:6: error: cannot be compiled: it stands in no function",
        ),
        (
            &["compile", "in.mlir", "-o", "no/such/folder/out.o"],
            2,
            "no/such/folder",
        ),
        (&["link", "in.mlir", "-o", "out.o"], 2, "not a shard"),
    ] {
        let done = bench.run(arguments)?;
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        ensure!(
            done.status.code() == Some(code),
            "{arguments:?}: {:?} {text}",
            done.status
        );
        ensure!(text.contains(said), "{arguments:?}: {text}");
    }
    Ok(())
}

#[test]
fn a_module_of_nothing_is_an_object_of_nothing() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", "")?;
    let whole = bench.made(&["compile", "in.mlir"], "in.o")?;
    bench.write("caller.c", &caller(0))?;
    bench.tool("cc", &["caller.c", "in.o", "-o", "program"])?;
    for shard in ["0", "1"] {
        let (number, file) = (format!("{shard}/2"), format!("{shard}.shard"));
        bench.made(
            &["compile", "in.mlir", "--shard", &number, "-o", &file],
            &file,
        )?;
    }
    let linked = bench.made(
        &["link", "0.shard", "1.shard", "-o", "linked.o"],
        "linked.o",
    )?;
    ensure!(linked == whole);
    Ok(())
}

#[test]
fn what_a_module_says_of_itself_is_kept() -> Result<()> {
    let bench = Bench::new()?;
    let attributes = "llvm.target_triple = \"aarch64-unknown-linux-gnu\", \
                      llvm.module_asm = [\".globl three\", \"three: mov w0, #3\", \"ret\"]";
    let functions = "func.func private @three() -> i32\n\
                     func.func @f() -> i32 {\n  %0 = call @three() : () -> i32\n  return %0 : i32\n}\n\
                     func.func @g() -> i32 {\n  %0 = call @f() : () -> i32\n  return %0 : i32\n}\n";
    for functions in ["", functions] {
        let text = format!("module attributes {{{attributes}}} {{\n{functions}}}\n");
        bench.write("in.mlir", &text)?;
        bench.made(&["compile", "in.mlir"], "in.o")?;
        let file = bench.tool("llvm-readelf", &["-h", "in.o"])?;
        ensure!(file.contains("AArch64"), "{file}");
        let symbols = bench.tool("llvm-readelf", &["-sW", "in.o"])?;
        ensure!(symbols.matches(" three\n").count() == 1, "{symbols}");
        let text = bench.made(&["compile", "in.mlir", "--emit", "llvm"], "in.ll")?;
        let text = String::from_utf8(text)?;
        ensure!(
            text.contains("target triple = \"aarch64-unknown-linux-gnu\""),
            "{text}"
        );
    }
    // Who asks for another one gets that.
    bench.write(
        "in.mlir",
        "module attributes {llvm.target_triple = \"aarch64-linux-gnu\"} {}\n",
    )?;
    bench.made(
        &["compile", "in.mlir", "--target", "riscv64-linux-gnu"],
        "in.o",
    )?;
    let file = bench.tool("llvm-readelf", &["-h", "in.o"])?;
    ensure!(file.contains("RISC-V"), "{file}");
    Ok(())
}

/// A network with its driver, whose `main` is the program's.
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
        bench.made(&["compile", "in.mlir"], "in.o")?;
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
