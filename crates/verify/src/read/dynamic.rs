//! Arenas of a size that only the run knows.
//!
//! Such an arena has a static part, and slots behind it that start at sums
//!
//! ```text
//! start = constant + part + part + …      part = size, or (size + a - 1) & -a
//! ```
//!
//! The slots must form a chain: each start holds all parts of the one before it and more. The arena's
//! size is such a sum too, or the maximum of some, each of which may be left out (`select(0 < size,
//! sum, 0)`) where a slot is empty; it has to be behind the end of every slice. A slice fits its slot if one of the parts that come next
//! has room for it on every way to its view. Slices at the same start share bytes; others do
//! not, for no part is negative. Sums are taken not to overflow: parts are at most 2^54 bytes where
//! memplan made them, and more is none of the verifier's business.
//!
//! A part has room for a slice if its size is
//!
//! * a product whose factors are at least those of the slice's size, one by one: the same values, or
//!   values whose bounds prove it;
//! * `max` of which one operand has room; `min` with a constant beyond any memory;
//! * `select` whose condition is that of an `scf.if` around the view, or the test whether an
//!   `scf.for` around it runs, and the operand that it then takes has room.

use super::Reader;
use crate::{
    codes,
    program::{ArenaId, SliceId},
};
use memplan_mlir::{
    build,
    ir::{
        Identity, Key, Op, Origin, Val, block_parent, blocks, is_before, operands, origin,
        parent_block, regions, results, type_of, users,
    },
    layout::{NoSize, run_time_dimension},
    melior::ir::operation::OperationLike,
    values,
};
use memplan_semantics::{attributes::BUFFER, names::OpKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sizes of that many bytes are never reached.
const BEYOND_MEMORY: i64 = 1 << 48;
/// Longer sums are not followed.
const LONGEST: usize = 2048;
/// Deeper expressions are not followed.
const DEEPEST: usize = 300;
/// Where slots are placed for the run: beyond every static part.
const SLOTS_START: u64 = 1 << 62;

/// So many bytes stand for all of a slot, whatever its size.
pub(super) const SLOT_BYTES: u64 = 1;

/// What lies in an arena whose size only the run knows.
pub(super) struct Dynamic<'c> {
    /// Bytes of the arena.
    total: Val<'c>,
    slices: Vec<Placed<'c>>,
    /// Where slices of the static part end.
    ends: Vec<(Op<'c>, i64, u64)>,
}

struct Placed<'c> {
    slice: SliceId,
    buffer: i64,
    op: Op<'c>,
    start: Sum<'c>,
    need: Product<'c>,
}

/// A constant and values, sorted by when they were first met.
#[derive(Clone, Default)]
struct Sum<'c> {
    constant: i64,
    parts: Vec<Val<'c>>,
}

/// A constant times values.
#[derive(Clone)]
struct Product<'c> {
    constant: u128,
    factors: Vec<Val<'c>>,
}

/// What is known of a condition at a place.
enum Holds {
    True,
    False,
    /// It would have to be both: the place is never reached.
    Never,
}

type Why = &'static str;

impl<'c> Reader<'c> {
    /// Notes an arena; true if only the run knows its size.
    pub(super) fn dynamic_arena(&mut self, arena: ArenaId, value: Val<'c>) {
        if let Some(Origin::Result(op, _)) = origin(value)
            && self.semantics.info(op).kind == OpKind::Alloc
            && let Some(size) = operands(op).next()
        {
            let total = self.stored(size).unwrap_or(size);
            let dynamic = Dynamic {
                total,
                slices: Vec::new(),
                ends: Vec::new(),
            };
            self.dynamic.insert(arena, dynamic);
        }
    }

    pub(super) fn is_dynamic(&self, arena: ArenaId) -> bool {
        self.dynamic.contains_key(&arena)
    }

