//! Sizes of slots: which are large enough for a slice.
//!
//! A size is large enough for a slice if it is
//!
//! * a product whose factors are at least those of the slice's size, pairwise: the same values, or values whose
//!   bounds prove it. It is one that cannot wrap around: of factors with limits, or one that is the largest number where it
//!   has more bits. A limit has to make the arena larger than any memory;
//! * a `max` with an operand that is large enough, or a `min` with such a limit;
//! * a `select` whose condition is that of an `scf.if` around the view, or the test whether an `scf.for` around it
//!   runs, if the operand selected there is large enough.

use super::{
    DEEPEST, MOST_SUMMANDS, ProgramReader,
    sums::{Times, gcd},
};
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, blocks, origin, parent_block, regions,
        type_of,
    },
    layout::dynamic_dimension_index,
};
use memplan_semantics::{
    Computes, Loop,
    arithmetic::{Binary, Predicate, Sign},
    control::Chosen,
    loops::Bound,
};
use rustc_hash::FxHashSet;

/// A size in bytes that no memory has.
pub(in super::super) const BEYOND_MEMORY: u64 = 1 << 48;
/// The least limit of a number of elements: smaller ones are those of the program itself.
const LEAST_LIMIT: u128 = 1 << 20;
/// The number of factors of a size up to which products are followed.
const MOST_FACTORS: usize = 64;

/// A constant times values.
#[derive(Clone)]
pub(super) struct Product<'c> {
    pub constant: u128,
    pub factors: Vec<Val<'c>>,
}

/// The least of a product and a limit.
struct Saturating<'c> {
    product: Product<'c>,
    limit: u128,
}

/// The known value of a condition at an operation.
enum KnownCondition {
    True,
    False,
    /// Both values at once: the operation is unreachable.
    Contradiction,
}

