//! Names the library with the passes, and puts the plugin that loads it beside it.

use memplan_build_support::{Llvm, library_name, or_exit};
use std::{
    env,
    error::Error,
    fs::{self, File},
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

const LOADER: &str = "loader.c";
/// The plugin's file.
const PLUGIN: &str = "libmemplan.so";
/// What cargo names the library, in the folder of executables.
const BUILT: &str = "deps/libmemplan_shared.so";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={LOADER}");
    let llvm = or_exit(Llvm::find());
    let library = library_name();
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{library}");
    // The tables of relocations take a quarter of a megabyte otherwise.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,pack-relative-relocs");
    // Equal functions, of which generic code has many, once. No code compares the addresses of functions.
    if links_with_lld() {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--icf=all");
    }

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = folder_of_executables(&out).ok_or("OUT_DIR is in no folder of cargo's")?;
    let plugin = folder.join(PLUGIN);
    let made = out.join(PLUGIN);
    compile_loader(&llvm, &library, &made)?;
    // As old as its source: cargo then comes here again if the file is missing, and not because it is new.
    let source = fs::metadata(LOADER)?.modified()?;
    File::options()
        .write(true)
        .open(&made)?
        .set_modified(source)?;
    println!("cargo:rerun-if-changed={}", plugin.display());
    // Processes that have loaded the old file keep it.
    fs::rename(&made, &plugin)?;

    let link = out.join(&library);
    remove(&link)?;
    symlink(BUILT, &link)?;
    fs::rename(&link, folder.join(&library))?;
    Ok(())
}

/// `target/PROFILE`, of `target/PROFILE/build/PACKAGE-HASH/out`.
fn folder_of_executables(out: &Path) -> Option<&Path> {
    out.ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name == "build"))?
        .parent()
}

/// Compiles and links the plugin, the same for each profile.
fn compile_loader(llvm: &Llvm, library: &str, made: &Path) -> Result<(), Box<dyn Error>> {
    let version = env::var("CARGO_PKG_VERSION")?;
    let [major, minor] = llvm
        .numbers()
        .ok_or_else(|| format!("no numbers: {}", llvm.version))?;
    let mut compiler = cc::Build::new()
        .opt_level(2)
        .debug(false)
        .define("LLVM_MAJOR", format!("{major}u").as_str())
        .define("LLVM_MINOR", format!("{minor}u").as_str())
        .define("MEMPLAN_LIBRARY", format!("\"{library}\"").as_str())
        .define("MEMPLAN_VERSION", format!("\"{version}\"").as_str())
        .flag("-fvisibility=hidden")
        .try_get_compiler()?
        .to_command();
    compiler
        .args(["-Wall", "-Wextra", "-Werror", "-shared", LOADER, "-o"])
        .arg(made)
        // Its own folder, however the tool names it, and wherever it has gone since.
        .args([
            format!("-Wl,-soname,{PLUGIN}"),
            "-Wl,-rpath,$ORIGIN".to_owned(),
        ])
        .arg("-Wl,--as-needed");
    let done = compiler.status()?;
    match done.success() {
        true => Ok(()),
        false => Err(format!("{compiler:?}: {done}").into()),
    }
}

/// Removes a file that may not be there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether Rust links with its own linker: on this target, since 1.90.
fn links_with_lld() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|own| own == value);
    let version = env::var_os("RUSTC").and_then(|rustc| {
        let output = Command::new(rustc).arg("--version").output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.split('.').nth(1)?.parse::<u32>().ok()
    });
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && version.is_some_and(|minor| minor >= 90)
}
