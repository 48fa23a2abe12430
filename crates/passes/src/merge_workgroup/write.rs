//! Writes a plan into the IR. Takes no decisions.

use super::{decide::Decision, read::Group};
use memplan_mlir::{
    attributions::{add_attribution, remove_attributions},
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION},
    ir::{Val, blocks, erase, replace_all_uses, results, successors, terminator, type_of},
    layout::{rank, static_dimension, with_shape},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    attributes::{ARENA, BUFFER},
    workgroup::{Kernel, KernelKind},
};
use memplan_workgroup::BufferId;
use std::collections::BTreeMap;

/// Merges the buffers of a group.
pub fn write<'c>(
    kernel: &Kernel<'c>,
    group: &Group<'c>,
    decision: &Decision<'c>,
) -> Result<(), BuildError> {
    for barrier in &decision.barriers {
        let builder = Builder::before(barrier.before, barrier.before.location());
        builder.ok_or_else(BuildError::unexpected)?.barrier()?;
    }
    if group.shares_whole {
        return whole(kernel, group, decision);
    }
    let entry = kernel.entry().ok_or_else(BuildError::unexpected)?;
    let first = group.buffers.first().ok_or_else(BuildError::unexpected)?;
    let location = kernel.op.location();
    let start = Builder::at_start(entry, kernel.op, location);
    let size = i64::try_from(decision.plan.bytes).map_err(|_| BuildError::unexpected())?;
    let form = start.bytes_type(size, type_of(first.value));
    let alignment = decision.alignment as i64;
    let arena = match kernel.kind {
        KernelKind::Function { .. } => {
            let alignment = Some(alignment);
            add_attribution(kernel.op, entry, kernel.first_attribution, form, alignment)
        }
        KernelKind::Launch | KernelKind::Loop => {
            let arena = start.alloc(form, alignment)?;
            build::mark(arena, ARENA);
            build::mark(arena, MANUAL_DEALLOCATION);
            results(arena).next().ok_or_else(BuildError::unexpected)?
        }
    };
    let mut offsets: BTreeMap<u64, Val<'c>> = BTreeMap::new();
    for (number, buffer) in group.buffers.iter().enumerate() {
        let offset = decision.plan.offsets[BufferId::new(number)];
        let shift = match offsets.get(&offset) {
            Some(known) => *known,
            None => {
                let new = start.index(offset as i64)?;
                *offsets.entry(offset).or_insert(new)
            }
        };
        let builder = match buffer.alloc {
            Some(alloc) => Builder::before(alloc, alloc.location()),
            None => Some(start),
        };
        let builder = builder.ok_or_else(BuildError::unexpected)?;
        let id = builder.integer_attribute(number as i64);
        let view = builder.view(arena, shift, type_of(buffer.value), &[(BUFFER, id)])?;
        replace_all_uses(buffer.value, view);
    }
    group.frees.iter().copied().for_each(erase);
    group
        .buffers
        .iter()
        .filter_map(|buffer| buffer.alloc)
        .for_each(erase);
    let merged: Vec<Val<'c>> = group
        .buffers
        .iter()
        .filter(|buffer| buffer.alloc.is_none())
        .map(|buffer| buffer.value)
        .collect();
    remove_attributions(kernel.op, entry, kernel.first_attribution, &merged);
    if !matches!(kernel.kind, KernelKind::Function { .. }) {
        for end in blocks(kernel.body).filter_map(terminator) {
            if successors(end).next().is_none() {
                let builder = Builder::before(end, location).ok_or_else(BuildError::unexpected)?;
                build::mark(builder.dealloc(arena)?, MANUAL_DEALLOCATION);
            }
        }
    }
    Ok(())
}

/// Lets the buffers at each offset share a new attribution of the type of the largest.
fn whole<'c>(
    kernel: &Kernel<'c>,
    group: &Group<'c>,
    decision: &Decision<'c>,
) -> Result<(), BuildError> {
    let entry = kernel.entry().ok_or_else(BuildError::unexpected)?;
    let builder = Builder::at_start(entry, kernel.op, kernel.op.location());
    let mut at: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for number in 0..group.buffers.len() {
        let offset = decision.plan.offsets[BufferId::new(number)];
        at.entry(offset).or_default().push(number);
    }
    let mut merged = Vec::new();
    for sharing in at.values().filter(|sharing| sharing.len() > 1) {
        let largest = sharing
            .iter()
            .max_by_key(|number| group.buffers[**number].size);
        let largest = largest.ok_or_else(BuildError::unexpected)?;
        // No cast of it is one to the same type, which canonicalization would remove.
        let form = type_of(group.buffers[*largest].value);
        let ranks = sharing.iter();
        let ranks = ranks.filter_map(|number| rank(type_of(group.buffers[*number].value)));
        let own = 0..rank(form).unwrap_or(0) as i64;
        let own: Vec<i64> = own.filter_map(|at| static_dimension(form, at)).collect();
        let mut sizes = vec![1; ranks.max().unwrap_or(0) + 1 - own.len()];
        sizes.extend(own);
        let form = with_shape(form, &sizes).ok_or_else(BuildError::unexpected)?;
        let new = add_attribution(kernel.op, entry, kernel.first_attribution, form, None);
        for number in sharing {
            let buffer = group.buffers[*number].value;
            let id = builder.integer_attribute(*number as i64);
            let view = builder.start_as(new, type_of(buffer), &[(BUFFER, id)])?;
            replace_all_uses(buffer, view);
            merged.push(buffer);
        }
    }
    remove_attributions(kernel.op, entry, kernel.first_attribution, &merged);
    Ok(())
}
