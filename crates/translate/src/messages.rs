//! Diagnostics of MLIR as messages that outlive the context.

use crate::outcome::{Message, MessageSeverity, source_location};
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
