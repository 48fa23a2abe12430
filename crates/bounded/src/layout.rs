//! Stack layouts: the offset of each value, the moves, and the cost of each path.

use crate::{
    live::Load,
    tree::{SegmentId, StepId, Tree, ValueId},
};

/// A move of values within the stack. It needs no other memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// Moves a value to free bytes. The old and the new place may overlap: the copy runs in the safe direction.
    Move {
        /// The value.
        value: ValueId,
        /// Its first byte before the move.
        from: u64,
        /// Its first byte after the move.
        to: u64,
    },
    /// Swaps two adjacent values, by a rotation of their bytes.
    Swap {
        /// The value that is the lower one before the swap.
        below: ValueId,
        /// The value that is the upper one before the swap.
        above: ValueId,
        /// The first byte of the pair.
        at: u64,
    },
}

/// Moves before one operation, in the order in which they run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The operation before which the moves run.
    pub step: StepId,
    /// The moves, in order.
    pub motions: Vec<Motion>,
}

/// A layout of a [`Tree`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The first byte of each value when it is defined.
    pub offsets: Vec<u64>,
    /// The moves, in preorder of the operations; at most one entry for each operation.
    pub relocations: Vec<Relocation>,
    /// The size of the stack, in bytes. With moves, a multiple of the strictest alignment.
    pub peak: u64,
}

/// The cost of one path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathCost {
    /// The most bytes that are live at once.
    pub max_live: u64,
    /// One past the last byte that is used.
    pub peak: u64,
    /// The number of operations before which values are moved.
    pub defragmentations: u64,
    /// The number of values moved.
    pub moves: u64,
    /// The number of bytes moved.
    pub moved_bytes: u64,
}

impl Layout {
    /// A layout without moves.
    pub fn fixed(tree: &Tree, offsets: Vec<u64>) -> Self {
        let ends = offsets.iter().zip(tree.sizes());
        let ends = ends.filter(|(_, size)| *size > 0);
        let peak = ends.map(|(offset, size)| offset + size).max().unwrap_or(0);
        Self {
            offsets,
            relocations: Vec::new(),
            peak,
        }
    }

    /// The bytes that each value takes in the layout.
    pub fn sizes(&self, tree: &Tree) -> Vec<u64> {
        match self.relocations.is_empty() {
            true => tree.sizes(),
            false => tree.rounded(),
        }
    }

    /// The cost of each path, with the segment at which it ends.
    pub fn paths(&self, tree: &Tree, load: &Load) -> Vec<(SegmentId, PathCost)> {
        let sizes = self.sizes(tree);
        let mut costs: Vec<PathCost> = Vec::with_capacity(tree.segments.len());
        let mut next = 0;
        let mut found = Vec::new();
        for (index, segment) in tree.segments.iter().enumerate() {
            let parent = segment.parent.map(|parent| costs[parent.index()]);
            let mut cost = parent.unwrap_or_default();
            let end = |at: u64, size: u64| if size == 0 { 0 } else { at + size };
            for step in segment.steps.clone() {
                if let Some(relocation) = self.relocations.get(next)
                    && relocation.step.0 == step
                {
                    next += 1;
                    cost.defragmentations += 1;
                    for motion in &relocation.motions {
                        let (top, bytes, moves) = match *motion {
                            Motion::Move { value, to, .. } => {
                                let size = sizes[value.index()];
                                (end(to, size), size, 1)
                            }
                            Motion::Swap { below, above, at } => {
                                let bytes = sizes[below.index()] + sizes[above.index()];
                                (end(at, bytes), bytes, 2)
                            }
                        };
                        cost.peak = cost.peak.max(top);
                        cost.moved_bytes += bytes;
                        cost.moves += moves;
                    }
                }
                for value in tree.defines(StepId(step)) {
                    let at = self.offsets[value.index()];
                    cost.peak = cost.peak.max(end(at, sizes[value.index()]));
                }
            }
            cost.max_live = load.to_end[index];
            costs.push(cost);
            if segment.children.is_empty() {
                found.push((SegmentId::new(index), cost));
            }
        }
        found
    }

    /// The maximum over all paths, for each field of [`PathCost`] separately.
    pub fn worst(&self, tree: &Tree, load: &Load) -> PathCost {
        let mut worst = PathCost::default();
        for (_, cost) in self.paths(tree, load) {
            worst.max_live = worst.max_live.max(cost.max_live);
            worst.peak = worst.peak.max(cost.peak);
            worst.defragmentations = worst.defragmentations.max(cost.defragmentations);
            worst.moves = worst.moves.max(cost.moves);
            worst.moved_bytes = worst.moved_bytes.max(cost.moved_bytes);
        }
        worst
    }
}
