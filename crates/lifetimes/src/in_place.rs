//! Which buffers may take over the bytes of others that end as they begin.
//!
//! Where an operation writes all of one buffer in step with another, that is, reads each element before
//! it writes the one at its place, both may be the same bytes. What else the operation does with
//! either must be in step, too: a second operand that reads the buffer in another order would find
//! elements that are written already. Nothing may need the old buffer afterwards, nor the new one
//! before.

use crate::{
    alias::Aliases,
    live::{Ranges, contains},
    program::{BufferId, InStep, Position, Program, UseKind, ValueId, ValueKind},
};

/// A buffer that may take over the bytes of another at one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takeover {
    /// The buffer that is read.
    pub from: BufferId,
    /// The buffer that is written, of the same size.
    pub to: BufferId,
    /// The operation.
    pub position: Position,
    /// It only copies: its place among the operations that do.
    pub copy: Option<u32>,
}

/// All of them, in the order of the text; `live` says when a buffer is live, if it can be planned.
pub fn takeovers<'l>(
    program: &Program,
    aliases: &Aliases,
    live: impl Fn(BufferId) -> Option<&'l Ranges>,
) -> Vec<Takeover> {
    if program.in_step.is_empty() {
        return Vec::new();
    }
    let mut held = vec![false; program.buffers.len()];
    for (index, value) in program.values.iter().enumerate() {
        if value.kind == ValueKind::Merge {
            for buffer in aliases.buffers(ValueId::new(index)) {
                held[buffer.index()] = true;
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
            // What a merge may hold may be needed across what overwrites it.
            let anew = |buffer: BufferId, position: Position| {
                let mut touching = uses_at(program, position)
                    .iter()
                    .filter(|used| aliases.buffers(used.value).any(|other| other == buffer))
                    .peekable();
                !held[buffer.index()]
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
            // A copy back to what held something before must not go, and with it what tells `memplan-verify` that
            // the contents are others now. In a loop, what comes behind in the text may have come before.
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

/// The uses at a position.
fn uses_at(program: &Program, position: Position) -> &[crate::program::Use] {
    let start = program
        .uses
        .partition_point(|used| used.position < position);
    let count = program.uses[start..].partition_point(|used| used.position == position);
    &program.uses[start..start + count]
}