    /// Is a value all of a slice in a slot?
    pub(super) fn is_slot_view(&mut self, value: Val<'c>) -> bool {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return false;
        };
        self.semantics.info(op).kind == OpKind::View
            && op.has_attribute(BUFFER)
            && matches!(self.layout.extent(type_of(value)), Err(NoSize::Dynamic))
    }

    /// What was stored in the cell that a value is loaded from, if that is all that is done with it.
    fn stored(&mut self, loaded: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(load, _)) = origin(loaded) else {
            return None;
        };
        if self.semantics.info(load).kind != OpKind::Load {
            return None;
        }
        let cell = operands(load).next()?;
        let Some(Origin::Result(made, _)) = origin(cell) else {
            return None;
        };
        if self.semantics.info(made).kind != OpKind::Alloca || operands(load).count() != 1 {
            return None;
        }
        let mut stored = None;
        for user in users(cell) {
            let known = self.semantics.info(user).kind;
            if known == OpKind::Load {
                continue;
            }
            let mut all = operands(user);
            let (value, to) = (all.next()?, all.next()?);
            if known != OpKind::Store || to.key() != cell.key() || stored.is_some() {
                return None;
            }
            stored = Some((value, user));
        }
        let (value, store) = stored?;
        // Right in front of it, so nothing else was there before.
        (parent_block(store)?.key() == parent_block(load)?.key() && is_before(store, load))
            .then_some(value)
    }

    /// A slice of the static part, which ends there.
    pub(super) fn static_end(&mut self, arena: ArenaId, op: Op<'c>, buffer: i64, end: u64) {
        if let Some(dynamic) = self.dynamic.get_mut(&arena) {
            dynamic.ends.push((op, buffer, end));
        }
    }

    /// A slice that starts at a byte that only the run knows, or has a size of that kind.
    pub(super) fn dynamic_slice(
        &mut self,
        op: Op<'c>,
        buffer: i64,
        arena: ArenaId,
        slice: SliceId,
        alignment: Option<u64>,
    ) -> Result<(), String> {
        let r#type = results(op).next().map(type_of).ok_or("no result")?;
        let extent = self
            .layout
            .dynamic_extent(r#type)
            .map_err(|_| format!("buffer {buffer} has no size that is known here"))?;
        let mut all = operands(op).skip(1);
        let shift = all.next().ok_or("no shift")?;
        let mut need = Product {
            constant: u128::from(extent.bytes),
            factors: Vec::new(),
        };
        for size in all {
            self.multiply(size, &mut need, DEEPEST);
        }
        let because = |why: Why| format!("the place of buffer {buffer} cannot be verified: {why}");
        let start = self.sum(shift).map_err(because)?;
        let wanted = extent.alignment.max(1);
        let is_aligned = u64::try_from(start.constant).is_ok_and(|at| at % wanted == 0)
            && alignment.is_none_or(|alignment| alignment % wanted == 0)
            && start.parts.iter().all(|part| {
                let to = self.rounded(*part).map_or(1, |(_, to)| to);
                to.is_multiple_of(wanted)
            });
        if !is_aligned {
            return Err(format!(
                "buffer {buffer} has elements aligned to {wanted}, but its place is not"
            ));
        }
        if let Some(dynamic) = self.dynamic.get_mut(&arena) {
            dynamic.slices.push(Placed {
                slice,
                buffer,
                op,
                start,
                need,
            });
        }
        Ok(())
    }

    /// Checks the chains of all arenas, and gives each slot bytes of its own.
    pub(super) fn settle_dynamic(&mut self) {
        let mut arenas: Vec<(ArenaId, Dynamic<'c>)> = self.dynamic.drain().collect();
        arenas.sort_by_key(|(arena, _)| *arena);
        for (_, dynamic) in arenas {
            self.settle(dynamic);
        }
    }

    fn settle(&mut self, mut dynamic: Dynamic<'c>) {
        dynamic
            .slices
            .sort_by_key(|placed| (placed.start.parts.len(), placed.start.constant));
        let mut groups: Vec<Vec<Placed<'c>>> = Vec::new();
        for placed in dynamic.slices {
            match groups.last_mut() {
                Some(group) if group[0].start.is(&placed.start) => group.push(placed),
                _ => groups.push(vec![placed]),
            }
        }
        let total = self.least(dynamic.total, DEEPEST);
        let first = groups.first().map(|group| group[0].start.clone());
        let starts_inside = first.iter().all(|first| {
            first.constant >= 0
                && first
                    .parts
                    .iter()
                    .all(|part| self.is_natural(*part, DEEPEST))
        });
        let floor = match first {
            Some(first) if starts_inside => first.constant.min(total),
            Some(_) => 0,
            None => total,
        };
        for (op, buffer, end) in dynamic.ends {
            if i64::try_from(end).is_ok_and(|end| end <= floor) {
                continue;
            }
            self.malformed(
                op,
                codes::PLACE,
                format!("buffer {buffer} ends at byte {end}, but the static part of its arena has {floor}"),
            );
        }
        for (index, group) in groups.iter().enumerate() {
            let at = SLOTS_START + 2 * index as u64;
            let next = groups.get(index + 1).map(|next| &next[0].start);
            for placed in group {
                let slots = &mut self.program.slices[placed.slice.index()].slots;
                slots.push(at..at + SLOT_BYTES);
                slots.sort_unstable_by_key(|slot| (slot.start, slot.end));
                slots.dedup();
                let wrong = if !starts_inside {
                    Some("the first slot may start before the arena")
                } else if placed.start.constant < floor {
                    Some("it may start in the static part")
                } else if next.is_some_and(|next| !self.ends_before(placed, next)) {
                    Some("it may reach into the next slot")
                } else if !self.ends_within(placed, dynamic.total, DEEPEST) {
                    Some("it may reach beyond the arena")
                } else {
                    None
                };
                if let Some(why) = wrong {
                    let buffer = placed.buffer;
                    self.malformed(
                        placed.op,
                        codes::PLACE,
                        format!("the place of buffer {buffer} cannot be verified: {why}"),
                    );
                }
            }
        }
    }

    /// Does a slice end before `place`?
    fn ends_before(&mut self, placed: &Placed<'c>, place: &Sum<'c>) -> bool {
        let Some(step) = placed.start.step(place) else {
            return false;
        };
        let is_natural = step.constant >= 0
            && step
                .parts
                .iter()
                .all(|part| self.is_natural(*part, DEEPEST));
        let fits = placed.need.factors.is_empty()
            && u128::try_from(step.constant).is_ok_and(|step| placed.need.constant <= step);
        is_natural
            && (fits
                || step
                    .parts
                    .iter()
                    .any(|part| self.has_room(*part, placed.op, &placed.need, DEEPEST)))
    }

    /// Does a slice end before `end`, a sum, or a maximum of sums that may be left out where their
    /// slots are empty?
    fn ends_within(&mut self, placed: &Placed<'c>, end: Val<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if self
            .sum(end)
            .is_ok_and(|end| self.ends_before(placed, &end))
        {
            return true;
        }
        let ends = self.largest_of(end);
        if ends.len() > 1 {
            return ends
                .into_iter()
                .any(|end| self.ends_within(placed, end, depth - 1));
        }
        if let Some([condition, end, _]) = self.known_operands(end, OpKind::Select) {
            // Empty where the condition does not hold.
            return self.is_there(condition).is_some_and(|size| {
                self.has_room(size, placed.op, &placed.need, DEEPEST)
                    && self.ends_within(placed, end, depth - 1)
            });
        }
        false
    }

    /// What a value is the largest of, in whatever order maxima were nested; itself alone if it is none.
    fn largest_of(&mut self, value: Val<'c>) -> Vec<Val<'c>> {
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let (mut open, mut all) = (vec![value], Vec::new());
        while let Some(value) = open.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            match self.known_operands(value, OpKind::MaxSI) {
                // The first one first.
                Some([one, other]) => open.extend([other, one]),
                None => all.push(value),
            }
        }
        all
    }

    /// Of `0 < size`: the size.
    fn is_there(&mut self, condition: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(op, _)) = origin(condition) else {
            return None;
        };
        let predicate = build::integer(op, "predicate");
        let [left, right] = self.known_operands(condition, OpKind::CmpI)?;
        const GREATER: i64 = 4;
        match predicate {
            Some(less) if less == build::Compare::Less as i64 => {
                (self.constant(left) == Some(0)).then_some(right)
            }
            Some(GREATER) => (self.constant(right) == Some(0)).then_some(left),
            _ => None,
        }
    }

    /// A number that a value is never below; 0 where none is known.
    fn least(&mut self, value: Val<'c>, depth: usize) -> i64 {
        if depth == 0 {
            return 0;
        }
        let all = self.largest_of(value);
        if all.len() > 1 {
            let least = all.into_iter().map(|one| self.least(one, depth - 1));
            return least.max().unwrap_or(0);
        }
        match self.sum(value) {
            Ok(sum) if sum.parts.iter().all(|part| self.is_natural(*part, DEEPEST)) => sum.constant,
            _ => 0,
        }
    }

    fn known_operands<const N: usize>(
        &mut self,
        value: Val<'c>,
        known: OpKind,
    ) -> Option<[Val<'c>; N]> {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return None;
        };
        if self.semantics.info(op).kind != known {
            return None;
        }
        let all: Vec<Val<'c>> = operands(op).collect();
        all.try_into().ok()
    }

    fn sum(&mut self, value: Val<'c>) -> Result<Sum<'c>, Why> {
        let mut sum = Sum::default();
        let mut open = vec![value];
        let mut steps = 0;
        while let Some(value) = open.pop() {
            steps += 1;
            if steps > LONGEST {
                return Err("its sum is too long");
            }
            if let Some(constant) = self.constant(value) {
                sum.constant = sum
                    .constant
                    .checked_add(constant)
                    .ok_or("its sum overflows")?;
            } else if let Some([left, right]) = self.known_operands(value, OpKind::AddI) {
                // The left one first, so that chains come out first to last.
                open.extend([right, left]);
            } else {
                sum.parts.push(value);
            }
        }
        Ok(sum)
    }

    /// Of `(value + a - 1) & -a`: the value and a.
    fn rounded(&mut self, value: Val<'c>) -> Option<(Val<'c>, u64)> {
        let [sum, mask] = self.known_operands(value, OpKind::AndI)?;
        let to = self.constant(mask)?.checked_neg().filter(|to| *to > 0)?;
        let [inner, more] = self.known_operands(sum, OpKind::AddI)?;
        let fits = (to as u64).is_power_of_two() && self.constant(more) == Some(to - 1);
        fits.then_some((inner, to as u64))
    }

    /// Is a value never negative?
    fn is_natural(&mut self, value: Val<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some(constant) = self.constant(value) {
            return constant >= 0;
        }
        if let Some((inner, _)) = self.rounded(value) {
            return self.is_natural(inner, depth - 1);
        }
        let all = self.largest_of(value);
        if all.len() > 1 {
            return all.into_iter().any(|one| self.is_natural(one, depth - 1));
        }
        if let Some([a, b]) = self.known_operands(value, OpKind::MinSI) {
            return self.is_natural(a, depth - 1) && self.is_natural(b, depth - 1);
        }
        if let Some([_, a, b]) = self.known_operands(value, OpKind::Select) {
            return self.is_natural(a, depth - 1) && self.is_natural(b, depth - 1);
        }
        values::lower_bound(value).is_some_and(|least| least >= 0)
    }

    /// Of the dimension of a `memref.view`, which value bounds do not see through: what the view was given.
    fn given(&mut self, value: Val<'c>) -> Option<Val<'c>> {
        let [view, index] = self.known_operands(value, OpKind::Dim)?;
        let dimension = usize::try_from(self.constant(index)?).ok()?;
        let Some(Origin::Result(op, _)) = origin(view) else {
            return None;
        };
        if self.semantics.info(op).kind != OpKind::View {
            return None;
        }
        operands(op).nth(2 + run_time_dimension(type_of(view), dimension)?)
    }

    fn multiply(&mut self, value: Val<'c>, product: &mut Product<'c>, depth: usize) {
        if depth > 0
            && let Some(given) = self.given(value)
        {
            return self.multiply(given, product, depth - 1);
        }
        match self.constant(value).map(u128::try_from) {
            Some(Ok(constant)) => product.constant = product.constant.saturating_mul(constant),
            _ => match self.known_operands(value, OpKind::MulI) {
                Some([left, right]) if depth > 0 && product.factors.len() < LONGEST => {
                    self.multiply(left, product, depth.min(8) - 1);
                    self.multiply(right, product, depth.min(8) - 1);
                }
                _ => product.factors.push(value),
            },
        }
    }

    /// Is `size` at least as large as a slice, wherever `view` is executed?
    fn has_room(&mut self, size: Val<'c>, view: Op<'c>, need: &Product<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some((inner, _)) = self.rounded(size) {
            return self.has_room(inner, view, need, depth - 1);
        }
        let sizes = self.largest_of(size);
        if sizes.len() > 1 {
            return sizes
                .into_iter()
                .any(|size| self.has_room(size, view, need, depth - 1));
        }
        if let Some([a, b]) = self.known_operands(size, OpKind::MinSI) {
            return self.constant(b).is_some_and(|most| most >= BEYOND_MEMORY)
                && self.has_room(a, view, need, depth - 1);
        }
        if let Some([condition, yes, no]) = self.known_operands(size, OpKind::Select)
            && let Some(holds) = self.holds_around(condition, view)
        {
            return match holds {
                Holds::Never => true,
                Holds::True => self.has_room(yes, view, need, depth - 1),
                Holds::False => self.has_room(no, view, need, depth - 1),
            };
        }
        let mut room = Product {
            constant: 1,
            factors: Vec::new(),
        };
        self.multiply(size, &mut room, DEEPEST);
        room.holds(need)
    }

    /// Does the place of `view` tell whether a condition holds?
    fn holds_around(&mut self, condition: Val<'c>, view: Op<'c>) -> Option<Holds> {
        let test = match origin(condition) {
            Some(Origin::Result(op, _)) if self.semantics.info(op).kind == OpKind::CmpI => {
                let bounds: Vec<Key> = operands(op).map(|value| value.key()).collect();
                Some((build::integer(op, "predicate"), bounds))
            }
            _ => None,
        };
        let mut known: Option<bool> = None;
        let mut at = view;
        while let Some((block, op)) =
            parent_block(at).and_then(|block| Some((block, block_parent(block)?)))
        {
            match self.semantics.info(op).kind {
                OpKind::ScfIf
                    if operands(op)
                        .next()
                        .is_some_and(|value| value.key() == condition.key()) =>
                {
                    let is_then = regions(op)
                        .next()
                        .is_some_and(|then| blocks(then).any(|one| one.key() == block.key()));
                    if known.is_some_and(|known| known != is_then) {
                        return Some(Holds::Never);
                    }
                    known = Some(is_then);
                }
                OpKind::ScfFor => {
                    let wanted = if op.has_attribute("unsignedCmp") {
                        build::Compare::UnsignedLess
                    } else {
                        build::Compare::Less
                    };
                    let bounds: Vec<Key> = operands(op).take(2).map(|value| value.key()).collect();
                    if test.as_ref() == Some(&(Some(wanted as i64), bounds)) {
                        known = known.or(Some(true));
                    }
                }
                _ if self.semantics.info(op).is_function() => break,
                _ => {}
            }
            at = op;
        }
        known.map(|known| if known { Holds::True } else { Holds::False })
    }
}

impl<'c> Sum<'c> {
    fn is(&self, other: &Self) -> bool {
        self.step(other)
            .is_some_and(|step| step.constant == 0 && step.parts.is_empty())
    }

    /// What has to be added to come to `next`; `None` if it lacks a part of this one.
    fn step(&self, next: &Self) -> Option<Self> {
        let mut open: FxHashMap<Key, usize> = FxHashMap::default();
        for part in &self.parts {
            *open.entry(part.key()).or_default() += 1;
        }
        let mut step = Self {
            constant: next.constant.checked_sub(self.constant)?,
            parts: Vec::new(),
        };
        for part in &next.parts {
            match open.get_mut(&part.key()) {
                Some(count) if *count > 0 => *count -= 1,
                _ => step.parts.push(*part),
            }
        }
        open.values().all(|count| *count == 0).then_some(step)
    }
}

impl<'c> Product<'c> {
    /// Is this one at least as large as `other`? Factors are dimensions, which are not negative.
    fn holds(&self, other: &Self) -> bool {
        let mut left = self.factors.clone();
        let mut open = Vec::new();
        for factor in &other.factors {
            match left.iter().position(|one| one.key() == factor.key()) {
                Some(same) => {
                    left.swap_remove(same);
                }
                None => open.push(*factor),
            }
        }
        let mut need = other.constant;
        for factor in open {
            if let Some(larger) = left.iter().position(|one| values::at_most(factor, *one)) {
                left.swap_remove(larger);
            } else if let Some(most) =
                values::upper_bound(factor).and_then(|most| u128::try_from(most).ok())
            {
                need = need.saturating_mul(most);
            } else {
                return false;
            }
        }
        let mut room = self.constant;
        for factor in left {
            match values::lower_bound(factor).and_then(|least| u128::try_from(least).ok()) {
                Some(least) if least > 0 => room = room.saturating_mul(least),
                _ => return false,
            }
        }
        need <= room
    }
}
