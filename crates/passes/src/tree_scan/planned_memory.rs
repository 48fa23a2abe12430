//! The planned memory of a function, both for trees and for functions with loops and branches.
//!
//! The lifetime analysis computes which memory an operation may access, and which allocations must be
//! skipped.

use super::{
    address_taken::{AddressTaken, live_to_end},
    pending::Pending,
    settings::Settings,
};
use crate::erased_ops;
use memplan_bounded::Value;
use memplan_lifetimes::{
    Analysis, AnalysisOptions, Callees, Reason, analyse_with_options, program::BufferId,
};
use memplan_mlir::{
    ir::{Block, Identity, Key, Op, Val, parent_block, results, type_of},
    layout::{DataLayout, memory_space},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};

/// The planned memory of a function.
pub struct PlannedMemory<'c> {
    /// The lifetime analysis of the function.
    pub analysis: Analysis<'c>,
    /// Buffers whose address is taken.
    pub address_taken: AddressTaken,
    /// Buffers that asynchronous operations use.
    pub pending: Pending,
    /// Buffers that are live to the end of a function that keeps its loops and branches.
    pub live_to_end: Vec<BufferId>,
    /// Planned allocations, by their result.
    planned: FxHashMap<Key, (BufferId, Value)>,
    /// Deallocations of planned allocations, which are erased.
    erased_deallocs: FxHashSet<Key>,
    layout: DataLayout,
    all_values: bool,
}

impl<'c> PlannedMemory<'c> {
    /// Analyses a function. `path_blocks` are the blocks on its paths. `structured_entry` is the first of
    /// them if loops and branches are kept.
    pub fn of(
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
        settings: &Settings,
        path_blocks: &FxHashSet<Key>,
        structured_entry: Option<Block<'c>>,
    ) -> Self {
        let options = AnalysisOptions {
            addressed: true,
            ..AnalysisOptions::default()
        };
        let mut analysis: Analysis<'c> =
            analyse_with_options(function, semantics, callees, &options);
        let skipped = skipped(&analysis, path_blocks);
        analysis.skip(skipped);
        let live_to_end =
            structured_entry.map_or_else(Vec::new, |entry| live_to_end(&mut analysis, entry));
        let address_taken = AddressTaken::of(&analysis);
        let pending = Pending::of(&analysis, path_blocks, semantics);
        let pinned: FxHashSet<BufferId> =
            address_taken.buffers().chain(pending.buffers()).collect();
        let planned = analysis.plannable.iter().filter_map(|plannable| {
            let buffer = plannable.buffer;
            let size = analysis.program.buffers[buffer.index()].size;
            let alignment = plannable.alignment.max(settings.alignment);
            let value = Value {
                pinned: pinned.contains(&buffer),
                ..Value::buffer(size, alignment)
            };
            let result = results(analysis.handles.buffers[buffer.index()]).next()?;
            Some((result.key(), (buffer, value)))
        });
        Self {
            planned: planned.collect(),
            erased_deallocs: erased_ops::deallocs(&analysis).map(|op| op.key()).collect(),
            address_taken,
            pending,
            live_to_end,
            layout: DataLayout::at(function),
            all_values: settings.all_values,
            analysis,
        }
    }

    /// Whether an operation frees planned memory, and is erased.
    pub fn is_erased(&self, op: Op<'_>) -> bool {
        self.erased_deallocs.contains(&op.key())
    }

    /// The result of an allocation.
    pub fn result(&self, buffer: BufferId) -> Option<Val<'c>> {
        results(self.analysis.handles.buffers[buffer.index()]).next()
    }

    /// The size and alignment of a value with an offset: a planned allocation, or a scalar with `values=all`.
    pub fn placed(&self, value: Val<'_>) -> Option<(Value, Option<BufferId>)> {
        match self.planned.get(&value.key()) {
            Some((buffer, planned)) => Some((*planned, Some(*buffer))),
            None => self.scalar(value).map(|value| (value, None)),
        }
    }

    /// Number of planned allocations that must not move.
    pub fn pinned(&self) -> u64 {
        let planned = self.planned.values();
        planned.filter(|(_, value)| value.pinned).count() as u64
    }

    /// The size and alignment of a scalar with `values=all`.
    pub fn scalar(&self, value: Val<'_>) -> Option<Value> {
        let counts = self.all_values.then(|| type_of(value));
        let extent = self.layout.scalar(counts?)?;
        Some(Value::scalar(extent.size, extent.alignment))
    }
}

/// Allocations that are not on a path or not in the default memory space, with the reason to skip them.
fn skipped(analysis: &Analysis<'_>, path_blocks: &FxHashSet<Key>) -> Vec<(BufferId, Reason)> {
    let skipped = analysis.plannable.iter().filter_map(|plannable| {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let is_here = parent_block(op).is_some_and(|block| path_blocks.contains(&block.key()));
        let result = results(op).next()?;
        if !is_here {
            Some((plannable.buffer, Reason::OpaqueRegion))
        } else if !memory_space(type_of(result)).is_empty() {
            Some((plannable.buffer, Reason::OtherSpace))
        } else {
            None
        }
    });
    skipped.collect()
}
