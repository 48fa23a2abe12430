//! What an operation does with memory.

use super::{Reader, handled::modelled, held::is_token};
use crate::{
    origins::is_zero,
    ownership_dealloc::{
        error::What,
        kinds::{Freeing, Returned, freeing},
        told::{self, Told},
    },
    regions::lent,
    words::Word,
};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls,
    effects::{Effect, EffectKind, effects},
    ir::{
        Identity, Op, Val, holds_memref, is_memref, is_plain_data, operands, parent, results,
        type_of, users,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo, Names},
    rules::goes_on,
    values::is_before,
};
use memplan_ownership::{
    function::{Kind, RegionId, SegmentId, Step, ValueId},
    plan::Flag,
};
use smallvec::SmallVec;

/// So many uses of a value are looked at for each call, or it would be quadratic in calls.
const MOST_USES: usize = 256;

/// Is memory that a call gets read, written or freed behind the call, whichever way control goes?
fn is_touched_behind<'c>(call: Op<'c>, val: Val<'c>, names: &mut Names) -> bool {
    let touches = |user: Op<'c>| {
        let effects = effects(user).into_iter().flatten();
        let mut on = effects.filter(|effect| effect.value == Some(val));
        on.any(|effect| effect.kind != EffectKind::Allocate)
    };
    let mut around = Some(call);
    while let Some(op) = around {
        if users(val)
            .take(MOST_USES)
            .any(|user| is_before(op, user) && touches(user))
        {
            return true;
        }
        // Control comes back to what is behind these.
        around = parent(op).filter(|op| {
            let info = names.info(*op);
            info.is_region_branch() && !info.is_asynchronous
        });
    }
    false
}

