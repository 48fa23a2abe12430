//! Memory effects of operations.

use super::{Callee, RegionReader};
use crate::regions::facts::{Call, Reason, ScopeId};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    ir::{
        Op, Val, has_mark, is_memref, nested_memrefs, operands, results, stores_memrefs, type_of,
    },
    layout,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::KEEP;
use memplan_semantics::{
    Allocator, Capture, OpMemory, Opaque, OperandUse, ResultFact, Semantics, Touch, TypeClass,
    Unnamed, names::NameInfo, op_memory::OperandNumber,
};
use smallvec::SmallVec;

impl<'c> RegionReader<'c, '_> {
    /// Reads an operation without regions that does not end its block.
    pub(super) fn plain_op(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        if info.is_call() {
            return self.call(op, info, scope);
        }
        if !self.semantics.concerns(op) {
            return;
        }
        let memory = self.semantics.of(op);
        self.op_effects(op, &memory, scope);
    }

    /// Records the effects of an operation, without those of its regions.
    pub(super) fn op_effects(&mut self, op: Op<'c>, memory: &OpMemory, scope: ScopeId) {
        let operand_values: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let freed = memory.operands.iter().filter(|used| used.frees.is_some());
        let freed = freed
            .map(|used| used.operand)
            .chain(memory.retained.iter().copied());
        if memory.opaque.is_none() {
            self.reject_all(
                freed.map(|at| operand_values[at as usize]),
                Reason::Deallocated,
            );
        }
        if let Some(reason) = self.not_followed(op, memory, &operand_values) {
            return self.reject_all(operands(op).chain(results(op)), reason);
        }
        for used in &memory.operands {
            self.operand(used, memory, &operand_values);
        }
        for (at, result) in results(op).enumerate() {
            if let Some(fact) = memory.result(at) {
                self.result(op, result, fact, memory, &operand_values, scope);
            }
        }
    }

    /// The reason why the memory that an operation uses cannot be followed, if there is one.
    fn not_followed(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        operand_values: &[Val<'c>],
    ) -> Option<Reason> {
        match memory.opaque {
            Some(Opaque::UnknownEffects) => return Some(Reason::UnknownUse),
            Some(Opaque::Asynchronous) => return Some(Reason::Asynchronous),
            None if !self.is_waited_for(op, memory) => return Some(Reason::Asynchronous),
            None => {}
        }
        let is_address = |fact: &ResultFact| matches!(fact, ResultFact::Address { .. });
        let mut used = memory.operands.iter();
        if memory.results.iter().any(|used| is_address(&used.fact))
            && used.all(|used| used.touch == Touch::Descriptor)
        {
            return Some(Reason::AddressTaken);
        }
        // The memory that a tensor, a pointer or a token refers to is not followed.
        let mut taken = memory.operands.iter();
        let uses_other_memory = taken.any(|used| {
            let r#type = type_of(operand_values[used.operand as usize]);
            !is_memref(r#type) && self.semantics.class(r#type).refers_to_memory()
        });
        let memrefs = results(op).filter(|result| is_memref(type_of(*result)));
        let tokens = memory.results.iter();
        let tokens = tokens.filter(|used| used.fact == ResultFact::Token);
        let is_followed =
            !uses_other_memory && memrefs.count() + tokens.count() == memory.results.len();
        (!is_followed).then_some(Reason::UnknownUse)
    }

    /// Records the effects on an operand that may hold an address.
    fn operand(&mut self, used: &OperandUse, memory: &OpMemory, operand_values: &[Val<'c>]) {
        let val = operand_values[used.operand as usize];
        if used.touch != Touch::Nothing
            && used.touch != Touch::Descriptor
            && !only_moves_memrefs(used, memory)
        {
            self.reject_nested(val);
        }
        match used.capture {
            Capture::No => {}
            Capture::Inside(holder) => {
                let holder = operand_values[holder as usize];
                if !self.add_store(val, holder) {
                    self.reject(val, Reason::Stored);
                    self.reject_nested(holder);
                }
            }
            Capture::Anywhere => self.reject(val, Reason::Stored),
        }
    }

    fn result(
        &mut self,
        op: Op<'c>,
        result: Val<'c>,
        fact: &ResultFact,
        memory: &OpMemory,
        operand_values: &[Val<'c>],
        scope: ScopeId,
    ) {
        let of = |operand: OperandNumber| operand_values[operand as usize];
        match fact {
            ResultFact::New {
                automatic: true, ..
            } => {}
            ResultFact::New {
                by: Allocator::Memref,
                may_share: None,
                ..
            } => self.memref_alloc(op, result, scope),
            ResultFact::New {
                may_share: Some(old),
                ..
            } => {
                // The new memory holds the contents of the old memory.
                self.reject_nested(of(*old));
                self.reject_nested(result);
                let used = memory.operand(*old as usize);
                if used.is_some_and(|used| used.frees.is_some()) {
                    self.reject(result, Reason::Deallocated);
                } else {
                    self.reject(of(*old), Reason::UnknownUse);
                    self.reject(result, Reason::OtherAllocator);
                }
            }
            ResultFact::New { .. } => self.reject(result, Reason::OtherAllocator),
            ResultFact::View { of: source, .. } if is_memref(type_of(of(*source))) => {
                self.add_flow(of(*source), result);
            }
            ResultFact::View { .. } => self.reject(result, Reason::OtherAllocator),
            ResultFact::AnyOf(all) => all.iter().for_each(|at| self.add_flow(of(*at), result)),
            ResultFact::Loaded { from } => {
                if !self.add_load(of(*from), result) {
                    self.reject_nested(of(*from));
                    self.reject(result, Reason::Loaded);
                }
            }
            ResultFact::Borrowed => self.reject_nested(result),
            // An operation that computes memrefs from memrefs returns one of them.
            ResultFact::Unknown { may_be } if touches_nothing(memory) => {
                may_be.iter().for_each(|at| self.add_flow(of(*at), result));
            }
            ResultFact::Unknown { may_be } => {
                self.reject(result, Reason::Loaded);
                for at in may_be {
                    // An operation that reads the operand and returns a memref may return a part of it.
                    if stores_memrefs(type_of(of(*at))) {
                        self.reject_nested(of(*at));
                    } else {
                        self.reject(of(*at), Reason::UnknownUse);
                    }
                }
            }
            // These results are not followed.
            ResultFact::Address { .. } | ResultFact::Token => {}
        }
    }

    fn memref_alloc(&mut self, op: Op<'c>, result: Val<'c>, scope: ScopeId) {
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
        if form == Err(layout::NoSize::TooLarge)
            || unit.is_some_and(|unit| exceeds_address_space(op, unit, self.semantics))
        {
            self.reject(result, Reason::Size);
        } else if form.is_err() || !layout::memory_space(memref).is_empty() {
            self.reject(result, Reason::Form);
        }
        if op.has_attribute(MANUAL_DEALLOCATION) || has_mark(op, KEEP) {
            self.reject(result, Reason::Marked);
        }
        let bytes = unit.and_then(|unit| max_bytes(op, unit, self.semantics));
        self.allocation(op, result, scope, is_dynamic, bytes);
    }

    fn call(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        let callee = (self.callee)(op);
        self.reading.callees.push(callee);
        if callee == Callee::Asynchronous {
            return self.asynchronous_call(op);
        }
        let all_values = || operands(op).chain(results(op));
        let semantics = &mut *self.semantics;
        let mut is_data = |val: Val<'c>| semantics.class(type_of(val)) == TypeClass::Data;
        let returns_data = results(op).all(&mut is_data);
        let is_known = all_values().all(|val| is_memref(type_of(val)) || is_data(val));
        match callee {
            Callee::Function(callee) if info.is_extensible_call() => {
                self.reading.calls.push(op);
                all_values().for_each(|val| self.reject_nested(val));
                let (arguments, results) = (self.slots(operands(op)), self.slots(results(op)));
                let is_once = self.is_once(op);
                self.reading.function.calls.push(Call {
                    callee,
                    scope,
                    number: self.op_count - 1,
                    is_once,
                    is_recursive: false,
                    arguments,
                    results,
                });
            }
            Callee::Declared if returns_data => {
                if operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0) {
                    self.reject_all(all_values(), Reason::Stored);
                }
            }
            _ => {
                let reason = if callee == Callee::HasRegions {
                    Reason::HasRegions
                } else if is_known {
                    Reason::UnknownCallee
                } else {
                    Reason::UnknownUse
                };
                self.reject_all(all_values(), reason);
            }
        }
    }
}

impl<'c> RegionReader<'c, '_> {
    /// Reads a call of an asynchronous callee that captures nothing. Its results are not followed.
    fn asynchronous_call(&mut self, op: Op<'c>) {
        let all_values = || operands(op).chain(results(op));
        let mut is_followed = |val: Val<'c>| {
            is_memref(type_of(val)) || !self.semantics.class(type_of(val)).refers_to_memory()
        };
        let is_known = all_values().all(&mut is_followed)
            && !operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
            && !results(op).any(|result| is_memref(type_of(result)));
        let memory = self.semantics.of(op);
        if !is_known {
            self.reject_all(all_values(), Reason::UnknownCallee);
        } else if !self.is_waited_for(op, &memory) {
            self.reject_all(all_values(), Reason::Asynchronous);
        }
    }
}

