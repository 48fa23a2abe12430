//! The work of chains in strips.

use super::{
    CACHE, SHORT_STRIP, Work, count,
    nodes::{NodeWork, Operand, starts},
};
use crate::{
    chain::Spread,
    cost::Layout,
    frontiers::Frontiers,
    program::{NodeId, Program},
};
use smallvec::SmallVec;
use std::ops::Range;

/// The work of each node of a block.
pub struct Works {
    nodes: Vec<NodeWork>,
    /// For each node, and for the end, how long those before it take, in picoseconds.
    before: Vec<u64>,
}

/// A chain along its dimensions, the innermost first.
type Splits<'a> = [(&'a Spread, &'a Frontiers)];

impl Works {
    /// Those of a block.
    pub fn of(program: &Program) -> Self {
        let nodes = (0..program.nodes.len()).map(NodeId::new);
        let nodes: Vec<NodeWork> = nodes.map(|id| NodeWork::of(program, id)).collect();
        let mut before = vec![0];
        before.extend(nodes.iter().scan(0_u64, |sum, node| {
            *sum = sum.saturating_add(node.whole.time());
            Some(*sum)
        }));
        Self { nodes, before }
    }

    /// How long nodes take as they are, in picoseconds.
    pub fn unsplit(&self, nodes: Range<usize>) -> u64 {
        self.before[nodes.end] - self.before[nodes.start]
    }

    /// The innermost iterations of a node.
    pub fn iterations(&self, node: usize) -> u64 {
        let work = &self.nodes[node].whole;
        work.elements.saturating_add(work.sums)
    }

    /// The innermost iterations that the strips of a chain repeat.
    pub fn repeated(&self, splits: &Splits<'_>) -> u64 {
        let links = splits.first().map_or(&[][..], |(inner, _)| &inner.links);
        let repeated = links.iter().enumerate().map(|(at, link)| {
            let iterations = self.iterations(link.node.index());
            repeated(splits, at, iterations)
        });
        repeated.fold(0, u64::saturating_add)
    }

    /// The innermost iterations of all nodes.
    pub fn all_iterations(&self) -> u64 {
        let nodes = 0..self.nodes.len();
        nodes
            .map(|node| self.iterations(node))
            .fold(0, u64::saturating_add)
    }

    /// The work of a chain, with the nodes that run before its strips.
    pub fn chain(&self, program: &Program, layout: &Layout<'_>, splits: &Splits<'_>) -> Work {
        let mut sum = Work::default();
        let Some((inner, _)) = splits.first() else {
            return sum;
        };
        for node in &inner.before {
            sum += self.nodes[node.index()].whole;
        }
        let links = 0..inner.links.len();
        // Each strip reads these: of many, none stays in a cache.
        let whole = links
            .clone()
            .map(|at| self.whole(inner, at, |operand| operand.bytes));
        let rereads = whole.fold(0, u64::saturating_add) > CACHE;
        for at in links {
            sum += self.link(layout, splits, at, rereads);
        }
        if inner.links.len() > SHORT_STRIP {
            sum.fetches = sum.starts;
        }
        sum.conditions = strips(splits).saturating_mul(inner.links.len() as u64);
        for place in 0..inner.buffers.len() {
            let element = program.buffer(inner.buffers[place].buffer).element;
            sum += copies(layout, splits, place, element.max(1));
        }
        sum
    }

    /// Bytes of memory that is not split which strips read again, each but the first.
    pub fn read_again(&self, splits: &Splits<'_>) -> u64 {
        let Some((inner, _)) = splits.first() else {
            return 0;
        };
        let again = (0..inner.links.len()).map(|at| {
            let runs = splits.iter().map(|(_, frontiers)| {
                count(frontiers.nodes[at].strips(frontiers.first, frontiers.end))
            });
            let runs = runs.fold(1, u64::saturating_mul);
            let whole = self.whole(inner, at, |operand| operand.moved);
            whole.saturating_mul(runs.saturating_sub(1))
        });
        again.fold(0, u64::saturating_add)
    }

    /// Bytes of the operands of a link that each strip reads.
    fn whole(&self, spread: &Spread, at: usize, bytes: fn(&Operand) -> u64) -> u64 {
        let link = &spread.links[at];
        let operands = self.nodes[link.node.index()].operands.iter();
        let whole = operands
            .zip(&link.windows)
            .filter(|(_, window)| window.is_none());
        whole.fold(0, |sum, (operand, _)| sum.saturating_add(bytes(operand)))
    }

