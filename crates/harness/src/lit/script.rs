//! What a test file asks for: its `RUN:` lines and the features that it depends on.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};

use super::expression::holds;

/// The keywords of one test file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands, continuation lines joined, nothing substituted yet.
    pub runs: Vec<String>,
    /// All must hold for the test to run.
    pub requires: Vec<String>,
    /// Where one holds the test does not run.
    pub unsupported: Vec<String>,
    /// Where one holds the test has to fail. `*` always holds.
    pub xfail: Vec<String>,
}

impl Script {
    /// Reads the keywords of a test.
    ///
    /// # Errors
    ///
    /// No line runs anything, or one runs nothing.
    pub fn parse(text: &str) -> Result<Self> {
        let mut script = Self::default();
        let mut open: Option<String> = None;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(run) = after(line, "RUN:") {
                let whole = open.take().unwrap_or_default() + run.trim();
                match whole.strip_suffix('\\') {
                    Some(start) => open = Some(start.to_owned()),
                    None => script.add_run(whole, number)?,
                }
            } else if let Some(list) = after(line, "REQUIRES:") {
                script.requires.extend(split(list));
            } else if let Some(list) = after(line, "UNSUPPORTED:") {
                script.unsupported.extend(split(list));
            } else if let Some(list) = after(line, "XFAIL:") {
                script.xfail.extend(split(list));
            }
        }
        ensure!(
            open.is_none(),
            "the last RUN line ends in `\\` and nothing follows"
        );
        ensure!(!script.runs.is_empty(), "no RUN line");
        Ok(script)
    }

    fn add_run(&mut self, run: String, line: usize) -> Result<()> {
        ensure!(!run.trim().is_empty(), "line {line}: RUN of nothing");
        self.runs.push(run);
        Ok(())
    }

    /// Why the test does not run with these features; `None` where it does.
    ///
    /// # Errors
    ///
    /// One of the expressions is none.
    pub fn skip_reason(&self, features: &BTreeSet<String>) -> Result<Option<String>> {
        for required in &self.requires {
            if !holds(required, features).context("REQUIRES")? {
                return Ok(Some(format!("requires {required}")));
            }
        }
        for unsupported in &self.unsupported {
            if holds(unsupported, features).context("UNSUPPORTED")? {
                return Ok(Some(format!("unsupported with {unsupported}")));
            }
        }
        Ok(None)
    }

    /// Whether the test is one that has to fail.
    ///
    /// # Errors
    ///
    /// One of the expressions is none.
    pub fn expected_to_fail(&self, features: &BTreeSet<String>) -> Result<bool> {
        for expression in &self.xfail {
            if expression == "*" || holds(expression, features).context("XFAIL")? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What follows `keyword` in `line`, where it stands as a word of its own (`CHECK-RUN:` is none).
fn after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let start = line.find(keyword)?;
    let own_word = !line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    own_word.then(|| &line[start + keyword.len()..])
}

fn split(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',')
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
}
