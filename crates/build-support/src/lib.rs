//! Finds LLVM 22 for the build scripts, or explains in one line what is missing.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The major version of LLVM that memplan is written for.
pub const LLVM_MAJOR: &str = "22";

/// The file name of the shared library with the passes.
pub fn library_name() -> String {
    format!("libmemplan-{LLVM_MAJOR}.so")
}

/// The environment variable with the install prefix of LLVM.
pub const PREFIX_VARIABLE: &str = "MLIR_SYS_220_PREFIX";

/// Why no suitable LLVM was found.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `llvm-config` does not exist or does not start.
    #[error(
        "memplan needs LLVM {LLVM_MAJOR} with MLIR, and there is no `{0}`; run ci/setup, or set LLVM_PREFIX"
    )]
    Missing(String),
    /// `llvm-config` is of another major version.
    #[error("memplan needs LLVM {LLVM_MAJOR}, and `{program}` is {version}")]
    Version {
        /// The path of `llvm-config`.
        program: String,
        /// The version that it printed.
        version: String,
    },
    /// LLVM is installed without MLIR's development files. Fields: the folder and the missing file.
    #[error("LLVM {LLVM_MAJOR} at {0} has no MLIR: `{1}` is missing; run ci/setup")]
    NoMlir(String, String),
}

/// An LLVM 22 installation with MLIR.
#[derive(Clone, Debug)]
pub struct Llvm {
    /// The version, as `22.1.8`.
    pub version: String,
    /// The folder of headers.
    pub include: PathBuf,
    /// The folder of libraries.
    pub lib: PathBuf,
    /// The C++ compiler of the installation, if there is one.
    pub clang: Option<PathBuf>,
    /// Whether LLVM was built with run-time type information.
    pub has_rtti: bool,
}

impl Llvm {
    /// Queries `llvm-config` of the prefix in [`PREFIX_VARIABLE`], or the one in `PATH` if the
    /// variable is not set.
    pub fn find() -> Result<Self, Error> {
        println!("cargo:rerun-if-env-changed={PREFIX_VARIABLE}");
        let program = env::var_os(PREFIX_VARIABLE).map_or_else(
            || PathBuf::from("llvm-config"),
            |prefix| Path::new(&prefix).join("bin/llvm-config"),
        );
        let ask = |flag: &str| -> Result<String, Error> {
            let output = Command::new(&program)
                .arg(flag)
                .output()
                .ok()
                .filter(|output| output.status.success())
                .ok_or_else(|| Error::Missing(program.display().to_string()))?;
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
        };
        let version = ask("--version")?;
        if version.split('.').next() != Some(LLVM_MAJOR) {
            return Err(Error::Version {
                program: program.display().to_string(),
                version,
            });
        }
        let clang = PathBuf::from(ask("--bindir")?).join("clang++");
        let llvm = Self {
            version,
            clang: clang.exists().then_some(clang),
            include: ask("--includedir")?.into(),
            lib: ask("--libdir")?.into(),
            has_rtti: ask("--has-rtti")? == "YES",
        };
        for (directory, name) in [(&llvm.include, "mlir-c/IR.h"), (&llvm.lib, "libMLIR.so")] {
            if !directory.join(name).exists() {
                return Err(Error::NoMlir(
                    directory.display().to_string(),
                    name.to_string(),
                ));
            }
        }
        Ok(llvm)
    }

    /// The major and the minor version: tools of another one cannot load what is built with this LLVM.
    pub fn numbers(&self) -> Option<[u32; 2]> {
        let mut numbers = self.version.split('.').map_while(|part| part.parse().ok());
        Some([numbers.next()?, numbers.next()?])
    }

    /// The static archives of MLIR's C API, sorted.
    pub fn c_api_archives(&self) -> Vec<PathBuf> {
        let mut archives: Vec<PathBuf> = std::fs::read_dir(&self.lib)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.file_name()
                    .and_then(|name| name.to_str())
                    .is_some_and(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a"))
            })
            .collect();
        archives.sort();
        archives
    }
}

/// Returns the value, or prints the error in one line and exits the build script with status 1.
pub fn or_exit<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        std::process::exit(1)
    })
}
