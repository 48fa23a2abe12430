//! Arenas of dynamic size.
//!
//! Such an arena has a static part, followed by slices whose offsets are computed at run time: sums and maxima of sizes and
//! other offsets.
//!
//! ```text
//! start = constant | start + part + part + … | max(start, …) | select(condition, start, start)
//! part  = count * (size, or (size + a - 1) & -a)
//! ```
//!
//! Two slices have no bytes in common if one certainly ends before the other one starts. A slice ends at its start plus a part
//! that is large enough for it on every path to its view; what is computed from that end and is never less starts after it.
//! All slices whose order is not known are taken to share bytes. The size of the arena must be at or after the end of
//! every slice. Sums and products count only if they cannot wrap around: memplan creates parts of at most 2^54 bytes.
//!
//! * [`limits`] decides what cannot wrap around.
//! * [`sums`] reads sums, [`sizes`] decides what is large enough for a slice.
//! * [`places`] numbers starts and what is needed there; [`offsets`] computes what has ended where.

mod limits;
mod offsets;
mod places;
mod sizes;
mod sums;

use super::ProgramReader;
use crate::{
    codes,
    program::{ArenaId, BufferName, DYNAMIC_BYTES, DYNAMIC_START, Place, SliceId},
};
pub(super) use limits::KnownLimits;
use memplan_mlir::{
    ir::{Identity, Op, Origin, Val, is_before, operands, origin, parent_block, type_of, users},
    layout::NoSize,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{ByteView, Computes, attributes::BUFFER, statement::Part};
use offsets::Offsets;
use places::Places;
pub(super) use sizes::BEYOND_MEMORY;
use sizes::Product;

/// The number of summands up to which sums are followed.
const MOST_SUMMANDS: usize = 2048;
/// The depth up to which expressions are followed.
const DEEPEST: usize = 300;
/// Views of views that are followed.
const MOST_VIEWS: usize = 64;

/// The slices of an arena of dynamic size.
pub(super) struct Dynamic<'c> {
    /// What creates the arena.
    op: Op<'c>,
    /// The size of the arena, in bytes.
    total: Val<'c>,
    slices: Vec<DynamicSlice<'c>>,
    fixed: Vec<StaticSlice<'c>>,
}

/// A slice of static size at a constant.
struct StaticSlice<'c> {
    slice: DynamicSlice<'c>,
    end: u64,
    /// Whether it is no rotating one.
    is_one: bool,
}

struct DynamicSlice<'c> {
    slice: SliceId,
    buffer: BufferName,
    op: Op<'c>,
    start: Val<'c>,
    need: Product<'c>,
    /// The bytes that it takes at most, if that is known.
    most: Option<u64>,
    /// Of its elements, in bytes.
    alignment: u64,
}

