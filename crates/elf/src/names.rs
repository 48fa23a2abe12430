//! Interned names.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::error::{Fault, index};

/// The number of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u32);

#[derive(Default)]
pub(crate) struct Names(IndexSet<Box<[u8]>, FxBuildHasher>);

impl Names {
    pub fn add(&mut self, name: &[u8]) -> Result<Name, Fault> {
        let number = match self.0.get_index_of(name) {
            Some(number) => number,
            None => self.0.insert_full(name.into()).0,
        };
        index(number, "names").map(Name)
    }

    pub fn get(&self, name: Name) -> &[u8] {
        self.0.get_index(name.0 as usize).map_or(&[], |name| name)
    }
}
