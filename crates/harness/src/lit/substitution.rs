//! Substitutions like `%s`.

use std::path::Path;

use anyhow::{Context, Result};

/// What each `%name` stands for.
#[derive(Debug, Clone, Default)]
pub struct Substitutions {
    /// Longest name first, so that a name is not taken for a shorter one that it begins with.
    pairs: Vec<(String, String)>,
}

impl Substitutions {
    /// Adds a substitution of `%name` by `value`.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.pairs.push((name.to_owned(), value.into()));
        self.pairs
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        self
    }

    /// Adds a substitution of `%name` by a path, quoted for the shell if necessary.
    pub fn with_path(self, name: &str, path: &Path) -> Self {
        self.with(name, quoted(&path.to_string_lossy()))
    }

    /// Adds the lines `%NAME = TEXT` of `definitions`. A text may use the names above it; `#` begins a comment.
    ///
    /// # Errors
    ///
    /// A line is something else.
    pub fn with_definitions(mut self, definitions: &str) -> Result<Self> {
        for line in definitions.lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, text) = line
                .strip_prefix('%')
                .and_then(|line| line.split_once(" = "))
                .with_context(|| format!("not a substitution: {line}"))?;
            let value = self.apply(text);
            self = self.with(name, value);
        }
        Ok(self)
    }

    /// `%%` becomes `%`; a `%` before anything unknown stays as it is.
    pub fn apply(&self, command: &str) -> String {
        let mut result = String::with_capacity(command.len());
        let mut rest = command;
        while let Some(percent) = rest.find('%') {
            result.push_str(&rest[..percent]);
            rest = &rest[percent + 1..];
            if let Some(after) = rest.strip_prefix('%') {
                result.push('%');
                rest = after;
            } else if let Some((after, value)) = self.longest(rest) {
                result.push_str(value);
                rest = after;
            } else {
                result.push('%');
            }
        }
        result + rest
    }

    /// The longest name that `text` begins with, unless a letter follows: `%t.mlir` and `%t2`
    /// contain `%t`, `%test` does not.
    fn longest<'a>(&self, text: &'a str) -> Option<(&'a str, &str)> {
        self.pairs.iter().find_map(|(name, value)| {
            let after = text.strip_prefix(name.as_str())?;
            let ends = !after.starts_with(char::is_alphabetic);
            ends.then_some((after, value.as_str()))
        })
    }
}

/// `text` as one word of the shell.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,:@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
