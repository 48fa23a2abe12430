//! Upper bounds of numbers: what the program says of its arguments, and what follows from it.
//!
//! An argument has [`BOUNDS`]: the least and the largest value of each of its dynamic dimensions, or of itself, if it is a
//! number. An assertion that is executed before says the same of any number. Sums, products and other computations of bounded
//! numbers are bounded, where they cannot wrap around. (MLIR's value bounds are not asked: these assume that nothing does.)

use crate::{
    arithmetic::{Binary, Cast, Computes, Predicate, Rounding, Sign},
    attributes::{ARENA, BOUNDS},
    semantics::Semantics,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{
        Block, Identity, Key, Op, Origin, Val, ancestor_in, arguments, blocks, is_before,
        is_memref, operands, ops, origin, parent_block, regions, type_of,
    },
    layout::{dynamic_dimension_index, dynamic_dimensions},
    melior::ir::attribute::{ArrayAttribute, IntegerAttribute},
    symbols, values,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest depth of computations that are followed.
const DEEPEST: usize = 32;

/// The largest bound: sums and products of larger ones say nothing.
pub const LARGEST: i64 = 1 << 40;

/// The largest value of a number without a bound.
pub const NONE: i64 = i64::MAX;

/// The least and the largest value of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least one.
    pub least: i64,
    /// The largest one.
    pub most: i64,
}

/// A dynamic dimension of an argument of a function, or a number that is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The number of the argument.
    pub argument: usize,
    /// The dimension; `None` for the argument itself.
    pub dimension: Option<usize>,
}

/// Why [`BOUNDS`] of an argument cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoundsError {
    /// Not an array of pairs of numbers.
    #[error("`memplan.bounds` of argument {0} is not a list of pairs `[least, most]`")]
    Form(usize),
    /// Not one pair for each dimension.
    #[error(
        "`memplan.bounds` of argument {argument} has {found} pairs, but the argument has {wanted} dynamic dimensions"
    )]
    Count {
        /// The number of the argument.
        argument: usize,
        /// Pairs.
        found: usize,
        /// Dynamic dimensions.
        wanted: usize,
    },
    /// The type of the argument does not have these numbers.
    #[error("`memplan.bounds` of argument {0} has {1}, but the largest bound of its type is {2}")]
    Large(usize, i64, i64),
    /// No value is within a pair.
    #[error(
        "`memplan.bounds` of argument {0} has the pair [{1}, {2}]: it has to be 0 <= least <= most"
    )]
    Empty(usize, i64, i64),
    /// The argument has no dimensions.
    #[error("`memplan.bounds` is on argument {0}, which is neither a memref nor a number")]
    Type(usize),
}

/// The dynamic dimensions of the memrefs among a function's arguments, in order: d0, d1, and so on. An arena that the function
/// receives has none.
pub fn dimensions(function: Op<'_>) -> Vec<Dimension> {
    let mut all = Vec::new();
    for (argument, value) in entry(function).into_iter().flat_map(arguments).enumerate() {
        let dynamic = dynamic_dimensions(type_of(value));
        if !dynamic.is_empty() && symbols::argument_attribute(function, argument, ARENA).is_some() {
            continue;
        }
        for dimension in dynamic {
            all.push(Dimension {
                argument,
                dimension: Some(dimension),
            });
        }
    }
    all
}

/// The bounds that a function's arguments have, in order.
pub fn given(function: Op<'_>) -> Result<Vec<(Dimension, Range)>, BoundsError> {
    let mut all = Vec::new();
    for (argument, value) in entry(function).into_iter().flat_map(arguments).enumerate() {
        let Some(attribute) = symbols::argument_attribute(function, argument, BOUNDS) else {
            continue;
        };
        let pairs = pairs(attribute).ok_or(BoundsError::Form(argument))?;
        let r#type = type_of(value);
        let dimensions: Vec<Option<usize>> = if is_memref(r#type) {
            dynamic_dimensions(r#type).into_iter().map(Some).collect()
        } else if integer_width(r#type).is_some() {
            vec![None]
        } else {
            return Err(BoundsError::Type(argument));
        };
        if dimensions.len() != pairs.len() {
            return Err(BoundsError::Count {
                argument,
                found: pairs.len(),
                wanted: dimensions.len(),
            });
        }
        for (dimension, range) in dimensions.into_iter().zip(pairs) {
            if range.least < 0 || range.least > range.most {
                return Err(BoundsError::Empty(argument, range.least, range.most));
            }
            let largest = match integer_width(r#type) {
                _ if range.most == NONE => NONE,
                Some(bits @ 1..64) => LARGEST.min((1 << (bits - 1)) - 1),
                _ => LARGEST,
            };
            if range.most > largest {
                return Err(BoundsError::Large(argument, range.most, largest));
            }
            all.push((
                Dimension {
                    argument,
                    dimension,
                },
                range,
            ));
        }
    }
    Ok(all)
}

/// The text of the attribute with these pairs.
pub fn attribute_text(pairs: &[Range]) -> String {
    let pairs = pairs.iter();
    let pairs: Vec<String> = pairs
        .map(|range| format!("[{}, {}]", range.least, range.most))
        .collect();
    format!("[{}]", pairs.join(", "))
}

fn pairs(attribute: memplan_mlir::ir::Attribute<'_>) -> Option<Vec<Range>> {
    let all = ArrayAttribute::try_from(attribute).ok()?;
    let pairs = (0..all.len()).map(|at| {
        let pair = ArrayAttribute::try_from(all.element(at).ok()?).ok()?;
        let number = |at| {
            Some(
                IntegerAttribute::try_from(pair.element(at).ok()?)
                    .ok()?
                    .value(),
            )
        };
        (pair.len() == 2).then_some(())?;
        Some(Range {
            least: number(0)?,
            most: number(1)?,
        })
    });
    pairs.collect()
}

fn entry<'c>(function: Op<'c>) -> Option<Block<'c>> {
    regions(function)
        .next()
        .and_then(|body| blocks(body).next())
}

