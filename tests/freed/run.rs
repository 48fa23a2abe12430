//! Executes a network with its driver on a counting heap.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::networks::models;
use memplan_harness::networks::transform::transform;
use memplan_harness::runner::runner;
use memplan_harness::tools::{Tools, root};

/// The time limit of one execution: the slowest takes minutes on an idle machine.
const LIMIT: Duration = Duration::from_secs(900);

/// Sizes are requested unrounded; C requires multiples of the alignment.
const ALIGNED: (&str, &str) = (
    "finalize-memref-to-llvm",
    "finalize-memref-to-llvm{use-aligned-alloc=true}",
);

/// The functions of the heap that the program calls, and their replacements.
const HEAP: [(&str, &str); 3] = [
    ("@malloc(", "@heap_malloc("),
    ("@aligned_alloc(", "@heap_aligned_alloc("),
    ("@free(", "@heap_free("),
];

/// The output and the heap use of a run.
#[derive(Debug)]
pub struct Ran {
    /// The checksums of the network's results, with all bits.
    pub printed: String,
    /// The number of allocations in the whole run.
    pub allocations: u64,
    /// The number of frees in the whole run.
    pub frees: u64,
    /// The number of allocations of the network itself.
    pub own_allocations: u64,
    /// The maximum number of bytes that the network holds at one time.
    pub peak: u64,
    /// The same if each allocation were freed at its last touch.
    pub load: u64,
}

/// Compiles the heap.
pub fn heap(folder: &Path) -> Result<PathBuf> {
    let library = folder.join("libheap.so");
    output(
        limited(LIMIT, "cc")
            .args(["-O2", "-fPIC", "-shared", "-o"])
            .arg(&library)
            .arg(root().join("tests/freed/heap.c")),
    )?;
    Ok(library)
}

/// A network from `text`, and its driver, which reports the start and the end of the network to the heap.
pub fn with_driver(name: &str, text: &str) -> Result<String> {
    let driver = fs::read_to_string(models().join(format!("run/{name}.driver.mlir")))?;
    let (body, _) = text.trim_end().rsplit_once('}').context("no module")?;
    let (rest, main) = driver.split_once("@main").context("no @main")?;
    let (main, end) = main.rsplit_once("return").context("no return")?;
    let mut whole = format!("{body}{rest}@main");
    for line in main.lines() {
        let printed = line.trim().strip_prefix("vector.print ");
        ensure!(printed.is_none(), "@main itself prints");
        if line.contains("func.call @forward(") {
            whole += "func.call @heap_start() : () -> ()\n";
            whole += line;
            whole += "\nfunc.call @heap_stop() : () -> ()";
        } else {
            whole += line;
        }
        whole += "\n";
    }
    whole += "func.call @heap_report() : () -> ()\nreturn";
    whole += end;
    for function in ["start", "stop", "report"] {
        whole += &format!("func.func private @heap_{function}()\n");
    }
    whole += "}\n";
    Ok(all_bits(&whole))
}

/// Makes checksums print all their bits.
fn all_bits(text: &str) -> String {
    let mut bits = String::with_capacity(text.len());
    for line in text.lines() {
        let sum = line.trim().strip_prefix("vector.print %");
        match sum.and_then(|rest| rest.strip_suffix(" : f64")) {
            Some(sum) => {
                bits += &format!("%{sum}_bits = arith.bitcast %{sum} : f64 to i64\n");
                bits += &format!("vector.print %{sum}_bits : i64");
            }
            None => bits += line,
        }
        bits += "\n";
    }
    bits
}

/// The tools that execute programs.
pub struct Machine<'m> {
    /// LLVM's tools.
    pub tools: &'m Tools,
    /// The counting heap.
    pub heap: &'m Path,
    /// The folder for files.
    pub folder: &'m Path,
    /// The optimization level.
    pub level: u8,
    /// Results by lowered program: several forms often result in the same program.
    pub results: RefCell<HashMap<String, Rc<Ran>>>,
}

impl Machine<'_> {
    /// Lowers a program that has a driver, and executes it.
    pub fn run(&self, from: &Path, name: &str) -> Result<Rc<Ran>> {
        let (file, text) = self.lower(from, name)?;
        if let Some(ran) = self.results.borrow().get(&text) {
            return Ok(Rc::clone(ran));
        }
        fs::write(&file, &text)?;
        let mut command = runner(self.tools, &file, self.level, &[self.heap], LIMIT);
        let printed = String::from_utf8(output(&mut command)?)?;
        fs::remove_file(&file)?;
        let ran = Rc::new(read(&printed).context("the heap says nothing")?);
        self.results.borrow_mut().insert(text, Rc::clone(&ran));
        Ok(ran)
    }

    /// The program in the LLVM dialect, for the counting heap, and its file.
    fn lower(&self, from: &Path, name: &str) -> Result<(PathBuf, String)> {
        let passes = output(limited(LIMIT, models().join("lower")).arg("--passes"))?;
        let passes = String::from_utf8(passes)?;
        let passes = passes.trim().replace(ALIGNED.0, ALIGNED.1);
        let pipeline = format!("--pass-pipeline=builtin.module({passes})");
        let name = format!("{name}, lowered");
        let lowered = transform(self.tools, from, self.folder, &name, &[&pipeline])?;
        let mut text = fs::read_to_string(&lowered.file)?;
        for (from, to) in HEAP {
            text = text.replace(from, to);
        }
        Ok((lowered.file, text))
    }
}

fn read(text: &str) -> Option<Ran> {
    let (printed, counts) = text.trim_end().rsplit_once("heap ")?;
    let mut counts = counts.split(' ').map(|word| word.parse().ok());
    let mut next = || counts.next().flatten();
    Some(Ran {
        printed: printed.to_owned(),
        allocations: next()?,
        frees: next()?,
        own_allocations: next()?,
        peak: next()?,
        load: next()?,
    })
}
