//! Results as buffers: each is held from its first use to the end of the function.

use memplan_lifetimes::{
    Analysis, Plannable, Reason,
    program::{BufferId, Position, ScopeId, UseKind},
};
use rustc_hash::FxHashMap;

/// Adds the results of static size to the buffers of a function of one block. Returns whether there are any.
pub fn count(analysis: &mut Analysis<'_>) -> bool {
    let program = &analysis.program;
    let Some(scope) = program.scopes.first() else {
        return false;
    };
    let [block] = program.nodes[scope.body.index()].blocks[..] else {
        return false;
    };
    let returned = analysis.skipped.iter().filter(|(buffer, reason)| {
        let fact = &program.buffers[buffer.index()];
        *reason == Reason::Returned
            && fact.size > 0
            && fact.block == block
            && fact.scope == ScopeId::new(0)
    });
    let mut first: FxHashMap<BufferId, Option<Position>> =
        returned.map(|(buffer, _)| (*buffer, None)).collect();
    if first.is_empty() {
        return false;
    }
    for used in &program.uses {
        if matches!(used.kind, UseKind::Touch | UseKind::Overwrite) {
            for buffer in analysis.aliases.buffers(used.value) {
                if let Some(first) = first.get_mut(&buffer) {
                    first.get_or_insert(used.position);
                }
            }
        }
    }
    let end = program.blocks[block.index()].end;
    let result = |(buffer, first): (BufferId, Option<Position>)| {
        Some(Plannable {
            buffer,
            live: std::iter::once((first?, end)).collect(),
            through_one: Vec::new(),
            through_copies: Vec::new(),
            carried: Vec::new(),
            alignment: program.buffers[buffer.index()].alignment,
        })
    };
    let results: Vec<Plannable> = first.into_iter().filter_map(result).collect();
    let found = !results.is_empty();
    analysis.plannable.extend(results);
    analysis.plannable.sort_by_key(|own| own.buffer);
    found
}
