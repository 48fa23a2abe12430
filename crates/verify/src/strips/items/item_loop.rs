//! The loop: its numbers, and its slices of one item.

use super::{Result, not_followed};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{
        Block, Identity, Key, Op, Origin, Val, ancestor_in, block_parent, operands, origin,
        results, type_of, users,
    },
    layout::static_dimension,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Form, Loop, Number, Semantics, TracedNumber, ViewStep, attributes::BUFFER, loops::Bound,
};
use rustc_hash::FxHashMap;

/// A loop over items.
pub struct ItemLoop<'c> {
    pub op: Op<'c>,
    pub body: Block<'c>,
    /// The number of iterations.
    count: TracedNumber<'c>,
    /// For each slice of one item, the memory, and its dimension of items.
    pub slices: FxHashMap<Key, (Val<'c>, usize)>,
}

/// Reads a loop over items.
pub fn read<'c>(op: Op<'c>, semantics: &mut Semantics) -> Result<'c, ItemLoop<'c>> {
    let counts = Loop::of(op, semantics).filter(|counts| counts.carried.is_empty());
    let dimension = counts.as_ref().and_then(|counts| counts.only_dimension());
    let body = counts.as_ref().and_then(Loop::body);
    let is_counted = semantics.form(op) == Form::Counted && results(op).next().is_none();
    let (Some(dimension), Some(body), true) = (dimension, body, is_counted) else {
        return not_followed(op, "a loop over items is not followed");
    };
    let mut number = |bound: &Bound<'c>| match bound {
        Bound::Constant(number) => Some(TracedNumber::Constant(*number)),
        Bound::Value(value) => Some(semantics.traced(*value)),
        Bound::Map { .. } => None,
    };
    let bounds = [&dimension.lower, &dimension.upper, &dimension.step].map(&mut number);
    let [
        Some(TracedNumber::Constant(0)),
        Some(count),
        Some(TracedNumber::Constant(1)),
    ] = bounds
    else {
        return not_followed(op, "a loop over items does not count from 0 by 1");
    };
    let mut items = ItemLoop {
        op,
        body,
        count,
        slices: FxHashMap::default(),
    };
    for user in users(dimension.induction) {
        let slice = items.slice(user, dimension.induction, semantics);
        let (Some(slice), Some(result)) = (slice, results(user).next()) else {
            return not_followed(
                user,
                "the number of an item is used otherwise than for a slice of that item",
            );
        };
        items.slices.insert(result.key(), slice);
    }
    Ok(items)
}

impl<'c> ItemLoop<'c> {
    /// The memory of which an operation sees all of the item of this number, and the dimension of items.
    fn slice(
        &self,
        op: Op<'c>,
        number: Val<'c>,
        semantics: &mut Semantics,
    ) -> Option<(Val<'c>, usize)> {
        let Some(ViewStep::Slice(slice)) = semantics.view_step(op) else {
            return None;
        };
        let source = operands(op).next()?;
        let is_kept = !dropped_dimensions(op, slice.sizes.len())?.contains(&true);
        let mut dimension = None;
        for at in 0..slice.sizes.len() {
            let size = static_dimension(type_of(source), at as i64);
            let is_number = matches!(slice.offsets[at], Number::Value(value) if value == number);
            let mut constant = |given: Number<'c>| match given {
                Number::Constant(number) => Some(number),
                Number::Value(value) => semantics.constant(value),
            };
            // One item, and all of the other dimensions.
            let expected = match size {
                None if is_number && dimension.replace(at).is_none() => 1,
                Some(size) if constant(slice.offsets[at]) == Some(0) => size,
                _ => return None,
            };
            let [size, stride] = [slice.sizes[at], slice.strides[at]].map(constant);
            if (size, stride) != (Some(expected), Some(1)) {
                return None;
            }
        }
        let is_outside = is_kept && !self.defines(source);
        dimension
            .filter(|_| is_outside)
            .map(|dimension| (source, dimension))
    }

    /// Whether an operation is in the loop.
    pub fn contains(&self, op: Op<'c>) -> bool {
        ancestor_in(op, self.body).is_some()
    }

    /// Whether a value is defined in the loop.
    pub fn defines(&self, value: Val<'c>) -> bool {
        match origin(value) {
            Some(Origin::Result(op, _)) => self.contains(op),
            Some(Origin::Argument(block, _)) => {
                let around = block_parent(block);
                block == self.body || around.is_some_and(|op| self.contains(op))
            }
            None => true,
        }
    }

    /// Whether memory is for one iteration alone.
    pub fn is_private(&self, root: Val<'c>, semantics: &mut Semantics) -> bool {
        let Some(Origin::Result(op, 0)) = origin(root) else {
            return false;
        };
        is_new(op, semantics)
            && users(root).all(|user| self.contains(user) || semantics.is_deallocation(user))
    }

    /// Whether memory has as many items as the loop has iterations.
    pub fn has_all(
        &self,
        (memory, dimension): (Val<'c>, usize),
        semantics: &mut Semantics,
    ) -> bool {
        let size = semantics.traced_dimension(memory, dimension as i64);
        let own = factors(size, semantics);
        size == self.count || (own.is_some() && own == factors(self.count, semantics))
    }
}

/// A number as a constant times other numbers, each as often as it is there: values, or dimensions of memrefs.
type Factors = (u64, FxHashMap<(Key, Option<i64>), usize>);

/// Most factors.
const MOST_FACTORS: usize = 16;

/// The factors of a number; `None` if they are not known.
fn factors(number: TracedNumber<'_>, semantics: &mut Semantics) -> Option<Factors> {
    let mut found: Factors = (1, FxHashMap::default());
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        match number {
            TracedNumber::Constant(constant) => {
                found.0 = found.0.checked_mul(u64::try_from(constant).ok()?)?;
            }
            TracedNumber::Dimension(memref, at) => {
                *found.1.entry((memref.key(), Some(at))).or_default() += 1;
            }
            TracedNumber::Value(value) => match semantics.product(value) {
                Some(product) => {
                    found.0 = found.0.checked_mul(product.constant)?;
                    for factor in product.factors {
                        open.push(semantics.traced(factor));
                    }
                }
                None => *found.1.entry((value.key(), None)).or_default() += 1,
            },
        }
        if open.len() + found.1.len() > MOST_FACTORS {
            return None;
        }
    }
    Some(found)
}

/// Whether an operation allocates memory, or a part of an arena.
pub fn is_new(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let is_slice = op.has_attribute(BUFFER) && semantics.byte_view(op).is_some();
    is_slice || semantics.of(op).plain_allocation().is_some()
}

/// The memory that a value is a view of.
pub fn base<'c>(value: Val<'c>, semantics: &mut Semantics) -> Val<'c> {
    let mut at = value;
    while let Some(Origin::Result(op, 0)) = origin(at) {
        let is_view = !is_new(op, semantics) && semantics.view_step(op).is_some();
        let Some(source) = operands(op).next().filter(|_| is_view) else {
            break;
        };
        at = source;
    }
    at
}
