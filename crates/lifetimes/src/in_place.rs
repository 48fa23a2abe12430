//! In-place reuse: a buffer may reuse the bytes of one whose live range ends where its own begins.
//!
//! An operation writes one buffer in step with another if it reads each element before it writes the
//! element at the same index. Both may then have the same bytes. All other uses of the two buffers by
//! the operation must be in step, too: an operand that reads in another order would read elements that
//! are overwritten already. The old buffer must be dead after the operation, the new one before it.

use crate::{
    alias::Aliases,
    live::{Ranges, contains},
    program::{BufferId, InStep, Position, Program, UseKind, ValueId, ValueKind},
};

/// A buffer that may reuse the bytes of another at one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takeover {
    /// The buffer that is read.
    pub from: BufferId,
    /// The buffer that is written, of the same size.
    pub to: BufferId,
    /// The operation.
    pub position: Position,
    /// If the operation only copies: its index among those that do.
    pub copy: Option<u32>,
}

/// All takeovers of a program, in program order. `live` gives the live ranges of each plannable buffer.
pub fn takeovers<'l>(
    program: &Program,
    aliases: &Aliases,
    live: impl Fn(BufferId) -> Option<&'l Ranges>,
) -> Vec<Takeover> {
    if program.in_step.is_empty() {
        return Vec::new();
    }
    let mut is_merged = vec![false; program.buffers.len()];
    for (index, value) in program.values.iter().enumerate() {
        if value.kind == ValueKind::Merge {
            for buffer in aliases.buffers(ValueId::new(index)) {
                is_merged[buffer.index()] = true;
            }
        }
    }
    let whole = |value: ValueId| match program.values[aliases.base(value).index()].kind {
        ValueKind::Alloc(buffer) if program.is_all_of(value, aliases.base(value)) => Some(buffer),
        _ => None,
    };
    let mut found = Vec::new();
    for steps in program.in_step.chunk_by(|a, b| a.position == b.position) {
        let uses = uses_at(program, steps[0].position);
        for step in steps.iter().filter(|step| step.same_bytes) {
            let (Some(from), Some(to)) = (whole(step.read), whole(step.written)) else {
                continue;
            };
            let in_step = |value: ValueId| {
                let same = |other: &InStep| {
                    other.same_bytes && other.read == value && other.written == step.written
                };
                steps.iter().any(same) && whole(value) == Some(from)
            };
            let allowed = uses.iter().all(|used| {
                let mut buffers = aliases.buffers(used.value);
                used.kind == UseKind::Mention
                    || used.value == step.written
                    || in_step(used.value)
                    || !buffers.any(|buffer| buffer == from || buffer == to)
            });
            // A merge may refer to the contents across an operation that overwrites them.
            let anew = |buffer: BufferId, position: Position| {
                let mut touching = uses_at(program, position)
                    .iter()
                    .filter(|used| aliases.buffers(used.value).any(|other| other == buffer))
                    .peekable();
                !is_merged[buffer.index()]
                    && touching.peek().is_some()
                    && touching.all(|used| {
                        used.kind == UseKind::Overwrite && whole(used.value) == Some(buffer)
                    })
            };
            let after = step.position + 1;
            let ends = live(from).is_some_and(|live| !contains(live, after) || anew(from, after));
            let begins = live(to).is_some_and(|live| {
                step.position == 0 || !contains(live, step.position - 1) || anew(to, step.position)
            });
            // A copy back to a buffer with earlier contents stays: it shows `memplan-verify` that the contents
            // change. In a loop, an operation that is later in program order may have run before.
            let begins_here =
                |live: &Ranges| matches!(live[..], [(start, _)] if start >= step.position);
            let goes_back = step.copy.is_some() && !live(to).is_some_and(begins_here);
            let (old, new) = (&program.buffers[from.index()], &program.buffers[to.index()]);
            let here = program.scope_of(step.block);
            if from != to
                && ends
                && begins
                && !(goes_back && step.apart)
                && allowed
                && old.size == new.size
                && [old, new].iter().all(|buffer| buffer.scope == here)
            {
                found.push(Takeover {
                    from,
                    to,
                    position: step.position,
                    copy: step.copy.filter(|_| !goes_back),
                });
            }
        }
    }
    found
}

/// Uses at a position.
fn uses_at(program: &Program, position: Position) -> &[crate::program::Use] {
    let start = program
        .uses
        .partition_point(|used| used.position < position);
    let count = program.uses[start..].partition_point(|used| used.position == position);
    &program.uses[start..start + count]
}
