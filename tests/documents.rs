//! Each fenced block of README.md and of the manual's chapters is checked: commands run, programs are compiled or are part
//! of a file that is, and programs after passes are as these leave them. A block without a check fails.

mod documents {
    pub mod blocks;
    pub mod commands;
    pub mod programs;
}

use anyhow::{Context, Result, bail, ensure};
use documents::{
    blocks::{self, Block},
    commands, programs,
};
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const CHAPTERS: &str = "crates/manual/chapters";
/// Lines of README.md.
const MOST_LINES: usize = 200;
/// Letters in a line of a chapter, except in tables, code and pictures.
const MOST_LETTERS: usize = 100;

/// README.md, CONTRIBUTING.md and all chapters, by their paths in the repository.
fn documents() -> Result<Vec<PathBuf>> {
    let mut all = vec![PathBuf::from("README.md"), PathBuf::from("CONTRIBUTING.md")];
    for chapter in fs::read_dir(root().join(CHAPTERS))? {
        all.push(Path::new(CHAPTERS).join(chapter?.file_name()));
    }
    all.sort();
    Ok(all)
}

fn text_of(document: &Path) -> Result<String> {
    Ok(fs::read_to_string(root().join(document))?)
}

/// Checks the blocks of a document one after another, in a folder of its own.
struct Checker<'t> {
    tools: &'t Tools,
    folder: tempfile::TempDir,
    /// The last program that is not the result of passes.
    before: String,
    /// What the last commands printed.
    printed: Option<String>,
    /// The lines of blocks that show other output than there is, and that output.
    outdated: Vec<(usize, String)>,
}

impl Checker<'_> {
    fn check(&mut self, block: &Block) -> Result<()> {
        let folder = self.folder.path();
        if let Some(name) = block.file_name() {
            fs::write(folder.join(name), &block.code)?;
        }
        let printed = self.printed.take();
        if let Some(source) = &block.source {
            return programs::is_excerpt(&block.code, source);
        }
        match block.language.as_str() {
            "mlir" => {
                let shown = programs::parsed(self.tools, folder, &block.code)?;
                let Some(passes) = block.passes_before() else {
                    self.before.clone_from(&block.code);
                    return Ok(());
                };
                let (after, said) = programs::after(self.tools, folder, passes, &self.before)?;
                ensure!(after == shown, "after {passes}, it is\n{after}{said}");
            }
            "sh" => self.printed = Some(commands::run(folder, self.tools, &block.code)?),
            "text" => {
                let shown = match (block.reporting_passes(), printed) {
                    (Some(passes), _) => {
                        programs::after(self.tools, folder, passes, &self.before)?.1
                    }
                    (None, Some(printed)) => printed,
                    (None, None) => bail!("no commands print it, and no passes report it"),
                };
                if trimmed(&shown) != trimmed(&block.code) {
                    self.outdated.push((block.line, shown));
                }
            }
            "csv" => {
                let name = block.file_name().context("the CSV is in no file")?;
                commands::run(folder, self.tools, &format!("memplan bound {name}"))?;
            }
            "json" => {
                let report = Report::from_json(&block.code)?;
                ensure!(report.version == Report::VERSION, "{}", report.version);
            }
            "c" => programs::compiles_and_runs(self.tools, folder, &block.code)?,
            "cpp" | "rust" | "cmake" | "toml" | "python" => {
                bail!("the fence does not name the file that this is a part of")
            }
            other => bail!("no check for the language '{other}'"),
        }
        Ok(())
    }
}

