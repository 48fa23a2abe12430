//! What is wrong with a description.

use crate::document::Place;
use std::fmt;

/// A description that cannot be used: the first error, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct MachineError {
    /// Where it is; `None` where something is missing from the whole.
    pub place: Option<Place>,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl MachineError {
    pub(crate) fn at(place: &Place, message: impl Into<String>) -> Self {
        Self {
            place: Some(place.clone()),
            message: message.into(),
        }
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
