//! C, C++ and MLIR programs that use the runtime as shipped: through the header, with the shared and the static
//! library.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// This crate's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn program(name: &str) -> PathBuf {
    root().join("tests/programs").join(name)
}

/// The folder of this test, where cargo puts the libraries of this crate.
fn libraries() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.parent().unwrap().to_path_buf()
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// The library that a program is linked with.
#[derive(Clone, Copy)]
enum Link {
    Shared,
    Static,
}

/// A compiled program, in a folder of its own.
struct Compiled {
    folder: TempDir,
}

impl Compiled {
    fn new(compiler: &str, language: &[&str], source: &str, link: Link) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let libraries = libraries();
        let mut command = Command::new(compiler);
        command
            .args([
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                "-g",
                "-O1",
                "-pthread",
            ])
            .args(language)
            .arg("-I")
            .arg(root().join("include"))
            .arg(program(source))
            .args(["-x", "none", "-o"])
            .arg(folder.path().join("program"));
        match link {
            Link::Shared => command
                .arg("-L")
                .arg(&libraries)
                .arg("-lmemplan_runtime")
                .arg(format!("-Wl,-rpath,{}", libraries.display())),
            Link::Static => command
                .arg(libraries.join("libmemplan_runtime.a"))
                .args(["-ldl", "-lm"]),
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", errors(&output));
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    fn run(&self, argument: &str, environment: &[(&str, &str)]) -> Output {
        clean(&self.path())
            .arg(argument)
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    }
}

/// A command without settings of the runtime from the environment.
fn clean(program: &Path) -> Command {
    let mut command = Command::new(program);
    // Cargo's has another folder, too, with the library of an earlier build.
    command.env_remove("LD_LIBRARY_PATH");
    for setting in ["STATS", "DEBUG", "LIMIT"] {
        command.env_remove(format!("MEMPLAN_REGION_{setting}"));
    }
    command
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn done(output: &Output) {
    let all = format!("{:?}\n{}{}", output.status, text(output), errors(output));
    assert!(output.status.success() && text(output) == "ok\n", "{all}");
}

const C: &[&str] = &["-x", "c", "-std=c99"];
const CPP: &[&str] = &["-x", "c++", "-std=c++17"];

#[test]
fn c_with_the_shared_library() {
    done(&Compiled::new("cc", C, "use.c", Link::Shared).run("", &[]));
}

#[test]
fn c_with_the_archive() {
    done(&Compiled::new("cc", C, "use.c", Link::Static).run("", &[]));
}

#[test]
fn cpp_with_the_shared_library() {
    done(&Compiled::new("c++", CPP, "use.c", Link::Shared).run("", &[]));
}

#[test]
fn cpp_with_the_archive() {
    done(&Compiled::new("c++", CPP, "use.c", Link::Static).run("", &[]));
}

#[test]
fn c_in_debug() {
    let debug = [("MEMPLAN_REGION_DEBUG", "1")];
    let output = Compiled::new("cc", C, "use.c", Link::Shared).run("", &debug);
    done(&output);
}

#[test]
fn c_under_valgrind() {
    let Some(valgrind) = on_path("valgrind") else {
        eprintln!("not run: no valgrind on the PATH");
        return;
    };
    let compiled = Compiled::new("cc", C, "use.c", Link::Shared);
    let output = clean(&valgrind)
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .args([
            "--errors-for-leak-kinds=definite,possible",
            "--show-leak-kinds=definite,possible",
        ])
        .arg(compiled.path())
        .output()
        .unwrap();
    done(&output);
}

/// Checks that a program aborts and prints one line with `message`.
fn aborts(program: &Compiled, case: &str, environment: &[(&str, &str)], message: &str) {
    use std::os::unix::process::ExitStatusExt as _;
    const SIGABRT: i32 = 6;
    let output = program.run(case, environment);
    let stderr = errors(&output);
    assert_eq!(output.status.signal(), Some(SIGABRT), "{case}: {stderr}");
    assert!(
        stderr.starts_with("memplan: ") && stderr.contains(message),
        "{case}: {stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "{case}: {stderr}");
}

#[test]
fn misuse_prints_one_line_and_aborts() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Shared);
    for (case, message) in [
        (
            "release",
            "memplan_region_release: region 0x100000000: the region has been freed already",
        ),
        (
            "retain",
            "memplan_region_retain: region 0x100000000: the region has been freed already",
        ),
        (
            "allocate",
            "memplan_region_allocate: region 0x100000000: the region has been freed already",
        ),
        (
            "take",
            "memplan_region_allocate: region 0x100000000: the region has been freed already",
        ),
        (
            "head",
            "memplan_region_head: region 0x100000000: the region has been freed already",
        ),
        (
            "reused",
            "memplan_region_allocate: region 0x100000000: the region has been freed already",
        ),
        (
            "clear",
            "memplan_region_clear: region 0x100000000: the region has been freed already",
        ),
        (
            "garbage",
            "region 0x123456789abcdef: this is not the handle of a region",
        ),
        (
            "cycle",
            "memplan_region_refer: region 0x100000001: the parent would keep itself alive",
        ),
        ("negative", "the size is negative: -8"),
        (
            "overflow",
            "the size exceeds the address space: 9223372036854775800",
        ),
        ("alignment", "the alignment is not a power of two: 48"),
        (
            "ahead",
            "memplan_region_release_to: region 0x100000000: the mark is after the end of the region",
        ),
        (
            "foreign",
            "the mark is of another region, or older than the last clear",
        ),
        (
            "cleared",
            "the mark is of another region, or older than the last clear",
        ),
    ] {
        aborts(&program, case, &[], message);
        aborts(&program, case, &[("MEMPLAN_REGION_DEBUG", "1")], message);
    }
    assert!(program.run("none", &[]).status.success());
}

#[test]
fn the_limit_is_kept() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Shared);
    let limit = [("MEMPLAN_REGION_LIMIT", "1M")];
    aborts(
        &program,
        "limit",
        &limit,
        "MEMPLAN_REGION_LIMIT is exceeded: 192 bytes are in use, 2097216 more are requested, the limit is 1048576",
    );
    let output = program.run("limited", &limit);
    assert!(
        output.status.success(),
        "{:?}: {}",
        output.status,
        errors(&output)
    );
    let output = program.run("limit", &[("MEMPLAN_REGION_LIMIT", "3M")]);
    assert!(
        output.status.success(),
        "{:?}: {}",
        output.status,
        errors(&output)
    );
}

