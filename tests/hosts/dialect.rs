//! A third-party dialect whose operations declare their effects on memory by models of
//! `BufferDeallocationOpInterface`.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use memplan_harness::tools::{Tools, root};
use tempfile::TempDir;

/// The dialect as a plugin, compiled once.
static POOL: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let tools = Tools::find().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("pool.so");
    let compiled = Command::new(tools.bin().join("clang++"))
        .args(["-std=c++17", "-fno-rtti", "-fPIC", "-shared", "-w"])
        .arg("-isystem")
        .arg(tools.llvm.join("include"))
        .arg(root().join("tests/hosts/pool.cpp"))
        .arg("-o")
        .arg(&plugin)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    (folder, plugin)
});

/// A function with these lines, after a pass.
fn run(body: &str, pass: &str) -> Output {
    let tools = Tools::find().unwrap();
    let (_, pool) = &*POOL;
    let program = tempfile::NamedTempFile::with_suffix(".mlir").unwrap();
    let text = format!("func.func @f(%c: i1, %x: memref<8xf32>) {{\n{body}\nreturn\n}}\n");
    std::fs::write(program.path(), text).unwrap();
    Command::new(tools.mlir_opt())
        .arg(program.path())
        .arg(format!("--load-dialect-plugin={}", pool.display()))
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline=builtin.module({pass})"))
        .output()
        .unwrap()
}

/// The lines of the function's body.
fn freed(body: &str) -> Vec<String> {
    let output = run(body, "memplan-ownership-dealloc");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| line.trim().to_owned());
    let body = lines.skip_while(|line| !line.starts_with("func.func"));
    body.skip(1).take_while(|line| line != "}").collect()
}

fn is_refused(body: &str, with: &str) {
    is_refused_by("memplan-ownership-dealloc", body, with);
}

fn is_refused_by(pass: &str, body: &str, with: &str) {
    let output = run(body, pass);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(with), "{said}");
}

const ALLOC: &str = "%a = memref.alloc() : memref<8xf32>";

#[test]
fn memory_that_a_model_allocates_is_freed_after_its_last_use() {
    let lines = freed(
        r#"%m = "pool.get"() : () -> memref<8xf32>
           "pool.use"(%m) : (memref<8xf32>) -> ()
           "pool.use"(%x) : (memref<8xf32>) -> ()"#,
    );
    assert!(lines[1].contains("pool.use"), "{lines:#?}");
    assert_eq!(lines[2], "memref.dealloc %0 : memref<8xf32>", "{lines:#?}");
}

#[test]
fn a_selection_of_two_keeps_both_live_until_its_last_use() {
    let lines = freed(&format!(
        r#"{ALLOC}
           %p = "pool.pick"(%c, %a, %x) : (i1, memref<8xf32>, memref<8xf32>) -> memref<8xf32>
           "pool.use"(%p) : (memref<8xf32>) -> ()"#
    ));
    assert!(lines[2].contains("pool.use"), "{lines:#?}");
    assert_eq!(
        lines[3], "memref.dealloc %alloc : memref<8xf32>",
        "{lines:#?}"
    );
}

#[test]
fn borrowed_memory_may_be_part_of_the_operand() {
    let lines = freed(&format!(
        r#"{ALLOC}
           %l = "pool.share"(%a) : (memref<8xf32>) -> memref<4xf32>
           "pool.use"(%l) : (memref<4xf32>) -> ()"#
    ));
    assert!(lines[2].contains("pool.use"), "{lines:#?}");
    assert_eq!(
        lines[3], "memref.dealloc %alloc : memref<8xf32>",
        "{lines:#?}"
    );
    assert_eq!(lines.len(), 5, "{lines:#?}");
}

#[test]
fn borrowed_memory_without_an_operand_is_never_freed() {
    let lines = freed(
        r#"%l = "pool.share"() : () -> memref<4xf32>
           "pool.use"(%l) : (memref<4xf32>) -> ()"#,
    );
    assert!(
        !lines.iter().any(|line| line.contains("dealloc")),
        "{lines:#?}"
    );
}

#[test]
fn memory_whose_ownership_a_model_takes_is_not_freed() {
    let lines = freed(&format!(
        "{ALLOC}\n\"pool.keep\"(%a) : (memref<8xf32>) -> ()"
    ));
    assert!(
        !lines.iter().any(|line| line.contains("dealloc")),
        "{lines:#?}"
    );
}

#[test]
fn models_beyond_descriptions_are_errors_at_the_operation() {
    let cannot = "has a model of BufferDeallocationOpInterface that cannot be followed: register the operation [memplan-E306]";
    is_refused(
        r#"%r = "pool.renew"(%c, %x) : (i1, memref<8xf32>) -> memref<8xf32>"#,
        cannot,
    );
    is_refused(r#""pool.swap"(%x) : (memref<8xf32>) -> ()"#, cannot);
    is_refused(
        r#""pool.fail"(%x) : (memref<8xf32>) -> ()"#,
        "error: never can",
    );
    is_refused(
        r#""pool.scope"() ({ "pool.use"(%x) : (memref<8xf32>) -> () }) : () -> ()"#,
        "which is used only for operations without regions that are not terminators [memplan-E306]",
    );
}

#[test]
fn deallocations_at_block_ends_follow_models_too() {
    let body = r#"%m = "pool.get"() : () -> memref<8xf32>
                  "pool.use"(%m) : (memref<8xf32>) -> ()
                  "pool.use"(%x) : (memref<8xf32>) -> ()"#;
    let output = run(body, "memplan-ownership-dealloc{placement=block-end}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert_eq!(text.matches("bufferization.dealloc").count(), 1, "{text}");
}

#[test]
fn a_parallel_body_of_several_blocks_has_no_arena_on_the_stack() {
    is_refused_by(
        "memplan-merge-alloc{arena=alloca}",
        r#""pool.each"() ({
             %a = memref.alloc() : memref<8xf32>
             memref.copy %x, %a : memref<8xf32> to memref<8xf32>
             cf.br ^end
           ^end:
             memref.copy %a, %x : memref<8xf32> to memref<8xf32>
             cf.br ^stop
           ^stop:
             "pool.use"(%x) : (memref<8xf32>) -> ()
             llvm.unreachable
           }) : () -> ()"#,
        "the arena of a body of several blocks cannot be released in time [memplan-E108]",
    );
}
