//! Reads a function whose blocks form a tree into plain data.
//!
//! Views access no memory: the live range of a buffer ends at the last use through any of its views.

use super::{
    codes,
    planned_memory::PlannedMemory,
    settings::Settings,
    uses::{each_use, is_view},
};
use crate::{
    block_graph::{BlockGraph, BlockId},
    codes::INTERNAL,
};
use memplan_bounded::{Builder, NameId, SegmentId, Tree, TreeError, Value, ValueId};
use memplan_flow::{Event, SecondaryMap, depth_first};
use memplan_lifetimes::{
    Callees,
    program::{BufferId, ValueId as MemrefId},
};
use memplan_mlir::{
    calls,
    codes::Code,
    ir::{
        Block, Identity, Key, Op, Origin, Region, Val, arguments, ops, origin, parent_block,
        results, successors,
    },
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A function as a tree, with the operations and values that the tree is about.
pub struct Reading<'c> {
    /// Its planned memory.
    pub memory: PlannedMemory<'c>,
    /// The tree.
    pub tree: Tree,
    /// The block of each segment.
    pub blocks: Vec<Block<'c>>,
    /// The operation of each step; `None` for the step that defines the function's arguments.
    pub steps: Vec<Option<Op<'c>>>,
    /// The value of the IR for each value of the tree.
    pub values: Vec<Val<'c>>,
    /// For each value of the tree its allocation, if it is one.
    pub buffers: Vec<Option<BufferId>>,
    /// The value of the tree for each planned allocation.
    pub value_of_buffer: FxHashMap<BufferId, ValueId>,
    /// Memref values by identity.
    pub memrefs: FxHashMap<Key, MemrefId>,
    /// Values whose address is taken.
    pub address_taken: FxHashSet<ValueId>,
    /// Deallocations that end the live range of such a value.
    pub ended: FxHashMap<Key, ValueId>,
}

impl Reading<'_> {
    /// The planned allocations that a value may alias.
    pub fn planned(&self, value: Val<'_>) -> SmallVec<[ValueId; 2]> {
        let Some(memref) = self.memrefs.get(&value.key()) else {
            return SmallVec::new();
        };
        let buffers = self.memory.analysis.aliases.buffers(*memref);
        buffers
            .filter_map(|buffer| self.value_of_buffer.get(&buffer).copied())
            .collect()
    }
}

/// The code of an error of the tree.
pub const fn code(error: &TreeError) -> &'static Code {
    match error {
        TreeError::Size => codes::TOO_LARGE,
        TreeError::Order { .. } | TreeError::Undefined { .. } | TreeError::Alignment { .. } => {
            INTERNAL
        }
    }
}

/// Reads a function that [`crate::check_tree`] accepts.
pub fn read<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
) -> Result<Option<Reading<'c>>, TreeError> {
    let order = calls::function_body(function).map_or_else(Vec::new, preorder);
    if order.is_empty() {
        return Ok(None);
    }
    let tree_blocks: FxHashSet<Key> = order.iter().map(|(block, _)| block.key()).collect();
    let memory = PlannedMemory::of(function, semantics, callees, settings, &tree_blocks, None);
    let memrefs = memory.analysis.handles.values.iter().enumerate();
    let memrefs = memrefs.map(|(index, value)| (value.key(), MemrefId::new(index)));
    let mut reader = TreeReader {
        memrefs: memrefs.collect(),
        memory,
        needed: BTreeSet::new(),
        ended: Vec::new(),
        semantics,
        builder: Builder::new(),
        names: FxHashMap::default(),
        values: Vec::new(),
        buffers: Vec::new(),
        steps: Vec::new(),
    };
    // Buffers whose address is taken, which are live to the end of each block's paths.
    let mut needed: Vec<BTreeSet<NameId>> = Vec::with_capacity(order.len());
    for (number, (block, parent)) in order.iter().enumerate() {
        reader.builder.open(parent.map(SegmentId::new));
        reader.needed = parent.map_or_else(BTreeSet::new, |parent| needed[parent].clone());
        if number == 0 {
            let entry_arguments: Vec<Val<'c>> = arguments(*block).collect();
            reader.step(None, &[], &entry_arguments);
        }
        for op in ops(*block) {
            reader.op(op);
        }
        needed.push(std::mem::take(&mut reader.needed));
    }
    let TreeReader {
        memory,
        memrefs,
        semantics,
        mut builder,
        ended,
        values,
        buffers,
        steps,
        ..
    } = reader;
    let ended = ended.into_iter();
    let ended = ended.flat_map(|(op, name)| builder.values(name).iter().map(move |one| (op, *one)));
    let ended = ended.collect();
    let value_of_buffer: FxHashMap<BufferId, ValueId> = buffers
        .iter()
        .enumerate()
        .filter_map(|(index, buffer)| Some(((*buffer)?, ValueId::new(index))))
        .collect();
    let addressed = memory.address_taken.buffers();
    let addressed = addressed.filter_map(|buffer| value_of_buffer.get(&buffer).copied());
    let addressed = addressed.collect();
    // A memref that no view can recompute at a new offset pins its buffers.
    for (index, value) in memory.analysis.handles.values.iter().enumerate() {
        let is_plain = match origin(*value) {
            Some(Origin::Result(op, _)) => {
                let in_tree =
                    parent_block(op).is_some_and(|block| tree_blocks.contains(&block.key()));
                !in_tree
                    || semantics.of(op).plain_allocation() == Some(false)
                    || is_view(op, semantics)
            }
            _ => true,
        };
        if !is_plain {
            let buffers = memory.analysis.aliases.buffers(MemrefId::new(index));
            let values_of_buffers = buffers.filter_map(|buffer| value_of_buffer.get(&buffer));
            values_of_buffers.for_each(|place| builder.pin(*place));
        }
    }
    Ok(Some(Reading {
        tree: builder.finish()?,
        blocks: order.into_iter().map(|(block, _)| block).collect(),
        memory,
        steps,
        values,
        buffers,
        value_of_buffer,
        memrefs,
        address_taken: addressed,
        ended,
    }))
}

