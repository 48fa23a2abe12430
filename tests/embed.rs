//! memplan inside of other compilers: the tree that `ci/install` creates works after it was moved, with the
//! compilers under `tests/embed`, built as embedders do.

use memplan_harness::{
    command::{limited, output},
    tools::{Tools, root},
};
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
    time::Duration,
};

/// The installed tree, which was moved afterwards.
struct Installed {
    tools: Tools,
    prefix: PathBuf,
    work: PathBuf,
}

impl Installed {
    fn new() -> anyhow::Result<Self> {
        let tools = Tools::with_memplan()?;
        // Kept until the next run: statics of this process are never dropped.
        let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embed");
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        fs::create_dir_all(&work)?;
        let before = work.join("before");
        let profile = tools.memplan.parent().and_then(Path::file_name);
        let mut install = limited(Duration::from_secs(900), root().join("ci/install"));
        install
            .arg(&before)
            .env("MEMPLAN_PROFILE", profile.unwrap_or_default());
        output(&mut install)?;
        let prefix = work.join("moved here");
        fs::rename(&before, &prefix)?;
        Ok(Self {
            tools,
            prefix,
            work,
        })
    }

    /// Builds an example with CMake, which finds memplan in the tree. Returns the executable.
    fn built(&self, example: &str, compiler: [&str; 2], executable: &str) -> PathBuf {
        let build = self.work.join(format!("{example}-{}", compiler[1]));
        let source = root().join("tests/embed").join(example);
        let [c, cpp] = compiler.map(|name| match self.tools.bin().join(name) {
            path if path.exists() => path,
            _ => PathBuf::from(name),
        });
        run(command("cmake")
            .arg("-S")
            .arg(source)
            .arg("-B")
            .arg(&build)
            .arg("-GNinja")
            .arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display()))
            .arg(format!("-DCMAKE_C_COMPILER={}", c.display()))
            .arg(format!("-DCMAKE_CXX_COMPILER={}", cpp.display())));
        run(command("cmake").arg("--build").arg(&build));
        build.join(executable)
    }

    fn pkg_config(&self, name: &str) -> Vec<String> {
        let folder = self.prefix.join("lib/pkgconfig");
        let mut asked = command("pkg-config");
        asked.args(["--cflags", "--libs", name]);
        let output = run(asked.env("PKG_CONFIG_PATH", folder));
        let mut words = shell_words(&String::from_utf8_lossy(&output.stdout));
        // The run path is the builder's decision, since libraries may be moved.
        words.push(format!("-Wl,-rpath,{}/lib", self.prefix.display()));
        words
    }
}

/// The words in pkg-config's output, in which a backslash escapes a space.
fn shell_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = text.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => words.last_mut().unwrap().extend(letters.next()),
            ' ' => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// One installation for all tests here.
static INSTALLED: LazyLock<Installed> = LazyLock::new(|| Installed::new().unwrap());

/// A command as typed in a shell: libraries must not be found in cargo's folders.
fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// The output of a command, which must succeed.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn network() -> PathBuf {
    root().join("tests/embed/network.mlir")
}

/// The output of an example with a planner.
fn planned(example: &Path, planner: &str) -> String {
    let output = run(command(example).arg(network()).arg(planner));
    String::from_utf8(output.stdout).unwrap()
}

/// The bytes of the arena that an example plans with its own planner.
fn arena(example: &Path, planner: &str) -> usize {
    let text = planned(example, planner);
    let line = text.lines().find(|line| line.contains("memplan.arena"));
    let size = line.and_then(|line| line.rsplit("memref<").next()?.split('x').next());
    size.unwrap_or_else(|| panic!("no arena: {text}"))
        .parse()
        .unwrap()
}

