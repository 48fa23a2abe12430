//! The plugin and its library as files: the libraries that they need, their exported symbols, and their contents; and
//! how the plugin finds its library.

#[path = "plugin/loading.rs"]
mod loading;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use memplan_harness::command::{limited, output};
use memplan_harness::tools::{Tools, root};

/// With a copy of MLIR inside, the library would be ten times as large. The passes take 9.3 MiB.
const LARGEST: u64 = 10 << 20;

/// Symbols that MLIR's libraries define, and no program that links them.
const OF_MLIR: [&str; 3] = [
    "mlir::MLIRContext::MLIRContext(",
    "mlir::Operation::erase(",
    "mlir::registerAllDialects(",
];

/// Runs one of LLVM's tools on a file.
fn about(file: &Path, tool: &str, arguments: &[&str]) -> String {
    let tools = Tools::find().unwrap();
    let mut command = limited(Duration::from_secs(60), tools.bin().join(tool));
    let text = output(command.args(arguments).arg(file)).unwrap();
    String::from_utf8(text).unwrap()
}

/// The values of one kind of entry in the dynamic section, such as `NEEDED`.
fn dynamic(file: &Path, kind: &str) -> BTreeSet<String> {
    about(file, "llvm-readelf", &["--dynamic"])
        .lines()
        .filter(|line| line.contains(&format!("({kind})")))
        .filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']').to_owned()))
        .collect()
}

fn exported(file: &Path) -> BTreeSet<String> {
    let format = ["--dynamic", "--defined-only", "--format=just-symbols"];
    let symbols = about(file, "llvm-nm", &format);
    symbols.lines().map(str::to_owned).collect()
}

fn names<const COUNT: usize>(names: [&str; COUNT]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn the_plugin_needs_libc_alone_and_exports_its_entry() {
    let plugin = Tools::find().unwrap().plugin;
    assert_eq!(dynamic(&plugin, "NEEDED"), names(["libc.so.6"]));
    assert_eq!(exported(&plugin), names(["mlirGetPassPluginInfo"]));
    assert_eq!(dynamic(&plugin, "SONAME"), names(["libmemplan.so"]));
}

#[test]
fn the_library_shares_mlir_with_the_tool_that_loads_the_plugin() {
    let tools = Tools::find().unwrap();
    let needed = dynamic(&tools.library, "NEEDED");
    let [major, minor] = loading::llvm_version(&tools);
    assert!(
        needed.contains(&format!("libMLIR.so.{major}.{minor}")),
        "{needed:?}"
    );
    let llvm = format!("libLLVM.so.{major}");
    assert!(
        needed.iter().any(|library| library.starts_with(&llvm)),
        "{needed:?}"
    );
}

#[test]
fn the_soname_of_the_library_is_its_name_with_the_version_of_llvm() {
    let tools = Tools::find().unwrap();
    let [major, _] = loading::llvm_version(&tools);
    let name = format!("libmemplan-{major}.so");
    assert_eq!(dynamic(&tools.library, "SONAME"), names([&name]));
    assert!(tools.plugin.with_file_name(name).is_file());
}

/// The function that the plugin calls, and those that the C headers declare.
fn declared() -> BTreeSet<String> {
    let mut all = names(["mlirGetPassPluginInfo"]);
    for name in ["Passes.h", "Extend.h"] {
        let header = root().join("mlir-plugin/include/memplan-c").join(name);
        let text = std::fs::read_to_string(header).unwrap();
        for declaration in text.split("\nMLIR_CAPI_EXPORTED").skip(1) {
            let head = declaration.split('(').next().unwrap();
            all.extend(head.split_whitespace().last().map(str::to_owned));
        }
    }
    all
}

#[test]
fn the_library_exports_its_entry_points_and_nothing_else() {
    assert_eq!(exported(&Tools::find().unwrap().library), declared());
}

#[test]
fn the_library_holds_no_copy_of_mlir() {
    let library = Tools::find().unwrap().library;
    // The loaded sections, without debug information.
    let loaded: u64 = about(&library, "llvm-readelf", &["--program-headers", "--wide"])
        .lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            (fields.next()? == "LOAD").then_some(())?;
            u64::from_str_radix(fields.nth(3)?.strip_prefix("0x")?, 16).ok()
        })
        .sum();
    assert!(0 < loaded && loaded < LARGEST, "{loaded} bytes are loaded");
    let defined = about(&library, "llvm-nm", &["--defined-only", "--demangle"]);
    assert!(defined.contains("memplan_passes::"), "there are no symbols");
    for symbol in OF_MLIR {
        assert!(!defined.contains(symbol), "{symbol}…) is inside");
    }
}

#[test]
fn the_stock_mlir_opt_lists_its_passes() {
    let tools = Tools::find().unwrap();
    let help = Command::new(tools.mlir_opt())
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for pass in ["--memplan-merge-alloc", "--memplan-verify"] {
        assert!(help.contains(pass), "{pass} is not in --help");
    }
}
