//! Compilation errors: all are reported, in order, and no output is written.

use crate::bench::Bench;
use crate::programs::{Shape, module, of};
use anyhow::{Result, ensure};
use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
};

#[test]
fn all_errors_are_reported_in_order_and_nothing_is_written() -> Result<()> {
    let bench = Bench::new()?;
    let shape = Shape {
        failing: &[2, 3, 40, 59],
        ..of(60)
    };
    let source = module(shape);
    bench.write("in.mlir", &source)?;
    let mut first: Option<String> = None;
    for jobs in ["1", "2", "4", "8"] {
        let done = bench.run(&["compile", "in.mlir", "-o", "out.o", "-j", jobs])?;
        ensure!(done.status.code() == Some(1), "{:?}", done.status);
        ensure!(!bench.path("out.o").exists(), "there is an object");
        let text = String::from_utf8(done.stderr)?;
        let mut functions: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(": error: "))
            .filter_map(|line| {
                line.strip_prefix("in.mlir:")?
                    .split(':')
                    .next()?
                    .parse()
                    .ok()
            })
            .filter_map(|line: usize| {
                let before = source.lines().take(line);
                let head = before
                    .filter_map(|line| line.strip_prefix("func.func @"))
                    .last();
                head?.split('(').next()
            })
            .collect();
        functions.dedup();
        ensure!(functions == ["f2", "f3", "f40", "f59"], "{text}");
        ensure!(
            text.matches("[memplan-E902]").count() == text.matches(": error: ").count(),
            "{text}"
        );
        ensure!(
            *first.get_or_insert(text.clone()) == text,
            "-j {jobs} says something else"
        );
    }
    Ok(())
}

/// Functions of which LLVM rejects some, and aborts on others.
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
fn errors_are_the_same_each_time_when_llvm_aborts() -> Result<()> {
    let bench = Bench::new()?;
    let text = fatal();
    bench.write("in.mlir", &text)?;
    let mut first: Option<String> = None;
    for jobs in ["1", "2", "8", "2", "8"] {
        let done = bench.run(&["compile", "in.mlir", "-o", "out.o", "-j", jobs])?;
        let reported = String::from_utf8(done.stderr)?;
        ensure!(
            done.status.code() == Some(1),
            "{:?} {reported}",
            done.status
        );
        ensure!(!bench.path("out.o").exists(), "there is an object");
        let known = first.get_or_insert_with(|| reported.clone());
        ensure!(
            *known == reported,
            "-j {jobs} says\n{reported}\nand not\n{known}"
        );
    }
    let reported = first.unwrap_or_default();
    let places = [
        "bogus1",
        "in.mlir:8:1: error: LLVM failed",
        "in.mlir:12:1: error: LLVM failed",
        "bogus4",
    ]
    .map(|part| reported.find(part));
    ensure!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{reported}"
    );
    ensure!(
        reported.matches("[memplan-E903]").count() == 4,
        "{reported}"
    );
    // From standard input, which can be read only once.
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
    ensure!(piped.matches("LLVM failed").count() == 2, "{piped}");
    Ok(())
}

