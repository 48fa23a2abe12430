//! Reading reports, writing results.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use memplan_report::Report;

/// The path that stands for standard input or output.
const DASH: &str = "-";

/// All documents of a report file as one report; `-` is standard input.
pub fn read_report(path: &Path) -> Result<Report> {
    let name = name(path);
    let bytes = if path == Path::new(DASH) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8"))?;
    let reports = Report::read_all(&text).with_context(|| name.clone())?;
    if reports.is_empty() {
        bail!("{name} holds no report");
    }
    Ok(Report::merge(reports))
}

/// How messages call a report.
pub fn name(path: &Path) -> String {
    if path == Path::new(DASH) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Writes `text` to a file; `-` is standard output.
pub fn write(path: &Path, text: &str) -> Result<()> {
    if path == Path::new(DASH) {
        return print(text);
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes `text` to standard output. Nobody reading to the end is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}
