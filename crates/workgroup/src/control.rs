//! Control flow: which blocks only some of the threads may execute.

use crate::{Action, BlockId, Branch, Kernel, KernelError, Place};
use memplan_flow::{Dominators, Graph, PackedOption, SecondaryMap, reverse_postorder};

/// The blocks that only some of the threads may execute after a divergent branch: those before its immediate post-dominator.
pub(crate) struct Region {
    pub(crate) blocks: Vec<BlockId>,
}

/// The control flow of a valid kernel.
pub(crate) struct Control {
    /// Edges between blocks.
    pub(crate) graph: Graph<BlockId>,
    pub(crate) predecessors: Graph<BlockId>,
    /// The reachable blocks in reverse postorder.
    pub(crate) order: Vec<BlockId>,
    /// For each block in divergent control, a branch that makes it so.
    divergent: SecondaryMap<BlockId, PackedOption<BlockId>>,
    /// The regions of divergent branches, without those that were found inside another one.
    pub(crate) regions: Vec<Region>,
}

impl Control {
    /// Reads the control flow of a kernel, and checks the kernel. Linear, times the depth of nested divergent branches.
    pub(crate) fn of(kernel: &Kernel) -> Result<Self, KernelError> {
        check_ids(kernel)?;
        let graph = Graph::new(kernel.blocks.len(), |block: BlockId| {
            kernel.blocks[block].successors.iter().copied()
        });
        let order = reverse_postorder(&graph, [BlockId::new(0)]);
        let mut control = Self {
            predecessors: graph.reversed(),
            graph,
            order,
            divergent: SecondaryMap::new(),
            regions: Vec::new(),
        };
        control.find_regions(kernel)?;
        control.check_barriers(kernel)?;
        Ok(control)
    }

    /// Do all threads execute the block, or none?
    pub(crate) fn is_uniform(&self, block: BlockId) -> bool {
        self.divergent[block].is_none()
    }

    fn find_regions(&mut self, kernel: &Kernel) -> Result<(), KernelError> {
        let exit = BlockId::new(kernel.blocks.len());
        let with_exit = Graph::new(kernel.blocks.len() + 1, |block: BlockId| {
            let known = kernel.blocks.get(block);
            let ends = known.is_some_and(|block| block.successors.is_empty());
            let successors = known.map_or(&[][..], |block| &block.successors);
            successors.iter().copied().chain(ends.then_some(exit))
        });
        let post_dominators = Dominators::of(&with_exit.reversed(), exit);
        let mut lost = self.order.iter();
        if let Some(block) = lost.find(|block| !post_dominators.is_reachable(**block)) {
            return Err(KernelError::NoExit { block: *block });
        }
        for &branch in &self.order {
            let successors = &kernel.blocks[branch].successors;
            let chooses = successors.windows(2).any(|pair| pair[0] != pair[1]);
            let is_nested = self.divergent[branch].is_some();
            if kernel.blocks[branch].branch == Branch::Uniform || !chooses || is_nested {
                continue;
            }
            let end = post_dominators.immediate(branch);
            let mut is_found = vec![false; kernel.blocks.len()];
            let mut blocks = Vec::new();
            let mut open = successors.clone();
            while let Some(block) = open.pop() {
                if Some(block) == end || std::mem::replace(&mut is_found[block.index()], true) {
                    continue;
                }
                self.divergent[block] = branch.into();
                blocks.push(block);
                open.extend(self.graph.successors(block));
            }
            self.regions.push(Region { blocks });
        }
        Ok(())
    }

    fn check_barriers(&self, kernel: &Kernel) -> Result<(), KernelError> {
        for &block in &self.order {
            let Some(branch) = self.divergent[block].expand() else {
                continue;
            };
            let mut actions = kernel.blocks[block].actions.iter();
            if let Some(action) = actions.position(|action| *action == Action::Barrier) {
                let place = Place { block, action };
                return Err(KernelError::DivergentBarrier { place, branch });
            }
        }
        Ok(())
    }
}

fn check_ids(kernel: &Kernel) -> Result<(), KernelError> {
    if kernel.blocks.is_empty() {
        return Err(KernelError::Empty);
    }
    for (id, block) in &kernel.blocks {
        for (action, what) in block.actions.iter().enumerate() {
            let written = what.writes().map(|(buffer, _)| buffer);
            let mut buffers = what.reads().chain(written).chain(what.discards());
            if let Some(buffer) = buffers.find(|buffer| !kernel.buffers.is_valid(*buffer)) {
                let place = Place { block: id, action };
                return Err(KernelError::UnknownBuffer { place, buffer });
            }
        }
        let mut successors = block.successors.iter();
        if let Some(successor) = successors.find(|to| !kernel.blocks.is_valid(**to)) {
            return Err(KernelError::UnknownBlock {
                block: id,
                successor: *successor,
            });
        }
    }
    Ok(())
}
