//! Checks that LLVM is the one that is needed, and names the shared library.

use memplan_build_support::{Llvm, or_exit};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    or_exit(Llvm::find());
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmemplan.so");
    // The tables of relocations take a quarter of a megabyte otherwise.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,pack-relative-relocs");
}