#[test]
fn invalid_settings_abort() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Shared);
    for (name, value, message) in [
        (
            "MEMPLAN_REGION_LIMIT",
            "much",
            "MEMPLAN_REGION_LIMIT is a number of bytes, with k, M or G",
        ),
        (
            "MEMPLAN_REGION_STATS",
            "yes",
            "MEMPLAN_REGION_STATS is 0 or 1, not \"yes\"",
        ),
        (
            "MEMPLAN_REGION_DEBUG",
            "2",
            "MEMPLAN_REGION_DEBUG is 0 or 1, not \"2\"",
        ),
    ] {
        aborts(&program, "none", &[(name, value)], message);
    }
}

#[test]
fn debug_finds_stray_writes() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Shared);
    let debug = [("MEMPLAN_REGION_DEBUG", "1")];
    for case in ["after", "between", "after clear"] {
        aborts(
            &program,
            case,
            &debug,
            "was written, which is outside of an allocation or was released",
        );
    }
    aborts(
        &program,
        "threads",
        &debug,
        "two threads allocate from the region at once",
    );
    let output = program.run("poison", &debug);
    assert!(
        output.status.success(),
        "{:?}: {}",
        output.status,
        errors(&output)
    );
    assert_eq!(errors(&output), "");
}

#[test]
fn debug_lists_leaks() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Shared);
    let output = program.run("leak", &[("MEMPLAN_REGION_DEBUG", "1")]);
    assert_eq!(output.status.code(), Some(70));
    let stderr = errors(&output);
    assert_eq!(
        stderr,
        "memplan: 1 region leaked at exit:\n  region 0x100000001: 2 references, 1000 bytes in use\n"
    );
    // Buffered output is not lost.
    assert_eq!(text(&output), "started\n");
    let output = program.run("leak", &[]);
    assert!(output.status.success() && errors(&output).is_empty());
    let output = program.run("none", &[("MEMPLAN_REGION_DEBUG", "1")]);
    assert!(output.status.success() && errors(&output).is_empty());
}

#[test]
fn statistics_are_a_table_at_exit() {
    let program = Compiled::new("cc", C, "misuse.c", Link::Static);
    let stderr = errors(&program.run("leak", &[("MEMPLAN_REGION_STATS", "1")]));
    let expected = "\
memplan regions
  regions made                                 2
  regions alive                                1
  regions alive, at most                       2
  allocations                                  2
  blocks from the system                       2
  chunks from the system                       0
  allocated in all                         1,120 B       1.1 KiB
  in use                                   1,008 B
  held by regions                          1,088 B       1.1 KiB
  held with pools                          1,088 B       1.1 KiB
  held with pools, at most                 1,280 B       1.2 KiB
";
    assert_eq!(stderr, expected);
}

