//! The paths of LLVM's tools and of this workspace's products.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use memplan_build_support::library_name;

/// The prefix of Debian's package, as in `.cargo/config.toml`.
const DEFAULT_PREFIX: &str = "/usr/lib/llvm-22";

/// The executables and libraries that tests run.
#[derive(Debug, Clone)]
pub struct Tools {
    /// LLVM's prefix: `bin/mlir-opt`, `lib/libmlir_runner_utils.so` and so on are below it.
    pub llvm: PathBuf,
    /// The plugin, `libmemplan.so`.
    pub plugin: PathBuf,
    /// The library with the passes, in the folder of the plugin, which loads it.
    pub library: PathBuf,
    /// The command line, `memplan`.
    pub memplan: PathBuf,
    /// The runtime, `libmemplan_runtime.so`.
    pub runtime: PathBuf,
    /// `valgrind`, if it is installed.
    pub valgrind: Option<PathBuf>,
}

impl Tools {
    /// Finds all tools, or returns an error that says what is missing and how to get it.
    ///
    /// The plugin and the command line are those that cargo built with the profile of the test
    /// executable. `MEMPLAN_PLUGIN` and `MEMPLAN_BIN` name other ones. The runtime lies in the
    /// folder of the command line.
    ///
    /// # Errors
    ///
    /// LLVM's tools, the plugin or its library do not exist.
    pub fn find() -> Result<Self> {
        let tools = Self::find_llvm()?;
        check_built(&tools.plugin)?;
        check_built(&tools.library)?;
        Ok(tools)
    }

    /// Like [`Self::find`], for tests that run LLVM's tools alone: cargo may not have built the rest.
    ///
    /// # Errors
    ///
    /// LLVM's tools do not exist.
    pub fn find_llvm() -> Result<Self> {
        let profile = profile_folder()?;
        let from = |variable: &str, file: &str| {
            env::var_os(variable).map_or_else(|| profile.join(file), PathBuf::from)
        };
        let memplan = from("MEMPLAN_BIN", "memplan");
        let plugin = from("MEMPLAN_PLUGIN", "libmemplan.so");
        let tools = Self {
            llvm: llvm_prefix(),
            library: plugin.with_file_name(library_name()),
            plugin,
            runtime: memplan.with_file_name("libmemplan_runtime.so"),
            memplan,
            valgrind: find_on_path("valgrind"),
        };
        ensure!(
            tools.mlir_opt().is_file(),
            "no mlir-opt in {}: run ci/setup, or set LLVM_PREFIX to LLVM 22",
            tools.bin().display()
        );
        Ok(tools)
    }

    /// Like [`Self::find`], and checks that the command line and the runtime exist. Cargo does not
    /// build these for the tests of this package alone.
    ///
    /// # Errors
    ///
    /// A tool does not exist.
    pub fn with_memplan() -> Result<Self> {
        let tools = Self::find()?;
        check_built(&tools.memplan)?;
        check_built(&tools.runtime)?;
        Ok(tools)
    }

    /// LLVM's folder of executables.
    pub fn bin(&self) -> PathBuf {
        self.llvm.join("bin")
    }

    /// LLVM's folder of libraries.
    pub fn lib(&self) -> PathBuf {
        self.llvm.join("lib")
    }

    /// The stock `mlir-opt`.
    pub fn mlir_opt(&self) -> PathBuf {
        self.bin().join("mlir-opt")
    }
}

fn check_built(product: &Path) -> Result<()> {
    ensure!(
        product.is_file(),
        "no {}: run `cargo build --workspace` with the profile of the tests first",
        product.display()
    );
    Ok(())
}

/// The root of the repository.
pub fn root() -> &'static Path {
    let this = Path::new(env!("CARGO_MANIFEST_DIR"));
    this.ancestors()
        .nth(2)
        .expect("this crate is two folders below it")
}

/// LLVM's prefix: `LLVM_PREFIX`, or the one that cargo's configuration names.
pub fn llvm_prefix() -> PathBuf {
    ["LLVM_PREFIX", "MLIR_SYS_220_PREFIX"]
        .into_iter()
        .find_map(env::var_os)
        .map_or_else(|| PathBuf::from(DEFAULT_PREFIX), PathBuf::from)
}

/// `target/PROFILE`, from the test executable `target/PROFILE/deps/NAME-HASH`.
fn profile_folder() -> Result<PathBuf> {
    let executable = env::current_exe()?;
    let folder = executable.parent().and_then(Path::parent);
    Ok(folder
        .context("the test executable has no place")?
        .to_path_buf())
}

fn find_on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
