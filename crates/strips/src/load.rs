//! What a plan of the block would hold at each node: the sizes of live buffers, where those in place are one.

use crate::{
    in_place::Pairs,
    program::{Buffer, BufferId, NodeId, Origin, Program},
};
use memplan_flow::UnionFind;

/// The load of a block.
#[derive(Clone, Debug)]
pub struct Load {
    /// For each node, the bytes that are held there.
    pub at: Vec<u64>,
    /// For each buffer, whether it becomes a result, in place.
    becomes_result: Vec<bool>,
    /// For each buffer, whether it was a result, in place.
    was_result: Vec<bool>,
}

/// Buffers that are one.
#[derive(Clone, Copy)]
struct Class {
    start: usize,
    end: usize,
    bytes: u64,
    is_result: bool,
}

impl Class {
    /// A result has its bytes outside of the plan.
    const fn planned(&self) -> u64 {
        if self.is_result { 0 } else { self.bytes }
    }

    fn with(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
            bytes: if self.bytes > other.bytes {
                self.bytes
            } else {
                other.bytes
            },
            is_result: self.is_result || other.is_result,
        }
    }
}

impl Load {
    /// The load of a block. At each node, the first pair of buffers that may be one is.
    pub fn of(program: &Program, pairs: &Pairs) -> Self {
        let mut classes: Vec<Option<Class>> = Vec::with_capacity(program.buffers.len());
        for buffer in &program.buffers {
            let span = buffer.span().filter(|_| buffer.origin != Origin::Outside);
            classes.push(span.map(|(start, end)| Class {
                start: start.index(),
                end: end.index(),
                bytes: buffer.bytes(),
                is_result: buffer.origin == Origin::Result,
            }));
        }
        let mut sets = UnionFind::<BufferId>::default();
        let mut joins = Vec::new();
        for at in 0..program.nodes.len() {
            for &(from, into) in pairs.at(NodeId::new(at)) {
                let (one, other) = (sets.find(from), sets.find(into));
                let classes_of = (classes[one.index()], classes[other.index()]);
                let (Some(first), Some(second)) = classes_of else {
                    continue;
                };
                if first.end != at || second.start != at {
                    continue;
                }
                let Some(united) = sets.unite(one, other) else {
                    continue;
                };
                classes[one.index()] = None;
                classes[other.index()] = None;
                classes[united.index()] = Some(first.with(second));
                joins.push((from, into));
                break;
            }
        }
        let mut changes = vec![0_i128; program.nodes.len() + 1];
        for class in classes.into_iter().flatten() {
            changes[class.start] += i128::from(class.planned());
            changes[class.end + 1] -= i128::from(class.planned());
        }
        let mut now = 0;
        changes.pop();
        let at = changes.into_iter().map(|change| {
            now += change;
            u64::try_from(now).unwrap_or(u64::MAX)
        });
        let at = at.collect();
        let is_result = |buffer: &Buffer| buffer.origin == Origin::Result;
        let is_result: Vec<bool> = program.buffers.iter().map(is_result).collect();
        let (mut becomes_result, mut was_result) = (is_result.clone(), is_result);
        for (from, into) in joins.iter().rev() {
            becomes_result[from.index()] |= becomes_result[into.index()];
        }
        for (from, into) in &joins {
            was_result[into.index()] |= was_result[from.index()];
        }
        Self {
            at,
            becomes_result,
            was_result,
        }
    }

    /// The bytes of an allocation that the plan holds for a chain that uses it, where it is live before the chain, and after
    /// it: none if it shares those of a result.
    pub fn held(&self, program: &Program, buffer: BufferId, [before, after]: [bool; 2]) -> u64 {
        let shares = (before && self.was_result[buffer.index()])
            || (after && self.becomes_result[buffer.index()]);
        match shares {
            true => 0,
            false => program.buffer(buffer).planned_bytes(),
        }
    }
}
