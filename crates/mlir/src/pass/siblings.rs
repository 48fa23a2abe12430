//! How many operations a pass has still to run on.
//!
//! A pass manager runs a pass on all operations of one name in a block, in any order, and says nothing once it is done.

use crate::{
    ir::{Identity, Key, Op, ops, parent_block},
    names::name_key,
};
use rustc_hash::FxHashMap;

/// How many operations of all blocks are not done, by block and name.
#[derive(Default)]
pub struct Siblings {
    left: FxHashMap<(Key, usize), usize>,
}

impl Siblings {
    /// A pass begins with an operation. Returns whether that is in no block. Inspects names of siblings only, as
    /// other threads may change what they contain.
    pub fn begin(&mut self, op: Op<'_>) -> bool {
        let Some(block) = parent_block(op) else {
            return true;
        };
        let name = name_key(op);
        self.left
            .entry((block.key(), name))
            .or_insert_with(|| ops(block).filter(|one| name_key(*one) == name).count());
        false
    }

    /// A pass is done with an operation. Returns whether that was the last one of its name in its block.
    pub fn is_last(&mut self, op: Op<'_>) -> bool {
        let key = parent_block(op).map(|block| (block.key(), name_key(op)));
        let left = key.and_then(|key| Some((key, self.left.get_mut(&key)?)));
        let Some((key, left)) = left else {
            return true;
        };
        *left = left.saturating_sub(1);
        let is_last = *left == 0;
        if is_last {
            self.left.remove(&key);
        }
        is_last
    }
}
