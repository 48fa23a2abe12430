//! The operations around the peak of an arena, for the report.

use super::plan::{Arena, Plan};
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, UseKind},
    ranges::Position,
};
use memplan_mlir::{
    ir::{Op, location_text},
    melior::ir::operation::OperationLike,
    names::name_of,
};
use memplan_report::{NamedOp, PeakBuffer, PeakReport, ScopeReport, load};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The buffers that are described.
const MOST: usize = 16;

/// The operations around the peak of an arena, whose report this is so far. `None` where nothing is live.
pub fn peak(
    analysis: &Analysis<'_>,
    plan: &Plan,
    arena: &Arena,
    report: &ScopeReport,
) -> Option<PeakReport> {
    let blocks = load::blocks(report);
    let peak = load::peak(&load::curve(&blocks))?;
    let is_at_peak = |&(start, end): &(u64, u64)| start <= peak.start && peak.start < end;
    let live = report.buffers.iter().zip(&arena.slices);
    let mut live: Vec<_> = live
        .filter_map(|(buffer, slice)| {
            Some((
                buffer,
                slice,
                buffer.live.iter().find(|one| is_at_peak(one))?,
            ))
        })
        .collect();
    live.sort_by_key(|(buffer, ..)| Reverse(buffer.size));
    live.truncate(MOST);
    // Which of these are memory of a buffer of the program.
    let ids: FxHashMap<BufferId, usize> = live
        .iter()
        .enumerate()
        .filter(|(_, (_, slice, _))| plan.guest(analysis, slice).is_none())
        .map(|(number, (_, slice, _))| (analysis.plannable[slice.plannable].buffer, number))
        .collect();
    let mut used = vec![false; live.len()];
    let mut next = vec![None; live.len()];
    let uses = &analysis.program.uses;
    let first = uses.partition_point(|one| u64::from(one.position) < peak.start);
    // What is live there is used no later.
    let last = live.iter().map(|(.., range)| range.1).max().unwrap_or(0);
    for one in &uses[first..] {
        let position = u64::from(one.position);
        if position >= last {
            break;
        }
        if one.kind == UseKind::Mention {
            continue;
        }
        for buffer in analysis.aliases.buffers(one.value) {
            let Some(&number) = ids.get(&buffer) else {
                continue;
            };
            match position < peak.end {
                true => used[number] = true,
                false => next[number] = next[number].or(Some(one.position)),
            }
        }
    }
    let buffers = live
        .iter()
        .enumerate()
        .map(|(number, (buffer, _, range))| PeakBuffer {
            id: buffer.id,
            made_by: at(analysis, range.0).unwrap_or_default(),
            is_used: used[number],
            next_use: next[number].and_then(|position: Position| at(analysis, u64::from(position))),
        });
    Some(PeakReport {
        op: at(analysis, peak.start)?,
        buffers: buffers.collect(),
    })
}

/// The operation at a position, or the last one before.
fn at(analysis: &Analysis<'_>, position: u64) -> Option<NamedOp> {
    let ops = &analysis.handles.ops;
    let after = ops.partition_point(|(one, _)| u64::from(*one) <= position);
    let (_, op) = ops.get(after.checked_sub(1)?)?;
    Some(named(*op))
}

fn named(op: Op<'_>) -> NamedOp {
    NamedOp {
        name: name_of(op),
        location: location_text(op.location()),
    }
}
