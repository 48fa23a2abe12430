//! The LLVM that this process has loaded.

use anyhow::Result;
use memplan_driver::files;
use memplan_mlir::llvm::version;
use std::fs;

/// Prints its version, a space, and the path of its library, as far as the system tells it.
pub fn print() -> Result<()> {
    let mapped = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let library = mapped
        .lines()
        .filter_map(|line| line.find('/').map(|start| &line[start..]))
        .find(|path| path.contains("/libLLVM"));
    let (major, minor, patch) = version();
    let library = library.unwrap_or_default();
    files::print(&format!("{major}.{minor}.{patch} {library}\n"))
}
