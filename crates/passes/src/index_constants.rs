//! Constants of type `index`, each created once, before its uses.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::Val,
};
use rustc_hash::FxHashMap;

/// Constants at one point of the program.
pub struct IndexConstants<'c> {
    start: Builder<'c>,
    constants: FxHashMap<i64, Val<'c>>,
}

impl<'c> IndexConstants<'c> {
    /// No constants yet; new ones are created by `start`.
    pub fn new(start: Builder<'c>) -> Self {
        Self {
            start,
            constants: FxHashMap::default(),
        }
    }

    /// Adds a constant that exists.
    #[must_use]
    pub fn with(mut self, number: i64, constant: Val<'c>) -> Self {
        self.constants.insert(number, constant);
        self
    }

    /// The constant of a number.
    pub fn get(&mut self, number: i64) -> Result<Val<'c>, BuildError> {
        if let Some(constant) = self.constants.get(&number) {
            return Ok(*constant);
        }
        let constant = self.start.index(number)?;
        self.constants.insert(number, constant);
        Ok(constant)
    }
}
