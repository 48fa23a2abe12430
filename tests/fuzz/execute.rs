//! Programs through mlir-opt, mlir-runner and valgrind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use super::generate::{MARK, SPACE};
use super::settings::Declared;
use crate::common::command::{ending, limited, output};
use crate::common::tools::{Tools, root};

/// How long one command may take.
const LIMIT: Duration = Duration::from_secs(120);

/// What lowers any of the programs. Upstream lowers asynchronous ops first, while regions are one block.
const LOWER: &str = "builtin.module(async-to-async-runtime,async-runtime-ref-counting,expand-realloc,\
func.func(scf-forall-to-for,convert-linalg-to-loops),lower-affine,convert-scf-to-cf,convert-async-to-llvm,\
convert-bufferization-to-memref,convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,lower-affine,\
convert-vector-to-llvm,convert-complex-to-llvm,convert-index-to-llvm,\
finalize-memref-to-llvm{use-generic-functions=true},convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,\
reconcile-unrealized-casts)";

/// What is used to execute programs.
pub struct Machine {
    tools: Tools,
    folder: PathBuf,
    heap: PathBuf,
    plain: PathBuf,
    /// Options of the plugin.
    pub declared: Vec<Declared>,
    files: AtomicU64,
}

/// What a run of a module printed, and what became of its heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// For each fill of the memory, what each program printed, by its number.
    pub turns: Vec<BTreeMap<u64, Vec<String>>>,
    /// For each fill, how many allocations each program left.
    pub left: Vec<BTreeMap<u64, u64>>,
    /// For each fill, the heap at the end.
    pub heaps: Vec<Heap>,
}

/// The heap at the end of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heap {
    /// Allocations that were made.
    pub allocations: u64,
    /// Allocations that were not freed.
    pub live: u64,
    /// The most bytes at one time.
    pub peak: u64,
    /// Frees of what was not allocated, or freed before.
    pub invalid: u64,
    /// Allocations with bytes written in front of or behind them.
    pub overruns: u64,
}

impl Machine {
    /// Compiles the heap into `folder`.
    pub fn new(tools: Tools, folder: &Path) -> Result<Self> {
        let source = root().join("tests/fuzz/heap.c");
        let heap = folder.join("libheap.so");
        let plain = folder.join("plain.o");
        output(
            limited(LIMIT, "cc")
                .args(["-shared", "-fPIC", "-O2"])
                .arg(&source)
                .arg("-o")
                .arg(&heap),
        )?;
        output(
            limited(LIMIT, "cc")
                .args(["-c", "-DPLAIN", "-O1"])
                .arg(&source)
                .arg("-o")
                .arg(&plain),
        )?;
        let mut help = limited(LIMIT, tools.mlir_opt());
        help.arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg("--help");
        let help = String::from_utf8_lossy(&output(&mut help)?).into_owned();
        Ok(Self {
            declared: Declared::read(&help),
            tools,
            folder: folder.to_owned(),
            heap,
            plain,
            files: AtomicU64::new(0),
        })
    }

    /// Whether there is a valgrind.
    pub fn has_valgrind(&self) -> bool {
        self.tools.valgrind.is_some()
    }

    /// A path for a file that nothing else has.
    pub fn file(&self, end: &str) -> PathBuf {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{number}.{end}"))
    }

