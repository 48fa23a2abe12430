//! What an operation does with memory.

use super::{Callee, RegionReader};
use crate::regions::facts::{Call, Reason, ScopeId};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{
        Op, Val, has_mark, is_memref, nested_memrefs, operands, results, stores_memrefs, type_of,
    },
    layout,
    melior::ir::operation::OperationLike,
    values,
};
use memplan_semantics::attributes::KEEP;
use memplan_semantics::{
    Allocator, Capture, OpMemory, Opaque, OperandUse, ResultFact, Touch, TypeClass, Unnamed,
    names::NameInfo, op_memory::OperandNumber,
};
use smallvec::SmallVec;

impl<'c> RegionReader<'c, '_> {
    /// An operation without regions that ends no block.
    pub(super) fn touch(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        if info.is_call() {
            return self.call(op, info, scope);
        }
        if !self.semantics.concerns(op) {
            return;
        }
        let memory = self.semantics.of(op);
        self.uses(op, &memory, scope);
    }

    /// What an operation does by itself.
    pub(super) fn uses(&mut self, op: Op<'c>, memory: &OpMemory, scope: ScopeId) {
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let freed = memory.operands.iter().filter(|used| used.frees.is_some());
        let freed = freed
            .map(|used| used.operand)
            .chain(memory.retained.iter().copied());
        if memory.opaque.is_none() {
            self.stick_all(freed.map(|at| given[at as usize]), Reason::Deallocated);
        }
        if let Some(reason) = self.not_followed(op, memory, &given) {
            return self.stick_all(operands(op).chain(results(op)), reason);
        }
        for used in &memory.operands {
            self.operand(used, memory, &given);
        }
        for (at, result) in results(op).enumerate() {
            if let Some(fact) = memory.result(at) {
                self.result(op, result, fact, memory, &given, scope);
            }
        }
    }

    /// Why nothing is known of what happens to what an operation uses.
    fn not_followed(&mut self, op: Op<'c>, memory: &OpMemory, given: &[Val<'c>]) -> Option<Reason> {
        match memory.opaque {
            Some(Opaque::UnknownEffects) => return Some(Reason::UnknownUse),
            Some(Opaque::Asynchronous) => return Some(Reason::Asynchronous),
            None if !self.is_over(op, memory) => return Some(Reason::Asynchronous),
            None => {}
        }
        let is_address = |fact: &ResultFact| matches!(fact, ResultFact::Address { .. });
        let mut used = memory.operands.iter();
        if memory.results.iter().any(|used| is_address(&used.fact))
            && used.all(|used| used.touch == Touch::Descriptor)
        {
            return Some(Reason::AddressTaken);
        }
        // A tensor, a pointer, a value to come: what it stands for is not followed.
        let mut taken = memory.operands.iter();
        let takes_others = taken.any(|used| {
            let r#type = type_of(given[used.operand as usize]);
            !is_memref(r#type) && self.semantics.class(r#type).refers_to_memory()
        });
        let memrefs = results(op).filter(|result| is_memref(type_of(*result)));
        let tokens = memory.results.iter();
        let tokens = tokens.filter(|used| used.fact == ResultFact::Token);
        let is_followed = !takes_others && memrefs.count() + tokens.count() == memory.results.len();
        (!is_followed).then_some(Reason::UnknownUse)
    }

    /// An operand that can hold an address.
    fn operand(&mut self, used: &OperandUse, memory: &OpMemory, given: &[Val<'c>]) {
        let val = given[used.operand as usize];
        if used.touch != Touch::Nothing
            && used.touch != Touch::Descriptor
            && !takes_elements(used, memory)
        {
            self.stick_held(val);
        }
        match used.capture {
            Capture::No => {}
            Capture::Inside(holder) => {
                let holder = given[holder as usize];
                if !self.stores(val, holder) {
                    self.stick(val, Reason::Stored);
                    self.stick_held(holder);
                }
            }
            Capture::Anywhere => self.stick(val, Reason::Stored),
        }
    }

    fn result(
        &mut self,
        op: Op<'c>,
        result: Val<'c>,
        fact: &ResultFact,
        memory: &OpMemory,
        given: &[Val<'c>],
        scope: ScopeId,
    ) {
        let of = |operand: OperandNumber| given[operand as usize];
        match fact {
            ResultFact::New {
                automatic: true, ..
            } => {}
            ResultFact::New {
                by: Allocator::Memref,
                may_share: None,
                ..
            } => self.allocates(op, result, scope),
            ResultFact::New {
                may_share: Some(old),
                ..
            } => {
                // What was in the old memory is in the new.
                self.stick_held(of(*old));
                self.stick_held(result);
                let used = memory.operand(*old as usize);
                if used.is_some_and(|used| used.frees.is_some()) {
                    self.stick(result, Reason::Deallocated);
                } else {
                    self.stick(of(*old), Reason::UnknownUse);
                    self.stick(result, Reason::OtherAllocator);
                }
            }
            ResultFact::New { .. } => self.stick(result, Reason::OtherAllocator),
            ResultFact::View { of: source, .. } if is_memref(type_of(of(*source))) => {
                self.join(of(*source), result);
            }
            ResultFact::View { .. } => self.stick(result, Reason::OtherAllocator),
            ResultFact::AnyOf(all) => all.iter().for_each(|at| self.join(of(*at), result)),
            ResultFact::Loaded { from } => {
                if !self.loads(of(*from), result) {
                    self.stick_held(of(*from));
                    self.stick(result, Reason::Loaded);
                }
            }
            ResultFact::Borrowed => self.stick_held(result),
            // What computes memrefs from memrefs has a few of them.
            ResultFact::Unknown { may_be } if touches_nothing(memory) => {
                may_be.iter().for_each(|at| self.join(of(*at), result));
            }
            ResultFact::Unknown { may_be } => {
                self.stick(result, Reason::Loaded);
                for at in may_be {
                    // What reads it and gives a memref may give a part of it.
                    if stores_memrefs(type_of(of(*at))) {
                        self.stick_held(of(*at));
                    } else {
                        self.stick(of(*at), Reason::UnknownUse);
                    }
                }
            }
            // Not followed.
            ResultFact::Address { .. } | ResultFact::Token => {}
        }
    }

    fn allocates(&mut self, op: Op<'c>, result: Val<'c>, scope: ScopeId) {
        let memref = type_of(result);
        let (is_dynamic, form) = match self.layout.extent(memref) {
            Ok(extent) => (false, Ok(extent.size)),
            Err(layout::NoSize::Dynamic) => {
                let extent = self.layout.dynamic_extent(memref);
                (true, extent.map(|extent| extent.bytes))
            }
            Err(error) => (false, Err(error)),
        };
        let unit = form.ok();
        if form == Err(layout::NoSize::TooLarge) || unit.is_some_and(|unit| has_no_size(op, unit)) {
            self.stick(result, Reason::Size);
        } else if form.is_err() || !layout::memory_space(memref).is_empty() {
            self.stick(result, Reason::Form);
        }
        if op.has_attribute(MANUAL_DEALLOCATION) || has_mark(op, KEEP) {
            self.stick(result, Reason::Marked);
        }
        let bytes = unit.and_then(|unit| most_bytes(op, unit));
        self.allocation(op, result, scope, is_dynamic, bytes);
    }

    fn call(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        let callee = (self.callee)(op);
        self.reading.callees.push(callee);
        if callee == Callee::Awaited {
            return self.asynchronous_call(op);
        }
        let everything = || operands(op).chain(results(op));
        let semantics = &mut *self.semantics;
        let mut is_data = |val: Val<'c>| semantics.class(type_of(val)) == TypeClass::Data;
        let gives_data = results(op).all(&mut is_data);
        let is_known = everything().all(|val| is_memref(type_of(val)) || is_data(val));
        match callee {
            Callee::Function(callee) if info.is_extensible_call() => {
                self.reading.calls.push(op);
                everything().for_each(|val| self.stick_held(val));
                let (arguments, results) = (self.slots(operands(op)), self.slots(results(op)));
                let is_once = self.is_once(op);
                self.reading.function.calls.push(Call {
                    callee,
                    scope,
                    number: self.count - 1,
                    is_once,
                    is_recursive: false,
                    arguments,
                    results,
                });
            }
            Callee::Outside if gives_data => {
                if operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0) {
                    self.stick_all(everything(), Reason::Stored);
                }
            }
            _ => {
                let reason = if callee == Callee::WorkedOn {
                    Reason::WorkedOn
                } else if is_known {
                    Reason::UnknownCallee
                } else {
                    Reason::UnknownUse
                };
                self.stick_all(everything(), reason);
            }
        }
    }
}

impl<'c> RegionReader<'c, '_> {
    /// A call whose callee goes on after control has passed the call, and keeps nothing. What it returns is not followed.
    fn asynchronous_call(&mut self, op: Op<'c>) {
        let everything = || operands(op).chain(results(op));
        let mut is_followed = |val: Val<'c>| {
            is_memref(type_of(val)) || !self.semantics.class(type_of(val)).refers_to_memory()
        };
        let is_known = everything().all(&mut is_followed)
            && !operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
            && !results(op).any(|result| is_memref(type_of(result)));
        let memory = self.semantics.of(op);
        if !is_known {
            self.stick_all(everything(), Reason::UnknownCallee);
        } else if !self.is_over(op, &memory) {
            self.stick_all(everything(), Reason::Asynchronous);
        }
    }
}

