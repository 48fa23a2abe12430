//! Where stack memory lives: with the function, so that no loop takes more of it each turn;
//! for what runs in parallel, in a scope of its own.

use memplan_mlir::ir::{Block, Identity, Op, block_parent, blocks, parent_block, regions};
use memplan_semantics::{RegionOrder, Semantics, statement::Outlined};

/// Where stack memory lives.
#[derive(Clone, Copy)]
pub enum StackScope<'c> {
    /// At the start of a block, that of this operation's region.
    Block(Block<'c>, Op<'c>),
    /// Where it is used, in a scope.
    Scope,
}

/// The home of what stands in a block of a function.
pub fn home<'c>(function: Op<'c>, block: Block<'c>, semantics: &mut Semantics) -> StackScope<'c> {
    let mut here = Some(block);
    while let Some(block) = here
        && let Some(around) = block_parent(block)
    {
        let info = semantics.info(around);
        let is_outlined = semantics.table_facts(around).outlined == Some(Outlined::Always);
        if is_outlined || info.is_isolated() || around.key() == function.key() {
            let start = start_of(block, around);
            return match start {
                Some(start) if info.is_allocation_scope() => StackScope::Block(start, around),
                _ => StackScope::Scope,
            };
        }
        if semantics.region_order(around) != RegionOrder::Sequential {
            return StackScope::Scope;
        }
        here = parent_block(around);
    }
    StackScope::Scope
}

/// The first block of the region of `around` that a block is in.
fn start_of<'c>(block: Block<'c>, around: Op<'c>) -> Option<Block<'c>> {
    let mut all = regions(around);
    let region = all.find(|region| blocks(*region).any(|one| one.key() == block.key()))?;
    blocks(region).next()
}
