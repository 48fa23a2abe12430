//! The uses of a buffer, in the block that has all of them.

use super::blocks::{Blocks, Steps};
use crate::op_effects::{AccessAnalysis, Root};
use memplan_declarations::recompute::Refusal;
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, UseKind, ValueId, ValueKind},
};
use memplan_mlir::ir::{
    Block, Identity, Op, ancestor_in, block_parent, is_memref, operands, parent_block, results,
    type_of, uses,
};
use memplan_semantics::{
    RegionOrder, Semantics, TypeClass,
    attributes::{RECOMPUTED, has_other_than},
    declared::is_effect_free,
};
use rustc_hash::FxHashSet;

/// Largest number of uses of a buffer that are visited.
const MOST_USES: usize = 1 << 12;

/// Whether an operation forwards an operand, or takes its address.
fn has_other_names(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut results = results(op).map(type_of);
    results.any(|one| semantics.class(one) != TypeClass::Data)
        || semantics.returns_addresses(op)
        || semantics.info(op).is_terminator()
}

/// The innermost block with all uses. No body of a parallel loop is between it and the allocation.
fn home<'c>(
    alloc: Op<'c>,
    users: &[Op<'c>],
    semantics: &mut Semantics,
) -> Result<Block<'c>, Refusal> {
    let own = parent_block(alloc).ok_or(Refusal::Paths)?;
    let mut home = match users.first() {
        Some(first) => parent_block(*first).ok_or(Refusal::Paths)?,
        None => own,
    };
    let around = |block: Block<'c>| block_parent(block).and_then(parent_block);
    for user in users {
        while ancestor_in(*user, home).is_none() {
            home = around(home).ok_or(Refusal::Paths)?;
        }
    }
    let mut at = home;
    while at.key() != own.key() {
        let owner = block_parent(at).ok_or(Refusal::Paths)?;
        if semantics.of(owner).regions != RegionOrder::Sequential {
            return Err(Refusal::Paths);
        }
        at = parent_block(owner).ok_or(Refusal::Paths)?;
    }
    Ok(home)
}

/// How a step touches a buffer, if it does.
fn touch(
    analysis: &Analysis<'_>,
    steps: &Steps<'_>,
    number: u32,
    buffer: BufferId,
) -> Option<Touch> {
    let program = &analysis.program;
    let step = steps.steps.get(number as usize)?;
    let reads = step.reads.contains(&buffer.0);
    let writes = step.writes.contains(&buffer.0);
    let own = program.buffers[buffer.index()].value;
    let first = program
        .uses
        .partition_point(|used| used.position < step.start);
    let mut at = program.uses[first..]
        .iter()
        .take_while(|used| used.position == step.start);
    let overwrites = step.start == step.end
        && !reads
        && at.any(|used| {
            used.kind == UseKind::Overwrite
                && analysis.aliases.base(used.value) == own
                && program.is_all_of(used.value, own)
        });
    (reads || writes).then_some(Touch {
        step: number,
        writes,
        overwrites,
    })
}

/// Memory that asynchronous operations use.
pub fn pending(analysis: &Analysis<'_>, accesses: &AccessAnalysis<'_, '_>) -> FxHashSet<Root> {
    let pending = analysis.program.pending.iter();
    let values = pending.flat_map(|entry| &entry.values);
    let roots = values.flat_map(|value| accesses.roots_of(analysis.handles.values[value.index()]));
    roots.collect()
}

/// The uses of a buffer.
#[derive(Clone)]
pub struct BufferUses<'c> {
    /// The block, by index.
    pub block: usize,
    /// The steps of the block that touch the contents, ascending; a deallocation is none.
    pub touches: Vec<Touch>,
    /// The deallocation of the block.
    pub freed: Option<Op<'c>>,
    /// Whether the block allocates it.
    pub is_local: bool,
}

/// A step that touches a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub step: u32,
    pub writes: bool,
    /// Whether it overwrites the whole buffer, and reads nothing of it.
    pub overwrites: bool,
}

