//! Operations without control flow inside: views, calls, allocations, and whatever reads and writes.

use super::{ARENA, BUFFER, Mode, Place, Reader};
use crate::{
    policy::CallPolicy,
    program::{BufferFact, BufferId, DeallocFact, InStep, Position, UseKind, ValueId, ValueKind},
    reason::Reason,
};
use memplan_mlir::{
    build::{self, MANUAL_DEALLOCATION},
    calls,
    contents::{Contents, contents},
    effects::{Effect, EffectKind, effects},
    ir::{Op, Val, is_memref, is_plain_data, operands, results, type_of},
    layout::{MAX_BYTES, NoSize, memory_space},
    melior::ir::{Type, operation::OperationLike},
    names::{Known, NameInfo},
    rules::goes_on,
};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    pub(super) fn simple(&mut self, op: Op<'c>, info: NameInfo, place: Place, position: Position) {
        if (info.may_view() || info.known == Known::Transpose)
            && self.view(op, info, place, position)
        {
            return;
        }
        match info.known {
            Known::Select => {
                for memref in self.memref_operands(op) {
                    self.uses(memref, place, position, UseKind::Forward);
                }
                self.merge_results(op, place, position, false);
                return;
            }
            Known::DistinctObjects => {
                self.handles.distinct.push(op);
                let memrefs = self.memref_operands(op);
                self.program.distinct.push(memrefs.to_vec());
                for (operand, result) in operands(op).zip(results(op)) {
                    let (source, value) = (self.value(operand), self.value(result));
                    self.define(value, ValueKind::View, place.block, position);
                    self.source(value, source);
                    self.uses(source, place, position, UseKind::Mention);
                }
                return;
            }
            Known::ExtractPointer => {
                return self.addresses_taken(op, place, position, Reason::PointerExtracted);
            }
            Known::Realloc => return self.escapes(op, place, position, Reason::Reallocated),
            Known::Clone => return self.escapes(op, place, position, Reason::Cloned),
            Known::UnrealizedCast => {
                return self.addresses_taken(op, place, position, Reason::CastAway);
            }
            Known::BufferizationDealloc => {
                return self.escapes(op, place, position, Reason::FreedElsewhere);
            }
            _ => {}
        }
        if info.is_call() {
            self.call(op, place, position);
            return;
        }
        let effects = if info.may_have_effects() {
            effects(op)
        } else if info.has_recursive_effects() {
            // Those of what is nested, which is visited by itself.
            Some(SmallVec::new())
        } else {
            None
        };
        match effects {
            Some(effects) => self.with_effects(op, info, place, position, &effects),
            None if info.known == Known::DmaStart || info.known == Known::GpuLaunchFunction => {
                self.transfer(op, info, place, position);
            }
            None if info.known == Known::DmaWait => {
                for memref in self.memref_operands(op) {
                    self.uses(memref, place, position, UseKind::Touch);
                }
            }
            None if info.starts_transfer => {
                self.escapes(op, place, position, Reason::Asynchronous);
            }
            None => self.escapes(op, place, position, Reason::UnknownEffects),
        }
    }

    /// All memrefs that the operation gets or gives escape.
    pub(super) fn escapes(&mut self, op: Op<'c>, place: Place, position: Position, reason: Reason) {
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            self.escape(memref, reason);
        }
        self.merge_results(op, place, position, true);
    }

    /// What the operation gives may be the address of any memref that it gets.
    fn addresses_taken(&mut self, op: Op<'c>, place: Place, position: Position, reason: Reason) {
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            self.address_taken(op, memref, reason);
        }
        self.merge_results(op, place, position, true);
    }

    pub(super) fn view(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        place: Place,
        position: Position,
    ) -> bool {
        let viewed = match info.known {
            Known::Transpose => operands(op).next(),
            _ => calls::view_source(op),
        };
        let Some(source) = viewed.filter(|source| is_memref(type_of(*source))) else {
            return false;
        };
        let source_id = self.value(source);
        self.uses(source_id, place, position, UseKind::Mention);
        let viewed = operands(op).position(|operand| operand == source);
        for (at, operand) in operands(op).enumerate() {
            if is_memref(type_of(operand)) && Some(at) != viewed {
                // Such as the shape that memref.reshape reads, which may be the same memref.
                let operand = self.value(operand);
                self.uses(operand, place, position, UseKind::Touch);
            }
        }
        if info.known == Known::AssumeAlignment
            && let Some(alignment) = build::integer(op, "alignment")
            && alignment > 0
        {
            self.program
                .alignments
                .push((source_id, (alignment as u64).next_power_of_two()));
        }
        self.program.has_arena |= op.has_attribute(BUFFER);
        for result in results(op) {
            let r#type = type_of(result);
            if is_memref(r#type) {
                let value = self.value(result);
                self.define(value, ValueKind::View, place.block, position);
                self.source(value, source_id);
                // Other elements in the same bytes: aligned if the allocation is.
                let alignment = self.layout.element_alignment(r#type);
                if alignment > self.layout.element_alignment(type_of(source)) {
                    self.program.alignments.push((source_id, alignment));
                }
            } else if !is_plain_data(r#type) {
                self.address_taken(op, source_id, Reason::CastAway);
            }
        }
        true
    }

    pub(super) fn call(&mut self, op: Op<'c>, place: Place, position: Position) {
        let arguments = calls::call_arguments(op).unwrap_or(0..0);
        // What it is handed over to: a body that goes on, such as that of async.func, or anything.
        let opaque_result = results(op).map(type_of).find_map(|r#type| {
            let opaque = !is_memref(r#type) && !is_plain_data(r#type);
            opaque.then(|| match is_token(r#type) {
                true => Reason::Asynchronous,
                false => Reason::CastAway,
            })
        });
        for (index, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            self.uses(value, place, position, UseKind::Touch);
            if let Some(reason) = opaque_result {
                self.escape(value, reason);
            }
            let policy = if arguments.contains(&index) {
                self.callees.policy(op, index - arguments.start)
            } else {
                CallPolicy::Indirect
            };
            match policy {
                CallPolicy::Borrows => {}
                CallPolicy::Keeps => self.escape(value, Reason::KeptByCallee),
                CallPolicy::Unseen => self.escape(value, Reason::CalleeUnseen),
                CallPolicy::Indirect => self.escape(value, Reason::IndirectCall),
            }
        }
        self.merge_results(op, place, position, true);
    }

    pub(super) fn with_effects(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        place: Place,
        position: Position,
        effects: &[Effect<'c>],
    ) {
        let on = |value: Val<'c>, kind: EffectKind| {
            effects
                .iter()
                .any(|effect| effect.kind == kind && effect.value == Some(value))
        };
        for result in results(op) {
            if !is_memref(type_of(result)) {
                continue;
            }
            let value = self.value(result);
            if on(result, EffectKind::Allocate) {
                self.allocation(op, info, result, value, place, position, effects);
            }
        }
        // Somewhere that a pointer could be kept: unnamed memory, or memory that holds more than
        // plain data.
        let could_keep = effects.iter().any(|effect| {
            effect.kind == EffectKind::Write
                && effect
                    .value
                    .is_none_or(|value| !holds_plain_data(type_of(value)))
        });
        // An effect on nothing in particular may be on any operand.
        let touches_all = effects.iter().any(|effect| {
            effect.value.is_none() && matches!(effect.kind, EffectKind::Read | EffectKind::Write)
        });
        let writes_all = effects
            .iter()
            .any(|effect| effect.value.is_none() && effect.kind == EffectKind::Write);
        let opaque_result = results(op).any(|result| {
            let r#type = type_of(result);
            !is_memref(r#type) && !is_plain_data(r#type)
        });
        let goes_on = goes_on(op, info);
        let asynchronous =
            info.starts_transfer || goes_on || results(op).any(|result| is_token(type_of(result)));
        let start = match asynchronous {
            true => self.starts(op, info, goes_on, place, position),
            false => None,
        };
        let contents = match place.mode {
            Mode::Flow if !asynchronous => contents(op),
            // When it happens, or how often, is not known.
            _ => Contents::default(),
        };
        for (index, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            if on(operand, EffectKind::Free) {
                if info.known == Known::Dealloc {
                    self.program.deallocs.push(DeallocFact {
                        value,
                        block: place.block,
                        position,
                    });
                    self.handles.deallocs.push(op);
                    if let Mode::Escape(reason) = place.mode {
                        self.escape(value, reason);
                    }
                } else {
                    self.uses(value, place, position, UseKind::Touch);
                    self.escape(value, Reason::FreedElsewhere);
                }
                continue;
            }
            let touched =
                touches_all || on(operand, EffectKind::Read) || on(operand, EffectKind::Write);
            let kind = if contents.overwritten.contains(&index) {
                UseKind::Overwrite
            } else if touched {
                UseKind::Touch
            } else {
                UseKind::Forward
            };
            self.uses(value, place, position, kind);
            if !writes_all && !on(operand, EffectKind::Write) {
                self.only_reads();
            }
            if on(operand, EffectKind::Keep) {
                self.escape(value, Reason::Stored);
            }
            if start.is_some() {
                continue;
            }
            if asynchronous {
                self.escape(value, Reason::Asynchronous);
            } else if opaque_result {
                self.escape(value, Reason::CastAway);
            } else if could_keep
                && !on(operand, EffectKind::Read)
                && !on(operand, EffectKind::Write)
            {
                self.escape(value, Reason::Stored);
            }
        }
        if let Some(start) = start {
            self.started(start);
        }
        self.in_step(op, place, position, &contents);
        // Other memref results: one of the operands, or something read from memory.
        for result in results(op) {
            if is_memref(type_of(result)) && !on(result, EffectKind::Allocate) {
                let value = self.value(result);
                self.define(value, ValueKind::Merge, place.block, position);
                self.external(value);
                for operand in self.memref_operands(op) {
                    self.source(value, operand);
                }
            }
        }
    }

    fn in_step(&mut self, op: Op<'c>, place: Place, position: Position, contents: &Contents) {
        let operand = |index: usize| operands(op).nth(index);
        let only_match = |pair: &&(usize, usize)| !contents.in_step.contains(pair);
        let others = contents.matches.iter().filter(only_match);
        for pair in contents.in_step.iter().chain(others) {
            let (Some(read), Some(written)) = (operand(pair.0), operand(pair.1)) else {
                continue;
            };
            let copy = contents.copied.contains(pair).then(|| {
                self.handles.copies.push(op);
                self.handles.copies.len() as u32 - 1
            });
            let (read, written) = (self.value(read), self.value(written));
            self.program.in_step.push(InStep {
                read,
                written,
                block: place.block,
                position,
                same_bytes: contents.in_step.contains(pair),
                same_elements: contents.matches.contains(pair),
                copy,
            });
        }
    }

    /// Memory that all threads of a group share: it is dead only after a barrier behind the last
    /// touch, and barriers are not followed.
    fn is_shared_by_threads(&mut self, memref: Type<'c>, place: Place) -> bool {
        let Some((owner, _)) = self.handles.scopes.get(place.scope.index()).copied() else {
            return false;
        };
        let info = self.names.info(owner);
        let is_gpu_code = info.known == Known::GpuLaunch || info.known == Known::GpuFunction;
        is_gpu_code
            && !matches!(
                memory_space(memref).as_str(),
                "" | "#gpu.address_space<private>"
            )
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn allocation(
        &mut self,
        op: Op<'c>,
        info: NameInfo,
        result: Val<'c>,
        value: ValueId,
        place: Place,
        position: Position,
        effects: &[Effect<'c>],
    ) {
        let automatic = effects.iter().any(|effect| {
            effect.kind == EffectKind::Allocate
                && effect.value == Some(result)
                && effect.automatic_scope
        });
        // Stack memory, and arenas made before, are memory like any other.
        let is_arena = op.has_attribute(ARENA);
        self.program.has_arena |= is_arena;
        if automatic || is_arena {
            self.define(value, ValueKind::Unknown, place.block, position);
            return;
        }
        let buffer = BufferId::new(self.program.buffers.len());
        let extent = self.layout.extent(type_of(result));
        let dynamic = if extent == Err(NoSize::Dynamic) {
            Some(self.layout.dynamic_extent(type_of(result)))
        } else {
            None
        };
        let wanted = build::integer(op, "alignment").unwrap_or(1).max(1) as u64;
        let skip = if info.known != Known::Alloc {
            Some(Reason::OtherAllocator)
        } else if op.has_attribute(MANUAL_DEALLOCATION) {
            Some(Reason::Manual)
        } else if let (_, Some(Err(no_size))) | (Err(no_size), None) = (extent, dynamic) {
            Some(no_size.into())
        } else if dynamic.is_none() && op.operand_count() > 0 {
            Some(Reason::DynamicSize)
        } else if extent.is_ok_and(|extent| extent.size > MAX_BYTES) {
            Some(Reason::TooLarge)
        } else if wanted > MAX_ALIGNMENT {
            Some(Reason::Alignment)
        } else if self.is_shared_by_threads(type_of(result), place) {
            Some(Reason::SharedByThreads)
        } else {
            match place.mode {
                Mode::Flow => None,
                Mode::Opaque => Some(Reason::OpaqueRegion),
                Mode::Escape(reason) => Some(reason),
            }
        };
        let natural = match (extent, dynamic) {
            (Ok(extent), _) => extent.alignment,
            (_, Some(Ok(extent))) => extent.alignment,
            _ => 1,
        };
        self.define(value, ValueKind::Alloc(buffer), place.block, position);
        self.program.buffers.push(BufferFact {
            value,
            scope: place.scope,
            block: place.block,
            position,
            size: extent.map_or(0, |extent| extent.size.min(MAX_BYTES)),
            dynamic: dynamic.and_then(|extent| extent.ok().map(|extent| extent.bytes)),
            alignment: wanted.min(MAX_ALIGNMENT).next_power_of_two().max(natural),
            skip,
        });
        self.handles.buffers.push(op);
    }
}

/// The largest alignment that is planned with, in bytes.
const MAX_ALIGNMENT: u64 = 1 << 30;

/// True if a memref's elements cannot hold a pointer to memory.
pub(super) fn holds_plain_data(memref: Type<'_>) -> bool {
    use memplan_mlir::melior::ir::r#type::{MemRefType, ShapedTypeLike};
    MemRefType::try_from(memref).is_ok_and(|memref| is_plain_data(memref.element()))
}

/// Tokens of asynchronous operations.
pub(super) fn is_token(r#type: Type<'_>) -> bool {
    !is_memref(r#type) && !is_plain_data(r#type) && r#type.to_string().contains("token")
}
