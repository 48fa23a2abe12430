//! What an operation without regions of interest does to memory.

use super::{Call, Reader, dynamic::SLOT_BYTES};
use crate::program::{Action, Derivation, Elements, Escape, OpId, ValueId, Values};
use memplan_mlir::{
    calls::{callee, callee_symbol, function_body},
    ir::{
        Identity, Op, Origin, Val, is_memref, is_tensor, operands, origin, results, type_of, users,
    },
};
use memplan_semantics::{
    Capture, Computes, DataStart, OpMemory, Promise, ResultFact, ResultUse, Touch,
    attributes::is_for_callee,
    names::NameInfo,
    op_memory::{OperandNumber, ResultNumber},
};
use smallvec::SmallVec;

/// What an operation itself does to the values that it uses.
#[derive(Default)]
struct Uses {
    /// All of them.
    all: Values,
    reads: Values,
    writes: Values,
    freed: Values,
    stored: Values,
}

impl<'c> Reader<'c> {
    pub(super) fn operation(&mut self, op: Op<'c>, info: NameInfo) {
        if !self.semantics.concerns(op) {
            return;
        }
        let memory = self.semantics.of(op);
        self.accesses(op, info, &memory);
        self.results(op, &memory);
        if memory.start.is_some() || !memory.joins.is_empty() {
            let used = self.references(operands(op));
            self.tokens(op, &memory, &used);
        }
    }

