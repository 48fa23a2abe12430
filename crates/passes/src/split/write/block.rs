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

/// How often a map is read again.
const MOST_READINGS: usize = 8;

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
        let mut map = context.parse_attribute(&text)?;
        // Sums are made simpler each time that they are read: what is printed has to be read as it is.
        for _ in 0..MOST_READINGS {
            let again = context.parse_attribute(&map.to_string())?;
            if again == map {
                break;
            }
            map = again;
        }
        self.known.borrow_mut().insert(text, map);
        Some(map)
    }
}
