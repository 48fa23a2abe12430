//! Runs programs through mlir-opt, mlir-runner and valgrind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use memplan_harness::command::{OUT_OF_TIME, ending, is_crash_or_timeout, limited, output};
use memplan_harness::tools::{Tools, root};
use memplan_harness::transfers::as_copies;

use super::generate::{MARK, SPACE};
use super::settings::Declared;

/// The CPU time limit of `mlir-opt`: upstream folds some modules forever.
const OPT_LIMIT: Duration = Duration::from_secs(20);

/// The time limit of one command.
const LIMIT: Duration = Duration::from_secs(60);

/// The time limit for executing a module, which normally takes a fraction of a second.
const RUN_LIMIT: Duration = Duration::from_secs(30);

/// The time limit while a program is reduced: one that never ends must not use up all the time.
const HURRIED: Duration = Duration::from_secs(10);

/// How often upstream's passes are run to see whether they crash.
const CRASH_RUNS: usize = 4;

/// A function of upstream's in which canonicalization crashes in about one run of six, on some unreachable loops.
const CRASHES_AT_TIMES: &str = "mlir::eraseUnreachableBlocks(";

/// Lowers any of the programs. Upstream lowers asynchronous operations first, while regions are one block. Passes
/// that visit all operations run while there are few.
const LOWER: &str = "builtin.module(\
func.func(convert-vector-to-scf,convert-linalg-to-loops,scf-forall-to-for),async-to-async-runtime,\
async-runtime-ref-counting,expand-realloc,convert-bufferization-to-memref,expand-strided-metadata,lower-affine,\
convert-scf-to-cf,convert-async-to-llvm,convert-vector-to-llvm,convert-to-llvm,reconcile-unrealized-casts)";

/// The maximum number of lines of a command's messages that are kept.
const MESSAGES: usize = 500;

/// Functions of the C library that lowered programs call, and the functions of `heap.c` that replace them.
const HEAP: [(&str, &str); 3] = [
    ("@malloc(", "@fuzz_alloc("),
    ("@free(", "@fuzz_free("),
    // Only coroutine frames are allocated by this.
    ("@aligned_alloc(", "@fuzz_frame("),
];

/// The tools that execute programs.
#[derive(Clone)]
pub struct Machine {
    tools: Tools,
    folder: PathBuf,
    /// The executable that loads and runs a program on a checking heap.
    host: PathBuf,
    /// The same on the system's heap.
    plain: PathBuf,
    /// The options of `memplan-merge-alloc`.
    pub declared: Vec<Declared>,
    /// The help text of `mlir-opt` with the plugin.
    help: String,
    files: Arc<AtomicU64>,
    /// The time at which everything must have ended.
    until: Option<Instant>,
    /// Whether only passes run, and nothing is compiled.
    only_passes: bool,
}

/// The output of a module, and the final state of its heap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// For each fill of the memory, the output of each program, by its number.
    pub runs: Vec<BTreeMap<u64, Vec<String>>>,
    /// For each fill, the number of allocations that each program left.
    pub left: Vec<BTreeMap<u64, u64>>,
    /// For each program, the most bytes that it held at once in the first run, with the number of their allocations.
    pub held: BTreeMap<u64, (u64, u64)>,
    /// For each fill, the heap at the end.
    pub heaps: Vec<Heap>,
}

/// The heap at the end of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heap {
    /// The number of allocations.
    pub allocations: u64,
    /// The number of allocations that were not freed.
    pub live: u64,
    /// The maximum number of bytes at one time.
    pub peak: u64,
    /// The number of invalid or double frees.
    pub invalid: u64,
    /// The number of allocations with bytes written before or after them.
    pub overruns: u64,
}

