//! Operations whose regions are not followed: views, calls, allocations, reads and writes.

use super::{LifetimeReader, Mode, OpContext};
use crate::{
    Reason,
    program::{BufferFact, BufferId, DeallocFact, InStep, Position, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    build::{self, MANUAL_DEALLOCATION},
    calls,
    constants::constant,
    ir::{Identity, Op, Val, has_mark, is_memref, operands, results, type_of},
    layout::{MAX_BYTES, NoSize, memory_space},
    melior::ir::{Type, TypeLike, operation::OperationLike},
};
use memplan_semantics::{
    Allocator, Capture, Elements, OpMemory, Opaque, OperandUse, Promise, ResultFact, Touch,
    TypeClass,
    attributes::{ARENA, BUFFER, KEEP},
    statement::Part,
    workgroup::{Kernel, KernelKind, is_workgroup_memory},
};
use memplan_summaries::Callee;
use smallvec::SmallVec;
use std::ops::Range;

impl<'c> LifetimeReader<'c, '_> {
    /// Records the memory effects of an operation, without its nested operations and waits.
    pub(super) fn simple(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        if memory.is_call {
            self.call(op, memory, place, position);
        } else if let Some(reason) = escape_of_all(memory) {
            self.escapes(op, place, position, reason);
        } else {
            self.promises(op, memory);
            self.uses_and_results(op, memory, place, position);
        }
    }

    /// Records that all memref operands and results of an operation escape.
    pub(super) fn escapes(
        &mut self,
        op: Op<'c>,
        place: OpContext,
        position: Position,
        reason: Reason,
    ) {
        for memref in self.memref_operands(op) {
            self.uses(memref, place, position, UseKind::Touch);
            self.escape(memref, reason);
        }
        self.merge_results(op, place, position, true);
    }

    fn promises(&mut self, op: Op<'c>, memory: &OpMemory) {
        for promise in &memory.promises {
            match *promise {
                Promise::Alignment {
                    operand,
                    bytes,
                    here,
                } => {
                    if let Some(operand) = operands(op).nth(operand as usize) {
                        let value = self.value(operand);
                        match here {
                            true => self.program.relied_on.push((value, bytes)),
                            false => self.program.alignments.push((value, bytes)),
                        }
                    }
                }
                Promise::Distinct => {
                    self.handles.distinct.push(op);
                    let memrefs = self.memref_operands(op);
                    self.program.distinct.push(memrefs.to_vec());
                }
            }
        }
    }

    pub(super) fn call(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        let arguments = calls::call_arguments(op).unwrap_or(0..0);
        let start = match &memory.start {
            Some(start) => self.starts(op, start, place, position),
            None => None,
        };
        // The callee is asynchronous, or passes an address to code that is not followed.
        let opaque_result = memory.results.iter().find_map(|used| match used.fact {
            ResultFact::Token if start.is_none() => Some(Reason::Asynchronous),
            ResultFact::Address { .. } => Some(Reason::CastAway),
            _ => None,
        });
        let callee = self.callees.callee(op);
        for (index, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            self.uses(value, place, position, UseKind::Touch);
            if let Some(reason) = opaque_result {
                self.escape(value, reason);
            }
            let captured = |used: &OperandUse| used.capture != Capture::No;
            let by_type = memory.operand(index).is_some_and(captured);
            let argument = index.checked_sub(arguments.start);
            let argument = argument.filter(|_| index < arguments.end);
            if let Some(reason) = kept_because(callee, argument, by_type) {
                self.escape(value, reason);
            }
        }
        if let Some(start) = start {
            self.started(start);
        }
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let results: SmallVec<[Val<'c>; 2]> = results(op).collect();
        for (number, result) in results.into_iter().enumerate() {
            if is_memref(type_of(result)) {
                let of = returned(callee, number, &arguments, given.len());
                let may_be_new = !is_an_argument(callee, number);
                self.merge(result, &of, &given, (place, position), may_be_new);
            }
        }
    }

    fn uses_and_results(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        let start = match &memory.start {
            Some(start) => self.starts(op, start, place, position),
            None => None,
        };
        // Otherwise it is unknown when or how often it happens.
        let is_at_once = matches!(place.mode, Mode::Flow) && memory.start.is_none();
        let known = is_at_once.then(|| self.semantics.elements(op));
        let none = Elements::default();
        let elements = known.as_deref().unwrap_or(&none);
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        for used in &memory.operands {
            let operand = given[used.operand as usize];
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            if self.frees(op, used, value, place, position) {
                continue;
            }
            let is_overwritten = elements.overwritten.contains(&used.operand);
            self.uses(
                value,
                place,
                position,
                use_kind(memory, used, is_overwritten),
            );
            if !used.touch.writes() {
                self.only_reads();
            }
            if used.capture != Capture::No {
                let reason = match self.is_compared(op) {
                    true => Reason::PointerExtracted,
                    false => Reason::Stored,
                };
                self.escape(value, reason);
            } else if memory.start.is_some() && start.is_none() {
                self.escape(value, Reason::Asynchronous);
            }
        }
        self.in_step(op, &given, (place, position), elements);
        self.results(op, memory, &given, (place, position));
        if let Some(start) = start {
            self.started(start);
        }
    }

    /// Whether an operation stores a memref only for its address to be compared. Slices of an arena have the same allocated
    /// pointer, so that a buffer is none of them then.
    fn is_compared(&mut self, op: Op<'c>) -> bool {
        let Some(bytes) = self.semantics.descriptor_bytes(op) else {
            return false;
        };
        let semantics = &mut *self.semantics;
        let known = self.for_comparisons.entry(bytes.key());
        *known.or_insert_with(|| {
            let descriptors = semantics.stored_descriptors(bytes);
            descriptors.is_some_and(|all| all.are_only_compared())
        })
    }

    /// Records a deallocation. Whether the operand is freed; it has no other use then.
    fn frees(
        &mut self,
        op: Op<'c>,
        used: &OperandUse,
        value: ValueId,
        place: OpContext,
        position: Position,
    ) -> bool {
        let Some(frees) = used.frees else {
            return false;
        };
        if frees.by == Some(Allocator::Memref) {
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
        true
    }

    /// Defines the memref results, and records results that hold addresses of operands.
    fn results(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        given: &[Val<'c>],
        (place, position): (OpContext, Position),
    ) {
        let made: SmallVec<[Val<'c>; 4]> = results(op).collect();
        for used in &memory.results {
            let result = made[used.result as usize];
            if let ResultFact::Address { of } = &used.fact {
                self.address(op, memory, (result, of), given);
                if is_memref(type_of(result)) {
                    self.merge(result, of, given, (place, position), true);
                }
                continue;
            }
            if !is_memref(type_of(result)) {
                continue;
            }
            match &used.fact {
                ResultFact::New { automatic, .. } => {
                    self.allocation(op, memory, result, *automatic, place, position);
                }
                ResultFact::View { of, .. } if is_memref(type_of(given[*of as usize])) => {
                    self.view(op, (result, given[*of as usize]), place, position);
                }
                ResultFact::AnyOf(of) => self.merge(result, of, given, (place, position), false),
                ResultFact::Unknown { may_be } => {
                    self.merge(result, may_be, given, (place, position), true);
                }
                // Memrefs that were stored in memory escaped at the store.
                ResultFact::View { .. }
                | ResultFact::Loaded { .. }
                | ResultFact::Borrowed
                | ResultFact::Token => {
                    self.merge(result, &[], given, (place, position), true);
                }
                ResultFact::Address { .. } => {}
            }
        }
    }

    fn view(
        &mut self,
        op: Op<'c>,
        (result, source): (Val<'c>, Val<'c>),
        place: OpContext,
        position: Position,
    ) {
        self.program.has_arena |= has_mark(op, BUFFER);
        let value = self.value(result);
        self.define(value, ValueKind::View, place.block, position);
        let source_id = self.value(source);
        self.source(value, source_id);
        let is_whole = matches!(self.semantics.part(op), Some(Part::All(_)));
        self.program.values[value.index()].is_whole = is_whole;
        // A view with another element type is aligned if the allocation is.
        let alignment = self.layout.element_alignment(type_of(result));
        if alignment > self.layout.element_alignment(type_of(source)) {
            self.program.alignments.push((source_id, alignment));
        }
    }

    /// Defines a result as the memory of one of these operands, or of unknown memory.
    fn merge(
        &mut self,
        result: Val<'c>,
        of: &[u32],
        given: &[Val<'c>],
        (place, position): (OpContext, Position),
        is_external: bool,
    ) {
        let value = self.value(result);
        self.define(value, ValueKind::Merge, place.block, position);
        for operand in of.iter().map(|at| given[*at as usize]) {
            if is_memref(type_of(operand)) {
                let operand = self.value(operand);
                self.source(value, operand);
            }
        }
        if is_external {
            self.external(value);
        }
    }

    /// Records that a result holds the address of operands.
    fn address(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        (result, of): (Val<'c>, &[u32]),
        given: &[Val<'c>],
    ) {
        let reason = match self.semantics.class(type_of(result)) {
            TypeClass::Data => Reason::PointerExtracted,
            _ => Reason::CastAway,
        };
        for used in of.iter().filter_map(|at| memory.operand(*at as usize)) {
            let operand = given[used.operand as usize];
            if !is_memref(type_of(operand)) {
                continue;
            }
            let value = self.value(operand);
            // The operation also reads or writes it: later uses may go through the result.
            match used.touch {
                Touch::Contents { .. } => self.escape(value, reason),
                _ => self.address_taken(op, value, reason),
            }
        }
    }

    fn in_step(
        &mut self,
        op: Op<'c>,
        given: &[Val<'c>],
        (place, position): (OpContext, Position),
        elements: &Elements,
    ) {
        for pair in &elements.pairs {
            let copy = pair.copies.then(|| {
                self.handles.copies.push(op);
                self.handles.copies.len() as u32 - 1
            });
            let (read, written) = (given[pair.read as usize], given[pair.written as usize]);
            let (read, written) = (self.value(read), self.value(written));
            self.program.in_step.push(InStep {
                read,
                written,
                block: place.block,
                position,
                same_bytes: pair.same_bytes,
                same_elements: pair.same_elements,
                copy,
                apart: pair.apart,
            });
        }
    }

    /// Whether all threads of a group share the memory. It is dead only after a barrier that follows the last touch,
    /// and barriers are not followed.
    fn is_shared_by_threads(&mut self, memref: Type<'c>, place: OpContext) -> bool {
        let Some((owner, _)) = self.handles.scopes.get(place.scope.index()).copied() else {
            return false;
        };
        let kernel = Kernel::of(owner, self.semantics);
        kernel.is_some_and(|kernel| match kernel.kind {
            KernelKind::Function { .. } | KernelKind::Launch => !matches!(
                memory_space(memref).as_str(),
                "" | "#gpu.address_space<private>"
            ),
            // Other memory spaces are those of the host as well.
            KernelKind::Loop => is_workgroup_memory(memref),
        })
    }

    fn allocation(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        result: Val<'c>,
        automatic: bool,
        place: OpContext,
        position: Position,
    ) {
        let value = self.value(result);
        // Stack memory and earlier arenas are plain memory.
        let is_arena = has_mark(op, ARENA);
        self.program.has_arena |= is_arena;
        let is_alloca = automatic && !is_arena && memory.plain_allocation() == Some(true);
        if is_alloca && !self.with_allocas && !has_mark(op, KEEP) {
            self.handles.allocas.push(op);
        }
        if is_arena || automatic && !(is_alloca && self.with_allocas) {
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
        let is_plannable = automatic
            || memory.results.iter().any(|used| {
                matches!(
                    used.fact,
                    ResultFact::New {
                        by: Allocator::Memref,
                        ..
                    }
                )
            });
        let skip = if !is_plannable {
            Some(Reason::OtherAllocator)
        } else if has_mark(op, MANUAL_DEALLOCATION) {
            Some(Reason::Manual)
        } else if let (_, Some(Err(no_size))) | (Err(no_size), None) = (extent, dynamic) {
            Some(reason_of(no_size))
        } else if op.operand_count() > 0 && (dynamic.is_none() || automatic) {
            Some(Reason::DynamicSize)
        } else if extent.is_ok_and(|extent| extent.size > MAX_BYTES)
            || dynamic.is_some_and(|extent| extent.is_ok_and(|extent| !fits(op, extent.bytes)))
        {
            Some(Reason::TooLarge)
        } else if wanted > MAX_ALIGNMENT {
            Some(Reason::Alignment)
        } else if self.is_shared_by_threads(type_of(result), place) {
            Some(Reason::SharedByThreads)
        } else if self.is_coroutine {
            Some(Reason::Coroutine)
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
            is_bounded: false,
            alignment: wanted.min(MAX_ALIGNMENT).next_power_of_two().max(natural),
            skip,
        });
        self.handles.buffers.push(op);
    }
}

/// Whether an allocation of dynamic size may take at most [`MAX_BYTES`], as far as its sizes are constants. `bytes` is its size
/// where each of these is 1.
fn fits(op: Op<'_>, bytes: u64) -> bool {
    let sizes = operands(op).filter(|operand| type_of(*operand).is_index());
    let mut sizes = sizes.filter_map(constant).map(u64::try_from);
    let bytes = sizes.try_fold(bytes, |bytes, size| bytes.checked_mul(size.ok()?));
    bytes.is_some_and(|bytes| bytes <= MAX_BYTES)
}

/// Largest alignment of a planned buffer, in bytes.
const MAX_ALIGNMENT: u64 = 1 << 30;

/// Operands of a call whose memory a memref result may be, of `operands`. If it may be other memory, it may be any operand:
/// `memplan-verify` assumes the same.
fn returned(
    callee: Callee<'_>,
    result: usize,
    arguments: &Range<usize>,
    operands: usize,
) -> SmallVec<[u32; 4]> {
    let facet = match callee {
        Callee::Known(summary) => summary.result(result),
        _ => None,
    };
    match facet {
        Some(facet) if !facet.elsewhere && !facet.is_address => {
            let of = facet.may_be.iter().chain(&facet.address_of);
            let of = of.map(|argument| arguments.start as u32 + argument);
            of.filter(|at| arguments.contains(&(*at as usize)))
                .collect()
        }
        _ => (0..operands as u32).collect(),
    }
}

/// Whether a result of a call is always an argument.
fn is_an_argument(callee: Callee<'_>, result: usize) -> bool {
    let Callee::Known(summary) = callee else {
        return false;
    };
    summary.result(result).is_some_and(|facet| {
        let may_be_other = facet.elsewhere || facet.is_unknown || facet.is_address;
        !facet.may_be.is_empty() && facet.new.is_empty() && !may_be_other
    })
}

/// The reason why a callee may capture or free an argument, if it may. `by_type`: the types allow the callee to store the
/// argument in the memory of another.
fn kept_because(callee: Callee<'_>, argument: Option<usize>, by_type: bool) -> Option<Reason> {
    let Some(argument) = argument else {
        return Some(Reason::IndirectCall);
    };
    let is_kept = match callee {
        Callee::Known(summary) => summary.argument(argument).is_kept(),
        Callee::OneOf { summary, .. } => summary.argument(argument).is_kept() || by_type,
        Callee::Declared { captures, .. } => captures || by_type,
        Callee::Unseen => return Some(Reason::CalleeUnseen),
        Callee::Unknown { .. } => return Some(Reason::IndirectCall),
    };
    is_kept.then_some(Reason::KeptByCallee)
}

/// The reason why all memrefs of an operation escape, if they do.
fn escape_of_all(memory: &OpMemory) -> Option<Reason> {
    match memory.opaque {
        Some(Opaque::UnknownEffects) => return Some(Reason::UnknownEffects),
        Some(Opaque::Asynchronous) => return Some(Reason::Asynchronous),
        None => {}
    }
    let may_share = |fact: &ResultFact| match fact {
        ResultFact::New { may_share, .. } => *may_share,
        _ => None,
    };
    let shared = memory.results.iter().find_map(|used| may_share(&used.fact));
    if let Some(used) = shared.and_then(|shared| memory.operand(shared as usize)) {
        return Some(match used.frees {
            Some(_) => Reason::Reallocated,
            None => Reason::Cloned,
        });
    }
    let by_flag = |used: &OperandUse| used.frees.is_some_and(|frees| frees.flag.is_some());
    let is_conditional = !memory.retained.is_empty() || memory.operands.iter().any(by_flag);
    is_conditional.then_some(Reason::FreedElsewhere)
}

fn use_kind(memory: &OpMemory, used: &OperandUse, is_overwritten: bool) -> UseKind {
    let is_of = |fact: &ResultFact| match fact {
        ResultFact::View { of, .. } => *of == used.operand,
        ResultFact::Address { of } => of.contains(&used.operand),
        _ => false,
    };
    match used.touch {
        Touch::Contents { .. } if is_overwritten => UseKind::Overwrite,
        Touch::Contents { .. } => UseKind::Touch,
        Touch::Nothing | Touch::Descriptor => {
            let mut results = memory.results.iter().filter(|one| is_of(&one.fact));
            match results.next().map(|one| &one.fact) {
                Some(ResultFact::View { .. }) => UseKind::Mention,
                Some(_) => UseKind::Touch,
                None => UseKind::Forward,
            }
        }
    }
}

/// Why memory without a size is left alone.
fn reason_of(no_size: NoSize) -> Reason {
    match no_size {
        NoSize::Dynamic => Reason::DynamicSize,
        NoSize::Layout => Reason::Layout,
        NoSize::Element => Reason::ElementType,
        NoSize::TooLarge => Reason::TooLarge,
    }
}
