//! What operations do with memrefs, and what conditions are made of.

use super::Reader;
use crate::{
    origins::{Allocation, MOVED, Operand, Site, callees::Summary, mark_of},
    ownership_dealloc::kinds::freeing,
};
use memplan_mlir::{
    build, calls,
    effects::{Effect, EffectKind, effects},
    ir::{
        Identity, Op, Origin, Val, is_memref, is_plain_data, is_unused, operands, origin, regions,
        results, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo, Names, SpaceUse},
};
use memplan_ownership::{
    conditions::Formula,
    dealloc::FlagId,
    function::{Kind, SegmentId, Step, ValueId},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    /// An operation without regions that touch memrefs.
    pub(super) fn simple(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId, step: Step) {
        // Also one of no memref: it frees nothing, and goes.
        if info.known == Known::BufferizationDealloc {
            return self.site(op, Some(segment));
        }
        let has_results = results(op).any(|result| is_memref(type_of(result)));
        if !has_results && !operands(op).any(|operand| is_memref(type_of(operand))) {
            self.condition(op, info);
            return;
        }
        if info.may_view() && self.view(op, info) {
            return;
        }
        match info.known {
            Known::DistinctObjects => {
                for (operand, result) in operands(op).zip(results(op)) {
                    let operand = self.used(operand);
                    let known = (operand.id, operand.is_moved);
                    self.ids.insert(result.key(), known);
                }
            }
            Known::Select => {
                let used = self.all_used(op);
                for result in results(op) {
                    self.any_of(&used, segment, step, result);
                }
            }
            Known::Realloc => {
                let mut used = self.all_used(op);
                let new = self.fresh(None, segment, step, mark_of(freeing(info)));
                used.truncate(1);
                for result in results(op) {
                    self.any_of(&used, segment, step, result);
                    self.add_source(result, new);
                }
            }
            _ if info.is_call() => self.call(op, segment, step),
            _ => self.other(op, info, segment, step),
        }
    }

    /// New memory; `val` is the memref, if it has one.
    fn fresh(
        &mut self,
        val: Option<Val<'c>>,
        segment: SegmentId,
        step: Step,
        marks: u8,
    ) -> ValueId {
        let kind = Kind::Fresh {
            owned: true,
            same_as: None,
        };
        let id = self.value(kind, segment, Some(step), val);
        self.reading.memory.marks[id.index()] = marks;
        id
    }

    fn any_of(&mut self, used: &[Operand<'c>], segment: SegmentId, step: Step, result: Val<'c>) {
        let sources = used.iter().map(|operand| operand.id).collect();
        let id = self.value(Kind::Any(sources), segment, Some(step), Some(result));
        if used.iter().any(|operand| operand.is_moved) {
            self.reading.memory.marks[id.index()] |= MOVED;
        }
    }

    fn add_source(&mut self, result: Val<'c>, source: ValueId) {
        let (id, _) = self.ids[&result.key()];
        if let Kind::Any(sources) = &mut self.reading.memory.function.values[id.index()].kind {
            sources.push(source);
        }
    }

    /// A view; false if it is none of a memref.
    fn view(&mut self, op: Op<'c>, info: NameInfo) -> bool {
        let Some(source) = calls::view_source(op).filter(|source| is_memref(type_of(*source)))
        else {
            return false;
        };
        let stays = match info.known {
            Known::View => operands(op)
                .nth(1)
                .is_some_and(|shift| is_zero(shift, self.names)),
            Known::ExtractMetadata | Known::Reshape => true,
            _ => info.space == SpaceUse::Same,
        };
        let source = self.operand(source);
        let known = (source.id, source.is_moved || !stays);
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            self.ids.insert(result.key(), known);
        }
        // What gives it its shape is read for that.
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            let id = self.operand(operand).id;
            if id != source.id {
                self.reading.uses[id.index()] += 1;
            }
        }
        // Its numbers may be used for anything; the memory is not, by that.
        self.reading.views.push((source.id, op));
        if results(op).any(|result| !is_memref(type_of(result)) && !is_unused(result)) {
            self.reading.uses[source.id.index()] += 1;
        }
        true
    }

    pub(super) fn site(&mut self, op: Op<'c>, segment: Option<SegmentId>) {
        // One condition for each memref, one result for each that is kept.
        let count = (op.operand_count() - op.result_count()) / 2;
        let memrefs = operands(op).take(count);
        let memrefs = memrefs.map(|val| self.operand(val)).collect();
        let conditions = operands(op).skip(count).take(count);
        let conditions = conditions.map(|val| self.flag(val)).collect();
        let retained = operands(op).skip(2 * count);
        let retained = retained.map(|val| self.used(val)).collect();
        let is_used = results(op).map(|val| !is_unused(val)).collect();
        let results = results(op).map(|val| self.new_flag(val, Formula::Unknown));
        let results = results.collect();
        self.reading.sites.push(Site {
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
    fn flag(&mut self, val: Val<'c>) -> FlagId {
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

    /// What computes a condition.
    fn condition(&mut self, op: Op<'c>, info: NameInfo) {
        if !matches!(
            info.known,
            Known::Constant | Known::AndI | Known::OrI | Known::XOrI | Known::Select
        ) {
            return;
        }
        let Some(result) = results(op)
            .next()
            .filter(|result| type_of(*result) == self.i1)
        else {
            return;
        };
        let given: SmallVec<[FlagId; 3]> = operands(op).map(|val| self.flag(val)).collect();
        let formula = match (info.known, given.as_slice()) {
            (Known::AndI, [a, b]) => Formula::And(*a, *b),
            (Known::OrI, [a, b]) => Formula::Or(*a, *b),
            (Known::XOrI, [a, b]) => Formula::Xor(*a, *b),
            (Known::Select, [which, a, b]) => Formula::Select(*which, *a, *b),
            _ => match build::integer(op, "value") {
                Some(value) => Formula::Constant(value != 0),
                None => Formula::Unknown,
            },
        };
        self.new_flag(result, formula);
    }

    fn call(&mut self, op: Op<'c>, segment: SegmentId, step: Step) {
        let used: SmallVec<[Option<Operand<'c>>; 4]> = operands(op)
            .map(|operand| is_memref(type_of(operand)).then(|| self.used(operand)))
            .collect();
        let arguments = calls::call_arguments(op).unwrap_or(0..0);
        let symbol = calls::callee_symbol(op);
        let summary = self
            .table
            .zip(symbol)
            .and_then(|(table, symbol)| self.calls.get(&(table, symbol.key())));
        for (at, operand) in used.iter().enumerate() {
            let Some(operand) = operand else { continue };
            let argument = at.checked_sub(arguments.start);
            let keeps = match (summary, argument) {
                (Some(summary), Some(argument)) => summary.keeps(argument),
                _ => true,
            };
            if keeps {
                self.reading.memory.escapes.push(operand.id);
            }
        }
        match summary {
            Some(summary) => {
                let passed = used.get(arguments.clone()).unwrap_or_default();
                self.called(op, summary, passed, segment, step);
            }
            None => {
                for result in results(op).filter(|result| is_memref(type_of(*result))) {
                    self.unknown(segment, Some(step), result);
                }
            }
        }
    }

    /// The results of a call whose callee is known.
    fn called(
        &mut self,
        op: Op<'c>,
        summary: &Summary,
        passed: &[Option<Operand<'c>>],
        segment: SegmentId,
        step: Step,
    ) {
        let mut news: FxHashMap<u32, ValueId> = FxHashMap::default();
        for (at, result) in results(op).enumerate() {
            if !is_memref(type_of(result)) {
                continue;
            }
            let Some(Some(returned)) = summary.results.get(at) else {
                self.unknown(segment, Some(step), result);
                continue;
            };
            let new = (!returned.new.is_empty()).then(|| {
                // What may be the same is named by its first.
                let first = news.get(&returned.new[0]).copied();
                let alone = returned.arguments.is_empty()
                    && !returned.foreign
                    && !returned.unknown
                    && returned.new.len() == 1;
                let val = alone.then_some(result);
                let new = self.fresh(val, segment, step, returned.marks);
                if let Kind::Fresh { same_as, .. } =
                    &mut self.reading.memory.function.values[new.index()].kind
                {
                    *same_as = first;
                }
                if returned.out {
                    self.reading.memory.escapes.push(new);
                }
                new
            });
            if let (Some(new), [number]) = (new, returned.new.as_slice()) {
                news.entry(*number).or_insert(new);
            }
            if self.ids.contains_key(&result.key()) {
                continue;
            }
            let from: SmallVec<[Operand<'c>; 4]> = returned
                .arguments
                .iter()
                .filter_map(|argument| *passed.get(*argument as usize)?)
                .collect();
            self.any_of(&from, segment, step, result);
            let (id, _) = self.ids[&result.key()];
            self.reading.memory.marks[id.index()] |= returned.marks;
            if let Some(new) = new {
                self.add_source(result, new);
            }
            for other in returned.new.iter().skip(1) {
                if let Some(other) = news.get(other) {
                    self.add_source(result, *other);
                }
            }
            if returned.foreign {
                let other = self.value(Kind::Foreign, segment, Some(step), None);
                self.add_source(result, other);
            }
            if returned.unknown || from.len() < returned.arguments.len() {
                self.reading.memory.unknown.push(id);
            }
        }
    }

    /// What says by its effects what it does, or does not.
    fn other(&mut self, op: Op<'c>, info: NameInfo, segment: SegmentId, step: Step) {
        let declared = effects(op);
        let is_silent = declared.is_none() && !info.has_recursive_effects();
        let declared = declared.unwrap_or_default();
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            let used = self.used(operand);
            if is_silent || gets_out(op, info, operand, &declared) {
                self.reading.memory.escapes.push(used.id);
            }
        }
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            let is_new = declared
                .iter()
                .any(|effect| effect.kind == EffectKind::Allocate && effect.value == Some(result));
            if is_new {
                let marks = mark_of(freeing(info));
                let id = self.fresh(Some(result), segment, step, marks);
                if is_allocation(op, &declared) {
                    self.reading.allocations.push(Allocation { id, op });
                }
            } else if info.known == Known::GetGlobal {
                self.value(Kind::Foreign, segment, Some(step), Some(result));
            } else {
                self.unknown(segment, Some(step), result);
            }
        }
    }
}

/// Does what an operation does with a memref show that it, or something else, may name its memory later?
fn gets_out<'c>(op: Op<'c>, info: NameInfo, operand: Val<'c>, effects: &[Effect<'c>]) -> bool {
    if matches!(info.known, Known::ExtractPointer | Known::UnrealizedCast) {
        return true;
    }
    // A result may be or hold the memory; what is loaded or new is not.
    let holds = |result: Val<'c>| {
        let r#type = type_of(result);
        let is_new = || {
            effects
                .iter()
                .any(|effect| effect.kind == EffectKind::Allocate && effect.value == Some(result))
        };
        !is_plain_data(r#type) && !(is_memref(r#type) && (info.known == Known::Load || is_new()))
    };
    if results(op).any(holds) {
        return true;
    }
    let on = |kind: EffectKind| {
        let mut effects = effects.iter();
        effects.any(|effect| effect.kind == kind && effect.value == Some(operand))
    };
    if on(EffectKind::Keep) {
        return true;
    }
    let is_named = effects.iter().any(|effect| effect.value == Some(operand));
    let writes = effects
        .iter()
        .any(|effect| matches!(effect.kind, EffectKind::Write));
    // What is written, and not written to.
    writes && !is_named
}

/// Does an operation allocate, and nothing else?
fn is_allocation<'c>(op: Op<'c>, effects: &[Effect<'c>]) -> bool {
    op.result_count() == 1
        && regions(op).next().is_none()
        && effects
            .iter()
            .all(|effect| effect.kind == EffectKind::Allocate)
        && !op.has_attribute(build::MANUAL_DEALLOCATION)
}

/// Is a value a constant zero?
pub fn is_zero(val: Val<'_>, names: &mut Names) -> bool {
    match origin(val) {
        Some(Origin::Result(op, _)) => {
            names.info(op).known == Known::Constant && build::integer(op, "value") == Some(0)
        }
        _ => false,
    }
}
