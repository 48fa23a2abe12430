//! Numbers that depend on the thread and on iterations of loops.

use super::Kernel;
use crate::{
    arithmetic::{Binary, Cast, Computes, Predicate, Rounding, Sign},
    semantics::Semantics,
    statement::Speculation,
};
use memplan_mlir::{
    affine,
    copy::integer_width,
    ir::{Identity, Key, Op, Origin, Val, operands, origin, type_of},
};
use rustc_hash::FxHashMap;

/// The number of an expression.
pub(super) type Number = usize;

/// An expression, whose operands come before it. Values are exact: where they could wrap around, they are unknown.
enum Expression<'c> {
    Unknown,
    Constant(i64),
    /// A coordinate of the thread.
    Thread(usize),
    /// The induction variable of a loop.
    Iteration(usize),
    Binary(Binary, [Number; 2], u32),
    Compare(Predicate, [Number; 2]),
    Select([Number; 3]),
    Cast(Cast, Number, u32),
    /// This result of the affine map in an attribute; `None` stands for the only one.
    Map(Op<'c>, &'static str, Option<usize>, Vec<Number>),
}

/// The expressions of a kernel.
#[derive(Default)]
pub(super) struct Expressions<'c> {
    all: Vec<Expression<'c>>,
    known: FxHashMap<Key, Number>,
    iterations: usize,
}

impl<'c> Expressions<'c> {
    /// A variable for the induction variable of a loop, and its number among these.
    pub(super) fn induction(&mut self, value: Val<'c>) -> usize {
        let number = self.iterations;
        self.iterations += 1;
        let at = self.push(Expression::Iteration(number));
        self.known.insert(value.key(), at);
        number
    }

    /// The number of induction variables.
    pub(super) fn inductions(&self) -> usize {
        self.iterations
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn constant(&mut self, number: i64) -> Number {
        self.push(Expression::Constant(number))
    }

    fn push(&mut self, expression: Expression<'c>) -> Number {
        self.all.push(expression);
        self.all.len() - 1
    }

    /// A result of the affine map in an attribute of an operation.
    pub(super) fn map(
        &mut self,
        op: Op<'c>,
        name: &'static str,
        result: usize,
        of: Vec<Number>,
    ) -> Number {
        self.push(Expression::Map(op, name, Some(result), of))
    }

    /// The result of an affine map that has one.
    pub(super) fn only_of_map(
        &mut self,
        op: Op<'c>,
        name: &'static str,
        of: Vec<Number>,
    ) -> Number {
        self.push(Expression::Map(op, name, None, of))
    }

    /// A sum.
    pub(super) fn sum(&mut self, left: Number, right: Number) -> Number {
        self.push(Expression::Binary(Binary::Add, [left, right], 64))
    }

    /// A product.
    pub(super) fn product(&mut self, left: Number, right: Number) -> Number {
        self.push(Expression::Binary(Binary::Multiply, [left, right], 64))
    }

    /// The expression of a value.
    pub(super) fn of(
        &mut self,
        value: Val<'c>,
        kernel: &Kernel<'c>,
        semantics: &mut Semantics,
    ) -> Number {
        if let Some(known) = self.known.get(&value.key()) {
            return *known;
        }
        let expression = self.expression(value, kernel, semantics);
        let at = self.push(expression.unwrap_or(Expression::Unknown));
        self.known.insert(value.key(), at);
        at
    }

    fn expression(
        &mut self,
        value: Val<'c>,
        kernel: &Kernel<'c>,
        semantics: &mut Semantics,
    ) -> Option<Expression<'c>> {
        if let Some(dimension) = kernel.thread_dimension(value, semantics) {
            return Some(Expression::Thread(dimension));
        }
        if let Some(size) = kernel.known_size(value, semantics) {
            return Some(Expression::Constant(size));
        }
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        let width = integer_width(type_of(value)).filter(|width| *width <= 64)?;
        // Of a map with one result, the least, the greatest and all results are the same.
        if semantics.table_facts(op).speculation == Some(Speculation::Map) {
            let of = operands(op).map(|operand| self.of(operand, kernel, semantics));
            let of = of.collect();
            return Some(Expression::Map(op, "map", None, of));
        }
        let computes = semantics.computed(op)?;
        if operands(op).any(is_boolean) && !is_logical(&computes) {
            return None;
        }
        let mut of = |value: Val<'c>| self.of(value, kernel, semantics);
        Some(match computes {
            Computes::Constant(number) if width == 1 => Expression::Constant(number & 1),
            Computes::Constant(number) => Expression::Constant(number),
            Computes::Binary(binary, [left, right]) => {
                Expression::Binary(binary, [of(left), of(right)], width)
            }
            Computes::Compare(predicate, [left, right]) => {
                Expression::Compare(predicate, [of(left), of(right)])
            }
            Computes::Select([flag, one, other]) => {
                Expression::Select([of(flag), of(one), of(other)])
            }
            Computes::Cast(cast, from) => Expression::Cast(cast, of(from), width),
            Computes::Dimension(_) | Computes::Pointer(_) | Computes::Element(_) => return None,
        })
    }
}

