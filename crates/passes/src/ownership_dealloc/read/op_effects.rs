//! What an operation does with memory.

use super::{
    OwnershipReader,
    consumed::{modelled, taken},
    pending_uses::added_to,
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
    function::{Kind, SegmentId, StepIndex, ValueId},
    plan::Flag,
};
use memplan_semantics::{
    Allocator, Capture, OpMemory, ResultFact, TokenRef, Touch, TypeClass, attributes, c_allocation,
    names::NameInfo,
};
use memplan_summaries::{DescriptorAccess, ResultFacet, SpilledDescriptors};
use smallvec::SmallVec;

impl<'c> OwnershipReader<'c, '_> {
    /// An operation without regions that touch memrefs; the segment behind it.
    pub(super) fn simple(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: StepIndex,
    ) -> SegmentId {
        // Also one of no memref: it stands for flags that say all.
        let says = self.semantics.table_facts(op);
        let used = self.ids(op);
        if says.frees_by_flags {
            match self.by_flags {
                true => self.frees_by_flags(op),
                false => self.reading.is_done = true,
            }
            return segment;
        }
        let has_memrefs = results(op).any(|result| holds_memref(type_of(result)));
        let carries = operands(op).any(|operand| self.is_carrier(operand));
        if used.is_empty() && !has_memrefs && !carries {
            return segment;
        }
        for operand in operands(op) {
            self.uses_carrier(operand, segment, step);
        }
        if self.takes.contains(&op.key()) {
            let id = operands(op).next().and_then(|operand| self.id(operand));
            self.reading.freed.extend(id.map(|id| (op, id)));
            return self.takes(op, operands(op).take(1), segment);
        }
        let memory = if !says.is_described && says.models_deallocation {
            let Some(memory) = modelled(op) else {
                self.fails(op, ErrorKind::Model);
                return segment;
            };
            memory.into()
        } else {
            self.semantics.of(op)
        };
        self.touches_memory(op, info, &memory, segment, step, &used);
        match memory.is_call {
            true => self.by_callee(op, segment),
            false => self.takes_operands(op, &memory, segment),
        }
    }

    /// What an operation does with memory.
    fn touches_memory(
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
        if let Some(group) = added_to(op, memory) {
            // A group holds what is added to it; what cannot be seen to be waited for is never freed.
            return self.carry(op, std::iter::once(group), &[]);
        }
        if memory.reallocates() {
            return self.fails(op, ErrorKind::Realloc);
        }
        if asks_for_sizes(op, memory) {
            return self.carry_numbers(op, results(op), &[]);
        }
        if SpilledDescriptors::concern(info)
            && let Some(word) = self.words.of(op)
        {
            return self.lays_out(op, word, segment, step, used);
        }
        if memory.opaque.is_some() {
            let mut memrefs = results(op).filter(|result| holds_memref(type_of(*result)));
            if !used.is_empty() || memrefs.next().is_some() {
                return self.fails(op, ErrorKind::UnknownEffects);
            }
            self.carriers_escape(op);
        }
        self.contains(op, memory);
        let taken: SmallVec<[u32; 1]> = taken(memory).collect();
        let taken = self.ids_of(op, &taken);
        for value in used.iter().filter(|value| !taken.contains(value)) {
            self.uses(segment, step, *value);
        }
        let freed = memory.operands.iter();
        for freed in freed.filter(|used| used.frees.is_some() && !used.is_taken()) {
            if let Some(id) = operand(op, freed.operand).and_then(|val| self.id(val)) {
                // What does more than that stays where it is.
                match used.len() == 1 && memory.only_frees() {
                    true => self.frees.push((op, id)),
                    false => self.escapes.push((id, op)),
                }
            }
        }
        self.copies_contents(op, segment, step);
        if !self.stores_into(op, memory, segment, step) {
            self.captures(op, memory);
            self.stores_numbers(op, memory);
        }
        if memory.is_call && op.has_attribute(ownership_summary::MARK) {
            self.reading.is_done = true;
        }
        let gives_tokens = self.results(op, memory, segment, step, used);
        self.goes_on(op, memory, used, gives_tokens);
    }

    /// What an operation uses after control has passed it.
    fn goes_on(&mut self, op: Op<'c>, memory: &OpMemory, used: &[ValueId], gives_tokens: bool) {
        // How long it uses what it refers to by the numbers of memrefs is not followed.
        if memory.start.is_some() || gives_tokens {
            for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
                self.carrier_escapes(operand, op);
            }
        }
        let tokens = memory.start.as_ref().map(|start| start.tokens.as_slice());
        let is_transfer = matches!(tokens, Some([TokenRef::Tag { .. }]));
        if (tokens.is_none() && !gives_tokens) || self.held_until_awaited(op, used) || is_transfer {
            return;
        }
        // Also what pointers and handles hold; tokens are only waited for.
        for operand in operands(op) {
            if !self.semantics.class(type_of(operand)).is_token() {
                self.carrier_escapes(operand, op);
            }
        }
    }

    /// Results that are other names of the memory of operands; false where there are none, or others.
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
            if !self.is_based(result) {
                let sources = self.ids_of(op, of);
                self.memory()
                    .value(Kind::Any(sources), segment, Some(step), Some(result));
            }
            self.carry(op, results(op), &[]);
            return true;
        }
        let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
        for result in &memory.results {
            let ResultFact::View { of, .. } = &result.fact else {
                return false;
            };
            sources.extend(operand(op, *of).and_then(|source| self.id(source)));
        }
        if sources.is_empty() || sources.len() < memory.results.len() {
            return false;
        }
        if memory.waits() {
            self.awaits(op, used, segment, step);
            return true;
        }
        // What gives a view its shape is read for that.
        for value in used.iter().filter(|value| !sources.contains(value)) {
            self.uses(segment, step, *value);
        }
        for view in &memory.results {
            self.views(op, view.result, &view.fact);
        }
        // Also other memory, where it is measured by addresses.
        self.carry_numbers(op, results(op), &[]);
        true
    }

    /// A result that is a view of an operand is the memory of that; false for others.
    fn views(&mut self, op: Op<'c>, number: u32, fact: &ResultFact) -> bool {
        let ResultFact::View { of, start } = fact else {
            return false;
        };
        let (source, view) = (operand(op, *of), results(op).nth(number as usize));
        let (Some(source), Some(view)) = (source.and_then(|source| self.id(source)), view) else {
            return false;
        };
        self.reading.has_shifts |= start.moves(op);
        self.reading.memory.ids.insert(view.key(), source);
        true
    }

    /// A call returns one of its arguments as borrowed, always the same: its result is known by that value.
    fn is_argument(&mut self, call: Op<'c>, result: Val<'c>, facet: Option<&ResultFacet>) -> bool {
        let facet = facet.filter(|facet| facet.is_borrowed && facet.is_argument());
        let Some(&[at]) = facet.map(|facet| facet.may_be.as_slice()) else {
            return false;
        };
        let first = calls::call_arguments(call).map_or(0, |range| range.start);
        let number = at + first as u32;
        let argument = operand(call, number);
        let Some(source) = argument.and_then(|argument| self.id(argument)) else {
            return false;
        };
        let is_moved = facet.is_some_and(|facet| facet.is_moved);
        self.reading.has_shifts |= is_moved;
        let known = (number, is_moved);
        self.reading.borrowed_arguments.insert(result.key(), known);
        self.reading.memory.ids.insert(result.key(), source);
        true
    }

    /// The values of operands, each once.
    pub(super) fn ids_of(&self, op: Op<'c>, numbers: &[u32]) -> SmallVec<[ValueId; 2]> {
        let mut all: SmallVec<[ValueId; 2]> = SmallVec::new();
        for number in numbers {
            let id = operand(op, *number).and_then(|val| self.id(val));
            all.extend(id.filter(|id| !all.contains(id)));
        }
        all
    }

    /// Memrefs that are laid out for their words get nowhere else: what is read there is the memref, or its address.
    fn lays_out(
        &mut self,
        op: Op<'c>,
        word: DescriptorAccess<'c>,
        segment: SegmentId,
        step: StepIndex,
        used: &[ValueId],
    ) {
        for value in used {
            self.uses(segment, step, *value);
        }
        // What its numbers hold is not followed through the words of a memref.
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            self.carrier_escapes(operand, op);
        }
        let (DescriptorAccess::Memref(memref) | DescriptorAccess::Address(memref)) = word else {
            return;
        };
        let Some(id) = self.id(memref) else { return };
        match word {
            DescriptorAccess::Memref(_) => self
                .reading
                .memory
                .ids
                .extend(results(op).map(|result| (result.key(), id))),
            _ => self.carry(op, results(op), &[id]),
        }
    }

    /// A memref comes that was still to come.
    fn awaits(&mut self, op: Op<'c>, used: &[ValueId], segment: SegmentId, step: StepIndex) {
        self.carry(op, results(op), &[]);
        for (value, result) in used.iter().zip(results(op)) {
            self.uses(segment, step, *value);
            self.reading.memory.ids.insert(result.key(), *value);
            let come = self.reading.awaits.entry(*value).or_default();
            come.push((segment, step, result));
        }
    }

    /// Operands that code may know for ever, or that are stored in memory that is not followed.
    pub(super) fn captures(&mut self, op: Op<'c>, memory: &OpMemory) {
        for used in &memory.operands {
            let operand = operand(op, used.operand).filter(|_| used.capture != Capture::No);
            let Some(operand) = operand else { continue };
            let id = self.id(operand);
            self.escapes.extend(id.map(|id| (id, op)));
            self.expose(operand);
            self.carrier_escapes(operand, op);
        }
    }

    /// Numbers that an operation may store, which may be addresses.
    fn stores_numbers(&mut self, op: Op<'c>, memory: &OpMemory) {
        let mut uses = memory.operands.iter();
        let writes = memory.unnamed.writes || uses.any(|used| used.touch.writes());
        if memory.is_call || !writes {
            return;
        }
        for (at, operand) in operands(op).enumerate() {
            if memory.operand(at).is_none() {
                self.carrier_escapes(operand, op);
            }
        }
    }

    /// The memrefs of a call that says which of them are new.
    fn told(&mut self, op: Op<'c>, told: &[OwnershipSummary], used: &[ValueId]) -> Vec<Kind> {
        let arguments: Vec<Option<ValueId>> = operands(op)
            .skip(calls::call_arguments(op).map_or(0, |range| range.start))
            .map(|operand| self.id(operand))
            .collect();
        let first = self.reading.memory.function.values.len();
        let memrefs = results(op).filter(|result| is_memref(type_of(*result)));
        let count = memrefs.count();
        let values = (first..first + count).map(ValueId::new).collect();
        self.reading.told.push((op, values));
        let nothing = OwnershipSummary::default();
        let kind = |at: usize| {
            let told = told.get(at).unwrap_or(&nothing);
            let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
            let given = told.arguments.iter();
            sources.extend(given.filter_map(|at| arguments.get(*at).copied().flatten()));
            let others = told.results.iter();
            sources.extend(others.map(|other| ValueId::new(first + other)));
            if told.elsewhere {
                sources.extend(used.iter().copied());
                sources.push(self.reading.elsewhere);
            }
            match told.owned {
                Flag::Yes => Kind::Fresh {
                    owned: true,
                    same_as: None,
                },
                Flag::Dynamic => Kind::Told(sources),
                Flag::No => Kind::Any(sources),
            }
        };
        (0..count).map(kind).collect()
    }

    /// What a call returns as borrowed: memory of somebody else, or of an argument. Which, the body of the callee says.
    fn borrows(&self, call: Op<'c>, facet: Option<&ResultFacet>, used: &[ValueId]) -> Kind {
        let mut sources: SmallVec<[ValueId; 2]> = SmallVec::new();
        match facet.filter(|facet| facet.is_borrowed) {
            Some(facet) => {
                let first = calls::call_arguments(call).map_or(0, |range| range.start);
                let numbers = facet.may_be.iter().map(|at| at + first as u32);
                sources.extend(self.ids_of(call, &numbers.collect::<SmallVec<[u32; 2]>>()));
            }
            None => sources.extend(used.iter().copied()),
        }
        if sources.is_empty() {
            return Kind::Foreign;
        }
        if !facet.is_some_and(|facet| facet.is_borrowed && facet.is_argument() && !facet.is_moved) {
            sources.push(self.reading.elsewhere);
        }
        Kind::Any(sources)
    }

    /// Values for results. May any of them have to be waited for, until which what is used is used?
    fn results(
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
        let mut made: SmallVec<[ValueId; 2]> = SmallVec::new();
        let holds = self.returns_addresses(op);
        let is_described = self.semantics.table_facts(op).is_described;
        let mut tokens = false;
        let callees = self.callees;
        let told = callees.of(op).filter(|_| is_call);
        let summary = callees.summary(op).filter(|_| is_call);
        let mut lent: SmallVec<[usize; 2]> = SmallVec::new();
        if is_call {
            if attributes::is_old_call(op) {
                self.reading.old_names.push(op);
            }
            // What the function says, other passes do not drop, as they may drop what the call says.
            let all = 0..results(op).count();
            lent.extend(all.filter(|at| callees.is_borrowed(op, *at)));
            if !lent.is_empty() && callees.disagree(op) {
                self.reading.disagreed.push(op);
            }
            match attributes::borrowed_by_call(op) {
                Ok(all) if lent.is_empty() => lent.extend(all),
                Err(_) if lent.is_empty() => {
                    self.fails(op, ErrorKind::Stale);
                    return false;
                }
                _ => {}
            }
        }
        let mut told = told
            .map(|told| self.told(op, told, used))
            .unwrap_or_default()
            .into_iter();
        for (at, result) in results(op).enumerate() {
            if self.is_carrier(result) {
                // Whatever is neither an address nor data may be one.
                let class = self.semantics.class(type_of(result));
                // A description is complete: what it does not know as a token is an address.
                let holds = match class {
                    TypeClass::Memref => self.measures_by_address(op, at),
                    TypeClass::Pointer => holds || is_described,
                    _ => holds,
                };
                let is_data = matches!(class, TypeClass::Data | TypeClass::Memref);
                tokens |= class.is_token() || (!holds && !is_data && !used.is_empty());
                // Of what a callee without a body makes its result, a table may say.
                let of = match memory.result(at) {
                    Some(ResultFact::Address { of }) if is_call => Some(self.ids_of(op, of)),
                    _ => None,
                };
                let held = of.as_deref().unwrap_or(used);
                self.carry(op, std::iter::once(result), if holds { held } else { &[] });
            }
            let fact = memory.result(at);
            if !holds_memref(type_of(result))
                || fact.is_some_and(|fact| self.views(op, at as u32, fact))
            {
                continue;
            }
            let facet = summary.and_then(|summary| summary.result(at));
            if lent.contains(&at) && self.is_argument(op, result, facet) {
                continue;
            }
            let freed_by = match (summary, fact) {
                (Some(summary), _) => summary
                    .result(at)
                    .map_or(Some(Allocator::Memref), |result| result.freed_by),
                (None, Some(ResultFact::New { by, .. })) => Some(by.counterpart()),
                (None, _) => Some(Allocator::Memref),
            };
            let kind = if let Some(told) = told.next() {
                told
            } else if is_call && lent.contains(&at) {
                self.borrows(op, facet, used)
            } else if is_call {
                // What is given back in different ways is not the same.
                let same = first.iter().find(|(known, _)| *known == freed_by);
                Kind::Fresh {
                    owned: true,
                    same_as: same.map(|(_, value)| *value),
                }
            } else if matches!(fact, Some(ResultFact::Address { .. }))
                && c_allocation::makes_memref(op, self.semantics)
            {
                Kind::Fresh {
                    owned: !op.has_attribute(MANUAL_DEALLOCATION),
                    same_as: None,
                }
            } else {
                self.kind(op, fact)
            };
            let is_new = matches!(kind, Kind::Fresh { .. });
            let is_borrowed = is_call && matches!(kind, Kind::Any(_)) && lent.contains(&at);
            let id = self.memory().value(kind, segment, Some(step), Some(result));
            if is_borrowed {
                // A callee that is not seen may return a view that starts elsewhere.
                self.reading.has_shifts |= facet.is_none_or(|facet| facet.is_moved);
                self.reading.borrowed.push(id);
            }
            self.made_from_carried(op, id);
            match fact {
                Some(ResultFact::Loaded { .. }) => {
                    self.reading.loaded.push(id);
                    self.loads_from(op, memory, id);
                }
                Some(ResultFact::New {
                    automatic,
                    may_share,
                    ..
                }) => {
                    self.makes_container(id, result);
                    if *automatic {
                        self.reading.memory.function.scoped.push(id);
                    }
                    if may_share.is_some() {
                        self.reading.clones.push(op);
                    }
                }
                _ => {}
            }
            if is_new {
                made.push(id);
                if first.iter().all(|(known, _)| *known != freed_by) {
                    first.push((freed_by, id));
                }
                match freed_by {
                    Some(freeing) => {
                        self.reading.freeing.insert(id, freeing);
                        if freeing != Allocator::Memref {
                            self.reading.memory.function.apart.push(id);
                        }
                    }
                    // Nobody knows what frees the memory.
                    None => self.fails(op, ErrorKind::AnyAllocator),
                }
            }
        }
        // What has been waited for with its token is used by that.
        if !is_call && !made.is_empty() {
            let semantics = &mut *self.semantics;
            let holds = |val: &Val<'c>| semantics.class(type_of(*val)) != TypeClass::Data;
            let others: SmallVec<[Val<'c>; 2]> = results(op).filter(holds).collect();
            self.carry(op, others.into_iter(), &made);
        }
        tokens
    }

    /// What a memref is that is a result of no call, and no view.
    fn kind(&self, op: Op<'c>, fact: Option<&ResultFact>) -> Kind {
        let (of, is_elsewhere) = match fact {
            // How it is freed, only the program knows.
            Some(ResultFact::New { by, automatic, .. }) => {
                let is_ours = *by != Allocator::Program && !op.has_attribute(MANUAL_DEALLOCATION);
                return Kind::Fresh {
                    owned: is_ours && !automatic,
                    same_as: None,
                };
            }
            Some(ResultFact::Unknown { may_be }) => (may_be, true),
            Some(ResultFact::Address { of } | ResultFact::AnyOf(of)) => (of, false),
            _ => return Kind::Foreign,
        };
        if of.is_empty() {
            return Kind::Foreign;
        }
        let mut sources = self.ids_of(op, of);
        if is_elsewhere || sources.is_empty() {
            sources.push(self.reading.elsewhere);
        }
        Kind::Any(sources)
    }
}

/// Does an operation give numbers that descriptors of memrefs hold, and do nothing else?
fn asks_for_sizes(op: Op<'_>, memory: &OpMemory) -> bool {
    let mut uses = memory.operands.iter();
    memory.results.is_empty()
        && !memory.operands.is_empty()
        && results(op).next().is_some()
        && uses.all(|used| used.touch == Touch::Descriptor && used.capture == Capture::No)
}
