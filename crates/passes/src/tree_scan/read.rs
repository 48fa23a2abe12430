//! A function that is a tree of straight lines, as plain data.
//!
//! Which memory an operation may touch, and which allocations must be left alone, comes from the lifetime
//! analysis. Views touch nothing: what counts is the last use through any of them.

use super::{
    addressed::Addressed,
    codes,
    settings::Settings,
    uses::{each_use, is_view},
};
use crate::{
    block_graph::{BlockGraph, BlockId},
    codes::INTERNAL,
};
use memplan_bounded::{Builder, NameId, SegmentId, Tree, TreeError, Value};
use memplan_flow::{Event, SecondaryMap, depth_first};
use memplan_lifetimes::{
    Analysis, Callees, Reason, Wanted, analyse_wanted,
    program::{BufferId, ValueId as MemrefId},
};
use memplan_mlir::{
    calls,
    codes::Code,
    ir::{
        Block, Identity, Key, Op, Origin, Region, Val, arguments, ops, origin, parent_block,
        results, successors, type_of,
    },
    layout::{DataLayout, memory_space},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A function as a tree, with the IR behind it.
pub struct Reading<'c> {
    /// What is known of its memory.
    pub analysis: Analysis<'c>,
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
    pub places: FxHashMap<BufferId, memplan_bounded::ValueId>,
    /// Memref values by identity.
    pub memrefs: FxHashMap<Key, MemrefId>,
    /// Values whose address is taken.
    pub addressed: FxHashSet<memplan_bounded::ValueId>,
    /// Deallocations that end them.
    pub ended: FxHashMap<Key, memplan_bounded::ValueId>,
}

impl Reading<'_> {
    /// The planned allocations that a value may be.
    pub fn planned(&self, value: Val<'_>) -> SmallVec<[memplan_bounded::ValueId; 2]> {
        let Some(memref) = self.memrefs.get(&value.key()) else {
            return SmallVec::new();
        };
        let buffers = self.analysis.aliases.buffers(*memref);
        buffers
            .filter_map(|buffer| self.places.get(&buffer).copied())
            .collect()
    }
}

/// What is planned of what an analysis found; the rest is left alone with a reason.
pub fn plannable<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    blocks: &FxHashSet<Key>,
) -> Analysis<'c> {
    let wanted = Wanted {
        addressed: true,
        ..Wanted::default()
    };
    let mut analysis: Analysis<'c> = analyse_wanted(function, semantics.names(), callees, &wanted);
    let left: Vec<(BufferId, Reason)> = analysis
        .plannable
        .iter()
        .filter_map(|plannable| {
            let op = analysis.handles.buffers[plannable.buffer.index()];
            let is_here = parent_block(op).is_some_and(|block| blocks.contains(&block.key()));
            let result = results(op).next()?;
            if !is_here {
                Some((plannable.buffer, Reason::OpaqueRegion))
            } else if !memory_space(type_of(result)).is_empty() {
                Some((plannable.buffer, Reason::OtherSpace))
            } else {
                None
            }
        })
        .collect();
    analysis.leave(left);
    analysis
}

/// Deallocations that go.
pub fn dropped(analysis: &Analysis<'_>) -> FxHashSet<Key> {
    let all = analysis.handles.deallocs.iter();
    all.zip(&analysis.dropped_deallocs)
        .filter(|(_, drop)| **drop)
        .map(|(op, _)| op.key())
        .collect()
}

