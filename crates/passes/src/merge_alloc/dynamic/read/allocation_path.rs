//! The path from the start of a site to an allocation: the conditions under which the allocation executes,
//! and whether it certainly does.

use super::{
    super::{
        facts::{GuardId, SiteId, SitePosition},
        sources::Condition,
    },
    SlotReader,
    sites::is_only_block,
    sizes::DEEPEST,
};
use memplan_flow::{Dominators, Graph, ids};
use memplan_lifetimes::program::{BlockId, NodeId, Program, Successor};
use memplan_mlir::ir::{Block, Identity, Op, block_parent, blocks, parent_block, regions};
use memplan_semantics::{
    Form, Loop,
    control::Chosen,
    loops::{Bound, trip_count},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The path from the start of a site to an allocation.
pub(super) struct AllocationPath {
    pub guards: SmallVec<[(GuardId, bool); 1]>,
    pub ready: SitePosition,
    pub certain: bool,
    pub repeats: bool,
}

impl<'c> SlotReader<'_, 'c> {
    /// The path to an allocation.
    pub(super) fn allocation_path(
        &mut self,
        op: Op<'c>,
        block: BlockId,
        site: SiteId,
    ) -> AllocationPath {
        let program = &self.analysis.program;
        let mut path = AllocationPath {
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
                path.certain &= self.is_certain_block(node, block);
                path.repeats = true;
            }
            let Some(outer) = program.nodes[node.index()].parent else {
                break;
            };
            let Some(around) = block_parent(inner) else {
                break;
            };
            self.step(around, inner, site, &mut path);
            (op, block) = (around, outer);
        }
        path.guards.sort_unstable();
        path.guards.dedup();
        path
    }

    /// Adds the condition under which `block`, in the body of `op`, executes.
    fn step(&mut self, op: Op<'c>, block: Block<'c>, site: SiteId, path: &mut AllocationPath) {
        let region =
            regions(op).position(|region| blocks(region).any(|one| one.key() == block.key()));
        let semantics = &mut self.learnt.semantics;
        let condition = match (semantics.form(op), region) {
            (Form::Once | Form::Scope, _) => return,
            (Form::Choice, Some(region)) => {
                let choice = semantics.choice(op);
                let choice = choice.filter(|choice| choice.by == Chosen::Truth);
                path.repeats |= choice.is_none();
                let condition = choice.and_then(|choice| choice.flag).map(Condition::Value);
                condition.map(|condition| (condition, region == 0))
            }
            // It executes once before its condition is evaluated.
            (Form::Repeated, Some(0)) => {
                path.repeats = true;
                return;
            }
            _ => {
                path.repeats = true;
                if trip_count(op, semantics).is_some_and(|count| count > 0) {
                    return;
                }
                let found = Loop::of(op, semantics);
                let only = found.as_ref().and_then(Loop::only_dimension);
                only.and_then(|only| match (&only.lower, &only.upper) {
                    (Bound::Value(low), Bound::Value(high)) => {
                        Some((Condition::Runs(*low, *high, only.unsigned), true))
                    }
                    _ => None,
                })
            }
        };
        let Some((condition, holds)) = condition else {
            path.certain = false;
            return;
        };
        let ready = match condition {
            Condition::Value(value) => self.ready(value, site, DEEPEST),
            Condition::Runs(low, high, _) => {
                let low = self.ready(low, site, DEEPEST);
                low.max(self.ready(high, site, DEEPEST))
            }
        };
        path.ready = path.ready.max(ready);
        let guard = self.guard(condition);
        path.guards.push((guard, holds));
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

    /// Whether a block is on every path through its node. Only the entry block counts if the common blocks do
    /// not occur in program order.
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

ids! {
    /// A block, by index in its node; one past the last is the end of the node.
    BlockPlace,
}

/// Blocks on every path from the entry of a node to its end, in program order; only the entry if paths pass
/// them in another order.
fn certain_blocks(program: &Program, node: NodeId) -> Vec<BlockId> {
    let fact = &program.nodes[node.index()];
    let [entry] = fact.entries.as_slice() else {
        return Vec::new();
    };
    let places = (0..).map(BlockPlace::new);
    let places: FxHashMap<BlockId, BlockPlace> = fact.blocks.iter().copied().zip(places).collect();
    let end = BlockPlace::new(fact.blocks.len());
    let edges = Graph::new(fact.blocks.len() + 1, |place: BlockPlace| {
        let block = fact.blocks.get(place.index());
        let next = block.map(|block| &program.blocks[block.index()].successors);
        let next = next.into_iter().flatten().filter_map(|next| match next {
            Successor::Exit => Some(end),
            Successor::Block(next) => places.get(next).copied(),
        });
        next.collect::<SmallVec<[BlockPlace; 2]>>()
    });
    let post_dominators = Dominators::of(&edges.reversed(), end);
    let mut chain = vec![*entry];
    let mut at = places.get(entry).copied();
    while let Some(place) = at.and_then(|place| post_dominators.immediate(place)) {
        chain.extend(fact.blocks.get(place.index()));
        at = Some(place);
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