impl<'c> ProgramReader<'c, '_> {
    /// The operands value and a of `(value + a - 1) & -a`, which does not wrap around.
    pub(super) fn rounded(&mut self, value: Val<'c>) -> Option<Times<'c>> {
        let [sum, mask] = self.binary(value, Binary::And)?;
        let to = self.constant(mask)?.checked_neg().filter(|to| *to > 0)?;
        let [inner, more] = self.binary(sum, Binary::Add)?;
        self.limit(sum)?;
        let fits = (to as u64).is_power_of_two() && self.constant(more) == Some(to - 1);
        fits.then_some((inner, to as u64))
    }

    /// A number that a size is a multiple of; 0 if it is 0.
    pub(super) fn divisor(&mut self, size: Val<'c>, depth: usize) -> u64 {
        let Some(depth) = depth.checked_sub(1) else {
            return 1;
        };
        if let Some((inner, to)) = self.rounded(size) {
            let inner = self.divisor(inner, depth);
            return if inner.is_multiple_of(to) { inner } else { to };
        }
        let size = self.same(size);
        match self.semantics.computes(size) {
            Some(Computes::Constant(constant)) => constant.unsigned_abs(),
            Some(
                Computes::Binary(Binary::Min(_) | Binary::Max(_), [a, b])
                | Computes::Select([_, a, b]),
            ) => gcd(self.divisor(a, depth), self.divisor(b, depth)),
            Some(Computes::Binary(Binary::Multiply, [a, b])) if self.limit(size).is_some() => {
                let (a, b) = (self.divisor(a, depth), self.divisor(b, depth));
                a.checked_mul(b).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// The operands of nested maxima, in any nesting; the value alone if it is no maximum.
    pub(super) fn max_operands(&mut self, value: Val<'c>) -> Vec<Val<'c>> {
        let mut all = self.max_values(value);
        all.retain(|value| self.binary(*value, Binary::Max(Sign::Signed)).is_none());
        all
    }

    /// The same with the maxima themselves.
    fn max_values(&mut self, value: Val<'c>) -> Vec<Val<'c>> {
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let (mut open, mut all) = (vec![value], Vec::new());
        while let Some(value) = open.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            // Visits the first operand first.
            if let Some([one, other]) = self.binary(value, Binary::Max(Sign::Signed)) {
                open.extend([other, one]);
            }
            all.push(value);
        }
        all
    }

    /// The size in a condition `0 < size`.
    pub(super) fn nonempty_size(&mut self, condition: Val<'c>) -> Option<Val<'c>> {
        let (less, size) = match self.semantics.computes(condition)? {
            Computes::Compare(Predicate::Less(Sign::Signed), [left, right]) => (left, right),
            Computes::Compare(Predicate::Greater(Sign::Signed), [left, right]) => (right, left),
            _ => return None,
        };
        (self.constant(less) == Some(0)).then_some(size)
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

    /// The number that a number is: without casts, without constants that add up to 0, and instead of a dimension of a view,
    /// the operand of that.
    fn same(&mut self, mut value: Val<'c>) -> Val<'c> {
        for _ in 0..DEEPEST {
            value = self.semantics.same_number(value);
            match self
                .dimension_operand(value)
                .or_else(|| self.without_zero(value))
            {
                Some(operand) => value = operand,
                None => break,
            }
        }
        value
    }

    /// The number to which constants are added that add up to 0, as in `n + 2 - 3 + 1`.
    fn without_zero(&mut self, mut value: Val<'c>) -> Option<Val<'c>> {
        // What wraps around is added back. Sums with 0 are as they are: offsets and sizes are compared by them.
        let (mut added, mut is_sum) = (0_i64, false);
        for _ in 0..DEEPEST {
            let (number, constant) = match self.semantics.computes(value)? {
                Computes::Binary(Binary::Add, [one, other]) => match self.constant(other) {
                    Some(constant) => (one, constant),
                    None => (other, self.constant(one)?),
                },
                Computes::Binary(Binary::Subtract, [one, other]) => {
                    (one, self.constant(other)?.wrapping_neg())
                }
                _ => return None,
            };
            added = added.wrapping_add(constant);
            // Not through casts: of fewer bits, more wraps around.
            value = number;
            is_sum |= added != 0;
            if is_sum && added == 0 {
                return Some(value);
            }
        }
        None
    }

    /// What a number is, if nothing relates it to other such ones: an argument of the function, or a dynamic dimension of one.
    fn given(&mut self, value: Val<'c>) -> Option<(Key, Option<usize>)> {
        let function = self.function.key();
        let is_argument = |value: Val<'c>| match origin(value) {
            Some(Origin::Argument(block, _)) => {
                block_parent(block).is_some_and(|op| op.key() == function)
            }
            _ => false,
        };
        if is_argument(value) {
            return Some((value.key(), None));
        }
        let Computes::Dimension([memref, index]) = self.semantics.computes(value)? else {
            return None;
        };
        if !is_argument(memref) {
            return None;
        }
        let dimension = usize::try_from(self.constant(index)?).ok()?;
        dynamic_dimension_index(type_of(memref), dimension)?;
        Some((memref.key(), Some(dimension)))
    }

    /// Whether two numbers have one value, by MLIR's value bounds. These are not asked of what the function is given: that takes long.
    fn are_equal(&mut self, one: Val<'c>, other: Val<'c>) -> bool {
        match (self.given(one), self.given(other)) {
            (Some(one), Some(other)) => one == other,
            _ => self.semantics.are_equal(one, other),
        }
    }

    /// Whether a number is at most another one, as [`Self::are_equal`].
    fn is_at_most(&mut self, one: Val<'c>, other: Val<'c>) -> bool {
        match (self.given(one), self.given(other)) {
            (Some(one), Some(other)) => one == other,
            _ => self.semantics.is_at_most(one, other),
        }
    }

    /// Multiplies what a slice needs by a size.
    pub(super) fn need_factor(&mut self, size: Val<'c>, need: &mut Product<'c>) {
        let size = self.same(size);
        match self.constant(size).map(u128::try_from) {
            Some(Ok(constant)) => need.constant = need.constant.saturating_mul(constant),
            _ => need.factors.push(size),
        }
    }

    /// The product that a size is at least, unless that is larger than a limit: then it is at least the limit. Numbers have no
    /// sign. What may wrap around is one factor.
    fn saturating(&mut self, size: Val<'c>, depth: usize) -> Saturating<'c> {
        let size = self.same(size);
        let alone = Saturating {
            product: Product {
                constant: 1,
                factors: vec![size],
            },
            limit: u128::MAX,
        };
        let Some(depth) = depth.checked_sub(1) else {
            return alone;
        };
        if let Some(both) = self.semantics.saturating_product(size) {
            let [one, other] = both.map(|one| self.saturating(one, depth.min(MOST_FACTORS)));
            let most = u128::from(u64::MAX);
            return one.times(other).at_most(most);
        }
        match self.semantics.computes(size) {
            Some(Computes::Constant(constant)) => match u128::try_from(constant) {
                Ok(constant) => Saturating {
                    product: Product {
                        constant,
                        factors: Vec::new(),
                    },
                    limit: u128::MAX,
                },
                Err(_) => alone,
            },
            Some(Computes::Binary(Binary::Min(sign), [value, limit]))
                if sign == Sign::Unsigned || self.is_non_negative(value) =>
            {
                match self
                    .constant(limit)
                    .and_then(|limit| u128::try_from(limit).ok())
                {
                    Some(limit) if limit >= LEAST_LIMIT => {
                        self.saturating(value, depth).at_most(limit)
                    }
                    _ => alone,
                }
            }
            Some(Computes::Binary(Binary::Multiply, both)) if self.limit(size).is_some() => {
                let [one, other] = both.map(|one| self.saturating(one, depth.min(MOST_FACTORS)));
                one.times(other)
            }
            _ => alone,
        }
    }

    /// Whether `many` of a size are at least the size of a slice, wherever `view` is executed. The arena has it a number of `times`.
    pub(super) fn is_large_enough(
        &mut self,
        size: Val<'c>,
        view: Op<'c>,
        need: &Product<'c>,
        [many, times]: [u64; 2],
        depth: usize,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        // The program may compute a dimension by the same operations.
        if let [factor] = need.factors.as_slice()
            && need.constant <= u128::from(many)
            && self.max_values(size).iter().any(|value| value == factor)
        {
            return true;
        }
        if let Some((inner, _)) = self.rounded(size) {
            return self.is_large_enough(inner, view, need, [many, times], depth - 1);
        }
        let sizes = self.max_operands(size);
        if sizes.len() > 1 {
            return sizes
                .into_iter()
                .any(|size| self.is_large_enough(size, view, need, [many, times], depth - 1));
        }
        match self.semantics.computes(size) {
            Some(Computes::Binary(Binary::Min(_), [a, b])) => {
                let most = self.constant(b).and_then(|most| u64::try_from(most).ok());
                let is_beyond =
                    most.is_some_and(|most| most.saturating_mul(times) >= BEYOND_MEMORY);
                if is_beyond && self.is_large_enough(a, view, need, [many, times], depth - 1) {
                    return true;
                }
            }
            Some(Computes::Select([condition, yes, no])) => {
                match self.known_condition(condition, view) {
                    Some(KnownCondition::Contradiction) => return true,
                    Some(KnownCondition::True) => {
                        return self.is_large_enough(yes, view, need, [many, times], depth - 1);
                    }
                    Some(KnownCondition::False) => {
                        return self.is_large_enough(no, view, need, [many, times], depth - 1);
                    }
                    None => {}
                }
            }
            _ => {}
        }
        let mut size = self.saturating(size, DEEPEST);
        size.product.constant = size.product.constant.saturating_mul(many.into());
        size.limit.saturating_mul(u128::from(times)) >= u128::from(BEYOND_MEMORY)
            && self.is_at_least(&size.product, need)
    }

    /// Whether a product is at least what a slice needs. Factors of the former have no sign; no slice has a size that is negative.
    fn is_at_least(&mut self, size: &Product<'c>, need: &Product<'c>) -> bool {
        let mut left = size.factors.clone();
        let mut needed = need.constant;
        let whole = need.factors.iter().map(|factor| (*factor, true));
        let mut all: Vec<(Val<'c>, bool)> = whole.collect();
        let mut open = Vec::new();
        while let Some((factor, is_whole)) = all.pop() {
            let factor = self.same(factor);
            if let Some(same) = left.iter().position(|one| one.key() == factor.key()) {
                left.swap_remove(same);
            } else if let Some(constant) = self.constant(factor).filter(|one| *one >= 0) {
                needed = needed.saturating_mul(constant.unsigned_abs().into());
            } else if let Some(product) = self.semantics.product(factor)
                && all.len() < MOST_SUMMANDS
            {
                // Without a sign, a product that wraps around is less than one that does not.
                needed = needed.saturating_mul(product.constant.into());
                all.extend(product.factors.into_iter().map(|one| (one, false)));
            } else {
                open.push((factor, is_whole));
            }
        }
        for (factor, is_whole) in open {
            let mut others = left.iter();
            if let Some(equal) = others.position(|one| self.are_equal(factor, *one)) {
                left.swap_remove(equal);
                continue;
            }
            // The product of two negative numbers is a size.
            if !is_whole && !self.is_non_negative(factor) {
                return false;
            }
            let mut others = left.iter();
            if let Some(larger) = others.position(|one| self.is_at_most(factor, *one)) {
                left.swap_remove(larger);
            } else if let Some(most) = self
                .semantics
                .most(factor)
                .and_then(|most| u128::try_from(most).ok())
            {
                needed = needed.saturating_mul(most);
            } else {
                return false;
            }
        }
        let mut product = size.constant;
        for factor in left {
            match self
                .semantics
                .least(factor)
                .and_then(|least| u128::try_from(least).ok())
            {
                Some(least) if least > 0 => product = product.saturating_mul(least),
                _ => return false,
            }
        }
        // No memory has more.
        needed.min(u128::from(BEYOND_MEMORY)) <= product
    }

    /// The value of a condition, if the regions around `view` decide it.
    fn known_condition(&mut self, condition: Val<'c>, view: Op<'c>) -> Option<KnownCondition> {
        let test = match self.semantics.computes(condition) {
            Some(Computes::Compare(Predicate::Less(sign), of)) => Some((sign, of)),
            Some(Computes::Compare(Predicate::Greater(sign), [left, right])) => {
                Some((sign, [right, left]))
            }
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

impl Saturating<'_> {
    /// The product of both.
    fn times(mut self, other: Self) -> Self {
        // One that is at its limit is multiplied by at least 1, or the product is 0.
        let least = |one: &Self| match one.product.factors.is_empty() {
            true => one.product.constant.max(1),
            false => 1,
        };
        let limits = [
            self.limit.saturating_mul(least(&other)),
            other.limit.saturating_mul(least(&self)),
        ];
        self.product.constant = self.product.constant.saturating_mul(other.product.constant);
        self.product.factors.extend(other.product.factors);
        Self {
            limit: limits[0].min(limits[1]),
            ..self
        }
    }

    fn at_most(self, limit: u128) -> Self {
        Self {
            limit: self.limit.min(limit),
            ..self
        }
    }
}
