//! Dependences of a block. For each memory, the last writer and the readers since then are kept, so that the
//! number of edges is linear in the number of accesses.

use crate::op_effects::{Access, OUTSIDE, Root};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Accesses to one memory.
#[derive(Default)]
struct Last {
    writer: Option<u32>,
    readers: SmallVec<[u32; 2]>,
}

/// Edges of a block, operation by operation.
#[derive(Default)]
pub struct Edges {
    /// For each operation, those that must precede it.
    pub before: Vec<SmallVec<[u32; 4]>>,
    memories: FxHashMap<Root, Last>,
    fence: Option<u32>,
    stop: Option<u32>,
}

impl Edges {
    /// Index of the next operation.
    pub fn next(&self) -> u32 {
        self.before.len() as u32
    }

    /// Adds the next operation, with those that define its operands.
    pub fn add(&mut self, mut access: Access, uses: SmallVec<[u32; 4]>) {
        let this = self.next();
        let mut before = uses;
        if access.stops {
            // Exactly the earlier visible effects must have happened.
            access.reads.push(OUTSIDE);
        }
        before.extend(self.fence);
        if access.fence {
            // All operations since the last fence.
            before.extend(self.fence.map_or(0, |fence| fence + 1)..this);
            self.fence = Some(this);
            self.stop = None;
            self.memories.clear();
        } else {
            for root in &access.writes {
                let last = self.memories.entry(*root).or_default();
                before.extend(last.writer.replace(this));
                before.extend(last.readers.drain(..));
            }
            for root in &access.reads {
                // It becomes the last writer of memory that it also writes.
                let last = self.memories.entry(*root).or_default();
                if last.writer != Some(this) && last.readers.last() != Some(&this) {
                    before.extend(last.writer);
                    last.readers.push(this);
                }
            }
            if access.stops || access.guarded {
                before.extend(self.stop);
            }
            if access.stops {
                self.stop = Some(this);
            }
        }
        before.sort_unstable();
        before.dedup();
        before.retain(|other| *other != this);
        self.before.push(before);
    }
}
