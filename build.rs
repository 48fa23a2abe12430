//! Checks that LLVM is the one that is needed, and names the shared library.

use memplan_build_support::{Llvm, or_exit};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    or_exit(Llvm::find());
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmemplan.so");
    // The tables of relocations take a quarter of a megabyte otherwise.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,pack-relative-relocs");
    // Equal functions, of which generic code has many, once. No code compares the addresses of functions.
    if links_with_lld() {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--icf=all");
    }
}

/// Whether Rust links with its own linker: on this target, since 1.90.
fn links_with_lld() -> bool {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|own| own == value);
    let version = std::env::var_os("RUSTC").and_then(|rustc| {
        let output = Command::new(rustc).arg("--version").output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.split('.').nth(1)?.parse::<u32>().ok()
    });
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && version.is_some_and(|minor| minor >= 90)
}
