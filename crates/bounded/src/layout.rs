//! Where values lie, and when they are moved.

use crate::{
    live::Load,
    tree::{SegmentId, StepId, Tree, ValueId},
};

/// A change of places that needs no memory beside the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// A value goes to where nothing else is. The two places may overlap: it is copied in the safe direction.
    Move {
        /// What is moved.
        value: ValueId,
        /// Its first byte before.
        from: u64,
        /// Its first byte then.
        to: u64,
    },
    /// Two neighbours change places: their bytes are rotated.
    Swap {
        /// The lower one before, whose first byte is at `at`.
        below: ValueId,
        /// The upper one before.
        above: ValueId,
        /// The first byte of both.
        at: u64,
    },
}

/// Moves in front of an operation, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The operation.
    pub step: StepId,
    /// What is moved.
    pub motions: Vec<Motion>,
}

/// A layout of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// For each value its first byte when it is defined.
    pub offsets: Vec<u64>,
    /// What is moved, in preorder; at most one entry for an operation.
    pub relocations: Vec<Relocation>,
    /// How many bytes the stack has.
    pub peak: u64,
}

/// What a path costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathCost {
    /// The most bytes that are live at once.
    pub max_live: u64,
    /// One past the last byte that is ever used.
    pub peak: u64,
    /// How often something is moved to make room.
    pub defragmentations: u64,
    /// How many values are moved.
    pub moves: u64,
    /// How many bytes are moved.
    pub moved_bytes: u64,
}

impl Layout {
    /// A layout without moves.
    pub fn fixed(tree: &Tree, offsets: Vec<u64>) -> Self {
        let ends = offsets.iter().zip(tree.rounded());
        let ends = ends.filter(|(_, size)| *size > 0);
        let peak = ends.map(|(offset, size)| offset + size).max().unwrap_or(0);
        Self {
            offsets,
            relocations: Vec::new(),
            peak,
        }
    }

    /// The costs of all paths, each with the segment that it ends with.
    pub fn paths(&self, tree: &Tree, load: &Load) -> Vec<(SegmentId, PathCost)> {
        let sizes = tree.rounded();
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

    /// For each number of [`PathCost`] the most over all paths.
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
