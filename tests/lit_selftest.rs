//! Tests of the lit harness itself, above all that failures are detected.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use memplan_harness::lit::execute::{self, Outcome, SuiteConfig};
use memplan_harness::lit::expression;
use memplan_harness::lit::options::Options;
use memplan_harness::lit::script::Script;
use memplan_harness::lit::substitution::{Substitutions, quoted};
use memplan_harness::lit::suite;
use memplan_harness::tools::llvm_prefix;

fn features(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn config(limit: Duration) -> SuiteConfig {
    SuiteConfig {
        features: features(&["here"]),
        substitutions: Substitutions::default().with("greeting", "hello"),
        path: std::env::var_os("PATH").unwrap(),
        limit,
    }
}

/// Runs one test with this text.
fn outcome(text: &str) -> Outcome {
    outcome_within(text, Duration::from_secs(20))
}

fn outcome_within(text: &str, limit: Duration) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.mlir");
    fs::write(&file, text).unwrap();
    execute::run(&file, &config(limit))
}

#[track_caller]
fn failure(text: &str) -> String {
    match outcome(text) {
        Outcome::Failed(detail) => detail,
        other => panic!("{other:?} where a failure is due"),
    }
}

#[test]
fn a_test_passes_when_all_its_commands_do() {
    assert_eq!(
        outcome("// RUN: true\n// RUN: test 1 = 1\n"),
        Outcome::Passed
    );
}

#[test]
fn a_test_fails_with_its_first_failing_command_and_shows_it() {
    let detail =
        failure("// RUN: true\n// RUN: echo out; echo err >&2; exit 3\n// RUN: echo never\n");
    assert_eq!(
        detail,
        "$ echo out; echo err >&2; exit 3\n--- stdout\nout\n--- stderr\nerr\n--- exit status 3\n"
    );
}

#[test]
fn a_failure_anywhere_in_a_pipe_counts() {
    assert!(failure("// RUN: false | cat").contains("exit status 1"));
}

#[test]
fn a_command_that_does_not_exist_fails() {
    assert!(failure("// RUN: no-such-tool-at-all").contains("exit status 127"));
}

#[test]
fn a_command_that_takes_too_long_fails_with_all_that_it_started() {
    let started = std::time::Instant::now();
    let result = outcome_within("// RUN: sleep 60 | cat", Duration::from_millis(300));
    assert!(
        matches!(&result, Outcome::Failed(detail) if detail.contains("killed")),
        "{result:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_file_that_runs_nothing_fails() {
    assert_eq!(failure("func.func @f()"), "no RUN line\n");
    assert!(failure("// RUN:\n").contains("RUN of nothing"));
    assert!(failure("// RUN: true \\\n").contains("nothing follows"));
}

#[test]
fn not_and_filecheck_judge_what_they_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.mlir");
    let outcome = |text: &str| {
        fs::write(&file, text).unwrap();
        let mut path = llvm_prefix().join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let mut config = config(Duration::from_secs(20));
        config.path = path;
        execute::run(&file, &config)
    };
    let module = "// CHECK: func.func private @f\nfunc.func private @f()\n";
    let run = |command: &str| outcome(&format!("// RUN: {command}\n{module}"));
    let failed = |outcome: Outcome| matches!(outcome, Outcome::Failed(_));
    assert_eq!(run("mlir-opt %s | FileCheck %s"), Outcome::Passed);
    assert!(failed(run("mlir-opt %s | not FileCheck %s")));
    assert!(failed(run("echo other | FileCheck %s")));
    assert_eq!(
        run("not mlir-opt --no-such-option %s 2>&1 | grep no-such >/dev/null"),
        Outcome::Passed
    );
    assert!(failed(run("not mlir-opt %s")));
}

#[test]
fn continued_lines_are_one_command() {
    let script =
        Script::parse("// RUN: echo a \\\n// RUN:   | cat \\\nnot of it\n// RUN: -n\n// RUN: true")
            .unwrap();
    assert_eq!(script.runs, ["echo a | cat -n", "true"]);
}

#[test]
fn a_keyword_is_a_word_of_its_own() {
    let script = Script::parse("# RUN: true\n// CHECK-RUN: false\n// NO_XFAIL: *").unwrap();
    assert_eq!(script.runs, ["true"]);
    assert!(script.xfail.is_empty());
}

#[test]
fn xfail_inverts_the_result() {
    assert_eq!(outcome("// XFAIL: *\n// RUN: false"), Outcome::Passed);
    assert_eq!(outcome("// XFAIL: here\n// RUN: false"), Outcome::Passed);
    assert!(failure("// XFAIL: *\n// RUN: true").contains("XFAIL"));
    assert!(failure("// XFAIL: elsewhere\n// RUN: false").contains("exit status 1"));
}

#[test]
fn requires_decides_whether_a_test_runs() {
    let skipped = |text: &str| matches!(outcome(text), Outcome::Skipped(_));
    assert!(skipped("// REQUIRES: elsewhere\n// RUN: false"));
    assert!(skipped("// REQUIRES: here, elsewhere\n// RUN: false"));
    assert!(skipped("// UNSUPPORTED: elsewhere, here\n// RUN: false"));
    assert!(!skipped(
        "// REQUIRES: here\n// UNSUPPORTED: elsewhere\n// RUN: true"
    ));
    assert!(failure("// REQUIRES: here\n// RUN: false").contains("exit status 1"));
    assert!(failure("// REQUIRES: (here\n// RUN: true").contains("REQUIRES"));
}

