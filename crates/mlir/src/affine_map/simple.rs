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
