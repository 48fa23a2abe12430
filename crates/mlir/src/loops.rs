//! Parallel loops whose turns can be counted.

use crate::{
    build::{self, short_integers},
    ir::{Op, Origin, Val, operands, origin},
    names::{Known, Names},
};
use melior::ir::{attribute::DenseI64ArrayAttribute, operation::OperationLike};

/// One dimension of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Where the induction variable starts.
    pub lower: i64,
    /// What it grows by.
    pub step: i64,
    /// How many values it takes.
    pub turns: u64,
}

impl Dimension {
    fn new(lower: i64, upper: i64, step: i64) -> Option<Self> {
        let span = upper.checked_sub(lower)?;
        let turns = if span <= 0 {
            0
        } else {
            u64::try_from(span)
                .ok()?
                .div_ceil(u64::try_from(step).ok().filter(|step| *step > 0)?)
        };
        Some(Self { lower, step, turns })
    }
}

/// The dimensions of an `scf.parallel` or `scf.forall` whose bounds are constants, and how many
/// turns there are; `None` for any other operation.
pub fn dimensions(op: Op<'_>, names: &mut Names) -> Option<(Vec<Dimension>, u64)> {
    let bounds = match names.info(op).known {
        Known::ScfParallel => of_parallel(op, names)?,
        Known::Forall => of_forall(op)?,
        _ => return None,
    };
    let dimensions: Option<Vec<Dimension>> = bounds
        .into_iter()
        .map(|[lower, upper, step]| Dimension::new(lower, upper, step))
        .collect();
    let dimensions = dimensions?;
    let turns = dimensions
        .iter()
        .try_fold(1_u64, |turns, dimension| turns.checked_mul(dimension.turns))?;
    Some((dimensions, turns))
}

fn of_parallel(op: Op<'_>, names: &mut Names) -> Option<Vec<[i64; 3]>> {
    let segments = short_integers(op, "operandSegmentSizes")?;
    let count = usize::try_from(*segments.first()?).ok()?;
    let constants: Option<Vec<i64>> = operands(op)
        .take(3 * count)
        .map(|value| constant(value, names))
        .collect();
    let constants = constants.filter(|constants| constants.len() == 3 * count)?;
    Some(
        (0..count)
            .map(|index| {
                [
                    constants[index],
                    constants[count + index],
                    constants[2 * count + index],
                ]
            })
            .collect(),
    )
}

fn of_forall(op: Op<'_>) -> Option<Vec<[i64; 3]>> {
    let list = |name: &str| {
        let list = DenseI64ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
        let values = (0..list.len()).map(|index| list.element(index).ok());
        // What is only known at run time is there as the least integer.
        let values: Option<Vec<i64>> = values
            .map(|value| value.filter(|value| *value != i64::MIN))
            .collect();
        values
    };
    let (lower, upper, step) = (
        list("staticLowerBound")?,
        list("staticUpperBound")?,
        list("staticStep")?,
    );
    (lower.len() == upper.len() && lower.len() == step.len()).then(|| {
        (0..lower.len())
            .map(|index| [lower[index], upper[index], step[index]])
            .collect()
    })
}

fn constant(value: Val<'_>, names: &mut Names) -> Option<i64> {
    match origin(value)? {
        Origin::Result(op, _) if names.info(op).known == Known::Constant => {
            build::integer(op, "value")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Dimension;

    fn turns(lower: i64, upper: i64, step: i64) -> Option<u64> {
        Dimension::new(lower, upper, step).map(|dimension| dimension.turns)
    }

    #[test]
    fn a_last_step_that_is_cut_off_counts() {
        assert_eq!(turns(0, 10, 1), Some(10));
        assert_eq!(turns(2, 17, 2), Some(8));
        assert_eq!(turns(-5, 5, 3), Some(4));
    }

    #[test]
    fn what_is_empty_has_no_turn_and_what_makes_no_sense_no_number() {
        assert_eq!(turns(4, 4, 1), Some(0));
        assert_eq!(turns(5, 4, 1), Some(0));
        assert_eq!(turns(0, 4, 0), None);
        assert_eq!(turns(0, 4, -1), None);
        assert_eq!(turns(i64::MIN, i64::MAX, 1), None);
    }
}