/// The bounds of the numbers of a function.
pub struct Bounds<'c> {
    /// Of dimensions of arguments, and of arguments.
    given: FxHashMap<(Key, Option<usize>), Range>,
    /// Assertions about each number.
    asserted: FxHashMap<Key, SmallVec<[(Op<'c>, i64); 1]>>,
}

impl<'c> Bounds<'c> {
    /// The bounds of a function's numbers; no bounds for attributes that are wrong.
    pub fn of(function: Op<'c>, semantics: &mut Semantics) -> Self {
        let mut bounds = Self {
            given: FxHashMap::default(),
            asserted: FxHashMap::default(),
        };
        let values: Vec<Val<'c>> = entry(function).into_iter().flat_map(arguments).collect();
        for (dimension, range) in given(function).unwrap_or_default() {
            let key = (values[dimension.argument].key(), dimension.dimension);
            bounds.given.insert(key, range);
        }
        for block in regions(function).flat_map(blocks) {
            for op in ops(block) {
                if semantics.is_assertion(op)
                    && let Some(condition) = condition(op)
                {
                    bounds.assert(op, condition, semantics, DEEPEST);
                }
            }
        }
        bounds
    }

    /// Whether arguments have bounds.
    pub fn are_given(&self) -> bool {
        !self.given.is_empty()
    }

    fn assert(&mut self, op: Op<'c>, condition: Val<'c>, semantics: &mut Semantics, depth: usize) {
        match semantics.computes(condition) {
            Some(Computes::Binary(Binary::And, both)) if depth > 0 => {
                for one in both {
                    self.assert(op, one, semantics, depth / 2);
                }
            }
            Some(Computes::Compare(predicate, [left, right])) => {
                let constants = [left, right].map(|value| semantics.constant(value));
                let (number, most) = match (predicate, constants) {
                    (Predicate::Equal | Predicate::AtMost(_), [_, Some(most)]) => (left, most),
                    (Predicate::Equal | Predicate::AtLeast(_), [Some(most), _]) => (right, most),
                    (Predicate::Less(_), [_, Some(above)]) => (left, above.saturating_sub(1)),
                    (Predicate::Greater(_), [Some(above), _]) => (right, above.saturating_sub(1)),
                    _ => return,
                };
                // As an unsigned number, a negative bound is large.
                if (0..=LARGEST).contains(&most) {
                    let number = semantics.same_number(number);
                    let all = self.asserted.entry(number.key()).or_default();
                    all.push((op, most));
                }
            }
            _ => {}
        }
    }

    /// The largest value that a number may have at an operation that uses it as a size: it is not negative there.
    pub fn most(&self, size: Val<'c>, at: Op<'c>, semantics: &mut Semantics) -> Option<u64> {
        let mut question = Question {
            bounds: self,
            at,
            semantics,
            known: FxHashMap::default(),
            only: FxHashMap::default(),
        };
        u64::try_from(question.upper(size, DEEPEST)?).ok()
    }
}

/// A question about the numbers at an operation.
struct Question<'q, 'c> {
    bounds: &'q Bounds<'c>,
    at: Op<'c>,
    semantics: &'q mut Semantics,
    known: FxHashMap<Key, Option<i64>>,
    only: FxHashMap<Key, Option<i64>>,
}

impl<'c> Question<'_, 'c> {
    fn upper(&mut self, value: Val<'c>, depth: usize) -> Option<i64> {
        let value = self.semantics.same_number(value);
        if let Some(known) = self.known.get(&value.key()) {
            return *known;
        }
        // In unreachable code, a value may be computed from itself.
        self.known.insert(value.key(), None);
        let mut most = self.here(value);
        let only = self.only_value(value, depth);
        if only.is_none()
            && let Some(depth) = depth.checked_sub(1)
        {
            let computed = self.computed(value, depth);
            most = most.into_iter().chain(computed).min();
        }
        let most = only.or(most).filter(|most| (0..=LARGEST).contains(most));
        self.known.insert(value.key(), most);
        most
    }

    /// The value of a number that has only one, because all that it is computed from do. No larger than bounds are, so that
    /// nothing wraps around.
    fn only_value(&mut self, value: Val<'c>, depth: usize) -> Option<i64> {
        let value = self.semantics.same_number(value);
        if let Some(known) = self.only.get(&value.key()) {
            return *known;
        }
        self.only.insert(value.key(), None);
        let only = match self.argument(value) {
            Some(range) => (range.least == range.most).then_some(range.most),
            None => depth
                .checked_sub(1)
                .and_then(|depth| self.only_computed(value, depth)),
        };
        let only = only.filter(|only| (-LARGEST..=LARGEST).contains(only));
        let only = only.filter(|only| {
            let width = integer_width(type_of(value)).unwrap_or(0);
            (2..=64).contains(&width) && (*only >> (width - 1) == 0 || *only >> (width - 1) == -1)
        });
        self.only.insert(value.key(), only);
        only
    }

    fn only_computed(&mut self, value: Val<'c>, depth: usize) -> Option<i64> {
        match self.semantics.computes(value)? {
            Computes::Constant(constant) => Some(constant),
            Computes::Binary(binary, [a, b]) => {
                let (a, b) = (self.only_value(a, depth)?, self.only_value(b, depth)?);
                let are_signless = a >= 0 && b >= 0;
                match binary {
                    Binary::Add => a.checked_add(b),
                    Binary::Subtract => a.checked_sub(b),
                    Binary::Multiply => a.checked_mul(b),
                    Binary::Divide(_, Rounding::Ceiling) if are_signless && b > 0 => {
                        Some(a / b + i64::from(a % b > 0))
                    }
                    Binary::Divide(..) if are_signless && b > 0 => Some(a / b),
                    Binary::Remainder(_) if are_signless && b > 0 => Some(a % b),
                    Binary::Min(Sign::Signed) => Some(a.min(b)),
                    Binary::Max(Sign::Signed) => Some(a.max(b)),
                    Binary::Min(Sign::Unsigned) if are_signless => Some(a.min(b)),
                    Binary::Max(Sign::Unsigned) if are_signless => Some(a.max(b)),
                    _ => None,
                }
            }
            Computes::Dimension([memref, index]) => {
                let size = self.size_of_allocation(memref, index)?;
                self.only_value(size, depth)
            }
            // A number without a sign is the same in any width that has it.
            Computes::Cast(_, number) => self.only_value(number, depth).filter(|only| *only >= 0),
            _ => None,
        }
    }

    /// The number that a dimension of an allocation, or of a view of bytes, is.
    fn size_of_allocation(&mut self, memref: Val<'c>, index: Val<'c>) -> Option<Val<'c>> {
        let index = usize::try_from(self.semantics.constant(index)?).ok()?;
        let Some(Origin::Result(op, _)) = origin(memref) else {
            return None;
        };
        let operand = dynamic_dimension_index(type_of(memref), index)?;
        match self.semantics.byte_view(op) {
            Some(view) => view.sizes.get(operand).copied(),
            None => {
                self.semantics.of(op).plain_allocation()?;
                operands(op).nth(operand)
            }
        }
    }

    /// What is said of a number itself.
    fn here(&mut self, value: Val<'c>) -> Option<i64> {
        let said = self.bounds.asserted.get(&value.key()).into_iter().flatten();
        let said = said.filter(|(op, _)| executes_before(*op, self.at));
        let asserted = said.map(|(_, most)| *most).min();
        let given = self.argument(value).map(|range| range.most);
        asserted.into_iter().chain(given).min()
    }

    fn argument(&mut self, value: Val<'c>) -> Option<Range> {
        if let Some(Computes::Dimension([memref, index])) = self.semantics.computes(value) {
            let index = usize::try_from(self.semantics.constant(index)?).ok()?;
            return self.bounds.given.get(&(memref.key(), Some(index))).copied();
        }
        self.bounds.given.get(&(value.key(), None)).copied()
    }

    fn computed(&mut self, value: Val<'c>, depth: usize) -> Option<i64> {
        let Some(computes) = self.semantics.computes(value) else {
            let Some(Origin::Result(op, _)) = origin(value) else {
                return None;
            };
            let map = self.semantics.table_facts(op).least_of?;
            return values::least_constant(op, map);
        };
        match computes {
            Computes::Constant(constant) => Some(constant),
            // Sums and products of negative numbers may wrap around.
            Computes::Binary(Binary::Add, both) => {
                let mut most: i64 = 0;
                for (one, other) in [(both[0], both[1]), (both[1], both[0])] {
                    let constant = self.semantics.constant(one);
                    let is_step = constant.is_some_and(|one| (-LARGEST..=LARGEST).contains(&one));
                    if !is_step && !self.is_never_negative(one) {
                        return None;
                    }
                    if is_step && self.semantics.constant(other).is_some() {
                        return None;
                    }
                    most += match constant.filter(|_| is_step) {
                        Some(constant) => constant,
                        None => self.upper(one, depth)?,
                    };
                }
                Some(most)
            }
            Computes::Binary(Binary::Multiply, both) => {
                let most = self
                    .upper(both[0], depth)?
                    .checked_mul(self.upper(both[1], depth)?);
                let mut all = both.into_iter();
                most.filter(|_| all.all(|one| self.is_never_negative(one)))
            }
            Computes::Binary(Binary::Subtract, [a, b]) => {
                let most = self.upper(a, depth)?;
                let mut all = [a, b].into_iter();
                all.all(|one| self.is_never_negative(one)).then_some(most)
            }
            Computes::Binary(Binary::Divide(_, _), [a, b]) => {
                let most = self.upper(a, depth)?;
                let by = self.semantics.constant(b).filter(|by| *by > 0)?;
                // Rounded up: at most one more.
                let quotient = most / by + i64::from(most % by > 0);
                self.is_never_negative(a).then_some(quotient)
            }
            Computes::Binary(Binary::Min(Sign::Signed), both) => both
                .into_iter()
                .filter_map(|one| self.upper(one, depth))
                .min(),
            Computes::Binary(Binary::Max(Sign::Signed), [a, b]) => {
                Some(self.upper(a, depth)?.max(self.upper(b, depth)?))
            }
            Computes::Select([_, a, b]) => Some(self.upper(a, depth)?.max(self.upper(b, depth)?)),
            Computes::Dimension([memref, index]) => {
                let size = self.size_of_allocation(memref, index)?;
                self.upper(size, depth)
            }
            Computes::Cast(Cast::Index(sign), number) => {
                let most = self.upper(number, depth)?;
                let (from, to) = (
                    integer_width(type_of(number))?,
                    integer_width(type_of(value))?,
                );
                // A negative number of fewer bits is a large one without a sign.
                let is_same = from == to
                    || from < to && (sign == Sign::Signed || self.is_never_negative(number));
                is_same.then_some(most)
            }
            _ => None,
        }
    }

    fn is_never_negative(&mut self, value: Val<'c>) -> bool {
        self.is_size(value, DEEPEST / 4)
    }

    fn is_size(&mut self, value: Val<'c>, depth: usize) -> bool {
        let value = self.semantics.same_number(value);
        if self.argument(value).is_some() {
            return true;
        }
        if let Some(only) = self.only_value(value, depth) {
            return only >= 0;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match self.semantics.computes(value) {
            Some(Computes::Dimension(_)) => true,
            Some(Computes::Constant(constant)) => constant >= 0,
            // Those that have a bound do not wrap around.
            Some(Computes::Binary(Binary::Add | Binary::Multiply, [a, b])) => {
                self.is_size(a, depth) && self.is_size(b, depth) && self.is_bounded(value)
            }
            Some(Computes::Binary(Binary::Divide(_, _), [a, b])) => {
                let by = self.semantics.constant(b);
                by.is_some_and(|by| by > 0) && self.is_size(a, depth)
            }
            Some(Computes::Binary(Binary::Max(Sign::Signed), [a, b])) => {
                self.is_size(a, depth) || self.is_size(b, depth)
            }
            Some(
                Computes::Binary(Binary::Min(Sign::Signed), [a, b]) | Computes::Select([_, a, b]),
            ) => self.is_size(a, depth) && self.is_size(b, depth),
            _ => false,
        }
    }

    fn is_bounded(&mut self, value: Val<'c>) -> bool {
        self.upper(value, DEEPEST).is_some()
    }
}

/// The condition of an assertion.
fn condition<'c>(op: Op<'c>) -> Option<Val<'c>> {
    let mut all = operands(op);
    let condition = all.next()?;
    let is_condition = all.next().is_none() && integer_width(type_of(condition)) == Some(1);
    is_condition.then_some(condition)
}

/// Whether an operation of a function's body was executed, and returned, wherever another one executes.
fn executes_before(op: Op<'_>, at: Op<'_>) -> bool {
    let Some(block) = parent_block(op) else {
        return false;
    };
    ancestor_in(at, block).is_some_and(|around| is_before(op, around))
}
