//! Signals and time limits during a long search.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::fmt::Write;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::{file, memplan, run};
use tempfile::TempDir;

/// Buffers whose best plan is not found in a minute.
fn hard() -> String {
    let mut text = "id,lower,upper,size\n".to_owned();
    let mut state = 3_u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for id in 0..1500 {
        let start = random(750);
        let (end, size) = (start + 1 + random(214), 16 * (100 + random(900)));
        writeln!(text, "{id},{start},{end},{size}").unwrap();
    }
    text
}

/// Runs `solve` with much effort, and sends it a signal after a second.
fn signalled(arguments: &[&str], signal: &str) -> Output {
    let child = memplan(&["solve", "--effort", "thorough"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_secs(1));
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
fn ctrl_c_writes_the_best_plan_so_far() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", &hard());
    let [plan, proof] =
        ["plan.csv", "proof"].map(|name| folder.path().join(name).display().to_string());
    let output = signalled(&[&name, "-o", &plan, "--certificate", &proof], "-INT");
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "memplan: interrupted: this is the best plan so far\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("peak bytes"));
    let checked = run(&["check", &plan, "--certificate", &proof]);
    assert_eq!(
        checked.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
}

#[test]
fn sigterm_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", &hard());
    let plan = folder.path().join("plan.csv");
    let output = signalled(&[&name, "-o", &plan.display().to_string()], "-TERM");
    assert_eq!(output.status.code(), Some(143));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said,
        "memplan: error: ended by SIGTERM, nothing was written\n"
    );
    assert!(output.stdout.is_empty() && !plan.exists());
}

#[test]
fn a_time_limit_alone_is_used() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", &hard());
    let start = Instant::now();
    let output = run(&["solve", &name, "--time-limit", "1.5"]);
    let took = start.elapsed();
    assert_eq!(output.status.code(), Some(0));
    assert!(took >= Duration::from_millis(1400), "{took:?}");
    // With an effort, it is a limit.
    let start = Instant::now();
    run(&["solve", &name, "--time-limit", "30", "--effort", "quick"]);
    assert!(start.elapsed() < Duration::from_secs(15));
}