/// The planned allocations, in the order of the analysis: what each gives, and what is planned of that.
pub fn planned<'c>(
    analysis: &Analysis<'c>,
    settings: &Settings,
) -> Vec<(BufferId, Val<'c>, Value)> {
    let planned = analysis.plannable.iter().filter_map(|plannable| {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let size = analysis.program.buffers[plannable.buffer.index()].size;
        let alignment = plannable.alignment.max(settings.alignment);
        let value = Value::buffer(size, alignment);
        Some((plannable.buffer, results(op).next()?, value))
    });
    planned.collect()
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
    let analysis = plannable(function, semantics, callees, &here);
    let memrefs: FxHashMap<Key, MemrefId> = analysis
        .handles
        .values
        .iter()
        .enumerate()
        .map(|(index, value)| (value.key(), MemrefId::new(index)))
        .collect();
    let mut reader = Reader {
        planned: planned(&analysis, settings)
            .into_iter()
            .map(|(buffer, result, value)| (result.key(), (buffer, value)))
            .collect(),
        dropped: dropped(&analysis),
        addressed: Addressed::of(&analysis),
        needed: BTreeSet::new(),
        ended: Vec::new(),
        layout: DataLayout::at(function),
        semantics,
        all_values: settings.all_values,
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
        if number == 0 && settings.all_values {
            let given: Vec<Val<'c>> = arguments(*block).collect();
            reader.step(None, &[], &given);
        }
        for op in ops(*block) {
            reader.op(op, &analysis, &memrefs);
        }
        needed.push(std::mem::take(&mut reader.needed));
    }
    let addressed: Vec<BufferId> = reader.addressed.buffers().collect();
    let (values, buffers, steps) = (reader.values, reader.buffers, reader.steps);
    let (mut builder, semantics) = (reader.builder, reader.semantics);
    let ended = reader.ended.iter();
    let ended =
        ended.flat_map(|(op, name)| builder.values(*name).iter().map(|value| (*op, *value)));
    let ended = ended.collect();
    let places: FxHashMap<BufferId, memplan_bounded::ValueId> = buffers
        .iter()
        .enumerate()
        .filter_map(|(index, buffer)| Some(((*buffer)?, memplan_bounded::ValueId::new(index))))
        .collect();
    let addressed = addressed.iter();
    let addressed = addressed.filter_map(|buffer| places.get(buffer).copied());
    let addressed: FxHashSet<memplan_bounded::ValueId> = addressed.collect();
    for value in &addressed {
        builder.pin(*value);
    }
    // What cannot be made again at a new place stays where it is.
    for (index, value) in analysis.handles.values.iter().enumerate() {
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
            for buffer in analysis.aliases.buffers(MemrefId::new(index)) {
                if let Some(place) = places.get(&buffer) {
                    builder.pin(*place);
                }
            }
        }
    }
    Ok(Some(Reading {
        tree: builder.finish()?,
        blocks: order.into_iter().map(|(block, _)| block).collect(),
        analysis,
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

struct Reader<'c, 'n> {
    /// Planned allocations, by their result.
    planned: FxHashMap<Key, (BufferId, Value)>,
    /// Deallocations that go.
    dropped: FxHashSet<Key>,
    addressed: Addressed,
    /// What is needed to the end of the path at hand.
    needed: BTreeSet<NameId>,
    /// What ends at which deallocation.
    ended: Vec<(Key, NameId)>,
    layout: DataLayout,
    semantics: &'n mut Semantics,
    all_values: bool,
    builder: Builder,
    /// Names in the tree: of allocations, by their result, and of scalars.
    known: FxHashMap<Key, NameId>,
    values: Vec<Val<'c>>,
    buffers: Vec<Option<BufferId>>,
    steps: Vec<Option<Op<'c>>>,
}

impl<'c> Reader<'c, '_> {
    fn op(&mut self, op: Op<'c>, analysis: &Analysis<'c>, memrefs: &FxHashMap<Key, MemrefId>) {
        let name = |reader: &Self, buffer: BufferId| {
            let op = analysis.handles.buffers[buffer.index()];
            let result = results(op).next()?;
            reader.known.get(&result.key()).copied()
        };
        if self.dropped.contains(&op.key()) {
            let ended = self.addressed.end(op);
            let ended = ended.and_then(|buffer| name(self, buffer));
            if let Some(ended) = ended
                && self.needed.remove(&ended)
            {
                self.step(Some(op), &[ended], &[]);
                self.ended.push((op.key(), ended));
            }
            return;
        }
        let mut taken: SmallVec<[BufferId; 1]> = SmallVec::new();
        self.addressed
            .each_taken(op, &mut |buffer| taken.push(buffer));
        for buffer in taken {
            self.needed.extend(name(self, buffer));
        }
        let mut uses: SmallVec<[NameId; 8]> = SmallVec::new();
        if self.semantics.info(op).is_terminator() && successors(op).next().is_none() {
            uses.extend(self.needed.iter().copied());
        }
        let (known, semantics) = (&self.known, &mut *self.semantics);
        each_use(op, semantics, &mut |value| {
            let Some(memref) = memrefs.get(&value.key()) else {
                return uses.extend(known.get(&value.key()).copied());
            };
            for buffer in analysis.aliases.buffers(*memref) {
                let op = analysis.handles.buffers[buffer.index()];
                let result = results(op).next();
                uses.extend(result.and_then(|result| known.get(&result.key()).copied()));
            }
        });
        let made: SmallVec<[Val<'c>; 2]> = results(op).collect();
        self.step(Some(op), &uses, &made);
    }

    fn step(&mut self, op: Option<Op<'c>>, uses: &[NameId], made: &[Val<'c>]) {
        let mut facts: SmallVec<[(Val<'c>, Value, Option<BufferId>); 2]> = SmallVec::new();
        for value in made {
            if let Some((buffer, planned)) = self.planned.get(&value.key()) {
                facts.push((*value, *planned, Some(*buffer)));
            } else if self.all_values
                && let Some(extent) = self.layout.scalar(type_of(*value))
            {
                facts.push((*value, Value::scalar(extent.size, extent.alignment), None));
            }
        }
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