    /// Reads, writes, frees and captures.
    pub(super) fn accesses(&mut self, op: Op<'c>, info: NameInfo, memory: &OpMemory) {
        let uses = self.uses(op, info, memory);
        if uses.all.is_empty() {
            return;
        }
        let id = self.id(op);
        for value in &uses.freed {
            self.step(id, Action::Deallocate(*value));
        }
        for value in &uses.stored {
            self.step(id, Action::Escape(*value, Escape::Stored));
        }
        for value in self.addresses_taken(op, memory) {
            self.address(id, value, Escape::Cast);
        }
        if memory.promises.contains(&Promise::Distinct) {
            self.step(id, Action::Distinct(uses.all.clone()));
        }
        if !uses.reads.is_empty() || !uses.writes.is_empty() {
            let elements = self.elements(op, &uses);
            let (reads, writes) = (uses.reads, uses.writes);
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

    /// Is the callee of a call a function with a body? Each symbol is looked up once.
    fn has_body(&mut self, call: Op<'c>) -> bool {
        let Some(symbol) = callee_symbol(call) else {
            return false;
        };
        let has_body = || callee(call).and_then(function_body).is_some();
        *self.bodies.entry(symbol.key()).or_insert_with(has_body)
    }

    /// Operands of which it reads no byte, and gives the address as something that is no memref.
    fn addresses_taken(&mut self, op: Op<'c>, memory: &OpMemory) -> Values {
        let mut taken = Values::new();
        for used in &memory.operands {
            let is_address = |result: &ResultUse| match &result.fact {
                ResultFact::Address { of } => of.binary_search(&used.operand).is_ok(),
                _ => false,
            };
            // Such operations have a result or two.
            let mut results = memory.results.iter().filter(|result| is_address(result));
            if used.touch == Touch::Descriptor
                && results.any(|result| !is_memref_result(op, result.result))
            {
                let operand = operands(op).nth(used.operand as usize);
                taken.extend(operand.and_then(|operand| self.reference(operand)));
            }
        }
        taken
    }

    /// What is known of the elements that an operation reads and writes.
    fn elements(&mut self, op: Op<'c>, uses: &Uses) -> Elements {
        let mut elements = Elements::default();
        if uses.writes.is_empty() {
            return elements;
        }
        let done = self.semantics.elements(op);
        let mut bytes = |operand: OperandNumber| {
            let value = operands(op).nth(operand as usize)?;
            if self.is_slot_view(value) {
                return Some((self.value(value), SLOT_BYTES));
            }
            let extent = self.layout.extent(type_of(value)).ok()?;
            Some((self.value(value), extent.size))
        };
        for operand in done.overwritten.iter().copied() {
            elements.overwritten.extend(bytes(operand));
        }
        let allowed = done.pairs.iter();
        for pair in allowed.filter(|pair| pair.same_bytes && !pair.apart) {
            let both = (bytes(pair.read), bytes(pair.written));
            if let (Some((read, size)), Some((written, other))) = both
                && size == other
            {
                elements.in_step.push((read, written, size));
            }
        }
        // What an operation reads through the same value, it does not overwrite.
        let reads = &uses.reads;
        elements
            .overwritten
            .retain(|(value, _)| !reads.contains(value));
        elements
    }

    /// What the results refer to.
    pub(super) fn results(&mut self, op: Op<'c>, memory: &OpMemory) {
        if memory.results.is_empty() {
            return;
        }
        let mut referring: SmallVec<[(usize, Val<'c>); 2]> = SmallVec::new();
        for (at, result) in results(op).enumerate() {
            if self.refers(result) && !self.arenas.contains_key(&result.key()) {
                referring.push((at, result));
            }
        }
        if referring.is_empty() {
            return;
        }
        // A callee that keeps its arena is refused for itself.
        let is_lent = |value: &Val<'c>| matches!(origin(*value), Some(Origin::Result(op, _)) if is_for_callee(op));
        let sources = self.references(operands(op).filter(|value| !is_lent(value)));
        for (at, result) in referring {
            let fact = memory.result(at);
            // A clone may later be folded into what it is a clone of.
            let is_new = |fact: &ResultFact| {
                matches!(
                    fact,
                    ResultFact::New {
                        may_share: None,
                        ..
                    }
                )
            };
            if fact.is_some_and(is_new) {
                continue;
            }
            let derivation = self.derivation(op, fact, result, &sources);
            let is_followed = self.is_followed(op, fact);
            // Other types stand for something that goes on, or that is not here yet.
            let is_returned = memory.is_call && is_memref(type_of(result));
            let result = self.value(result);
            if is_returned {
                let operands = operands(op).map(|operand| self.reference(operand));
                let operands = operands.collect();
                self.calls.push(Call {
                    op,
                    number: at,
                    result,
                    step: (!sources.is_empty()).then_some(self.program.steps.len()),
                    operands,
                });
            } else if !is_followed {
                match self.stored_in(op, fact) {
                    Some(stored) => {
                        let stored = self.references(stored.into_iter());
                        self.loaded.push((result, stored));
                    }
                    None => self.unknown.push(result),
                }
            }
            if sources.is_empty() {
                continue;
            }
            self.program.values[result.index()] = derivation;
            let sources = match derivation {
                Derivation::View { source, .. } => Values::from_slice(&[source]),
                _ => sources.iter().copied().collect(),
            };
            let id = self.id(op);
            self.step(id, Action::Alias { result, sources });
        }
    }

    /// What may be stored where a memref is loaded from: an allocation of which nothing but elements is used, and that is freed.
    fn stored_in(&mut self, op: Op<'c>, fact: Option<&ResultFact>) -> Option<Vec<Val<'c>>> {
        let Some(ResultFact::Loaded { from }) = fact else {
            return None;
        };
        let memref = operands(op).nth(*from as usize)?;
        let Some(Origin::Result(maker, _)) = origin(memref) else {
            return None;
        };
        self.semantics.of(maker).plain_allocation()?;
        let mut all = Vec::new();
        for user in users(memref) {
            if let Some(stored) = self.semantics.stored_element(user) {
                if stored.memref != memref || stored.value == memref {
                    return None;
                }
                all.push(stored.value);
            } else if !matches!(self.semantics.computed(user), Some(Computes::Element(_)))
                && !self.semantics.is_deallocation(user)
            {
                return None;
            }
        }
        Some(all)
    }

    /// Is a result no other memory than that of operands, or memory that no argument can be?
    fn is_followed(&mut self, op: Op<'c>, fact: Option<&ResultFact>) -> bool {
        match fact {
            Some(ResultFact::View { of, .. }) => {
                let source = operands(op).nth(*of as usize);
                source.is_some_and(|source| self.refers(source))
            }
            Some(ResultFact::AnyOf(_) | ResultFact::New { .. }) => true,
            // Globals are no arguments: where one is an arena, its address is known to nobody else.
            Some(ResultFact::Borrowed) => !self.semantics.says(op).is_described,
            _ => false,
        }
    }

    fn derivation(
        &mut self,
        op: Op<'c>,
        fact: Option<&ResultFact>,
        result: Val<'c>,
        sources: &[ValueId],
    ) -> Derivation {
        let (of, start) = match (fact, sources) {
            (Some(ResultFact::AnyOf(_)), [a, b]) => return Derivation::Select(*a, *b),
            (Some(ResultFact::View { of, start }), _) => (*of, *start),
            _ => return Derivation::Root,
        };
        let source = operands(op).nth(of as usize);
        let Some(source) = source.and_then(|source| self.reference(source)) else {
            return Derivation::Root;
        };
        // A view moves the aligned pointer; one of no bytes may stand behind the last one.
        let pointer_inside = start == DataStart::Same
            || self
                .layout
                .extent(type_of(result))
                .is_ok_and(|extent| extent.size > 0);
        Derivation::View {
            source,
            pointer_inside,
        }
    }

    fn uses(&mut self, op: Op<'c>, info: NameInfo, memory: &OpMemory) -> Uses {
        let mut uses = Uses::default();
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let is_followed = memory.opaque.is_none() && !info.is_terminator() && !memory.is_call;
        let writes = memory.operands.iter().any(|used| used.touch.writes());
        let is_described = self.semantics.says(op).is_described;
        for used in &memory.operands {
            let operand = given[used.operand as usize];
            let Some(value) = self.reference(operand) else {
                continue;
            };
            uses.all.push(value);
            // Something else than a memref stands for memory, or for something that was started before.
            let r#type = type_of(operand);
            let stands_for = !is_memref(r#type) && !info.is_terminator() && !info.is_view();
            if used.touch.reads() || stands_for {
                uses.reads.push(value);
            }
            if used.touch.writes() || stands_for && !is_tensor(r#type) {
                uses.writes.push(value);
            }
            // A callee that is not looked at may store one argument in another.
            if memory.is_call && used.capture != Capture::No && !self.has_body(op) {
                uses.stored.push(value);
            }
            if !is_followed {
                continue;
            }
            // What it neither reads nor writes may be what it writes. A description says what is captured.
            let is_written = writes && used.touch == Touch::Nothing && !is_described;
            match (used.frees, used.capture) {
                (Some(_), _) => uses.freed.push(value),
                (None, Capture::No) if !is_written => {}
                (None, _) => uses.stored.push(value),
            }
        }
        for values in [&mut uses.reads, &mut uses.writes] {
            values.sort_unstable();
            values.dedup();
        }
        uses
    }

    pub(super) fn escape(&mut self, op: OpId, values: &[ValueId], how: Escape) {
        for value in values {
            self.step(op, Action::Escape(*value, how));
        }
    }
}

/// Is a result a memref?
fn is_memref_result(op: Op<'_>, result: ResultNumber) -> bool {
    let result = results(op).nth(result as usize);
    result.is_some_and(|result| is_memref(type_of(result)))
}
