//! The strips of a chain in which no comparison depends on which strip it is.
//!
//! A number in a strip is taken as `a * before + b * after + c`, where `before` is how many strips came before, and `after`
//! how many follow. Where `a` and `b` have no different signs, and one of them is not 0, the number has their sign if both
//! `before` and `after` are large enough.

use super::{
    body::{Action, Body},
    chain::Chain,
    fault::Stop,
    numbers::{Compute, Number},
};
use memplan_semantics::arithmetic::{Binary, Predicate, Rounding, Sign};

/// A number in a general strip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Form {
    before: i64,
    after: i64,
    constant: i64,
}

impl Form {
    const fn of(constant: i64) -> Self {
        Self {
            before: 0,
            after: 0,
            constant,
        }
    }

    fn each(self, other: Self, what: impl Fn(i64, i64) -> Option<i64>) -> Result<Self, Stop> {
        let form = || {
            Some(Self {
                before: what(self.before, other.before)?,
                after: what(self.after, other.after)?,
                constant: what(self.constant, other.constant)?,
            })
        };
        form().ok_or(Stop::Number)
    }

    fn plus(self, other: Self) -> Result<Self, Stop> {
        self.each(other, i64::checked_add)
    }

    fn minus(self, other: Self) -> Result<Self, Stop> {
        self.each(other, i64::checked_sub)
    }

    fn times(self, by: i64) -> Result<Self, Stop> {
        self.each(self, |one, _| one.checked_mul(by))
    }

    const fn is_fixed(self) -> bool {
        self.before == 0 && self.after == 0
    }
}

/// How many strips of a chain along a length are general. `added` are the strips that a period of the length adds.
pub fn general_strips(body: &Body<'_>, added: i64) -> Result<i64, Stop> {
    let [Action::Loop(_, place, [first, end, step], inside)] = &body.actions[..] else {
        return Err(Stop::NotFollowed("strips along a length are not one loop"));
    };
    let (Number::Constant(first), Number::Length(end, growth), Number::Constant(1)) =
        (*first, *end, *step)
    else {
        return Err(Stop::NotFollowed(
            "the number of strips is not that of a length",
        ));
    };
    if growth != added {
        let text = "the number of strips grows otherwise than the length".to_owned();
        return Err(Stop::Wrong(text));
    }
    let mut walk = Walk {
        body,
        forms: vec![Form::default(); body.places as usize],
        first,
        strips: end.saturating_sub(first).max(0),
        growth,
        least: 0,
    };
    walk.forms[*place as usize] = Form {
        before: 1,
        after: 0,
        constant: first,
    };
    walk.actions(inside)?;
    Ok(walk.strips.saturating_sub(walk.least.saturating_mul(2)))
}

struct Walk<'b, 'c> {
    body: &'b Body<'c>,
    forms: Vec<Form>,
    first: i64,
    strips: i64,
    /// Strips that a period of the length adds.
    growth: i64,
    /// Strips that have to be before and after.
    least: i64,
}

/// Whether a number is above 0, 0, or below.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Above,
    Zero,
    Below,
}