    /// Runs a pipeline. The error is what mlir-opt said.
    pub fn opt(&self, text: &str, pipeline: &str, more: &[&str]) -> Result<String, String> {
        let input = self.file("mlir");
        fs::write(&input, text).map_err(|error| error.to_string())?;
        let mut command = limited(LIMIT, self.tools.mlir_opt());
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

    /// To the LLVM dialect. Memory spaces go: upstream's lowering frees memory of the first only.
    fn lower(&self, text: &str) -> Result<String, String> {
        self.opt(&text.replace(&format!(", {SPACE}>"), ">"), LOWER, &[])
    }

    /// Executes a module.
    pub fn run(&self, text: &str, level_of_code: &str) -> Result<Printed, String> {
        let lowered = self
            .lower(text)
            .map_err(|error| format!("lowering: {error}"))?;
        let input = self.file("mlir");
        fs::write(&input, lowered).map_err(|error| error.to_string())?;
        let lib = self.tools.lib();
        let libraries: Vec<String> = ["libmlir_c_runner_utils.so", "libmlir_async_runtime.so"]
            .iter()
            .map(|library| lib.join(library).display().to_string())
            .chain([self.heap.display().to_string()])
            .collect();
        let mut command = limited(LIMIT, self.tools.bin().join("mlir-runner"));
        command
            .arg(&input)
            .args(["-e", "main", "--entry-point-result=void", level_of_code])
            .arg(format!("--shared-libs={}", libraries.join(",")));
        let result = captured(&mut command);
        let _ = fs::remove_file(&input);
        Printed::read(&result?)
    }

    /// Executes a module under valgrind; the error is what that said.
    pub fn valgrind(&self, text: &str) -> Result<(), String> {
        let Some(valgrind) = &self.tools.valgrind else {
            return Ok(());
        };
        let lowered = self
            .lower(text)
            .map_err(|error| format!("lowering: {error}"))?;
        self.valgrind_lowered(valgrind, &lowered)
            .map_err(|error| format!("{error:#}"))
    }

    fn valgrind_lowered(&self, valgrind: &Path, lowered: &str) -> Result<()> {
        let (mlir, ir, object, program) = (
            self.file("mlir"),
            self.file("ll"),
            self.file("o"),
            self.file("exe"),
        );
        fs::write(&mlir, lowered)?;
        let bin = self.tools.bin();
        let translated = output(
            limited(LIMIT, bin.join("mlir-translate"))
                .arg("--mlir-to-llvmir")
                .arg(&mlir),
        )?;
        let translated = String::from_utf8_lossy(&translated).replace("@main(", "@driver(");
        let main = "define i32 @main() {\n  call void @driver()\n  ret i32 0\n}\n";
        fs::write(&ir, translated + main)?;
        let mut llc = limited(LIMIT, bin.join("llc"));
        output(
            llc.args(["-O1", "--relocation-model=pic", "--filetype=obj"])
                .arg(&ir)
                .arg("-o")
                .arg(&object),
        )?;
        let lib = self.tools.lib();
        output(
            limited(LIMIT, "cc")
                .args([&object, &self.plain])
                .arg("-o")
                .arg(&program)
                .arg(format!("-L{}", lib.display()))
                .arg(format!("-Wl,-rpath,{}", lib.display()))
                .args(["-lmlir_c_runner_utils", "-lmlir_async_runtime", "-lm"]),
        )?;
        let result = output(
            limited(LIMIT, valgrind)
                .args(["--quiet", "--error-exitcode=99"])
                .arg(&program),
        );
        for file in [mlir, ir, object, program] {
            let _ = fs::remove_file(file);
        }
        result.map(|_| ())
    }
}

fn captured(command: &mut Command) -> Result<String, String> {
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
        let messages: Vec<&str> = messages
            .lines()
            .take(12)
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
    String::from_utf8(stdout).map_err(|error| error.to_string())
}

impl Printed {
    fn read(text: &str) -> Result<Self, String> {
        let mut printed = Self {
            turns: Vec::new(),
            left: Vec::new(),
            heaps: Vec::new(),
        };
        let mut program = 0;
        for line in text.lines() {
            if line == "start" {
                printed.turns.push(BTreeMap::new());
                printed.left.push(BTreeMap::new());
            } else if let Some(number) = line.strip_prefix(MARK) {
                program = number.parse().map_err(|_| format!("no number: {line}"))?;
                if let Some(turn) = printed.turns.last_mut() {
                    turn.insert(program, Vec::new());
                }
            } else if let Some(left) = line.strip_prefix("left ") {
                if let Some(turn) = printed.left.last_mut() {
                    turn.insert(program, left.parse().unwrap_or(0));
                }
            } else if let Some(heap) = line.strip_prefix("heap ") {
                printed.heaps.push(Heap::read(heap));
            } else if let Some(lines) = printed
                .turns
                .last_mut()
                .and_then(|turn| turn.get_mut(&program))
            {
                lines.push(line.to_owned());
            }
        }
        if printed.heaps.len() != super::generate::FILLS.len() {
            return Err(format!("the program ended early, in program {program}"));
        }
        Ok(printed)
    }

    /// The programs that do not print the same in all turns of both.
    pub fn differing(&self, other: &Self) -> Vec<u64> {
        let Some(first) = self.turns.first() else {
            return Vec::new();
        };
        let same = |(program, lines): (&u64, &Vec<String>)| {
            let turns = self.turns.iter().chain(&other.turns);
            turns
                .map(|turn| turn.get(program))
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
            .turns
            .iter()
            .chain(&other.turns)
            .map(|turn| turn.get(&program).map_or(&[][..], Vec::as_slice))
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

    /// Nothing was freed that must not be, and nothing written outside.
    pub fn is_sound(&self) -> bool {
        self.invalid == 0 && self.overruns == 0
    }
}
