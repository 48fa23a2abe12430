//! Expressions in a form in which equal ones mostly are the same.

use super::Expression;

/// A sum of other expressions with factors, and a constant.
#[derive(Default)]
struct Terms {
    terms: Vec<(Expression, i64)>,
    constant: i64,
}

impl Terms {
    fn add(&mut self, number: Expression, factor: i64) -> Option<()> {
        match number {
            Expression::Constant(number) => {
                self.constant = self.constant.checked_add(number.checked_mul(factor)?)?;
            }
            Expression::Sum(both) => {
                let [one, other] = *both;
                self.add(one, factor)?;
                self.add(other, factor)?;
            }
            Expression::Product(one, by) => self.add(*one, by.checked_mul(factor)?)?,
            other => {
                let known = self.terms.iter_mut().find(|(one, _)| *one == other);
                match known {
                    Some((_, known)) => *known = known.checked_add(factor)?,
                    None => self.terms.push((other, factor)),
                }
            }
        }
        Some(())
    }
}

impl Expression {
    /// The same expression, in a form in which equal ones mostly are the same: a sum of what is no sum, each once.
    #[must_use]
    pub fn simplified(&self) -> Self {
        simple(self.clone())
    }
}

fn simple(number: Expression) -> Expression {
    let inside = match number {
        Expression::Quotient(one, 1) => return simple(*one),
        Expression::Quotient(one, by) => quotient(simple(*one), by),
        // What a quotient leaves.
        Expression::Remainder(one, by) => {
            let one = simple(*one);
            let whole = quotient(one.clone(), by);
            Expression::Sum(Box::new([one, Expression::Product(Box::new(whole), -by)]))
        }
        Expression::Sum(both) => {
            let [one, other] = *both;
            Expression::Sum(Box::new([simple(one), simple(other)]))
        }
        Expression::Product(one, by) => Expression::Product(Box::new(simple(*one)), by),
        other => other,
    };
    let mut terms = Terms::default();
    if terms.add(inside.clone(), 1).is_none() {
        return inside;
    }
    terms.terms.retain(|(_, factor)| *factor != 0);
    terms.terms.sort_by_key(|(one, _)| one.to_string());
    let scaled = terms.terms.into_iter().map(|(one, factor)| match factor {
        1 => one,
        factor => Expression::Product(Box::new(one), factor),
    });
    let constant = match terms.constant {
        0 => None,
        constant => Some(Expression::Constant(constant)),
    };
    let sum = scaled
        .chain(constant)
        .reduce(|all, one| Expression::Sum(Box::new([all, one])));
    sum.unwrap_or(Expression::Constant(0))
}

/// A quotient, from which whole numbers are taken out: what is divided has no negative factors then.
fn quotient(number: Expression, by: i64) -> Expression {
    let mut terms = Terms::default();
    if terms.add(number.clone(), 1).is_none() {
        return Expression::Quotient(Box::new(number), by);
    }
    let (mut whole, mut rest) = (Expression::Constant(terms.constant.div_euclid(by)), None);
    let sum = |one: Expression, other: Expression| Expression::Sum(Box::new([one, other]));
    for (one, factor) in terms.terms {
        let scaled = |factor: i64| Expression::Product(Box::new(one.clone()), factor);
        whole = sum(whole, scaled(factor.div_euclid(by)));
        match factor.rem_euclid(by) {
            0 => {}
            factor => {
                let more = scaled(factor);
                rest = Some(match rest {
                    None => more,
                    Some(rest) => sum(rest, more),
                });
            }
        }
    }
    match rest {
        None => simple(whole),
        Some(rest) => {
            let rest = sum(rest, Expression::Constant(terms.constant.rem_euclid(by)));
            sum(whole, Expression::Quotient(Box::new(simple(rest)), by))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;
    use proptest::prelude::*;

    /// Expressions of three inputs, as sizes are: with factors that may be negative.
    fn expressions() -> impl Strategy<Value = Expression> {
        let leaf = prop_oneof![
            (-20_i64..20).prop_map(Expression::Constant),
            (0_u32..3).prop_map(Expression::Input),
        ];
        leaf.prop_recursive(5, 24, 2, |inside| {
            prop_oneof![
                (inside.clone(), inside.clone())
                    .prop_map(|(one, other)| Expression::Sum(Box::new([one, other]))),
                (inside.clone(), -4_i64..5)
                    .prop_map(|(one, by)| Expression::Product(Box::new(one), by)),
                (inside.clone(), 1_i64..7)
                    .prop_map(|(one, by)| Expression::Quotient(Box::new(one), by)),
                (inside, 1_i64..7).prop_map(|(one, by)| Expression::Remainder(Box::new(one), by)),
            ]
        })
    }

    /// The value, where division rounds down.
    fn value(expression: &Expression, inputs: &[i64]) -> i64 {
        match expression {
            Expression::Constant(number) => *number,
            Expression::Input(number) => inputs[*number as usize],
            Expression::Sum(both) => value(&both[0], inputs) + value(&both[1], inputs),
            Expression::Product(one, by) => value(one, inputs) * by,
            Expression::Quotient(one, by) => value(one, inputs).div_euclid(*by),
            Expression::Remainder(one, by) => value(one, inputs).rem_euclid(*by),
        }
    }

    proptest! {
        /// A simplified expression has the same value.
        #[test]
        fn simplified_has_the_same_value(
            expression in expressions(),
            inputs in prop::collection::vec(-40_i64..200, 3),
        ) {
            prop_assert_eq!(value(&expression.simplified(), &inputs), value(&expression, &inputs));
        }

        /// Once it is simple, it stays as it is.
        #[test]
        fn simplified_is_simple(expression in expressions()) {
            let simple = expression.simplified();
            prop_assert_eq!(simple.simplified(), simple);
        }

        /// A value that is given is the one where division rounds down.
        #[test]
        fn at_is_the_value(
            expression in expressions(),
            inputs in prop::collection::vec(-40_i64..200, 3),
        ) {
            if let Some(found) = expression.at(&inputs) {
                prop_assert_eq!(found, value(&expression, &inputs));
            }
        }

        /// What it says to grow by, it grows by, whatever the inputs are.
        #[test]
        fn growth_holds_for_all_inputs(
            expression in expressions(),
            mut inputs in prop::collection::vec(-40_i64..200, 3),
            more in 1_i64..60,
        ) {
            let before = value(&expression, &inputs);
            inputs[0] += more;
            if let Some(growth) = expression.growth(0, more) {
                prop_assert_eq!(value(&expression, &inputs), before + growth);
            }
        }

        /// What is said never to be negative is not, for inputs that are not.
        #[test]
        fn never_negative_holds(
            expression in expressions(),
            inputs in prop::collection::vec(0_i64..200, 3),
        ) {
            if expression.is_never_negative(&|_| true) {
                prop_assert!(value(&expression, &inputs) >= 0);
            }
            let simple = expression.simplified();
            prop_assert!(simple.divides_no_negative(&|_| true));
            prop_assert_eq!(simple.at(&inputs), Some(value(&expression, &inputs)));
        }
    }
}
