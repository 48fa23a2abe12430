//! What is written is whole, or as it was; two outputs never share a place.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::{fs, path::Path, process::Command};
use support::{error, file, memplan, run};
use tempfile::TempDir;

const BUFFERS: &str = "id,lower,upper,size\n1,0,2,4\n2,1,3,4\n";

/// The names in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let all = fs::read_dir(folder.path()).unwrap();
    let all = all.map(|one| one.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

#[test]
fn an_input_survives_a_full_disk() {
    let folder = TempDir::new().unwrap();
    let (path, name) = file(&folder, "in.csv", BUFFERS);
    let solve = memplan(&["solve", &name, "-o", &name]);
    // No file may grow, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\" 2>&1 | cat";
    let mut limited = Command::new("bash");
    limited.args(["-o", "pipefail", "-c", script]);
    limited.arg(solve.get_program()).args(solve.get_args());
    let output = limited.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("in.csv: File too large"), "{text}");
    assert_eq!(fs::read_to_string(path).unwrap(), BUFFERS);
    assert_eq!(names(&folder), ["in.csv"]);
}

#[test]
fn the_plan_may_take_the_place_of_the_input() {
    let folder = TempDir::new().unwrap();
    let (path, name) = file(&folder, "in.csv", BUFFERS);
    assert_eq!(run(&["solve", &name, "-o", &name]).status.code(), Some(0));
    assert!(
        fs::read_to_string(path)
            .unwrap()
            .starts_with("id,lower,upper,size,offset\n")
    );
}

#[test]
fn two_outputs_in_one_place_are_refused_before_any_work() {
    let folder = TempDir::new().unwrap();
    let (path, name) = file(&folder, "in.csv", BUFFERS);
    let to = folder.path().join("out").display().to_string();
    let dotted = folder.path().join("./out").display().to_string();
    let both = |one: &str, other: &str, place: &str| {
        format!("{one} and {other} would both write to {place}")
    };
    let out = "standard output";
    let cases: [(&[&str], String); 5] = [
        (
            &["-o", &to, "--certificate", &to],
            both("-o", "--certificate", &to),
        ),
        (
            &["-o", &to, "--certificate", &dotted],
            both("-o", "--certificate", &dotted),
        ),
        (
            &["-o", "-", "--certificate", "-"],
            both("-o", "--certificate", out),
        ),
        (
            &["--json", "--certificate", "-"],
            both("--json", "--certificate", out),
        ),
        (&["--json", "-o", "-"], both("--json", "-o", out)),
    ];
    for (options, expected) in cases {
        let arguments: Vec<&str> = ["solve", &name].iter().chain(options).copied().collect();
        assert_eq!(error(&run(&arguments)), expected);
    }
    let overwritten = error(&run(&["solve", &name, "--certificate", &name]));
    assert!(
        overwritten.starts_with("--certificate would overwrite the input, "),
        "{overwritten}"
    );
    let overwritten = error(&run(&["plot", &name, "-o", &name]));
    assert!(
        overwritten.starts_with("the output would overwrite the input, "),
        "{overwritten}"
    );
    assert_eq!(fs::read_to_string(path).unwrap(), BUFFERS);
    assert_eq!(names(&folder), ["in.csv"]);
}

#[test]
fn the_table_goes_to_standard_error_where_an_output_is_printed() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", BUFFERS);
    for option in ["-o", "--certificate"] {
        let output = run(&["solve", &name, option, "-"]);
        assert_eq!(output.status.code(), Some(0));
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            !printed.contains("naive bytes") && !printed.is_empty(),
            "{printed}"
        );
        assert!(String::from_utf8_lossy(&output.stderr).contains("naive bytes"));
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_any_work() {
    let folder = TempDir::new().unwrap();
    // Not even read: there is no such input.
    let missing = folder.path().join("none/out").display().to_string();
    let text = error(&run(&["plot", "/no/such/report", "-o", &missing]));
    assert!(
        text.starts_with(&format!("cannot write {missing}: No such file")),
        "{text}"
    );
    let (_, name) = file(&folder, "in.csv", BUFFERS);
    let text = error(&run(&["solve", &name, "-o", "/dev/full"]));
    assert!(
        text.starts_with("cannot write /dev/full: No space left"),
        "{text}"
    );
}

#[test]
fn a_certificate_that_cannot_be_written_leaves_the_plan_unwritten() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", BUFFERS);
    let to = folder.path().join("out");
    fs::write(&to, "old").unwrap();
    let folder_there = folder.path().join("folder");
    fs::create_dir(&folder_there).unwrap();
    let [to_name, certificate] =
        [&to, &folder_there].map(|path: &std::path::PathBuf| path.display().to_string());
    let output = run(&[
        "solve",
        &name,
        "-o",
        &to_name,
        "--certificate",
        &certificate,
    ]);
    assert!(error(&output).ends_with("is a directory"));
    assert_eq!(fs::read_to_string(Path::new(&to)).unwrap(), "old");
}
