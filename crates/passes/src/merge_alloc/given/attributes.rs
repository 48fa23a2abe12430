//! Plans that attributes give: those of the user, and those that `analyse-only` writes.

use super::{Given, GivenSlice, NestedOffsets, NestedPlace};
use crate::{failure::fail, memory_spaces::names, merge_alloc::codes};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, ScopeId},
};
use memplan_mlir::{
    build, diagnostics::Diagnostic, ir::Op, melior::ir::operation::OperationLike, pass::Failed,
    symbols,
};
use memplan_semantics::attributes::{
    ARENA_NUMBER, EACH_ITERATION, IN_PLACE, MEMORY_SPACE, NESTED_ARENAS, NESTED_OFFSETS, SKIP,
};
use rustc_hash::FxHashMap;

pub use memplan_semantics::attributes::OFFSET;

/// What attributes give for a function. Errors are reported at the operation.
pub fn read(analysis: &Analysis<'_>, least_alignment: u64) -> Result<Given, Failed> {
    let mut given = Given::default();
    let mut groups: FxHashMap<u64, (Op<'_>, u64)> = FxHashMap::default();
    let mut result = Ok(());
    for (place, plannable) in analysis.plannable.iter().enumerate() {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        if !op.has_attribute(OFFSET) {
            continue;
        }
        if analysis.program.buffers[plannable.buffer.index()]
            .dynamic
            .is_some()
        {
            let why = format!("`{OFFSET}` fixes an allocation of dynamic size");
            result = Err(fail(op, codes::OFFSET_UNUSED, why));
            continue;
        }
        let alignment = plannable.alignment.max(least_alignment);
        let offset = match offset(op, alignment) {
            Ok(offset) => offset,
            Err(why) => {
                result = Err(fail(op, codes::OFFSET, why));
                continue;
            }
        };
        let group = build::integer(op, IN_PLACE).map(|group| group as u64);
        if let Some(group) = group {
            let (first, other) = *groups.entry(group).or_insert((op, offset));
            if other != offset {
                Diagnostic::new(
                    codes::OFFSET,
                    op.location(),
                    format!(
                        "`{OFFSET}` is {offset}, and {other} at another allocation with the same \
                         `{IN_PLACE}`"
                    ),
                )
                .note(first.location(), "the other one")
                .emit();
                result = Err(Failed);
                continue;
            }
        }
        let arena = build::integer(op, ARENA_NUMBER).map_or(0, |number| number as u64);
        let slice = GivenSlice {
            offset,
            group,
            arena,
            is_of_iteration: op.has_attribute(EACH_ITERATION),
        };
        given.slices.insert(place, slice);
        if let Some(name) = symbols::text(op, MEMORY_SPACE) {
            match names::space(&name) {
                Some(space) => {
                    given.spaces.insert(place, space);
                }
                None => {
                    let why = format!("`{MEMORY_SPACE}` is empty");
                    result = Err(fail(op, codes::OFFSET, why));
                }
            }
        }
    }
    for (buffer, reason) in &analysis.skipped {
        let op = analysis.handles.buffers[buffer.index()];
        if op.has_attribute(OFFSET) {
            let why = format!(
                "`{OFFSET}` fixes an allocation that is not merged: {} [{}]",
                reason.text(),
                reason.id()
            );
            result = Err(fail(op, codes::OFFSET_UNUSED, why));
        }
    }
    given.nested = nested(analysis)?;
    result.map(|()| given)
}

/// The required offset of an allocation or a global.
pub fn offset(op: Op<'_>, alignment: u64) -> Result<u64, String> {
    match build::integer(op, OFFSET).map(u64::try_from) {
        None => Err(format!("`{OFFSET}` is not an integer")),
        Some(Err(_)) => Err(format!("`{OFFSET}` is negative")),
        Some(Ok(offset)) if !offset.is_multiple_of(alignment) => Err(format!(
            "`{OFFSET}` is {offset}, which is not a multiple of the slice's alignment of \
             {alignment} bytes"
        )),
        Some(Ok(offset)) => Ok(offset),
    }
}

fn nested(analysis: &Analysis<'_>) -> Result<NestedOffsets, Failed> {
    let mut callees = FxHashMap::default();
    let mut bodies = FxHashMap::default();
    for (call, op) in analysis.handles.calls.iter().enumerate() {
        let offsets = nested_of(*op)?;
        let numbered = offsets.into_iter().enumerate();
        callees.extend(numbered.map(|(number, place)| ((call, number), place)));
    }
    for (scope, (owner, _)) in analysis.handles.scopes.iter().enumerate() {
        if analysis.program.scopes[scope].outer.is_some() {
            let offsets = nested_of(*owner)?;
            if !offsets.is_empty() {
                bodies.insert(ScopeId::new(scope), offsets);
            }
        }
    }
    Ok(NestedOffsets::ByOwner { callees, bodies })
}

fn nested_of(op: Op<'_>) -> Result<Vec<NestedPlace>, Failed> {
    if !op.has_attribute(NESTED_OFFSETS) {
        return Ok(Vec::new());
    }
    let numbers = |name: &str| {
        let all = build::integers_of(op, name).and_then(|all| {
            let all = all.into_iter().map(|number| u64::try_from(number).ok());
            all.collect::<Option<Vec<u64>>>()
        });
        all.ok_or_else(|| {
            let why = format!("`{name}` is not an array of non-negative integers");
            fail(op, codes::OFFSET, why)
        })
    };
    let offsets = numbers(NESTED_OFFSETS)?;
    let arenas = match op.has_attribute(NESTED_ARENAS) {
        true => numbers(NESTED_ARENAS)?,
        false => Vec::new(),
    };
    let of_iterations = match op.has_attribute(EACH_ITERATION) {
        true => numbers(EACH_ITERATION)?,
        false => Vec::new(),
    };
    let arenas = arenas.into_iter().chain(std::iter::repeat(0));
    let of_iterations = of_iterations.into_iter().chain(std::iter::repeat(0));
    let places = offsets.into_iter().zip(arenas).zip(of_iterations);
    Ok(places
        .map(|((offset, arena), of_iteration)| NestedPlace {
            offset,
            arena,
            is_of_iteration: of_iteration != 0,
        })
        .collect())
}

/// Allocations that an earlier run left alone by choice.
pub fn left(analysis: &Analysis<'_>) -> Vec<BufferId> {
    let all = analysis.plannable.iter().map(|own| own.buffer);
    let left = all.filter(|buffer| {
        let op = analysis.handles.buffers[buffer.index()];
        symbols::text(op, SKIP).is_some_and(|reason| reason == Reason::RaisesHeap.id())
    });
    left.collect()
}

/// Removes the attributes that a written plan leaves without a meaning, and marks what is left alone by choice.
pub fn forget(analysis: &Analysis<'_>) {
    let owners = analysis.handles.scopes.iter().map(|(owner, _)| owner);
    for op in analysis.handles.calls.iter().chain(owners) {
        for name in [NESTED_OFFSETS, NESTED_ARENAS, EACH_ITERATION] {
            if op.has_attribute(name) {
                build::remove_attribute(*op, name);
            }
        }
    }
    for (buffer, reason) in &analysis.skipped {
        let op = analysis.handles.buffers[buffer.index()];
        if *reason == Reason::RaisesHeap {
            // Another run leaves it alone, too.
            build::set_text(op, SKIP, reason.id());
        } else if op.has_attribute(SKIP) {
            build::remove_attribute(op, SKIP);
        }
    }
}
