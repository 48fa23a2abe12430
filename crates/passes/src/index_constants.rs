//! Constants of type `index`, each made once, before what uses them.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::Val,
};
use rustc_hash::FxHashMap;

/// Constants at one place.
pub struct IndexConstants<'c> {
    start: Builder<'c>,
    made: FxHashMap<i64, Val<'c>>,
}

impl<'c> IndexConstants<'c> {
    /// Where `start` builds.
    pub fn new(start: Builder<'c>) -> Self {
        Self {
            start,
            made: FxHashMap::default(),
        }
    }

    /// With one that is there.
    #[must_use]
    pub fn with(mut self, number: i64, constant: Val<'c>) -> Self {
        self.made.insert(number, constant);
        self
    }

    /// The constant of a number.
    pub fn get(&mut self, number: i64) -> Result<Val<'c>, BuildError> {
        if let Some(made) = self.made.get(&number) {
            return Ok(*made);
        }
        let made = self.start.index(number)?;
        self.made.insert(number, made);
        Ok(made)
    }
}