/// Is all that a view gives a memref, or a number that holds on to nothing? A descriptor of memory does.
fn is_memref_view(op: Op<'_>) -> bool {
    let mut types = results(op).map(type_of);
    types.all(|r#type| is_memref(r#type) || is_plain_data(r#type))
}

impl<'c> Reader<'c, '_> {
    /// An operation without regions that touch memrefs; the segment behind it.
    pub(super) fn simple(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        region: RegionId,
    ) -> SegmentId {
        // Also one of no memref: it stands for flags that say all.
        if info.known == Known::BufferizationDealloc {
            self.reading.is_done = true;
            return segment;
        }
        let used = self.ids(op);
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
            self.reading.freed.extend(id.map(|id| (op, id, true)));
            return self.takes(op, operands(op).take(1), segment, region);
        }
        if let Some(behavior) = self.handlers.behavior(op) {
            self.kept_by_rules(op, info, &used);
            return self.behaves(op, &behavior, segment, step, region);
        }
        if info.has_foreign_model() {
            return match modelled(op) {
                Some(behavior) => self.behaves(op, &behavior, segment, step, region),
                None => {
                    self.fails(op, What::Model);
                    segment
                }
            };
        }
        self.touches_memory(op, info, segment, step, &used, has_memrefs);
        if !info.is_call() {
            return segment;
        }
        self.by_callee(op, segment, region)
    }

    /// What the callee of a call does, as its body shows; the segment behind it.
    fn by_callee(&mut self, op: Op<'c>, segment: SegmentId, region: RegionId) -> SegmentId {
        let Some(facts) = self.callees.facts(op) else {
            return segment;
        };
        let first = calls::call_arguments(op).map_or(0, |range| range.start);
        let argument = |at: usize| operands(op).nth(first + at);
        for kept in facts.keeps.iter().filter_map(|at| argument(*at)) {
            let id = self.id(kept);
            self.escapes.extend(id.map(|id| (id, op)));
            self.expose(kept);
        }
        for kept in facts.keeps_numbers.iter().filter_map(|at| argument(*at)) {
            self.carrier_escapes(kept, op);
        }
        if facts.frees.is_empty() {
            return segment;
        }
        let freed = facts.frees.iter();
        let freed = freed.filter_map(|freed| Some((argument(freed.argument)?, freed.always)));
        // What the program goes on to touch, the callee does not free this time.
        let freed: SmallVec<[(Val<'c>, bool); 2]> = freed
            .filter(|(val, always)| *always || !is_touched_behind(op, *val, self.names))
            .collect();
        if freed.is_empty() {
            return segment;
        }
        for (val, always) in &freed {
            let Some(id) = self.id(*val) else { continue };
            self.reading.freed.push((op, id, *always));
            if !always {
                self.reading.perhaps_freed.push((id, op));
            }
        }
        self.takes(op, freed.into_iter().map(|(val, _)| val), segment, region)
    }

    /// What a handler cannot say, rules of the same operation may.
    fn kept_by_rules(&mut self, op: Op<'c>, info: NameInfo, used: &[ValueId]) {
        if !info.is_ruled {
            return;
        }
        let declared = effects(op).unwrap_or_default();
        let kept = declared
            .iter()
            .filter(|effect| effect.kind == EffectKind::Keep);
        for kept in kept.filter_map(|effect| effect.value) {
            let id = self.id(kept);
            self.escapes.extend(id.map(|id| (id, op)));
            self.expose(kept);
        }
        if goes_on(op, info) {
            self.held_until_awaited(op, used);
        }
    }

    /// What an operation does with memory, by its interfaces.
    fn touches_memory(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        used: &[ValueId],
        has_memrefs: bool,
    ) {
        if info.may_view()
            && let Some(source) = calls::view_source(op)
            && let Some(source) = self.id(source)
            && is_memref_view(op)
        {
            self.reading.has_shifts |= info.known == Known::View
                && operands(op)
                    .nth(1)
                    .is_none_or(|shift| !is_zero(shift, self.names));
            // What gives a view its shape is read for that.
            for value in used.iter().filter(|value| **value != source) {
                self.uses(segment, step, *value);
            }
            for result in results(op).filter(|result| is_memref(type_of(*result))) {
                self.ids.insert(result.key(), source);
            }
            return;
        }
        match info.known {
            Known::Select if has_memrefs => {
                if let Some(result) = results(op).next()
                    && !self.is_based(result)
                {
                    self.value(
                        Kind::Any(used.iter().copied().collect()),
                        segment,
                        Some(step),
                        Some(result),
                    );
                }
                self.carry(op, results(op), &[]);
                return;
            }
            Known::DistinctObjects => {
                for (operand, result) in operands(op).zip(results(op)) {
                    if let Some(id) = self.id(operand) {
                        self.ids.insert(result.key(), id);
                    }
                }
                return;
            }
            Known::AsyncAwait if has_memrefs => return self.awaits(op, used, segment, step),
            Known::AsyncAddToGroup => return self.adds_to_group(op),
            Known::Realloc => return self.fails(op, What::Realloc),
            Known::DmaStart => return self.starts_transfer(op, segment, step, used),
            Known::DmaWait => return self.waits_for_transfer(op, segment, step, used),
            Known::Dim => return,
            _ => {}
        }
        if let Some(word) = self.words.of(op, self.names) {
            return self.lays_out(op, word, segment, step, used);
        }
        self.contains(op, info);
        let declared = effects(op);
        let is_known = info.has_recursive_effects()
            || info.is_call()
            || info.is_view()
            || info.known == Known::GpuLaunchFunction;
        if declared.is_none() && !is_known {
            if has_memrefs || !used.is_empty() {
                return self.fails(op, What::UnknownEffects);
            }
            if !self.is_wait(op, info) && info.known != Known::GpuWait {
                self.carriers_escape(op);
            }
        }
        let declared = declared.unwrap_or_default();
        for value in used {
            self.uses(segment, step, *value);
        }
        let on = |val: Val<'c>, kind: EffectKind| {
            declared
                .iter()
                .any(|effect| effect.kind == kind && effect.value == Some(val))
        };
        for operand in operands(op) {
            if on(operand, EffectKind::Free)
                && let Some(id) = self.id(operand)
            {
                // What does more than that stays where it is.
                match used.len() == 1 && declared.len() == 1 {
                    true => self.frees.push((op, id)),
                    false => self.escapes.push((id, op)),
                }
            }
            if on(operand, EffectKind::Keep) {
                let id = self.id(operand);
                self.escapes.extend(id.map(|id| (id, op)));
                self.expose(operand);
            }
        }
        if info.is_call() || info.known == Known::GpuLaunchFunction {
            for at in calls::captured_by_type(op) {
                let id = operands(op).nth(at).and_then(|operand| self.id(operand));
                self.escapes.extend(id.map(|id| (id, op)));
            }
        }
        if !self.stores_into(op, info, segment, step) {
            self.stores(op, info, &declared);
        }
        if info.is_call() && op.has_attribute(told::MARK) {
            self.reading.is_done = true;
        }
        let is_held = self.results(op, info, segment, step, used, &declared);
        if (info.starts_transfer || goes_on(op, info)) && !is_held {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
    }

    /// Memrefs that are laid out for their words get nowhere else: what is read there is the memref, or its address.
    fn lays_out(
        &mut self,
        op: Op<'c>,
        word: Word<'c>,
        segment: SegmentId,
        step: Step,
        used: &[ValueId],
    ) {
        for value in used {
            self.uses(segment, step, *value);
        }
        let (Word::Memref(memref) | Word::Address(memref)) = word else {
            return;
        };
        let Some(id) = self.id(memref) else { return };
        match word {
            Word::Memref(_) => self
                .ids
                .extend(results(op).map(|result| (result.key(), id))),
            _ => self.carry(op, results(op), &[id]),
        }
    }

    /// A memref comes that was still to come.
    fn awaits(&mut self, op: Op<'c>, used: &[ValueId], segment: SegmentId, step: Step) {
        self.carry(op, results(op), &[]);
        for (value, result) in used.iter().zip(results(op)) {
            self.uses(segment, step, *value);
            self.ids.insert(result.key(), *value);
            let come = self.reading.awaits.entry(*value).or_default();
            come.push((segment, step, result));
        }
    }

    /// A group holds what is added to it; what cannot be seen to be waited for is never freed.
    fn adds_to_group(&mut self, op: Op<'c>) {
        let group = self.group(op);
        self.carry(op, group.into_iter(), &[]);
    }

    /// A memref that is written to memory.
    fn stores(&mut self, op: Op<'c>, info: NameInfo, effects: &[Effect<'c>]) {
        if info.is_call()
            || !effects
                .iter()
                .any(|effect| effect.kind == EffectKind::Write)
        {
            return;
        }
        for operand in operands(op) {
            let named = effects.iter().any(|effect| effect.value == Some(operand));
            let unnamed = effects.iter().any(|effect| effect.value.is_none());
            if named || (unnamed && !info.may_store_by_symbol()) {
                continue;
            }
            if let Some(id) = self.id(operand) {
                self.escapes.push((id, op));
            }
            // A token is waited for, not written anywhere.
            if !is_token(operand) {
                self.carrier_escapes(operand, op);
            }
        }
    }

    /// Nobody knows what gives back the memory that a call gives: not yet, or never.
    fn returns_what_is_not_known(&mut self, call: Op<'c>) {
        let facts = self.callees.facts(call);
        match facts.map(|facts| &facts.returned) {
            Some(Returned::Anything) => self.fails(call, What::AnyAllocator),
            _ => self.reading.is_pending = true,
        }
    }

    /// The memrefs of a call that says which of them are new.
    fn told(&mut self, op: Op<'c>, told: &[Told], used: &[ValueId]) -> Vec<Kind> {
        let arguments: Vec<Option<ValueId>> = operands(op)
            .skip(calls::call_arguments(op).map_or(0, |range| range.start))
            .map(|operand| self.id(operand))
            .collect();
        let first = self.reading.function.values.len();
        let memrefs = results(op).filter(|result| is_memref(type_of(*result)));
        let count = memrefs.count();
        let values = (first..first + count).map(ValueId::new).collect();
        self.reading.told.push((op, values));
        let nothing = Told::default();
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
                Flag::Known => Kind::Told(sources),
                Flag::No => Kind::Any(sources),
            }
        };
        (0..count).map(kind).collect()
    }

    /// Values for results. Is what is used held until something waits for a result?
    fn results(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        segment: SegmentId,
        step: Step,
        used: &[ValueId],
        effects: &[Effect<'c>],
    ) -> bool {
        let mut first: SmallVec<[(Option<Freeing>, ValueId); 1]> = SmallVec::new();
        let mut memrefs = 0;
        let mut made: SmallVec<[ValueId; 2]> = SmallVec::new();
        let memref_operands = operands(op).any(|operand| holds_memref(type_of(operand)));
        let holds = self.gives_addresses(op, info);
        let (mut tokens, mut has_tokens) = (false, false);
        let callees = self.callees;
        let told = callees.of(op).filter(|_| info.is_call());
        // What the function says, other passes do not drop, as they may drop what the call says.
        let by_callee = callees
            .facts(op)
            .filter(|facts| info.is_call() && !facts.lends.is_empty());
        let lent: SmallVec<[usize; 2]> = match (by_callee, lent::lent_to(op)) {
            (Some(facts), _) => facts.lends.iter().copied().collect(),
            (None, Ok(lent)) => lent.into_iter().collect(),
            (None, Err(_)) => {
                self.fails(op, What::Stale);
                return false;
            }
        };
        let mut told = told
            .map(|told| self.told(op, told, used))
            .unwrap_or_default()
            .into_iter();
        for (at, result) in results(op).enumerate() {
            if self.is_carrier(result) {
                tokens |= !holds && !is_plain_data(type_of(result)) && !used.is_empty();
                has_tokens |= is_token(result);
                let memory = if holds { used } else { &[] };
                self.carry(op, std::iter::once(result), memory);
            }
            if !holds_memref(type_of(result)) {
                continue;
            }
            let allocation = effects
                .iter()
                .find(|effect| effect.kind == EffectKind::Allocate && effect.value == Some(result));
            let freed_by = match callees.facts(op).filter(|_| info.is_call()) {
                Some(facts) => facts.returned.of(memrefs),
                None => Some(freeing(info)),
            };
            memrefs += 1;
            let kind = if let Some(told) = told.next() {
                told
            } else if let Some(allocation) = allocation {
                // Of what rules say is new, nobody has said how it is given back.
                let owned = !allocation.automatic_scope
                    && !op.has_attribute(MANUAL_DEALLOCATION)
                    && !info.is_ruled;
                Kind::Fresh {
                    owned,
                    same_as: None,
                }
            } else if info.is_call() && lent.contains(&at) {
                Kind::Foreign
            } else if info.is_call() {
                // What is given back in different ways is not the same.
                let same = first.iter().find(|(known, _)| *known == freed_by);
                Kind::Fresh {
                    owned: true,
                    same_as: same.map(|(_, value)| *value),
                }
            } else if holds || memref_operands && !matches!(info.known, Known::Load) {
                let mut sources: SmallVec<[ValueId; 2]> = used.iter().copied().collect();
                if !holds || !memref_operands {
                    sources.push(self.reading.elsewhere);
                }
                Kind::Any(sources)
            } else {
                Kind::Foreign
            };
            let is_loaded = kind == Kind::Foreign && !used.is_empty() && !info.is_call();
            let is_new = matches!(kind, Kind::Fresh { .. });
            let id = self.value(kind, segment, Some(step), Some(result));
            self.made_from_carried(op, id);
            if is_loaded {
                self.reading.loaded.push(id);
                self.loads_from(op, info, id);
            }
            if allocation.is_some() {
                self.makes_container(id, result);
            }
            if allocation.is_some_and(|allocation| allocation.automatic_scope) {
                self.reading.function.scoped.push(id);
            }
            if is_new {
                if info.known == Known::Clone {
                    self.reading.clones.push(op);
                }
                made.push(id);
                if first.iter().all(|(known, _)| *known != freed_by) {
                    first.push((freed_by, id));
                }
                match freed_by {
                    Some(freeing) => {
                        self.reading.freeing.insert(id, freeing);
                        if freeing != Freeing::Memref {
                            self.reading.function.apart.push(id);
                        }
                    }
                    None => self.returns_what_is_not_known(op),
                }
            }
        }
        // What has been waited for with its token is used by that.
        if !info.is_call() && !made.is_empty() {
            let others = results(op).filter(|result| !is_plain_data(type_of(*result)));
            self.carry(op, others, &made);
        }
        if tokens || has_tokens {
            let waits = self.held_until_awaited(op, used);
            // Memory whose address it was given as a number or a pointer is held for as long.
            for address in operands(op).filter(|operand| !waits && !is_token(*operand)) {
                self.carrier_escapes(address, op);
            }
        }
        tokens
    }
}