#[test]
fn fewer_threads_than_asked_for_compile_the_same() -> Result<()> {
    let bench = Bench::new()?;
    // For root, there is no limit: then it is another user who runs memplan.
    if fs::metadata(bench.folder.path())?.uid() != 0 {
        eprintln!("not run: only root can be another user");
        return Ok(());
    }
    fs::set_permissions(bench.folder.path(), Permissions::from_mode(0o777))?;
    bench.write("in.mlir", &module(of(20)))?;
    let all = bench.output(&["compile", "in.mlir", "-o", "all.o", "-j", "8"], "all.o")?;
    let [program, with_llvm] = ["memplan", "memplan-llvm"].map(|name| bench.path(name));
    fs::copy(&bench.tools.memplan, &program)?;
    fs::copy(
        bench.tools.memplan.with_file_name("memplan-llvm"),
        &with_llvm,
    )?;
    let user = format!("--reuid={}", 200_000 + std::process::id());
    let as_other = [&user, "--regid=65534", "--clear-groups"];
    let mut other = std::process::Command::new("setpriv");
    let other = other
        .args(as_other)
        .arg(&program)
        .args(["compile", "--help"]);
    if !other.output().is_ok_and(|done| done.status.success()) {
        eprintln!("not run: another user cannot run memplan here");
        return Ok(());
    }
    // With the first thread, those of the writer and of workers: none, no worker, one, two.
    for (processes, workers) in [("1", "1"), ("2", "1"), ("3", "1"), ("4", "2")] {
        let done = std::process::Command::new("setpriv")
            .args(as_other)
            .args(["bash", "-c"])
            .args(["ulimit -u \"$0\"; exec \"$@\"", processes])
            .arg(&program)
            .args(["compile", "in.mlir", "-o", "some.o", "-j", "8"])
            .current_dir(bench.folder.path())
            .output()?;
        let said = String::from_utf8(done.stderr)?;
        ensure!(done.status.success(), "{:?} {said}", done.status);
        let expected = format!(
            "memplan: warning: the system started {workers} of 8 threads, and no more; these do all the work\n"
        );
        ensure!(said == expected, "{said}");
        ensure!(fs::read(bench.path("some.o"))? == all, "another object");
        fs::remove_file(bench.path("some.o"))?;
    }
    Ok(())
}

#[test]
fn a_temporary_folder_that_cannot_be_written_is_named() -> Result<()> {
    let bench = Bench::new()?;
    bench.write("in.mlir", &fatal())?;
    let done = std::process::Command::new(&bench.tools.memplan)
        .args(["compile", "-", "-o", "-"])
        .env("TMPDIR", "/no/such/folder")
        .stdin(fs::File::open(bench.path("in.mlir"))?)
        .output()?;
    let said = String::from_utf8(done.stderr)?;
    ensure!(
        done.status.code() == Some(1) && done.stdout.is_empty(),
        "{said}"
    );
    ensure!(
        said.contains("cannot write /no/such/folder/memplan-"),
        "{said}"
    );
    ensure!(said.contains("memplan: error: LLVM failed on "), "{said}");
    Ok(())
}

#[test]
fn invalid_input_is_refused() -> Result<()> {
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
    for (arguments, code, expected) in [
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
            "--shard needs --emit obj",
        ),
        (&["compile", "in.mlir", "-j", "0"], 2, "0"),
        (
            &["compile", "in.mlir", "-o", "./in.mlir"],
            2,
            "-o would overwrite the input",
        ),
        (
            &["compile", "in.mlir", "--memplan", "report=x.json"],
            2,
            "--report FILE",
        ),
        (
            &["compile", "values.mlir"],
            1,
            "values.mlir:1:6: error: cannot be compiled: it is outside of functions, and has operands or results [memplan-E901]",
        ),
        (
            &["compile", "in.mlir", "-o", "no/such/folder/out.o"],
            2,
            "no/such/folder",
        ),
        (
            &["link", "in.mlir", "-o", "out.o"],
            2,
            "not a complete shard",
        ),
    ] {
        let done = bench.run(arguments)?;
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        ensure!(
            done.status.code() == Some(code),
            "{arguments:?}: {:?} {text}",
            done.status
        );
        ensure!(text.contains(expected), "{arguments:?}: {text}");
    }
    Ok(())
}

