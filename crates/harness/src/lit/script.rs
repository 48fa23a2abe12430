//! Parses the keywords of a test file: its `RUN:` lines and the features that it depends on.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};

use super::expression::holds;

/// The keywords of one test file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands with continuation lines joined, before substitution.
    pub runs: Vec<String>,
    /// Expressions that must all hold for the test to run.
    pub requires: Vec<String>,
    /// Expressions of which none may hold for the test to run.
    pub unsupported: Vec<String>,
    /// Expressions of which any makes failure the expected result. `*` always holds.
    pub xfail: Vec<String>,
}

impl Script {
    /// Parses the keywords of a test.
    ///
    /// # Errors
    ///
    /// There is no `RUN:` line, or an empty one.
    pub fn parse(text: &str) -> Result<Self> {
        let mut script = Self::default();
        let mut open: Option<String> = None;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(run) = text_after_keyword(line, "RUN:") {
                let whole = open.take().unwrap_or_default() + run.trim();
                match whole.strip_suffix('\\') {
                    Some(start) => open = Some(start.to_owned()),
                    None => script.add_run(whole, number)?,
                }
            } else if let Some(list) = text_after_keyword(line, "REQUIRES:") {
                script.requires.extend(split(list));
            } else if let Some(list) = text_after_keyword(line, "UNSUPPORTED:") {
                script.unsupported.extend(split(list));
            } else if let Some(list) = text_after_keyword(line, "XFAIL:") {
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

    /// The reason not to run the test with these features; `None` if it runs.
    ///
    /// # Errors
    ///
    /// An expression has a syntax error.
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

    /// Whether the test is expected to fail.
    ///
    /// # Errors
    ///
    /// An expression has a syntax error.
    pub fn expected_to_fail(&self, features: &BTreeSet<String>) -> Result<bool> {
        for expression in &self.xfail {
            if expression == "*" || holds(expression, features).context("XFAIL")? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The text after `keyword` in `line`, if the keyword is a separate word (`CHECK-RUN:` is not).
fn text_after_keyword<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let start = line.find(keyword)?;
    let own_word = !line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    own_word.then(|| &line[start + keyword.len()..])
}

fn split(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',')
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
}
