//! Buffers that loops replace by memory of the heap.
//!
//! A loop that carries a slice first, and what it allocates itself later, has to carry a flag as well: whether to free
//! what it carries. Where what it carries later is returned in the end, and so stays on the heap, the first one does
//! better there, too: each iteration frees what the one before left. That raises no peak, as later iterations hold two such
//! buffers at once.

use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, Position, ValueFact, ValueId, ValueKind},
};
use rustc_hash::FxHashMap;

/// Leaves them alone.
pub fn leave(analysis: &mut Analysis<'_>) {
    let program = &analysis.program;
    let values = (0..program.values.len()).map(ValueId::new);
    // By the value of each: the buffer, where its loop starts, and its uses from there on.
    let mut found: FxHashMap<ValueId, (BufferId, Position, u32)> = values
        .filter_map(|value| replaced(analysis, value))
        .map(|(buffer, start)| {
            let value = program.buffers[buffer.index()].value;
            (value, (buffer, start, 0))
        })
        .collect();
    if found.is_empty() {
        return;
    }
    for used in &program.uses {
        if let Some((_, start, uses)) = found.get_mut(&analysis.aliases.base(used.value))
            && used.position >= *start
        {
            *uses += 1;
        }
    }
    // The loop takes it once, and nobody uses it after that.
    let mut left: Vec<_> = found
        .into_values()
        .filter(|(_, _, uses)| *uses == 1)
        .map(|(buffer, ..)| (buffer, Reason::FreedByFlag))
        .collect();
    left.sort_unstable_by_key(|(buffer, _)| *buffer);
    analysis.skip(left);
}

/// A buffer that a loop carries first in this value, and memory of the heap later; and where the loop
/// starts.
fn replaced(analysis: &Analysis<'_>, value: ValueId) -> Option<(BufferId, Position)> {
    let program = &analysis.program;
    let ValueFact {
        kind: ValueKind::Merge,
        sources,
        block,
        position,
        ..
    } = &program.values[value.index()]
    else {
        return None;
    };
    let node = &program.nodes[program.blocks[block.index()].node.index()];
    let is_argument = node.entries.contains(block)
        && *position == program.blocks[block.index()].first
        && node.parent.is_some();
    if !is_argument || analysis.aliases.is_external(value) {
        return None;
    }
    let first = sources
        .iter()
        .find_map(|source| match program.values[source.index()].kind {
            ValueKind::Alloc(buffer) if analysis.skip_reason(buffer).is_none() => Some(buffer),
            _ => None,
        })?;
    let fact = &program.buffers[first.index()];
    let is_before = fact.position < node.start && fact.scope == node.scope;
    let mut others = analysis
        .aliases
        .buffers(value)
        .filter(|other| *other != first)
        .peekable();
    let is_replaced = others.peek().is_some()
        && others.all(|other| {
            let other_fact = &program.buffers[other.index()];
            analysis.skip_reason(other) == Some(Reason::Returned)
                && (node.start..node.end).contains(&other_fact.position)
                && other_fact.size >= fact.size
        });
    (is_before && fact.dynamic.is_none() && is_replaced).then_some((first, node.start))
}