/// Lines without blanks at their ends.
fn trimmed(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

/// A document with the code of other lines in place of that of its blocks, by the lines of their fences.
fn with_blocks(document: &str, blocks: &[(usize, String)]) -> String {
    let mut all: Vec<&str> = document.lines().collect();
    for (line, code) in blocks.iter().rev() {
        let length = all[*line..].iter().position(|line| *line == "```");
        let end = line + length.unwrap_or_default();
        all.splice(line..&end, trimmed(code));
    }
    format!("{}\n", all.join("\n"))
}

/// What is wrong with the blocks of a document, each with the line of its fence, and the output that blocks should show.
struct Found {
    faults: Vec<(usize, String)>,
    outdated: Vec<(usize, String)>,
}

fn checked(tools: &Tools, text: &str) -> Result<Found> {
    let folder = tempfile::tempdir()?;
    commands::prepare(folder.path(), tools)?;
    let mut checker = Checker {
        tools,
        folder,
        before: String::new(),
        printed: None,
        outdated: Vec::new(),
    };
    let mut faults = Vec::new();
    for block in Block::all(text) {
        if let Err(error) = checker.check(&block) {
            faults.push((block.line, format!("{error:#}")));
        }
    }
    let outdated = checker.outdated;
    Ok(Found { faults, outdated })
}

/// What is wrong with a document; where it is asked for, output is written anew.
fn faults(tools: &Tools, document: &Path) -> Result<Vec<String>> {
    let text = text_of(document)?;
    let Found {
        mut faults,
        outdated,
    } = checked(tools, &text)?;
    if std::env::var_os("MEMPLAN_BLESS").is_some() && !outdated.is_empty() {
        fs::write(root().join(document), with_blocks(&text, &outdated))?;
    } else {
        let why = |shown| format!("MEMPLAN_BLESS=1 writes what it is:\n{shown}");
        faults.extend(outdated.into_iter().map(|(line, shown)| (line, why(shown))));
    }
    let faults = faults.into_iter();
    let faults = faults.map(|(line, why)| format!("{}:{line}: {why}", document.display()));
    Ok(faults.collect())
}

#[test]
fn each_block_is_checked() -> Result<()> {
    let tools = Tools::with_memplan()?;
    let documents = documents()?;
    let found = std::thread::scope(|scope| {
        let each = documents.iter();
        let each: Vec<_> = each
            .map(|document| scope.spawn(|| faults(&tools, document)))
            .collect();
        each.into_iter()
            .map(|one| one.join().expect("it does not panic"))
            .collect::<Result<Vec<_>>>()
    })?;
    let found = found.concat();
    ensure!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

#[test]
fn what_is_wrong_is_found() -> Result<()> {
    let tools = Tools::with_memplan()?;
    for wrong in [
        "```brainfuck\n+\n```",
        "```\nmemplan\n```",
        "```sh\nfalse\n```",
        "```sh\nmemplan no-such\n```",
        "```sh\nci/no-such\n```",
        "```sh\nci/bench no-such\n```",
        "```sh\nci/bench time --no-such\n```",
        "```sh\ncargo test -p memplan-no-such\n```",
        "```sh\ncargo test -p memplan --test no-such\n```",
        "```text\nno commands before\n```",
        "```mlir\nfunc.func @f( {\n```",
        "```mlir\nfunc.func @f() {\n  return\n}\n```\nAfter `memplan`:\n```mlir\nfunc.func @g() {\n  return\n}\n```",
        "```rust\nfn of_no_file() {}\n```",
        "```rust tests/embed/rust/src/main.rs\nfn not_there() {}\n```",
        "```cpp tests/embed/cpp/no-such.cpp\n```",
        "In `a.csv`, but not in `b.csv`:\n```csv\nid,lower\n```",
        "```json\n{\"version\": 1\n```",
        "```c\nint main(void) { return 1; }\n```",
    ] {
        let found = checked(&tools, wrong)?;
        ensure!(found.faults.len() == 1, "{wrong}: {:?}", found.faults);
    }
    let text = "```sh\necho 1\n```\n\n```text\n2\n```\n";
    let found = checked(&tools, text)?;
    ensure!(found.faults.is_empty() && found.outdated == [(5, "1\n".to_owned())]);
    ensure!(with_blocks(text, &found.outdated) == text.replace('2', "1"));
    Ok(())
}

/// Commands and files in sentences and tables.
#[test]
fn each_command_and_file_in_a_sentence_is_there() -> Result<()> {
    let tools = Tools::with_memplan()?;
    let mut all = BTreeSet::new();
    for document in documents()? {
        let text = blocks::without_blocks(&text_of(&document)?);
        for span in text.split('`').skip(1).step_by(2) {
            all.insert((span.to_owned(), document.clone()));
        }
    }
    for (span, document) in all {
        let starts = |all: &[&str]| all.iter().any(|start| span.starts_with(start));
        let is_pattern = span
            .bytes()
            .any(|byte| byte == b'*' || byte.is_ascii_uppercase());
        if starts(&["ci/", "cargo ", "memplan "]) {
            commands::exists(&tools, &span).with_context(|| document.display().to_string())?;
        } else if starts(&["crates/", "lit/", "mlir-plugin/", "tests/"]) && !is_pattern {
            ensure!(
                root().join(&span).exists(),
                "{}: no {span}",
                document.display()
            );
        }
    }
    Ok(())
}

#[test]
fn the_readme_is_short_and_lines_are_narrow() -> Result<()> {
    let readme = text_of(Path::new("README.md"))?;
    ensure!(
        readme.lines().count() <= MOST_LINES,
        "README.md has {} lines",
        readme.lines().count()
    );
    let mut wide = Vec::new();
    for document in documents()? {
        if document == Path::new("CONTRIBUTING.md") {
            continue;
        }
        let mut is_code = false;
        for (at, line) in text_of(&document)?.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            let may_be_wide = is_code || line.starts_with('|') || line.starts_with("![");
            if !may_be_wide && line.chars().count() > MOST_LETTERS {
                wide.push(format!("{}:{}", document.display(), at + 1));
            }
        }
    }
    ensure!(wide.is_empty(), "wider than {MOST_LETTERS}: {wide:?}");
    Ok(())
}

#[test]
fn links_of_the_readme_and_of_chapters_lead_to_files() -> Result<()> {
    let mut dead = Vec::new();
    for document in documents()? {
        let text = blocks::without_blocks(&text_of(&document)?);
        let folder = root().join(&document);
        let folder = folder.parent().context("no folder")?;
        for target in text.split("](").skip(1) {
            let target = target.split([')', '#']).next().unwrap_or_default();
            let is_file = target.is_empty() || folder.join(target).exists();
            if !is_file && !target.starts_with("https://") {
                dead.push(format!("{}: {target}", document.display()));
            }
        }
    }
    ensure!(dead.is_empty(), "{dead:?}");
    Ok(())
}
