//! Loops: their bounds, trip counts and loop-carried values.
//!
//! Most facts come from `LoopLikeOpInterface`. The tables of dialects state which loops count, and what the interface
//! lacks: bounds that are affine maps, and unsigned comparisons.

use crate::{
    constants::{Env, NonConstantReason, evaluate, no_known_values, why_not_constant},
    form::Form,
    semantics::Semantics,
    statement::{Bounds, Maps},
};
use memplan_mlir::{
    affine,
    build::{array_of_integers, dense_integers, integer},
    copy::integer_width,
    ir::{Block, Op, Origin, Val, arguments, blocks, operands, origin, regions, type_of},
    loops::{LoopBound, LoopParts, parts, static_trip_count},
    melior::ir::operation::OperationLike,
};
use smallvec::SmallVec;

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Iterations run one after another. Otherwise they may run in parallel, or the order is not known.
    pub in_order: bool,
    /// The induction variables, the last one fastest; empty if the loop does not count, or if its bounds are not
    /// known.
    pub dimensions: SmallVec<[Dimension<'c>; 1]>,
    /// The loop-carried values.
    pub carried: Vec<Carried<'c>>,
}

/// The range of an induction variable.
#[derive(Clone, Debug)]
pub struct Dimension<'c> {
    /// Lower bound, inclusive.
    pub lower: Bound<'c>,
    /// Upper bound, exclusive.
    pub upper: Bound<'c>,
    /// Step.
    pub step: Bound<'c>,
    /// Comparisons are unsigned.
    pub unsigned: bool,
    /// The induction variable.
    pub induction: Val<'c>,
}

/// A bound or a step.
#[derive(Clone, Debug)]
pub enum Bound<'c> {
    /// A constant.
    Constant(i64),
    /// A value.
    Value(Val<'c>),
    /// The maximum or the minimum of results of an affine map.
    Map {
        /// The name of the loop's attribute with the map.
        map: &'static str,
        /// The operands of the map.
        operands: Vec<Val<'c>>,
        /// The results; `None` for all.
        results: Option<Vec<usize>>,
        /// The maximum of the results, otherwise the minimum.
        largest: bool,
    },
}

/// A loop-carried value.
#[derive(Clone, Copy, Debug)]
pub struct Carried<'c> {
    /// The initial value.
    pub start: Val<'c>,
    /// The argument of the body.
    pub argument: Val<'c>,
    /// The value that an iteration yields to the next one.
    pub yielded: Val<'c>,
}

/// The values of an induction variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterations {
    /// The value in the first iteration.
    pub lower: i64,
    /// The step.
    pub step: i64,
    /// The number of iterations.
    pub count: u64,
}

