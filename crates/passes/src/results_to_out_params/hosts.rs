//! Buffers that can live in the memory of a result until that is written.

use crate::elide_copies::can_be_anywhere;
use memplan_lifetimes::{
    Analysis,
    live::Ranges,
    program::{BufferId, Position, ScopeId, UseKind},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Block, Identity, Key, Op, blocks, element_of, parent, parent_block, type_of},
    layout::{element_count, has_identity_layout, memory_space},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Finds such buffers in a function.
pub struct Hosts<'a, 'c> {
    analysis: &'a Analysis<'c>,
    entry: Option<Block<'c>>,
    by_op: FxHashMap<Key, Position>,
    can_be_anywhere: Vec<bool>,
}

impl<'a, 'c> Hosts<'a, 'c> {
    pub fn of(analysis: &'a Analysis<'c>, function: Op<'c>) -> Self {
        let ops = analysis.handles.ops.iter();
        Self {
            analysis,
            entry: function_body(function).and_then(|body| blocks(body).next()),
            by_op: ops.map(|(position, op)| (op.key(), *position)).collect(),
            can_be_anywhere: can_be_anywhere(analysis),
        }
    }

    /// The buffers that can live in a result until it is written, the largest first, other than those in `taken`.
    pub fn guests(&self, result: BufferId, taken: FxHashSet<BufferId>) -> Vec<BufferId> {
        let analysis = self.analysis;
        let program = &analysis.program;
        let value = |buffer: BufferId| {
            analysis.handles.values[program.buffers[buffer.index()].value.index()]
        };
        let host = &program.buffers[result.index()];
        let form = type_of(value(result));
        let (Some(end), Some(count)) = (self.first_use(result), element_count(form)) else {
            return Vec::new();
        };
        let mut fits: Vec<(i64, BufferId, &Ranges)> = Vec::new();
        for plannable in &analysis.plannable {
            let (buffer, fact) = (plannable.buffer, &program.buffers[plannable.buffer.index()]);
            let own = type_of(value(buffer));
            let size = element_count(own).filter(|size| (1..=count).contains(size));
            let is_before = plannable.live.iter().all(|(_, last)| *last <= end);
            let can_be = !taken.contains(&buffer)
                && is_before
                && fact.scope == ScopeId::new(0)
                && fact.alignment.max(plannable.alignment) <= host.alignment
                && element_of(own) == element_of(form)
                && has_identity_layout(own)
                && memory_space(own) == memory_space(form)
                && self.can_be_anywhere[buffer.index()];
            if let Some(size) = size.filter(|_| can_be) {
                fits.push((size, buffer, &plannable.live));
            }
        }
        fits.sort_by_key(|(size, buffer, _)| (-size, buffer.index()));
        let mut found: Vec<(BufferId, &Ranges)> = Vec::new();
        for (_, buffer, live) in fits.into_iter().take(MOST_GUESTS) {
            if found.iter().all(|(_, other)| are_apart(live, other)) {
                found.push((buffer, live));
            }
        }
        found.into_iter().map(|(buffer, _)| buffer).collect()
    }

    /// The position of the function's first block at which a buffer is used first, or the end of that block.
    fn first_use(&self, buffer: BufferId) -> Option<Position> {
        let (entry, program) = (self.entry?, &self.analysis.program);
        let mut first = program.blocks.first()?.end;
        for used in &program.uses {
            if used.kind != UseKind::Mention
                && self
                    .analysis
                    .aliases
                    .buffers(used.value)
                    .any(|one| one == buffer)
            {
                let op = self.analysis.handles.op_at(used.position)?;
                if let Some(at) = self.in_entry(op, entry) {
                    first = first.min(at);
                }
            }
        }
        Some(first)
    }

    /// The position of an operation, or of its ancestor, in the first block.
    fn in_entry(&self, op: Op<'c>, entry: Block<'c>) -> Option<Position> {
        let mut at = op;
        while parent_block(at)?.key() != entry.key() {
            at = parent(at)?;
        }
        self.by_op.get(&at.key()).copied()
    }
}

/// Largest number of buffers that are compared with each other.
const MOST_GUESTS: usize = 256;

/// Whether two live ranges have no position in common.
fn are_apart(one: &Ranges, other: &Ranges) -> bool {
    one.iter().all(|(first, end)| {
        other
            .iter()
            .all(|(start, last)| *end <= *start || *last <= *first)
    })
}
