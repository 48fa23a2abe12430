//! What is planned of the memory of a function, for both kinds of functions: trees, and those with loops and branches.
//!
//! Which memory an operation may touch, and which allocations must be left alone, comes from the lifetime analysis.

use super::{
    addressed::{Addressed, to_the_end},
    pending::Pending,
    settings::Settings,
};
use crate::dropped;
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

/// What is planned.
pub struct Memory<'c> {
    /// What is known of the memory.
    pub analysis: Analysis<'c>,
    /// Where addresses are taken.
    pub addressed: Addressed,
    /// Where asynchronous operations are waited for.
    pub pending: Pending,
    /// What is needed to the end of the function, where loops and branches are kept.
    pub to_the_end: Vec<BufferId>,
    /// Planned allocations, by their result.
    planned: FxHashMap<Key, (BufferId, Value)>,
    /// Deallocations that go.
    dropped: FxHashSet<Key>,
    layout: DataLayout,
    all_values: bool,
}

impl<'c> Memory<'c> {
    /// Of a function, of which these are the blocks that paths go through. `kept`: the first of them, where loops and
    /// branches are kept.
    pub fn of(
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
        settings: &Settings,
        here: &FxHashSet<Key>,
        kept: Option<Block<'c>>,
    ) -> Self {
        let wanted = AnalysisOptions {
            addressed: true,
            ..AnalysisOptions::default()
        };
        let mut analysis: Analysis<'c> =
            analyse_with_options(function, semantics, callees, &wanted);
        let left = left(&analysis, here);
        analysis.skip(left);
        let to_the_end = kept.map_or_else(Vec::new, |entry| to_the_end(&mut analysis, entry));
        let addressed = Addressed::of(&analysis);
        let pending = Pending::of(&analysis, here, semantics);
        let pinned: FxHashSet<BufferId> = addressed.buffers().chain(pending.buffers()).collect();
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
            dropped: dropped::deallocs(&analysis).map(|op| op.key()).collect(),
            addressed,
            pending,
            to_the_end,
            layout: DataLayout::at(function),
            all_values: settings.all_values,
            analysis,
        }
    }

    /// Does an operation free what is planned, and go?
    pub fn is_dropped(&self, op: Op<'_>) -> bool {
        self.dropped.contains(&op.key())
    }

    /// What an allocation gives.
    pub fn result(&self, buffer: BufferId) -> Option<Val<'c>> {
        results(self.analysis.handles.buffers[buffer.index()]).next()
    }

    /// What has a place: a planned allocation, or a scalar where these count.
    pub fn placed(&self, value: Val<'_>) -> Option<(Value, Option<BufferId>)> {
        match self.planned.get(&value.key()) {
            Some((buffer, planned)) => Some((*planned, Some(*buffer))),
            None => self.scalar(value).map(|value| (value, None)),
        }
    }

    /// How many stay where they are placed.
    pub fn pinned(&self) -> u64 {
        let planned = self.planned.values();
        planned.filter(|(_, value)| value.pinned).count() as u64
    }

    /// A scalar, where these count.
    pub fn scalar(&self, value: Val<'_>) -> Option<Value> {
        let counts = self.all_values.then(|| type_of(value));
        let extent = self.layout.scalar(counts?)?;
        Some(Value::scalar(extent.size, extent.alignment))
    }
}

/// What has no place on a path, and why.
fn left(analysis: &Analysis<'_>, here: &FxHashSet<Key>) -> Vec<(BufferId, Reason)> {
    let left = analysis.plannable.iter().filter_map(|plannable| {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let is_here = parent_block(op).is_some_and(|block| here.contains(&block.key()));
        let result = results(op).next()?;
        if !is_here {
            Some((plannable.buffer, Reason::OpaqueRegion))
        } else if !memory_space(type_of(result)).is_empty() {
            Some((plannable.buffer, Reason::OtherSpace))
        } else {
            None
        }
    });
    left.collect()
}
