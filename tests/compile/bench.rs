//! A temporary folder, and the tools.

use crate::programs::{caller, expected};
use anyhow::{Context, Result, ensure};
use memplan_harness::{
    command::{limited, output},
    tools::Tools,
};
use std::{fs, path::PathBuf, process::Output, time::Duration};
use tempfile::TempDir;

/// The CPU time limit of one command.
pub const LIMIT: Duration = Duration::from_secs(120);

/// A temporary folder, and the tools.
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

    /// Runs memplan, which must succeed. Returns the contents of the file that it writes.
    pub fn output(&self, arguments: &[&str], file: &str) -> Result<Vec<u8>> {
        let done = self.run(arguments)?;
        ensure!(
            done.status.success(),
            "memplan {arguments:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        fs::read(self.path(file)).with_context(|| format!("no {file}"))
    }

    /// Runs a tool in the folder, which must succeed.
    pub fn tool(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let llvm = self.tools.bin().join(name);
        let program = if llvm.is_file() { llvm } else { name.into() };
        let mut command = limited(LIMIT, program);
        command.args(arguments).current_dir(self.folder.path());
        Ok(String::from_utf8(output(&mut command)?)?)
    }

    /// The output of a program linked from these files and one of MLIR's runner libraries.
    pub fn printed_with(&self, library: &str, files: &[&str]) -> Result<String> {
        let folder = self.tools.lib();
        let where_from = format!("-L{}", folder.display());
        let where_at = format!("-Wl,-rpath,{}", folder.display());
        let mut arguments = files.to_vec();
        arguments.extend([&*where_from, &where_at, library, "-o", "program"]);
        self.tool("cc", &arguments)?;
        self.tool(&self.path("program").display().to_string(), &[])
    }

    /// The output of a program linked from an object and a caller.
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
