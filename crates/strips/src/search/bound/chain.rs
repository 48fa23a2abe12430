//! What a chain holds at least.

use super::lives::Lives;
use crate::{
    chain::Spread,
    cost::Layout,
    frontiers::Frontiers,
    in_place::Pairs,
    program::{BufferId, NodeId, Program},
};
use rustc_hash::FxHashSet;

/// What a chain holds at least, besides what is live before or after it.
#[derive(Clone, Copy, Debug)]
pub struct LeastBytes {
    /// In its strips.
    pub strips: u64,
    /// Before these.
    pub before: u64,
}

impl LeastBytes {
    /// That of a chain along one or two dimensions, the innermost first.
    pub fn of(program: &Program, pairs: &Pairs, splits: &[(&Spread, &Frontiers)]) -> Self {
        let layout = Layout::new(program, pairs, splits).unaligned();
        let spread = splits[0].0;
        let links: Vec<NodeId> = spread.links.iter().map(|link| link.node).collect();
        let touched = links.iter().flat_map(|node| program.node(*node).buffers());
        let touched: FxHashSet<BufferId> = touched.collect();
        let whole = spread.whole.iter().filter(|id| touched.contains(id));
        let whole = whole.map(|id| program.buffer(*id).bytes());
        let kept = (0..spread.buffers.len()).filter(|place| layout.is_between(*place));
        let kept = kept.map(|place| layout.kept_bytes(place));
        let kept = whole.chain(kept).fold(0, u64::saturating_add);
        let mut lives = Lives::default();
        for (at, link) in spread.links.iter().enumerate() {
            for place in link.places.iter().flatten() {
                let place = *place as usize;
                if layout.is_between(place) && !layout.is_carried(place, 0) {
                    let buffer = spread.buffers[place].buffer;
                    lives.touch(buffer, at, layout.strip_bytes(place));
                }
            }
        }
        Self {
            strips: kept.saturating_add(lives.peak(&links, pairs)),
            before: before(program, pairs, spread, &touched),
        }
    }

    /// The most that it holds.
    pub fn most(&self) -> u64 {
        self.strips.max(self.before)
    }
}

/// The most bytes of buffers that only the chain uses, while nodes run before its strips, which need those in `touched`.
fn before(program: &Program, pairs: &Pairs, spread: &Spread, touched: &FxHashSet<BufferId>) -> u64 {
    let whole: FxHashSet<&BufferId> = spread.whole.iter().collect();
    let mut lives = Lives::default();
    for (at, node) in spread.before.iter().enumerate() {
        let buffers = program.node(*node).buffers();
        for buffer in buffers.filter(|buffer| whole.contains(buffer)) {
            let bytes = program.buffer(buffer).bytes();
            lives.touch(buffer, at, bytes);
            if touched.contains(&buffer) {
                lives.touch(buffer, spread.before.len() - 1, bytes);
            }
        }
    }
    lives.peak(&spread.before, pairs)
}
