//! Strips along a length that is known only at run time.
//!
//! The loops run for many lengths, as where all sizes are known. These are enough for all, because of a *period*: with that
//! many rows more, each size grows by its own number of rows, and there is a number of strips more. Between the first strips
//! and the last ones are *general* strips, in which no comparison depends on which strip it is (`general`). A length is
//! enough if it has more of these than any row is old when it is read: with a period more, there are only more strips that
//! do the same. So for each remainder of the period, lengths run until one is enough.
//!
//! Other sizes that are known only at run time are taken for two numbers, one after the other.

use super::{
    assumed::Assumed,
    body::{self, Result, not_followed, stop},
    fault::{Stop, StripFault},
    general::general_strips,
    machine::{self, Ran},
    numbers::Places,
    written,
};
use memplan_mlir::{
    affine_map::{Expression, results_of},
    attributes::{elements, entry, integers},
    ir::{Op, blocks, ops, regions},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    LengthReader, Semantics, Unknown,
    attributes::{LENGTHS, ROWS},
    length_period,
};
use std::cell::RefCell;

/// What other numbers are taken for.
const OTHERS: [i64; 2] = [1009, 1024];

/// Most lengths that are tried, and most steps of all.
const MOST_LENGTHS: i64 = 1 << 14;
const MOST_STEPS: u64 = 1 << 30;

/// Lengths for which an operation has no iterations, at most, before one is found for which all have some.
const MOST_EMPTY: i64 = 1 << 12;

/// What reads sizes, the inputs of recorded sizes, these, and the place of the length among the inputs.
type Chain<'a, 'c> = (
    &'a RefCell<LengthReader<'c>>,
    &'a [Unknown],
    &'a [Expression],
    usize,
);

/// Checks a loop over strips with `memplan.lengths`.
pub fn check<'c>(function: Op<'c>, op: Op<'c>, semantics: &mut Semantics) -> Result<'c, ()> {
    let Some((inputs, sizes)) = recorded(op) else {
        return not_followed(op, "`memplan.lengths` is malformed");
    };
    let reader = RefCell::new(LengthReader::of(function));
    let Some((along, rates)) = along(op, &sizes) else {
        return not_followed(op, "strips run along several lengths, or along none");
    };
    let all: Vec<&Expression> = sizes.iter().collect();
    let Some((period, added)) = length_period(&all, along as u32, &rates) else {
        return not_followed(op, "sizes do not grow with the length in step");
    };
    let mut steps = 0;
    let mut check = |others: i64, first: i64, semantics: &mut Semantics| {
        let chain = (&reader, &inputs[..], &sizes[..], along);
        check_lengths(
            op,
            chain,
            (others, first, period, added),
            &mut steps,
            semantics,
        )
    };
    let mut enough = Vec::new();
    for remainder in 0..period {
        enough.extend(check(OTHERS[0], remainder, semantics)?);
    }
    if enough.is_empty() {
        return not_followed(op, "no length was found for which all operations run");
    }
    // All that happens at some length happens at these.
    for length in enough {
        check(OTHERS[1], length, semantics)?;
    }
    Ok(())
}

/// Checks the lengths from the first one by the period, as many as are enough. Returns the last one, if there are any.
fn check_lengths<'c>(
    op: Op<'c>,
    (reader, inputs, sizes, along): Chain<'_, 'c>,
    (others, first, period, added): (i64, i64, i64, i64),
    steps: &mut u64,
    semantics: &mut Semantics,
) -> Result<'c, Option<i64>> {
    let (mut length, mut tried, mut empty) = (first, 0, 0);
    while tried < MOST_LENGTHS {
        let value = |at: usize| if at == along { length } else { others };
        let values: Vec<i64> = (0..inputs.len()).map(value).collect();
        let all = sizes.iter().map(|size| size.at(&values));
        let all = all.collect::<Option<Vec<i64>>>();
        length += period;
        let Some(sizes) = all.filter(|sizes| sizes.iter().all(|size| *size > 0)) else {
            // The program allocates a size below 0, or does nothing somewhere.
            empty += period;
            if tried > 0 || empty > MOST_EMPTY {
                return Ok(None);
            }
            continue;
        };
        tried += 1;
        let assumed = Assumed {
            reader,
            values: inputs.iter().copied().zip(values).collect(),
            others,
            sizes,
            along: inputs[along],
            period,
        };
        let at_length = |fault: StripFault<'c>| StripFault {
            stop: fault.stop.at_length(length - period),
            ..fault
        };
        let (general, ran) = run(op, &assumed, added, semantics).map_err(at_length)?;
        *steps += ran.steps;
        if *steps > MOST_STEPS {
            return stop(op, Stop::TooMuch);
        }
        if general > ran.oldest + 1 {
            return Ok(Some(length - period));
        }
    }
    stop(op, Stop::TooMuch)
}

/// Runs strips at a length. Returns how many of them are general, too.
fn run<'c>(
    op: Op<'c>,
    assumed: &Assumed<'_, 'c>,
    added: i64,
    semantics: &mut Semantics,
) -> Result<'c, (i64, Ran)> {
    let mut body = body::read(op, Places::assuming(assumed), semantics)?;
    written::check_order(&body)?;
    written::written(&mut body)?;
    written::check_roots(&body)?;
    let general = general_strips(&body, added).map_err(|stop| StripFault { op, stop })?;
    Ok((general, machine::run(&body)?))
}

/// What is recorded: the inputs, and the sizes.
fn recorded(op: Op<'_>) -> Option<(Vec<Unknown>, Vec<Expression>)> {
    let all = op.attribute(LENGTHS).ok()?;
    let (count, sizes) = results_of(entry(all, "sizes")?)?;
    let inputs = elements(entry(all, "inputs")?)?.into_iter().map(|input| {
        let [argument, dimension] = integers(input)?[..] else {
            return None;
        };
        Some(Unknown {
            argument: u32::try_from(argument).ok()?,
            dimension: match dimension {
                -1 => None,
                dimension => Some(u32::try_from(dimension).ok()?),
            },
        })
    });
    let inputs: Vec<Unknown> = inputs.collect::<Option<_>>()?;
    (inputs.len() == count).then_some((inputs, sizes))
}

/// The sizes that are extents of split loops, with the iterations of a strip.
type Rates = Vec<(usize, i64)>;

/// The input that split loops depend on.
fn along(op: Op<'_>, sizes: &[Expression]) -> Option<(usize, Rates)> {
    let mut rates = Rates::new();
    let mut open: Vec<_> = regions(op).flat_map(blocks).collect();
    while let Some(block) = open.pop() {
        for op in ops(block) {
            open.extend(regions(op).flat_map(blocks));
            let Ok(all) = op.attribute(ROWS) else {
                continue;
            };
            let extents = integers(entry(all, "loops")?)?;
            for split in elements(entry(all, "split")?)? {
                let split = integers(split)?;
                let [number, rate, _, _, ..] = split[..] else {
                    return None;
                };
                let extent = extents.get(usize::try_from(number).ok()?)?;
                rates.push((usize::try_from(-1 - extent).ok()?, rate));
            }
        }
    }
    rates.sort_unstable();
    rates.dedup();
    let inputs = rates
        .iter()
        .map(|(size, _)| Some(sizes.get(*size)?.inputs()));
    let inputs = inputs.collect::<Option<Vec<u64>>>()?;
    let inputs = inputs.into_iter().fold(0, |all, one| all | one);
    let is_one = inputs.count_ones() == 1 && inputs >> 63 == 0;
    is_one.then(|| (inputs.trailing_zeros() as usize, rates))
}
