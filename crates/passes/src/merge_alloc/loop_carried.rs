//! Buffers that a loop replaces by heap memory.
//!
//! A loop that carries a slice first, and its own allocation later, would have to carry a flag: whether to
//! free the carried memory. If the later memory is returned, and so stays on the heap, the first buffer is
//! better on the heap, too: each iteration frees the memory of the one before. The peak does not rise, as
//! later iterations hold two such buffers at once.

use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, Position, ValueFact, ValueId, ValueKind},
};
use rustc_hash::FxHashMap;

/// Skips such buffers.
pub fn leave(analysis: &mut Analysis<'_>) {
    let program = &analysis.program;
    let values = (0..program.values.len()).map(ValueId::new);
    // By value: the buffer, the start of its loop, and the number of its uses from there on.
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
    // The loop receives it once, and nothing uses it afterwards.
    let mut left: Vec<_> = found
        .into_values()
        .filter(|(_, _, uses)| *uses == 1)
        .map(|(buffer, ..)| (buffer, Reason::FreedByFlag))
        .collect();
    left.sort_unstable_by_key(|(buffer, _)| *buffer);
    analysis.skip(left);
}

/// A buffer that a loop carries first in this value, with heap memory later, and the start of the loop.
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
