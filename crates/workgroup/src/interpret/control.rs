//! Uniform control by its definition, to be compared with the analysis.

use crate::{BlockId, Branch, Kernel};

/// For each block, whether it is in uniform control: no reachable divergent branch has a path to it that avoids
/// all blocks which post-dominate the branch.
///
/// Cubic in the number of blocks: this is for small kernels.
pub fn uniform_blocks(kernel: &Kernel) -> Vec<bool> {
    let count = kernel.blocks.len();
    let mut is_uniform = vec![true; count];
    let is_reachable = reached_from(kernel, kernel.blocks.keys().take(1), &vec![false; count]);
    for (branch, block) in &kernel.blocks {
        let chooses = block.successors.windows(2).any(|pair| pair[0] != pair[1]);
        if block.branch == Branch::Uniform || !chooses || !is_reachable[branch.index()] {
            continue;
        }
        let post_dominates = |other: usize| {
            let mut avoided = vec![false; count];
            avoided[other] = true;
            let reached = reached_from(kernel, [branch], &avoided);
            other != branch.index() && !ends(kernel, &reached)
        };
        let avoided: Vec<bool> = (0..count).map(post_dominates).collect();
        let reached = reached_from(kernel, block.successors.iter().copied(), &avoided);
        for (is_uniform, is_reached) in is_uniform.iter_mut().zip(reached) {
            *is_uniform &= !is_reached;
        }
    }
    is_uniform
}

/// For each block, the least number of edges to the end of the kernel.
pub(super) fn distances(kernel: &Kernel) -> Vec<usize> {
    let mut distances: Vec<usize> = vec![usize::MAX; kernel.blocks.len()];
    for _ in 0..=kernel.blocks.len() {
        for (id, block) in &kernel.blocks {
            let successors = block.successors.iter();
            let least = successors.map(|to| distances[to.index()]).min();
            distances[id.index()] = least.map_or(0, |least| least.saturating_add(1));
        }
    }
    distances
}

fn ends(kernel: &Kernel, reached: &[bool]) -> bool {
    let blocks = kernel.blocks.values().zip(reached);
    blocks
        .into_iter()
        .any(|(block, is_reached)| *is_reached && block.successors.is_empty())
}

fn reached_from(
    kernel: &Kernel,
    from: impl IntoIterator<Item = BlockId>,
    avoided: &[bool],
) -> Vec<bool> {
    let mut reached = vec![false; kernel.blocks.len()];
    let mut open: Vec<BlockId> = from.into_iter().collect();
    while let Some(block) = open.pop() {
        if avoided[block.index()] || std::mem::replace(&mut reached[block.index()], true) {
            continue;
        }
        open.extend(&kernel.blocks[block].successors);
    }
    reached
}
