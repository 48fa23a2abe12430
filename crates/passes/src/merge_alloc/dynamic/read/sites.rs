//! Blocks for arenas: the entry block of a scope, and blocks further inside.

use super::{
    super::{
        facts::{SiteId, SitePosition, TO_THE_END},
        sources::Site,
    },
    SlotReader, holds,
};
use memplan_lifetimes::program::{BlockId, BufferId, Position};
use memplan_mlir::ir::{
    Block, Identity, Op, block_parent, blocks, ops, parent, parent_block, regions, terminator,
};

impl<'c> SlotReader<'_, 'c> {
    /// The site of a block.
    fn site(&mut self, owner: Op<'c>, block: Block<'c>, exit: Option<Op<'c>>) -> SiteId {
        let next = SiteId(self.learnt.sources.sites.len() as u32);
        let id = *self.learnt.sites.entry(block.key()).or_insert(next);
        if id == next {
            let ops: Vec<Op<'c>> = ops(block).collect();
            let places = ops.iter().map(Identity::key).zip(0..).collect();
            self.learnt.sources.sites.push(Site {
                block,
                owner,
                exit,
                ops,
                places,
            });
        }
        id
    }

    /// The site of an allocation's arena at number `level` of its possible sites, outermost first, with its
    /// positions.
    pub(super) fn site_of(
        &mut self,
        buffer: BufferId,
        level: usize,
    ) -> Option<(SiteId, (Position, Position))> {
        let program = &self.analysis.program;
        let fact = &program.buffers[buffer.index()];
        let (owner, first) = self.analysis.handles.scopes[fact.scope.index()];
        if level == 0 {
            let site = self.site(owner, first, None);
            return Some((site, (0, TO_THE_END)));
        }
        let (ir, block) = self.inner_blocks(buffer).into_iter().nth(level - 1)?;
        let fact = &program.blocks[block.index()];
        let site = self.site(block_parent(ir)?, ir, Some(terminator(ir)?));
        Some((site, (fact.first, fact.end)))
    }

    /// Blocks that contain all uses of an allocation, outermost first, without those of the scope itself.
    pub(super) fn inner_blocks(&self, buffer: BufferId) -> Vec<(Block<'c>, BlockId)> {
        let program = &self.analysis.program;
        let fact = &program.buffers[buffer.index()];
        let mut inner: Vec<(Block<'c>, BlockId)> = Vec::new();
        let mut block = fact.block;
        let mut at = parent_block(self.analysis.handles.buffers[buffer.index()]);
        while let (Some(ir), Some(parent)) = (
            at,
            program.nodes[program.blocks[block.index()].node.index()].parent,
        ) {
            inner.push((ir, block));
            block = parent;
            at = block_parent(ir).and_then(parent_block);
        }
        inner.reverse();
        inner.retain(|(ir, block)| is_only_block(*ir) && self.stays_in(buffer, *block));
        inner
    }

    /// Whether an allocation is not needed after the last operation of a block, and not forwarded there.
    fn stays_in(&self, buffer: BufferId, block: BlockId) -> bool {
        let program = &self.analysis.program;
        let fact = &program.blocks[block.index()];
        let plannable = &self.analysis.plannable;
        let live = plannable
            .binary_search_by_key(&buffer, |one| one.buffer)
            .map(|place| &plannable[place].live);
        live.is_ok_and(|live| {
            live.iter()
                .all(|(start, end)| fact.first <= *start && *end < fact.end)
        }) && self
            .merges
            .get(&buffer)
            .is_none_or(|merges| merges.iter().all(|merge| holds(program, block, *merge)))
    }

    /// The operation of the site that is or contains `op`; the last one if `op` is in a later block.
    pub(super) fn at(&self, op: Op<'c>, site: SiteId) -> SitePosition {
        let first = &self.learnt.sources.sites[site.0 as usize];
        let mut at = Some(op);
        while let Some(op) = at {
            if let Some(place) = first.places.get(&op.key()) {
                return *place;
            }
            if op.key() == first.owner.key() {
                break;
            }
            at = parent(op);
        }
        (first.ops.len() as SitePosition).saturating_sub(1)
    }

    /// Whether a block is in the site.
    pub(super) fn is_inside(&self, block: Block<'c>, site: SiteId) -> bool {
        let first = &self.learnt.sources.sites[site.0 as usize];
        block_parent(block).is_some_and(|op| op.key() == first.owner.key() || first.holds(op))
    }
}

/// Whether a block is the only one of its region.
pub(super) fn is_only_block(block: Block<'_>) -> bool {
    block_parent(block).is_some_and(|op| {
        regions(op).any(|region| {
            let mut all = blocks(region);
            all.next().is_some_and(|first| first.key() == block.key()) && all.next().is_none()
        })
    })
}
