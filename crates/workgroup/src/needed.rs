//! Contents that may still be read: backward dataflow, as in liveness of variables.

use crate::control::Control;
use crate::{Action, BlockId, Extent, Kernel};
use fixedbitset::FixedBitSet;
use memplan_flow::SecondaryMap;

/// For each block, the buffers whose contents a thread may read after it, before a discard or a whole write.
pub(crate) struct Needed {
    at_end: SecondaryMap<BlockId, FixedBitSet>,
}

impl Needed {
    /// Linear in the actions for each nested loop.
    pub(crate) fn of(kernel: &Kernel, control: &Control) -> Self {
        let mut at_end =
            SecondaryMap::with_default(FixedBitSet::with_capacity(kernel.buffers.len()));
        at_end.resize(kernel.blocks.len());
        let mut needed = Self { at_end };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in control.order.iter().rev() {
                let mut state = needed.at_end[block].clone();
                for action in kernel.blocks[block].actions.iter().rev() {
                    before(action, control.is_uniform(block), &mut state);
                }
                for &from in control.predecessors.successors(block) {
                    if !state.is_subset(&needed.at_end[from]) {
                        needed.at_end[from].union_with(&state);
                        changed = true;
                    }
                }
            }
        }
        needed
    }

    /// What is needed after each action of a block.
    pub(crate) fn after_actions(
        &self,
        kernel: &Kernel,
        control: &Control,
        block: BlockId,
    ) -> Vec<FixedBitSet> {
        let mut state = self.at_end[block].clone();
        let mut after = Vec::new();
        for action in kernel.blocks[block].actions.iter().rev() {
            after.push(state.clone());
            before(action, control.is_uniform(block), &mut state);
        }
        after.reverse();
        after
    }
}

/// From what is needed after an action to what is needed before it.
fn before(action: &Action, is_uniform: bool, needed: &mut FixedBitSet) {
    if let Some(buffer) = action.discards().filter(|_| is_uniform) {
        needed.remove(buffer.index());
    }
    for (buffer, extent) in action.writes() {
        if extent == Extent::Whole && is_uniform {
            needed.remove(buffer.index());
        }
    }
    needed.extend(action.reads().map(|buffer| buffer.index()));
}
