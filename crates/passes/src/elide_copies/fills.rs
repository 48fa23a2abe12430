//! Copies of a buffer that was filled, and not written since, become fills, and so do copies of constant globals whose
//! elements are equal.
//!
//! CSE makes one buffer of several that are filled with the same value. Bufferization then copies it for each
//! writer except the last one, so it is live through the function. A fill writes the same bytes, and reads
//! none. The fill of the buffer itself is then moved to its next use.
//!
//! A copy of a global that no other operation writes may become a view, and is left alone.

use super::{globals::Globals, read::uses_at};
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, Use, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    build::Builder,
    copy::copy_before,
    ir::{
        Identity, Key, Op, Origin, Val, ancestor_in, element_of, erase, is_memref, is_unused,
        operands, origin, parent_block, results, type_of, uses,
    },
    layout::have_same_shape,
    melior::ir::{Attribute, operation::OperationLike},
    structured_ops::{fill_before, yielded_value},
    values::{is_before, move_before, set_operand},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};

/// A filled buffer.
struct Filled<'c> {
    /// The buffer.
    value: Val<'c>,
    /// Its fill.
    fill: Op<'c>,
    /// Copies of it that become fills.
    copies: Vec<Op<'c>>,
    /// Its next use after that.
    rest: Rest<'c>,
}

/// The first use of a buffer after the copies.
#[derive(Clone, Copy)]
enum Rest<'c> {
    /// There is none.
    None,
    /// This operation, or one nested in it, which is in the block of the fill.
    Op(Op<'c>),
    /// It is in another block.
    Elsewhere,
}

/// Replaces copies by fills; `tell` is called for each one before. Returns their number; the analysis is
/// invalid if there are any. `gone` receives the allocations that are unused afterwards.
pub fn run<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
    gone: &mut FxHashSet<Key>,
    mut tell: impl FnMut(Op<'c>),
) -> usize {
    let found = find(analysis, semantics);
    let splats = find_splats(analysis, semantics, globals);
    let mut count = 0;
    let mut replaced = FxHashMap::default();
    for one in &found {
        count += one.copies.len();
        one.copies.iter().copied().for_each(&mut tell);
        write(one, semantics, gone, &mut replaced);
    }
    for one in splats {
        tell(one.copy);
        count += usize::from(write_splat(&one).is_some());
    }
    count
}

fn find<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics) -> Vec<Filled<'c>> {
    let program = &analysis.program;
    let mut uses_of: Vec<Vec<&Use>> = vec![Vec::new(); program.buffers.len()];
    let mut is_plain = vec![true; program.buffers.len()];
    for used in &program.uses {
        let base = analysis.aliases.base(used.value);
        if let ValueKind::Alloc(buffer) = program.values[base.index()].kind
            && used.kind != UseKind::Mention
        {
            uses_of[buffer.index()].push(used);
        }
    }
    for (index, value) in program.values.iter().enumerate() {
        if value.kind == ValueKind::Merge {
            for buffer in analysis.aliases.buffers(ValueId::new(index)) {
                is_plain[buffer.index()] = false;
            }
        }
    }
    for entry in &program.pending {
        for buffer in entry
            .values
            .iter()
            .flat_map(|value| analysis.aliases.buffers(*value))
        {
            is_plain[buffer.index()] = false;
        }
    }
    let planned = analysis.plannable.iter().map(|one| one.buffer);
    planned
        .filter(|buffer| is_plain[buffer.index()])
        .filter_map(|buffer| one(analysis, buffer, &uses_of[buffer.index()], semantics))
        .collect()
}

fn one<'c>(
    analysis: &Analysis<'c>,
    buffer: BufferId,
    uses: &[&Use],
    semantics: &mut Semantics,
) -> Option<Filled<'c>> {
    let program = &analysis.program;
    let [first, others @ ..] = uses else {
        return None;
    };
    let fill = analysis.handles.op_at(first.position)?;
    let own = program.buffers[buffer.index()].value;
    let filled = semantics.fill(fill)?;
    if first.kind != UseKind::Overwrite || !program.is_all_of(first.value, own) {
        return None;
    }
    // A view of another element type does not read the filled values.
    let memref = type_of(operands(fill).nth(filled.memref as usize)?);
    let copies_elements = |op: Op<'c>, semantics: &mut Semantics| {
        semantics.copy(op).is_some_and(|copy| {
            let from = operands(op).nth(copy.from as usize).map(type_of);
            copy.order.is_none() && from.is_some_and(|from| element_of(from) == element_of(memref))
        })
    };
    let home = parent_block(fill)?;
    let around = |used: &Use| {
        let op = analysis.handles.op_at(used.position)?;
        ancestor_in(op, home)
    };
    // A write after the fill ends the filled contents, also for uses in the next iteration of the same loop.
    let written = others.iter().find(|used| used.writes);
    let end = match written {
        Some(used) => Some(around(used)?),
        None => None,
    };
    let mut copies = Vec::new();
    let mut rest = Rest::None;
    for used in others {
        let stands = around(used);
        let before = |op: Op<'c>| end.is_none_or(|end| op.key() != end.key() && is_before(op, end));
        let copy = analysis.handles.op_at(used.position);
        match (copy, stands) {
            (Some(copy), Some(stands)) if copies_elements(copy, semantics) && before(stands) => {
                copies.push(copy);
            }
            (_, Some(stands)) if matches!(rest, Rest::None) => rest = Rest::Op(stands),
            (_, None) => rest = Rest::Elsewhere,
            _ => {}
        }
    }
    let value = analysis.handles.values[own.index()];
    (!copies.is_empty()).then_some(Filled {
        value,
        fill,
        copies,
        rest,
    })
}

