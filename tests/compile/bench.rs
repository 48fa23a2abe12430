//! A folder to work in, and the tools.

use crate::programs::{caller, expected};
use anyhow::{Context, Result, ensure};
use memplan_harness::{
    command::{limited, output},
    tools::Tools,
};
use std::{fs, path::PathBuf, process::Output, time::Duration};
use tempfile::TempDir;

/// How long one command may compute.
pub const LIMIT: Duration = Duration::from_secs(120);

/// A folder, and the tools.
pub struct Bench {
    pub tools: Tools,
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Result<Self> {
        Ok(Self {
            tools: Tools::with_memplan()?,
            folder: TempDir::new()?,
        })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Runs memplan in the folder.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = limited(LIMIT, &self.tools.memplan);
        command.args(arguments).current_dir(self.folder.path());
        Ok(command.output()?)
    }

    /// The same, which has to succeed; what it made.
    pub fn made(&self, arguments: &[&str], file: &str) -> Result<Vec<u8>> {
        let done = self.run(arguments)?;
        ensure!(
            done.status.success(),
            "memplan {arguments:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        fs::read(self.path(file)).with_context(|| format!("no {file}"))
    }

    /// Runs a tool in the folder, which has to succeed.
    pub fn tool(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let llvm = self.tools.bin().join(name);
        let program = if llvm.is_file() { llvm } else { name.into() };
        let mut command = limited(LIMIT, program);
        command.args(arguments).current_dir(self.folder.path());
        Ok(String::from_utf8(output(&mut command)?)?)
    }

    /// What a program prints that is linked of these with one of MLIR's own libraries.
    pub fn printed_with(&self, library: &str, files: &[&str]) -> Result<String> {
        let folder = self.tools.lib();
        let where_from = format!("-L{}", folder.display());
        let where_at = format!("-Wl,-rpath,{}", folder.display());
        let mut arguments = files.to_vec();
        arguments.extend([&*where_from, &where_at, library, "-o", "program"]);
        self.tool("cc", &arguments)?;
        self.tool(&self.path("program").display().to_string(), &[])
    }

    /// What the program prints that an object and a caller are linked to.
    pub fn executed(&self, object: &str, functions: usize) -> Result<String> {
        self.write("caller.c", &caller(functions))?;
        self.tool("cc", &["caller.c", object, "-lm", "-o", "program"])?;
        self.tool(&self.path("program").display().to_string(), &[])
    }
}

pub fn expected_text(functions: usize) -> String {
    let numbers = 0..functions;
    numbers
        .map(|number| format!("{}\n", expected(number, 1.0, 3)))
        .collect()
}
