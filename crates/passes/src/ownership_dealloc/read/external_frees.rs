//! Memory that is freed by callees, and by `bufferization.dealloc` operations of the program.

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

/// The number of uses that are examined for each call, so that time is not quadratic in calls.
const MAX_USES: usize = 256;

/// Whether memory that a call receives is read, written, freed or returned after it, on each path.
fn is_accessed_after<'c>(call: Op<'c>, val: Val<'c>, semantics: &mut Semantics) -> bool {
    let mut around = Some(call);
    while let Some(op) = around {
        if users(val)
            .take(MAX_USES)
            .any(|user| is_before(op, user) && accesses(user, val, semantics))
        {
            return true;
        }
        // Control returns to the code after these.
        around = parent(op).filter(|op| {
            semantics.info(*op).is_region_branch() && !semantics.region_order(*op).outlives()
        });
    }
    false
}

/// Whether an operation reads, writes, frees or returns the memory of an operand.
fn accesses<'c>(user: Op<'c>, val: Val<'c>, semantics: &mut Semantics) -> bool {
    // Callers own the result.
    if semantics.info(user).is_return() {
        return true;
    }
    let memory = semantics.of(user);
    // The effects of a call are in the summary of its callee.
    let mut uses = memory.operands.iter().filter(|_| !memory.is_call);
    uses.any(|used| {
        let touch = used.touch;
        (touch.reads() || touch.writes() || used.frees.is_some() || used.capture != Capture::No)
            && operand(user, used.operand) == Some(val)
    })
}

impl<'c> OwnershipReader<'c, '_> {
    /// Reads a `bufferization.dealloc` of the program: its operands are the program's to free.
    pub(super) fn read_program_dealloc(&mut self, op: Op<'c>) {
        let memory = self.semantics.of(op);
        self.retained.extend(self.operand_ids(op, &memory.retained));
        for used in &memory.operands {
            let flag = used.frees.map(|frees| frees.flag);
            let flag = flag.map(|flag| flag.and_then(|flag| operand(op, flag)).and_then(constant));
            let id = operand(op, used.operand).and_then(|val| self.value_id(val));
            match (id, flag) {
                (None, _) | (_, None | Some(Some(0))) => {}
                (Some(id), Some(flag)) => {
                    self.escapes.push((id, op));
                    if flag.is_some() {
                        self.always_freed.insert((id, op.key()));
                    }
                }
            }
        }
    }

    /// Reads a call that ends its block, by the callee's summary. Memory that it frees is not freed again at
    /// its targets.
    pub(super) fn read_callee_of_terminator(&mut self, op: Op<'c>) {
        let summary = self.callees.summary(op).filter(|summary| !summary.is_union);
        let Some(summary) = summary else {
            return self.operand_pointees_escape(op);
        };
        let first = calls::call_arguments(op).map_or(0, |range| range.start);
        for (at, facet) in summary.arguments.iter().enumerate() {
            let Some(argument_value) = operand(op, (first + at) as u32) else {
                continue;
            };
            if facet.is_kept() {
                let id = self.value_id(argument_value);
                self.escapes.extend(id.map(|id| (id, op)));
                self.expose(argument_value);
            }
            if facet.is_number_captured {
                self.pointees_escape(argument_value, op);
            }
        }
    }

    /// Reads the effects of a call by the callee's summary. Returns the segment after it.
    pub(super) fn read_callee_effects(&mut self, op: Op<'c>, segment: SegmentId) -> SegmentId {
        let summary = self.callees.summary(op);
        if summary.is_none_or(|summary| summary.is_union) {
            // An unknown callee may capture or free the pointees of its arguments.
            self.operand_pointees_escape(op);
        }
        let Some(summary) = summary else {
            return segment;
        };
        let first = calls::call_arguments(op).map_or(0, |range| range.start);
        let argument = |at: usize| operand(op, (first + at) as u32);
        let mut freed: SmallVec<[(Val<'c>, bool); 2]> = SmallVec::new();
        for (at, facet) in summary.arguments.iter().enumerate() {
            let Some(argument_value) = argument(at) else {
                continue;
            };
            if facet.is_captured {
                let id = self.value_id(argument_value);
                self.escapes.extend(id.map(|id| (id, op)));
                self.expose(argument_value);
            }
            if facet.is_number_captured {
                self.pointees_escape(argument_value, op);
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
            freed.push((argument_value, is_certain));
        }
        // If the program uses the memory afterwards, the callee does not free it this time.
        freed.retain(|(val, always)| *always || !is_accessed_after(op, *val, self.semantics));
        if freed.is_empty() {
            return segment;
        }
        if self.left_to_program.contains(&op.key()) {
            let perhaps = freed.iter().filter(|(_, always)| !always);
            let perhaps: SmallVec<[ValueId; 2]> =
                perhaps.filter_map(|(val, _)| self.value_id(*val)).collect();
            for id in perhaps {
                self.reading.freed.push((op, id));
                self.perhaps_left.push((id, op));
            }
            freed.retain(|(_, always)| *always);
        }
        if freed.is_empty() {
            return segment;
        }
        for (val, always) in &freed {
            let Some(id) = self.value_id(*val) else {
                continue;
            };
            self.reading.freed.push((op, id));
            if !always {
                self.reading.perhaps_freed.push((id, op));
            }
        }
        self.consumes(op, freed.into_iter().map(|(val, _)| val), segment)
    }
}
