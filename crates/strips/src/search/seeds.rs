//! Seeds of chains: the operations in whose loops chains are split.

use crate::{
    chain::Spread,
    program::{Loop, MOST_ROWS, Node, NodeId, Program},
};
use std::ops::Range;

/// The last node of a range that writes in known loops.
pub fn seed(program: &Program, nodes: &Range<usize>) -> Option<NodeId> {
    let writes = |at: &usize| {
        let node = &program.nodes[*at];
        node.has_strips() && node.accesses.iter().any(|access| access.writes)
    };
    nodes.clone().rev().find(writes).map(NodeId::new)
}

/// The loops of a node that may be split.
pub fn split_loops(node: &Node) -> impl Iterator<Item = u32> + '_ {
    let outermost_sum = node.loops.iter().position(|one| !one.is_parallel);
    let loops = node.loops.iter().enumerate();
    let loops = loops.filter(move |(number, one)| {
        one.extent > 1 && (one.is_parallel || outermost_sum == Some(*number))
    });
    loops.map(|(number, _)| number as u32)
}

/// A loop of a seed.
pub struct SeedLoop {
    pub number: u32,
    /// A start at which and before which there is no chain.
    refused: Option<usize>,
    /// Starts with the bytes of a chain that begins there, falling and rising. Chains that begin earlier do not take less.
    bytes: Vec<(usize, u64)>,
}

impl SeedLoop {
    /// Those of a node.
    pub fn of(node: &Node) -> impl Iterator<Item = Self> + '_ {
        split_loops(node).map(|number| Self {
            number,
            refused: None,
            bytes: Vec::new(),
        })
    }

    /// Whether a chain that begins at `start` may hold at most `limit`, without what is live before or after it.
    pub fn may_hold(&self, start: usize, limit: u64) -> bool {
        !self.is_refused(start) && self.least(start) <= limit
    }

    pub fn is_refused(&self, start: usize) -> bool {
        self.refused.is_some_and(|refused| start <= refused)
    }

    /// No chain begins at `start`, or before it: there, the dimension reaches no less, so that the same refuses it.
    pub fn refuse(&mut self, start: usize) {
        self.refused = self.refused.max(Some(start));
    }

    /// The bytes that a chain takes at least that begins at `start`.
    pub fn least(&self, start: usize) -> u64 {
        let later = self.bytes.partition_point(|(other, _)| *other >= start);
        later.checked_sub(1).map_or(0, |last| self.bytes[last].1)
    }

    /// A chain that begins at `start` takes so many bytes.
    pub fn learn(&mut self, start: usize, bytes: u64) {
        if self.least(start) >= bytes {
            return;
        }
        let at = self.bytes.partition_point(|(other, _)| *other > start);
        let is_less = |(_, other): &&(usize, u64)| *other <= bytes;
        let covered = self.bytes[at..].iter().take_while(is_less).count();
        self.bytes.splice(at..at + covered, [(start, bytes)]);
    }
}

/// Whether a loop of the seed may be split outside of another one.
pub const fn may_be_outer(one: Loop, inner: &Spread) -> bool {
    one.extent >= 4 && one.is_parallel && !inner.accumulates
}

/// Whether two dimensions of one chain can be split together.
pub fn may_nest(inner: &Spread, outer: &Spread) -> bool {
    let has_same_links = inner.links.len() == outer.links.len()
        && inner.links.iter().zip(&outer.links).all(|(one, other)| {
            let is_row = |window: &Option<_>| window.is_some();
            one.node == other.node
                && one.split != other.split
                && one
                    .windows
                    .iter()
                    .map(is_row)
                    .eq(other.windows.iter().map(is_row))
        });
    let mut buffers = inner.buffers.iter().zip(&outer.buffers);
    has_same_links
        && inner.buffers.len() == outer.buffers.len()
        && buffers.all(|(one, other)| {
            one.buffer == other.buffer
                && one.dimension != other.dimension
                && one.rows * other.rows <= MOST_ROWS
        })
        && !outer.accumulates
        && [inner, outer].iter().all(|spread| {
            let windows = spread.links.iter().flat_map(|link| &link.windows);
            windows.flatten().all(|window| !window.map.is_grouped())
        })
}
