//! Diagnostics of MLIR as messages that outlive the context.

use crate::outcome::{Message, MessageSeverity, SourceLocation, source_location};
use memplan_mlir::{
    ir::location_text,
    melior::{
        Context,
        diagnostic::{Diagnostic, DiagnosticSeverity},
    },
};
use rustc_hash::FxHashSet;
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

/// Places messages that have no place at the function that they are about, if that has one, and notes at their message.
/// Drops errors that repeat another one.
pub fn tidy(messages: &mut Vec<Message>, function: &str) {
    let mut known = FxHashSet::default();
    messages.retain_mut(|message| {
        place(message, function);
        message.severity != MessageSeverity::Error
            || known.insert((message.location.clone(), message.text.clone()))
    });
}

fn place(message: &mut Message, location: &str) {
    let is_known = |place: &SourceLocation| place.line > 0;
    let is_placed = message.source_location.as_ref().is_some_and(is_known);
    let is_nowhere = message.location == "unknown" || message.source_location.is_some();
    if let Some(found) = source_location(location).filter(is_known)
        && !is_placed
        && is_nowhere
    {
        message.location = location.to_owned();
        message.source_location = Some(found);
    }
    for note in &mut message.notes {
        place(note, &message.location);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(location: &str, notes: Vec<Message>) -> Message {
        Message {
            severity: MessageSeverity::Error,
            source_location: source_location(location),
            location: location.to_owned(),
            text: "no".to_owned(),
            notes,
        }
    }

    #[test]
    fn messages_without_a_place_get_that_of_the_function_and_are_kept_once() {
        let note = error("in.mlir:0:0", Vec::new());
        let mut messages = vec![
            error("unknown", Vec::new()),
            error("in.mlir:0:0", Vec::new()),
            error("in.mlir:3:5", vec![note]),
            error("callsite(f at g.mlir:1:2)", Vec::new()),
        ];
        tidy(&mut messages, "in.mlir:2:1");
        let places = |messages: &[Message]| -> Vec<String> {
            messages.iter().map(|one| one.location.clone()).collect()
        };
        assert_eq!(
            places(&messages),
            ["in.mlir:2:1", "in.mlir:3:5", "callsite(f at g.mlir:1:2)"]
        );
        assert_eq!(places(&messages[1].notes), ["in.mlir:3:5"]);
    }

    #[test]
    fn a_function_without_a_place_gives_none() {
        let mut messages = vec![error("unknown", Vec::new())];
        tidy(&mut messages, "unknown");
        assert_eq!(messages[0].location, "unknown");
    }
}