impl Machine {
    /// Compiles the executables that load programs into `folder`.
    pub fn new(tools: Tools, folder: &Path, with_regions: bool) -> Result<Self> {
        let regions: &[&Path] = match with_regions {
            true => &[&tools.runtime],
            false => &[],
        };
        let lib = tools.lib();
        let host = |name: &str, how: &[&str]| -> Result<PathBuf> {
            let path = folder.join(name);
            output(
                limited(LIMIT, "cc")
                    .args(["-O2", "-rdynamic"])
                    .args(how)
                    .arg(root().join("tests/fuzz/heap.c"))
                    .arg("-o")
                    .arg(&path)
                    .arg(format!("-L{}", lib.display()))
                    .arg(format!("-Wl,-rpath,{}", lib.display()))
                    .args(["-Wl,--no-as-needed", "-lmlir_c_runner_utils"])
                    .args(["-lmlir_async_runtime", "-lm", "-ldl"])
                    .args(regions)
                    .args(
                        regions
                            .iter()
                            .filter_map(|library| library.parent())
                            .map(|folder| format!("-Wl,-rpath,{}", folder.display())),
                    ),
            )?;
            Ok(path)
        };
        let (checking, plain) = (host("host", &[])?, host("plain", &["-DPLAIN"])?);
        let mut help = limited(LIMIT, tools.mlir_opt());
        help.arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg("--help");
        let help = String::from_utf8_lossy(&output(&mut help)?).into_owned();
        Ok(Self {
            declared: Declared::read(&help, "memplan-merge-alloc"),
            help,
            tools,
            folder: folder.to_owned(),
            host: checking,
            plain,
            files: Arc::default(),
            until: None,
            only_passes: false,
        })
    }

    /// The same machine with a time limit; without compilation unless `executes`.
    pub fn hurried(&self, until: Instant, executes: bool) -> Self {
        Self {
            until: Some(until),
            only_passes: !executes,
            ..self.clone()
        }
    }

    /// Whether it compiles and executes programs.
    pub fn executes(&self) -> bool {
        !self.only_passes
    }

    /// Whether the time is up.
    pub fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// A command with a time limit.
    fn limited(&self, most: Duration, program: impl AsRef<OsStr>) -> Command {
        let most = match self.until {
            Some(until) => most
                .min(HURRIED)
                .min(until.saturating_duration_since(Instant::now()))
                .max(Duration::from_millis(10)),
            None => most,
        };
        limited(most, program)
    }

    /// Whether there is a pass with this name.
    pub fn has_pass(&self, name: &str) -> bool {
        let option = format!("--{name}");
        self.help.split_whitespace().any(|word| word == option)
    }

    /// The options of a pass.
    pub fn options_of(&self, pass: &str) -> Vec<Declared> {
        Declared::read(&self.help, pass)
    }

    /// Whether valgrind is installed.
    pub fn has_valgrind(&self) -> bool {
        self.tools.valgrind.is_some()
    }

    /// A path for a new file.
    pub fn file(&self, end: &str) -> PathBuf {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{number}.{end}"))
    }

    /// Runs a pipeline. The error has the messages of mlir-opt.
    pub fn opt(&self, text: &str, pipeline: &str, more: &[&str]) -> Result<String, String> {
        Ok(self.opt_and_messages(text, pipeline, more)?.0)
    }

    /// Runs a pipeline. Returns the module and the messages.
    pub fn opt_and_messages(
        &self,
        text: &str,
        pipeline: &str,
        more: &[&str],
    ) -> Result<(String, String), String> {
        let input = self.file("mlir");
        fs::write(&input, text).map_err(|error| error.to_string())?;
        let mut command = self.limited(OPT_LIMIT, self.tools.mlir_opt());
        command
            .arg(&input)
            .arg(format!(
                "--load-pass-plugin={}",
                self.tools.plugin.display()
            ))
            .arg(format!("--pass-pipeline={pipeline}"))
            .arg("--mlir-print-op-generic")
            .args(more);
        let result = captured(&mut command);
        let _ = fs::remove_file(&input);
        result
    }

    /// Whether a pipeline failed because upstream's own passes, `upstream` on `text`, crash or take too long, and not
    /// those of memplan. Canonicalization crashes, or folds forever, on some unreachable loops. Some crashes depend on
    /// where the operating system places memory, so that only some of the runs end by them.
    pub fn is_lost_to_upstream(&self, error: &str, text: &str, upstream: &str) -> bool {
        is_crash_or_timeout(error)
            && (error.contains(CRASHES_AT_TIMES)
                || (0..CRASH_RUNS).any(|_| {
                    self.opt(text, upstream, &[])
                        .is_err_and(|error| is_crash_or_timeout(&error))
                }))
    }

