//! A function, as it was read: what its operations do, as far as somebody has asked.
//!
//! As long as a pass works on a function, answers are found by the identity of operations, and one falls when the
//! operation [changes](memplan_mlir::changes). From pass to pass they are kept by the operations' numbers in walk order:
//! an erased operation's address may be that of another. Names say whether the operations are still the same.

use crate::{
    answers::{Answer, Answers},
    semantics::Semantics,
};
use memplan_mlir::ir::Op;

/// A function, as it was read. It holds while the function stands as it is.
#[derive(Default)]
pub struct Reading {
    semantics: Semantics,
    answers: Vec<Answer>,
}

impl Reading {
    /// To ask about the operations of the function; `None` if they are not those that were read.
    pub fn of(self, function: Op<'_>) -> Option<Semantics> {
        let mut semantics = self.semantics;
        semantics.answers = Some(Answers::linked(self.answers, function)?);
        Some(semantics)
    }
}

impl Semantics {
    /// Keeps its answers about operations, until these change by functions of `memplan_mlir`.
    pub fn keeping() -> Self {
        let mut semantics = Self::default();
        semantics.answers = Some(Answers::default());
        semantics
    }

    /// Has this thread changed something since there may have been questions?
    pub fn is_changed(&self) -> bool {
        self.answers.as_ref().is_none_or(Answers::is_changed)
    }

    /// Are there answers that are kept?
    pub(crate) fn was_asked(&self) -> bool {
        self.answers.as_ref().is_some_and(|all| !all.is_empty())
    }

    /// Takes apart what was asked, for who asks about the same function later.
    pub fn into_reading(mut self, function: Op<'_>) -> Reading {
        let answers = self.answers.take().unwrap_or_default();
        Reading {
            semantics: self,
            answers: answers.unlinked(function),
        }
    }
}
