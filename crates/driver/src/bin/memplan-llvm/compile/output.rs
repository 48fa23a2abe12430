//! Writes files atomically.

use anyhow::{Context, Result};
use memplan_driver::files;
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::Path,
};

/// Writes a file; `-` is standard output. If a file cannot be written completely, the old one
/// stays.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if files::is_dash(path) {
        let mut out = io::stdout().lock();
        return match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context("cannot write to standard output")
            }
            _ => Ok(()),
        };
    }
    let cannot = || format!("cannot write {}", path.display());
    // A device or a pipe is written directly.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, bytes).with_context(cannot);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let result = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result.with_context(cannot)
}