    /// Compiles a module. Memory spaces are removed: upstream's lowering frees memory of the default space only.
    pub fn compile(&self, text: &str, code: Code) -> Result<Compiled, String> {
        if self.only_passes {
            return Err("nothing is compiled".to_owned());
        }
        let [mlir, lowered, ir, better, object] =
            ["mlir", "mlirbc", "ll", "bc", "o"].map(|end| self.file(end));
        let compiled = Compiled(self.file("so"));
        let result = (|| -> Result<()> {
            // The CPU has one memory.
            let mut text = text.to_owned();
            for space in [SPACE, SPACE + 1, SPACE + 2] {
                text = text.replace(&format!(", {space}>"), ">");
            }
            // Nor does it copy beside.
            fs::write(&mlir, as_copies(&text))?;
            output(
                self.limited(LIMIT, self.tools.mlir_opt())
                    .arg(&mlir)
                    .arg(format!("--pass-pipeline={LOWER}"))
                    // The translation verifies the result; `memref.alloca_scope` is not always valid in between.
                    .args(["--verify-each=false", "--mlir-disable-threading"])
                    .args(["--emit-bytecode", "-o"])
                    .arg(&lowered),
            )
            .context("lowering")?;
            let bin = self.tools.bin();
            let mut translate = self.limited(LIMIT, bin.join("mlir-translate"));
            let translated = output(translate.arg("--mlir-to-llvmir").arg(&lowered))?;
            let mut translated = String::from_utf8(translated)?;
            for (function, ours) in HEAP {
                translated = translated.replace(function, ours);
            }
            fs::write(&ir, translated)?;
            let mut opt = self.limited(LIMIT, bin.join("opt"));
            output(opt.arg(code.passes()).arg(&ir).arg("-o").arg(&better))?;
            output(
                self.limited(LIMIT, bin.join("llc"))
                    .args([code.level(), "--relocation-model=pic", "--filetype=obj"])
                    .arg(&better)
                    .arg("-o")
                    .arg(&object),
            )?;
            let mut link = self.limited(LIMIT, "cc");
            output(
                link.args(["-shared", "-nostdlib"])
                    .arg(&object)
                    .arg("-o")
                    .arg(&compiled.0),
            )?;
            Ok(())
        })();
        for file in [mlir, lowered, ir, better, object] {
            let _ = fs::remove_file(file);
        }
        match result {
            Ok(()) => Ok(compiled),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    /// Executes a module.
    pub fn run(&self, compiled: &Compiled) -> Result<Printed, String> {
        let mut command = self.limited(RUN_LIMIT, &self.host);
        // Regions are filled when they are released, and none may be left.
        command.env("MEMPLAN_REGION_DEBUG", "1");
        let (text, _) = captured(command.arg(&compiled.0))?;
        Printed::read(&text)
    }

    /// Executes a module under valgrind; the error has its messages. False if it ran into the time limit.
    pub fn valgrind(&self, compiled: &Compiled) -> Result<bool, String> {
        let Some(valgrind) = &self.tools.valgrind else {
            return Ok(false);
        };
        let mut command = self.limited(LIMIT, valgrind);
        command
            // Fair scheduling of threads: one that spins does not starve the one that it waits for.
            .args(["--quiet", "--error-exitcode=99", "--fair-sched=try"])
            .arg(&self.plain)
            .arg(&compiled.0);
        match output(&mut command) {
            Ok(_) => Ok(true),
            Err(error) => match format!("{error:#}") {
                late if late.starts_with(OUT_OF_TIME) && !late.contains("==") => Ok(false),
                error => Err(error),
            },
        }
    }
}

/// The optimization level of the code generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// No optimization, which is fast.
    Plain,
    /// Optimized code.
    Optimized,
}

impl Code {
    const fn passes(self) -> &'static str {
        match self {
            Self::Plain => "--passes=default<O0>",
            Self::Optimized => "--passes=default<O2>",
        }
    }

    const fn level(self) -> &'static str {
        match self {
            Self::Plain => "-O0",
            Self::Optimized => "-O1",
        }
    }
}

/// A module as a shared library, which is deleted when this is dropped.
pub struct Compiled(PathBuf);

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn captured(command: &mut Command) -> Result<(String, String), String> {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .with_context(|| format!("{command:?}"))
        .map_err(|error| format!("{error:#}"))?;
    if !status.success() {
        let messages = String::from_utf8_lossy(&stderr);
        // There may be more warnings before the first error than lines that are kept.
        let before = messages.lines().position(|line| line.contains(": error: "));
        let messages: Vec<&str> = messages
            .lines()
            .skip(before.unwrap_or(0))
            .take(MESSAGES)
            .map(|line| line.get(..300).unwrap_or(line))
            .collect();
        let last = String::from_utf8_lossy(&stdout)
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(MARK).map(str::to_owned));
        let place = last.map_or_else(String::new, |last| format!(" in program {last}"));
        return Err(format!(
            "{}{place}\n{}",
            ending(status),
            messages.join("\n")
        ));
    }
    let stdout = String::from_utf8(stdout).map_err(|error| error.to_string())?;
    Ok((stdout, String::from_utf8_lossy(&stderr).into_owned()))
}

