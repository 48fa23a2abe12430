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
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, blocks, is_before, operands, origin,
        parent_block, regions, type_of, users,
    },
    layout::{NoSize, run_time_dimension},
    melior::ir::operation::OperationLike,
    values,
};
use memplan_semantics::{
    ByteView, Computes, Loop,
    arithmetic::{Binary, Predicate, Sign},
    attributes::BUFFER,
    control::Chosen,
    loops::Bound,
};
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
            && self.semantics.of(op).plain_allocation() == Some(false)
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
        self.semantics.byte_view(op).is_some()
            && op.has_attribute(BUFFER)
            && matches!(self.layout.extent(type_of(value)), Err(NoSize::Dynamic))
    }

    /// What was stored in the cell that a value is loaded from, if that is all that is done with it.
    fn stored(&mut self, loaded: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(load, _)) = origin(loaded) else {
            return None;
        };
        let Some(Computes::Element(cell)) = self.semantics.computed(load) else {
            return None;
        };
        let Some(Origin::Result(made, _)) = origin(cell) else {
            return None;
        };
        let is_on_stack = self.semantics.of(made).plain_allocation() == Some(true);
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
        view: &ByteView<'c>,
        buffer: i64,
        arena: ArenaId,
        slice: SliceId,
        alignment: Option<u64>,
    ) -> Result<(), String> {
        let extent = self
            .layout
            .dynamic_extent(type_of(view.result))
            .map_err(|_| format!("buffer {buffer} has no size that is known here"))?;
        let mut need = Product {
            constant: u128::from(extent.bytes),
            factors: Vec::new(),
        };
        for size in &view.sizes {
            self.multiply(*size, &mut need, DEEPEST);
        }
        let because = |why: Why| format!("the place of buffer {buffer} cannot be verified: {why}");
        let start = self.sum(view.shift).map_err(because)?;
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
        if let Some(Computes::Select([condition, end, _])) = self.semantics.computes(end) {
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
            match self.binary(value, Binary::Max(Sign::Signed)) {
                // The first one first.
                Some([one, other]) => open.extend([other, one]),
                None => all.push(value),
            }
        }
        all
    }

    /// Of `0 < size`: the size.
    fn is_there(&mut self, condition: Val<'c>) -> Option<Val<'c>> {
        let (less, size) = match self.semantics.computes(condition)? {
            Computes::Compare(Predicate::Less(Sign::Signed), [left, right]) => (left, right),
            Computes::Compare(Predicate::Greater(Sign::Signed), [left, right]) => (right, left),
            _ => return None,
        };
        (self.constant(less) == Some(0)).then_some(size)
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

    fn sum(&mut self, value: Val<'c>) -> Result<Sum<'c>, Why> {
        let mut sum = Sum::default();
        let mut open = vec![value];
        let mut steps = 0;
        while let Some(value) = open.pop() {
            steps += 1;
            if steps > LONGEST {
                return Err("its sum is too long");
            }
            match self.semantics.computes(value) {
                Some(Computes::Constant(constant)) => {
                    let constant = sum.constant.checked_add(constant);
                    sum.constant = constant.ok_or("its sum overflows")?;
                }
                // The left one first, so that chains come out first to last.
                Some(Computes::Binary(Binary::Add, [left, right])) => open.extend([right, left]),
                _ => sum.parts.push(value),
            }
        }
        Ok(sum)
    }

    /// Of `(value + a - 1) & -a`: the value and a.
    fn rounded(&mut self, value: Val<'c>) -> Option<(Val<'c>, u64)> {
        let [sum, mask] = self.binary(value, Binary::And)?;
        let to = self.constant(mask)?.checked_neg().filter(|to| *to > 0)?;
        let [inner, more] = self.binary(sum, Binary::Add)?;
        let fits = (to as u64).is_power_of_two() && self.constant(more) == Some(to - 1);
        fits.then_some((inner, to as u64))
    }

    /// Is a value never negative?
    fn is_natural(&mut self, value: Val<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some((inner, _)) = self.rounded(value) {
            return self.is_natural(inner, depth - 1);
        }
        let all = self.largest_of(value);
        if all.len() > 1 {
            return all.into_iter().any(|one| self.is_natural(one, depth - 1));
        }
        match self.semantics.computes(value) {
            Some(Computes::Constant(constant)) => constant >= 0,
            Some(
                Computes::Binary(Binary::Min(Sign::Signed), [a, b]) | Computes::Select([_, a, b]),
            ) => self.is_natural(a, depth - 1) && self.is_natural(b, depth - 1),
            _ => values::lower_bound(value).is_some_and(|least| least >= 0),
        }
    }

    /// Of the dimension of a `memref.view`, which value bounds do not see through: what the view was given.
    fn given(&mut self, value: Val<'c>) -> Option<Val<'c>> {
        let Computes::Dimension([view, index]) = self.semantics.computes(value)? else {
            return None;
        };
        let dimension = usize::try_from(self.constant(index)?).ok()?;
        let Some(Origin::Result(op, _)) = origin(view) else {
            return None;
        };
        let sizes = self.semantics.byte_view(op)?.sizes;
        let at = run_time_dimension(type_of(view), dimension)?;
        sizes.get(at).copied()
    }

    fn multiply(&mut self, value: Val<'c>, product: &mut Product<'c>, depth: usize) {
        if depth > 0
            && let Some(given) = self.given(value)
        {
            return self.multiply(given, product, depth - 1);
        }
        match self.constant(value).map(u128::try_from) {
            Some(Ok(constant)) => product.constant = product.constant.saturating_mul(constant),
            _ => match self.binary(value, Binary::Multiply) {
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
        match self.semantics.computes(size) {
            Some(Computes::Binary(Binary::Min(Sign::Signed), [a, b])) => {
                return self.constant(b).is_some_and(|most| most >= BEYOND_MEMORY)
                    && self.has_room(a, view, need, depth - 1);
            }
            Some(Computes::Select([condition, yes, no])) => {
                match self.holds_around(condition, view) {
                    Some(Holds::Never) => return true,
                    Some(Holds::True) => return self.has_room(yes, view, need, depth - 1),
                    Some(Holds::False) => return self.has_room(no, view, need, depth - 1),
                    None => {}
                }
            }
            _ => {}
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
        let test = match self.semantics.computes(condition) {
            Some(Computes::Compare(Predicate::Less(sign), of)) => Some((sign, of)),
            _ => None,
        };
        let mut known: Option<bool> = None;
        let mut at = view;
        while let Some((block, op)) =
            parent_block(at).and_then(|block| Some((block, block_parent(block)?)))
        {
            if self.semantics.info(op).is_function() {
                break;
            }
            if let Some(chosen) = self.chosen_by(condition, op, block) {
                if known.is_some_and(|known| known != chosen) {
                    return Some(Holds::Never);
                }
                known = Some(chosen);
            } else if known.is_none()
                && let Some((sign, bounds)) = test
                && self.runs_if_less(op, sign, bounds)
            {
                known = Some(true);
            }
            at = op;
        }
        known.map(|known| if known { Holds::True } else { Holds::False })
    }

    /// What a condition is in a block, if that alone decides which of an operation's regions runs.
    fn chosen_by(&mut self, condition: Val<'c>, op: Op<'c>, block: Block<'c>) -> Option<bool> {
        let choice = self.semantics.choice(op)?;
        if choice.by != Chosen::Truth || choice.flag != Some(condition) {
            return None;
        }
        let mut all = regions(op);
        let place = all.position(|region| blocks(region).any(|one| one == block))?;
        Some(place == 0)
    }

    /// Is an operation a loop that runs its body if the first number is less than the second?
    fn runs_if_less(&mut self, op: Op<'c>, sign: Sign, bounds: [Val<'c>; 2]) -> bool {
        let found = Loop::of(op, &mut self.semantics);
        let dimension = found.as_ref().and_then(Loop::only_dimension);
        dimension.is_some_and(|dimension| {
            let is_it = |bound: &Bound<'c>, number| matches!(bound, Bound::Value(value) if *value == number);
            dimension.unsigned == (sign == Sign::Unsigned)
                && is_it(&dimension.lower, bounds[0])
                && is_it(&dimension.upper, bounds[1])
        })
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
