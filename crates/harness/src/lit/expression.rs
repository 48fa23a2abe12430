//! Boolean expressions over features, as in `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:`. They consist
//! of names, `true`, `false`, `!`, `&&`, `||` and parentheses.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

/// Evaluates `expression` with the available `features`.
///
/// # Errors
///
/// A syntax error.
pub fn holds(expression: &str, features: &BTreeSet<String>) -> Result<bool> {
    let mut parser = Parser {
        tokens: tokens(expression)?,
        next: 0,
        features,
    };
    let value = parser.or()?;
    match parser.peek() {
        None => Ok(value),
        Some(token) => bail!("`{token}` is not expected in `{expression}`"),
    }
}

fn tokens(text: &str) -> Result<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("&&") || rest.starts_with("||") {
            2
        } else if "!()".contains(first) {
            1
        } else {
            rest.find(|c: char| !is_name(c)).unwrap_or(rest.len())
        };
        if length == 0 {
            bail!("`{first}` means nothing in `{text}`");
        }
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_-+=.".contains(c)
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    features: &'a BTreeSet<String>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self, token: &str) -> bool {
        let taken = self.peek() == Some(token);
        self.next += usize::from(taken);
        taken
    }

    fn or(&mut self) -> Result<bool> {
        let mut value = self.and()?;
        while self.take("||") {
            value |= self.and()?;
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<bool> {
        let mut value = self.not()?;
        while self.take("&&") {
            value &= self.not()?;
        }
        Ok(value)
    }

    fn not(&mut self) -> Result<bool> {
        if self.take("!") {
            return Ok(!self.not()?);
        }
        if self.take("(") {
            let value = self.or()?;
            if !self.take(")") {
                bail!("a `)` is missing");
            }
            return Ok(value);
        }
        match self.peek() {
            Some(name) if name.chars().all(is_name) => {
                self.next += 1;
                Ok(name == "true" || (name != "false" && self.features.contains(name)))
            }
            Some(token) => bail!("a feature is expected, not `{token}`"),
            None => bail!("a feature is expected at the end"),
        }
    }
}