/// The sum, the peak of held bytes, and the bytes held at the end.
fn filtered(mode: &str, rows: u32) -> [i64; 3] {
    let program = Compiled::new("cc", C, "filter.c", Link::Shared);
    let output = clean(&program.path())
        .arg(mode)
        .arg(rows.to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let numbers: Vec<_> = text(&output)
        .split_whitespace()
        .map(|one| one.parse().unwrap())
        .collect();
    numbers.try_into().unwrap()
}

/// With a region for each row, memory does not depend on the number of rows. With one region for all, it grows with
/// them.
#[test]
fn memory_does_not_grow_with_the_rows() {
    let all =
        ["rows", "marks", "array"].map(|mode| [filtered(mode, 2_000), filtered(mode, 20_000)]);
    for [few, many] in all {
        // The result is the same with all kinds of regions, and nothing is held at the end.
        assert_eq!((few[0], many[0]), (all[0][0][0], all[0][1][0]));
        assert_eq!((few[2], many[2]), (0, 0));
    }
    for [few, many] in &all[..2] {
        assert!(many[1] * 10 <= few[1] * 11, "{few:?} {many:?}");
    }
    let [few, many] = all[2];
    assert!(
        many[1] >= few[1] * 9 && few[1] > all[0][0][1] * 10,
        "{all:?}"
    );
}

/// The path of a tool of LLVM. The scripts and cargo's configuration name the prefix.
fn llvm(tool: &str) -> PathBuf {
    let prefix = ["LLVM_PREFIX", "MLIR_SYS_220_PREFIX"]
        .into_iter()
        .find_map(env::var_os);
    Path::new(&prefix.expect("LLVM_PREFIX, or cargo's configuration")).join(tool)
}

#[test]
fn mlir_through_mlir_runner() {
    let folder = tempfile::tempdir().unwrap();
    let lowered = folder.path().join("lowered.mlir");
    let pipeline = "builtin.module(convert-scf-to-cf,expand-strided-metadata,convert-to-llvm,convert-vector-to-llvm,\
                    reconcile-unrealized-casts)";
    let lower = Command::new(llvm("bin/mlir-opt"))
        .arg(program("regions.mlir"))
        .arg(format!("--pass-pipeline={pipeline}"))
        .arg("-o")
        .arg(&lowered)
        .output()
        .unwrap();
    assert!(lower.status.success(), "{}", errors(&lower));
    let shared: Vec<_> = [
        libraries().join("libmemplan_runtime.so"),
        llvm("lib/libmlir_c_runner_utils.so"),
    ]
    .into_iter()
    .map(|library| format!("-shared-libs={}", library.display()))
    .collect();
    let run = |environment: &[(&str, &str)]| {
        clean(&llvm("bin/mlir-runner"))
            .args([
                lowered.as_os_str(),
                OsStr::new("-e=main"),
                OsStr::new("-entry-point-result=void"),
            ])
            .args(&shared)
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    };
    let sums: i64 = (0..1000)
        .map(|i: i64| (i..i + 1000).sum::<i64>() + (i..2 * i).sum::<i64>())
        .sum();
    let kept = 999 * 1000 / 2;
    let expected = format!("{sums}\n{kept}\n2\n1\n2000\n0\n0\n0\n");
    for environment in [&[][..], &[("MEMPLAN_REGION_DEBUG", "1")]] {
        let output = run(environment);
        assert!(output.status.success(), "{}", errors(&output));
        assert_eq!(
            (text(&output), errors(&output)),
            (expected.clone(), String::new())
        );
    }
    let output = run(&[("MEMPLAN_REGION_STATS", "1")]);
    let stderr = errors(&output);
    assert!(
        stderr.contains("regions alive                                0"),
        "{stderr}"
    );
    // Two thousand rows of up to 8,000 bytes take the memory of two rows and of their blocks.
    let line = stderr
        .lines()
        .find(|line| line.contains("held with pools, at most"));
    let most = line.unwrap().split_once(" B").unwrap().0;
    let most: String = most.chars().filter(char::is_ascii_digit).collect();
    assert!(most.parse::<u64>().unwrap() < 100_000, "{stderr}");
}

/// The model in debug mode, where each allocation is checked, and with a limit. Settings are read once, so this needs
/// a process of its own.
#[test]
fn the_model_with_other_settings() {
    if env::var_os("MEMPLAN_REGION_DEBUG").is_some() {
        return;
    }
    for (name, value) in [
        ("MEMPLAN_REGION_DEBUG", "1"),
        ("MEMPLAN_REGION_LIMIT", "1G"),
    ] {
        let output = clean(&env::current_exe().unwrap())
            .args(["--exact", "some_of_the_model"])
            .env(name, value)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}{}",
            text(&output),
            errors(&output)
        );
        assert!(text(&output).contains("1 passed"), "{}", text(&output));
    }
}

#[test]
fn some_of_the_model() {
    use memplan_runtime::check::{actions, check};
    // A linear congruential generator.
    let mut state = 1u64;
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..600)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u8
            })
            .collect();
        assert_eq!(check(&actions(&bytes)), Ok(()));
    }
}
