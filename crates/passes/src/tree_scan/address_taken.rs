//! Buffers whose address is taken. From there on they are live, and must not move, to the end of the path or
//! to their deallocation on it.

use super::pending;
use memplan_lifetimes::{Analysis, Reason, program::BufferId};
use memplan_mlir::ir::{Block, Identity, Key, Op, blocks, ops, parent_block, regions};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Operations that take the address of planned buffers, and deallocations that end the live range of such a
/// buffer.
#[derive(Debug, Default)]
pub struct AddressTaken {
    taken: FxHashMap<Key, SmallVec<[BufferId; 1]>>,
    ends: FxHashMap<Key, BufferId>,
}

impl AddressTaken {
    /// Finds the operations for the buffers that an analysis allows to plan.
    pub fn of(analysis: &Analysis<'_>) -> Self {
        let mut found = Self::default();
        for taken in &analysis.addressed {
            let buffers = analysis.aliases.buffers(taken.value);
            let planned = buffers.filter(|buffer| analysis.skip_reason(*buffer).is_none());
            let known = found.taken.entry(taken.op.key()).or_default();
            known.extend(planned);
        }
        let all: FxHashSet<BufferId> = found.buffers().collect();
        let deallocs = analysis.program.deallocs.iter();
        for (fact, op) in deallocs.zip(&analysis.handles.deallocs) {
            // A deallocation of one of several buffers ends none of them for certain.
            let mut freed = analysis.aliases.buffers(fact.value);
            if let (Some(only), None) = (freed.next(), freed.next())
                && all.contains(&only)
            {
                found.ends.insert(op.key(), only);
            }
        }
        found
    }

    /// All buffers whose address is taken, some more than once.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.taken.values().flatten().copied()
    }

    /// The buffer whose live range a deallocation ends.
    pub fn end(&self, dealloc: Op<'_>) -> Option<BufferId> {
        self.ends.get(&dealloc.key()).copied()
    }

    /// Calls `visit` for each buffer whose address an operation, or an operation in it, takes.
    pub fn each_taken(&self, op: Op<'_>, visit: &mut impl FnMut(BufferId)) {
        if self.taken.is_empty() {
            return;
        }
        if let Some(buffers) = self.taken.get(&op.key()) {
            buffers.iter().copied().for_each(&mut *visit);
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.each_taken(nested, visit);
        }
    }
}

/// For functions that keep their loops and branches: the planned buffers whose address is taken that are live
/// to the end of the function. In a loop, there would be one such buffer for each iteration. So buffers of
/// inner blocks are skipped if no deallocation of the same block ends them, or if asynchronous operations use
/// them.
pub fn live_to_end(analysis: &mut Analysis<'_>, entry: Block<'_>) -> Vec<BufferId> {
    let addressed = AddressTaken::of(analysis);
    let mut ended: FxHashSet<BufferId> = FxHashSet::default();
    let block_of = |analysis: &Analysis<'_>, buffer: BufferId| {
        parent_block(analysis.handles.buffers[buffer.index()]).map(|block| block.key())
    };
    for op in &analysis.handles.deallocs {
        if let Some(buffer) = addressed.end(*op)
            && parent_block(*op).map(|block| block.key()) == block_of(analysis, buffer)
        {
            ended.insert(buffer);
        }
    }
    let pending = pending::pending_uses(analysis).into_iter();
    let pending = pending.filter(|(_, buffer)| block_of(analysis, *buffer) != Some(entry.key()));
    let pending = pending.map(|(_, buffer)| (buffer, Reason::Asynchronous));
    let mut skipped: Vec<(BufferId, Reason)> = pending.collect();
    let mut live: Vec<BufferId> = Vec::new();
    for taken in &analysis.addressed {
        for buffer in analysis.aliases.buffers(taken.value) {
            if ended.contains(&buffer) {
                continue;
            }
            match block_of(analysis, buffer) == Some(entry.key()) {
                true => live.push(buffer),
                false => skipped.push((buffer, taken.reason)),
            }
        }
    }
    analysis.skip(skipped);
    live.retain(|buffer| analysis.skip_reason(*buffer).is_none());
    live.sort_unstable();
    live.dedup();
    live
}