/// `replaced`: the fills that replaced copies, of this buffer and of earlier ones.
fn write<'c>(
    one: &Filled<'c>,
    semantics: &mut Semantics,
    gone: &mut FxHashSet<Key>,
    replaced: &mut FxHashMap<Key, Op<'c>>,
) {
    for copy in &one.copies {
        let (Some(copied), Some(filled)) = (semantics.copy(*copy), semantics.fill(one.fill)) else {
            continue;
        };
        let target = operands(*copy).nth(copied.to as usize);
        let (Some(target), Some(block)) = (target, parent_block(*copy)) else {
            continue;
        };
        let memref = operands(one.fill).nth(filled.memref as usize).map(type_of);
        let fits = filled.takes_any_shape
            || memref.is_some_and(|memref| have_same_shape(type_of(target), memref));
        let fill = match fits {
            true => copy_before(one.fill, block, *copy).inspect(|fill| {
                set_operand(*fill, filled.memref as usize, target);
            }),
            // A fill by another operation has the shape of its memref.
            false => {
                let value = match filled.value {
                    Some(value) => operands(one.fill).nth(value as usize),
                    None => yielded_value(one.fill),
                };
                value.and_then(|value| fill_before(*copy, value, target))
            }
        };
        if let Some(fill) = fill {
            replaced.insert(copy.key(), fill);
            erase(*copy);
        }
    }
    match one.rest {
        Rest::None => {
            erase(one.fill);
            forget(one.value, semantics, gone);
        }
        Rest::Op(next) => {
            // The next writer of the buffer may have been a copy of another filled buffer.
            let next = replaced.get(&next.key()).copied().unwrap_or(next);
            // Views through which it is filled precede the fill.
            move_before(one.fill, next);
        }
        Rest::Elsewhere => {}
    }
}

/// A copy of a constant global whose elements are equal.
struct Splat<'c> {
    copy: Op<'c>,
    target: Val<'c>,
    element: Attribute<'c>,
}

/// Copies of such globals to buffers that other operations write, too. A program without structured operations gets
/// none.
fn find_splats<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
) -> Vec<Splat<'c>> {
    let program = &analysis.program;
    let mut found = Vec::new();
    let mut is_structured = false;
    for (position, op) in &analysis.handles.ops {
        is_structured |= semantics.table_facts(*op).is_structured;
        let [read, written] = uses_at(program, *position) else {
            continue;
        };
        let base = analysis.aliases.base(read.value);
        let target = analysis.aliases.base(written.value);
        let ValueKind::Alloc(to) = program.values[target.index()].kind else {
            continue;
        };
        let Some(copy) = semantics.copy(*op) else {
            continue;
        };
        let own = analysis.handles.values[base.index()];
        let element = globals.constant(own, semantics).flatten();
        let source = operands(*op).nth(copy.from as usize).map(type_of);
        let is_same = source.map(element_of) == Some(element_of(type_of(own)));
        let target = operands(*op).nth(copy.to as usize);
        if let (Some(element), Some(target), true) = (element, target, is_same) {
            let splat = Splat {
                copy: *op,
                target,
                element: element.get(),
            };
            found.push((to, splat));
        }
    }
    if !is_structured || found.is_empty() {
        return Vec::new();
    }
    let mut writes = vec![0_u32; program.buffers.len()];
    for used in program.uses.iter().filter(|used| used.writes) {
        for buffer in analysis.aliases.buffers(used.value) {
            writes[buffer.index()] += 1;
        }
    }
    found.retain(|(to, _)| writes[to.index()] > 1);
    found.into_iter().map(|(_, splat)| splat).collect()
}

fn write_splat<'c>(one: &Splat<'c>) -> Option<()> {
    let builder = Builder::before(one.copy, one.copy.location())?;
    let value = builder.constant_of(one.element).ok()?;
    fill_before(one.copy, value, one.target)?;
    erase(one.copy);
    Some(())
}

/// Erases an unused allocation, with its views and deallocations.
fn forget(value: Val<'_>, semantics: &mut Semantics, gone: &mut FxHashSet<Key>) {
    forget_users(value, semantics, gone);
    if let Some(Origin::Result(alloc, _)) = origin(value)
        && results(alloc).all(is_unused)
    {
        gone.insert(alloc.key());
        erase(alloc);
    }
}

/// Erases views and deallocations of a value.
fn forget_users(value: Val<'_>, semantics: &mut Semantics, gone: &mut FxHashSet<Key>) {
    let all: Vec<Op<'_>> = uses(value).map(|(op, _)| op).collect();
    for op in all {
        // It may use the value twice, or also a view of it.
        if gone.contains(&op.key()) {
            continue;
        }
        let views: Vec<Val<'_>> = results(op)
            .filter(|result| is_memref(type_of(*result)))
            .collect();
        for view in &views {
            forget_users(*view, semantics, gone);
        }
        let is_view = !views.is_empty() && results(op).all(is_unused);
        if is_view || semantics.is_deallocation(op) {
            gone.insert(op.key());
            erase(op);
        }
    }
}
