//! The longest chain that ends at an operation.

use memplan_strips::{
    chain::{Spread, Spreader},
    frontiers::Frontiers,
    program::{NodeId, Program},
    refusal::Refusal,
};
use rustc_hash::FxHashSet;
use std::collections::BinaryHeap;

/// Most operations that a chain is searched among: those that come before its last one, and write what it needs.
const MOST_ANCESTORS: usize = 1 << 16;

/// Starts of a chain that are tried after the first one that the dimension allows.
const STARTS: usize = 16;

/// Most operations of ranges that are looked at in a block, each time that they are. So the work is linear in the operations
/// of a long block.
const MOST_STEPS: usize = 1 << 24;

/// Finds chains of a block.
pub struct LongestChains<'p> {
    program: &'p Program,
    spreader: Spreader<'p>,
    left: usize,
}

impl<'p> LongestChains<'p> {
    /// Of this block.
    pub fn of(program: &'p Program) -> Self {
        Self {
            program,
            spreader: Spreader::new(program),
            left: MOST_STEPS,
        }
    }

    /// Whether no step is left.
    const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The longest chain that ends before a node and is not too long, as far as doubling and halving of its length tells, and
    /// for which there are frontiers that fit.
    pub fn before(
        &mut self,
        (end, split): (usize, u32),
        is_too_long: &dyn Fn(&Spread) -> bool,
        frontiers: &mut dyn FnMut(&Spread) -> Option<Frontiers>,
    ) -> Option<(Spread, Frontiers)> {
        if self.is_over() {
            return None;
        }
        let starts = self.ancestors(end);
        self.left = self.left.saturating_sub(starts.len());
        // The first start is the node itself; those from `refused` on are.
        let (mut fits, mut refused) = (None, starts.len());
        let mut next = 0;
        while next < refused {
            match self.spread(starts[next], end, split) {
                Ok(spread) if !is_too_long(&spread) => {
                    fits = Some(next);
                    next = 2 * next + 1;
                }
                _ => refused = next,
            }
        }
        let mut fits = fits?;
        while fits + 1 < refused {
            let middle = fits.midpoint(refused);
            match self.spread(starts[middle], end, split) {
                Ok(spread) if !is_too_long(&spread) => fits = middle,
                _ => refused = middle,
            }
        }
        let last = fits.saturating_sub(STARTS - 1);
        (last..=fits).rev().find_map(|at| {
            let spread = self.spread(starts[at], end, split).ok()?;
            // What comes before the first operation that is reached has no part in it.
            let first = spread.links.first()?.node.index();
            let spread = match first > starts[at] {
                true => self.spread(first, end, split).ok()?,
                false => spread,
            };
            let frontiers = frontiers(&spread)?;
            Some((spread, frontiers))
        })
    }

    fn spread(&mut self, start: usize, end: usize, split: u32) -> Result<Spread, Refusal> {
        if self.is_over() {
            return Err(Refusal::ManyRows);
        }
        self.left = self.left.saturating_sub(end - start);
        self.spreader
            .spread(start..end, NodeId::new(end - 1), split)
    }

    /// The nodes that write what a node needs, and what these need, the last ones first.
    fn ancestors(&self, end: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        let mut open = BinaryHeap::from([end - 1]);
        while let Some(node) = open.pop().filter(|_| found.len() < MOST_ANCESTORS) {
            if node != end - 1 {
                found.push(node);
            }
            for access in &self.program.nodes[node].accesses {
                let writers = &self.program.buffer(access.buffer).writers;
                let before = writers.partition_point(|writer| writer.index() < node);
                // Others are found from this one.
                if let Some(last) = writers[..before].last()
                    && known.insert(*last)
                {
                    open.push(last.index());
                }
            }
        }
        found
    }
}