impl Printed {
    fn read(text: &str) -> Result<Self, String> {
        let mut printed = Self {
            runs: Vec::new(),
            left: Vec::new(),
            held: BTreeMap::new(),
            heaps: Vec::new(),
        };
        let mut program = 0;
        for line in text.lines() {
            if line == "start" {
                printed.runs.push(BTreeMap::new());
                printed.left.push(BTreeMap::new());
            } else if let Some(number) = line.strip_prefix(MARK) {
                program = number.parse().map_err(|_| format!("no number: {line}"))?;
                if let Some(run) = printed.runs.last_mut() {
                    run.insert(program, Vec::new());
                }
            } else if let Some(left) = line.strip_prefix("left ") {
                if let Some(run) = printed.left.last_mut() {
                    run.insert(program, left.parse().unwrap_or(0));
                }
            } else if let Some(held) = line.strip_prefix("held ") {
                let mut numbers = held.split(' ').map(|number| number.parse().unwrap_or(0));
                let held = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
                printed.held.entry(program).or_insert(held);
            } else if let Some(heap) = line.strip_prefix("heap ") {
                printed.heaps.push(Heap::read(heap));
            } else if let Some(lines) = printed
                .runs
                .last_mut()
                .and_then(|run| run.get_mut(&program))
            {
                lines.push(line.to_owned());
            }
        }
        if printed.heaps.len() != super::generate::FILLS.len() {
            return Err(format!("the program ended early, in program {program}"));
        }
        Ok(printed)
    }

    /// The programs that do not print the same in all runs of both.
    pub fn differing(&self, other: &Self) -> Vec<u64> {
        let Some(first) = self.runs.first() else {
            return Vec::new();
        };
        let same = |(program, lines): (&u64, &Vec<String>)| {
            let runs = self.runs.iter().chain(&other.runs);
            runs.map(|run| run.get(program))
                .all(|others| others == Some(lines))
        };
        first
            .iter()
            .filter(|entry| !same(*entry))
            .map(|(program, _)| *program)
            .collect()
    }

    /// The programs that leave more allocations than in `other`.
    pub fn leaking(&self, other: &Self) -> Vec<u64> {
        let mut all: Vec<u64> = self
            .left
            .iter()
            .zip(&other.left)
            .flat_map(|(here, there)| {
                let more = here.iter().filter(|(program, left)| {
                    there.get(*program).is_some_and(|other| *left > other)
                });
                more.map(|(program, _)| *program)
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The first line of a program that differs.
    pub fn first_difference(&self, other: &Self, program: u64) -> String {
        let lines: Vec<&[String]> = self
            .runs
            .iter()
            .chain(&other.runs)
            .map(|run| run.get(&program).map_or(&[][..], Vec::as_slice))
            .collect();
        let longest = lines.iter().map(|lines| lines.len()).max().unwrap_or(0);
        for at in 0..longest {
            let here: Vec<&str> = lines
                .iter()
                .map(|lines| lines.get(at).map_or("nothing", String::as_str))
                .collect();
            if here.iter().any(|line| *line != here[0]) {
                return format!("program {program}, line {}: {}", at + 1, here.join(" | "));
            }
        }
        format!("program {program} prints the same")
    }
}

impl Heap {
    fn read(text: &str) -> Self {
        let mut heap = Self::default();
        for word in text.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let value = value.parse().unwrap_or(u64::MAX);
            match name {
                "allocations" => heap.allocations = value,
                "live" => heap.live = value,
                "peak" => heap.peak = value,
                "invalid" => heap.invalid = value,
                "overruns" => heap.overruns = value,
                _ => {}
            }
        }
        heap
    }

    /// Whether there was no invalid free and no overrun.
    pub fn is_sound(&self) -> bool {
        self.invalid == 0 && self.overruns == 0
    }
}
