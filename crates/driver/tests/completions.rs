//! Scripts for shells, and man pages.

#[expect(dead_code, reason = "other tests use it")]
mod support;

use std::{fs, process::Command};
use support::{error, run, stdout};
use tempfile::TempDir;

/// The words that bash offers in place of the last of these.
fn offered(words: &[&str]) -> Vec<String> {
    let script = stdout(&run(&["completions", "bash"]));
    let last = words.len() - 1;
    let all = words.join("' '");
    let asks = format!(
        "{script}\nCOMP_WORDS=('{all}')\nCOMP_CWORD={last}\n_memplan memplan '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words[last],
        words[last - 1],
    );
    let output = Command::new("bash").args(["-c", &asks]).output().unwrap();
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_subcommands_options_values_and_topics() {
    assert_eq!(offered(&["memplan", "so"]), ["solve"]);
    assert_eq!(offered(&["memplan", "solve", "--plann"]), ["--planner"]);
    let topics = offered(&["memplan", "help", "memplan-E10"]);
    assert!(topics.contains(&"memplan-E101".to_owned()), "{topics:?}");
    assert!(offered(&["memplan", "help", "memplan-merge"]).contains(&"memplan-merge-alloc".into()));
    assert!(offered(&["memplan", "completions", "z"]).contains(&"zsh".into()));
}

#[test]
fn other_shells_have_scripts_with_all_subcommands() {
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(&["completions", shell]));
        for word in ["solve", "compile", "certificate"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let zsh = stdout(&run(&["completions", "zsh"]));
    assert!(zsh.contains("memplan-dealloc-pipeline"), "{zsh}");
    let output = run(&["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn each_subcommand_has_a_man_page() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("man1");
    stdout(&run(&["help", "--man", pages.to_str().unwrap()]));
    let page = |name: &str| fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    for subcommand in [
        "solve",
        "bound",
        "check",
        "plot",
        "table",
        "explain",
        "version",
        "compile",
        "link",
        "header",
        "help",
        "completions",
    ] {
        let text = page(&format!("memplan-{subcommand}"));
        assert!(text.contains(&format!("memplan\\-{subcommand}")), "{text}");
        assert!(text.contains(".SH SYNOPSIS"), "{text}");
    }
    let whole = page("memplan");
    assert!(whole.contains("memplan\\-solve(1)"), "{whole}");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 13);
    let missing = error(&run(&["help", "--man", "/dev/null/man1"]));
    assert!(
        missing.starts_with("cannot write to /dev/null/man1"),
        "{missing}"
    );
}
