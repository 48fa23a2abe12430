//! Runs the executable and checks its output.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub fn memplan(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(arguments);
    command
}

pub fn run(arguments: &[&str]) -> Output {
    memplan(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The message of a run that must fail: one line, exit code 2, nothing on standard output.
pub fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
        .strip_prefix("memplan: error: ")
        .unwrap()
        .trim_end()
        .to_owned()
}

pub fn file(folder: &TempDir, name: &str, text: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (path, name)
}

/// Runs the executable with this text on standard input.
pub fn run_on(text: &[u8], arguments: &[&str]) -> Output {
    let mut child = memplan(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    child.wait_with_output().unwrap()
}