impl Iterations {
    /// The value in an iteration.
    pub const fn at(&self, iteration: u64) -> i64 {
        let grown = self.step.wrapping_mul(iteration as i64);
        self.lower.wrapping_add(grown)
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

/// The reason why the iterations of a loop cannot be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotConstant {
    /// This part of the loop is not constant.
    Part(&'static str, NonConstantReason),
    /// The step is not positive.
    Step(i64),
    /// The induction variable has more than 64 bits.
    Wide,
}

impl NotConstant {
    /// The reason in words.
    pub fn text(self) -> String {
        match self {
            Self::Part(part, why) => format!("its {part} {}", why.text()),
            Self::Step(step) => format!("its step is {step}: it must be at least 1"),
            Self::Wide => "its induction variable has more than 64 bits".to_owned(),
        }
    }
}

/// The loop does not count, or its bounds are not known.
const UNCOUNTED: NotConstant = NotConstant::Part("trip count", NonConstantReason::Other);
const LOWER: &str = "lower bound";
const UPPER: &str = "upper bound";
const STEP: &str = "step";

impl<'c> Loop<'c> {
    /// The loop of an operation; `None` if it does not implement `LoopLikeOpInterface`.
    pub fn of(op: Op<'c>, semantics: &mut Semantics) -> Option<Self> {
        if !semantics.info(op).is_loop() {
            return None;
        }
        let parts = parts(op)?;
        let dimensions = semantics.bounds(op).and_then(|bounds| match bounds {
            Bounds::Interface { unsigned } => {
                let unsigned = unsigned.is_some_and(|name| op.has_attribute(name));
                of_interface(&parts, unsigned)
            }
            Bounds::Maps(maps) => of_maps(op, &parts, &maps),
        });
        let inits = parts.inits.iter().zip(&parts.carried);
        let carried = inits.zip(&parts.yielded);
        let count = parts.inits.len();
        let is_whole = [parts.carried.len(), parts.yielded.len()] == [count; 2];
        Some(Self {
            op,
            in_order: semantics.form(op) == Form::Counted,
            dimensions: dimensions.unwrap_or_default(),
            carried: carried
                .filter(|_| is_whole)
                .map(|((start, argument), yielded)| Carried {
                    start: *start,
                    argument: *argument,
                    yielded: *yielded,
                })
                .collect(),
        })
    }

    /// The block whose arguments are the induction variables.
    pub fn body(&self) -> Option<Block<'c>> {
        match origin(self.dimensions.first()?.induction)? {
            Origin::Argument(block, _) => Some(block),
            Origin::Result(..) => None,
        }
    }

    /// The iterations of each dimension; `env` has additional known values.
    pub fn iterations(
        &self,
        semantics: &mut Semantics,
        env: Env<'_, 'c>,
    ) -> Result<SmallVec<[Iterations; 1]>, NotConstant> {
        let mut all = SmallVec::new();
        for dimension in &self.dimensions {
            let [lower, upper, step] = self.numbers(dimension, semantics, env)?;
            let width = integer_width(type_of(dimension.induction)).unwrap_or(64);
            // Constants are sign-extended.
            let plain = |number: i64| match dimension.unsigned && width < 64 {
                true => number & ((1 << width) - 1),
                false => number,
            };
            let iterations =
                Iterations::new(plain(lower), plain(upper), plain(step), dimension.unsigned);
            all.push(iterations.ok_or(NotConstant::Step(step))?);
        }
        Ok(all)
    }

    /// The dimension of a sequential loop with one induction variable; `None` for other loops.
    pub fn only_dimension(&self) -> Option<&Dimension<'c>> {
        match self.dimensions.as_slice() {
            [only] if self.in_order => Some(only),
            _ => None,
        }
    }

    /// The iterations of a sequential loop with one induction variable.
    ///
    /// # Errors
    ///
    /// The reason why another loop cannot be counted.
    pub fn counted(
        &self,
        semantics: &mut Semantics,
        env: Env<'_, 'c>,
    ) -> Result<Iterations, NotConstant> {
        match self.iterations(semantics, env)?.as_slice() {
            [only] if self.in_order => Ok(*only),
            _ => Err(UNCOUNTED),
        }
    }

