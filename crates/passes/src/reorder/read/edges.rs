//! What must come before what in a block. Of each memory, what wrote it last and what has read it since are kept, so that
//! there are as many edges as accesses.

use super::access::{Access, OUTSIDE, Root};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What has been done to some memory.
#[derive(Default)]
struct Last {
    writer: Option<u32>,
    readers: SmallVec<[u32; 2]>,
}

/// The edges of a block, operation by operation.
#[derive(Default)]
pub struct Edges {
    /// For each operation, those that must come before.
    pub before: Vec<SmallVec<[u32; 4]>>,
    memories: FxHashMap<Root, Last>,
    fence: Option<u32>,
    stop: Option<u32>,
}

impl Edges {
    /// The operation that comes next.
    pub fn next(&self) -> u32 {
        self.before.len() as u32
    }

    /// Adds the next operation, with those whose values it uses.
    pub fn add(&mut self, mut access: Access, uses: SmallVec<[u32; 4]>) {
        let this = self.next();
        let mut before = uses;
        if access.stops {
            // What others see must have happened, and not more.
            access.reads.push(OUTSIDE);
        }
        before.extend(self.fence);
        if access.fence {
            // All since the last one.
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
                // What it writes, too, it is the last writer of.
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
