//! Arenas, their slices, and pointers into them.

use super::{Arena, ProgramReader, dynamic::BEYOND_MEMORY};
use crate::{
    codes,
    program::{Action, ArenaId, BufferName, ChoiceId, Escape, Slice, SliceId, ValueId},
};
use memplan_mlir::{
    build,
    effects::EffectKind,
    ir::{Identity, Op, Origin, Val, block_parent, operands, origin, type_of, users},
    layout::Extent,
    melior::ir::{attribute::DenseI64ArrayAttribute, operation::OperationLike},
};
use memplan_semantics::attributes::{
    ARENA, BUFFER, PINNED, SLOTS, remark_old_slice, slice_alignment,
};
use memplan_semantics::{
    ByteView, Computes,
    arithmetic::{Binary, Predicate},
    bounds::Bounds,
    declared::effects,
};
use smallvec::SmallVec;
use std::ops::Range;

/// The starts of a slice's instances.
struct Placement<'c> {
    starts: Vec<i64>,
    /// For rotating slices: the values whose slots are spared.
    spared: Option<Vec<Val<'c>>>,
}

/// The bytes of a slice's instances.
struct Slots<'c> {
    ranges: Vec<Range<u64>>,
    spared: Option<Vec<Val<'c>>>,
}

impl<'c> ProgramReader<'c, '_> {
    /// Reads a `memref.view` of an arena with a buffer's number.
    pub(super) fn slice(&mut self, op: Op<'c>, view: &ByteView<'c>) {
        let (source, result) = (view.source, view.result);
        let buffer = match op.has_attribute(BUFFER) {
            true => build::integer(op, BUFFER).map(BufferName::Number),
            false => Some(self.next_unnumbered()),
        };
        let Some(buffer) = buffer else {
            return self.malformed(op, codes::PLACE, format!("`{BUFFER}` is not an integer"));
        };
        let Some(arena) = self.arenas.get(&source.key()) else {
            return;
        };
        let (id, scope) = (arena.id, arena.scope);
        let (size, alignment) = (arena.size, arena.alignment);
        if !self.is_arena(source) {
            return self.malformed(
                op,
                codes::PLACE,
                format!("buffer {buffer} is a view of memory that is not an arena"),
            );
        }
        if scope != self.scope {
            self.malformed(
                op,
                codes::PLACE,
                format!("buffer {buffer} is created in a parallel body, but its arena is outside"),
            );
        }
        if self.is_dynamic(id) && self.is_slot(op, view) {
            let slice = self.slice_id(id, buffer, Vec::new());
            if let Err(reason) = self.dynamic_slice(op, view, buffer, id, slice, alignment) {
                return self.malformed(op, codes::PLACE, reason);
            }
            return self.birth(op, source, result, slice, None);
        }
        let slots = match self.slots(op, view, buffer, size, alignment) {
            Ok(slots) => slots,
            Err(reason) => return self.malformed(op, codes::PLACE, reason),
        };
        if let Some(Origin::Result(arena, _)) = origin(source) {
            self.apart_from_state(op, arena, buffer, &slots.ranges);
        }
        if let BufferName::Number(buffer) = buffer {
            self.placed(op, id, buffer);
        }
        self.in_banks(op, id, buffer, &slots.ranges);
        let ends = slots.ranges.iter().map(|range| range.end);
        let end = ends.max().filter(|_| self.is_dynamic(id));
        let slice = self.slice_id(id, buffer, slots.ranges);
        if let Some(end) = end {
            let is_one = slots.spared.is_none();
            self.static_slice(op, view, buffer, id, slice, end, is_one);
        }
        self.grouped(op, id, slice);
        if op.has_attribute(PINNED) {
            self.program.pinned.insert(slice);
        }
        let choice = slots.spared.map(|spared| self.choice(&spared));
        self.birth(op, source, result, slice, choice);
    }

    /// The name of the next view without a number.
    fn next_unnumbered(&mut self) -> BufferName {
        self.unnumbered += 1;
        BufferName::View(self.unnumbered - 1)
    }

    /// Whether a view without a number can be a slice: a pass that writes views anew may drop the number.
    pub(super) fn is_unnumbered_slice(&mut self, view: &ByteView<'c>) -> bool {
        self.arenas.contains_key(&view.source.key())
            && self.moves.is_none()
            && self.is_arena(view.source)
            && self.constant(view.shift).is_some()
    }

    /// Records that an arena of static size is one buffer as a whole, if it is used directly: a view of all of its bytes as
    /// bytes is the arena itself, and may be folded. It is born with the arena, since its own place is lost.
    pub(super) fn whole_arena(&mut self, op: Op<'c>, arena: Val<'c>) {
        let Some(Arena {
            id,
            size: Some(size),
            ..
        }) = self.arenas.get(&arena.key())
        else {
            return;
        };
        let (id, size) = (*id, *size);
        let is_used = self.moves.is_none() && users(arena).any(|user| self.uses_bytes(user, arena));
        if !is_used {
            return;
        }
        let all = 0..size;
        self.apart_from_state(op, op, BufferName::Arena, std::slice::from_ref(&all));
        let slice = self.slice_id(id, BufferName::Arena, vec![all]);
        let whole = self.new_value();
        self.wholes.insert(arena.key(), whole);
        let birth = Action::Birth {
            slice,
            arena: self.value(arena),
            result: whole,
            choice: None,
        };
        let op = self.id(op);
        self.action(op, birth);
    }

    /// Whether an operation uses an arena otherwise than to view, to free or to locate it.
    fn uses_bytes(&mut self, user: Op<'c>, arena: Val<'c>) -> bool {
        self.semantics.byte_view(user).is_none()
            && !matches!(self.semantics.computed(user), Some(Computes::Pointer(_)))
            && !only_frees(user, arena)
    }

    /// The size of a slice. If that is dynamic, its upper bound.
    pub(super) fn slice_extent(&mut self, op: Op<'c>, view: &ByteView<'c>) -> Option<Extent> {
        let r#type = type_of(view.result);
        if let Ok(extent) = self.layout.extent(r#type) {
            return Some(extent);
        }
        let element = self.layout.dynamic_extent(r#type).ok()?;
        let bounds = match self.bounds.take() {
            Some(bounds) => bounds,
            None => Bounds::of(self.function, &mut self.semantics),
        };
        let mut bytes = Some(element.bytes);
        for size in &view.sizes {
            let most = bytes.and_then(|_| bounds.most(*size, op, &mut self.semantics));
            bytes = bytes.and_then(|bytes| bytes.checked_mul(most?));
        }
        self.bounds = Some(bounds);
        Some(Extent {
            size: bytes.filter(|bytes| *bytes <= BEYOND_MEMORY)?,
            alignment: element.alignment,
        })
    }

    /// Whether a slice of an arena of dynamic size lies after the static part.
    fn is_slot(&mut self, op: Op<'c>, view: &ByteView<'c>) -> bool {
        let is_fixed = self.constant(view.shift).is_some();
        let is_placed = is_fixed || op.has_attribute(SLOTS);
        !(is_placed && self.slice_extent(op, view).is_some())
    }

    fn birth(
        &mut self,
        op: Op<'c>,
        source: Val<'c>,
        result: Val<'c>,
        slice: SliceId,
        choice: Option<ChoiceId>,
    ) {
        let result = self.value(result);
        let op = self.id(op);
        let birth = Action::Birth {
            slice,
            arena: self.value(source),
            result,
            choice,
        };
        self.action(op, birth);
    }

    /// Whether a value is an arena: an allocation with the mark, or an argument of the function.
    pub(super) fn is_arena(&mut self, value: Val<'c>) -> bool {
        match origin(value) {
            Some(Origin::Result(op, _)) => op.has_attribute(ARENA),
            Some(Origin::Argument(block, _)) => {
                block_parent(block).is_some_and(|op| self.semantics.info(op).is_function())
            }
            None => false,
        }
    }

    /// Reads the view of an argument that is an arena of dynamic size: of its first bytes, as many as the function computes. That
    /// callers pass so many is up to them.
    pub(super) fn sized_argument(&mut self, op: Op<'c>, view: &ByteView<'c>) {
        let Some(arena) = self.arenas.get(&view.result.key()) else {
            return;
        };
        let arena = arena.id;
        let is_argument = matches!(origin(view.source), Some(Origin::Argument(..)));
        let is_start = self.constant(view.shift) == Some(0);
        let mut others = users(view.source).filter(|user| user.key() != op.key());
        let is_only = others
            .all(|user| matches!(self.semantics.computed(user), Some(Computes::Dimension(_))));
        if !is_argument || !self.is_arena(view.source) || !is_start || !is_only {
            let reason = "an arena in an argument cannot be verified: it has to be all that the argument is used for";
            self.malformed(op, codes::ARENA_USE, reason);
        }
        let value = self.value(view.result);
        let op = self.id(op);
        self.action(op, Action::Allocate { arena, value });
    }

    /// The bytes of a slice's instances, and the values whose slots are spared.
    fn slots(
        &mut self,
        op: Op<'c>,
        view: &ByteView<'c>,
        buffer: BufferName,
        size: Option<u64>,
        alignment: Option<u64>,
    ) -> Result<Slots<'c>, String> {
        let is_dynamic = self
            .arenas
            .get(&view.source.key())
            .is_some_and(|arena| self.is_dynamic(arena.id));
        let extent = self
            .slice_extent(op, view)
            .ok_or_else(|| format!("the size of buffer {buffer} is unknown here"))?;
        let whole = match size {
            Some(size) => size,
            // Compared with the static part once all of the arena is known.
            None if is_dynamic => i64::MAX as u64,
            None => {
                return Err(format!(
                    "buffer {buffer} is in an arena of a size that is unknown here"
                ));
            }
        };
        if alignment.is_some_and(|alignment| alignment % extent.alignment.max(1) != 0) {
            return Err(format!(
                "the elements of buffer {buffer} are aligned to {}, but its arena is not",
                extent.alignment
            ));
        }
        remark_old_slice(op);
        let required = slice_alignment(op).unwrap_or(1);
        if alignment.is_some_and(|alignment| alignment % required != 0) {
            return Err(format!(
                "buffer {buffer} is passed to a callee that needs an alignment of {required}, but its \
                 arena is not aligned to that"
            ));
        }
        let placement = self.placement(op, view, buffer, extent.size)?;
        let mut ranges = Vec::new();
        for start in placement.starts {
            let end = u64::try_from(start)
                .ok()
                .and_then(|start| start.checked_add(extent.size))
                .filter(|end| *end <= whole);
            let Some(end) = end else {
                let size = extent.size;
                return Err(format!(
                    "buffer {buffer} takes {size} bytes from byte {start} on, but its arena has \
                    {whole}"
                ));
            };
            let start = end - extent.size;
            if start % extent.alignment.max(1) != 0 {
                return Err(format!(
                    "buffer {buffer} starts at byte {start}, but its elements are aligned to {}",
                    extent.alignment
                ));
            }
            if start % required != 0 {
                return Err(format!(
                    "buffer {buffer} starts at byte {start}, but is passed to a callee that \
                     needs an alignment of {required}"
                ));
            }
            ranges.push(start..end);
        }
        Ok(Slots {
            ranges,
            spared: placement.spared,
        })
    }

    fn placement(
        &mut self,
        op: Op<'c>,
        view: &ByteView<'c>,
        buffer: BufferName,
        size: u64,
    ) -> Result<Placement<'c>, String> {
        if let Some(start) = self.constant(view.shift) {
            return Ok(Placement {
                starts: vec![start],
                spared: None,
            });
        }
        let Ok(listed) = op.attribute(SLOTS) else {
            return Err(format!("the offset of buffer {buffer} is unknown here"));
        };
        let because =
            |reason: &str| format!("the slots of buffer {buffer} cannot be verified: {reason}");
        let listed = DenseI64ArrayAttribute::try_from(listed)
            .map_err(|_| because(&format!("`{SLOTS}` is not an array of i64")))?;
        let mut listed: Vec<i64> = (0..listed.len())
            .filter_map(|index| listed.element(index).ok())
            .collect();
        let chosen = self.chosen_slot(view.shift, view.source).map_err(because)?;
        if chosen.stride < size {
            return Err(because(
                "they are compared with a size below that of the buffer",
            ));
        }
        let mut starts = chosen.starts;
        starts.sort_unstable();
        listed.sort_unstable();
        if starts != listed {
            return Err(because(&format!("they are not those that `{SLOTS}` lists")));
        }
        let stride = i64::try_from(chosen.stride).map_err(|_| because("they are too large"))?;
        if starts
            .windows(2)
            .any(|pair| pair[1].checked_sub(pair[0]).is_none_or(|gap| gap < stride))
        {
            return Err(because("they overlap"));
        }
        Ok(Placement {
            starts,
            spared: Some(chosen.spared),
        })
    }

    pub(super) fn slice_id(
        &mut self,
        arena: ArenaId,
        buffer: BufferName,
        slots: Vec<Range<u64>>,
    ) -> SliceId {
        let next = SliceId(self.program.slices.len() as u32);
        // In a function with moves, each place of a buffer is a slice of its own.
        let place = match slots.as_slice() {
            [only] if self.moves.is_some() => Some(only.start),
            _ => None,
        };
        let key = (arena, buffer, place);
        let id = *self.slices.entry(key).or_insert(next);
        if id == next {
            self.program.arenas[arena.index()].slices.push(id);
            self.program.slices.push(Slice {
                arena,
                buffer,
                slots,
                places: SmallVec::new(),
            });
        } else {
            // The same buffer at several places, as after unrolling.
            let known = &mut self.program.slices[id.index()].slots;
            known.extend(slots);
            known.sort_unstable_by_key(|slot| (slot.start, slot.end));
            known.dedup();
        }
        id
    }

    fn choice(&mut self, spared: &[Val<'c>]) -> ChoiceId {
        let spared: Vec<ValueId> = spared.iter().map(|value| self.value(*value)).collect();
        self.program.choices.push(spared);
        ChoiceId(self.program.choices.len() as u32 - 1)
    }

    /// Reports a use of an arena other than a view with a number or the extraction of its pointer.
    pub(super) fn arena_use(&mut self, op: Op<'c>, value: Val<'c>, arena: ArenaId) {
        if only_frees(op, value) {
            let value = self.value(value);
            let op = self.id(op);
            self.action(op, Action::Free { arena, value });
        } else if self.wholes.contains_key(&value.key()) {
            // It is a use of the buffer.
        } else if self.semantics.byte_view(op).is_some() {
            let reason = format!("a view of an arena without `{BUFFER}`");
            self.malformed(op, codes::ARENA_USE, reason);
        } else {
            let reason = "the arena has a use that cannot be verified";
            self.malformed(op, codes::ARENA_USE, reason);
        }
    }

    /// Pointers may be subtracted from each other, and those of bases be compared; any other use is reported.
    pub(super) fn pointer_uses(&mut self, op: Op<'c>) {
        let taken: Vec<Val<'c>> = operands(op)
            .filter_map(|operand| self.pointers.get(&operand.key()).copied())
            .collect();
        if taken.is_empty() {
            return;
        }
        let computed = self.semantics.computed(op);
        if taken.len() == 2 && matches!(computed, Some(Computes::Binary(Binary::Subtract, _))) {
            return;
        }
        let is_comparison = matches!(
            computed,
            Some(Computes::Compare(Predicate::Equal | Predicate::NotEqual, _))
        );
        for of in taken {
            if self.arenas.contains_key(&of.key()) {
                self.malformed(
                    op,
                    codes::ARENA_USE,
                    "the pointer of the arena has a use that cannot be verified",
                );
            } else {
                let value = self.value(of);
                let op = self.id(op);
                match is_comparison {
                    true => self.compared_address(op, value),
                    false => self.address(op, value, Escape::Pointer),
                }
            }
        }
    }
}

/// Whether all that an operation does to a value is to free it.
fn only_frees<'c>(op: Op<'c>, value: Val<'c>) -> bool {
    effects(op).is_some_and(|effects| {
        let mut on_it = effects
            .iter()
            .filter(|effect| effect.value.is_some_and(|at| at.key() == value.key()))
            .peekable();
        on_it.peek().is_some() && on_it.all(|effect| effect.kind == EffectKind::Free)
    })
}
