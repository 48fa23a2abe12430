//! `memplan` in a tree without LLVM: everything but `compile`, `link` and `header` runs.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use support::{error, file, memplan, run, stdout};
use tempfile::TempDir;

/// A folder that has `memplan` alone.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        installed(
            env!("CARGO_BIN_EXE_memplan"),
            &folder.path().join("memplan"),
        );
        Self { folder }
    }

    /// Adds a `memplan-llvm` that fails as the loader does where a library is missing.
    fn add_llvm_without_libraries(&self) {
        let text = "#!/bin/sh\necho \"$0: error while loading shared libraries: libMLIR.so.22.1\" >&2\nexit 127\n";
        let (_, script) = file(&self.folder, "script", text);
        installed(&script, &self.folder.path().join("memplan-llvm"));
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.folder.path().join("memplan"));
        command.args(arguments).output().unwrap()
    }
}

/// Copies an executable in a process of its own: while this one writes it, no thread could run it.
fn installed(from: &str, to: &Path) {
    let mut command = Command::new("install");
    assert!(
        command
            .args(["-m", "755", from])
            .arg(to)
            .status()
            .unwrap()
            .success()
    );
}

/// The libraries that the loader finds for `memplan`, those of libraries included.
#[test]
fn memplan_loads_no_llvm() {
    let traced = memplan(&["help"])
        .env("LD_TRACE_LOADED_OBJECTS", "1")
        .output()
        .unwrap();
    let loaded = String::from_utf8(traced.stdout).unwrap();
    assert!(
        loaded.contains("libc.so") && !loaded.contains("LLVM") && !loaded.contains("MLIR"),
        "{loaded}"
    );
}

#[test]
fn help_needs_no_llvm() {
    let tree = Tree::new();
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help"],
        &["help", "--help"],
        &["help", "memplan"],
        &["help", "memplan-hoist"],
        &["help", "memplan-verify"],
        &["help", "memplan-E208"],
        &["help", "E902"],
        &["help", "diagnostics"],
        &["help", "reasons"],
        &["help", "first", "fit"],
        &["help", "memplan.arena"],
        &["help", "commands"],
        &["help", "embedding"],
        &["help", "compile"],
        &["help", "link"],
        &["compile", "--help"],
        &["link", "-h"],
        &["header", "--help"],
    ] {
        let text = stdout(&tree.run(arguments));
        assert!(text.len() > 10, "{arguments:?}: {text}");
        // Here, memplan-llvm lies beside memplan.
        assert_eq!(text, stdout(&run(arguments)), "{arguments:?}");
    }
    let wrong = error(&tree.run(&["help", "best-fti"]));
    assert_eq!(wrong, "unknown topic: best-fti; the nearest: best-fit");
}

/// The files of a folder and of those in it, by their paths.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn headers_need_no_llvm() {
    let tree = Tree::new();
    let folder = tree.folder.path().join("include");
    assert_eq!(
        stdout(&tree.run(&["help", "--headers", folder.to_str().unwrap()])),
        ""
    );
    let files = files(&folder);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["memplan-c/Passes.h.inc", "memplan/Passes.h.inc"]);
    assert!(files["memplan/Passes.h.inc"].contains("struct MergeAllocOptions {"));
}

const NO_TABLES: &str = "memplan: error: the tables of the page operations are missing: ";

#[test]
fn the_page_of_operations_lacks_its_tables_without_llvm() {
    let whole = stdout(&run(&["help", "operations"]));
    assert!(whole.contains("\n## memref\n"), "{whole}");
    let tree = Tree::new();
    for reason in [
        "memplan-llvm: No such file or directory (os error 2)",
        "error while loading shared libraries: libMLIR.so.22.1",
    ] {
        let output = tree.run(&["help", "operations"]);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("{NO_TABLES}{reason}\n"));
        let text = String::from_utf8(output.stdout).unwrap();
        let (before, after) = text.split_once("*The tables are missing: ").unwrap();
        assert!(before.starts_with("# Operations\n") && whole.starts_with(before));
        assert!(!after.contains("## memref"), "{after}");
        tree.add_llvm_without_libraries();
    }
}

#[test]
fn the_manual_lacks_one_page_without_llvm() {
    let tree = Tree::new();
    let [part, whole] = ["part", "whole"].map(|name| tree.folder.path().join(name));
    let output = tree.run(&["help", "--html", part.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with(NO_TABLES), "{said}");
    stdout(&run(&["help", "--html", whole.to_str().unwrap()]));
    let [part, whole] = [files(&part), files(&whole)];
    assert!(part.keys().eq(whole.keys()));
    let changed = part.iter().filter(|(name, text)| whole[*name] != **text);
    let changed: Vec<&str> = changed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(changed, ["operations.html", "search-index.js"]);
}

#[test]
fn what_needs_llvm_says_so() {
    let tree = Tree::new();
    for arguments in [
        &["compile", "in.mlir"][..],
        &["link", "in.shard", "-o", "out.o"],
        &["header", "in.mlir"],
    ] {
        let wrong = error(&tree.run(arguments));
        assert!(
            wrong.starts_with("cannot run ") && wrong.contains("/memplan-llvm: No such file"),
            "{wrong}"
        );
    }
}

#[test]
fn plans_are_made_checked_and_shown_without_llvm() {
    let tree = Tree::new();
    let (_, problem) = file(
        &tree.folder,
        "in.csv",
        "id,lower,upper,size\na,0,2,8\nb,2,4,8\n",
    );
    let report = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../report/tests/data/resnet.json"
    );
    let (path, plan) = file(&tree.folder, "plan.csv", "");
    for arguments in [
        &["solve", &*problem, "-o", &*plan][..],
        &["bound", &*problem],
        &["check", &*plan],
        &["plot", &*plan, "-o", "-"],
        &["table", report],
    ] {
        let output = tree.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    }
    assert!(fs::read_to_string(path).unwrap().contains("offset"));
}

#[test]
fn a_bug_report_needs_no_llvm() {
    let tree = Tree::new();
    let report = || stdout(&tree.run(&["version", "--bug-report"]));
    let loaded = |report: &str| {
        let found = report
            .lines()
            .find_map(|line| line.strip_prefix("LLVM loaded: "));
        found.unwrap_or_default().to_owned()
    };
    let text = report();
    assert!(
        loaded(&text).starts_with("not found: memplan-llvm: No such file"),
        "{text}"
    );
    tree.add_llvm_without_libraries();
    let text = report();
    assert_eq!(
        loaded(&text),
        "not found: error while loading shared libraries: libMLIR.so.22.1"
    );
    assert!(
        !text.contains(tree.folder.path().to_str().unwrap()),
        "{text}"
    );
}
