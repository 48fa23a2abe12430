//! The work of a node as it is, and what of it strips repeat.

use super::{CACHE, FIRST_CACHE, UNROLLED, Work, count};
use crate::program::{Access, Loop, Node, NodeId, Program};
use smallvec::SmallVec;

/// The work of a node.
pub struct NodeWork {
    pub whole: Work,
    /// For each loop, how often those outside of it are started, and with it.
    pub starts: SmallVec<[[u64; 2]; 6]>,
    /// For each access, what it touches.
    pub operands: SmallVec<[Operand; 3]>,
}

/// What an access touches.
pub struct Operand {
    pub bytes: u64,
    /// The same, where memory from outside counts, too.
    pub moved: u64,
    /// Bytes that come from beyond the caches while the node runs as it is.
    pub streamed: u64,
    /// The loops, as bits, that read all of it again in each iteration, and do not find it in the first cache.
    pub again: u64,
}

impl NodeWork {
    pub fn of(program: &Program, id: NodeId) -> Self {
        let node = program.node(id);
        let extents = || node.loops.iter().map(|one| one.extent);
        let starts: SmallVec<[[u64; 2]; 6]> = starts(extents()).collect();
        let iterations = extents().map(count).fold(1, u64::saturating_mul);
        let accumulates = innermost(node).is_some_and(|one| !one.is_parallel);
        let operands: SmallVec<[Operand; 3]> = node
            .accesses
            .iter()
            .map(|access| Operand::of(program, node, access, accumulates))
            .collect();
        let streamed = operands.iter().map(|operand| operand.streamed);
        let [elements, sums] = match (node.has_strips(), accumulates) {
            (false, _) => [0, 0],
            (true, false) => [iterations, 0],
            (true, true) => [0, iterations],
        };
        Self {
            whole: Work {
                starts: 1,
                loops: starts.last().map_or(0, |last| last[1]),
                elements,
                sums,
                streamed: streamed.fold(0, u64::saturating_add),
                ..Work::default()
            },
            starts,
            operands,
        }
    }
}

impl Operand {
    fn of(program: &Program, node: &Node, access: &Access, accumulates: bool) -> Self {
        let element = program.buffer(access.buffer).element;
        let bytes = touched(node, access, element, 0);
        let is_used = |number: u32| {
            let mut indices = access.indices.iter();
            indices.any(|index| index.coefficient(number) != 0)
        };
        let loops = 0..node.loops.len().min(u64::BITS as usize);
        let again = loops.filter(|number| {
            !is_used(*number as u32) && touched(node, access, element, number + 1) > FIRST_CACHE
        });
        Self {
            bytes,
            moved: touched(node, access, access.moved, 0),
            // Sums take so long that what they read arrives meanwhile.
            streamed: match bytes > CACHE && !accumulates {
                true => bytes,
                false => 0,
            },
            again: again.fold(0, |bits, number| bits | 1 << number),
        }
    }
}

/// For each of the loops that are in each other, how often those outside of it are started, and with it.
pub fn starts(extents: impl Iterator<Item = i64> + Clone) -> impl Iterator<Item = [u64; 2]> {
    let all = extents.clone().map(count).fold(1, u64::saturating_mul);
    let (mut inside, mut started) = (all, 0_u64);
    extents.map(move |extent| {
        let outside = started;
        // What is short enough is no loop in machine code.
        if inside > UNROLLED && extent != 1 {
            started = started.saturating_add(all / inside);
        }
        inside /= count(extent).max(1);
        [outside, started]
    })
}

/// Bytes that an access touches while the loops from number `from` on run.
fn touched(node: &Node, access: &Access, element: u64, from: usize) -> u64 {
    access.indices.iter().fold(element, |bytes, index| {
        let terms = index.terms.iter();
        let inside = terms.filter(|(number, _)| *number as usize >= from);
        let last = inside.fold(0_i64, |last, (number, coefficient)| {
            let extent = node.loops[*number as usize].extent;
            last.saturating_add(coefficient.saturating_mul(extent - 1))
        });
        bytes.saturating_mul(count(last.saturating_add(1)))
    })
}

/// The innermost loop of a node that has more than one iteration.
fn innermost(node: &Node) -> Option<&Loop> {
    node.loops.iter().rev().find(|one| one.extent != 1)
}