    /// Are the bounds and steps constant, or the trip count?
    ///
    /// # Errors
    ///
    /// The first part that is not constant.
    pub fn is_constant(
        &self,
        semantics: &mut Semantics,
        env: Env<'_, 'c>,
    ) -> Result<(), NotConstant> {
        if self.dimensions.is_empty() && static_trip_count(self.op).is_none() {
            return Err(UNCOUNTED);
        }
        // Bounds of all dimensions first: users look for these.
        type Part = for<'d, 'v> fn(&'d Dimension<'v>) -> &'d Bound<'v>;
        let parts: [(&'static str, Part); 3] = [
            (LOWER, |one| &one.lower),
            (UPPER, |one| &one.upper),
            (STEP, |one| &one.step),
        ];
        for (name, part) in parts {
            for dimension in &self.dimensions {
                self.number(part(dimension), name, semantics, env)?;
            }
        }
        Ok(())
    }

    fn numbers(
        &self,
        dimension: &Dimension<'c>,
        semantics: &mut Semantics,
        env: Env<'_, 'c>,
    ) -> Result<[i64; 3], NotConstant> {
        Ok([
            self.number(&dimension.lower, LOWER, semantics, env)?,
            self.number(&dimension.upper, UPPER, semantics, env)?,
            self.number(&dimension.step, STEP, semantics, env)?,
        ])
    }

    fn number(
        &self,
        bound: &Bound<'c>,
        part: &'static str,
        semantics: &mut Semantics,
        env: Env<'_, 'c>,
    ) -> Result<i64, NotConstant> {
        let mut value = |value: Val<'c>| {
            if integer_width(type_of(value)).is_none_or(|width| width > 64) {
                return Err(NotConstant::Wide);
            }
            let number = evaluate(value, semantics, env);
            number.ok_or_else(|| NotConstant::Part(part, why_not_constant(value, semantics)))
        };
        match bound {
            Bound::Constant(number) => Ok(*number),
            Bound::Value(bound) => value(*bound),
            Bound::Map {
                map,
                operands,
                results,
                largest,
            } => {
                let numbers: Result<Vec<i64>, NotConstant> =
                    operands.iter().map(|operand| value(*operand)).collect();
                let all = affine::evaluate(self.op, map, &numbers?);
                let all = all.ok_or(NotConstant::Part(part, NonConstantReason::Other))?;
                let chosen: Vec<i64> = match results {
                    None => all,
                    Some(positions) => {
                        let positions = positions.iter();
                        positions.filter_map(|at| all.get(*at).copied()).collect()
                    }
                };
                let found = match largest {
                    true => chosen.into_iter().max(),
                    false => chosen.into_iter().min(),
                };
                found.ok_or(NotConstant::Part(part, NonConstantReason::Other))
            }
        }
    }
}

/// Dimensions whose bounds the interface provides.
fn of_interface<'c>(parts: &LoopParts<'c>, unsigned: bool) -> Option<SmallVec<[Dimension<'c>; 1]>> {
    let count = parts.induction.len();
    let lists = [&parts.lower, &parts.upper, &parts.step];
    if lists.iter().any(|list| list.len() != count) {
        return None;
    }
    let bound = |number: LoopBound<'c>| match number {
        LoopBound::Constant(number) => Bound::Constant(number),
        LoopBound::Value(value) => Bound::Value(value),
    };
    let all = parts.induction.iter().enumerate();
    let all = all.map(|(at, induction)| Dimension {
        lower: bound(parts.lower[at]),
        upper: bound(parts.upper[at]),
        step: bound(parts.step[at]),
        unsigned,
        induction: *induction,
    });
    Some(all.collect())
}

/// Dimensions whose bounds are results of affine maps. The operands of the maps are the first ones of the loop.
fn of_maps<'c>(
    op: Op<'c>,
    parts: &LoopParts<'c>,
    maps: &Maps,
) -> Option<SmallVec<[Dimension<'c>; 1]>> {
    let all: Vec<Val<'c>> = operands(op).collect();
    let first = affine::inputs(op, maps.lower)?;
    let second = affine::inputs(op, maps.upper)?;
    let lower = all.get(..first)?.to_vec();
    let upper = all.get(first..first.checked_add(second)?)?.to_vec();
    let steps = match maps.groups {
        None => vec![integer(op, maps.steps).unwrap_or(1)],
        Some(_) => array_of_integers(op, maps.steps)?,
    };
    let body = || blocks(regions(op).next()?).next();
    let induction: Vec<Val<'c>> = match parts.induction.is_empty() {
        true => arguments(body()?).take(steps.len()).collect(),
        false => parts.induction.clone(),
    };
    let count = induction.len();
    let [lower_groups, upper_groups] = match maps.groups {
        None => [vec![None; count], vec![None; count]],
        Some(names) => {
            let [lower, upper] = names.map(|name| groups(op, name));
            [lower?, upper?]
        }
    };
    if [steps.len(), lower_groups.len(), upper_groups.len()] != [count; 3] {
        return None;
    }
    let bounds = lower_groups.into_iter().zip(upper_groups).zip(steps);
    let dimensions = bounds.zip(induction);
    let dimensions = dimensions.map(
        |(((lower_group, upper_group), step), induction)| Dimension {
            lower: Bound::Map {
                map: maps.lower,
                operands: lower.clone(),
                results: lower_group,
                largest: true,
            },
            upper: Bound::Map {
                map: maps.upper,
                operands: upper.clone(),
                results: upper_group,
                largest: false,
            },
            step: Bound::Constant(step),
            unsigned: false,
            induction,
        },
    );
    Some(dimensions.collect())
}

