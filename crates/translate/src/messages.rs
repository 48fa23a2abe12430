//! Diagnostics of MLIR as messages that outlive the context.

use crate::outcome::{Message, MessageSeverity, SourceLocation};
use memplan_mlir::{
    ir::location_text,
    melior::{
        Context,
        diagnostic::{Diagnostic, DiagnosticSeverity},
    },
};
use std::{cell::RefCell, rc::Rc};

/// Collects the diagnostics of a context.
pub struct Listener(Rc<RefCell<Vec<Message>>>);

impl Listener {
    /// Collects all diagnostics of `context` from now on, as long as the context lives.
    pub fn new(context: &Context) -> Self {
        let messages: Rc<RefCell<Vec<Message>>> = Rc::default();
        let sink = Rc::clone(&messages);
        let _ = context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(message(&diagnostic));
            true
        });
        Self(messages)
    }

    /// The messages since the last call.
    pub fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}

fn message(diagnostic: &Diagnostic<'_>) -> Message {
    let location = location_text(diagnostic.location());
    let notes = (0..diagnostic.note_count()).filter_map(|at| diagnostic.note(at).ok());
    Message {
        severity: match diagnostic.severity() {
            DiagnosticSeverity::Error => MessageSeverity::Error,
            DiagnosticSeverity::Warning => MessageSeverity::Warning,
            DiagnosticSeverity::Remark => MessageSeverity::Remark,
            DiagnosticSeverity::Note => MessageSeverity::Note,
        },
        source_location: source_location(&location),
        location,
        text: diagnostic.to_string(),
        notes: notes.map(|note| message(&note)).collect(),
    }
}

/// The source location in a text `file:line:column`.
pub fn source_location(location: &str) -> Option<SourceLocation> {
    let mut parts = location.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts
        .next()
        .filter(|file| !file.contains(['(', '[', '<']))?;
    Some(SourceLocation {
        file: file.to_owned(),
        line,
        column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_a_line_and_a_column() {
        let found = source_location("a:b.mlir:12:3");
        let expected = SourceLocation {
            file: "a:b.mlir".to_owned(),
            line: 12,
            column: 3,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(source_location("unknown"), None);
        assert_eq!(source_location("callsite(f at g.mlir:1:2)"), None);
    }
}
