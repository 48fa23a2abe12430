//! How far a long test is.

use std::io::{self, IsTerminal, Write};

/// One line that is written over, on a terminal only.
pub fn progress(name: &str, done: usize, all: usize) {
    let mut terminal = io::stderr();
    if terminal.is_terminal() {
        let line = if done == all {
            String::new()
        } else {
            format!("{done}/{all} {name}")
        };
        let _ = write!(terminal, "\r\x1b[K{line}");
    }
}
