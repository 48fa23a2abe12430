//! The index of the full-text search: the words of each section, as a script that the pages load when they need it.
//!
//! A page that is opened from a file may not fetch another file, but may load a script.

use crate::section::Section;
use serde_json::{Value, json};

/// The script: `[name, heading, [[anchor, heading, words], …]]` for each page.
pub fn index<'p>(pages: impl Iterator<Item = (&'p str, String, &'p [Section])>) -> String {
    let pages = pages.map(|(name, label, sections)| {
        let sections = sections
            .iter()
            .filter(|section| !section.id.is_empty() || !section.text.trim().is_empty());
        let sections = sections.map(|section| {
            // The heading of the page is its title.
            let (anchor, heading) = match section.level {
                0 | 1 => ("", ""),
                _ => (section.id.as_str(), section.heading.as_str()),
            };
            json!([anchor, heading, words(&section.text)])
        });
        json!([name, label, Value::Array(sections.collect())])
    });
    let all = Value::Array(pages.collect());
    format!("window.manualSearchIndex = {all};\n")
}

/// A text with one blank between words.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
