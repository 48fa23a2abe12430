//! The plugin as a file: the libraries that it needs, its exported symbols, and its contents.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use memplan_harness::command::{limited, output};
use memplan_harness::tools::{Tools, root};

/// With a copy of MLIR inside, the plugin would be ten times as large.
const LARGEST: u64 = 9 << 20;

/// Runs one of LLVM's tools on the plugin.
fn about_plugin(tool: &str, arguments: &[&str]) -> String {
    let tools = Tools::find().unwrap();
    let mut command = limited(Duration::from_secs(60), tools.bin().join(tool));
    let text = output(command.args(arguments).arg(&tools.plugin)).unwrap();
    String::from_utf8(text).unwrap()
}

/// The values of one kind of entry in the dynamic section, such as `NEEDED`.
fn dynamic(kind: &str) -> BTreeSet<String> {
    about_plugin("llvm-readelf", &["--dynamic"])
        .lines()
        .filter(|line| line.contains(&format!("({kind})")))
        .filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']').to_owned()))
        .collect()
}

#[test]
fn it_shares_mlir_with_the_tool_that_loads_it() {
    let needed = dynamic("NEEDED");
    assert!(needed.contains("libMLIR.so.22.1"), "{needed:?}");
    assert!(
        needed
            .iter()
            .any(|library| library.starts_with("libLLVM.so.22")),
        "{needed:?}"
    );
}

#[test]
fn its_soname_is_its_name() {
    assert_eq!(
        dynamic("SONAME"),
        BTreeSet::from(["libmemplan.so".to_owned()])
    );
}

/// The functions that MLIR's loader calls, and those that the C headers declare.
fn declared() -> BTreeSet<String> {
    let mut all = BTreeSet::from(["mlirGetPassPluginInfo".to_owned()]);
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
fn it_exports_its_entry_points_and_nothing_else() {
    let symbols = about_plugin(
        "llvm-nm",
        &["--dynamic", "--defined-only", "--format=just-symbols"],
    );
    let exported: BTreeSet<_> = symbols.lines().map(str::to_owned).collect();
    assert_eq!(exported, declared());
}

#[test]
fn it_holds_no_copy_of_mlir() {
    // The loaded sections, without debug information.
    let loaded: u64 = about_plugin("llvm-readelf", &["--program-headers", "--wide"])
        .lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            (fields.next()? == "LOAD").then_some(())?;
            u64::from_str_radix(fields.nth(3)?.strip_prefix("0x")?, 16).ok()
        })
        .sum();
    assert!(0 < loaded && loaded < LARGEST, "{loaded} bytes are loaded");
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

/// What the plugin tells the loader of a tool with this LLVM: the version of its interface, and what it writes to standard error.
fn answers(major: u32, minor: u32) -> (String, String) {
    let (tools, folder) = (Tools::find().unwrap(), tempfile::tempdir().unwrap());
    let program = folder.path().join("foreign");
    let mut compiler = limited(Duration::from_secs(60), "cc");
    let compiler = compiler
        .arg(root().join("tests/plugin/foreign.c"))
        .args([format!("-DMAJOR={major}"), format!("-DMINOR={minor}")])
        .args(["-rdynamic", "-o"])
        .arg(&program)
        .arg("-ldl");
    output(compiler).unwrap();
    let done = Command::new(program).arg(&tools.plugin).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let [out, error] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    (out, error)
}

#[test]
fn a_tool_with_another_llvm_gets_a_message_and_no_plugin() {
    let (version, said) = answers(19, 1);
    assert_eq!(
        said,
        "memplan: error: this plugin is built for LLVM 22.1, and this tool has LLVM 19.1: load it into the tools of LLVM 22.1\n"
    );
    assert_eq!(version, "0\n", "no loader goes on with this version");
    assert_eq!(answers(22, 1), ("1\n".to_owned(), String::new()));
}
