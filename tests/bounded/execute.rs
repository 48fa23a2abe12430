//! Runs programs through mlir-opt, the compiler and valgrind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use memplan_harness::command::{limited, output};
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;

/// The time limit of one command.
const LIMIT: Duration = Duration::from_secs(300);

/// Lowers any of the programs.
const LOWER: &str = "builtin.module(func.func(convert-linalg-to-loops,scf-forall-to-for),expand-strided-metadata,lower-affine,\
convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)";

/// The tools that execute programs.
pub struct Machine {
    tools: Tools,
    folder: PathBuf,
    files: AtomicU64,
}

impl Machine {
    /// A machine with its files in `folder`.
    pub fn new(tools: Tools, folder: &Path) -> Self {
        Self {
            tools,
            folder: folder.to_owned(),
            files: AtomicU64::new(0),
        }
    }

    fn file(&self, end: &str) -> PathBuf {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{number}.{end}"))
    }

    /// Writes a program to a file that is not deleted.
    pub fn keep(&self, text: &str) -> Result<String> {
        let folder = root().join("target/bounded");
        fs::create_dir_all(&folder)?;
        let path = folder.join("failure.mlir");
        fs::write(&path, text)?;
        Ok(path.display().to_string())
    }

    /// A program with its loops and branches kept, on one stack where possible, and the report.
    pub fn keep_branches(&self, text: &str, configuration: &str) -> Result<(String, Report)> {
        self.passes(text, |report| {
            format!(
                "memplan-tree-scan{{virtual=true {configuration} effort=quick report={report}}}"
            )
        })
    }

    /// A program after the passes, and the report. Every function is then a tree, except the one that runs the others.
    pub fn transform(&self, text: &str, configuration: &str) -> Result<(String, Report)> {
        let rewrites = !configuration.contains("values=all");
        let check = if rewrites {
            ",memplan-check-tree,memplan-verify"
        } else {
            ""
        };
        self.passes(text, |report| {
            format!(
                "memplan-bounded-pipeline{{{configuration} effort=quick report={report}}}{check}"
            )
        })
    }

    fn passes(
        &self,
        text: &str,
        passes: impl Fn(std::path::Display<'_>) -> String,
    ) -> Result<(String, Report)> {
        let (input, report) = (self.file("mlir"), self.file("json"));
        fs::write(&input, text)?;
        let pipeline = format!(
            "--pass-pipeline=builtin.module({})",
            passes(report.display())
        );
        let done = output(
            limited(LIMIT, self.tools.mlir_opt())
                .arg(format!(
                    "--load-pass-plugin={}",
                    self.tools.plugin.display()
                ))
                .arg(pipeline)
                .arg(&input),
        )?;
        let text = fs::read_to_string(&report)?;
        let _ = (fs::remove_file(&report), fs::remove_file(&input));
        Ok((String::from_utf8(done)?, Report::from_json(&text)?))
    }

    /// The output of a program.
    pub fn execute(&self, text: &str, valgrind: bool) -> Result<String> {
        let [input, lowered, ir, object, binary] =
            ["mlir", "mlirbc", "ll", "o", "exe"].map(|end| self.file(end));
        let result = (|| -> Result<String> {
            fs::write(&input, text)?;
            output(
                limited(LIMIT, self.tools.mlir_opt())
                    .arg(&input)
                    .arg(format!("--pass-pipeline={LOWER}"))
                    .args(["--emit-bytecode", "-o"])
                    .arg(&lowered),
            )?;
            let bin = self.tools.bin();
            output(
                limited(LIMIT, bin.join("mlir-translate"))
                    .arg("--mlir-to-llvmir")
                    .arg(&lowered)
                    .arg("-o")
                    .arg(&ir),
            )?;
            output(
                limited(LIMIT, bin.join("llc"))
                    .args(["-O1", "--relocation-model=pic", "--filetype=obj"])
                    .arg(&ir)
                    .arg("-o")
                    .arg(&object),
            )?;
            let lib = self.tools.lib();
            output(
                limited(LIMIT, "cc")
                    .arg(&object)
                    .arg("-o")
                    .arg(&binary)
                    .arg(format!("-L{}", lib.display()))
                    .arg(format!("-Wl,-rpath,{}", lib.display()))
                    .args(["-lmlir_c_runner_utils", "-lm"]),
            )?;
            let mut run = match (&self.tools.valgrind, valgrind) {
                (Some(tool), true) => {
                    let mut run = limited(LIMIT, tool);
                    run.args(["--quiet", "--error-exitcode=99"]).arg(&binary);
                    run
                }
                _ => limited(LIMIT, &binary),
            };
            String::from_utf8(output(&mut run)?).context("it prints no text")
        })();
        for file in [&input, &lowered, &ir, &object, &binary] {
            let _ = fs::remove_file(file);
        }
        result
    }
}
