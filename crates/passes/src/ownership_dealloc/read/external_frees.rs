//! What others free: callees, and `bufferization.dealloc` of the program's own.

use super::OwnershipReader;
use memplan_mlir::{
    calls,
    constants::constant,
    ir::{Identity, Op, Val, operand, parent, users},
    values::is_before,
};
use memplan_ownership::function::{SegmentId, ValueId};
use memplan_semantics::{Capture, Semantics};
use memplan_summaries::FreesArgument;
use smallvec::SmallVec;

/// So many uses of a value are looked at for each call, or it would be quadratic in calls.
const MOST_USES: usize = 256;

/// Is memory that a call gets read, written, freed or returned after the call, on each path?
fn is_touched_after<'c>(call: Op<'c>, val: Val<'c>, semantics: &mut Semantics) -> bool {
    let mut around = Some(call);
    while let Some(op) = around {
        if users(val)
            .take(MOST_USES)
            .any(|user| is_before(op, user) && touches(user, val, semantics))
        {
            return true;
        }
        // Control comes back to what comes after these.
        around = parent(op).filter(|op| {
            semantics.info(*op).is_region_branch() && !semantics.region_order(*op).outlives()
        });
    }
    false
}

/// Does an operation read, write, free or return the memory of one of its operands?
fn touches<'c>(user: Op<'c>, val: Val<'c>, semantics: &mut Semantics) -> bool {
    // Callers own what they get.
    if semantics.info(user).is_return() {
        return true;
    }
    let memory = semantics.of(user);
    // What a call touches, its callee shows.
    let mut uses = memory.operands.iter().filter(|_| !memory.is_call);
    uses.any(|used| {
        let touch = used.touch;
        (touch.reads() || touch.writes() || used.frees.is_some() || used.capture != Capture::No)
            && operand(user, used.operand) == Some(val)
    })
}

impl<'c> OwnershipReader<'c, '_> {
    /// What a `bufferization.dealloc` of the program's names is the program's to free.
    pub(super) fn frees_by_flags(&mut self, op: Op<'c>) {
        let memory = self.semantics.of(op);
        self.retained.extend(self.ids_of(op, &memory.retained));
        for used in &memory.operands {
            let flag = used.frees.map(|frees| frees.flag);
            let flag = flag.map(|flag| flag.and_then(|flag| operand(op, flag)).and_then(constant));
            let id = operand(op, used.operand).and_then(|val| self.id(val));
            match (id, flag) {
                (None, _) | (_, None | Some(Some(0))) => {}
                (Some(id), Some(flag)) => {
                    self.escapes.push((id, op));
                    if flag.is_some() {
                        self.freed_for_sure.insert((id, op.key()));
                    }
                }
            }
        }
    }

    /// What the callee of a call that ends its block does: where control goes from there, memory that it frees is not freed
    /// again.
    pub(super) fn at_end_by_callee(&mut self, op: Op<'c>) {
        let summary = self.callees.summary(op).filter(|summary| !summary.is_union);
        let Some(summary) = summary else {
            return self.carriers_escape(op);
        };
        let first = calls::call_arguments(op).map_or(0, |range| range.start);
        for (at, facet) in summary.arguments.iter().enumerate() {
            let Some(given) = operand(op, (first + at) as u32) else {
                continue;
            };
            if facet.is_kept() {
                let id = self.id(given);
                self.escapes.extend(id.map(|id| (id, op)));
                self.expose(given);
            }
            if facet.is_number_captured {
                self.carrier_escapes(given, op);
            }
        }
    }

    /// What the callee of a call does, as its body shows; the segment after it.
    pub(super) fn by_callee(&mut self, op: Op<'c>, segment: SegmentId) -> SegmentId {
        let summary = self.callees.summary(op);
        if summary.is_none_or(|summary| summary.is_union) {
            // A callee that is not seen may keep or free what it is given the address of.
            self.carriers_escape(op);
        }
        let Some(summary) = summary else {
            return segment;
        };
        let first = calls::call_arguments(op).map_or(0, |range| range.start);
        let argument = |at: usize| operand(op, (first + at) as u32);
        let mut freed: SmallVec<[(Val<'c>, bool); 2]> = SmallVec::new();
        for (at, facet) in summary.arguments.iter().enumerate() {
            let Some(given) = argument(at) else { continue };
            if facet.is_captured {
                let id = self.id(given);
                self.escapes.extend(id.map(|id| (id, op)));
                self.expose(given);
            }
            if facet.is_number_captured {
                self.carrier_escapes(given, op);
            }
            let flag = match facet.frees {
                FreesArgument::IfFlag(at) => argument(at as usize).and_then(constant),
                _ => None,
            };
            let is_certain = match facet.frees {
                FreesArgument::No => continue,
                FreesArgument::IfFlag(_) if flag == Some(0) => continue,
                FreesArgument::IfFlag(_) => flag.is_some(),
                FreesArgument::Always => true,
                FreesArgument::OnSomePaths => false,
            };
            freed.push((given, is_certain));
        }
        // What the program goes on to touch, the callee does not free this time.
        freed.retain(|(val, always)| *always || !is_touched_after(op, *val, self.semantics));
        if freed.is_empty() {
            return segment;
        }
        if self.left.contains(&op.key()) {
            let perhaps = freed.iter().filter(|(_, always)| !always);
            let perhaps: SmallVec<[ValueId; 2]> =
                perhaps.filter_map(|(val, _)| self.id(*val)).collect();
            for id in perhaps {
                self.reading.freed.push((op, id));
                self.left_alone.push((id, op));
            }
            freed.retain(|(_, always)| *always);
        }
        if freed.is_empty() {
            return segment;
        }
        for (val, always) in &freed {
            let Some(id) = self.id(*val) else { continue };
            self.reading.freed.push((op, id));
            if !always {
                self.reading.perhaps_freed.push((id, op));
            }
        }
        self.takes(op, freed.into_iter().map(|(val, _)| val), segment)
    }
}