impl<'c> ProgramReader<'c, '_> {
    /// Registers an arena, if its size is dynamic.
    pub(super) fn dynamic_arena(&mut self, arena: ArenaId, value: Val<'c>) {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return;
        };
        let size = match self.semantics.byte_view(op) {
            Some(view) => view.sizes.first().copied(),
            None if self.semantics.of(op).plain_allocation() == Some(false) => operands(op).next(),
            None => None,
        };
        if let Some(size) = size {
            let total = self.stored(size).unwrap_or(size);
            let dynamic = Dynamic {
                op,
                total,
                slices: Vec::new(),
                fixed: Vec::new(),
            };
            self.dynamic.insert(arena, dynamic);
        }
    }

    pub(super) fn is_dynamic(&self, arena: ArenaId) -> bool {
        self.dynamic.contains_key(&arena)
    }

    /// Whether a value is all of a slice in a slot.
    pub(super) fn is_slot_view(&mut self, mut value: Val<'c>) -> bool {
        for _ in 0..MOST_VIEWS {
            let is_dynamic = matches!(self.layout.extent(type_of(value)), Err(NoSize::Dynamic));
            let Some(Origin::Result(op, _)) = origin(value).filter(|_| is_dynamic) else {
                return false;
            };
            if self.semantics.byte_view(op).is_some() {
                return op.has_attribute(BUFFER);
            }
            // A view that keeps all elements.
            match operands(op).next() {
                Some(source) if matches!(self.semantics.part(op), Some(Part::All(_))) => {
                    value = source
                }
                _ => return false,
            }
        }
        false
    }

    /// The value stored in the cell that `loaded` is loaded from, if the cell has no other uses.
    fn stored(&mut self, loaded: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(load, _)) = origin(loaded) else {
            return None;
        };
        let Some(Computes::Element(cell)) = self.semantics.computed(load) else {
            return None;
        };
        let Some(Origin::Result(allocation, _)) = origin(cell) else {
            return None;
        };
        let is_on_stack = self.semantics.of(allocation).plain_allocation() == Some(true);
        if !is_on_stack || operands(load).count() != 1 {
            return None;
        }
        let mut stored = None;
        for user in users(cell) {
            if let Some(Computes::Element(_)) = self.semantics.computed(user) {
                continue;
            }
            let store = self.semantics.stored_element(user)?;
            if store.memref != cell || store.value == cell || stored.is_some() {
                return None;
            }
            stored = Some((store.value, user));
        }
        let (value, store) = stored?;
        // The store is right before the load, so it stored the loaded value.
        (parent_block(store)?.key() == parent_block(load)?.key() && is_before(store, load))
            .then_some(value)
    }

    /// Records a slice of static size at a constant, which ends at `end` at the latest.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn static_slice(
        &mut self,
        op: Op<'c>,
        view: &ByteView<'c>,
        buffer: BufferName,
        arena: ArenaId,
        slice: SliceId,
        end: u64,
        is_one: bool,
    ) {
        let extent = self.slice_extent(op, view);
        let need = self.need(view);
        if let (Some(dynamic), Some(extent), Some(need)) =
            (self.dynamic.get_mut(&arena), extent, need)
        {
            let slice = DynamicSlice {
                slice,
                buffer,
                op,
                start: view.shift,
                need,
                most: Some(extent.size),
                alignment: extent.alignment.max(1),
            };
            dynamic.fixed.push(StaticSlice { slice, end, is_one });
        }
    }

    /// Records a slice with a dynamic start or size.
    pub(super) fn dynamic_slice(
        &mut self,
        op: Op<'c>,
        view: &ByteView<'c>,
        buffer: BufferName,
        arena: ArenaId,
        slice: SliceId,
        alignment: Option<u64>,
    ) -> Result<(), String> {
        let extent = self
            .layout
            .dynamic_extent(type_of(view.result))
            .map_err(|_| format!("the size of buffer {buffer} is unknown here"))?;
        let need = self.need(view);
        let need = need.ok_or_else(|| format!("the size of buffer {buffer} is unknown here"))?;
        if need.constant > u128::from(BEYOND_MEMORY) {
            return Err(format!(
                "the elements of buffer {buffer} take more bytes than any memory has"
            ));
        }
        let most = self.slice_extent(op, view).map(|extent| extent.size);
        let wanted = extent.alignment.max(1);
        if alignment.is_some_and(|alignment| alignment % wanted != 0) {
            return Err(unaligned(buffer, wanted));
        }
        if let Some(dynamic) = self.dynamic.get_mut(&arena) {
            dynamic.slices.push(DynamicSlice {
                slice,
                buffer,
                op,
                start: view.shift,
                need,
                most,
                alignment: wanted,
            });
        }
        Ok(())
    }

    /// The size of a slice, as a product.
    fn need(&mut self, view: &ByteView<'c>) -> Option<Product<'c>> {
        let bytes = match self.layout.extent(type_of(view.result)) {
            Ok(extent) => extent.size,
            Err(_) => {
                let extent = self.layout.dynamic_extent(type_of(view.result)).ok()?;
                extent.bytes
            }
        };
        let mut need = Product {
            constant: u128::from(bytes),
            factors: Vec::new(),
        };
        for size in &view.sizes {
            self.need_factor(*size, &mut need);
        }
        Some(need)
    }

    /// Checks the slices of all arenas, and records which of them have no bytes in common.
    pub(super) fn finish_dynamic(&mut self) {
        let mut arenas: Vec<(ArenaId, Dynamic<'c>)> = self.dynamic.drain().collect();
        arenas.sort_by_key(|(arena, _)| *arena);
        for (_, dynamic) in arenas {
            self.finish_arena(dynamic);
        }
    }

    fn finish_arena(&mut self, mut dynamic: Dynamic<'c>) {
        let mut places = Places::new(self, &dynamic.slices);
        let mut offsets = self.offsets(&places, dynamic.total, dynamic.op);
        let is_below =
            |one: &StaticSlice<'c>, floor| i64::try_from(one.end).is_ok_and(|end| end <= floor);
        let may_mix = |one: &StaticSlice<'c>| one.is_one && one.end <= BEYOND_MEMORY;
        // First those beyond the static part, which have a known upper bound, and then all: there is no static part.
        for moves_all in [false, true] {
            let floor = floor(&offsets);
            let (beyond, below): (Vec<_>, Vec<_>) = std::mem::take(&mut dynamic.fixed)
                .into_iter()
                .partition(|one| moves_all || !is_below(one, floor));
            let is_needed = !beyond.iter().all(|one| is_below(one, floor));
            dynamic.fixed = below;
            if !is_needed || !beyond.iter().all(may_mix) {
                dynamic.fixed.extend(beyond);
                continue;
            }
            for one in beyond {
                let slots = &mut self.program.slices[one.slice.slice.index()].slots;
                slots.retain(|slot| slot.start >= DYNAMIC_START);
                dynamic.slices.push(one.slice);
            }
            places = Places::new(self, &dynamic.slices);
            offsets = self.offsets(&places, dynamic.total, dynamic.op);
        }
        let floor = floor(&offsets);
        for one in dynamic.fixed.iter().filter(|one| !is_below(one, floor)) {
            let (buffer, end) = (one.slice.buffer, one.end);
            self.malformed(
                one.slice.op,
                codes::PLACE,
                format!("buffer {buffer} ends at byte {end}, but the static part of its arena has {floor}"),
            );
        }
        let first = self.program.ended.len();
        // Limits are those of numbers of 64 bits.
        let index = self.layout.scalar(type_of(dynamic.total));
        let is_narrow = index.is_some_and(|index| index.size < 8);
        for (placed, (start, need)) in dynamic.slices.iter().zip(&places.of_slices) {
            let buffer = placed.buffer;
            let wrong = offsets.iter().find_map(|layout| {
                if is_narrow {
                    Some("an index has fewer than 64 bits")
                } else if !layout.starts[*start].is_non_negative {
                    Some("it may start before the arena")
                } else if !layout.total.ended.contains(*need) {
                    Some(match layout.may_wrap {
                        true => "it may exceed the arena, whose size may wrap around",
                        false => "it may exceed the arena",
                    })
                } else {
                    None
                }
            });
            let is_aligned = offsets.iter().all(|layout| {
                let alignment = layout.starts[*start].alignment;
                alignment.is_multiple_of(placed.alignment)
            });
            if let Some(reason) = wrong {
                let text = format!("the offset of buffer {buffer} cannot be verified: {reason}");
                self.malformed(placed.op, codes::PLACE, text);
            } else if !is_aligned {
                self.malformed(placed.op, codes::PLACE, unaligned(buffer, placed.alignment));
            }
            let slice = &mut self.program.slices[placed.slice.index()];
            let bytes = DYNAMIC_BYTES + *start as u64;
            slice.slots.push(DYNAMIC_START..DYNAMIC_START + bytes);
            slice
                .slots
                .sort_unstable_by_key(|slot| (slot.start, slot.end));
            slice.slots.dedup();
            let is_static = placed.need.factors.is_empty();
            slice.places.push(Place {
                start: first + start,
                need: *need,
                bytes: u64::try_from(placed.need.constant)
                    .ok()
                    .filter(|_| is_static),
            });
        }
        for start in 0..places.starts.len() {
            let ended = offsets.iter().map(|layout| &layout.starts[start].ended);
            self.program.ended.push(ended.cloned().collect());
        }
    }
}

/// The bytes before all slices of dynamic size.
fn floor(offsets: &[Offsets]) -> i64 {
    let all = offsets.iter();
    let all = all.flat_map(|layout| layout.starts.iter().chain([&layout.total]));
    let least = all.map(|offset| match offset.is_non_negative {
        true => offset.least,
        false => 0,
    });
    least.min().unwrap_or(i64::MAX)
}

fn unaligned(buffer: BufferName, wanted: u64) -> String {
    format!("the elements of buffer {buffer} are aligned to {wanted}, but its offset is not")
}
