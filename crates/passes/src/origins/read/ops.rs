//! The effects of operations on memrefs, and the formulas of conditions.

use super::OriginsReader;
use crate::origins::{
    Allocation, BY_ANY, DeallocOperand, DeallocSite, MOVED, View, is_dealloc, marks_of,
};
use memplan_mlir::{
    build, calls,
    ir::{Identity, Op, Val, is_memref, is_unused, operand, operands, regions, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    conditions::Formula,
    dealloc::FlagId,
    function::{SegmentId, StepIndex, ValueId, ValueKind},
};
use memplan_semantics::{
    Capture, Computes, OpMemory, ResultFact, TypeClass, Unnamed, arithmetic::Binary,
};
use memplan_summaries::ResultFacet;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

impl<'c> OriginsReader<'c, '_> {
    /// Visits an operation whose regions touch no memrefs.
    pub(super) fn visit_op(&mut self, op: Op<'c>, segment: SegmentId, step: StepIndex) {
        // A dealloc without memrefs is included: it frees nothing and can be erased.
        if is_dealloc(op, self.semantics) {
            return self.visit_dealloc(op, Some(segment));
        }
        let has_results = results(op).any(|result| is_memref(type_of(result)));
        if !has_results && !operands(op).any(|operand| is_memref(type_of(operand))) {
            self.visit_condition(op);
            return;
        }
        let memory = self.semantics.of(op);
        if memory.is_call {
            return self.visit_call(op, segment, step);
        }
        let operand_values: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        match view_source(&memory, &operand_values) {
            Some(source) => self.visit_view(op, source, &operand_values),
            None => self.visit_uses(op, &memory, &operand_values),
        }
        for (at, result) in results(op).enumerate() {
            if is_memref(type_of(result)) {
                let fact = memory.result(at);
                self.visit_result(op, result, fact, &memory, (segment, step));
            }
        }
        if is_allocation(op, &memory)
            && let Some(new) = results(op).next()
        {
            let id = self.operand(new).id;
            self.reading.allocations.push(Allocation { id, op });
        }
    }

    /// A view of a memref.
    fn visit_view(&mut self, op: Op<'c>, source: Val<'c>, operand_values: &[Val<'c>]) {
        let id = self.operand(source).id;
        // Other memref operands are read for the shape of the view.
        for operand in operand_values
            .iter()
            .filter(|operand| is_memref(type_of(**operand)))
        {
            let other = self.operand(*operand).id;
            if other != id {
                self.reading.uses[other.index()] += 1;
            }
        }
        // The numbers of a descriptor may be used for anything, but do not use the memory.
        self.reading.views.push(View { id, op, source });
        if results(op).any(|result| !is_memref(type_of(result)) && !is_unused(result)) {
            self.reading.uses[id.index()] += 1;
        }
    }

    /// Memref operands of an operation that is no view.
    fn visit_uses(&mut self, op: Op<'c>, memory: &OpMemory, operand_values: &[Val<'c>]) {
        let get_out = self.captured_operands(op, memory, operand_values.len());
        for (operand, gets_out) in operand_values.iter().zip(get_out) {
            if is_memref(type_of(*operand)) {
                let used = self.used(*operand);
                if gets_out {
                    self.reading.memory.escapes.push(used.id);
                }
            }
        }
    }

    /// For each operand, whether the operation or anything else may use its memory later, through values that
    /// are not followed.
    fn captured_operands(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        count: usize,
    ) -> SmallVec<[bool; 8]> {
        let mut out: SmallVec<[bool; 8]> = smallvec![false; count];
        for used in &memory.operands {
            out[used.operand as usize] = used.capture != Capture::No;
        }
        for (at, result) in results(op).enumerate() {
            match memory.result(at) {
                Some(ResultFact::Unknown { may_be: of } | ResultFact::Address { of }) => {
                    of.iter().for_each(|operand| out[*operand as usize] = true);
                }
                // The values that such a token turns into are not known.
                Some(ResultFact::Token)
                    if self.semantics.class(type_of(result)) == TypeClass::UnknownToken =>
                {
                    out.fill(true);
                }
                _ => {}
            }
        }
        out
    }

    /// Adds the value of a memref result.
    fn visit_result(
        &mut self,
        op: Op<'c>,
        result: Val<'c>,
        fact: Option<&ResultFact>,
        memory: &OpMemory,
        (segment, step): (SegmentId, StepIndex),
    ) {
        let memref = |number| operand(op, number).filter(|val| is_memref(type_of(*val)));
        let source = match fact {
            Some(ResultFact::View { of, .. }) => memref(*of),
            // The result may alias the operand only if the operation frees the old memory. A clone stays a
            // copy as long as it is not folded.
            Some(ResultFact::New { may_share, .. }) if memory.reallocates() => {
                may_share.and_then(memref)
            }
            _ => None,
        };
        match (fact, source) {
            (Some(ResultFact::View { start, .. }), Some(source)) => {
                let source = self.operand(source);
                self.memory.ids.insert(result.key(), source.id);
                if source.is_moved || start.moves(op) {
                    self.moved.insert(result.key());
                }
            }
            (Some(ResultFact::AnyOf(of)), _) => {
                let from = of.iter().filter_map(|operand| memref(*operand));
                let from: SmallVec<[DeallocOperand<'c>; 4]> =
                    from.map(|operand| self.operand(operand)).collect();
                self.add_any_of(&from, segment, step, result);
            }
            (Some(ResultFact::New { by, .. }), Some(old)) => {
                let new = self.add_fresh(None, segment, step, marks_of(*by));
                let old = self.operand(old);
                self.add_any_of(&[old], segment, step, result);
                self.add_source(result, new);
            }
            (Some(ResultFact::New { by, .. }), None) => {
                self.add_fresh(Some(result), segment, step, marks_of(*by));
            }
            (Some(ResultFact::Borrowed), _) => {
                self.value(ValueKind::Foreign, segment, Some(step), Some(result));
            }
            _ => {
                self.unknown(segment, Some(step), result);
            }
        }
    }

    /// Adds new memory; `val` is its memref, if there is one.
    fn add_fresh(
        &mut self,
        val: Option<Val<'c>>,
        segment: SegmentId,
        step: StepIndex,
        marks: u8,
    ) -> ValueId {
        let kind = ValueKind::Fresh {
            owned: true,
            may_alias: None,
        };
        let id = self.value(kind, segment, Some(step), val);
        self.reading.memory.marks[id.index()] = marks;
        id
    }

    fn add_any_of(
        &mut self,
        used: &[DeallocOperand<'c>],
        segment: SegmentId,
        step: StepIndex,
        result: Val<'c>,
    ) {
        let sources = used.iter().map(|operand| operand.id).collect();
        let id = self.value(ValueKind::AnyOf(sources), segment, Some(step), Some(result));
        if used.iter().any(|operand| operand.is_moved) {
            self.reading.memory.marks[id.index()] |= MOVED;
        }
    }

    fn add_source(&mut self, result: Val<'c>, source: ValueId) {
        let id = self.memory.ids[&result.key()];
        if let ValueKind::AnyOf(sources) = &mut self.memory.function.values[id.index()].kind {
            sources.push(source);
        }
    }

    pub(super) fn visit_dealloc(&mut self, op: Op<'c>, segment: Option<SegmentId>) {
        let memory = self.semantics.of(op);
        let operand_values: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let (mut memrefs, mut conditions) = (Vec::new(), Vec::new());
        for used in &memory.operands {
            if let Some(flag) = used.frees.and_then(|frees| frees.flag) {
                memrefs.push(self.operand(operand_values[used.operand as usize]));
                conditions.push(self.flag_id(operand_values[flag as usize]));
            }
        }
        let retained = memory.retained.iter();
        let retained = retained
            .map(|at| self.used(operand_values[*at as usize]))
            .collect();
        let is_used = results(op).map(|val| !is_unused(val)).collect();
        let results = results(op).map(|val| self.new_flag(val, Formula::Unknown));
        let results = results.collect();
        self.reading.sites.push(DeallocSite {
            op,
            segment,
            memrefs,
            conditions,
            retained,
            results,
            is_used,
        });
    }

    /// The number of a condition.
    fn flag_id(&mut self, val: Val<'c>) -> FlagId {
        match self.flags.get(&val.key()) {
            Some(flag) => *flag,
            None => self.new_flag(val, Formula::Unknown),
        }
    }

    fn new_flag(&mut self, val: Val<'c>, formula: Formula) -> FlagId {
        let flag = self.reading.conditions.add(formula);
        self.reading.flags.push(val);
        self.flags.insert(val.key(), flag);
        flag
    }

    /// Records the formula of a condition.
    fn visit_condition(&mut self, op: Op<'c>) {
        let Some(computes) = self.semantics.computed(op) else {
            return;
        };
        let mut all = results(op).filter(|result| type_of(*result) == self.i1);
        let Some(result) = all.next() else {
            return;
        };
        let formula = match computes {
            Computes::Constant(value) => Formula::Constant(value != 0),
            Computes::Binary(Binary::And, [a, b]) => Formula::And(self.flag_id(a), self.flag_id(b)),
            Computes::Binary(Binary::Or, [a, b]) => Formula::Or(self.flag_id(a), self.flag_id(b)),
            Computes::Binary(Binary::Xor, [a, b]) => Formula::Xor(self.flag_id(a), self.flag_id(b)),
            Computes::Select([which, a, b]) => {
                Formula::Select(self.flag_id(which), self.flag_id(a), self.flag_id(b))
            }
            _ => return,
        };
        self.new_flag(result, formula);
    }

    fn visit_call(&mut self, op: Op<'c>, segment: SegmentId, step: StepIndex) {
        let used: SmallVec<[Option<DeallocOperand<'c>>; 4]> = operands(op)
            .map(|operand| is_memref(type_of(operand)).then(|| self.used(operand)))
            .collect();
        let arguments = calls::call_arguments(op).unwrap_or(0..0);
        let summary = self.calls.of_call(op);
        for (at, operand) in used.iter().enumerate() {
            let Some(operand) = operand else { continue };
            let argument = at.checked_sub(arguments.start);
            let facet = argument.and_then(|at| summary?.arguments.get(at));
            if facet.is_none_or(|facet| facet.is_captured) {
                self.reading.memory.escapes.push(operand.id);
            }
        }
        let passed = used.get(arguments).unwrap_or_default();
        let mut new_by_number: FxHashMap<u32, ValueId> = FxHashMap::default();
        for (at, result) in results(op).enumerate() {
            if !is_memref(type_of(result)) {
                continue;
            }
            // Nothing is known of the results of a function that never returns.
            match summary.and_then(|summary| summary.result(at)) {
                Some(facet) => self.visit_call_result(
                    facet,
                    passed,
                    &mut new_by_number,
                    (segment, step),
                    result,
                ),
                None => {
                    self.unknown(segment, Some(step), result);
                }
            }
        }
    }

    /// Adds a result of a call whose callee is known; `new_by_number` is the new memory of earlier results, by number.
    fn visit_call_result(
        &mut self,
        facet: &ResultFacet,
        passed: &[Option<DeallocOperand<'c>>],
        new_by_number: &mut FxHashMap<u32, ValueId>,
        (segment, step): (SegmentId, StepIndex),
        result: Val<'c>,
    ) {
        let from: SmallVec<[DeallocOperand<'c>; 4]> = facet
            .may_be
            .iter()
            .filter_map(|argument| *passed.get(*argument as usize)?)
            .collect();
        let is_unknown = facet.is_unknown || from.len() < facet.may_be.len();
        let marks = marks_of_result(facet) | if is_unknown { MOVED } else { 0 };
        let is_alone = facet.may_be.is_empty() && !facet.elsewhere && facet.new.len() == 1;
        let mut new: SmallVec<[ValueId; 2]> = SmallVec::new();
        for number in &facet.new {
            let id = self.add_fresh(is_alone.then_some(result), segment, step, marks);
            // The first of several that may alias represents them.
            let first = *new_by_number.entry(*number).or_insert(id);
            if let ValueKind::Fresh { may_alias, .. } =
                &mut self.memory.function.values[id.index()].kind
            {
                *may_alias = Some(first).filter(|first| *first != id);
            }
            if facet.is_new_captured {
                self.reading.memory.escapes.push(id);
            }
            new.push(id);
        }
        if is_alone {
            return;
        }
        self.add_any_of(&from, segment, step, result);
        let id = self.memory.ids[&result.key()];
        self.reading.memory.marks[id.index()] |= marks;
        for new in new {
            self.add_source(result, new);
        }
        if is_unknown {
            self.reading.memory.unknown.push(id);
        } else if facet.elsewhere {
            let other = self.value(ValueKind::Foreign, segment, Some(step), None);
            self.add_source(result, other);
        }
    }
}

/// The marks of a call's result, apart from those of the arguments that it may be.
fn marks_of_result(facet: &ResultFacet) -> u8 {
    let moved = match facet.is_moved || facet.elsewhere {
        true => MOVED,
        false => 0,
    };
    match facet.freed_by {
        _ if !facet.is_new() => moved,
        Some(by) => moved | marks_of(by),
        None => moved | BY_ANY,
    }
}

/// The source of a view, if the operation has no other effect.
fn view_source<'c>(memory: &OpMemory, operand_values: &[Val<'c>]) -> Option<Val<'c>> {
    let source = operand_values[memory.view_source()? as usize];
    let views = |fact: &ResultFact| matches!(fact, ResultFact::View { .. });
    let only = memory.results.iter().all(|used| views(&used.fact))
        && memory.operands.iter().all(|used| !used.touch.writes())
        && memory.start.is_none()
        && memory.joins.is_empty();
    (only && is_memref(type_of(source))).then_some(source)
}

/// Whether an operation allocates memory and has no other effect.
fn is_allocation(op: Op<'_>, memory: &OpMemory) -> bool {
    let is_new = |fact: &ResultFact| matches!(fact, ResultFact::New { .. });
    op.result_count() == 1
        && memory.results.iter().any(|used| is_new(&used.fact))
        && memory.operands.is_empty()
        && memory.unnamed == Unnamed::default()
        && regions(op).next().is_none()
        && !op.has_attribute(build::MANUAL_DEALLOCATION)
}