/// Whether an operation only reads a memref from an operand, or only writes one to it.
fn only_moves_memrefs(used: &OperandUse, memory: &OpMemory) -> bool {
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

/// Whether an operation only computes memrefs from memrefs.
fn touches_nothing(memory: &OpMemory) -> bool {
    let mut operands = memory.operands.iter();
    memory.unnamed == Unnamed::default() && operands.all(|used| used.touch == Touch::Nothing)
}

/// An upper bound of the bytes of an allocation: `unit` bytes times its sizes. `None` if a size may be
/// negative.
fn max_bytes(op: Op<'_>, unit: u64, semantics: &mut Semantics) -> Option<u64> {
    operands(op).try_fold(unit, |bytes, size| {
        semantics.least(size).filter(|least| *least >= 0)?;
        let most = u64::try_from(semantics.most(size)?).ok()?;
        bytes
            .checked_mul(most)
            .filter(|bytes| i64::try_from(*bytes).is_ok())
    })
}

/// Whether the size of an allocation is invalid, whatever its operands are.
fn exceeds_address_space(op: Op<'_>, unit: u64, semantics: &mut Semantics) -> bool {
    let least = operands(op).try_fold(unit, |bytes, size| {
        let least = semantics.least(size).map_or(0, |least| least.max(0));
        bytes.checked_mul(least.unsigned_abs())
    });
    let mut sizes = operands(op);
    sizes.any(|size| semantics.most(size).is_some_and(|most| most < 0))
        || least.is_none_or(|bytes| i64::try_from(bytes).is_err())
}