/// Does an operation do nothing with an operand but to read a memref from it, or to write one to it?
fn takes_elements(used: &OperandUse, memory: &OpMemory) -> bool {
    let at = used.operand;
    match used.touch {
        Touch::READ => memory
            .results
            .iter()
            .any(|result| matches!(result.fact, ResultFact::Loaded { from } if from == at)),
        Touch::WRITE => {
            let mut others = memory.operands.iter();
            others.any(|other| other.capture == Capture::Inside(at))
        }
        _ => false,
    }
}

/// Does an operation only compute memrefs from memrefs?
fn touches_nothing(memory: &OpMemory) -> bool {
    let mut operands = memory.operands.iter();
    memory.unnamed == Unnamed::default() && operands.all(|used| used.touch == Touch::Nothing)
}

/// The most bytes that an allocation may take, of so many for each unit of its sizes, of which none is negative.
fn most_bytes(op: Op<'_>, unit: u64) -> Option<u64> {
    operands(op).try_fold(unit, |bytes, size| {
        values::lower_bound(size).filter(|least| *least >= 0)?;
        let most = u64::try_from(values::upper_bound(size)?).ok()?;
        bytes
            .checked_mul(most)
            .filter(|bytes| i64::try_from(*bytes).is_ok())
    })
}

/// Is no memory as large as an allocation says, whatever the run computes?
fn has_no_size(op: Op<'_>, unit: u64) -> bool {
    let is_negative = |size| values::upper_bound(size).is_some_and(|most| most < 0);
    let least = operands(op).try_fold(unit, |bytes, size| {
        let least = values::lower_bound(size).map_or(0, |least| least.max(0));
        bytes.checked_mul(least.unsigned_abs())
    });
    operands(op).any(is_negative) || least.is_none_or(|bytes| i64::try_from(bytes).is_err())
}
