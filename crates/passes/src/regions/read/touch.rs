//! What an operation does with memory.

use super::{Callee, Reader};
use crate::regions::facts::{Call, Reason, ScopeId};
use memplan_mlir::{
    build::MANUAL_DEALLOCATION,
    calls,
    effects::{EffectKind, effects},
    ir::{
        Op, Val, is_memref, is_plain_data, nested_memrefs, operands, regions, results,
        stores_memrefs, type_of,
    },
    layout,
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo},
    rules::goes_on,
    values,
};
use smallvec::SmallVec;

/// On an allocation: it is left alone.
const KEEP: &str = "memplan.keep";

impl<'c> Reader<'c, '_> {
    /// An operation without regions that ends no block.
    pub(super) fn touch(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        if info.is_call() {
            return self.call(op, info, scope);
        }
        let touches = |val: Val<'c>| !is_plain_data(type_of(val));
        if !operands(op).chain(results(op)).any(touches) {
            return;
        }
        match info.known {
            Known::Alloc => self.allocates(op, scope),
            Known::Alloca => {}
            Known::GetGlobal => results(op).for_each(|result| self.stick_held(result)),
            Known::Load if self.loads(op) => {}
            Known::Store if self.stores(op) => {}
            Known::Dealloc | Known::BufferizationDealloc | Known::GpuDealloc | Known::Realloc => {
                self.stick_all(operands(op).chain(results(op)), Reason::Deallocated);
                // What was in the old memory is in the new.
                results(op).for_each(|result| self.stick_held(result));
                if info.known == Known::Realloc {
                    operands(op).for_each(|operand| self.stick_held(operand));
                }
            }
            Known::ExtractPointer | Known::UnrealizedCast => {
                self.stick_all(operands(op).chain(results(op)), Reason::AddressTaken);
            }
            Known::DistinctObjects => {
                for (operand, result) in operands(op).zip(results(op)) {
                    self.join(operand, result);
                }
            }
            Known::Select | Known::ExtractMetadata => self.joins(op),
            _ if info.is_view() || (info.is_ruled && calls::view_source(op).is_some()) => {
                self.view(op)
            }
            _ => self.generic(op, info),
        }
    }

    fn allocates(&mut self, op: Op<'c>, scope: ScopeId) {
        let Some(result) = results(op).next() else {
            return;
        };
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
        if op.has_attribute(MANUAL_DEALLOCATION) || op.has_attribute(KEEP) {
            self.stick(result, Reason::Marked);
        }
        let bytes = unit.and_then(|unit| most_bytes(op, unit));
        self.allocation(op, result, scope, is_dynamic, bytes);
    }

    fn view(&mut self, op: Op<'c>) {
        let source = calls::view_source(op).filter(|source| is_memref(type_of(*source)));
        let memrefs: SmallVec<[Val<'c>; 1]> = results(op)
            .filter(|result| !is_plain_data(type_of(*result)))
            .collect();
        for result in memrefs {
            match source {
                Some(source) => self.join(source, result),
                None => self.stick(result, Reason::OtherAllocator),
            }
        }
    }

    /// Each memref among the results may be any of those among the operands.
    fn joins(&mut self, op: Op<'c>) {
        let of = |val: &Val<'c>| is_memref(type_of(*val));
        let given: SmallVec<[Val<'c>; 1]> = results(op).filter(of).collect();
        // What computes memrefs from memrefs has a few of them.
        for operand in operands(op).filter(of) {
            for result in &given {
                self.join(operand, *result);
            }
        }
    }

    /// What an operation does by its interfaces.
    pub(super) fn generic(&mut self, op: Op<'c>, info: NameInfo) {
        let everything = || operands(op).chain(results(op));
        let is_asynchronous = info.is_asynchronous
            || info.is_openmp
            || info.is_gpu
            || info.starts_transfer
            || goes_on(op, info);
        if is_asynchronous {
            return self.stick_all(everything(), Reason::Asynchronous);
        }
        let declared = effects(op).filter(|_| info.is_registered() || info.is_ruled);
        let Some(declared) = declared else {
            return self.stick_all(everything(), Reason::UnknownUse);
        };
        // A tensor, a pointer, a token: what it stands for is not followed.
        let is_followed = |val: Val<'c>| is_plain_data(type_of(val)) || is_memref(type_of(val));
        if !everything().all(is_followed) {
            return self.stick_all(everything(), Reason::UnknownUse);
        }
        if !declared.is_empty() {
            everything().for_each(|val| self.stick_held(val));
        }
        let has_memrefs = results(op).any(|result| is_memref(type_of(result)));
        if has_memrefs {
            if declared.is_empty() && regions(op).next().is_none() {
                return self.joins(op);
            }
            let made = |result: Val<'c>| {
                let mut effects = declared.iter();
                effects.any(|effect| {
                    effect.kind == EffectKind::Allocate && effect.value == Some(result)
                })
            };
            for result in results(op) {
                let reason = if made(result) {
                    Reason::OtherAllocator
                } else {
                    Reason::Loaded
                };
                self.stick(result, reason);
            }
        }
        let writes = declared
            .iter()
            .any(|effect| effect.kind == EffectKind::Write);
        for operand in operands(op).filter(|operand| is_memref(type_of(*operand))) {
            let mut on = declared.iter().filter(|one| one.value == Some(operand));
            if on.clone().any(|effect| effect.kind == EffectKind::Free) {
                self.stick(operand, Reason::Deallocated);
            }
            if on.any(|effect| effect.kind == EffectKind::Keep) {
                self.stick(operand, Reason::Stored);
            }
            let is_named = declared.iter().any(|one| one.value == Some(operand));
            // What reads it and gives a memref may give a part of it.
            if writes && !is_named {
                self.stick(operand, Reason::Stored);
            } else if has_memrefs && !stores_memrefs(type_of(operand)) {
                self.stick(operand, Reason::UnknownUse);
            }
        }
    }

    fn call(&mut self, op: Op<'c>, info: NameInfo, scope: ScopeId) {
        let callee = (self.callee)(op);
        self.reading.callees.push(callee);
        let everything = || operands(op).chain(results(op));
        let is_followed = |val: Val<'c>| is_plain_data(type_of(val)) || is_memref(type_of(val));
        match callee {
            Callee::Function(callee) if info.known == Known::FuncCall => {
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
            Callee::Outside if results(op).all(|result| is_plain_data(type_of(result))) => {
                if operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0) {
                    self.stick_all(everything(), Reason::Stored);
                }
            }
            _ => {
                let is_known = everything().all(is_followed);
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
