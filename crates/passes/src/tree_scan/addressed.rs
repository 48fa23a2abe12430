//! Buffers whose address is taken: from there on they are needed where they are, to the end of the path or to
//! the deallocation that the program has on it.

use super::pending;
use memplan_lifetimes::{Analysis, Reason, program::BufferId};
use memplan_mlir::ir::{Block, Identity, Key, Op, blocks, ops, parent_block, regions};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Where the addresses of what is planned are taken, and where that memory ends for certain.
#[derive(Debug, Default)]
pub struct Addressed {
    taken: FxHashMap<Key, SmallVec<[BufferId; 1]>>,
    ends: FxHashMap<Key, BufferId>,
}

impl Addressed {
    /// Of what an analysis lets be planned.
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
            // What frees one of several ends none of them for certain.
            let mut freed = analysis.aliases.buffers(fact.value);
            if let (Some(only), None) = (freed.next(), freed.next())
                && all.contains(&only)
            {
                found.ends.insert(op.key(), only);
            }
        }
        found
    }

    /// All of them; some come more than once.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.taken.values().flatten().copied()
    }

    /// What ends at a deallocation.
    pub fn end(&self, dealloc: Op<'_>) -> Option<BufferId> {
        self.ends.get(&dealloc.key()).copied()
    }

    /// Calls back for each buffer whose address is taken by an operation, or by one in it.
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

/// Where loops and branches are kept: of what is planned, the buffers whose address is taken that are needed to
/// the end of the function. Leaves alone those that end in no block that makes them, and what asynchronous operations
/// use: in a loop, there would be one for each iteration.
pub fn to_the_end(analysis: &mut Analysis<'_>, entry: Block<'_>) -> Vec<BufferId> {
    let addressed = Addressed::of(analysis);
    let mut ended: FxHashSet<BufferId> = FxHashSet::default();
    let home = |analysis: &Analysis<'_>, buffer: BufferId| {
        parent_block(analysis.handles.buffers[buffer.index()]).map(|block| block.key())
    };
    for op in &analysis.handles.deallocs {
        if let Some(buffer) = addressed.end(*op)
            && parent_block(*op).map(|block| block.key()) == home(analysis, buffer)
        {
            ended.insert(buffer);
        }
    }
    let pending = pending::used(analysis).into_iter();
    let pending = pending.filter(|(_, buffer)| home(analysis, *buffer) != Some(entry.key()));
    let pending = pending.map(|(_, buffer)| (buffer, Reason::Asynchronous));
    let mut left: Vec<(BufferId, Reason)> = pending.collect();
    let mut go_on: Vec<BufferId> = Vec::new();
    for taken in &analysis.addressed {
        for buffer in analysis.aliases.buffers(taken.value) {
            if ended.contains(&buffer) {
                continue;
            }
            match home(analysis, buffer) == Some(entry.key()) {
                true => go_on.push(buffer),
                false => left.push((buffer, taken.reason)),
            }
        }
    }
    analysis.skip(left);
    go_on.retain(|buffer| analysis.skip_reason(*buffer).is_none());
    go_on.sort_unstable();
    go_on.dedup();
    go_on
}
