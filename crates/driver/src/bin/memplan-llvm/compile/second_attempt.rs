//! Recovers from a fatal error of LLVM, or a crash: compiles a second time, each function alone, to report
//! every error.
//!
//! LLVM ends the process at an input that it does not support. A handler then replaces the process
//! (`exec`) with a new one that has the same arguments. Environment variables pass the state of the
//! first attempt to it.

use anyhow::Result;
use memplan_driver::files;
use memplan_mlir::llvm::{Restart, on_fatal_error, restart_on_crash};
use std::{
    env,
    ffi::{CString, OsStr, OsString},
    fs::{self, File},
    io::{self, Write},
    os::unix::{ffi::OsStrExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{self, Command},
};

/// The environment variable with LLVM's fatal error.
const FATAL_ERROR: &str = "MEMPLAN_LLVM_GAVE_UP";
/// The environment variable with the path of a copy of standard input.
const INPUT_COPY: &str = "MEMPLAN_STANDARD_INPUT";

/// LLVM's fatal error in the first attempt, if this is the second one.
pub fn fatal_error() -> Option<String> {
    env::var(FATAL_ERROR).ok()
}

/// The bytes of the input. If the first attempt consumed standard input, reads its copy.
pub fn input(path: &Path) -> Result<Vec<u8>> {
    match env::var_os(INPUT_COPY).filter(|_| files::is_dash(path)) {
        Some(copy) => {
            let bytes = fs::read(&copy);
            let _ = fs::remove_file(&copy);
            Ok(bytes?)
        }
        None => files::read(path),
    }
}

/// Installs the handlers that start the second attempt.
pub fn retry_on_fatal_error(path: &Path, input: &[u8]) {
    let copy = files::is_dash(path).then(|| input.to_vec());
    if let Ok(restart) = restart(copy.clone()) {
        restart_on_crash(restart);
    }
    on_fatal_error(move |text| {
        let Ok(memplan) = env::current_exe() else {
            return;
        };
        let mut command = Command::new(memplan);
        command.args(env::args_os().skip(1)).env(FATAL_ERROR, text);
        if let Some(copy) = &copy {
            let file = temporary_file();
            if let Err(error) = write_new(&file, copy) {
                let name = file.display();
                files::say(&format!(
                    "memplan: warning: errors of other functions are not looked for: cannot write {name}: {error}"
                ));
                return;
            }
            command.env(INPUT_COPY, file);
        }
        // Returns only on failure.
        let _ = command.exec();
    });
}

/// The second attempt after a crash.
fn restart(copy: Option<Vec<u8>>) -> Result<Restart> {
    let text = |text: &OsStr| CString::new(text.as_bytes());
    let mut environment: Vec<(OsString, OsString)> = env::vars_os().collect();
    environment.push((FATAL_ERROR.into(), "MLIR or LLVM crashed".into()));
    let mut file = None;
    if let Some(copy) = copy {
        let path = temporary_file();
        environment.push((INPUT_COPY.into(), path.clone().into()));
        file = Some((text(path.as_os_str())?, copy));
    }
    let program = env::current_exe()?;
    Ok(Restart {
        program: text(program.as_os_str())?,
        arguments: env::args_os()
            .map(|argument| text(&argument))
            .collect::<Result<_, _>>()?,
        environment: environment
            .into_iter()
            .map(|(mut name, value)| {
                name.push("=");
                name.push(value);
                text(&name)
            })
            .collect::<Result<_, _>>()?,
        file,
    })
}

/// Writes a file that was not there. On failure, nothing of it is left.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes).inspect_err(|_| {
        _ = fs::remove_file(path);
    })
}

fn temporary_file() -> PathBuf {
    env::temp_dir().join(format!("memplan-{}.mlir", process::id()))
}