/// Whether an operation only views this operand, by one memref.
pub fn is_view(op: Op<'_>, operand: usize, semantics: &mut Semantics) -> bool {
    let memory = semantics.of(op);
    let is_source = memory.view_source() == Some(operand as u32) && memory.only_views();
    let mut results = results(op);
    let is_one = results.next().is_some_and(|one| is_memref(type_of(one)));
    is_source && is_one && results.next().is_none() && is_effect_free(op)
}

impl<'c> BufferUses<'c> {
    /// Reads the uses of all buffers that are planned.
    pub fn of_all(
        analysis: &Analysis<'c>,
        blocks: &Blocks<'c>,
        pending: &FxHashSet<Root>,
        semantics: &mut Semantics,
    ) -> Vec<Result<Self, Refusal>> {
        let program = &analysis.program;
        let mut is_merged = vec![false; program.buffers.len()];
        for (index, value) in program.values.iter().enumerate() {
            if value.kind == ValueKind::Merge {
                for buffer in analysis.aliases.buffers(ValueId::new(index)) {
                    is_merged[buffer.index()] = true;
                }
            }
        }
        let uses = analysis.plannable.iter().map(|plannable| {
            let buffer = plannable.buffer;
            if is_merged[buffer.index()] || pending.contains(&buffer.0) {
                Err(Refusal::Aliases)
            } else if !plannable.carried.is_empty() {
                Err(Refusal::Rewritten)
            } else {
                BufferUses::of(analysis, blocks, buffer, semantics)
            }
        });
        uses.collect()
    }

    /// Reads the uses of a buffer that is planned.
    pub fn of(
        analysis: &Analysis<'c>,
        blocks: &Blocks<'c>,
        buffer: BufferId,
        semantics: &mut Semantics,
    ) -> Result<Self, Refusal> {
        let alloc = analysis.handles.buffers[buffer.index()];
        if has_other_than(alloc, RECOMPUTED) {
            return Err(Refusal::Marked);
        }
        let value = analysis.handles.values[analysis.program.buffers[buffer.index()].value.index()];
        let mut users = Vec::new();
        let mut frees = Vec::new();
        let mut open = vec![value];
        while let Some(view) = open.pop() {
            for (op, operand) in uses(view) {
                if users.len() + open.len() > MOST_USES {
                    return Err(Refusal::Long);
                }
                if semantics.is_deallocation(op) {
                    frees.push((op, view.key() == value.key()));
                } else if is_view(op, operand, semantics) {
                    open.extend(results(op));
                } else if has_other_names(op, semantics) {
                    return Err(Refusal::Aliases);
                } else {
                    users.push(op);
                }
            }
        }
        let home = home(alloc, &users, semantics)?;
        let place = *blocks.places.get(&home.key()).ok_or(Refusal::Paths)?;
        let steps = &blocks.all[place];
        if steps.is_in_strips {
            return Err(Refusal::Strips);
        }
        let mut found = Self {
            block: place,
            touches: Vec::new(),
            freed: None,
            is_local: parent_block(alloc).is_some_and(|own| own.key() == home.key()),
        };
        let mut touching: Vec<u32> = Vec::with_capacity(users.len());
        for user in users {
            let step = ancestor_in(user, home).ok_or(Refusal::Paths)?;
            touching.extend(blocks.step_of.get(&step.key()));
        }
        touching.sort_unstable();
        touching.dedup();
        for step in touching {
            found.touches.extend(touch(analysis, steps, step, buffer));
        }
        if let [(free, is_all)] = frees[..] {
            let last = found.touches.last().map(|touch| touch.step);
            let step = blocks.step_of.get(&free.key()).copied();
            let is_at_end = parent_block(free).is_some_and(|block| block.key() == home.key())
                && is_all
                && step > last
                && operands(free).count() == 1;
            if !is_at_end {
                return Err(Refusal::Freed);
            }
            found.freed = Some(free);
        } else if !analysis.program.deallocs.is_empty() {
            // No later pass frees the memory of a function that frees some itself.
            return Err(Refusal::Freed);
        }
        Ok(found)
    }
}
