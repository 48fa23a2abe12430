//! Loops whose turns can be counted.

use super::constants::{Env, Why, evaluate, why};
use memplan_mlir::{
    affine,
    build::{integer, short_integers},
    copy::integer_width,
    flow::static_trip_count,
    ir::{Block, Op, Val, arguments, blocks, operands, regions, type_of},
    melior::ir::operation::OperationLike,
    names::{Known, Names},
};

/// What the induction variable of a loop is, turn by turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// In the first turn.
    pub lower: i64,
    /// What it grows by.
    pub step: i64,
    /// How many there are.
    pub count: u64,
}

impl Turns {
    /// The induction variable in a turn.
    pub const fn at(&self, turn: u64) -> i64 {
        self.lower.wrapping_add(self.step.wrapping_mul(turn as i64))
    }

    fn new(lower: i64, upper: i64, step: i64, is_unsigned: bool) -> Option<Self> {
        let wide = |number: i64| match is_unsigned {
            true => i128::from(number as u64),
            false => i128::from(number),
        };
        if step <= 0 && !(is_unsigned && step != 0) {
            return None;
        }
        let span = (wide(upper) - wide(lower)).max(0).cast_unsigned();
        let count = span.div_ceil(wide(step).cast_unsigned());
        Some(Self {
            lower,
            step,
            count: u64::try_from(count).ok()?,
        })
    }
}

/// Why the turns of a loop cannot be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotConstant {
    /// This part of it is no constant.
    Part(&'static str, Why),
    /// It does not grow.
    Step(i64),
    /// The induction variable has more than 64 bits.
    Wide,
}

impl NotConstant {
    /// In words.
    pub fn text(self) -> String {
        match self {
            Self::Part(part, why) => format!("its {part} {}", why.text()),
            Self::Step(step) => format!("its step is {step}: it must be at least 1"),
            Self::Wide => "its induction variable has more than 64 bits".to_owned(),
        }
    }
}

/// Whether an operation is a loop that runs turn by turn and has one body.
pub const fn is_counted(known: Known) -> bool {
    matches!(known, Known::ScfFor | Known::AffineFor)
}

/// The turns of an `scf.for` or `affine.for`.
pub fn turns<'c>(op: Op<'c>, names: &mut Names, env: Env<'_, 'c>) -> Result<Turns, NotConstant> {
    let all: Vec<Val<'c>> = operands(op).collect();
    if names.info(op).known == Known::AffineFor {
        return of_affine(op, &all, names, env);
    }
    let mut number = |at: usize, part: &'static str| {
        let value = all.get(at).copied();
        let value = value.ok_or(NotConstant::Part(part, Why::Other))?;
        if integer_width(type_of(value)).is_none_or(|width| width > 64) {
            return Err(NotConstant::Wide);
        }
        evaluate(value, names, env).ok_or_else(|| NotConstant::Part(part, why(value, names)))
    };
    let (lower, upper) = (number(0, "lower bound")?, number(1, "upper bound")?);
    let step = number(2, "step")?;
    let is_unsigned = op.has_attribute("unsignedCmp");
    let width = integer_width(type_of(all[0])).unwrap_or(64);
    // Constants are kept sign-extended.
    let plain = |number: i64| match is_unsigned && width < 64 {
        true => number & ((1 << width) - 1),
        false => number,
    };
    Turns::new(plain(lower), plain(upper), plain(step), is_unsigned).ok_or(NotConstant::Step(step))
}

