//! The way from the start of a site to an allocation: under which conditions it runs, and whether for
//! certain.

use super::{
    super::{
        facts::{GuardId, Place, SiteId},
        sources::Condition,
    },
    Reader,
    sites::is_only_block,
    sizes::DEEPEST,
};
use memplan_lifetimes::program::{BlockId, NodeId, Program, Successor};
use memplan_mlir::{
    flow,
    ir::{Block, Identity, Op, block_parent, blocks, operands, parent_block, regions},
    melior::ir::operation::OperationLike,
    names::Known,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The way from the start of a site to an allocation.
pub(super) struct Way {
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    pub ready: Place,
    pub certain: bool,
    pub repeats: bool,
}

impl<'c> Reader<'_, 'c> {
    /// What has to hold for an allocation to run.
    pub(super) fn way(&mut self, op: Op<'c>, block: BlockId, site: SiteId) -> Way {
        let program = &self.analysis.program;
        let mut way = Way {
            guards: SmallVec::new(),
            ready: 0,
            certain: true,
            repeats: false,
        };
        let (mut op, mut block) = (op, block);
        loop {
            let node = program.blocks[block.index()].node;
            let Some(inner) = parent_block(op) else {
                break;
            };
            if inner.key() == self.learnt.sources.sites[site.0 as usize].block.key() {
                break;
            }
            if !is_only_block(inner) {
                way.certain &= self.is_certain_block(node, block);
                way.repeats = true;
            }
            let Some(outer) = program.nodes[node.index()].parent else {
                break;
            };
            let Some(around) = block_parent(inner) else {
                break;
            };
            self.step(around, inner, site, &mut way);
            (op, block) = (around, outer);
        }
        way.guards.sort_unstable();
        way.guards.dedup();
        way
    }

    /// The condition under which `block`, the body of `op`, runs.
    fn step(&mut self, op: Op<'c>, block: Block<'c>, site: SiteId, way: &mut Way) {
        let region =
            regions(op).position(|region| blocks(region).any(|one| one.key() == block.key()));
        let mut all = operands(op);
        let condition = match (self.names.info(op).known, region) {
            (Known::ScfIf, Some(region)) => {
                let condition = all.next().map(Condition::Value);
                condition.map(|condition| (condition, region == 0))
            }
            (Known::ScfExecuteRegion | Known::AllocaScope, _) => return,
            (Known::ScfWhile, Some(0)) => {
                way.repeats = true;
                return;
            }
            (known, _) => {
                way.repeats = true;
                if flow::static_trip_count(op).is_some_and(|count| count > 0) {
                    return;
                }
                match (known, all.next(), all.next()) {
                    (Known::ScfFor, Some(low), Some(high)) => {
                        let unsigned = op.has_attribute("unsignedCmp");
                        Some((Condition::Runs(low, high, unsigned), true))
                    }
                    _ => None,
                }
            }
        };
        let Some((condition, holds)) = condition else {
            way.certain = false;
            return;
        };
        let ready = match condition {
            Condition::Value(value) => self.ready(value, site, DEEPEST),
            Condition::Runs(low, high, _) => {
                let low = self.ready(low, site, DEEPEST);
                low.max(self.ready(high, site, DEEPEST))
            }
        };
        way.ready = way.ready.max(ready);
        let guard = self.guard(condition);
        way.guards.push((guard, holds));
    }

    fn guard(&mut self, condition: Condition<'c>) -> GuardId {
        let key = match condition {
            Condition::Value(value) => (value.key(), value.key(), false),
            Condition::Runs(low, high, unsigned) => (low.key(), high.key(), unsigned),
        };
        let next = GuardId(self.learnt.sources.guards.len() as u32);
        let id = *self.learnt.guards.entry(key).or_insert(next);
        if id == next {
            self.learnt.sources.guards.push(condition);
        }
        id
    }

    /// Is the block on every way through its node? The blocks that are come in the order of
    /// the text, or only the first one counts.
    pub(super) fn is_certain_block(&mut self, node: NodeId, block: BlockId) -> bool {
        let program = &self.analysis.program;
        let certain = self
            .learnt
            .certain_blocks
            .entry(node)
            .or_insert_with(|| certain_blocks(program, node).into_iter().collect());
        certain.contains(&block)
    }
}

/// The blocks that every way from the entry of a node to its end passes, in the order of the
/// text; only the entry where ways pass them in another order.
fn certain_blocks(program: &Program, node: NodeId) -> Vec<BlockId> {
    let fact = &program.nodes[node.index()];
    let [entry] = fact.entries.as_slice() else {
        return Vec::new();
    };
    // Post-dominators, by the algorithm of Cooper, Harvey and Kennedy; the end is number 0.
    let mut order: Vec<BlockId> = Vec::new();
    let mut seen: FxHashMap<BlockId, usize> = FxHashMap::default();
    let mut stack: Vec<(BlockId, usize)> = Vec::new();
    for exit in &fact.blocks {
        let exits = program.blocks[exit.index()]
            .successors
            .contains(&Successor::Exit);
        if !exits || seen.contains_key(exit) {
            continue;
        }
        seen.insert(*exit, 0);
        stack.push((*exit, 0));
        while let Some((block, next)) = stack.last_mut() {
            match program.blocks[block.index()].predecessors.get(*next) {
                Some(before) => {
                    *next += 1;
                    if !seen.contains_key(before) {
                        seen.insert(*before, 0);
                        stack.push((*before, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    for (place, block) in order.iter().enumerate() {
        seen.insert(*block, place + 1);
    }
    let mut above: Vec<Option<usize>> = vec![None; order.len() + 1];
    above[0] = Some(0);
    let meet = |above: &[Option<usize>], mut one: usize, mut other: usize| {
        while one != other {
            if one > other {
                one = above[one].unwrap_or(0);
            } else {
                other = above[other].unwrap_or(0);
            }
        }
        one
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (place, block) in order.iter().enumerate() {
            let mut found = None;
            for successor in &program.blocks[block.index()].successors {
                let next = match successor {
                    Successor::Exit => Some(0),
                    Successor::Block(next) => seen.get(next).copied(),
                };
                if let Some(next) = next.filter(|next| above[*next].is_some()) {
                    found = Some(found.map_or(next, |known| meet(&above, known, next)));
                }
            }
            if found.is_some() && above[place + 1] != found {
                above[place + 1] = found;
                changed = true;
            }
        }
    }
    let mut chain = vec![*entry];
    let mut at = seen.get(entry).copied().unwrap_or(0);
    while at != 0 {
        at = above[at].unwrap_or(0);
        if at != 0 {
            chain.push(order[at - 1]);
        }
    }
    let first = |block: &BlockId| program.blocks[block.index()].first;
    if chain
        .windows(2)
        .any(|pair| first(&pair[0]) > first(&pair[1]))
    {
        chain.truncate(1);
    }
    chain
}