/// The results of a map that are bounds of each dimension; the attribute has the number of consecutive results for
/// each.
fn groups(op: Op<'_>, name: &str) -> Option<Vec<Option<Vec<usize>>>> {
    let mut first = 0_usize;
    let mut all = Vec::new();
    for count in dense_integers(op, name)? {
        let end = first.checked_add(usize::try_from(count).ok()?)?;
        all.push(Some((first..end).collect()));
        first = end;
    }
    Some(all)
}

/// The constant trip count of a loop, over all dimensions; `None` for other operations.
pub fn trip_count(op: Op<'_>, semantics: &mut Semantics) -> Option<u64> {
    let found = Loop::of(op, semantics)?;
    match found.iterations(semantics, &no_known_values) {
        Ok(all) if !all.is_empty() => {
            let mut counts = all.iter().map(|iterations| iterations.count);
            counts.try_fold(1_u64, u64::checked_mul)
        }
        // Bounds may differ by a constant.
        Ok(_) | Err(NotConstant::Part(..)) => static_trip_count(op),
        Err(_) => None,
    }
}

/// The iterations of each dimension of a parallel loop, and their total number, if constant; `None` for other
/// operations.
pub fn parallel_iterations(
    op: Op<'_>,
    semantics: &mut Semantics,
) -> Option<(Vec<Iterations>, u64)> {
    let found = Loop::of(op, semantics)?;
    if found.in_order || found.dimensions.is_empty() {
        return None;
    }
    let all = found
        .iterations(semantics, &no_known_values)
        .ok()?
        .into_vec();
    let mut counts = all.iter().map(|iterations| iterations.count);
    let count = counts.try_fold(1_u64, u64::checked_mul)?;
    Some((all, count))
}

#[cfg(test)]
mod tests {
    use super::Iterations;

    fn count(lower: i64, upper: i64, step: i64) -> Option<u64> {
        Iterations::new(lower, upper, step, false).map(|iterations| iterations.count)
    }

    #[test]
    fn iterations_are_counted_as_the_loop_compares() {
        assert_eq!(count(0, 10, 3), Some(4));
        assert_eq!(count(2, 17, 2), Some(8));
        assert_eq!(count(-7, 8, 5), Some(3));
        assert_eq!(count(5, 5, 1), Some(0));
        assert_eq!(count(9, -9, 2), Some(0));
        assert_eq!(count(i64::MIN, i64::MAX, 1), Some(u64::MAX));
        assert_eq!(count(0, 4, 0), None);
        assert_eq!(count(4, 0, -1), None);
        assert_eq!(
            Iterations::new(0, -1, 1 << 62, true).map(|iterations| iterations.count),
            Some(4)
        );
    }

    #[test]
    fn induction_variables_go_down_below_zero() {
        let iterations = Iterations::new(-7, 8, 5, false).unwrap();
        assert_eq!(
            [0, 1, 2].map(|iteration| iterations.at(iteration)),
            [-7, -2, 3]
        );
    }
}
