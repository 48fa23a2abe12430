//! The system may start fewer threads than are asked for.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::fmt::Write;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;
use support::{file, memplan, run};
use tempfile::TempDir;

#[test]
fn fewer_threads_than_asked_for_do_all_the_work() {
    let folder = TempDir::new().unwrap();
    // For root, there is no limit: then it is another user who runs memplan.
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        eprintln!("not run: only root can be another user");
        return;
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let mut text = "id,lower,upper,size,space\n".to_owned();
    for number in 0..40 * 200 {
        let (start, size) = (number / 40 * 7 % 400, 16 + number * 37 % 1000);
        let end = start + 1 + number * 13 % 50;
        writeln!(text, "{number},{start},{end},{size},s{}", number % 40).unwrap();
    }
    let (_, name) = file(&folder, "in.csv", &text);
    let arguments = ["solve", &name, "-j", "64", "--effort", "quick", "--json"];
    let all = run(&arguments);
    assert_eq!(String::from_utf8_lossy(&all.stderr), "");
    let program = folder.path().join("memplan");
    fs::copy(memplan(&[]).get_program(), &program).unwrap();
    let user = format!("--reuid={}", 100_000 + std::process::id());
    let mut limited = Command::new("setpriv");
    limited.args([&user, "--regid=65534", "--clear-groups"]);
    let mut other = Command::new("setpriv");
    let other = other
        .args(limited.get_args())
        .arg(&program)
        .arg("--version");
    if !other.output().is_ok_and(|done| done.status.success()) {
        eprintln!("not run: another user cannot run memplan here");
        return;
    }
    limited.args(["bash", "-c", "ulimit -u 6; exec \"$0\" \"$@\""]);
    let output = limited.arg(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(
        said,
        "memplan: warning: the system started 6 of 40 threads, and no more; these do all the work\n"
    );
    assert_eq!(output.stdout, all.stdout);
}