    fn link(&self, layout: &Layout<'_>, splits: &Splits<'_>, at: usize, rereads: bool) -> Work {
        let link = &splits[0].0.links[at];
        let node = &self.nodes[link.node.index()];
        // The split loops, outermost first, with the number of strips that have rows, and that of rows.
        let mut loops: SmallVec<[(usize, u64, i64); 2]> = splits
            .iter()
            .map(|(spread, frontiers)| {
                let (split, front) = (spread.links[at].split, &frontiers.nodes[at]);
                let strips = front.strips(frontiers.first, frontiers.end);
                (split as usize, count(strips), front.rows())
            })
            .collect();
        loops.sort_unstable();
        let times = |again: u64| {
            let fresh = loops.iter().filter(|one| again >> one.0.min(63) & 1 == 0);
            fresh.fold(1, |times: u64, one| times.saturating_mul(one.1))
        };
        let all = times(0);
        let (mut starts, mut outer, mut started) = (all, 0, 0_u64);
        for (split, strips, rows) in &loops {
            let [outside, with] = node.starts[*split];
            // One row needs no loop.
            let here = if *rows == 1 { outside } else { with };
            started = started.saturating_add((here - outer).saturating_mul(starts));
            (starts, outer) = (starts / strips.max(&1), with);
        }
        let [mut streamed, mut reread] = [0_u64; 2];
        for (number, operand) in node.operands.iter().enumerate() {
            let is_held = |place: u32| {
                let place = place as usize;
                layout.is_between(place) && layout.strip_bytes(place) <= CACHE
            };
            if !link.places[number].is_some_and(is_held) {
                streamed = streamed.saturating_add(operand.streamed);
            }
            if rereads && link.windows[number].is_none() {
                let more = times(operand.again).saturating_sub(1);
                reread = reread.saturating_add(operand.bytes.saturating_mul(more));
            }
        }
        Work {
            starts: all,
            loops: started.saturating_add(node.whole.loops - outer),
            elements: node
                .whole
                .elements
                .saturating_add(repeated(splits, at, node.whole.elements)),
            sums: node
                .whole
                .sums
                .saturating_add(repeated(splits, at, node.whole.sums)),
            streamed,
            reread,
            ..node.whole
        }
    }
}

/// What strips copy of a buffer: rows of line buffers that stay, and borders that are loaded and stored.
fn copies(layout: &Layout<'_>, splits: &Splits<'_>, place: usize, element: u64) -> Work {
    let mut work = Work::default();
    let all = strips(splits);
    let mut copy = |dimension: usize, bytes: u64, copies: u64| {
        let shape = layout.copied_shape(place, dimension);
        let started = starts(shape.iter().copied())
            .last()
            .map_or(0, |last| last[1]);
        work.copied = work.copied.saturating_add(bytes / element);
        work.loops = work.loops.saturating_add(started.saturating_mul(copies));
        work.starts = work.starts.saturating_add(copies);
    };
    if layout.is_carried(place, 0) {
        let front = &splits[0].1.buffers[place];
        let overlap = count(front.overlap());
        let bytes = layout.strip_bytes(place) / count(front.rows()).max(1) * overlap;
        let pieces = overlap.div_ceil(count(front.made.rate).max(1));
        copy(0, bytes.saturating_mul(all), pieces.saturating_mul(all));
    }
    for outer in 1..splits.len() {
        if layout.is_carried(place, outer) {
            let times = strips(&splits[outer..]).saturating_mul(2);
            let bytes = layout.border_bytes(place, outer).saturating_mul(times);
            copy(outer, bytes, all.saturating_mul(2));
        }
    }
    work
}

/// The number of strips.
fn strips(splits: &Splits<'_>) -> u64 {
    let all = splits
        .iter()
        .map(|(_, frontiers)| count(frontiers.strips()));
    all.fold(1, u64::saturating_mul)
}

/// Of so many iterations of a link, how many strips repeat.
fn repeated(splits: &Splits<'_>, at: usize, iterations: u64) -> u64 {
    let is_again = |frontiers: &Frontiers| frontiers.nodes[at].again > 0;
    if !splits.iter().any(|(_, frontiers)| is_again(frontiers)) {
        return 0;
    }
    let (mut once, mut all) = (1_u128, u128::from(iterations));
    for (_, frontiers) in splits {
        let front = &frontiers.nodes[at];
        once = once.saturating_mul(u128::from(count(front.limit)));
        let executed = front.executed(frontiers.first, frontiers.end);
        all = all.saturating_mul(u128::from(count(executed)));
    }
    let all = all / once.max(1);
    u64::try_from(all)
        .unwrap_or(u64::MAX)
        .saturating_sub(iterations)
}
