//! Passes on what `memplan version --bug-report` says of the build.

use memplan_build_support::{Llvm, or_exit};
use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let llvm = or_exit(Llvm::find());
    let features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .collect();
    let features = match features.is_empty() {
        true => "none".to_owned(),
        false => features.join(", "),
    };
    let variable = |name| env::var(name).unwrap_or_default();
    for (name, value) in [
        (
            "MEMPLAN_BUILD",
            format!("{}, {}", variable("PROFILE"), rustc()),
        ),
        ("MEMPLAN_TARGET", variable("TARGET")),
        ("MEMPLAN_FEATURES", features),
        ("MEMPLAN_LLVM", llvm.version),
    ] {
        println!("cargo:rustc-env={name}={value}");
    }
}

/// The compiler and its version, in one line.
fn rustc() -> String {
    let program = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).arg("--version").output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    match text.is_empty() {
        true => "rustc not known".to_owned(),
        false => text,
    }
}