/// An operation that translates to LLVM IR only by a crash of MLIR's.
#[test]
fn a_crash_is_an_error_of_its_function() -> Result<()> {
    let bench = Bench::new()?;
    let text = "func.func @good(%x: f32) -> f32 {\n  return %x : f32\n}\n\
        func.func @crashes(%v: vector<4x2xf32>, %r: vector<2xf32>, %i: index) -> vector<4x2xf32> {\n  \
        %w = vector.insert %r, %v[%i] : vector<2xf32> into vector<4x2xf32>\n  \
        return %w : vector<4x2xf32>\n}\n";
    bench.write("in.mlir", text)?;
    let expected = "in.mlir:4:1: error: LLVM failed: it crashed (signal 11) [memplan-E903]";
    for jobs in ["1", "4"] {
        let done = bench.run(&["compile", "in.mlir", "-j", jobs])?;
        let reported = String::from_utf8(done.stderr)?;
        ensure!(done.status.code() == Some(1), "{:?}", done.status);
        ensure!(reported.starts_with(expected), "{reported}");
        ensure!(reported.matches("error").count() == 1, "{reported}");
        ensure!(!bench.path("in.o").exists(), "there is an object");
    }
    let input = fs::File::open(bench.path("in.mlir"))?;
    let piped = std::process::Command::new(&bench.tools.memplan)
        .args(["compile", "-", "-o", "-"])
        .stdin(input)
        .output()?;
    let reported = String::from_utf8(piped.stderr)?;
    ensure!(piped.stdout.is_empty() && piped.status.code() == Some(1));
    ensure!(
        reported.contains(":4:1: error: LLVM failed: it crashed"),
        "{reported}"
    );
    Ok(())
}

#[test]
fn a_module_in_a_module_is_an_error_at_its_place() -> Result<()> {
    let bench = Bench::new()?;
    let text = "func.func @f() {\n  return\n}\nmodule @inner {\n  func.func @g() {\n    return\n  }\n}\n\
        gpu.module @device {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n";
    bench.write("in.mlir", text)?;
    let done = bench.run(&["compile", "in.mlir"])?;
    let reported = String::from_utf8(done.stderr)?;
    ensure!(done.status.code() == Some(1), "{:?}", done.status);
    for place in ["in.mlir:4:1: error", "in.mlir:9:1: error"] {
        ensure!(reported.contains(place), "{reported}");
    }
    ensure!(
        reported.matches("[memplan-E902]").count() == 2,
        "{reported}"
    );
    Ok(())
}

/// The errors of a program, without the lines of the source.
fn errors(bench: &Bench, text: &str) -> Result<String> {
    bench.write("in.mlir", text)?;
    let done = bench.run(&["compile", "in.mlir"])?;
    ensure!(done.status.code() == Some(1), "{:?}", done.status);
    ensure!(!bench.path("in.o").exists(), "there is an object");
    let said = String::from_utf8(done.stderr)?;
    let is_message = |line: &&str| {
        [": error: ", ": warning: ", ": note: "]
            .iter()
            .any(|one| line.contains(one))
    };
    Ok(said
        .lines()
        .filter(is_message)
        .map(|line| format!("{line}\n"))
        .collect())
}

#[test]
fn a_memref_that_llvm_cannot_describe_is_one_error_with_the_reason() -> Result<()> {
    let bench = Bench::new()?;
    let of = "affine_map<(d0) -> (d0 mod 2)>";
    for (memref, reason) in [
        (
            "memref<4xf32, \"gpu\">".to_owned(),
            "has the memory space \"gpu\", which is not a number",
        ),
        (
            format!("memref<4xf32, {of}>"),
            "has a layout that has no strides",
        ),
    ] {
        let text = format!(
            "func.func @argument(%a: {memref}, %i: index) -> f32 {{\n  \
               %r = memref.load %a[%i] : {memref}\n  return %r : f32\n}}\n\
             func.func @allocated(%i: index) -> f32 {{\n  %a = memref.alloc() : {memref}\n  \
               %r = memref.load %a[%i] : {memref}\n  return %r : f32\n}}\n\
             memref.global \"private\" @data : {memref} = dense<1.0>\n"
        );
        let said = errors(&bench, &text)?;
        ensure!(said.lines().count() == 3, "{said}");
        for place in [
            format!(
                "in.mlir:1:1: error: 'func.func' cannot be compiled: {memref} {reason} [memplan-E902]"
            ),
            "in.mlir:6:8: error: ".to_owned(),
            format!(
                "in.mlir:10:1: error: 'memref.global' cannot be compiled: {memref} {reason} [memplan-E902]"
            ),
        ] {
            ensure!(said.contains(&place), "{place} is not in\n{said}");
        }
        ensure!(said.matches(reason).count() == 3, "{said}");
    }
    Ok(())
}

