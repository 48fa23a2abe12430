//! What an operation without regions of interest does to memory.

use super::{LENT, Reader, dynamic::SLOT_BYTES};
use crate::verify::program::{Action, Derivation, Elements, Escape, OpId, ValueId, Values};
use memplan_mlir::{
    calls::{callee, callee_symbol, captured_by_type, function_body, view_source},
    contents::contents,
    effects::{EffectKind, effects},
    ir::{Identity, Key, Op, Origin, Val, is_memref, operands, origin, results, type_of},
    melior::ir::{TypeLike, attribute::DenseI32ArrayAttribute, operation::OperationLike},
    names::{Known, NameInfo},
};

/// What an operation itself does to the values that it uses.
#[derive(Default)]
struct Touch {
    reads: Values,
    writes: Values,
    freed: Values,
    kept: Values,
    /// Results that are memory of their own.
    fresh: Vec<Key>,
    /// Writes to anything.
    stores: bool,
}

impl<'c> Reader<'c> {
    pub(super) fn operation(&mut self, op: Op<'c>, info: NameInfo) {
        self.accesses(op, info);
        self.results(op, info);
        if self.uses_tokens(op, info) {
            let used = self.references(operands(op));
            self.tokens(op, info, &used);
        }
    }

    /// Reads, writes, frees and captures.
    pub(super) fn accesses(&mut self, op: Op<'c>, info: NameInfo) {
        let used = self.references(operands(op));
        if used.is_empty() {
            return;
        }
        let touch = self.touch(op, info, &used);
        let id = self.id(op);
        for value in &touch.freed {
            self.step(id, Action::Deallocate(*value));
        }
        for value in &touch.kept {
            self.step(id, Action::Escape(*value, Escape::Stored));
        }
        if info.is_call() || info.known == Known::GpuLaunchFunction {
            self.captures(op, id);
        }
        // Rules say what is kept.
        let may_store = !info.is_terminator() && !info.is_call() && !info.is_ruled;
        if touch.stores && may_store {
            for value in &used {
                let named = touch.reads.iter().chain(&touch.writes).chain(&touch.freed);
                if !named.into_iter().any(|named| named == value) {
                    self.step(id, Action::Escape(*value, Escape::Stored));
                }
            }
        }
        if info.known == Known::UnrealizedCast
            && results(op).any(|result| !is_memref(type_of(result)))
        {
            for value in &used {
                self.address(id, *value, Escape::Cast);
            }
        }
        if info.known == Known::DistinctObjects {
            self.step(id, Action::Distinct(used.iter().copied().collect()));
        }
        if !touch.reads.is_empty() || !touch.writes.is_empty() {
            let elements = self.elements(op, &touch);
            let (reads, writes) = (touch.reads, touch.writes);
            self.step(
                id,
                Action::Access {
                    reads,
                    writes,
                    elements,
                },
            );
        }
    }

    /// What a callee without a body, or one that is not known, may store in memory that it gets, it may use later.
    fn captures(&mut self, op: Op<'c>, id: OpId) {
        let captured = captured_by_type(op);
        if captured.is_empty() || self.has_body(op) {
            return;
        }
        let all: Vec<Val<'c>> = operands(op).collect();
        let captured = self.references(captured.into_iter().map(|at| all[at]));
        self.escape(id, &captured, Escape::Stored);
    }

    /// Is the callee of a call a function with a body? Each symbol is looked up once.
    fn has_body(&mut self, call: Op<'c>) -> bool {
        let Some(symbol) = callee_symbol(call) else {
            return false;
        };
        let has_body = || callee(call).and_then(function_body).is_some();
        *self.bodies.entry(symbol.key()).or_insert_with(has_body)
    }

    /// What is known of the elements that an operation reads and writes.
    fn elements(&mut self, op: Op<'c>, touch: &Touch) -> Elements {
        let mut elements = Elements::default();
        if touch.writes.is_empty() {
            return elements;
        }
        let contents = contents(op);
        let mut bytes = |operand: usize| {
            let value = operands(op).nth(operand)?;
            if self.is_slot_view(value) {
                return Some((self.value(value), SLOT_BYTES));
            }
            let extent = self.layout.extent(type_of(value)).ok()?;
            Some((self.value(value), extent.size))
        };
        for operand in contents.overwritten {
            elements.overwritten.extend(bytes(operand));
        }
        // A copy from some bytes to the same is none that a program may make.
        let allowed = contents.in_step.into_iter();
        for (read, written) in allowed.filter(|pair| !contents.copied.contains(pair)) {
            if let (Some((read, size)), Some((written, other))) = (bytes(read), bytes(written))
                && size == other
            {
                elements.in_step.push((read, written, size));
            }
        }
        // What an operation reads through the same value, it does not overwrite.
        let reads = &touch.reads;
        elements
            .overwritten
            .retain(|(value, _)| !reads.contains(value));
        elements
    }

