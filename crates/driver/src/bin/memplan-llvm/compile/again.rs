//! A second try, where LLVM ended the first one: each function for itself, so that all that is wrong is told.
//!
//! LLVM ends the process on what it does not expect. Before that, the process becomes another one with the same arguments,
//! which knows of the first one by its environment.

use anyhow::Result;
use memplan_driver::files;
use memplan_mlir::llvm::before_the_end;
use std::{
    env, fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{self, Command},
};

/// Says what LLVM said.
const GIVEN_UP: &str = "MEMPLAN_LLVM_GAVE_UP";
/// Names a file with what was standard input.
const INPUT: &str = "MEMPLAN_STANDARD_INPUT";

/// What LLVM said when it ended the first try, if this is the second one.
pub fn given_up() -> Option<String> {
    env::var(GIVEN_UP).ok()
}

/// The input; where it was standard input of the first try, it is kept.
pub fn input(path: &Path) -> Result<Vec<u8>> {
    match env::var_os(INPUT).filter(|_| files::is_dash(path)) {
        Some(kept) => {
            let bytes = fs::read(&kept);
            let _ = fs::remove_file(&kept);
            Ok(bytes?)
        }
        None => files::read(path),
    }
}

/// Sees to it that there will be a second try.
pub fn each_alone_where_llvm_gives_up(path: &Path, input: &[u8]) {
    let kept = files::is_dash(path).then(|| input.to_vec());
    before_the_end(move |text| {
        let Ok(memplan) = env::current_exe() else {
            return;
        };
        let mut command = Command::new(memplan);
        command.args(env::args_os().skip(1)).env(GIVEN_UP, text);
        if let Some(kept) = &kept {
            let file = temporary();
            if fs::write(&file, kept).is_err() {
                return;
            }
            command.env(INPUT, file);
        }
        // Comes back only if it cannot be done.
        let _ = command.exec();
    });
}

fn temporary() -> PathBuf {
    env::temp_dir().join(format!("memplan-{}.mlir", process::id()))
}
