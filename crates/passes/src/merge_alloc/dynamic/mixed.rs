//! Buffers of static size among those of dynamic size.
//!
//! An arena has a static part, and what is dynamic follows it. Both are never reused for each other then, also where they are
//! never live at the same time. One order of all buffers reuses them: a static size is a number of bytes without dimensions.
//!
//! Such a stack takes no more than both parts, for any values: what holds for these holds for it.

use super::{
    PlanOptions,
    decide::{Part, Slots},
    facts::{Bounds, Candidate, DynamicFacts, Size, Term},
    groups::{Known, Lives},
    stack::{Limit, MOST_GROUPS, Question, Replaced, choices, members},
};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::melior::ir::operation::OperationLike;
use memplan_semantics::attributes::OFFSET;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Largest buffer of static size that has a place among others, in bytes: sizes are added at run time.
const MOST_BYTES: u64 = 1 << 40;

/// Plans the buffers of both parts of an arena together, where that takes less. The `parts` are those that
/// [`super::multiples`] and [`super::stack`] have planned since then.
pub fn plan(
    known: &Known<'_, '_>,
    facts: &DynamicFacts,
    parts: &[Part],
    slots: &mut [Slots],
    options: &PlanOptions,
) {
    let mut parts = parts.iter();
    for slots in slots {
        let company = facts.company(slots.scope, &slots.space);
        for part in &mut slots.parts {
            let original = parts.next();
            let fixed = company.map_or(&[][..], |company| &company.fixed);
            if let Some(original) = original
                && part.is_after_static
                && !part.slots.is_empty()
                && may_mix(known, fixed)
                && let Some(mixed) = mix(known, &facts.bounds, (original, part), fixed, options)
            {
                *part = mixed;
            }
        }
    }
}

/// Whether the buffers of static size may have places among others.
fn may_mix(known: &Known<'_, '_>, fixed: &[Candidate]) -> bool {
    let own: FxHashSet<BufferId> = fixed.iter().map(|one| one.buffer).collect();
    let mut takeovers = known.analysis.takeovers.iter();
    // Copies become redundant where buffers share bytes in the static part.
    let has_copies = takeovers.any(|one| one.copy.is_some() && own.contains(&one.from));
    let are_small = fixed
        .iter()
        .all(|one| (1..=MOST_BYTES).contains(&one.size.bytes));
    let ops = &known.analysis.handles.buffers;
    let mut buffers = fixed.iter();
    let has_offsets = buffers.any(|one| ops[one.buffer.index()].has_attribute(OFFSET));
    !fixed.is_empty() && fixed.len() <= MOST_GROUPS && are_small && !has_copies && !has_offsets
}

fn mix(
    known: &Known<'_, '_>,
    bounds: &Bounds,
    (original, part): (&Part, &Part),
    fixed: &[Candidate],
    options: &PlanOptions,
) -> Option<Part> {
    let buffers: Vec<BufferId> = fixed.iter().map(|one| one.buffer).collect();
    let sizes: Vec<usize> = fixed.iter().map(|one| one.size.bytes as usize).collect();
    let (groups, _) = known.groups(&buffers, &sizes, options)?;
    // The least that the static part takes.
    let bytes = Lives::of(&groups).load(|group| groups[group].size as u64);
    let mut all = members(known, bounds, original)?;
    all.extend(fixed.iter().map(|one| (one.buffer, one.term())));
    all.sort_unstable_by_key(|(buffer, _)| *buffer);
    let mut limits = choices(part);
    let fixed_part = Term {
        size: Size::fixed(bytes),
        guards: SmallVec::new(),
        held: (0, 1),
    };
    for sum in &mut limits {
        sum.add(&fixed_part);
    }
    let slot = Question {
        known,
        bounds,
        members: all,
        limit: Limit::Slots(limits),
        options,
    }
    .slot(Some(Replaced { bytes, part }))?;
    Some(Part {
        slots: vec![slot],
        ..part.clone()
    })
}
