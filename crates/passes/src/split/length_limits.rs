//! Which chains may run along a length: those whose code is the same for each length, and that `memplan-verify` follows.

use super::{length_shapes::LengthShapes, read::BlockReading};
use crate::shapes::LONG;
use memplan_mlir::affine_map::Expression;
use memplan_semantics::{Semantics, length_period};
use memplan_strips::{
    chain::{SplitBuffer, Spread},
    frontiers::Frontiers,
    program::{Program, Role},
    views::{Groups, Step},
};
use smallvec::SmallVec;

/// Rows of a strip of the result with the fewest rows.
pub const HEIGHT: i64 = 1;

/// Most rows of a strip, and most strips that only fill line buffers: `memplan-verify` runs lengths of three times as many
/// strips, for each number of rows by which the last one is shorter.
const MOST_ROWS: i64 = 64;
const MOST_EARLY: i64 = 64;

/// Longest period of sizes: `memplan-verify` runs as many lengths, and more.
const LONGEST_PERIOD: i64 = 128;

/// What it takes other numbers for that the function gets, and a length for which all operations have some rows.
const OTHERS: [i64; 2] = [1009, 1024];
const LENGTH: i64 = 1 << 16;

/// Whether a chain needs more rows than are followed.
pub fn is_too_long(spread: &Spread) -> bool {
    let Ok(frontiers) = Frontiers::of(spread, HEIGHT, 0) else {
        return false;
    };
    let mut fronts = frontiers.nodes.iter();
    frontiers.first < -MOST_EARLY || fronts.any(|front| front.rate > MOST_ROWS)
}

/// Whether a chain needs rows more than once, or has another length, too: other chains run item by item.
pub fn is_new(
    program: &Program,
    spread: &Spread,
    frontiers: &Frontiers,
    shapes: &LengthShapes<'_>,
) -> bool {
    let is_length = |size: i64| shapes.expression(size).is_some();
    let fronts = frontiers.nodes.iter();
    let is_in_step = fronts
        .clone()
        .all(|front| (front.rate, front.ahead) == (1, 0))
        && !frontiers.buffers.iter().any(|front| front.is_carried());
    let between = spread.buffers.iter();
    let mut between = between.filter(|split| split.role == Role::Between);
    let has_other = between.any(|split| {
        let shape = &program.buffer(split.buffer).shape;
        let lengths = shape.iter().filter(|size| is_length(**size));
        lengths.count() > 1
    });
    !is_in_step || has_other
}

/// Whether a chain may run along a length, and has something between its operations that gets smaller.
pub fn fits(
    reading: &BlockReading<'_>,
    spread: &Spread,
    frontiers: &Frontiers,
    semantics: &mut Semantics,
    shapes: &LengthShapes<'_>,
) -> bool {
    let mut ops = spread
        .links
        .iter()
        .map(|link| reading.ops[link.node.index()]);
    let program = &reading.program;
    !spread.accumulates
        && along(spread, shapes)
            .is_some_and(|along| grows_in_step(program, spread, frontiers, shapes, along))
        && has_known_windows(program, spread, shapes)
        && ops.all(|op| semantics.linear_loops(op).is_some())
        && gets_smaller(program, spread, frontiers, shapes)
}

/// The numbers that the function gets and a size depends on, as bits.
fn inputs(size: i64, shapes: &LengthShapes<'_>) -> u64 {
    shapes.expression(size).map_or(0, Expression::inputs)
}

/// The number that the function gets and on which all rows depend.
fn along(spread: &Spread, shapes: &LengthShapes<'_>) -> Option<u32> {
    let links = spread.links.iter().map(|link| link.extent);
    let mut rows = links.chain(spread.buffers.iter().map(|split| split.rows));
    let all = rows.try_fold(0, |all, rows| match inputs(rows, shapes) {
        0 => None,
        one => Some(all | one),
    })?;
    (all.count_ones() == 1).then(|| all.trailing_zeros())
}

