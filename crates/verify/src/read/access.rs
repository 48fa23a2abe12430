//! Effects of operations without control flow on memory.

use super::{Call, Free, ProgramReader};
use crate::program::{ALL_BYTES, Action, Derivation, Elements, Escape, OpId, ValueId, Values};
use memplan_mlir::{
    calls::{call_arguments, callee, callee_symbol, function_body},
    ir::{Identity, Op, Origin, Val, is_memref, is_tensor, operands, origin, results, type_of},
};
use memplan_semantics::{
    Capture, DataStart, ElementLoop, OpMemory, Promise, ResultFact, ResultUse, Touch,
    attributes::{is_donated, is_for_callee, may_describe_arguments},
    names::NameInfo,
    op_memory::{OperandNumber, ResultNumber},
};
use smallvec::SmallVec;

/// The operands through which an operation accesses memory.
#[derive(Default)]
struct Uses<'c> {
    /// All operands that may refer to memory.
    all: Values,
    reads: Values,
    writes: Values,
    freed: Vec<(ValueId, Val<'c>)>,
    stored: Values,
}

impl<'c> ProgramReader<'c, '_> {
    pub(super) fn operation(&mut self, op: Op<'c>, info: NameInfo) {
        if let Some(nest) = self.semantics.element_loop(op) {
            return self.element_loop(op, &nest);
        }
        if !self.semantics.concerns(op) {
            return;
        }
        let memory = self.semantics.of(op);
        self.accesses(op, info, &memory);
        if memory.is_call {
            self.donations(op);
        }
        self.results(op, &memory);
        if memory.start.is_some() || !memory.joins.is_empty() {
            let used = self.references(operands(op));
            self.tokens(op, &memory, &used);
        }
    }

    /// A nest of loops that accesses single elements.
    fn element_loop(&mut self, op: Op<'c>, nest: &ElementLoop<'c>) {
        let reads = self.references(nest.reads.iter().copied());
        let writes = self.references(nest.writes.iter().copied());
        let mut elements = Elements::default();
        for (read, written) in &nest.pairs {
            if let (Ok(extent), Some(read), Some(written)) = (
                self.layout.extent(type_of(*read)),
                self.reference(*read),
                self.reference(*written),
            ) {
                elements.in_step.push((read, written, extent.size));
            }
        }
        let id = self.id(op);
        self.action(
            id,
            Action::Access {
                reads: reads.into(),
                writes: writes.into(),
                elements,
            },
        );
    }

    /// Records the reads, writes, deallocations and captures of an operation.
    pub(super) fn accesses(&mut self, op: Op<'c>, info: NameInfo, memory: &OpMemory) {
        let uses = self.uses(op, info, memory);
        if uses.all.is_empty() {
            return;
        }
        let id = self.id(op);
        for (id_of_value, value) in &uses.freed {
            let action = self.program.actions.len();
            self.frees.push(Free {
                action,
                op,
                value: *value,
            });
            self.action(id, Action::Deallocate(*id_of_value));
        }
        for value in &uses.stored {
            self.action(id, Action::Escape(*value, Escape::Stored));
            self.stored_descriptor(op);
        }
        for value in self.addresses_taken(op, memory) {
            self.address(id, value, Escape::Cast);
        }
        if memory.promises.contains(&Promise::Distinct) {
            self.action(id, Action::Distinct(uses.all.clone()));
        }
        if !uses.reads.is_empty() || !uses.writes.is_empty() {
            let elements = self.elements(op, &uses);
            let (reads, writes) = (uses.reads, uses.writes);
            self.action(
                id,
                Action::Access {
                    reads,
                    writes,
                    elements,
                },
            );
        }
    }

    /// Records which operands a call donates.
    fn donations(&mut self, call: Op<'c>) {
        let symbol = callee_symbol(call).filter(|_| self.globals.is_some());
        let (Some(symbol), Some(range)) = (symbol, call_arguments(call)) else {
            return;
        };
        let donated = || {
            let callee = callee(call).filter(|callee| may_describe_arguments(*callee));
            let places = 0..range.len();
            callee.map_or_else(SmallVec::new, |callee| {
                places.filter(|place| is_donated(callee, *place)).collect()
            })
        };
        let donated = self.donated.entry(symbol.key()).or_insert_with(donated);
        for place in donated.clone() {
            let given: Vec<Val<'c>> = operands(call).collect();
            let (place, id) = (range.start + place, self.id(call));
            let Some(value) = given.get(place).and_then(|value| self.reference(*value)) else {
                continue;
            };
            let others = given
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place);
            let others = self.references(others.map(|(_, value)| *value));
            self.donations.push(self.program.actions.len());
            self.action(
                id,
                Action::Donate {
                    value,
                    others: others.into(),
                    is_lost: true,
                },
            );
        }
    }

    /// Whether the callee of a call has a body. Each symbol is looked up once.
    fn has_body(&mut self, call: Op<'c>) -> bool {
        let Some(symbol) = callee_symbol(call) else {
            return false;
        };
        let has_body = || callee(call).and_then(function_body).is_some();
        *self.bodies.entry(symbol.key()).or_insert_with(has_body)
    }

    /// Operands whose address the operation returns as a value that is no memref, without reading a byte.
    fn addresses_taken(&mut self, op: Op<'c>, memory: &OpMemory) -> Values {
        let mut taken = Values::new();
        for used in &memory.operands {
            let is_address = |result: &ResultUse| match &result.fact {
                ResultFact::Address { of } => of.binary_search(&used.operand).is_ok(),
                _ => false,
            };
            // Such operations have one or two results.
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

    /// The known order in which the operation reads and writes elements.
    fn elements(&mut self, op: Op<'c>, uses: &Uses<'c>) -> Elements {
        let mut elements = Elements::default();
        if uses.writes.is_empty() {
            return elements;
        }
        let done = self.semantics.elements(op);
        let mut bytes = |operand: OperandNumber| {
            let value = operands(op).nth(operand as usize)?;
            if self.is_slot_view(value) {
                // Shapes of static size differ by their bytes, and these by those of an element.
                let extent = self.layout.dynamic_extent(type_of(value)).ok()?;
                return Some((self.reference(value)?, ALL_BYTES, extent.bytes));
            }
            let extent = self.layout.extent(type_of(value)).ok()?;
            Some((self.reference(value)?, extent.size, extent.size))
        };
        for operand in done.overwritten.iter().copied() {
            let all = bytes(operand).map(|(value, size, _)| (value, size));
            elements.overwritten.extend(all);
        }
        let allowed = done.pairs.iter();
        for pair in allowed.filter(|pair| pair.same_bytes && !pair.apart) {
            let both = (bytes(pair.read), bytes(pair.written));
            if let (Some((read, size, one)), Some((written, same, other))) = both
                && (size, one) == (same, other)
            {
                elements.in_step.push((read, written, size));
            }
        }
        // Bytes that the operation also reads through the same value do not count as overwritten.
        let reads = &uses.reads;
        elements
            .overwritten
            .retain(|(value, _)| !reads.contains(value));
        elements
    }

    /// Records the memory that the results refer to.
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
        // A callee that returns a slice of its arena is an error of the callee.
        let is_borrowed = |value: &Val<'c>| matches!(origin(*value), Some(Origin::Result(op, _)) if is_for_callee(op));
        let sources = self.references(operands(op).filter(|value| !is_borrowed(value)));
        for (at, result) in referring {
            let fact = memory.result(at);
            // A clone may later be folded into its source.
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
            // Values of other types stand for a running operation, or for memory that does not exist yet.
            let is_returned = memory.is_call && is_memref(type_of(result));
            let result = self.value(result);
            if is_returned {
                let operands = operands(op).map(|operand| self.reference(operand));
                let operands = operands.collect();
                self.calls.push(Call {
                    op,
                    number: at,
                    result,
                    step: (!sources.is_empty()).then_some(self.program.actions.len()),
                    operands,
                });
            }
            let base = match is_followed || is_returned {
                true => None,
                false => self.loaded_base(op, result),
            };
            if base.is_none() && !is_followed && !is_returned {
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
            let sources = match (base, derivation) {
                (Some(base), _) => self.reference(base).into_iter().collect(),
                (None, Derivation::View { source, .. }) => Values::from_slice(&[source]),
                (None, _) => sources.iter().copied().collect(),
            };
            let id = self.id(op);
            self.action(id, Action::Alias { result, sources });
        }
    }

    /// Whether a result refers only to memory of operands, or to memory that no argument refers to.
    fn is_followed(&mut self, op: Op<'c>, fact: Option<&ResultFact>) -> bool {
        match fact {
            Some(ResultFact::View { of, .. }) => {
                let source = operands(op).nth(*of as usize);
                source.is_some_and(|source| self.refers(source))
            }
            Some(ResultFact::AnyOf(_) | ResultFact::New { .. }) => true,
            // No argument refers to a global: if one is an arena, only the functions that use it know its address.
            Some(ResultFact::Borrowed) => !self.semantics.table_facts(op).is_described,
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
        // A view moves the aligned pointer; a view of no bytes may start after the last byte.
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

    fn uses(&mut self, op: Op<'c>, info: NameInfo, memory: &OpMemory) -> Uses<'c> {
        let mut uses = Uses::default();
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let is_followed = memory.opaque.is_none() && !info.is_terminator() && !memory.is_call;
        let writes = memory.operands.iter().any(|used| used.touch.writes());
        let is_described = self.semantics.table_facts(op).is_described;
        for used in &memory.operands {
            let operand = given[used.operand as usize];
            let Some(value) = self.reference(operand) else {
                continue;
            };
            uses.all.push(value);
            // A value of another type stands for memory, or for an operation started before.
            let r#type = type_of(operand);
            let stands_for = !is_memref(r#type) && !info.is_terminator() && !info.is_view();
            if used.touch.reads() || stands_for {
                uses.reads.push(value);
            }
            if used.touch.writes() || stands_for && !is_tensor(r#type) {
                uses.writes.push(value);
            }
            // A callee that is not analysed may store one argument in another.
            if memory.is_call && used.capture != Capture::No && !self.has_body(op) {
                uses.stored.push(value);
            }
            if !is_followed {
                continue;
            }
            // A value that is neither read nor written may be what the operation stores. A rule for the operation says
            // which values it captures.
            let is_written = writes && used.touch == Touch::Nothing && !is_described;
            match (used.frees, used.capture) {
                // That frees the arena.
                (Some(_), _) if self.arenas.contains_key(&operand.key()) => {}
                (Some(_), _) => uses.freed.push((value, operand)),
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

    pub(super) fn escape(&mut self, op: OpId, values: &[ValueId], kind: Escape) {
        for value in values {
            self.action(op, Action::Escape(*value, kind));
        }
    }
}

/// Whether a result is a memref.
fn is_memref_result(op: Op<'_>, result: ResultNumber) -> bool {
    let result = results(op).nth(result as usize);
    result.is_some_and(|result| is_memref(type_of(result)))
}
