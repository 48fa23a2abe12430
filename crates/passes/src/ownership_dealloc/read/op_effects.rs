//! The effects of single operations on memory.

use super::{
    OwnershipReader,
    consumed::{consumed_operands, effects_by_model},
    pending_uses::group_added_to,
};
use crate::{
    memory_function::Walk,
    ownership_dealloc::{
        error::ErrorKind,
        ownership_summary::{self, OwnershipSummary},
    },
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls,
    ir::{Identity, Op, Val, holds_memref, is_memref, operand, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    function::{SegmentId, StepIndex, ValueId, ValueKind},
    plan::Ownership,
};
use memplan_semantics::{
    Allocator, Capture, OpMemory, ResultFact, TokenRef, Touch, TypeClass, attributes, c_allocation,
    names::NameInfo,
};
use memplan_summaries::{DescriptorAccess, ResultFacet, SpilledDescriptors};
use smallvec::SmallVec;

impl<'c> OwnershipReader<'c, '_> {
    /// Reads an operation whose regions touch no memrefs. Returns the segment after it.
    pub(super) fn visit_op(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: StepIndex,
    ) -> SegmentId {
        // Without memrefs it still marks a function as deallocated.
        let says = self.semantics.table_facts(op);
        let used = self.value_ids(op);
        if says.frees_by_flags {
            match self.program_frees_by_flags {
                true => self.read_program_dealloc(op),
                false => self.reading.is_already_deallocated = true,
            }
            return segment;
        }
        let has_memrefs = results(op).any(|result| holds_memref(type_of(result)));
        let has_pointers = operands(op).any(|operand| self.is_derived_pointer(operand));
        if used.is_empty() && !has_memrefs && !has_pointers {
            return segment;
        }
        for operand in operands(op) {
            self.use_pointees(operand, segment, step);
        }
        if self.consuming_frees.contains(&op.key()) {
            let id = operands(op)
                .next()
                .and_then(|operand| self.value_id(operand));
            self.reading.freed.extend(id.map(|id| (op, id)));
            return self.consumes(op, operands(op).take(1), segment);
        }
        let memory = if !says.is_described && says.models_deallocation {
            let Some(memory) = effects_by_model(op) else {
                self.set_error(op, ErrorKind::Model);
                return segment;
            };
            memory.into()
        } else {
            self.semantics.of(op)
        };
        self.visit_effects(op, info, &memory, segment, step, &used);
        match memory.is_call {
            true => self.read_callee_effects(op, segment),
            false => self.consumes_operands(op, &memory, segment),
        }
    }

    /// Reads the effects of an operation.
    fn visit_effects(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        memory: &OpMemory,
        segment: SegmentId,
        step: StepIndex,
        used: &[ValueId],
    ) {
        if self.renames(op, memory, segment, step, used) {
            return;
        }
        if let Some(group) = group_added_to(op, memory) {
            // A group holds its members. If it is not seen to be awaited, they are never freed.
            return self.derive_results(op, std::iter::once(group), &[]);
        }
        if memory.reallocates() {
            return self.set_error(op, ErrorKind::Realloc);
        }
        if only_reads_descriptors(op, memory) {
            return self.derive_numbers(op, results(op), &[]);
        }
        if SpilledDescriptors::concern(info)
            && let Some(access) = self.words.of(op)
        {
            return self.spills_descriptor(op, access, segment, step, used);
        }
        if memory.opaque.is_some() {
            let mut memrefs = results(op).filter(|result| holds_memref(type_of(*result)));
            if !used.is_empty() || memrefs.next().is_some() {
                return self.set_error(op, ErrorKind::UnknownEffects);
            }
            self.operand_pointees_escape(op);
        }
        self.access_containers(op, memory);
        let consumed: SmallVec<[u32; 1]> = consumed_operands(memory).collect();
        let consumed = self.operand_ids(op, &consumed);
        for value in used.iter().filter(|value| !consumed.contains(value)) {
            self.add_use(segment, step, *value);
        }
        let freed = memory.operands.iter();
        for freed in freed.filter(|used| used.frees.is_some() && !used.is_taken()) {
            if let Some(id) = operand(op, freed.operand).and_then(|val| self.value_id(val)) {
                // An operation with other effects stays in place.
                match used.len() == 1 && memory.only_frees() {
                    true => self.frees.push((op, id)),
                    false => self.escapes.push((id, op)),
                }
            }
        }
        self.add_nested_copy(op, segment, step);
        if !self.add_nested_store(op, memory, segment, step) {
            self.captures(op, memory);
            self.stores_numbers(op, memory);
        }
        if memory.is_call && op.has_attribute(ownership_summary::MARK) {
            self.reading.is_already_deallocated = true;
        }
        let returns_tokens = self.add_results(op, memory, segment, step, used);
        self.add_pending_uses(op, memory, used, returns_tokens);
    }

    /// Adds the memory that an asynchronous operation uses until it is awaited.
    fn add_pending_uses(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        used: &[ValueId],
        returns_tokens: bool,
    ) {
        // The time for which it uses memory through the numbers of memrefs is not followed.
        if memory.start.is_some() || returns_tokens {
            for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
                self.pointees_escape(operand, op);
            }
        }
        let tokens = memory.start.as_ref().map(|start| start.tokens.as_slice());
        let is_transfer = matches!(tokens, Some([TokenRef::Tag { .. }]));
        if (tokens.is_none() && !returns_tokens) || self.use_until_awaited(op, used) || is_transfer
        {
            return;
        }
        // Pointees of pointers and handles are included; tokens are only awaited.
        for operand in operands(op) {
            if !self.semantics.class(type_of(operand)).is_token() {
                self.pointees_escape(operand, op);
            }
        }
    }

    /// Reads results that alias operands. False if there are none, or other results, too.
    fn renames(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
        step: StepIndex,
        used: &[ValueId],
    ) -> bool {
        if let [only] = memory.results.as_slice()
            && let ResultFact::AnyOf(of) = &only.fact
            && memory.only_renames()
            && let Some(result) = results(op).nth(only.result as usize)
        {
            if !self.use_base(result) {
                let sources = self.operand_ids(op, of);
                self.memory().add_value(
                    ValueKind::AnyOf(sources),
                    segment,
                    Some(step),
                    Some(result),
                );
            }
            self.derive_results(op, results(op), &[]);
            return true;
        }
        let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
        for result in &memory.results {
            let ResultFact::View { of, .. } = &result.fact else {
                return false;
            };
            sources.extend(operand(op, *of).and_then(|source| self.value_id(source)));
        }
        if sources.is_empty() || sources.len() < memory.results.len() {
            return false;
        }
        if memory.waits() {
            self.awaits(op, used, segment, step);
            return true;
        }
        // Other memref operands define the shape of a view, and are read.
        for value in used.iter().filter(|value| !sources.contains(value)) {
            self.add_use(segment, step, *value);
        }
        for view in &memory.results {
            self.read_view_result(op, view.result, &view.fact);
        }
        // Sizes that are computed from addresses hold on to other memory.
        self.derive_numbers(op, results(op), &[]);
        true
    }

    /// Reads a result that is a view of an operand. False if it is none.
    fn read_view_result(&mut self, op: Op<'c>, number: u32, fact: &ResultFact) -> bool {
        let ResultFact::View { of, start } = fact else {
            return false;
        };
        let (source, view) = (operand(op, *of), results(op).nth(number as usize));
        let (Some(source), Some(view)) = (source.and_then(|source| self.value_id(source)), view)
        else {
            return false;
        };
        self.reading.has_shifts |= start.moves(op);
        self.reading.memory.ids.insert(view.key(), source);
        true
    }

    /// Reads a borrowed result that is always the same argument: it stands for that value. False if it is
    /// none.
    fn read_argument_result(
        &mut self,
        call: Op<'c>,
        result: Val<'c>,
        facet: Option<&ResultFacet>,
    ) -> bool {
        let facet = facet.filter(|facet| facet.is_borrowed && facet.is_argument());
        let Some(&[at]) = facet.map(|facet| facet.may_be.as_slice()) else {
            return false;
        };
        let first = calls::call_arguments(call).map_or(0, |range| range.start);
        let number = at + first as u32;
        let argument = operand(call, number);
        let Some(source) = argument.and_then(|argument| self.value_id(argument)) else {
            return false;
        };
        let is_moved = facet.is_some_and(|facet| facet.is_moved);
        self.reading.has_shifts |= is_moved;
        let known = (number, is_moved);
        self.reading.borrowed_arguments.insert(result.key(), known);
        self.reading.memory.ids.insert(result.key(), source);
        true
    }

    /// The values of operands, without duplicates.
    pub(super) fn operand_ids(&self, op: Op<'c>, numbers: &[u32]) -> SmallVec<[ValueId; 2]> {
        let mut all: SmallVec<[ValueId; 2]> = SmallVec::new();
        for number in numbers {
            let id = operand(op, *number).and_then(|val| self.value_id(val));
            all.extend(id.filter(|id| !all.contains(id)));
        }
        all
    }

    /// Reads an access to a spilled descriptor. A spilled memref goes nowhere else: a load yields the memref
    /// or its address.
    fn spills_descriptor(
        &mut self,
        op: Op<'c>,
        access: DescriptorAccess<'c>,
        segment: SegmentId,
        step: StepIndex,
        used: &[ValueId],
    ) {
        for value in used {
            self.add_use(segment, step, *value);
        }
        // Pointees of its numbers are not followed through memory.
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            self.pointees_escape(operand, op);
        }
        let (DescriptorAccess::Memref(memref) | DescriptorAccess::Address(memref)) = access else {
            return;
        };
        let Some(id) = self.value_id(memref) else {
            return;
        };
        match access {
            DescriptorAccess::Memref(_) => self
                .reading
                .memory
                .ids
                .extend(results(op).map(|result| (result.key(), id))),
            _ => self.derive_results(op, results(op), &[id]),
        }
    }

    /// Reads an operation that awaits a memref.
    fn awaits(&mut self, op: Op<'c>, used: &[ValueId], segment: SegmentId, step: StepIndex) {
        self.derive_results(op, results(op), &[]);
        for (value, result) in used.iter().zip(results(op)) {
            self.add_use(segment, step, *value);
            self.reading.memory.ids.insert(result.key(), *value);
            let entry = self.reading.awaits.entry(*value).or_default();
            entry.push((segment, step, result));
        }
    }

    /// Reads operands that an operation captures.
    pub(super) fn captures(&mut self, op: Op<'c>, memory: &OpMemory) {
        for used in &memory.operands {
            let operand = operand(op, used.operand).filter(|_| used.capture != Capture::No);
            let Some(operand) = operand else { continue };
            let id = self.value_id(operand);
            self.escapes.extend(id.map(|id| (id, op)));
            self.expose(operand);
            self.pointees_escape(operand, op);
        }
    }

    /// Reads numbers that an operation may store and that may be addresses.
    fn stores_numbers(&mut self, op: Op<'c>, memory: &OpMemory) {
        let mut uses = memory.operands.iter();
        let writes = memory.unnamed.writes || uses.any(|used| used.touch.writes());
        if memory.is_call || !writes {
            return;
        }
        for (at, operand) in operands(op).enumerate() {
            if memory.operand(at).is_none() {
                self.pointees_escape(operand, op);
            }
        }
    }

    /// The kinds of the result memrefs of a call that returns ownership flags.
    fn results_with_flags(
        &mut self,
        op: Op<'c>,
        ownership: &[OwnershipSummary],
        used: &[ValueId],
    ) -> Vec<ValueKind> {
        let arguments: Vec<Option<ValueId>> = operands(op)
            .skip(calls::call_arguments(op).map_or(0, |range| range.start))
            .map(|operand| self.value_id(operand))
            .collect();
        let first = self.reading.memory.function.values.len();
        let memrefs = results(op).filter(|result| is_memref(type_of(*result)));
        let count = memrefs.count();
        let values = (first..first + count).map(ValueId::new).collect();
        self.reading.flag_calls.push((op, values));
        let nothing = OwnershipSummary::default();
        let kind = |at: usize| {
            let ownership = ownership.get(at).unwrap_or(&nothing);
            let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
            let argument_numbers = ownership.arguments.iter();
            sources.extend(argument_numbers.filter_map(|at| arguments.get(*at).copied().flatten()));
            let others = ownership.results.iter();
            sources.extend(others.map(|other| ValueId::new(first + other)));
            if ownership.elsewhere {
                sources.extend(used.iter().copied());
                sources.push(self.reading.untracked);
            }
            match ownership.owned {
                Ownership::Always => ValueKind::Fresh {
                    owned: true,
                    may_alias: None,
                },
                Ownership::Dynamic => ValueKind::FreshOrAnyOf(sources),
                Ownership::Never => ValueKind::AnyOf(sources),
            }
        };
        (0..count).map(kind).collect()
    }

    /// The kind of a borrowed result: memory of others, or of an argument, by the callee's summary.
    fn borrowed_result(
        &self,
        call: Op<'c>,
        facet: Option<&ResultFacet>,
        used: &[ValueId],
    ) -> ValueKind {
        let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
        match facet.filter(|facet| facet.is_borrowed) {
            Some(facet) => {
                let first = calls::call_arguments(call).map_or(0, |range| range.start);
                let numbers = facet.may_be.iter().map(|at| at + first as u32);
                sources.extend(self.operand_ids(call, &numbers.collect::<SmallVec<[u32; 2]>>()));
            }
            None => sources.extend(used.iter().copied()),
        }
        if sources.is_empty() {
            return ValueKind::Foreign;
        }
        if !facet.is_some_and(|facet| facet.is_borrowed && facet.is_argument() && !facet.is_moved) {
            sources.push(self.reading.untracked);
        }
        ValueKind::AnyOf(sources)
    }

    /// Adds values for results. Returns whether one is a token until whose await the operands are used.
    fn add_results(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
        step: StepIndex,
        used: &[ValueId],
    ) -> bool {
        let is_call = memory.is_call;
        if !is_call && results(op).next().is_none() {
            return false;
        }
        let mut first: SmallVec<[(Option<Allocator>, ValueId); 1]> = SmallVec::new();
        let mut fresh: SmallVec<[ValueId; 2]> = SmallVec::new();
        let holds = self.returns_addresses(op);
        let is_described = self.semantics.table_facts(op).is_described;
        let mut tokens = false;
        let callees = self.callees;
        let ownership = callees.ownership_of_results(op).filter(|_| is_call);
        let summary = callees.summary(op).filter(|_| is_call);
        let mut borrowed: SmallVec<[usize; 2]> = SmallVec::new();
        if is_call {
            if attributes::is_old_call(op) {
                self.reading.old_names.push(op);
            }
            // Attributes of the function are preferred: other passes may drop those of the call.
            let all = 0..results(op).count();
            borrowed.extend(all.filter(|at| callees.is_borrowed(op, *at)));
            if !borrowed.is_empty() && callees.disagree(op) {
                self.reading.disagreeing_calls.push(op);
            }
            match attributes::borrowed_by_call(op) {
                Ok(all) if borrowed.is_empty() => borrowed.extend(all),
                Err(_) if borrowed.is_empty() => {
                    self.set_error(op, ErrorKind::Stale);
                    return false;
                }
                _ => {}
            }
        }
        let mut ownership = ownership
            .map(|ownership| self.results_with_flags(op, ownership, used))
            .unwrap_or_default()
            .into_iter();
        for (at, result) in results(op).enumerate() {
            if self.is_derived_pointer(result) {
                // A value that is neither an address nor data may be a token.
                let class = self.semantics.class(type_of(result));
                // A description is complete: a value that it does not list as a token is an address.
                let holds = match class {
                    TypeClass::Memref => self.is_sized_by_address(op, at),
                    TypeClass::Pointer => holds || is_described,
                    _ => holds,
                };
                let is_data = matches!(class, TypeClass::Data | TypeClass::Memref);
                tokens |= class.is_token() || (!holds && !is_data && !used.is_empty());
                // A table may describe the results of a callee without a body.
                let of = match memory.result(at) {
                    Some(ResultFact::Address { of }) if is_call => Some(self.operand_ids(op, of)),
                    _ => None,
                };
                let pointees = of.as_deref().unwrap_or(used);
                self.derive_results(
                    op,
                    std::iter::once(result),
                    if holds { pointees } else { &[] },
                );
            }
            let fact = memory.result(at);
            if !holds_memref(type_of(result))
                || fact.is_some_and(|fact| self.read_view_result(op, at as u32, fact))
            {
                continue;
            }
            let facet = summary.and_then(|summary| summary.result(at));
            if borrowed.contains(&at) && self.read_argument_result(op, result, facet) {
                continue;
            }
            let freed_by = match (summary, fact) {
                (Some(summary), _) => summary
                    .result(at)
                    .map_or(Some(Allocator::Memref), |result| result.freed_by),
                (None, Some(ResultFact::New { by, .. })) => Some(by.counterpart()),
                (None, _) => Some(Allocator::Memref),
            };
            let kind = if let Some(ownership) = ownership.next() {
                ownership
            } else if is_call && borrowed.contains(&at) {
                self.borrowed_result(op, facet, used)
            } else if is_call {
                // Memory of different allocators never aliases.
                let same = first.iter().find(|(known, _)| *known == freed_by);
                ValueKind::Fresh {
                    owned: true,
                    may_alias: same.map(|(_, value)| *value),
                }
            } else if matches!(fact, Some(ResultFact::Address { .. }))
                && c_allocation::makes_memref(op, self.semantics)
            {
                ValueKind::Fresh {
                    owned: !op.has_attribute(MANUAL_DEALLOCATION),
                    may_alias: None,
                }
            } else {
                self.result_kind(op, fact)
            };
            let is_new = matches!(kind, ValueKind::Fresh { .. });
            let is_borrowed =
                is_call && matches!(kind, ValueKind::AnyOf(_)) && borrowed.contains(&at);
            let id = self
                .memory()
                .add_value(kind, segment, Some(step), Some(result));
            if is_borrowed {
                // An unknown callee may return a shifted view.
                self.reading.has_shifts |= facet.is_none_or(|facet| facet.is_moved);
                self.reading.borrowed.push(id);
            }
            self.derive_memref(op, id);
            match fact {
                Some(ResultFact::Loaded { .. }) => {
                    self.reading.loaded.push(id);
                    self.add_nested_load(op, memory, id);
                }
                Some(ResultFact::New {
                    automatic,
                    may_share,
                    ..
                }) => {
                    self.allocates_container(id, result);
                    if *automatic {
                        self.reading.memory.function.automatic.push(id);
                    }
                    if may_share.is_some() {
                        self.reading.clones.push(op);
                    }
                }
                _ => {}
            }
            if is_new {
                fresh.push(id);
                if first.iter().all(|(known, _)| *known != freed_by) {
                    first.push((freed_by, id));
                }
                match freed_by {
                    Some(allocator) => {
                        self.reading.allocators.insert(id, allocator);
                        if allocator != Allocator::Memref {
                            self.reading.memory.function.freed_separately.push(id);
                        }
                    }
                    // The allocator is unknown.
                    None => self.set_error(op, ErrorKind::UnknownAllocator),
                }
            }
        }
        // Memory that is awaited by a token is used by the await.
        if !is_call && !fresh.is_empty() {
            let semantics = &mut *self.semantics;
            let holds = |val: &Val<'c>| semantics.class(type_of(*val)) != TypeClass::Data;
            let others: SmallVec<[Val<'c>; 2]> = results(op).filter(holds).collect();
            self.derive_results(op, others.into_iter(), &fresh);
        }
        tokens
    }

    /// The kind of a memref that is a result of no call and no view.
    fn result_kind(&self, op: Op<'c>, fact: Option<&ResultFact>) -> ValueKind {
        let (of, is_untracked) = match fact {
            // The program knows how to free it.
            Some(ResultFact::New { by, automatic, .. }) => {
                let is_owned = *by != Allocator::Program && !op.has_attribute(MANUAL_DEALLOCATION);
                return ValueKind::Fresh {
                    owned: is_owned && !automatic,
                    may_alias: None,
                };
            }
            Some(ResultFact::Unknown { may_be }) => (may_be, true),
            Some(ResultFact::Address { of } | ResultFact::AnyOf(of)) => (of, false),
            _ => return ValueKind::Foreign,
        };
        if of.is_empty() {
            return ValueKind::Foreign;
        }
        let mut sources = self.operand_ids(op, of);
        if is_untracked || sources.is_empty() {
            sources.push(self.reading.untracked);
        }
        ValueKind::AnyOf(sources)
    }
}

/// Whether an operation only reads numbers of memref descriptors.
fn only_reads_descriptors(op: Op<'_>, memory: &OpMemory) -> bool {
    let mut uses = memory.operands.iter();
    memory.results.is_empty()
        && !memory.operands.is_empty()
        && results(op).next().is_some()
        && uses.all(|used| used.touch == Touch::Descriptor && used.capture == Capture::No)
}
