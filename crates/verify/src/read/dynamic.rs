//! Arenas of dynamic size.
//!
//! Such an arena has a static part, followed by slots that start at sums
//!
//! ```text
//! start = constant + part + part + …      part = count * (size, or (size + a - 1) & -a)
//! ```
//!
//! The slots must form a chain: each start has all summands of the one before it, and more. The arena's size is
//! such a sum too, or the maximum of several sums. A sum may be left out (`select(0 < size, sum, 0)`) if its slot
//! is empty. The size must be at or after the end of every slice. A slice fits its slot if one of the next summands
//! is large enough for it on every path to its view. Slices at the same start share bytes; those of different slots do
//! not, since no summand is negative. Sums are assumed not to overflow: memplan creates summands of at most 2^54 bytes, and
//! larger ones are not checked.
//!
//! Within a slot of several times one size, a slice may start after a number of these, and ends after another number. Slices
//! with no number in common have no bytes in common.
//!
//! A summand is large enough for a slice if its size is
//!
//! * a product whose factors are at least those of the slice's size, pairwise: the same values, or values whose
//!   bounds prove it;
//! * a `max` with an operand that is large enough, or a `min` with a constant larger than any memory;
//! * a `select` whose condition is that of an `scf.if` around the view, or the test whether an `scf.for` around it
//!   runs, if the operand selected there is large enough.

use super::ProgramReader;
use crate::{
    codes,
    program::{ArenaId, SliceId},
};
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, blocks, is_before, operands, origin,
        parent_block, regions, type_of, users,
    },
    layout::{NoSize, dynamic_dimension_index},
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

/// A size in bytes that no memory has.
const BEYOND_MEMORY: u64 = 1 << 48;
/// The number of summands up to which sums are followed.
const MOST_SUMMANDS: usize = 2048;
/// The number of factors of a size up to which products are followed.
const MOST_FACTORS: usize = 64;
/// The depth up to which expressions are followed.
const DEEPEST: usize = 300;
/// The address of the slots on the abstract machine, after every static part.
const SLOTS_START: u64 = 1 << 62;
/// The most times of one size on the abstract machine.
const MOST_TIMES: u64 = 1 << 54;

/// The slices of an arena of dynamic size.
pub(super) struct Dynamic<'c> {
    /// The size of the arena, in bytes.
    total: Val<'c>,
    slices: Vec<DynamicSlice<'c>>,
    /// The ends of slices in the static part.
    ends: Vec<(Op<'c>, i64, u64)>,
}

struct DynamicSlice<'c> {
    slice: SliceId,
    buffer: i64,
    op: Op<'c>,
    start: Sum<'c>,
    need: Product<'c>,
}

/// A constant plus values, each a positive number of times, sorted by their first occurrence.
#[derive(Clone, Default)]
struct Sum<'c> {
    constant: i64,
    summands: Vec<Times<'c>>,
}

/// A value and the number of times that it is in a sum.
type Times<'c> = (Val<'c>, u64);

/// Slices in one slot.
struct SlotSlices<'c> {
    /// Where it starts.
    start: Sum<'c>,
    /// The size that the slot is several times, if slices start inside it.
    unit: Option<Val<'c>>,
    /// The slices, each with the number of times a size before it.
    slices: Vec<(DynamicSlice<'c>, Option<Times<'c>>)>,
}

/// A constant times values.
#[derive(Clone)]
struct Product<'c> {
    constant: u128,
    factors: Vec<Val<'c>>,
}

/// The known value of a condition at an operation.
enum KnownCondition {
    True,
    False,
    /// Both values at once: the operation is unreachable.
    Contradiction,
}

type Reason = &'static str;