fn of_affine<'c>(
    op: Op<'c>,
    all: &[Val<'c>],
    names: &mut Names,
    env: Env<'_, 'c>,
) -> Result<Turns, NotConstant> {
    let mut bound = |map: &str, from: usize, count: usize, part: &'static str| {
        let mut numbers = Vec::with_capacity(count);
        for value in &all[from..from + count] {
            let number = evaluate(*value, names, env);
            numbers.push(number.ok_or_else(|| NotConstant::Part(part, why(*value, names)))?);
        }
        affine::evaluate(op, map, &numbers).ok_or(NotConstant::Part(part, Why::Other))
    };
    let segments = short_integers(op, "operandSegmentSizes").unwrap_or_default();
    let count = |at: usize| {
        segments
            .get(at)
            .and_then(|count| usize::try_from(*count).ok())
            .unwrap_or(0)
    };
    let (first, second) = (count(0), count(1));
    let none = NotConstant::Part("bound", Why::Other);
    let lower = bound("lowerBoundMap", 0, first, "lower bound")?;
    let upper = bound("upperBoundMap", first, second, "upper bound")?;
    // The largest of the lower bounds, and the smallest of the upper ones.
    let lower = lower.into_iter().max().ok_or(none)?;
    let upper = upper.into_iter().min().ok_or(none)?;
    let step = integer(op, "step").unwrap_or(1);
    Turns::new(lower, upper, step, false).ok_or(NotConstant::Step(step))
}

/// Whether the bounds and steps of a loop whose turns run in parallel are constant.
pub fn parallel_bounds<'c>(
    op: Op<'c>,
    names: &mut Names,
    env: Env<'_, 'c>,
) -> Result<(), NotConstant> {
    let segments = short_integers(op, "operandSegmentSizes").unwrap_or_default();
    let segment = |at: usize| usize::try_from(segments.get(at).copied().unwrap_or(0)).unwrap_or(0);
    const PARTS: [&str; 3] = ["lower bound", "upper bound", "step"];
    // How many operands each part has; what follows are no bounds.
    let counts = match names.info(op).known {
        Known::ScfParallel | Known::Forall => [0, 1, 2].map(segment),
        Known::AffineParallel => [0, operands(op).count(), 0],
        _ if static_trip_count(op).is_some() => return Ok(()),
        _ => return Err(NotConstant::Part("trip count", Why::Other)),
    };
    let mut all = operands(op);
    for (part, count) in PARTS.into_iter().zip(counts) {
        for value in all.by_ref().take(count) {
            if evaluate(value, names, env).is_none() {
                return Err(NotConstant::Part(part, why(value, names)));
            }
        }
    }
    Ok(())
}

/// The parts of a loop of [`is_counted`].
pub struct Parts<'c> {
    /// Its body.
    pub body: Block<'c>,
    /// The induction variable.
    pub induction: Val<'c>,
    /// What it carries, in a turn.
    pub carried: Vec<Val<'c>>,
    /// What it carries into the first turn.
    pub starts: Vec<Val<'c>>,
}

/// The parts of a loop; `None` for what is not one.
pub fn parts<'c>(op: Op<'c>) -> Option<Parts<'c>> {
    let body = blocks(regions(op).next()?).next()?;
    let mut given = arguments(body);
    let induction = given.next()?;
    let carried: Vec<Val<'c>> = given.collect();
    let all: Vec<Val<'c>> = operands(op).collect();
    // They come last.
    let starts = all[all.len().checked_sub(carried.len())?..].to_vec();
    Some(Parts {
        body,
        induction,
        carried,
        starts,
    })
}

#[cfg(test)]
mod tests {
    use super::Turns;

    fn count(lower: i64, upper: i64, step: i64) -> Option<u64> {
        Turns::new(lower, upper, step, false).map(|turns| turns.count)
    }

    #[test]
    fn turns_are_counted_as_the_loop_compares() {
        assert_eq!(count(0, 10, 3), Some(4));
        assert_eq!(count(-7, 8, 5), Some(3));
        assert_eq!(count(5, 5, 1), Some(0));
        assert_eq!(count(9, -9, 2), Some(0));
        assert_eq!(count(i64::MIN, i64::MAX, 1), Some(u64::MAX));
        assert_eq!(count(0, 4, 0), None);
        assert_eq!(count(4, 0, -1), None);
        assert_eq!(
            Turns::new(0, -1, 1 << 62, true).map(|turns| turns.count),
            Some(4)
        );
    }

    #[test]
    fn induction_variables_go_down_below_zero() {
        let turns = Turns::new(-7, 8, 5, false).unwrap();
        assert_eq!([0, 1, 2].map(|turn| turns.at(turn)), [-7, -2, 3]);
    }
}
