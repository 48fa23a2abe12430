//! The system may start fewer threads than are asked for.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::{fmt::Write, process::Command};
use support::{file, memplan, run};
use tempfile::TempDir;

#[test]
fn fewer_threads_than_asked_for_do_all_the_work() {
    let folder = TempDir::new().unwrap();
    let mut text = "id,lower,upper,size,space\n".to_owned();
    for number in 0..40 {
        writeln!(text, "{number},0,10,{},s{number}", 10 + number).unwrap();
    }
    let (_, name) = file(&folder, "in.csv", &text);
    let solve = memplan(&["solve", &name, "-j", "64", "--json"]);
    let all = run(&["solve", &name, "-j", "64", "--json"]);
    assert_eq!(String::from_utf8_lossy(&all.stderr), "");
    // There is no memory for the stacks of all threads.
    let mut limited = Command::new("bash");
    limited.args(["-c", "ulimit -v 80000; exec \"$0\" \"$@\""]);
    limited.arg(solve.get_program()).args(solve.get_args());
    let output = limited.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.starts_with("memplan: warning: the system started "),
        "{said}"
    );
    assert!(
        said.ends_with(" of 40 threads, and no more; these do all the work\n"),
        "{said}"
    );
    assert_eq!(output.stdout, all.stdout);
}
