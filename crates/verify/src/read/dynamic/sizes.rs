//! Sizes of slots: which are large enough for a slice.
//!
//! A size is large enough for a slice if it is
//!
//! * a product whose factors are at least those of the slice's size, pairwise: the same values, or values whose
//!   bounds prove it;
//! * a `max` with an operand that is large enough, or a `min` with a constant larger than any memory;
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
    values,
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
/// The number of factors of a size up to which products are followed.
const MOST_FACTORS: usize = 64;

/// A constant times values.
#[derive(Clone)]
pub(super) struct Product<'c> {
    pub constant: u128,
    pub factors: Vec<Val<'c>>,
}

/// The known value of a condition at an operation.
enum KnownCondition {
    True,
    False,
    /// Both values at once: the operation is unreachable.
    Contradiction,
}

impl<'c> ProgramReader<'c, '_> {
    /// The operands value and a of `(value + a - 1) & -a`.
    pub(super) fn rounded(&mut self, value: Val<'c>) -> Option<Times<'c>> {
        let [sum, mask] = self.binary(value, Binary::And)?;
        let to = self.constant(mask)?.checked_neg().filter(|to| *to > 0)?;
        let [inner, more] = self.binary(sum, Binary::Add)?;
        let fits = (to as u64).is_power_of_two() && self.constant(more) == Some(to - 1);
        fits.then_some((inner, to as u64))
    }

    /// Whether a value is never negative.
    pub(super) fn is_non_negative(&mut self, value: Val<'c>, depth: usize) -> bool {
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

    /// A number that a size is a multiple of; 0 if it is 0.
    pub(super) fn divisor(&mut self, size: Val<'c>, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        if let Some((inner, to)) = self.rounded(size) {
            let inner = self.divisor(inner, depth - 1);
            return if inner.is_multiple_of(to) { inner } else { to };
        }
        match self.semantics.computes(size) {
            Some(
                Computes::Binary(Binary::Min(Sign::Signed) | Binary::Max(Sign::Signed), [a, b])
                | Computes::Select([_, a, b]),
            ) => gcd(self.divisor(a, depth - 1), self.divisor(b, depth - 1)),
            _ => {
                let mut product = Product {
                    constant: 1,
                    factors: Vec::new(),
                };
                self.multiply(size, &mut product, DEEPEST);
                u64::try_from(product.constant).unwrap_or(1)
            }
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

    pub(super) fn multiply(&mut self, value: Val<'c>, product: &mut Product<'c>, depth: usize) {
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
    pub(super) fn is_large_enough(
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
        // The program may compute a dimension by the same operations.
        if let [factor] = need.factors.as_slice()
            && need.constant <= 1
            && self.max_values(size).iter().any(|value| value == factor)
        {
            return true;
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
        // A product with a larger constant overflows for sizes that a memory has.
        product.constant <= u128::from(BEYOND_MEMORY) && product.is_at_least(need)
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