impl<'c> ProgramReader<'c, '_> {
    /// Registers an arena. Returns true if its size is dynamic.
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

    /// Whether a value is all of a slice in a slot.
    pub(super) fn is_slot_view(&mut self, value: Val<'c>) -> bool {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return false;
        };
        self.semantics.byte_view(op).is_some()
            && op.has_attribute(BUFFER)
            && matches!(self.layout.extent(type_of(value)), Err(NoSize::Dynamic))
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

    /// Records the end of a slice in the static part.
    pub(super) fn static_end(&mut self, arena: ArenaId, op: Op<'c>, buffer: i64, end: u64) {
        if let Some(dynamic) = self.dynamic.get_mut(&arena) {
            dynamic.ends.push((op, buffer, end));
        }
    }

    /// Records a slice with a dynamic start or size.
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
            .map_err(|_| format!("the size of buffer {buffer} is unknown here"))?;
        let mut need = Product {
            constant: u128::from(extent.bytes),
            factors: Vec::new(),
        };
        for size in &view.sizes {
            self.multiply(*size, &mut need, DEEPEST);
        }
        let because =
            |reason: Reason| format!("the offset of buffer {buffer} cannot be verified: {reason}");
        let start = self.sum(view.shift).map_err(because)?;
        let wanted = extent.alignment.max(1);
        let is_aligned = u64::try_from(start.constant).is_ok_and(|at| at % wanted == 0)
            && alignment.is_none_or(|alignment| alignment % wanted == 0)
            && start.summands.iter().all(|(part, times)| {
                let to = self.rounded(*part).map_or(1, |(_, to)| to);
                to.is_multiple_of(wanted) || times.is_multiple_of(wanted)
            });
        if !is_aligned {
            return Err(format!(
                "the elements of buffer {buffer} are aligned to {wanted}, but its offset is not"
            ));
        }
        if let Some(dynamic) = self.dynamic.get_mut(&arena) {
            dynamic.slices.push(DynamicSlice {
                slice,
                buffer,
                op,
                start,
                need,
            });
        }
        Ok(())
    }

    /// Checks the chains of all arenas, and assigns disjoint bytes to the slots.
    pub(super) fn finish_dynamic(&mut self) {
        let mut arenas: Vec<(ArenaId, Dynamic<'c>)> = self.dynamic.drain().collect();
        arenas.sort_by_key(|(arena, _)| *arena);
        for (_, dynamic) in arenas {
            self.finish_arena(dynamic);
        }
    }

    fn finish_arena(&mut self, mut dynamic: Dynamic<'c>) {
        let slices = std::mem::take(&mut dynamic.slices);
        let most = self.most_times(dynamic.total);
        let slots = slots_of(slices, &most);
        let total = self.lower_bound(dynamic.total, DEEPEST);
        let first = slots.first().map(|slot| slot.start.clone());
        let starts_inside = first.iter().all(|first| {
            first.constant >= 0
                && first
                    .summands
                    .iter()
                    .all(|(part, _)| self.is_non_negative(*part, DEEPEST))
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
        let mut address = SLOTS_START;
        for (index, slot) in slots.iter().enumerate() {
            let next = slots.get(index + 1).map(|next| &next.start);
            let mut end = address;
            for (placed, inside) in &slot.slices {
                let before = inside.map_or(0, |(_, times)| times);
                let units = slot.unit.and_then(|unit| {
                    let is_it = inside.is_none_or(|(own, _)| own.key() == unit.key());
                    let all = most.get(&unit.key()).copied().unwrap_or(0);
                    let units = self.units(unit, placed, all)?;
                    (is_it && before < MOST_TIMES).then_some(units)
                });
                let wrong = if !starts_inside {
                    Some("the first slot may start before the arena")
                } else if placed.start.constant < floor {
                    Some("it may start in the static part")
                } else if next.is_some_and(|next| !self.ends_before(placed, next)) {
                    Some("it may exceed its slot")
                } else if !self.ends_within(placed, dynamic.total, DEEPEST) {
                    Some("it may exceed the arena")
                } else if slot.unit.is_some() && units.is_none() {
                    Some("it is not a number of times the size of others in its slot")
                } else {
                    None
                };
                let first = address + before.min(MOST_TIMES);
                let last = first + units.unwrap_or(1).max(1);
                end = end.max(last);
                let own = &mut self.program.slices[placed.slice.index()].slots;
                own.push(first..last);
                own.sort_unstable_by_key(|slot| (slot.start, slot.end));
                own.dedup();
                if let Some(reason) = wrong {
                    let buffer = placed.buffer;
                    self.malformed(
                        placed.op,
                        codes::PLACE,
                        format!("the offset of buffer {buffer} cannot be verified: {reason}"),
                    );
                }
            }
            address = end + 1;
        }
    }

    /// How many times each size is in the sum of an arena's size at most.
    fn most_times(&mut self, total: Val<'c>) -> FxHashMap<Key, u64> {
        let mut most: FxHashMap<Key, u64> = FxHashMap::default();
        for end in self.max_operands(total) {
            let end = match self.semantics.computes(end) {
                Some(Computes::Select([_, end, _])) => end,
                _ => end,
            };
            for (part, times) in self.sum(end).map(|sum| sum.summands).unwrap_or_default() {
                let known = most.entry(part.key()).or_default();
                *known = times.max(*known);
            }
        }
        most
    }

    /// How many times a size is as large as a slice; the arena has it `all` times.
    fn units(&mut self, unit: Val<'c>, placed: &DynamicSlice<'c>, all: u64) -> Option<u64> {
        let mut one = placed.need.clone();
        one.constant = 1;
        // The largest part of the constant for which one unit is enough.
        let size = self.factor(unit, DEEPEST);
        let units = placed.need.constant.div_ceil(size.max(1));
        let units = u64::try_from(units)
            .ok()
            .filter(|units| *units < MOST_TIMES)?;
        one.constant = placed.need.constant.div_ceil(u128::from(units.max(1)));
        self.is_large_enough(unit, placed.op, &one, all, DEEPEST)
            .then_some(units)
    }

    /// The constant factor of a size.
    fn factor(&mut self, size: Val<'c>, depth: usize) -> u128 {
        if depth == 0 {
            return 1;
        }
        if let Some((inner, _)) = self.rounded(size) {
            return self.factor(inner, depth - 1);
        }
        let inner = match self.semantics.computes(size) {
            Some(Computes::Binary(
                Binary::Min(Sign::Signed) | Binary::Max(Sign::Signed),
                [inner, _],
            )) => inner,
            _ => {
                let mut product = Product {
                    constant: 1,
                    factors: Vec::new(),
                };
                self.multiply(size, &mut product, DEEPEST);
                return product.constant;
            }
        };
        self.factor(inner, depth - 1)
    }

    /// Whether a slice ends before `place`.
    fn ends_before(&mut self, placed: &DynamicSlice<'c>, place: &Sum<'c>) -> bool {
        let Some(step) = placed.start.difference(place) else {
            return false;
        };
        let is_non_negative = step.constant >= 0
            && step
                .summands
                .iter()
                .all(|(part, _)| self.is_non_negative(*part, DEEPEST));
        let fits = placed.need.factors.is_empty()
            && u128::try_from(step.constant).is_ok_and(|step| placed.need.constant <= step);
        is_non_negative
            && (fits
                || step.summands.iter().any(|(part, times)| {
                    let mut one = placed.need.clone();
                    one.constant = one.constant.div_ceil(u128::from(*times));
                    // All of the slot counts where its size is limited.
                    let all = place.times(*part);
                    self.is_large_enough(*part, placed.op, &one, all, DEEPEST)
                }))
    }

    /// Whether a slice ends before `end`: a sum, or a maximum of sums that may be left out if their slots are empty.
    fn ends_within(&mut self, placed: &DynamicSlice<'c>, end: Val<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if self
            .sum(end)
            .is_ok_and(|end| self.ends_before(placed, &end))
        {
            return true;
        }
        let ends = self.max_operands(end);
        if ends.len() > 1 {
            return ends
                .into_iter()
                .any(|end| self.ends_within(placed, end, depth - 1));
        }
        if let Some(Computes::Select([condition, end, _])) = self.semantics.computes(end) {
            // The slot is empty where the condition does not hold.
            return self.nonempty_size(condition).is_some_and(|size| {
                self.is_large_enough(size, placed.op, &placed.need, 1, DEEPEST)
                    && self.ends_within(placed, end, depth - 1)
            });
        }
        false
    }

    /// The operands of nested maxima, in any nesting; the value alone if it is no maximum.
    fn max_operands(&mut self, value: Val<'c>) -> Vec<Val<'c>> {
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let (mut open, mut all) = (vec![value], Vec::new());
        while let Some(value) = open.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            match self.binary(value, Binary::Max(Sign::Signed)) {
                // Visits the first operand first.
                Some([one, other]) => open.extend([other, one]),
                None => all.push(value),
            }
        }
        all
    }

    /// The size in a condition `0 < size`.
    fn nonempty_size(&mut self, condition: Val<'c>) -> Option<Val<'c>> {
        let (less, size) = match self.semantics.computes(condition)? {
            Computes::Compare(Predicate::Less(Sign::Signed), [left, right]) => (left, right),
            Computes::Compare(Predicate::Greater(Sign::Signed), [left, right]) => (right, left),
            _ => return None,
        };
        (self.constant(less) == Some(0)).then_some(size)
    }

    /// A lower bound of a value; 0 if none is known.
    fn lower_bound(&mut self, value: Val<'c>, depth: usize) -> i64 {
        if depth == 0 {
            return 0;
        }
        let all = self.max_operands(value);
        if all.len() > 1 {
            let least = all.into_iter().map(|one| self.lower_bound(one, depth - 1));
            return least.max().unwrap_or(0);
        }
        match self.sum(value) {
            Ok(sum)
                if sum
                    .summands
                    .iter()
                    .all(|(part, _)| self.is_non_negative(*part, DEEPEST)) =>
            {
                sum.constant
            }
            _ => 0,
        }
    }

    fn sum(&mut self, value: Val<'c>) -> Result<Sum<'c>, Reason> {
        let mut sum = Sum::default();
        let mut open = vec![value];
        let mut steps = 0;
        while let Some(value) = open.pop() {
            steps += 1;
            if steps > MOST_SUMMANDS {
                return Err("its sum is too long");
            }
            match self.semantics.computes(value) {
                Some(Computes::Constant(constant)) => {
                    let constant = sum.constant.checked_add(constant);
                    sum.constant = constant.ok_or("its sum overflows")?;
                }
                // Visits the left operand first, so that chains come out in order.
                Some(Computes::Binary(Binary::Add, [left, right])) => open.extend([right, left]),
                Some(Computes::Binary(Binary::Multiply, [one, other])) => {
                    let times = |value| self.constant(value).and_then(|at| u64::try_from(at).ok());
                    let mut times = times;
                    match (times(one), times(other)) {
                        (None, Some(times @ 1..)) => sum.add(one, times)?,
                        (Some(times @ 1..), None) => sum.add(other, times)?,
                        _ => sum.add(value, 1)?,
                    }
                }
                _ => sum.add(value, 1)?,
            }
        }
        Ok(sum)
    }

    /// The operands value and a of `(value + a - 1) & -a`.
    fn rounded(&mut self, value: Val<'c>) -> Option<Times<'c>> {
        let [sum, mask] = self.binary(value, Binary::And)?;
        let to = self.constant(mask)?.checked_neg().filter(|to| *to > 0)?;
        let [inner, more] = self.binary(sum, Binary::Add)?;
        let fits = (to as u64).is_power_of_two() && self.constant(more) == Some(to - 1);
        fits.then_some((inner, to as u64))
    }

    /// Whether a value is never negative.
    fn is_non_negative(&mut self, value: Val<'c>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some((inner, _)) = self.rounded(value) {
            return self.is_non_negative(inner, depth - 1);
        }
        let all = self.max_operands(value);
        if all.len() > 1 {
            return all
                .into_iter()
                .any(|one| self.is_non_negative(one, depth - 1));
        }
        match self.semantics.computes(value) {
            Some(Computes::Constant(constant)) => constant >= 0,
            Some(
                Computes::Binary(Binary::Min(Sign::Signed), [a, b]) | Computes::Select([_, a, b]),
            ) => self.is_non_negative(a, depth - 1) && self.is_non_negative(b, depth - 1),
            _ => values::lower_bound(value).is_some_and(|least| least >= 0),
        }
    }

    /// The operand that gives a dimension of a `memref.view`, which value bounds do not see through.
    fn dimension_operand(&mut self, value: Val<'c>) -> Option<Val<'c>> {
        let Computes::Dimension([view, index]) = self.semantics.computes(value)? else {
            return None;
        };
        let dimension = usize::try_from(self.constant(index)?).ok()?;
        let Some(Origin::Result(op, _)) = origin(view) else {
            return None;
        };
        let sizes = self.semantics.byte_view(op)?.sizes;
        let at = dynamic_dimension_index(type_of(view), dimension)?;
        sizes.get(at).copied()
    }

    fn multiply(&mut self, value: Val<'c>, product: &mut Product<'c>, depth: usize) {
        let value = self.semantics.same_number(value);
        if depth > 0
            && let Some(operand) = self.dimension_operand(value)
        {
            return self.multiply(operand, product, depth - 1);
        }
        match self.constant(value).map(u128::try_from) {
            Some(Ok(constant)) => product.constant = product.constant.saturating_mul(constant),
            _ => match self.binary(value, Binary::Multiply) {
                Some([left, right]) if depth > 0 && product.factors.len() < MOST_SUMMANDS => {
                    self.multiply(left, product, depth.min(MOST_FACTORS) - 1);
                    self.multiply(right, product, depth.min(MOST_FACTORS) - 1);
                }
                _ => product.factors.push(value),
            },
        }
    }

    /// Whether `size` is at least the size of a slice, wherever `view` is executed. The arena has it a number of `times`.
    fn is_large_enough(
        &mut self,
        size: Val<'c>,
        view: Op<'c>,
        need: &Product<'c>,
        times: u64,
        depth: usize,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some((inner, _)) = self.rounded(size) {
            return self.is_large_enough(inner, view, need, times, depth - 1);
        }
        let sizes = self.max_operands(size);
        if sizes.len() > 1 {
            return sizes
                .into_iter()
                .any(|size| self.is_large_enough(size, view, need, times, depth - 1));
        }
        match self.semantics.computes(size) {
            Some(Computes::Binary(Binary::Min(Sign::Signed), [a, b])) => {
                let most = self.constant(b).and_then(|most| u64::try_from(most).ok());
                let is_beyond =
                    most.is_some_and(|most| most.saturating_mul(times) >= BEYOND_MEMORY);
                return is_beyond && self.is_large_enough(a, view, need, times, depth - 1);
            }
            Some(Computes::Select([condition, yes, no])) => {
                match self.known_condition(condition, view) {
                    Some(KnownCondition::Contradiction) => return true,
                    Some(KnownCondition::True) => {
                        return self.is_large_enough(yes, view, need, times, depth - 1);
                    }
                    Some(KnownCondition::False) => {
                        return self.is_large_enough(no, view, need, times, depth - 1);
                    }
                    None => {}
                }
            }
            _ => {}
        }
        let mut product = Product {
            constant: 1,
            factors: Vec::new(),
        };
        self.multiply(size, &mut product, DEEPEST);
        product.is_at_least(need)
    }

    /// The value of a condition, if the regions around `view` decide it.
    fn known_condition(&mut self, condition: Val<'c>, view: Op<'c>) -> Option<KnownCondition> {
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
            if let Some(chosen) = self.condition_in_block(condition, op, block) {
                if known.is_some_and(|known| known != chosen) {
                    return Some(KnownCondition::Contradiction);
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
        known.map(|known| {
            if known {
                KnownCondition::True
            } else {
                KnownCondition::False
            }
        })
    }

    /// The value of a condition in a block, if the condition alone decides which region of `op` runs.
    fn condition_in_block(
        &mut self,
        condition: Val<'c>,
        op: Op<'c>,
        block: Block<'c>,
    ) -> Option<bool> {
        let choice = self.semantics.choice(op)?;
        if choice.by != Chosen::Truth || choice.flag != Some(condition) {
            return None;
        }
        let mut all = regions(op);
        let place = all.position(|region| blocks(region).any(|one| one == block))?;
        Some(place == 0)
    }

    /// Whether an operation is a loop whose body runs if and only if the first number is less than the second.
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

/// The slots, in the order of a chain, with their slices.
fn slots_of<'c>(slices: Vec<DynamicSlice<'c>>, most: &FxHashMap<Key, u64>) -> Vec<SlotSlices<'c>> {
    let mut slots: Vec<SlotSlices<'c>> = Vec::new();
    let mut all: Vec<(Sum<'c>, Option<Times<'c>>, DynamicSlice<'c>)> = slices
        .into_iter()
        .map(|placed| {
            let (start, inside) = placed.start.split(most);
            (start, inside, placed)
        })
        .collect();
    all.sort_by_key(|(start, ..)| (start.summands.len(), start.constant));
    for (start, inside, placed) in all {
        // Starts that are equal are next to each other, unless the sums form no chain.
        let is_same = slots.last().is_some_and(|slot| slot.start.equals(&start));
        if !is_same {
            slots.push(SlotSlices {
                start,
                unit: None,
                slices: Vec::new(),
            });
        }
        if let Some(slot) = slots.last_mut() {
            slot.unit = slot.unit.or(inside.map(|(unit, _)| unit));
            slot.slices.push((placed, inside));
        }
    }
    slots
}

impl<'c> Sum<'c> {
    fn equals(&self, other: &Self) -> bool {
        self.difference(other)
            .is_some_and(|difference| difference.constant == 0 && difference.summands.is_empty())
    }

    /// The difference to `next`; `None` if it lacks a summand of this sum.
    fn difference(&self, next: &Self) -> Option<Self> {
        let mut open: FxHashMap<Key, u64> = FxHashMap::default();
        for (part, times) in &self.summands {
            open.insert(part.key(), *times);
        }
        let mut step = Self {
            constant: next.constant.checked_sub(self.constant)?,
            summands: Vec::new(),
        };
        for (part, times) in &next.summands {
            let before = open.remove(&part.key()).unwrap_or(0);
            match times.checked_sub(before)? {
                0 => {}
                more => step.summands.push((*part, more)),
            }
        }
        open.is_empty().then_some(step)
    }

    /// Adds a value a number of times.
    fn add(&mut self, part: Val<'c>, times: u64) -> Result<(), Reason> {
        let known = self
            .summands
            .iter_mut()
            .find(|(other, _)| other.key() == part.key());
        match known {
            Some((_, known)) => {
                *known = known.checked_add(times).ok_or("its sum overflows")?;
            }
            None => self.summands.push((part, times)),
        }
        Ok(())
    }

    /// How many times a value is in the sum.
    fn times(&self, part: Val<'c>) -> u64 {
        let mut all = self.summands.iter();
        let found = all.find(|(other, _)| other.key() == part.key());
        found.map_or(0, |(_, times)| *times)
    }

    /// The sum without the one value that is in it fewer times than at most, and that value with its number; all of it
    /// if there is no such value, or several.
    fn split(&self, most: &FxHashMap<Key, u64>) -> (Self, Option<Times<'c>>) {
        let is_part = |(part, times): &&(Val<'c>, u64)| {
            most.get(&part.key()).is_some_and(|most| times < most)
        };
        let mut parts = self.summands.iter().filter(is_part);
        let (Some(inside), None) = (parts.next().copied(), parts.next()) else {
            return (self.clone(), None);
        };
        let mut start = self.clone();
        start
            .summands
            .retain(|(part, _)| part.key() != inside.0.key());
        (start, Some(inside))
    }
}

impl<'c> Product<'c> {
    /// Whether this product is at least `other`. Factors are dimensions, which are not negative.
    fn is_at_least(&self, other: &Self) -> bool {
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
        let mut product = self.constant;
        for factor in left {
            match values::lower_bound(factor).and_then(|least| u128::try_from(least).ok()) {
                Some(least) if least > 0 => product = product.saturating_mul(least),
                _ => return false,
            }
        }
        need <= product
    }
}
