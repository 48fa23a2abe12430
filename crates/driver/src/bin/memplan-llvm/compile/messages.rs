//! Prints messages like MLIR does, with the source line at their location.

use memplan_translate::outcome::{Message, MessageSeverity, SourceLocation};
use std::io::{self, Write};

/// Prints messages about one source on standard error.
pub struct Printer {
    name: String,
    /// The source; empty if it is not text.
    text: String,
    /// The offset of each line.
    lines: Vec<usize>,
}

impl Printer {
    /// A printer of messages about a source.
    pub fn new(name: &str, source: &[u8]) -> Self {
        // The magic number of bytecode.
        let is_bytecode = source.starts_with(b"ML\xefR");
        let text = match std::str::from_utf8(source) {
            Ok(text) if !is_bytecode => text.to_owned(),
            _ => String::new(),
        };
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            name: name.to_owned(),
            lines: std::iter::once(0).chain(starts).collect(),
            text,
        }
    }

    /// Prints messages.
    pub fn print(&self, messages: &[Message]) {
        let mut out = String::new();
        for message in messages {
            self.write(&mut out, message);
        }
        // A closed standard error is ignored.
        let _ = io::stderr().lock().write_all(out.as_bytes());
    }

    fn write(&self, out: &mut String, message: &Message) {
        let gravity = match message.severity {
            MessageSeverity::Error => "error",
            MessageSeverity::Warning => "warning",
            MessageSeverity::Remark => "remark",
            MessageSeverity::Note => "note",
        };
        let location = match message.location.as_str() {
            "unknown" => &self.name,
            location => location.strip_suffix(":0:0").unwrap_or(location),
        };
        out.push_str(&format!("{location}: {gravity}: {}\n", message.text));
        if let Some(line) = message
            .source_location
            .as_ref()
            .and_then(|place| self.excerpt(place))
        {
            out.push_str(&line);
        }
        for note in &message.notes {
            self.write(out, note);
        }
    }

    /// The line of a place, and a mark below it.
    fn excerpt(&self, place: &SourceLocation) -> Option<String> {
        if place.file != self.name || self.text.is_empty() {
            return None;
        }
        let start = *self.lines.get(place.line.checked_sub(1)?)?;
        let line = self.text.get(start..)?.lines().next()?;
        let before = place.column.checked_sub(1)?;
        let before = line.char_indices().take_while(|(at, _)| *at < before);
        let indent: String = before
            .map(|(_, one)| if one == '\t' { '\t' } else { ' ' })
            .collect();
        Some(format!("{line}\n{indent}^\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_line_and_a_mark() {
        let printer = Printer::new("in.mlir", b"one\n  two three\n");
        let note = Message {
            severity: MessageSeverity::Note,
            source_location: None,
            location: "unknown".to_owned(),
            text: "so".to_owned(),
            notes: Vec::new(),
        };
        let message = Message {
            severity: MessageSeverity::Error,
            source_location: Some(SourceLocation {
                file: "in.mlir".to_owned(),
                line: 2,
                column: 7,
            }),
            location: "in.mlir:2:7".to_owned(),
            text: "no".to_owned(),
            notes: vec![note],
        };
        let mut out = String::new();
        printer.write(&mut out, &message);
        assert_eq!(
            out,
            "in.mlir:2:7: error: no\n  two three\n      ^\nin.mlir: note: so\n"
        );
    }
}