/// Whether all sizes grow with the length in step, so that `memplan-verify` runs a period of lengths.
fn grows_in_step(
    program: &Program,
    spread: &Spread,
    frontiers: &Frontiers,
    shapes: &LengthShapes<'_>,
    along: u32,
) -> bool {
    let mut sizes: Vec<&Expression> = Vec::new();
    let mut rates = Vec::new();
    let mut add = |size: i64| {
        let size = shapes.expression(size)?;
        let known = sizes.iter().position(|known| *known == size);
        Some(known.unwrap_or_else(|| {
            sizes.push(size);
            sizes.len() - 1
        }))
    };
    for (link, front) in spread.links.iter().zip(&frontiers.nodes) {
        let node = program.node(link.node);
        for (number, one) in node.loops.iter().enumerate() {
            let at = add(one.extent);
            if let Some(at) = at.filter(|_| number as u32 == link.split) {
                rates.push((at, front.rate));
            }
        }
        for access in &node.accesses {
            for size in &program.buffer(access.buffer).shape {
                add(*size);
            }
        }
    }
    let is_followed = |size: &&Expression| {
        OTHERS.into_iter().all(|others| {
            let inputs = 0..shapes.unknowns().len() as u32;
            let values = inputs.map(|at| if at == along { LENGTH } else { others });
            let values: Vec<i64> = values.collect();
            size.at(&values).is_some_and(|size| size > 0)
        })
    };
    let period = length_period(&sizes, along, &rates);
    let period = period.filter(|(period, _)| *period <= LONGEST_PERIOD);
    period.is_some_and(|(period, _)| {
        let lengths = Lengths {
            shapes,
            sizes: &sizes,
            along,
            period,
        };
        sizes.iter().all(is_followed) && are_inside(program, spread, &lengths)
    })
}

/// Lengths at which all sizes are above 0.
struct Lengths<'a, 'c> {
    shapes: &'a LengthShapes<'c>,
    sizes: &'a [&'a Expression],
    along: u32,
    period: i64,
}

impl Lengths<'_, '_> {
    /// A size as an expression.
    fn size(&self, size: i64) -> Expression {
        let known = self.shapes.expression(size).cloned();
        known.unwrap_or(Expression::Constant(size))
    }

    /// Whether a number is never negative at any of them: not for a period of them, nor does it become less.
    fn is_never_negative(&self, number: &Expression) -> bool {
        let at = |length: i64| {
            let inputs = 0..self.shapes.unknowns().len() as u32;
            let values = inputs.map(|at| if at == self.along { length } else { OTHERS[0] });
            values.collect::<Vec<i64>>()
        };
        let is_one = |values: &[i64]| {
            let mut sizes = self.sizes.iter();
            sizes.all(|size| size.at(values).is_some_and(|size| size > 0))
        };
        let grows = number.growth(self.along, self.period);
        let lengths = (1..LENGTH).map(at).filter(|values| is_one(values));
        let mut first = lengths.take(usize::try_from(self.period).unwrap_or(usize::MAX));
        grows.is_some_and(|growth| growth >= 0)
            && first.all(|values| number.at(&values).is_some_and(|number| number >= 0))
    }
}

/// `size - offset - (count - 1) * stride - 1`: what is left of a size after the last element of a part.
fn left(size: Expression, offset: i64, count: Expression, stride: i64) -> Expression {
    let part = Expression::Product(Box::new(count), -stride);
    let rest = Expression::Constant(stride - offset - 1);
    let sum = |one: Expression, other: Expression| Expression::Sum(Box::new([one, other]));
    sum(sum(size, part), rest).simplified()
}

/// Whether rows that operations touch are inside of memory at each length, not only at those for which the program is right:
/// `memplan-verify` runs all of them.
fn are_inside(program: &Program, spread: &Spread, lengths: &Lengths<'_, '_>) -> bool {
    spread.links.iter().all(|link| {
        let node = program.node(link.node);
        node.accesses.iter().all(|access| {
            let mut shape: SmallVec<[i64; 4]> = program.buffer(access.buffer).shape.clone();
            for step in &program.view(access).steps {
                match step {
                    Step::Part {
                        offsets,
                        sizes,
                        strides,
                        becomes,
                    } => {
                        for (at, size) in shape.iter().enumerate() {
                            let [size, count] = [*size, sizes[at]].map(|size| lengths.size(size));
                            let rest = left(size, offsets[at], count, strides[at]);
                            if !lengths.is_never_negative(&rest) {
                                return false;
                            }
                        }
                        let kept = becomes.iter().zip(sizes).filter(|(to, _)| to.is_some());
                        shape = kept.map(|(_, size)| *size).collect();
                    }
                    Step::Transpose { order } => {
                        shape = order.iter().map(|from| shape[*from as usize]).collect();
                    }
                    Step::Expand(groups) => shape = groups.shape.iter().copied().collect(),
                    Step::Collapse(groups) => {
                        let size = |group: &SmallVec<[u32; 4]>| {
                            let sizes = group.iter().map(|at| groups.shape[*at as usize]);
                            sizes.product::<i64>()
                        };
                        shape = groups.groups.iter().map(size).collect();
                    }
                }
            }
            access.indices.iter().zip(shape).all(|(index, size)| {
                let walks = index.coefficient(link.split);
                if walks == 0 {
                    return true;
                }
                let others = index.terms.iter().filter(|(one, _)| *one != link.split);
                let others = others.map(|(one, coefficient)| {
                    coefficient.max(&0) * (node.loops[*one as usize].extent - 1)
                });
                let most = index.constant + others.sum::<i64>();
                let count = lengths.size(link.extent);
                lengths.is_never_negative(&left(lengths.size(size), most, count, walks))
            })
        })
    })
}

