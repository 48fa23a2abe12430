//! A function that is a tree of straight lines, as plain data.
//!
//! Views touch nothing: what counts is the last use through any of them.

use super::{
    codes,
    memory::Memory,
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

/// A function as a tree, with the IR behind it.
pub struct Reading<'c> {
    /// What is planned of its memory.
    pub memory: Memory<'c>,
    /// The tree.
    pub tree: Tree,
    /// The block of each segment.
    pub blocks: Vec<Block<'c>>,
    /// The operation of each step; none for what is there when the function starts.
    pub steps: Vec<Option<Op<'c>>>,
    /// What stands for each value of the tree.
    pub values: Vec<Val<'c>>,
    /// For each value of the tree the allocation, where it is one.
    pub buffers: Vec<Option<BufferId>>,
    /// For each planned allocation its value of the tree.
    pub places: FxHashMap<BufferId, ValueId>,
    /// Memref values by identity.
    pub memrefs: FxHashMap<Key, MemrefId>,
    /// Values whose address is taken.
    pub addressed: FxHashSet<ValueId>,
    /// Deallocations that end them.
    pub ended: FxHashMap<Key, ValueId>,
}

impl Reading<'_> {
    /// The planned allocations that a value may be.
    pub fn planned(&self, value: Val<'_>) -> SmallVec<[ValueId; 2]> {
        let Some(memref) = self.memrefs.get(&value.key()) else {
            return SmallVec::new();
        };
        let buffers = self.memory.analysis.aliases.buffers(*memref);
        buffers
            .filter_map(|buffer| self.places.get(&buffer).copied())
            .collect()
    }
}

/// What kind of error it is that a function is no tree, or a large one.
pub const fn code(error: &TreeError) -> &'static Code {
    match error {
        TreeError::Size => codes::TOO_LARGE,
        TreeError::Order { .. } | TreeError::Undefined { .. } | TreeError::Alignment { .. } => {
            INTERNAL
        }
    }
}

/// Reads a function that [`crate::check_tree`] finds nothing wrong with.
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
    let here: FxHashSet<Key> = order.iter().map(|(block, _)| block.key()).collect();
    let memory = Memory::of(function, semantics, callees, settings, &here, None);
    let memrefs = memory.analysis.handles.values.iter().enumerate();
    let memrefs = memrefs.map(|(index, value)| (value.key(), MemrefId::new(index)));
    let mut reader = TreeReader {
        memrefs: memrefs.collect(),
        memory,
        needed: BTreeSet::new(),
        ended: Vec::new(),
        semantics,
        builder: Builder::new(),
        known: FxHashMap::default(),
        values: Vec::new(),
        buffers: Vec::new(),
        steps: Vec::new(),
    };
    // What is needed to the end of each block's paths, as its address is taken.
    let mut needed: Vec<BTreeSet<NameId>> = Vec::with_capacity(order.len());
    for (number, (block, parent)) in order.iter().enumerate() {
        reader.builder.open(parent.map(SegmentId::new));
        reader.needed = parent.map_or_else(BTreeSet::new, |parent| needed[parent].clone());
        if number == 0 {
            let given: Vec<Val<'c>> = arguments(*block).collect();
            reader.step(None, &[], &given);
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
    let places: FxHashMap<BufferId, ValueId> = buffers
        .iter()
        .enumerate()
        .filter_map(|(index, buffer)| Some(((*buffer)?, ValueId::new(index))))
        .collect();
    let addressed = memory.addressed.buffers();
    let addressed = addressed.filter_map(|buffer| places.get(&buffer).copied());
    let addressed = addressed.collect();
    // What cannot be made again at a new place stays where it is.
    for (index, value) in memory.analysis.handles.values.iter().enumerate() {
        let is_plain = match origin(*value) {
            Some(Origin::Result(op, _)) => {
                let in_tree = parent_block(op).is_some_and(|block| here.contains(&block.key()));
                !in_tree
                    || semantics.of(op).plain_allocation() == Some(false)
                    || is_view(op, semantics)
            }
            _ => true,
        };
        if !is_plain {
            let buffers = memory.analysis.aliases.buffers(MemrefId::new(index));
            let places = buffers.filter_map(|buffer| places.get(&buffer));
            places.for_each(|place| builder.pin(*place));
        }
    }
    Ok(Some(Reading {
        tree: builder.finish()?,
        blocks: order.into_iter().map(|(block, _)| block).collect(),
        memory,
        steps,
        values,
        buffers,
        places,
        memrefs,
        addressed,
        ended,
    }))
}

/// The blocks in preorder, each with the number of the one before it.
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
    memory: Memory<'c>,
    memrefs: FxHashMap<Key, MemrefId>,
    /// What is needed to the end of the path at hand.
    needed: BTreeSet<NameId>,
    /// What ends at which deallocation.
    ended: Vec<(Key, NameId)>,
    semantics: &'n mut Semantics,
    builder: Builder,
    /// Names in the tree: of allocations, by their result, and of scalars.
    known: FxHashMap<Key, NameId>,
    values: Vec<Val<'c>>,
    buffers: Vec<Option<BufferId>>,
    steps: Vec<Option<Op<'c>>>,
}

impl<'c> TreeReader<'c, '_> {
    fn name(&self, buffer: BufferId) -> Option<NameId> {
        let result = self.memory.result(buffer)?;
        self.known.get(&result.key()).copied()
    }

    fn op(&mut self, op: Op<'c>) {
        if self.memory.is_dropped(op) {
            let ended = self.memory.addressed.end(op);
            let ended = ended.and_then(|buffer| self.name(buffer));
            if let Some(ended) = ended
                && self.needed.remove(&ended)
            {
                self.step(Some(op), &[ended], &[]);
                self.ended.push((op.key(), ended));
            }
            return;
        }
        let mut taken: SmallVec<[BufferId; 1]> = SmallVec::new();
        let addressed = &self.memory.addressed;
        addressed.each_taken(op, &mut |buffer| taken.push(buffer));
        let taken: SmallVec<[NameId; 1]> = taken
            .iter()
            .filter_map(|buffer| self.name(*buffer))
            .collect();
        self.needed.extend(taken);
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
                None => uses.extend(self.known.get(&value.key()).copied()),
                Some(memref) => {
                    let buffers = self.memory.analysis.aliases.buffers(*memref);
                    uses.extend(buffers.filter_map(|buffer| self.name(buffer)));
                }
            }
        }
        let made: SmallVec<[Val<'c>; 2]> = results(op).collect();
        self.step(Some(op), &uses, &made);
    }

    fn step(&mut self, op: Option<Op<'c>>, uses: &[NameId], made: &[Val<'c>]) {
        let facts = made.iter().filter_map(|value| {
            let (fact, buffer) = self.memory.placed(*value)?;
            Some((*value, fact, buffer))
        });
        let facts: SmallVec<[(Val<'c>, Value, Option<BufferId>); 2]> = facts.collect();
        // Of what touches nothing that is planned, there is nothing to say.
        if uses.is_empty() && facts.is_empty() {
            return;
        }
        let names = self
            .builder
            .step(uses, facts.iter().map(|(_, value, _)| *value));
        self.steps.push(op);
        for ((value, _, buffer), name) in facts.into_iter().zip(names) {
            self.known.insert(value.key(), name);
            self.values.push(value);
            self.buffers.push(buffer);
        }
    }
}