fn is_boolean(value: Val<'_>) -> bool {
    integer_width(type_of(value)) == Some(1)
}

/// Are booleans nothing but true and false to it, and no numbers with a sign?
fn is_logical(computes: &Computes<'_>) -> bool {
    matches!(
        computes,
        Computes::Select(_)
            | Computes::Compare(Predicate::Equal | Predicate::NotEqual, _)
            | Computes::Binary(Binary::And | Binary::Or | Binary::Xor, _)
            | Computes::Cast(
                Cast::Extend(Sign::Unsigned) | Cast::Index(Sign::Unsigned),
                _
            )
    )
}

impl Expressions<'_> {
    /// The values of all expressions, for a thread and an iteration of each loop.
    pub(super) fn evaluate(
        &self,
        thread: &[i64],
        iterations: &[i64],
        values: &mut Vec<Option<i64>>,
    ) {
        values.clear();
        for expression in &self.all {
            let of = |at: &Number| values[*at];
            let value = match expression {
                Expression::Unknown => None,
                Expression::Constant(number) => Some(*number),
                Expression::Thread(dimension) => thread.get(*dimension).copied(),
                Expression::Iteration(number) => iterations.get(*number).copied(),
                Expression::Binary(binary, [left, right], width) => {
                    let both = of(left).zip(of(right));
                    both.and_then(|(left, right)| compute(*binary, left, right))
                        .filter(|value| fits(*value, *width))
                }
                Expression::Compare(predicate, [left, right]) => {
                    let both = of(left).zip(of(right));
                    both.and_then(|(left, right)| compare(*predicate, left, right))
                        .map(i64::from)
                }
                Expression::Select([flag, one, other]) => match of(flag) {
                    Some(0) => of(other),
                    Some(_) => of(one),
                    None => None,
                },
                Expression::Cast(cast, from, width) => of(from).filter(|value| {
                    // Of a negative number without a sign, the higher bits are not those of the number.
                    let keeps = match cast {
                        Cast::Truncate => true,
                        Cast::Extend(sign) | Cast::Index(sign) => {
                            *sign == Sign::Signed || *value >= 0
                        }
                    };
                    keeps && fits(*value, *width)
                }),
                Expression::Map(op, name, result, all) => {
                    let operands: Option<Vec<i64>> = all.iter().map(of).collect();
                    let results = operands.and_then(|all| affine::evaluate(*op, name, &all));
                    results.and_then(|all| match result {
                        Some(result) => all.get(*result).copied(),
                        None => all.first().copied().filter(|_| all.len() == 1),
                    })
                }
            };
            values.push(value);
        }
    }
}