impl<'c> Walk<'_, 'c> {
    fn form(&self, number: Number) -> Result<Form, Stop> {
        Ok(match number {
            Number::Constant(number) => Form::of(number),
            Number::Place(place) => self.forms[place as usize],
            Number::Length(number, growth) => {
                if self.growth < 1 || growth % self.growth != 0 {
                    return Err(Stop::NotFollowed("a size does not grow with the strips"));
                }
                // Strips are those before, those after, and this one.
                let rate = growth / self.growth;
                let rest = rate.checked_mul(self.strips - 1).ok_or(Stop::Number)?;
                Form {
                    before: rate,
                    after: rate,
                    constant: number.checked_sub(rest).ok_or(Stop::Number)?,
                }
            }
        })
    }

    /// The sign of a number in all general strips.
    fn sign(&mut self, form: Form) -> Result<Is, Stop> {
        let Form {
            before,
            after,
            constant,
        } = form;
        let sign = match (before.signum(), after.signum()) {
            (0, 0) => constant.signum(),
            (1, 0 | 1) | (0, 1) => 1,
            (-1, 0 | -1) | (0, -1) => -1,
            _ => return Err(Stop::NotFollowed("a comparison depends on the strip")),
        };
        if !form.is_fixed() && constant.signum() != sign {
            let grows = before.unsigned_abs().saturating_add(after.unsigned_abs());
            let least = constant.unsigned_abs() / grows + 1;
            let least = i64::try_from(least).map_err(|_| Stop::Number)?;
            self.least = self.least.max(least);
        }
        Ok(match sign {
            1.. => Is::Above,
            0 => Is::Zero,
            _ => Is::Below,
        })
    }

    fn actions(&mut self, actions: &[Action<'c>]) -> Result<(), Stop> {
        let body = self.body;
        for action in actions {
            match action {
                Action::Number(_, place, compute) => {
                    let form = self.compute(compute)?;
                    self.forms[*place as usize] = form;
                }
                Action::Loop(..) => {
                    return Err(Stop::NotFollowed(
                        "strips along a length have loops in them",
                    ));
                }
                Action::Choice(flag, bodies) => {
                    let flag = self.form(*flag)?;
                    if !flag.is_fixed() {
                        return Err(Stop::NotFollowed("a condition depends on the strip"));
                    }
                    let chosen = usize::from(flag.constant == 0);
                    if let Some(body) = bodies.get(chosen) {
                        self.actions(body)?;
                    }
                }
                Action::New(_) => {}
                Action::Piece(number) => {
                    let piece = &body.pieces[*number];
                    let split = piece.claim.splits[0];
                    let strip = Form {
                        before: 1,
                        after: 0,
                        constant: self.first,
                    };
                    let rows = strip.times(split.rate)?;
                    let begin = rows.plus(Form::of(split.ahead - split.again))?;
                    let end = rows.plus(Form::of(split.ahead + split.rate))?;
                    let limit = self.limit(split.rate, split.limit)?;
                    // It has all of its rows.
                    self.sign(begin)?;
                    self.sign(limit.minus(end)?)?;
                    for access in &piece.accesses {
                        self.parts(&access.chain, access.root)?;
                    }
                }
                Action::Move(one) => {
                    for (root, chain) in [&one.from, &one.to] {
                        self.parts(chain, *root)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The limit of a split loop, which grows by the rows of a strip with each strip: so sizes were taken.
    fn limit(&self, rate: i64, limit: i64) -> Result<Form, Stop> {
        let growth = rate.checked_mul(self.growth).ok_or(Stop::Number)?;
        self.form(Number::Length(limit, growth))
    }

    /// Parts of what strips hold are the same in all general strips.
    fn parts(&self, chain: &Chain<'c>, root: usize) -> Result<(), Stop> {
        if !self.body.roots[root].is_of_strips {
            return Ok(());
        }
        for [offset, size, stride] in chain.parts() {
            let [offset, size, stride] =
                [self.form(*offset)?, self.form(*size)?, self.form(*stride)?];
            // All of another length may be seen.
            let is_whole = size.before == size.after;
            if !offset.is_fixed() || !stride.is_fixed() || !is_whole {
                return Err(Stop::NotFollowed(
                    "a part of what strips hold depends on the strip",
                ));
            }
        }
        Ok(())
    }

    fn compute(&mut self, compute: &Compute) -> Result<Form, Stop> {
        match compute {
            Compute::Binary(binary, [one, other]) => {
                let (one, other) = (self.form(*one)?, self.form(*other)?);
                self.binary(*binary, one, other)
            }
            Compute::Compare(predicate, [one, other]) => {
                let (one, other) = (self.form(*one)?, self.form(*other)?);
                let is = self.sign(one.minus(other)?)?;
                let holds = match predicate {
                    Predicate::Equal => is == Is::Zero,
                    Predicate::NotEqual => is != Is::Zero,
                    Predicate::Less(Sign::Signed) => is == Is::Below,
                    Predicate::AtMost(Sign::Signed) => is != Is::Above,
                    Predicate::Greater(Sign::Signed) => is == Is::Above,
                    Predicate::AtLeast(Sign::Signed) => is != Is::Below,
                    _ => return Err(Stop::NotFollowed("a comparison without a sign")),
                };
                Ok(Form::of(i64::from(holds)))
            }
            Compute::Select([flag, yes, no]) => {
                let flag = self.form(*flag)?;
                if !flag.is_fixed() {
                    return Err(Stop::NotFollowed("a choice depends on the strip"));
                }
                self.form(if flag.constant == 0 { *no } else { *yes })
            }
        }
    }

    fn binary(&mut self, binary: Binary, one: Form, other: Form) -> Result<Form, Stop> {
        const UNKNOWN: Stop = Stop::NotFollowed("how a number depends on the strip is not known");
        match binary {
            Binary::Add => one.plus(other),
            Binary::Subtract => one.minus(other),
            Binary::Multiply if other.is_fixed() => one.times(other.constant),
            Binary::Multiply if one.is_fixed() => other.times(one.constant),
            Binary::Divide(sign, rounding) if other.is_fixed() && other.constant > 0 => {
                let by = other.constant;
                if one.before % by != 0 || one.after % by != 0 {
                    return Err(UNKNOWN);
                }
                let is_below = self.sign(one)? == Is::Below;
                if is_below && sign == Sign::Unsigned {
                    return Err(UNKNOWN);
                }
                let constant = match (rounding, is_below) {
                    (Rounding::Floor, _) | (Rounding::Zero, false) => one.constant.div_euclid(by),
                    _ => return Err(UNKNOWN),
                };
                Ok(Form {
                    before: one.before / by,
                    after: one.after / by,
                    constant,
                })
            }
            Binary::Min(Sign::Signed) | Binary::Max(Sign::Signed) => {
                let is_above = self.sign(one.minus(other)?)? == Is::Above;
                let takes_first = is_above == matches!(binary, Binary::Max(_));
                Ok(if takes_first { one } else { other })
            }
            Binary::And | Binary::Or if one.is_fixed() && other.is_fixed() => {
                let (one, other) = (one.constant, other.constant);
                Ok(Form::of(match binary {
                    Binary::And => one & other,
                    _ => one | other,
                }))
            }
            _ => Err(UNKNOWN),
        }
    }
}
