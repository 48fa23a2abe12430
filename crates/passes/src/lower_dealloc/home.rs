//! Where the stack memory of a dealloc lives: with the function, so that no loop takes more of it each turn;
//! for what runs in parallel, in a scope of its own.

use crate::origins::Reading;
use memplan_mlir::{
    ir::{Block, Identity, Op, blocks, parent, parent_block, regions},
    names::{Known, Names},
};

/// Where stack memory lives.
#[derive(Clone, Copy)]
pub enum Home<'c> {
    /// At the start of a block, that of this operation's region.
    Block(Block<'c>, Op<'c>),
    /// Where it is used, in a scope.
    Scope,
}

/// The home of each dealloc of a function.
pub fn homes<'c>(function: Op<'c>, reading: &Reading<'c>, names: &mut Names) -> Vec<Home<'c>> {
    let sites = reading.sites.iter();
    sites.map(|site| home(function, site.op, names)).collect()
}

fn home<'c>(function: Op<'c>, op: Op<'c>, names: &mut Names) -> Home<'c> {
    let mut at = op;
    while let Some(around) = parent(at) {
        let info = names.info(around);
        let runs_once = matches!(info.known, Known::GpuLaunch | Known::AsyncExecute);
        if runs_once || info.is_isolated() || around.key() == function.key() {
            let start = start_of(at, around);
            return match start {
                Some(block) if info.is_allocation_scope() => Home::Block(block, around),
                _ => Home::Scope,
            };
        }
        if names.runs_in_parallel(around) || info.is_asynchronous {
            return Home::Scope;
        }
        at = around;
    }
    Home::Scope
}

/// The first block of the region of `around` that holds `op`.
fn start_of<'c>(op: Op<'c>, around: Op<'c>) -> Option<Block<'c>> {
    let block = parent_block(op)?.key();
    let mut all = regions(around);
    let region = all.find(|region| blocks(*region).any(|one| one.key() == block))?;
    blocks(region).next()
}