/// Is a number one of so many bits, with a sign? Booleans are 0 and 1.
fn fits(value: i64, width: u32) -> bool {
    let unused = 64 - width;
    match width {
        1 => value == 0 || value == 1,
        _ => value << unused >> unused == value,
    }
}

/// The exact result; `None` if it depends on the width, or if there is none.
fn compute(binary: Binary, left: i64, right: i64) -> Option<i64> {
    let have_no_sign = left >= 0 && right >= 0;
    let is_exact = |sign| sign == Sign::Signed || have_no_sign;
    match binary {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide(sign, rounding) if is_exact(sign) => {
            let quotient = left.checked_div(right)?;
            let is_whole = quotient * right == left;
            let is_negative = (left < 0) != (right < 0);
            Some(match rounding {
                Rounding::Floor if !is_whole && is_negative => quotient - 1,
                Rounding::Ceiling if !is_whole && !is_negative => quotient + 1,
                _ => quotient,
            })
        }
        Binary::Remainder(sign) if is_exact(sign) => left.checked_rem(right),
        Binary::Min(sign) if is_exact(sign) => Some(left.min(right)),
        Binary::Max(sign) if is_exact(sign) => Some(left.max(right)),
        Binary::And => Some(left & right),
        Binary::Or => Some(left | right),
        Binary::Xor => Some(left ^ right),
        Binary::ShiftLeft if have_no_sign && right < 63 => left.checked_mul(1 << right),
        Binary::ShiftRight(sign) if is_exact(sign) && (0..64).contains(&right) => {
            Some(left >> right)
        }
        _ => None,
    }
}

fn compare(predicate: Predicate, left: i64, right: i64) -> Option<bool> {
    let is_exact = |sign| sign == Sign::Signed || left >= 0 && right >= 0;
    match predicate {
        Predicate::Equal => Some(left == right),
        Predicate::NotEqual => Some(left != right),
        Predicate::Less(sign) => is_exact(sign).then_some(left < right),
        Predicate::AtMost(sign) => is_exact(sign).then_some(left <= right),
        Predicate::Greater(sign) => is_exact(sign).then_some(left > right),
        Predicate::AtLeast(sign) => is_exact(sign).then_some(left >= right),
    }
}

#[cfg(test)]
mod tests {
    use super::{Binary, Predicate, Rounding, Sign, compare, compute, fits};

    #[test]
    fn results_are_exact_or_unknown() {
        assert_eq!(compute(Binary::Add, i64::MAX, 1), None);
        assert_eq!(compute(Binary::Multiply, 1 << 40, 1 << 40), None);
        let divide =
            |rounding, left, right| compute(Binary::Divide(Sign::Signed, rounding), left, right);
        assert_eq!(divide(Rounding::Zero, -7, 2), Some(-3));
        assert_eq!(divide(Rounding::Floor, -7, 2), Some(-4));
        assert_eq!(divide(Rounding::Ceiling, 7, 2), Some(4));
        assert_eq!(divide(Rounding::Zero, 7, 0), None);
        // As numbers without a sign, negative ones are others.
        assert_eq!(compute(Binary::Remainder(Sign::Unsigned), -1, 3), None);
        assert_eq!(compute(Binary::Max(Sign::Unsigned), -1, 3), None);
        assert_eq!(compute(Binary::ShiftLeft, 1, 62), Some(1 << 62));
        assert_eq!(compute(Binary::ShiftLeft, 1, 63), None);
        assert_eq!(compare(Predicate::Less(Sign::Unsigned), -1, 3), None);
        assert_eq!(compare(Predicate::Less(Sign::Signed), -1, 3), Some(true));
    }

    #[test]
    fn numbers_that_wrap_around_do_not_fit() {
        assert!(fits(127, 8) && fits(-128, 8) && !fits(128, 8));
        assert!(fits(i64::MIN, 64));
        assert!(fits(1, 1) && !fits(-1, 1));
    }
}
