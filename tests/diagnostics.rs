//! Diagnostics: each kind has a permanent id, a page, and a test that expects it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use memplan_harness::tools::{Tools, root};
use memplan_manual::{book, diagnostics::kinds, page::Page};
use memplan_passes::declarations;

/// The prefix of each id.
const PREFIX: &str = "memplan-";

/// Whether this is an id without its prefix.
fn is_number(id: &str) -> bool {
    id.len() == 4
        && id.starts_with(['E', 'W', 'R'])
        && id[1..].bytes().all(|one| one.is_ascii_digit())
}

/// The ids in brackets in the files of a folder.
fn mentioned(folder: &Path, ids: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            mentioned(&path, ids)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            let after = text.split("[memplan-").skip(1);
            let inside = after.filter_map(|rest| rest.split_once(']'));
            let numbers = inside.map(|(id, _)| id).filter(|id| is_number(id));
            ids.extend(numbers.map(|id| format!("{PREFIX}{id}")));
        }
    }
    Ok(())
}

#[test]
fn no_two_kinds_have_one_id() {
    let kinds = kinds();
    for kind in &kinds {
        let id = kind.code.id;
        assert!(id.strip_prefix(PREFIX).is_some_and(is_number), "{id}");
    }
    for pass in declarations() {
        for code in pass.codes.iter().flat_map(|group| group.iter()) {
            let known = kinds.iter().find(|kind| kind.code.id == code.id);
            let summary = known.map(|kind| kind.code.summary);
            assert_eq!(summary, Some(code.summary), "{}", code.id);
        }
    }
}

fn find(topic: &str) -> Option<Page> {
    book::find(topic, Vec::new(), String::new)
}

#[test]
fn each_kind_has_a_page_with_meaning_and_advice() {
    for kind in kinds() {
        let code = kind.code;
        let id = code.id;
        assert!(
            !code.summary.ends_with('.') && !code.summary.is_empty(),
            "{id}"
        );
        for text in [code.meaning, code.advice] {
            assert!(text.ends_with('.'), "{id}: {text}");
        }
        let page = find(&id.to_lowercase()).expect(id);
        assert_eq!(find(&id[PREFIX.len()..]).as_ref(), Some(&page));
        assert!(page.text.contains(code.meaning) && page.text.contains(code.advice));
        let index = find("diagnostics").expect("a list");
        for name in kind.by.iter().filter(|name| !name.contains(' ')) {
            let pass = find(name).expect(name);
            assert!(pass.text.contains(code.summary), "{name}: {id}");
        }
        assert!(index.text.contains(code.summary), "{id}");
    }
}

#[test]
fn each_kind_is_expected_by_a_test() -> Result<()> {
    let mut tested = BTreeSet::new();
    mentioned(&root().join("lit"), &mut tested)?;
    mentioned(&root().join("tests"), &mut tested)?;
    for entry in fs::read_dir(root().join("crates"))? {
        let tests = entry?.path().join("tests");
        if tests.is_dir() {
            mentioned(&tests, &mut tested)?;
        }
    }
    let known: BTreeSet<String> = kinds().iter().map(|kind| kind.code.id.to_owned()).collect();
    let untested: Vec<&String> = known.difference(&tested).collect();
    ensure!(untested.is_empty(), "no test expects {untested:?}");
    let unknown: Vec<&String> = tested.difference(&known).collect();
    ensure!(
        unknown.is_empty(),
        "nothing says {unknown:?}, which tests expect"
    );
    Ok(())
}

#[test]
fn each_example_shows_its_diagnostic() -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("example.mlir");
    for kind in kinds() {
        let Some(said) = &kind.code.example else {
            continue;
        };
        fs::write(&input, said.program)?;
        let run = Command::new(tools.mlir_opt())
            .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg(format!("--pass-pipeline=builtin.module({})", said.pass))
            .arg("--allow-unregistered-dialect")
            .arg(&input)
            .output()?;
        let texts = String::from_utf8(run.stderr)?;
        let end = kind.code.message("");
        let is_said = texts.lines().any(|line| line.ends_with(&end));
        ensure!(is_said, "{} is not said:\n{texts}", kind.code.id);
    }
    Ok(())
}