#[test]
fn an_error_without_a_place_is_at_its_function_and_once() -> Result<()> {
    let bench = Bench::new()?;
    let text = |place: &str| {
        format!(
            "func.func @good() {{\n  return\n}}\n\
             func.func @f() {{\n  gpu.barrier loc(unknown)\n  gpu.barrier loc(unknown)\n  return\n}}{place}\n"
        )
    };
    for (place, expected) in [("", "in.mlir:4:1"), (" loc(unknown)", "in.mlir")] {
        let said = errors(&bench, &text(place))?;
        let expected = format!(
            "{expected}: error: unsupported GPU operation: gpu.barrier [memplan-E902]\n\
             {expected}: note: see current operation: \"gpu.barrier\"() : () -> ()\n"
        );
        ensure!(said == expected, "{said}");
    }
    // An operation becomes several that no pass lowers.
    let said = errors(
        &bench,
        "func.func @f(%a: complex<f8E4M3FN>) -> complex<f8E4M3FN> {\n  \
           %r = complex.mul %a, %a : complex<f8E4M3FN>\n  return %r : complex<f8E4M3FN>\n}\n",
    )?;
    ensure!(
        said.starts_with("in.mlir:2:8: error: ") && said.lines().count() == 1,
        "{said}"
    );
    Ok(())
}

/// LLVM takes minutes for the one, and drops the other's store.
#[test]
fn a_vector_that_is_too_large_is_an_error_at_its_operation() -> Result<()> {
    let bench = Bench::new()?;
    let said = errors(
        &bench,
        "func.func @sum(%a: vector<100000xf32>) -> f32 {\n  \
           %r = vector.reduction <add>, %a : vector<100000xf32> into f32\n  return %r : f32\n}\n\
         func.func @third(%m: memref<65536xi32>) {\n  %c0 = arith.constant 0 : index\n  \
           %a = vector.load %m[%c0] : memref<65536xi32>, vector<65536xi32>\n  \
           %k = arith.constant dense<3> : vector<65536xi32>\n  \
           %q = arith.divsi %a, %k : vector<65536xi32>\n  \
           vector.store %q, %m[%c0] : memref<65536xi32>, vector<65536xi32>\n  return\n}\n\
         func.func @scan(%a: vector<100000xf32>, %i: vector<f32>) -> vector<100000xf32> {\n  \
           %r:2 = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 0 : i64} : vector<100000xf32>, vector<f32>\n  \
           return %r#0 : vector<100000xf32>\n}\n",
    )?;
    let error = |line: &str, elements: usize| {
        format!(
            "in.mlir:{line}: error: cannot be compiled: a vector of {elements} elements is too large, LLVM takes 32768 [memplan-E903]\n"
        )
    };
    let expected = [
        error("2:8", 100_000),
        error("7:8", 65_536),
        error("14:10", 100_000),
    ]
    .concat();
    ensure!(said == expected, "{said}");
    // Several dimensions, of which none is large, are several vectors.
    bench.write(
        "in.mlir",
        "func.func @sum(%m: memref<512x128xf32>) -> f32 {\n  %c0 = arith.constant 0 : index\n  \
           %p = arith.constant 0.0 : f32\n  \
           %a = vector.transfer_read %m[%c0, %c0], %p : memref<512x128xf32>, vector<512x128xf32>\n  \
           %r = vector.extract %a[511, 127] : f32 from vector<512x128xf32>\n  return %r : f32\n}\n",
    )?;
    bench.output(&["compile", "in.mlir"], "in.o")?;
    Ok(())
}
