//! What MLIR says, as messages that outlive its context.

use crate::outcome::{Gravity, Message, Place};
use memplan_mlir::{
    ir::location_text,
    melior::{
        Context,
        diagnostic::{Diagnostic, DiagnosticSeverity},
    },
};
use std::{cell::RefCell, rc::Rc};

/// Gathers what a context says.
pub struct Listener(Rc<RefCell<Vec<Message>>>);

impl Listener {
    /// From now on, as long as the context lives.
    pub fn new(context: &Context) -> Self {
        let said: Rc<RefCell<Vec<Message>>> = Rc::default();
        let heard = Rc::clone(&said);
        let _ = context.attach_diagnostic_handler(move |diagnostic| {
            heard.borrow_mut().push(message(&diagnostic));
            true
        });
        Self(said)
    }

    /// What was said since it was asked last.
    pub fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}

fn message(diagnostic: &Diagnostic<'_>) -> Message {
    let location = location_text(diagnostic.location());
    let notes = (0..diagnostic.note_count()).filter_map(|at| diagnostic.note(at).ok());
    Message {
        gravity: match diagnostic.severity() {
            DiagnosticSeverity::Error => Gravity::Error,
            DiagnosticSeverity::Warning => Gravity::Warning,
            DiagnosticSeverity::Remark => Gravity::Remark,
            DiagnosticSeverity::Note => Gravity::Note,
        },
        place: place(&location),
        location,
        text: diagnostic.to_string(),
        notes: notes.map(|note| message(&note)).collect(),
    }
}

/// The place that a location is, written `file:line:column`.
fn place(location: &str) -> Option<Place> {
    let mut parts = location.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts
        .next()
        .filter(|file| !file.contains(['(', '[', '<']))?;
    Some(Place {
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
        let found = place("a:b.mlir:12:3");
        let expected = Place {
            file: "a:b.mlir".to_owned(),
            line: 12,
            column: 3,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(place("unknown"), None);
        assert_eq!(place("callsite(f at g.mlir:1:2)"), None);
    }
}
