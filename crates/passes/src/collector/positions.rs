//! Where operations are in their module.

use memplan_mlir::ir::{Identity, Key, Op, block_parent, blocks, ops, parent_block, regions};
use rustc_hash::FxHashMap;

/// Positions of the operations of blocks, by block.
#[derive(Default)]
pub struct Positions {
    of_blocks: FxHashMap<Key, FxHashMap<Key, usize>>,
}

impl Positions {
    /// Forgets all: operations of another module may have the same addresses.
    pub fn clear(&mut self) {
        self.of_blocks.clear();
    }

    /// The position of an operation in its block, after the positions of the enclosing operations. Inspects
    /// lists of operations only, never the contents of a sibling, which another thread may change.
    pub fn of(&mut self, op: Op<'_>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = op;
        while let Some(block) = parent_block(at) {
            let positions = self.of_blocks.entry(block.key()).or_default();
            let position = match positions.get(&at.key()) {
                Some(position) => *position,
                None => {
                    *positions = ops(block)
                        .enumerate()
                        .map(|(position, op)| (op.key(), position))
                        .collect();
                    positions.get(&at.key()).copied().unwrap_or_default()
                }
            };
            path.push(position);
            let Some(parent) = block_parent(block) else {
                break;
            };
            let block_index = regions(parent)
                .flat_map(blocks)
                .position(|one| one == block);
            path.push(block_index.unwrap_or_default());
            at = parent;
        }
        path.reverse();
        path
    }
}
