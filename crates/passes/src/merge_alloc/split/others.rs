//! Allocations beside the arenas.

use super::{
    beside::Beside,
    limits::{Needed, Unsized},
};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BlockId, BufferId, Position, ScopeId, ValueId},
};
use memplan_mlir::{
    ir::{results, type_of},
    layout::{DataLayout, memory_space},
};
use rustc_hash::FxHashMap;

/// An allocation that is not merged, as that of a result.
pub struct Other {
    /// The buffer.
    pub buffer: BufferId,
    block: BlockId,
    /// The position of the allocation.
    pub first: Position,
    /// Until here it is held where each buffer is freed after its last use.
    pub certain: Position,
    /// Until here it may be held.
    pub end: Position,
    /// Bytes, if they are known.
    pub bytes: Option<u64>,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Whether its scope executes it at most once.
    is_once: bool,
}

impl Other {
    /// What it certainly needs.
    pub fn certain(&self) -> Option<Needed> {
        self.bytes.map(|bytes| self.needed(bytes))
    }

    fn needed(&self, bytes: u64) -> Needed {
        Needed {
            block: self.block,
            first: self.first,
            live: vec![(self.first, self.certain)],
            bytes,
            padding: self.alignment,
        }
    }

    /// It, if its size is not known and there is one of it.
    pub fn unsized_once(&self) -> Option<Unsized> {
        (self.is_once && self.bytes.is_none()).then(|| Unsized {
            certain: self.needed(1),
            first: self.first,
            end: self.end,
        })
    }

    /// What it may hold, if neither its size nor how many there are is known.
    pub fn of_unknown_bytes(&self) -> Option<Beside> {
        (!self.is_once && self.bytes.is_none()).then_some(Beside {
            first: self.first,
            end: self.end,
            bytes: u64::MAX,
        })
    }
}

/// Allocations of a scope, and of a memory space if one is given, that are not merged. Each may be held from its allocation
/// to the end; those that are left alone by choice are freed after their last uses.
pub fn others(analysis: &Analysis<'_>, scope: ScopeId, space: Option<&str>) -> Vec<Other> {
    let program = &analysis.program;
    let body = program.scopes[scope.index()].body;
    let end = program.nodes[body.index()].end + 1;
    let on_heap = analysis
        .skipped
        .iter()
        .filter(|(_, reason)| *reason != Reason::OnStack);
    let inside = on_heap.filter_map(|(buffer, reason)| {
        let fact = &program.buffers[buffer.index()];
        let result = results(analysis.handles.buffers[buffer.index()]).next()?;
        let is_inside =
            fact.scope == scope && space.is_none_or(|space| memory_space(type_of(result)) == space);
        is_inside.then_some((*buffer, *reason))
    });
    let inside: Vec<(BufferId, Reason)> = inside.collect();
    if inside.is_empty() {
        return Vec::new();
    }
    // Uses of what a buffer becomes elsewhere are not needed: less is then certain.
    let mut last: FxHashMap<(ValueId, BlockId), Position> = FxHashMap::default();
    for (buffer, _) in &inside {
        let fact = &program.buffers[buffer.index()];
        last.insert((fact.value, fact.block), fact.position);
    }
    let are_left = inside
        .iter()
        .any(|(_, reason)| *reason == Reason::RaisesHeap);
    let mut last_of_all: FxHashMap<BufferId, Position> = FxHashMap::default();
    for one in &program.uses {
        if let Some(last) = last.get_mut(&(one.value, one.block)) {
            *last = one.position.max(*last);
        }
        if are_left {
            for buffer in analysis.aliases.buffers(one.value) {
                let last = last_of_all.entry(buffer).or_default();
                *last = one.position.max(*last);
            }
        }
    }
    let bytes = |buffer: &BufferId| {
        let fact = &program.buffers[buffer.index()];
        let op = analysis.handles.buffers[buffer.index()];
        if fact.dynamic.is_some() || fact.size > 0 {
            return (fact.size > 0).then_some(fact.size);
        }
        let extent = DataLayout::at(op)
            .extent(type_of(results(op).next()?))
            .ok()?;
        Some(extent.size)
    };
    let blocks = &program.nodes[body.index()].blocks;
    let other = |(buffer, reason): &(BufferId, Reason)| {
        let fact = &program.buffers[buffer.index()];
        let is_once = blocks.as_slice() == [fact.block];
        // One of several blocks may lead to a return of something else.
        let is_returned = *reason == Reason::Returned && is_once;
        let last = last[&(fact.value, fact.block)] + 1;
        Other {
            buffer: *buffer,
            block: fact.block,
            first: fact.position,
            certain: if is_returned { end } else { last },
            end: match reason {
                Reason::RaisesHeap => last_of_all.get(buffer).map_or(last, |last| last + 1),
                _ => end,
            },
            bytes: bytes(buffer),
            alignment: fact.alignment,
            is_once,
        }
    };
    inside.iter().map(other).collect()
}
