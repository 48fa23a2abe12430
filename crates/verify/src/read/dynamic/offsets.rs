//! Offsets: which slices end before each of them.
//!
//! An offset is computed from others by sums, maxima and rounding up. So is the size of the arena. Of each such value
//! it is computed, from those that it is computed from, whether it is negative, and which slices have certainly
//! ended there:
//!
//! ```text
//! sum      what has ended at a summand, and slices that start at some summands if the rest is large enough for them
//! max      what has ended at one of both
//! select   what has ended at both; where the condition is that a size is not 0, slices that need that size may
//!          have ended at the first one only
//! round    what has ended at the operand
//! ```
//!
//! Where a condition selects one of several layouts, all is computed for each value of the condition.

use super::{
    DEEPEST, ProgramReader,
    places::{Need, Places},
    sums::{Sum, Times, Whole, gcd},
};
use fixedbitset::FixedBitSet;
use memplan_mlir::ir::{Identity, Key, Op, Origin, Val, is_before, origin, parent, parent_block};
use memplan_semantics::{
    Computes,
    arithmetic::{Binary, Sign},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// Conditions that select layouts: each doubles the work.
const MOST_CONDITIONS: usize = 3;

/// What is known of a value.
#[derive(Clone)]
pub(super) struct Offset {
    /// Whether it is never negative.
    pub is_non_negative: bool,
    /// A lower bound; 0 if none is known.
    pub least: i64,
    /// A number that it is a multiple of; 0 if it is 0.
    pub alignment: u64,
    /// The needs that have ended.
    pub ended: Rc<FixedBitSet>,
}

/// How a value is computed.
enum Shape<'c> {
    Sum(Sum<'c>),
    Largest([Val<'c>; 2]),
    /// With the power of two.
    Rounded(Val<'c>, u64),
    Select(Val<'c>, [Val<'c>; 2]),
    Size,
}

/// The offsets of an arena, for one value of each condition that selects a layout.
struct Layout<'c> {
    whole: Whole<'c>,
    /// Each start, and that as a sum of other starts and sizes.
    starts: Vec<(Val<'c>, Sum<'c>)>,
    /// For each summand, the starts whose sums begin with it.
    by_summand: FxHashMap<Key, SmallVec<[usize; 1]>>,
    /// The starts at constants.
    constant: Vec<usize>,
    /// How many times each size is in the size of the arena.
    most: FxHashMap<Key, u64>,
    /// What is known of each value.
    offsets: FxHashMap<Key, Offset>,
}

impl<'c> Layout<'c> {
    fn new(
        reader: &mut ProgramReader<'c, '_>,
        places: &Places<'c>,
        total: Val<'c>,
        conditions: Vec<(Val<'c>, bool)>,
    ) -> Self {
        let mut whole = places.whole.clone();
        whole.conditions = conditions;
        let starts = places.starts.iter();
        let values: Vec<Val<'c>> = starts.map(|one| reader.chosen(one.value, &whole)).collect();
        for value in &values {
            if reader.constant(*value).is_none() {
                whole.values.entry(value.key()).or_insert(*value);
            }
        }
        let mut layout = Self {
            most: reader.most_times(total, &whole),
            whole,
            starts: Vec::with_capacity(values.len()),
            by_summand: FxHashMap::default(),
            constant: Vec::new(),
            offsets: FxHashMap::default(),
        };
        for (number, value) in values.into_iter().enumerate() {
            let sum = reader.sum(value, &layout.whole);
            let sum = sum.unwrap_or_else(|_| Sum::of(value));
            match sum.summands.first() {
                Some((part, _)) => layout.begins_with(*part, number),
                None => layout.constant.push(number),
            }
            layout.begins_with(value, number);
            layout.starts.push((value, sum));
        }
        layout
    }

    fn begins_with(&mut self, part: Val<'c>, start: usize) {
        let starts = self.by_summand.entry(part.key()).or_default();
        if starts.last() != Some(&start) {
            starts.push(start);
        }
    }

    /// The starts with sums that begin with a summand.
    fn with_summand(&self, part: Val<'c>) -> &[usize] {
        self.by_summand.get(&part.key()).map_or(&[], |all| all)
    }

    fn of(&self, value: Val<'c>) -> Offset {
        self.offsets.get(&value.key()).cloned().unwrap_or_default()
    }
}

/// What is known of all starts, and of the size of the arena.
pub(super) struct Offsets {
    pub starts: Vec<Offset>,
    pub total: Offset,
    /// Whether the size of the arena may wrap around.
    pub may_wrap: bool,
}

impl<'c> ProgramReader<'c, '_> {
    /// Computes what is known of the starts of slices, and of the size of their arena, for each value of the conditions that
    /// select a layout.
    pub(super) fn offsets(
        &mut self,
        places: &Places<'c>,
        total: Val<'c>,
        arena: Op<'c>,
    ) -> Vec<Offsets> {
        // One that is computed later may be another one for slices that are there at once.
        let mut conditions = self.layout_conditions(places, total);
        conditions.retain(|condition| is_known_at(*condition, arena));
        let conditions = match conditions.len() {
            0..=MOST_CONDITIONS => conditions,
            _ => Vec::new(),
        };
        let mut all = Vec::new();
        for number in 0..1_u32 << conditions.len() {
            let values = conditions.iter().enumerate();
            let values = values.map(|(place, condition)| (*condition, number >> place & 1 == 1));
            all.push(self.offsets_if(places, total, values.collect()));
        }
        all
    }

    /// The conditions that select starts or the size of the arena.
    fn layout_conditions(&mut self, places: &Places<'c>, total: Val<'c>) -> Vec<Val<'c>> {
        let mut conditions: Vec<Val<'c>> = Vec::new();
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let starts = places.starts.iter().map(|start| start.value);
        let mut open: Vec<Val<'c>> = starts.chain([total]).collect();
        while let Some(value) = open.pop() {
            if seen.insert(value.key())
                && let Some(Computes::Select([condition, yes, no])) = self.semantics.computes(value)
                && self.nonempty_size(condition).is_none()
            {
                open.extend([yes, no]);
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
        }
        conditions
    }

    fn offsets_if(
        &mut self,
        places: &Places<'c>,
        total: Val<'c>,
        conditions: Vec<(Val<'c>, bool)>,
    ) -> Offsets {
        let mut layout = Layout::new(self, places, total, conditions);
        let total = self.chosen(total, &layout.whole);
        let values: Vec<Val<'c>> = layout.starts.iter().map(|(value, _)| *value).collect();
        for value in values.iter().copied().chain([total]) {
            self.visit(places, &mut layout, value);
        }
        Offsets {
            starts: values.iter().map(|value| layout.of(*value)).collect(),
            total: layout.of(total),
            may_wrap: self.may_wrap(total),
        }
    }

    /// Whether a maximum has a sum or a product that may wrap around.
    fn may_wrap(&mut self, value: Val<'c>) -> bool {
        let all = self.max_operands(value);
        all.into_iter().any(|one| {
            let by = match self.semantics.computes(one) {
                Some(Computes::Binary(by, _)) => Some(by),
                _ => None,
            };
            matches!(by, Some(Binary::Add | Binary::Multiply | Binary::And))
                && self.limit(one).is_none()
        })
    }

    /// Computes what is known of a value, after those that it is computed from.
    fn visit(&mut self, places: &Places<'c>, layout: &mut Layout<'c>, value: Val<'c>) {
        let mut open = vec![(value, None)];
        let mut begun: FxHashSet<Key> = FxHashSet::default();
        while let Some((value, shape)) = open.pop() {
            if layout.offsets.contains_key(&value.key()) {
                continue;
            }
            if let Some(shape) = shape {
                let offset = self.offset(places, layout, value, &shape);
                layout.offsets.insert(value.key(), offset);
                continue;
            }
            // In unreachable code, a value may be computed from itself.
            let shape = match begun.insert(value.key()) {
                true => self.shape(layout, value),
                false => Shape::Size,
            };
            let inner: SmallVec<[Val<'c>; 4]> = match &shape {
                Shape::Sum(sum) => sum.summands.iter().map(|(part, _)| *part).collect(),
                Shape::Largest(both) | Shape::Select(_, both) => both.iter().copied().collect(),
                Shape::Rounded(inner, _) => SmallVec::from_slice(&[*inner]),
                Shape::Size => SmallVec::new(),
            };
            open.push((value, Some(shape)));
            open.extend(inner.into_iter().map(|value| (value, None)));
        }
    }

    /// How many times each size is in the sum of an arena's size at most.
    fn most_times(&mut self, total: Val<'c>, whole: &Whole<'c>) -> FxHashMap<Key, u64> {
        let mut most: FxHashMap<Key, u64> = FxHashMap::default();
        let total = self.chosen(total, whole);
        for end in self.max_operands(total) {
            // What a condition may leave out does not count.
            let Ok(sum) = self.sum(end, whole) else {
                continue;
            };
            let mut summands = sum.summands.iter();
            let counts = sum.constant >= 0 && summands.all(|(part, _)| self.is_non_negative(*part));
            for (part, times) in sum.summands.iter().filter(|_| counts) {
                let known = most.entry(part.key()).or_default();
                *known = (*times).max(*known);
            }
        }
        most
    }

    fn shape(&mut self, layout: &Layout<'c>, value: Val<'c>) -> Shape<'c> {
        if let Some((inner, to)) = self.rounded(value) {
            return Shape::Rounded(self.chosen(inner, &layout.whole), to);
        }
        match self.semantics.computes(value) {
            Some(Computes::Binary(Binary::Max(Sign::Signed), both)) => {
                Shape::Largest(both.map(|value| self.chosen(value, &layout.whole)))
            }
            Some(Computes::Select([condition, yes, no])) => Shape::Select(condition, [yes, no]),
            _ => match self.sum(value, &layout.whole) {
                Ok(sum)
                    if sum
                        .summands
                        .iter()
                        .all(|(part, _)| part.key() != value.key()) =>
                {
                    Shape::Sum(sum)
                }
                _ => Shape::Size,
            },
        }
    }

    fn offset(
        &mut self,
        places: &Places<'c>,
        layout: &Layout<'c>,
        value: Val<'c>,
        shape: &Shape<'c>,
    ) -> Offset {
        match shape {
            Shape::Sum(sum) => self.sum_offset(places, layout, sum),
            Shape::Rounded(inner, to) => {
                let inner = layout.of(*inner);
                let least = inner.least;
                let rounded = u64::try_from(least).ok();
                let rounded = rounded.and_then(|least| least.checked_next_multiple_of(*to));
                Offset {
                    least: rounded
                        .and_then(|up| i64::try_from(up).ok())
                        .unwrap_or(least),
                    alignment: match inner.alignment.is_multiple_of(*to) {
                        true => inner.alignment,
                        false => *to,
                    },
                    ..inner
                }
            }
            Shape::Largest([one, other]) => {
                let (one, other) = (layout.of(*one), layout.of(*other));
                Offset {
                    is_non_negative: one.is_non_negative || other.is_non_negative,
                    least: one.least.max(other.least),
                    alignment: gcd(one.alignment, other.alignment),
                    ended: union(&one.ended, &other.ended),
                }
            }
            Shape::Select(condition, [yes, no]) => {
                let (yes, no) = (layout.of(*yes), layout.of(*no));
                let mut both = yes.clone().and(&no);
                // Of the size of a slice that is there under the same condition.
                self.end_at(
                    places,
                    layout,
                    &Sum::of(value),
                    Some(value),
                    &mut both.ended,
                );
                if let Some(size) = self.nonempty_size(*condition) {
                    let open: Vec<usize> = yes.ended.difference(&both.ended).collect();
                    for need in open {
                        let Need { op, bytes, .. } = &places.needs[need];
                        if self.is_large_enough(size, *op, bytes, [1, 1], DEEPEST) {
                            Rc::make_mut(&mut both.ended).insert(need);
                        }
                    }
                }
                both
            }
            Shape::Size => {
                let mut size = Offset {
                    is_non_negative: self.is_non_negative(value),
                    least: 0,
                    alignment: self.divisor(value, DEEPEST),
                    ended: Rc::default(),
                };
                self.end_at(
                    places,
                    layout,
                    &Sum::of(value),
                    Some(value),
                    &mut size.ended,
                );
                size
            }
        }
    }

    fn sum_offset(&mut self, places: &Places<'c>, layout: &Layout<'c>, sum: &Sum<'c>) -> Offset {
        let parts: Vec<(Times<'c>, Offset)> = sum
            .summands
            .iter()
            .map(|part| (*part, layout.of(part.0)))
            .collect();
        let mut all = Offset {
            is_non_negative: sum.constant >= 0
                && parts.iter().all(|(_, offset)| offset.is_non_negative),
            least: sum.constant,
            alignment: sum.constant.unsigned_abs(),
            ended: Rc::default(),
        };
        for ((_, times), offset) in &parts {
            let alignment = offset.alignment.checked_mul(*times).unwrap_or(*times);
            all.alignment = gcd(all.alignment, alignment);
            all.least = all.least.saturating_add(offset.least);
        }
        if all.is_non_negative {
            for (_, offset) in &parts {
                all.ended = union(&all.ended, &offset.ended);
            }
        } else {
            all.least = 0;
        }
        let mut open = parts.iter().filter(|(_, offset)| !offset.is_non_negative);
        match (open.next(), open.next()) {
            _ if sum.constant < 0 => {}
            (None, _) => self.end_at(places, layout, sum, None, &mut all.ended),
            (Some(((part, _), _)), None) => {
                self.end_at(places, layout, sum, Some(*part), &mut all.ended)
            }
            _ => {}
        }
        all
    }

    /// Adds the needs of slices that start before a sum and end there. Its only summand that may be negative is `open`: that has
    /// to be what is large enough.
    fn end_at(
        &mut self,
        places: &Places<'c>,
        layout: &Layout<'c>,
        sum: &Sum<'c>,
        open: Option<Val<'c>>,
        all: &mut Rc<FixedBitSet>,
    ) {
        let mut starts: SmallVec<[(usize, Option<Sum<'c>>); 8]> = SmallVec::new();
        for (part, _) in &sum.summands {
            for start in layout.with_summand(*part) {
                let (value, own) = &layout.starts[*start];
                let alone = Sum::of(*value).difference(sum);
                starts.push((*start, alone.or_else(|| own.difference(sum))));
            }
        }
        for start in &layout.constant {
            starts.push((*start, layout.starts[*start].1.difference(sum)));
        }
        for (start, step) in starts {
            let Some(step) = step.filter(|step| step.constant >= 0) else {
                continue;
            };
            for need in &places.starts[start].needs {
                if !all.contains(*need) && self.holds(places, layout, *need, &step, sum, open) {
                    let ended = Rc::make_mut(all);
                    ended.grow(places.needs.len());
                    ended.insert(*need);
                }
            }
        }
    }

    /// Whether `step` is large enough for what slices need; `sum` has it. Only `open` may be negative.
    fn holds(
        &mut self,
        places: &Places<'c>,
        layout: &Layout<'c>,
        need: usize,
        step: &Sum<'c>,
        sum: &Sum<'c>,
        open: Option<Val<'c>>,
    ) -> bool {
        let Need { op, bytes, most } = &places.needs[need];
        let most = match bytes.constant == 0 || bytes.factors.is_empty() {
            true => Some(bytes.constant),
            false => most.map(u128::from),
        };
        // What is added is never less than this.
        let least = step
            .summands
            .iter()
            .fold(step.constant, |sum, (part, times)| {
                let times = i64::try_from(*times).unwrap_or(0);
                sum.saturating_add(layout.of(*part).least.saturating_mul(times))
            });
        let fits = |most| u128::try_from(least).is_ok_and(|least| most <= least);
        if open.is_none() && most.is_some_and(fits) {
            return true;
        }
        step.summands.iter().any(|(part, times)| {
            // All of the arena counts where a size is limited.
            let most = layout.most.get(&part.key()).copied().unwrap_or(0);
            let most = most.max(sum.times(*part));
            if open.is_some_and(|open| open != *part) {
                return false;
            }
            let key = (part.key(), need, [*times, most]);
            let known = places.large_enough.borrow().get(&key).copied();
            known.unwrap_or_else(|| {
                let holds = self.is_large_enough(*part, *op, bytes, [*times, most], DEEPEST);
                places.large_enough.borrow_mut().insert(key, holds);
                holds
            })
        })
    }
}

impl Default for Offset {
    /// Nothing is known.
    fn default() -> Self {
        Self {
            is_non_negative: false,
            least: 0,
            alignment: 1,
            ended: Rc::default(),
        }
    }
}

impl Offset {
    /// What holds of both.
    fn and(mut self, other: &Self) -> Self {
        if !Rc::ptr_eq(&self.ended, &other.ended) {
            Rc::make_mut(&mut self.ended).intersect_with(&other.ended);
        }
        Self {
            is_non_negative: self.is_non_negative && other.is_non_negative,
            least: self.least.min(other.least),
            alignment: gcd(self.alignment, other.alignment),
            ended: self.ended,
        }
    }
}

/// Whether a value has been computed where an operation executes, and stays the same until that executes again.
fn is_known_at(value: Val<'_>, op: Op<'_>) -> bool {
    let (block, by) = match origin(value) {
        Some(Origin::Argument(block, _)) => (Some(block), None),
        Some(Origin::Result(by, _)) => (parent_block(by), Some(by)),
        None => return false,
    };
    let mut at = Some(op);
    while let Some(around) = at {
        if parent_block(around) == block {
            return by.is_none_or(|by| is_before(by, around));
        }
        at = parent(around);
    }
    false
}

fn union(one: &Rc<FixedBitSet>, other: &Rc<FixedBitSet>) -> Rc<FixedBitSet> {
    if one.is_superset(other) {
        return Rc::clone(one);
    }
    if other.is_superset(one) {
        return Rc::clone(other);
    }
    let mut both = one.as_ref().clone();
    both.grow(other.len());
    both.union_with(other);
    Rc::new(both)
}
