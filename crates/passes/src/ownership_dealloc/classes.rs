//! Classes, by union and find.

use rustc_hash::FxHashMap;

/// Elements that belong together.
#[derive(Default)]
pub struct Classes {
    parents: FxHashMap<u32, u32>,
}

impl Classes {
    /// What stands for the class of an element.
    pub fn find(&mut self, mut at: u32) -> u32 {
        while let Some(above) = self.parents.get(&at).copied() {
            if let Some(top) = self.parents.get(&above).copied() {
                self.parents.insert(at, top);
            }
            at = above;
        }
        at
    }

    /// Makes one class of two.
    pub fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.parents.insert(one.max(other), one.min(other));
        }
    }
}