#[test]
fn expressions_follow_the_usual_precedence() {
    let features = features(&["a", "b-c"]);
    let holds = |text: &str| expression::holds(text, &features);
    for text in [
        "a",
        "!x",
        "a && b-c",
        "x || a",
        "a || x && x",
        "!(x && a)",
        "!!a",
        "true",
        "!false",
    ] {
        assert!(holds(text).unwrap(), "{text}");
    }
    for text in ["x", "!a", "a && x", "x || !a", "(a || x) && x", "false"] {
        assert!(!holds(text).unwrap(), "{text}");
    }
    for text in ["", "a b", "a &&", "(a", "a)", "&& a", "a & b", "a; b"] {
        assert!(holds(text).is_err(), "{text}");
    }
}

#[test]
fn substitutions_take_the_longest_name_and_leave_the_unknown() {
    let substitutions = Substitutions::default()
        .with("s", "FILE")
        .with("t", "TEMP")
        .with("plugin", "PLUGIN")
        .with("plugin-opt", "OPT");
    let apply = |text: &str| substitutions.apply(text);
    assert_eq!(apply("%plugin-opt %plugin %s"), "OPT PLUGIN FILE");
    assert_eq!(
        apply("%t.mlir %t2 %t/x (%s)"),
        "TEMP.mlir TEMP2 TEMP/x (FILE)"
    );
    assert_eq!(apply("%%s %test %d 100%"), "%s %test %d 100%");
}

#[test]
fn definitions_may_use_the_names_above_them() {
    let definitions = "# A comment.\n%run = runner --libs=%libs\n\n%run-all = %run,all -O0\n";
    let substitutions = Substitutions::default()
        .with("libs", "LIBS")
        .with_definitions(definitions)
        .unwrap();
    assert_eq!(
        substitutions.apply("%run | %run-all x"),
        "runner --libs=LIBS | runner --libs=LIBS,all -O0 x"
    );
    for line in ["run = x", "%run=x", "%run"] {
        assert!(
            Substitutions::default().with_definitions(line).is_err(),
            "{line}"
        );
    }
}

#[test]
fn paths_are_words_of_the_shell() {
    assert_eq!(quoted("/usr/lib/llvm-22/a_b.so"), "/usr/lib/llvm-22/a_b.so");
    assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
}

#[test]
fn each_test_has_files_of_its_own_and_common_substitutions() {
    let text = "// RUN: echo %greeting > %t && grep -q hello %t && test -f %T/case.mlir.tmp && test \"$PWD\" -ef %T\n\
                // RUN: grep -q RUN %s && test -f %S/case.mlir && test ! -e %T/case.mlir\n";
    assert_eq!(outcome(text), Outcome::Passed);
}

#[test]
fn a_suite_finds_its_tests_runs_them_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("b/fails.mlir", "// RUN: echo seen; false");
    write("a/passes.mlir", "// RUN: true");
    write("a/skips.test", "// REQUIRES: elsewhere\n// RUN: false");
    write("a/Inputs/not-a-test.mlir", "// RUN: false");
    write("a/lit.cfg.py", "RUN: false");
    let tests = suite::discover(folder.path()).unwrap();
    let results = suite::run_all(&tests, folder.path(), &config(Duration::from_secs(20)), 4);

    let summary = |results: &[suite::TestResult], verbose: bool| {
        let mut text = Vec::new();
        let good = suite::summarize(results, verbose, &mut text).unwrap();
        (good, String::from_utf8(text).unwrap())
    };
    let (good, text) = summary(&results, false);
    assert!(!good);
    assert!(
        text.starts_with("FAIL  b/fails.mlir\n$ echo seen; false\n--- stdout\nseen\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\n1 passed, 1 failed, 1 skipped\n"),
        "{text}"
    );
    assert!(!text.contains("passes.mlir"), "{text}");

    let (good, text) = summary(&results[..2], true);
    assert!(good);
    assert!(
        text.contains("pass  a/passes.mlir") && text.contains("requires elsewhere"),
        "{text}"
    );
    assert!(text.ends_with("1 passed, 0 failed, 1 skipped\n"), "{text}");
}

#[test]
fn options_filter_and_refuse_what_they_do_not_know() {
    let parse = |words: &[&str]| Options::try_parse_from([&["lit"], words].concat());
    let options = parse(&["-v", "--test-threads=3", "merge", "verify"]).unwrap();
    assert!(options.verbose && options.jobs.get() == 3);
    assert!(options.selects("merge-alloc/a.mlir") && options.selects("x/verify.mlir"));
    assert!(!options.selects("other/a.mlir"));
    assert!(parse(&[]).unwrap().selects("anything"));
    assert!(parse(&["--filter"]).is_err() && parse(&["-j", "many"]).is_err());
}

#[test]
fn a_missing_folder_is_an_error() {
    assert!(suite::discover(Path::new("/no/such/folder")).is_err());
}
