//! Results that are always one buffer, which the function allocates.

use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    program::{BufferId, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::type_of,
    layout::{element_count, has_identity_layout},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::is_placed;

/// The buffer that a result always is, all of it, if no other result is it.
pub fn of_result(analysis: &Analysis<'_>, number: u32) -> Option<BufferId> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let form = |value: ValueId| type_of(analysis.handles.values[value.index()]);
    let mut found = None;
    for (other, value) in &program.returned {
        if *other != number {
            continue;
        }
        let &[Root::Buffer(buffer)] = aliases.roots(*value) else {
            return None;
        };
        let own = program.buffers[buffer.index()].value;
        let is_all = aliases.base(*value) == own
            && !aliases.is_unknown(*value)
            && program.is_all_of(*value, own)
            && has_identity_layout(form(*value))
            && has_identity_layout(form(own))
            && (element_count(form(*value)).is_some() || form(*value) == form(own));
        if !is_all || found.is_some_and(|before| before != buffer) {
            return None;
        }
        found = Some(buffer);
    }
    let buffer = found?;
    let mut others = program
        .returned
        .iter()
        .filter(|(other, _)| *other != number);
    let is_it = |value: ValueId| aliases.buffers(value).any(|one| one == buffer);
    (!others.any(|(_, value)| is_it(*value))).then_some(buffer)
}

/// Whether a buffer is only returned, and nothing is said of its address.
pub fn is_only_returned(analysis: &Analysis<'_>, buffer: BufferId) -> bool {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let is_it = |value: ValueId| aliases.buffers(value).any(|one| one == buffer);
    let merges = program.values.iter().enumerate();
    let merges = merges.filter(|(_, value)| value.kind == ValueKind::Merge);
    let mut others = merges
        .map(|(index, _)| ValueId::new(index))
        .chain(
            program
                .pending
                .iter()
                .flat_map(|entry| entry.values.iter().copied()),
        )
        .chain(program.alignments.iter().map(|(value, _)| *value))
        .chain(program.distinct.iter().flatten().copied())
        .chain(program.deallocs.iter().map(|free| free.value))
        .chain(
            program
                .escapes
                .iter()
                .filter(|(_, reason)| *reason != Reason::Returned)
                .map(|(value, _)| *value),
        );
    let alloc = analysis.handles.buffers[buffer.index()];
    // Attributes may say something of the allocation that does not hold for one of the caller.
    let is_plain = alloc.attributes().all(|(name, _)| {
        name.as_string_ref()
            .as_str()
            .is_ok_and(|name| name == ALIGNMENT || name == SEGMENTS)
    });
    is_plain
        && !is_placed(alloc)
        && analysis.skip_reason(buffer) == Some(Reason::Returned)
        && !others.any(is_it)
}

/// Attributes of an allocation that say nothing else.
const ALIGNMENT: &str = "alignment";
const SEGMENTS: &str = "operandSegmentSizes";
