//! The trait that passes implement, and how they fail.

use super::{run::Run, values::OptionValues};
use memplan_interface::{Declaration, codes::Code};

/// A pass. `Self` is the state that all clones of the pass share.
pub trait Pass: Send + Sync + Sized + 'static {
    /// The declaration of the pass.
    const DECLARATION: &'static Declaration;

    /// New state, for a new pass of a pipeline.
    fn new() -> Self;

    /// Checks combinations of options.
    ///
    /// # Errors
    ///
    /// The message for the user.
    fn check(_values: &OptionValues) -> Result<(), String> {
        Ok(())
    }

    /// Runs before any run of the pass, without IR.
    fn initialize(&self, _values: &OptionValues) -> Result<(), InitError> {
        Ok(())
    }

    /// Runs the pass on one operation.
    fn run(&self, run: &Run<'_>) -> Result<(), Failed>;
}

/// The pass failed, after it reported an error.
#[derive(Debug, thiserror::Error)]
#[error("the pass failed")]
pub struct Failed;

/// An error that keeps a pass from starting.
#[derive(Debug)]
pub struct InitError {
    /// The kind of the error.
    pub code: &'static Code,
    /// In words.
    pub message: String,
}