/// The blocks in preorder, each with the number of its predecessor.
fn preorder<'c>(body: Region<'c>) -> Vec<(Block<'c>, Option<usize>)> {
    let graph = BlockGraph::of(body);
    let mut numbers: SecondaryMap<BlockId, usize> = SecondaryMap::new();
    let mut order = Vec::with_capacity(graph.blocks.len());
    for event in depth_first(&graph.edges, graph.entry()) {
        if let Event::Enter { node, parent } = event {
            numbers[node] = order.len();
            order.push((graph.blocks[node], parent.map(|parent| numbers[parent])));
        }
    }
    order
}

struct TreeReader<'c, 'n> {
    memory: PlannedMemory<'c>,
    memrefs: FxHashMap<Key, MemrefId>,
    /// Buffers that are live to the end of the current path.
    needed: BTreeSet<NameId>,
    /// Deallocations that end the live range of a buffer.
    ended: Vec<(Key, NameId)>,
    semantics: &'n mut Semantics,
    builder: Builder,
    /// Names in the tree: of allocations, by their result, and of scalars.
    names: FxHashMap<Key, NameId>,
    values: Vec<Val<'c>>,
    buffers: Vec<Option<BufferId>>,
    steps: Vec<Option<Op<'c>>>,
}

impl<'c> TreeReader<'c, '_> {
    fn name(&self, buffer: BufferId) -> Option<NameId> {
        let result = self.memory.result(buffer)?;
        self.names.get(&result.key()).copied()
    }

    fn op(&mut self, op: Op<'c>) {
        if self.memory.is_erased(op) {
            let ended = self.memory.address_taken.end(op);
            let ended = ended.and_then(|buffer| self.name(buffer));
            if let Some(ended) = ended
                && self.needed.remove(&ended)
            {
                self.step(Some(op), &[ended], &[]);
                self.ended.push((op.key(), ended));
            }
            return;
        }
        let mut address_taken: SmallVec<[BufferId; 1]> = SmallVec::new();
        let addressed = &self.memory.address_taken;
        addressed.each_taken(op, &mut |buffer| address_taken.push(buffer));
        let address_taken: SmallVec<[NameId; 1]> = address_taken
            .iter()
            .filter_map(|buffer| self.name(*buffer))
            .collect();
        self.needed.extend(address_taken);
        let pending = self.memory.pending.at(op);
        let mut uses: SmallVec<[NameId; 8]> =
            pending.filter_map(|buffer| self.name(buffer)).collect();
        if self.semantics.info(op).is_terminator() && successors(op).next().is_none() {
            uses.extend(self.needed.iter().copied());
        }
        let mut used: SmallVec<[Val<'c>; 8]> = SmallVec::new();
        each_use(op, self.semantics, &mut |value| used.push(value));
        for value in used {
            match self.memrefs.get(&value.key()) {
                None => uses.extend(self.names.get(&value.key()).copied()),
                Some(memref) => {
                    let buffers = self.memory.analysis.aliases.buffers(*memref);
                    uses.extend(buffers.filter_map(|buffer| self.name(buffer)));
                }
            }
        }
        let defined: SmallVec<[Val<'c>; 2]> = results(op).collect();
        self.step(Some(op), &uses, &defined);
    }

    fn step(&mut self, op: Option<Op<'c>>, uses: &[NameId], defined: &[Val<'c>]) {
        let facts = defined.iter().filter_map(|value| {
            let (fact, buffer) = self.memory.placed(*value)?;
            Some((*value, fact, buffer))
        });
        let facts: SmallVec<[(Val<'c>, Value, Option<BufferId>); 2]> = facts.collect();
        // An operation that uses no planned memory is no step.
        if uses.is_empty() && facts.is_empty() {
            return;
        }
        let names = self
            .builder
            .step(uses, facts.iter().map(|(_, value, _)| *value));
        self.steps.push(op);
        for ((value, _, buffer), name) in facts.into_iter().zip(names) {
            self.names.insert(value.key(), name);
            self.values.push(value);
            self.buffers.push(buffer);
        }
    }
}
