//! The plugin in hosts that do not link libMLIR.so: a host with a private MLIR gets a one-line error, and a host
//! that exports its MLIR works. Also with a third-party dialect.

#[path = "hosts/dialect.rs"]
mod dialect;

use std::path::Path;
use std::process::{Command, Output};

use memplan_harness::tools::{Tools, root};

/// Archives that are no part of a plain host, or that need libraries which are not packaged.
const LEFT_OUT: [&str; 10] = [
    "CAPI",
    "Test",
    "Runner",
    "ExecutionEngine",
    "gold",
    "Polly",
    "BOLT",
    "LTO",
    "Fuzz",
    "Offload",
];

const PROGRAM: &str = "\
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  return
}
";

/// Links a host against MLIR's archives and runs the pass in it.
fn run_in_host(flags: &[&str]) -> Output {
    let tools = Tools::find().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("host");
    let program = folder.path().join("program.mlir");
    std::fs::write(&program, PROGRAM).unwrap();
    let mut archives: Vec<_> = std::fs::read_dir(tools.lib())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            (name.starts_with("libMLIR") || name.starts_with("libLLVM"))
                && name.ends_with(".a")
                && !LEFT_OUT.iter().any(|part| name.contains(part))
        })
        .collect();
    archives.sort();
    let linked = Command::new(tools.bin().join("clang++"))
        .args(["-std=c++17", "-fuse-ld=lld", "-w", "-isystem"])
        .arg(tools.llvm.join("include"))
        .arg(root().join("tests/hosts/host.cpp"))
        .arg("-o")
        .arg(&host)
        .args(flags)
        .arg("-Wl,--start-group")
        .args(&archives)
        .args([
            "-Wl,--end-group",
            "-lz",
            "-lzstd",
            "-ldl",
            "-lpthread",
            "-lm",
        ])
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", text(&linked.stderr));
    run(&host, &tools, &program)
}

fn run(host: &Path, tools: &Tools, program: &Path) -> Output {
    Command::new(host)
        .arg(program)
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg("--pass-pipeline=builtin.module(func.func(memplan-merge-alloc{verify=true}))")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_host_with_a_private_mlir_gets_an_error_of_one_line() {
    let output = run_in_host(&[]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let lines: Vec<&str> = error
        .lines()
        .filter(|line| line.starts_with("memplan"))
        .collect();
    assert_eq!(lines.len(), 1, "{error}");
    assert!(lines[0].contains("carries an MLIR of its own"), "{error}");
}

#[test]
fn a_host_that_exports_its_mlir_is_served() {
    let output = run_in_host(&["-rdynamic"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("memplan.buffer"));
}