    /// What the results refer to.
    pub(super) fn results(&mut self, op: Op<'c>, info: NameInfo) {
        let referring: Vec<Val<'c>> = results(op)
            .filter(|result| !self.plain.is_plain(*result))
            .filter(|result| !self.arenas.contains_key(&result.key()))
            .collect();
        if referring.is_empty() {
            return;
        }
        // A callee that keeps its arena is refused for itself.
        let is_lent = |value: &Val<'c>| matches!(origin(*value), Some(Origin::Result(op, _)) if op.has_attribute(LENT));
        let sources = self.references(operands(op).filter(|value| !is_lent(value)));
        if sources.is_empty() {
            return;
        }
        let fresh = self.touch(op, info, &sources).fresh;
        for result in referring {
            if fresh.contains(&result.key()) {
                continue;
            }
            let derivation = self.derivation(op, info, result, &sources);
            let result = self.value(result);
            self.program.values[result.index()] = derivation;
            let sources = match derivation {
                Derivation::View { source, .. } => Values::from_slice(&[source]),
                _ => sources.iter().copied().collect(),
            };
            let id = self.id(op);
            self.step(id, Action::Alias { result, sources });
        }
    }

    fn derivation(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        result: Val<'c>,
        sources: &[ValueId],
    ) -> Derivation {
        if info.known == Known::Select
            && let [a, b] = *sources
        {
            return Derivation::Select(a, b);
        }
        if !info.may_view() {
            return Derivation::Root;
        }
        let Some(source) = view_source(op).filter(|source| !self.plain.is_plain(*source)) else {
            return Derivation::Root;
        };
        if self.arenas.contains_key(&source.key()) {
            return Derivation::Root;
        }
        // A view moves the aligned pointer; one of no bytes may stand behind the last one.
        let pointer_inside = info.known != Known::View
            || self
                .layout
                .extent(type_of(result))
                .is_ok_and(|extent| extent.size > 0);
        Derivation::View {
            source: self.value(source),
            pointer_inside,
        }
    }

    fn touch(&mut self, op: Op<'c>, info: NameInfo, used: &[ValueId]) -> Touch {
        let mut touch = Touch::default();
        let effects = effects(op);
        let known = effects.is_some();
        let mut all_read = info.is_call();
        let mut all_written = info.is_call();
        let mut all_freed = false;
        for effect in effects.into_iter().flatten() {
            touch.stores |= effect.kind == EffectKind::Write;
            let Some(value) = effect.value else {
                all_read |= effect.memory && effect.kind == EffectKind::Read;
                all_written |= effect.memory && effect.kind == EffectKind::Write;
                all_freed |= effect.memory && effect.kind == EffectKind::Free;
                continue;
            };
            if effect.kind == EffectKind::Allocate {
                // A clone may later be folded into what it is a clone of.
                if info.known != Known::Clone {
                    touch.fresh.push(value.key());
                }
                continue;
            }
            if self.plain.is_plain(value) || self.arenas.contains_key(&value.key()) {
                continue;
            }
            let value = self.value(value);
            match effect.kind {
                EffectKind::Read => touch.reads.push(value),
                EffectKind::Write => touch.writes.push(value),
                EffectKind::Keep => touch.kept.push(value),
                _ => touch.freed.push(value),
            }
        }
        // Nothing is known of it, or it goes on with something that was started before: what a
        // token or the like refers to.
        let quiet = info.has_recursive_effects() || (info.is_registered() && info.is_terminator());
        if !known && !quiet {
            (all_read, all_written) = (true, true);
        }
        if all_read || all_written {
            touch.reads.extend_from_slice(used);
        }
        if all_freed {
            touch.freed.extend_from_slice(used);
        }
        if all_written {
            touch.writes.extend_from_slice(used);
        }
        if !info.is_terminator() && !info.is_view() {
            for operand in operands(op) {
                let r#type = type_of(operand);
                if is_memref(r#type) || self.plain.is_plain(operand) {
                    continue;
                }
                let value = self.value(operand);
                touch.reads.push(value);
                if !r#type.is_tensor() {
                    touch.writes.push(value);
                }
            }
        }
        if info.known == Known::BufferizationDealloc {
            touch.freed.extend(self.deallocated(op));
        }
        for values in [&mut touch.reads, &mut touch.writes] {
            values.sort_unstable();
            values.dedup();
        }
        touch
    }

    /// The memrefs that a `bufferization.dealloc` may free: its first operands.
    fn deallocated(&mut self, op: Op<'c>) -> Vec<ValueId> {
        let count = op
            .attribute("operandSegmentSizes")
            .and_then(DenseI32ArrayAttribute::try_from)
            .and_then(|sizes| sizes.element(0))
            .unwrap_or_default();
        self.references(operands(op).take(usize::try_from(count).unwrap_or_default()))
    }

    pub(super) fn escape(&mut self, op: OpId, values: &[ValueId], how: Escape) {
        for value in values {
            self.step(op, Action::Escape(*value, how));
        }
    }
}
