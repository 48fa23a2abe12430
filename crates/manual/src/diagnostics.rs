//! What memplan says of programs: a page for each kind of diagnostic, and one that lists them.

use crate::page::{Page, cell, link};
use memplan_declarations::{PASSES, compile};
use memplan_interface::codes::{self, Code, Severity};
use std::{collections::BTreeMap, fmt::Write};

/// What the page that lists all is called.
pub const INDEX: &str = "diagnostics";

/// A kind of diagnostic.
#[derive(Clone, Debug)]
pub struct Kind {
    /// What it says of itself.
    pub code: &'static Code,
    /// The passes that say it; none where every pass may.
    pub by: Vec<&'static str>,
}

/// All kinds, by their ids.
pub fn kinds() -> Vec<Kind> {
    let passes = PASSES.iter().flat_map(|pass| {
        let groups = pass.codes.iter().copied();
        groups.map(|group| (Some(pass.argument), group))
    });
    let others = [(None, codes::ALL), (Some("memplan compile"), compile::ALL)];
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    for (by, group) in others.into_iter().chain(passes) {
        for code in group {
            let by_none = || Kind {
                code,
                by: Vec::new(),
            };
            kinds.entry(code.id).or_insert_with(by_none).by.extend(by);
        }
    }
    kinds.into_values().collect()
}

/// The page that lists all kinds.
pub fn index(kinds: &[Kind]) -> Page {
    let mut text = String::from(
        "# Diagnostics\n\nEvery error, warning and remark ends in an id, such as `[memplan-E101]`, that stays the same from \
         version to version, whatever the wording. `memplan help memplan-E101`, or `memplan help E101`, prints what it \
         means and what to do about it.\n\n",
    );
    write_table(&mut text, kinds.iter().map(|kind| kind.code));
    Page {
        name: INDEX.to_owned(),
        title: "Errors, warnings and remarks by their ids".to_owned(),
        text,
    }
}

/// Codes as rows that lead to their pages.
pub fn write_table<'k>(text: &mut String, codes: impl Iterator<Item = &'k Code>) {
    text.push_str("| id | | says |\n|---|---|---|\n");
    for code in codes {
        _ = writeln!(
            text,
            "| {} | {} | {} |",
            link(code.id),
            word(code),
            cell(code.summary)
        );
    }
    text.push('\n');
}

/// The page of a kind.
pub fn page(kind: &Kind) -> Page {
    let Kind { code, by } = kind;
    let by = match by.as_slice() {
        [] => "every pass".to_owned(),
        by => {
            let by: Vec<String> = by.iter().map(|name| emitted_by(name)).collect();
            by.join(", ")
        }
    };
    let mut text = format!(
        "# {}\n\n*{}.*\n\nA{} {} of {by}.\n\n{}\n\n## What to do\n\n{}\n\n",
        code.id,
        code.summary,
        if word(code) == "error" { "n" } else { "" },
        word(code),
        code.meaning,
        code.advice
    );
    let reasons = (code.reasons)();
    if !reasons.is_empty() {
        text.push_str("## Reasons\n\n| id | why |\n|---|---|\n");
        for reason in reasons {
            let help = reason.advice.map(|advice| format!("; {advice}"));
            let why = format!("{}{}", reason.text, help.unwrap_or_default());
            _ = writeln!(text, "| {} | {} |", link(reason.id), cell(&why));
        }
        text.push('\n');
    }
    if let Some(said) = &code.example {
        _ = write!(
            text,
            "## Example\n\n`{}` says it of:\n\n```mlir\n{}\n```\n",
            said.pass,
            said.program.trim_end()
        );
    }
    Page {
        name: code.id.to_owned(),
        title: code.summary.to_owned(),
        text,
    }
}

const fn word(code: &Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "remark",
    }
}

/// A pass has a page; the program that compiles has none.
fn emitted_by(name: &str) -> String {
    match name.contains(' ') {
        true => format!("`{name}`"),
        false => link(name),
    }
}
