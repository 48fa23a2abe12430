//! Why strips are not what the operations were, or cannot be followed.

use super::sum::TooLarge;
use crate::codes;
use memplan_mlir::{
    codes::Code, diagnostics::Diagnostic, ir::Op, melior::ir::operation::OperationLike,
};

/// Why the check stops.
#[derive(Clone, Debug)]
pub enum Stop {
    /// A number does not fit, or is not known.
    Number,
    /// A view leaves its memory.
    Bounds,
    /// There is too much to check.
    TooMuch,
    /// Something that is not followed.
    NotFollowed(&'static str),
    /// Strips do something else than the operations did.
    Wrong(String),
    /// The same, at a length that is known only at run time.
    WrongAt(String, i64),
}

impl From<TooLarge> for Stop {
    fn from(_: TooLarge) -> Self {
        Self::Number
    }
}

/// A fault at an operation.
#[derive(Clone, Debug)]
pub struct StripFault<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The reason.
    pub stop: Stop,
}

impl Stop {
    /// At a length that is known only at run time.
    pub fn at_length(self, length: i64) -> Self {
        match self {
            Self::Bounds | Self::Wrong(_) => Self::WrongAt(self.message(), length),
            other => other,
        }
    }

    const fn code(&self) -> &'static Code {
        match self {
            Self::Bounds | Self::Wrong(_) | Self::WrongAt(..) => codes::OTHER_ROWS,
            Self::Number | Self::TooMuch | Self::NotFollowed(_) => codes::STRIPS,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Number => {
                "strips cannot be verified: a number is not known or too large".to_owned()
            }
            Self::TooMuch => "strips cannot be verified: they have too many rows".to_owned(),
            Self::NotFollowed(what) => format!("strips cannot be verified: {what}"),
            Self::Bounds => "a view in a strip leaves its memory".to_owned(),
            Self::Wrong(what) => what.clone(),
            Self::WrongAt(what, length) => format!("{what}, at a length of {length}"),
        }
    }
}

impl StripFault<'_> {
    /// Reports the fault.
    pub fn emit(&self) {
        let location = self.op.location();
        Diagnostic::new(self.stop.code(), location, self.stop.message()).emit();
    }
}
