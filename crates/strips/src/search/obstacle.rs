//! Why the peak of a block stays: a large buffer there that no chain has in strips.
//!
//! A chain that has a buffer in strips has all operations that use it. So of the buffers that are live at the peak, the
//! largest are tried: the range of the operations that use one, along each loop of its last operation.

use super::{
    Found, PRECISION, Search,
    heights::{heights, is_innermost},
    seeds::{seed, split_loops},
};
use crate::{
    chain::{Spread, Spreader},
    cost::Layout,
    frontiers::Frontiers,
    program::{BufferId, NodeId, Origin, Role},
    refusal::Refusal,
};
use smallvec::SmallVec;
use std::cmp::Reverse;

/// Where a block holds the most, and what keeps it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The operation.
    pub node: NodeId,
    /// The bytes that are held there.
    pub bytes: u64,
    /// A buffer there that stays whole; none if chains may have the large ones in strips, but hold as much.
    pub kept: Option<Kept>,
    /// Whether the search took all of its steps.
    pub is_exhausted: bool,
    /// Whether chains would hold less, but take too long.
    pub has_slow: bool,
}

/// A buffer that stays whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The buffer.
    pub buffer: BufferId,
    /// Why, once for each reason.
    pub refusals: SmallVec<[Refusal; 4]>,
}

/// Operations at the peak that are looked at.
const MOST_NODES: usize = 8;

/// Buffers that are looked at hold at least this part of the peak.
const LEAST_PART: u64 = 8;

impl Search<'_> {
    /// What keeps the peak of the block where it is with the chains that were found; `None` if the peak is in a chain, or if
    /// nothing is held.
    pub fn obstacle(&self, found: &Found) -> Option<Obstacle> {
        let mut is_in_chain = vec![false; self.program.nodes.len()];
        for chain in &found.chains {
            is_in_chain[chain.nodes.clone()].fill(true);
        }
        let outside = || (0..is_in_chain.len()).filter(|at| !is_in_chain[*at]);
        let most = outside().map(|at| self.load.at[at]).max().unwrap_or(0);
        let in_chains = found.chains.iter().map(|chain| chain.bytes).max();
        if most == 0 || in_chains > Some(most) {
            return None;
        }
        // The search stops where it is as close.
        let hot = outside().filter(|at| self.load.at[*at] >= most - most / PRECISION);
        let mut spreader = Spreader::new(self.program);
        let all = hot.take(MOST_NODES).map(|at| Obstacle {
            node: NodeId::new(at),
            bytes: self.load.at[at],
            kept: self.kept(at, &mut spreader),
            is_exhausted: self.chains.is_exhausted(),
            has_slow: self.has_slow,
        });
        let mut first = None;
        for obstacle in all {
            if obstacle.kept.is_some() {
                return Some(obstacle);
            }
            first.get_or_insert(obstacle);
        }
        first
    }

    /// The largest buffer at a node that stays whole.
    fn kept(&self, node: usize, spreader: &mut Spreader<'_>) -> Option<Kept> {
        let live = self.program.buffers.iter().enumerate();
        let live = live.filter_map(|(at, buffer)| {
            let (first, last) = buffer.span()?;
            let is_live = (first.index()..=last.index()).contains(&node);
            let is_large = buffer.bytes() >= self.load.at[node].div_ceil(LEAST_PART);
            let range = first.index()..last.index() + 1;
            let is_planned = buffer.origin == Origin::Inside;
            (is_live && is_large && is_planned).then_some((BufferId::new(at), range))
        });
        let mut live: SmallVec<[_; 8]> = live.collect();
        live.sort_by_key(|(buffer, _)| Reverse(self.program.buffer(*buffer).bytes()));
        live.into_iter().find_map(|(buffer, nodes)| {
            let refusals = self.refusals(buffer, nodes, spreader).err()?;
            Some(Kept { buffer, refusals })
        })
    }

    /// Whether a chain of a range has a buffer in strips; else why none does.
    fn refusals(
        &self,
        buffer: BufferId,
        nodes: std::ops::Range<usize>,
        spreader: &mut Spreader<'_>,
    ) -> Result<(), SmallVec<[Refusal; 4]>> {
        let mut refusals = SmallVec::new();
        if nodes.len() > self.limits.nodes {
            refusals.push(Refusal::Long);
            return Err(refusals);
        }
        let Some(seed) = seed(self.program, &nodes) else {
            refusals.push(Refusal::Opaque);
            return Err(refusals);
        };
        for number in split_loops(self.program.node(seed)) {
            let strips = spreader.spread(nodes.clone(), seed, number);
            let strips = strips.and_then(|spread| self.has_strips(buffer, &spread));
            match strips {
                Ok(()) => return Ok(()),
                Err(refusal) if refusals.contains(&refusal) => {}
                Err(refusal) => refusals.push(refusal),
            }
        }
        if refusals.is_empty() {
            refusals.push(Refusal::OneRow);
        }
        Err(refusals)
    }

    /// Whether strips of some height have a buffer between them.
    fn has_strips(&self, buffer: BufferId, spread: &Spread) -> Result<(), Refusal> {
        let place = spread.place(buffer).map(|place| &spread.buffers[place]);
        if place.is_none_or(|split| split.role != Role::Between) {
            return Err(Refusal::Apart);
        }
        let (seed, number) = spread.seed;
        let node = self.program.node(seed);
        let rows = node.loops[number as usize].extent;
        let mut refusal = Refusal::Narrow;
        for height in heights(rows, is_innermost(node, number)) {
            let cost = Frontiers::of(spread, height, 0).and_then(|frontiers| {
                let splits = [(spread, &frontiers)];
                let cost = Layout::new(self.program, &self.chains.pairs, &splits).cost();
                self.chains.check_cost(&cost, spread)
            });
            match cost {
                Ok(()) => return Ok(()),
                Err(found) => refusal = found,
            }
        }
        Err(refusal)
    }
}
