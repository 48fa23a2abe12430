//! Executes programs in the LLVM dialect.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::command::limited;
use crate::tools::Tools;

/// `mlir-runner` for the `@main` of a program, with an optimization level from 0 to 3 and
/// additional libraries. `limit` is the CPU time limit of [`limited`].
pub fn runner(
    tools: &Tools,
    program: &Path,
    level: u8,
    libraries: &[&Path],
    limit: Duration,
) -> Command {
    let lib = tools.lib();
    let mut shared = ["libmlir_runner_utils.so", "libmlir_c_runner_utils.so"]
        .map(|library| lib.join(library).display().to_string())
        .to_vec();
    shared.extend(
        libraries
            .iter()
            .map(|library| library.display().to_string()),
    );
    let mut command = limited(limit, tools.bin().join("mlir-runner"));
    command
        .arg(program)
        .args(["-e", "main", "--entry-point-result=void"])
        .arg(format!("-O{level}"))
        .arg(format!("--shared-libs={}", shared.join(",")));
    command
}