/// Whether windows, and views between operations and memory, are the same for each length.
fn has_known_windows(program: &Program, spread: &Spread, shapes: &LengthShapes<'_>) -> bool {
    let is_length = |size: i64| shapes.expression(size).is_some();
    spread.links.iter().all(|link| {
        let node = program.node(link.node);
        let accesses = node.accesses.iter().zip(&link.windows);
        let mut split = accesses.filter(|(_, window)| window.is_some());
        split.all(|(access, _)| {
            let walks = access.indices.iter();
            let mut walks = walks.filter(|index| index.coefficient(link.split) != 0);
            let is_window = walks.all(|index| {
                let mut others = index.terms.iter().filter(|(one, _)| *one != link.split);
                others.all(|(one, _)| !is_length(node.loops[*one as usize].extent))
            });
            let steps = &program.view(access).steps;
            let shape = &program.buffer(access.buffer).shape;
            is_window
                && steps.iter().all(|step| has_known_groups(step, &is_length))
                && has_own_sizes(steps, shape, &|size| inputs(size, shapes))
        })
    })
}

/// Whether what lies between the operations has fewer elements in strips than as a whole, where numbers are long.
fn gets_smaller(
    program: &Program,
    spread: &Spread,
    frontiers: &Frontiers,
    shapes: &LengthShapes<'_>,
) -> bool {
    let values = vec![LONG.cast_signed(); shapes.unknowns().len()];
    let elements = |split: &SplitBuffer, rows: Option<i64>| {
        let shape = program.buffer(split.buffer).shape.iter().enumerate();
        let sizes = shape.map(|(at, size)| {
            let known = rows.filter(|_| at as u32 == split.dimension);
            let known = known.or_else(|| shapes.expression(*size)?.at(&values));
            known.unwrap_or(*size)
        });
        sizes.fold(1_i64, i64::saturating_mul)
    };
    let both = spread.buffers.iter().zip(&frontiers.buffers);
    let between = both.filter(|(split, _)| split.role == Role::Between);
    let (mut before, mut after) = (0_i64, 0_i64);
    for (split, front) in between {
        before = before.saturating_add(elements(split, None));
        after = after.saturating_add(elements(split, Some(front.rows())));
    }
    after < before
}

/// Whether parts have sizes that depend on the same numbers as what they are parts of: other parts may be inside of it for
/// some numbers only.
fn has_own_sizes(steps: &[Step], shape: &[i64], inputs: &dyn Fn(i64) -> u64) -> bool {
    let mut shape: Vec<u64> = shape.iter().map(|size| inputs(*size)).collect();
    for step in steps {
        match step {
            Step::Part { sizes, becomes, .. } => {
                let own: Vec<u64> = sizes.iter().map(|size| inputs(*size)).collect();
                let mut both = own.iter().zip(&shape);
                if both.any(|(own, all)| own & !all != 0) {
                    return false;
                }
                let kept = becomes.iter().zip(own).filter(|(to, _)| to.is_some());
                shape = kept.map(|(_, size)| size).collect();
            }
            Step::Transpose { order } => {
                shape = order.iter().map(|from| shape[*from as usize]).collect();
            }
            Step::Expand(groups) => {
                shape = groups.shape.iter().map(|size| inputs(*size)).collect();
            }
            Step::Collapse(groups) => {
                let size = |group: &SmallVec<[u32; 4]>| {
                    let sizes = group.iter().map(|at| inputs(groups.shape[*at as usize]));
                    sizes.fold(0, |all, one| all | one)
                };
                shape = groups.groups.iter().map(size).collect();
            }
        }
    }
    true
}

/// Whether of dimensions that are grouped, all but the outermost have sizes that are known.
fn has_known_groups(step: &Step, is_length: &dyn Fn(i64) -> bool) -> bool {
    let (Step::Expand(groups) | Step::Collapse(groups)) = step else {
        return true;
    };
    let Groups { groups, shape } = groups;
    groups.iter().all(|group| {
        let sizes = group.iter().map(|at| shape[*at as usize]);
        let mut sizes = sizes.skip_while(|size| *size == 1).skip(1);
        sizes.all(|size| !is_length(size))
    })
}