/// The error message of an example with a planner that returns no plan; the exit status is 1.
fn refusal(example: &Path, planner: &str) -> String {
    let mut example = command(example);
    let output = example.arg(network()).arg(planner).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{planner}: {output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

const WRONG: &str = "the planner 'embed.heap' returned no plan: its plan is invalid, and was not used: \
                     buffers 0 and 1 share bytes at time";

/// The libraries that an executable loads whose names contain `part`.
fn loaded(executable: &Path, part: &str) -> Vec<String> {
    let output = run(command("ldd").arg(executable));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| line.contains(part));
    lines.map(str::to_owned).collect()
}

/// The line of the library with the passes, the only one of memplan that a compiler loads.
fn library(executable: &Path) -> String {
    let [line] = <[String; 1]>::try_from(loaded(executable, "libmemplan")).unwrap();
    let name = INSTALLED.tools.library.file_name().unwrap();
    assert!(line.trim().starts_with(name.to_str().unwrap()), "{line}");
    line
}

#[test]
fn a_compiler_in_cpp_plans_with_its_own_planner_and_rules() {
    for compiler in [["clang", "clang++"], ["gcc", "g++"]] {
        let example = INSTALLED.built("cpp", compiler, "embed");
        assert_eq!(arena(&example, "stack"), 512, "{compiler:?}");
        let text = planned(&example, "stack");
        let used = text.rfind("memref.copy").unwrap();
        let released = text.find("\"npu.release\"").unwrap();
        assert!(used < released, "{text}");
        let said = refusal(&example, "heap");
        assert!(said.contains(WRONG), "{said}");
        let said = refusal(&example, "throws");
        assert!(said.contains("it threw: out of ideas"), "{said}");
        let said = refusal(&example, "unheard-of");
        assert!(
            said.contains("option 'planner' takes one of auto"),
            "{said}"
        );
        assert_eq!(loaded(&example, "libLLVM").len(), 1);
        assert_eq!(loaded(&example, "libMLIR").len(), 1);
        assert!(library(&example).contains("moved here"));
    }
}

#[test]
fn a_compiler_in_c_plans_with_its_own_planner_and_rules() {
    let cmake = INSTALLED.built("c", ["clang", "clang++"], "embed-c");
    let by_pkg_config = INSTALLED.work.join("embed-pkg-config");
    run(command("cc")
        .arg(root().join("tests/embed/c/main.c"))
        .args(INSTALLED.pkg_config("memplan-c"))
        .arg("-o")
        .arg(&by_pkg_config));
    for example in [cmake, by_pkg_config] {
        // The dialect is defined at run time, so the transfer has no interfaces: without rules, its operands would be
        // left alone.
        assert_eq!(arena(&example, "stack"), 768);
        let said = refusal(&example, "heap");
        assert!(said.contains(WRONG), "{said}");
        let said = refusal(&example, "unheard-of");
        assert!(
            said.contains("option 'planner' takes one of auto"),
            "{said}"
        );
        assert_eq!(loaded(&example, "libLLVM").len(), 1);
        assert_eq!(loaded(&example, "libMLIR").len(), 1);
        assert!(library(&example).contains("moved here"));
    }
}

/// The output of the example that describes operations in C, for a module after a pass.
fn described(example: &Path, module: &Path, pass: &str) -> String {
    let output = command(example).arg(module).arg(pass).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The index of the line that contains these words.
fn line_of(text: &str, words: &str) -> usize {
    let found = text.lines().position(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("no {words}: {text}"))
}

#[test]
fn a_compiler_in_c_describes_operations_and_gets_errors_for_invalid_descriptions() {
    let example = INSTALLED.work.join("registers");
    let sources = root().join("tests/embed/c");
    run(command("cc")
        .arg(sources.join("registers.c"))
        .args(INSTALLED.pkg_config("memplan-c"))
        .arg("-o")
        .arg(&example));

    let uses = sources.join("uses.mlir");
    let text = described(&example, &uses, "memplan-ownership-dealloc");
    for refused in [
        "'npu.flat' is already registered",
        "memplan has a description of 'gpu.memset': override it to replace that",
        "'npu' is not the name of an operation",
        "no function describes it",
        "a pass already used the effects of 'npu.late': register operations before passes run",
    ] {
        line_of(&text, refused);
    }
    assert!(!text.contains("two allocators of one name"), "{text}");
    // After the last use of the view; after the wait; by its own deallocator; and the overridden operation captures.
    let viewed = line_of(&text, "memref.dealloc %alloc :");
    assert_eq!(viewed, line_of(&text, "memref.copy %0, %arg1") + 1);
    let awaited = line_of(&text, "memref.dealloc %alloc_0 :");
    assert!(line_of(&text, "\"npu.wait\"") < awaited, "{text}");
    assert!(line_of(&text, "memref.copy %2") < line_of(&text, "\"npu.release\"(%2)"));
    assert!(!text.contains("memref.dealloc %alloc_1"), "{text}");
    let text = described(&example, &uses, "memplan-merge-alloc");
    line_of(&text, "memplan.arena} : memref<128xi8>");

    let module = INSTALLED.work.join("wrong.mlir");
    for (operation, said) in [
        (
            "\"npu.contradicts\"(%a)",
            "its contents are used and not used",
        ),
        (
            "\"npu.miscounts\"(%a)",
            "-1 is not the number of an operand or result",
        ),
        ("\"npu.refuses\"(%a)", "not for this target"),
        (
            "\"npu.regions\"(%a) ({ \"test.end\"() : () -> () })",
            "it has regions, whose operations cannot be described",
        ),
        ("\"npu.last\"(%a)[^b]", "it is a terminator, or may be one"),
    ] {
        let text = format!(
            "func.func @f() {{\n%a = memref.alloc() : memref<4xf32>\n{operation} : (memref<4xf32>) -> ()\n^b:\nreturn\n}}\n"
        );
        let text = match operation.contains("[^b]") {
            true => text,
            false => text.replace("^b:\n", ""),
        };
        fs::write(&module, text).unwrap();
        for pass in ["memplan-merge-alloc", "memplan-ownership-dealloc"] {
            let text = described(&example, &module, pass);
            let line = text.lines().nth(line_of(&text, said)).unwrap();
            assert!(line.contains("[memplan-E006]"), "{line}");
            assert!(!text.contains("func.func"), "{text}");
        }
    }
}

#[test]
fn a_compiler_in_rust_plans_with_its_own_planner_and_rules() {
    // A member of the workspace, which cargo builds with the rest.
    let mut example = INSTALLED.tools.memplan.with_file_name("embed");
    if !example.exists() {
        let tests = env::current_exe().unwrap();
        example = tests.ancestors().nth(2).unwrap().join("embed");
    }
    assert_eq!(arena(&example, "stack"), 768);
    let said = refusal(&example, "heap");
    assert!(said.contains(WRONG), "{said}");
    let said = refusal(&example, "panics");
    assert!(said.contains("it panicked: out of ideas"), "{said}");
    assert_eq!(loaded(&example, "libLLVM").len(), 1);
}

#[test]
fn a_lit_suite_of_ones_own_runs_over_stock_mlir_opt() {
    let output = run(command(INSTALLED.tools.bin().join("lit"))
        .arg("-v")
        .args([
            "-D".to_owned(),
            format!("prefix={}", INSTALLED.prefix.display()),
        ])
        .args([
            "-D".to_owned(),
            format!("llvm={}", INSTALLED.tools.llvm.display()),
        ])
        .args([
            "-D".to_owned(),
            format!("output={}", INSTALLED.work.join("lit").display()),
        ])
        .arg(root().join("tests/embed/lit")));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Passed: 2"), "{text}");
}

#[test]
fn the_installed_command_lines_and_manual_need_nothing_of_the_source() {
    let prefix = &INSTALLED.prefix;
    for name in ["memplan", "memplan-llvm", "memplan-opt", "memplan-lsp"] {
        let tool = prefix.join("bin").join(name);
        run(command(&tool).arg("--help").current_dir(prefix));
        assert!(loaded(&tool, "not found").is_empty(), "{name}");
        assert!(
            loaded(&tool, &root().display().to_string()).is_empty(),
            "{name}"
        );
    }
    let runtime = INSTALLED.work.join("region");
    let program = INSTALLED.work.join("region.c");
    fs::write(
        &program,
        "#include <memplan_runtime.h>\n\
         int main(void) { int64_t r = memplan_region_make(); memplan_region_release(r); return r == 0; }\n",
    )
    .unwrap();
    run(command("cc")
        .arg(&program)
        .args(INSTALLED.pkg_config("memplan-runtime"))
        .arg("-o")
        .arg(&runtime));
    run(&mut command(&runtime));
    let manual = prefix.join("share/doc/memplan/html");
    let index = fs::read_to_string(manual.join("index.html")).unwrap();
    assert!(index.contains("memplan-merge-alloc"));
    assert!(prefix.join("share/doc/memplan/LICENSE").exists());
}
