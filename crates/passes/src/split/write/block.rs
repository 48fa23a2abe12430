//! What writing the chains of a block shares.

use super::{super::read::BlockReading, frees::Frees};
use memplan_mlir::ir::{Attribute, ContextHandle};
use memplan_strips::in_place::Pairs;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A block, while its chains are written, the last one first.
pub struct BlockWriting<'r, 'c> {
    /// As it was read.
    pub reading: &'r BlockReading<'c>,
    /// Deallocations of its own buffers.
    pub(super) frees: Frees<'c>,
    pub(super) pairs: Pairs,
    pub(super) maps: Maps<'c>,
}

impl<'r, 'c> BlockWriting<'r, 'c> {
    /// Of a block whose chains are all there.
    pub fn of(reading: &'r BlockReading<'c>) -> Self {
        Self {
            reading,
            frees: Frees::of(reading),
            pairs: Pairs::of(&reading.program),
            maps: Maps::default(),
        }
    }
}

/// Affine maps by their text: few differ, and parsing takes long.
#[derive(Default)]
pub struct Maps<'c> {
    known: RefCell<FxHashMap<String, Attribute<'c>>>,
}

impl<'c> Maps<'c> {
    /// The attribute with this text.
    pub fn get(&self, context: ContextHandle<'c>, text: String) -> Option<Attribute<'c>> {
        if let Some(known) = self.known.borrow().get(&text) {
            return Some(*known);
        }
        let map = context.parse_attribute(&text)?;
        self.known.borrow_mut().insert(text, map);
        Some(map)
    }
}
