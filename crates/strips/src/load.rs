//! What a plan of the block would hold at each node: the sizes of live buffers, where those in place are one.

use crate::{
    in_place::Pairs,
    program::{BufferId, NodeId, Origin, Program},
};
use memplan_flow::UnionFind;
use std::ops::Range;

/// Two buffers that are one, from a node on.
#[derive(Clone, Copy, Debug)]
struct Join {
    node: usize,
    from: BufferId,
    into: BufferId,
}

/// The load of a block.
#[derive(Clone, Debug)]
pub struct Load {
    /// For each node, the bytes that are held there.
    pub at: Vec<u64>,
    joins: Vec<Join>,
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
                joins.push(Join {
                    node: at,
                    from,
                    into,
                });
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
        Self {
            at: at.collect(),
            joins,
        }
    }

    /// The bytes of buffers that are live before or after these nodes and in them, where `taken` are one, too.
    pub fn through(
        &self,
        program: &Program,
        nodes: &Range<usize>,
        live: &[BufferId],
        taken: &[(BufferId, BufferId)],
    ) -> u64 {
        let mut sets = UnionFind::<BufferId>::default();
        let outside = self.joins.iter().filter(|join| !nodes.contains(&join.node));
        let joined = outside.map(|join| (join.from, join.into));
        let all: Vec<_> = joined.chain(taken.iter().copied()).collect();
        for (one, other) in &all {
            sets.unite(*one, *other);
        }
        let is_result = |buffer: BufferId| program.buffer(buffer).origin == Origin::Result;
        let touched = all.iter().flat_map(|(one, other)| [*one, *other]);
        let mut results: Vec<BufferId> = touched
            .filter(|buffer| is_result(*buffer))
            .map(|buffer| sets.find(buffer))
            .collect();
        results.sort_unstable();
        let mut bytes: Vec<(BufferId, u64)> = live
            .iter()
            .map(|buffer| (sets.find(*buffer), program.buffer(*buffer).planned_bytes()))
            .filter(|(set, _)| results.binary_search(set).is_err())
            .collect();
        bytes.sort_unstable();
        let mut total = 0_u64;
        for group in bytes.chunk_by(|one, other| one.0 == other.0) {
            total = total.saturating_add(group.last().map_or(0, |(_, bytes)| *bytes));
        }
        total
    }
}

/// The buffers that are live before or after these nodes, and in them.
pub fn live_through(program: &Program, nodes: &Range<usize>) -> Vec<BufferId> {
    let ids = (0..program.buffers.len()).map(BufferId::new);
    let through = ids.filter(|id| {
        let buffer = program.buffer(*id);
        let Some((first, last)) = buffer.span() else {
            return false;
        };
        let (first, last) = (first.index(), last.index());
        buffer.origin == Origin::Inside
            && first < nodes.end
            && last >= nodes.start
            && (first < nodes.start || last >= nodes.end)
    });
    through.collect()
}
