//! The scope of stack memory. In general that is the function, so that loops do not allocate more in each
//! iteration. Code that runs in parallel has an `alloca_scope` of its own.

use memplan_mlir::ir::{Block, Identity, Op, block_parent, blocks, parent_block, regions};
use memplan_semantics::{RegionOrder, Semantics, statement::Outlined};

/// The scope in which stack memory is allocated.
#[derive(Clone, Copy)]
pub enum StackScope<'c> {
    /// The start of a block, in a region of this operation.
    Block(Block<'c>, Op<'c>),
    /// An `alloca_scope` around the use.
    AllocaScope,
}

/// The stack scope for code in a block of a function.
pub fn stack_scope_of<'c>(
    function: Op<'c>,
    block: Block<'c>,
    semantics: &mut Semantics,
) -> StackScope<'c> {
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
                _ => StackScope::AllocaScope,
            };
        }
        if semantics.region_order(around) != RegionOrder::Sequential {
            return StackScope::AllocaScope;
        }
        here = parent_block(around);
    }
    StackScope::AllocaScope
}

/// The first block of the region of `around` that contains a block.
fn start_of<'c>(block: Block<'c>, around: Op<'c>) -> Option<Block<'c>> {
    let mut all = regions(around);
    let region = all.find(|region| blocks(*region).any(|one| one.key() == block.key()))?;
    blocks(region).next()
}
