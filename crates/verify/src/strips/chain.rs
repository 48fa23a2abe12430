//! Views between an operand and the memory that it sees.

use super::{
    fault::Stop,
    numbers::{Number, Places, Sizes, Values},
    sum::Sum,
};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{Op, Origin, Val, operands, origin, type_of},
    layout::{element_count, rank, static_dimension},
    strides::is_injective,
};
use memplan_semantics::{Number as Given, Semantics, ViewStep};
use smallvec::{SmallVec, smallvec};

/// One index per dimension.
pub type Indices = SmallVec<[Sum; 6]>;

/// A view of a memref.
#[derive(Clone, Debug)]
enum Step {
    /// A part: for each dimension of the source its first element, the number of elements, their distance, and whether the
    /// view does not have it.
    Part(Vec<(PartNumbers, bool)>),
    /// Dimension i of the view is this one of the source.
    Permuted(Vec<u32>),
    /// Each dimension of the source is divided into these, of sizes that are -1 where they depend on the strip.
    Divided(Vec<Vec<u32>>, Sizes),
    /// Each dimension of the view is merged from these of the source.
    Merged(Vec<Vec<u32>>),
}

/// What an operand sees.
#[derive(Clone, Debug)]
pub struct Chain<'c> {
    /// The memory.
    pub root: Val<'c>,
    /// Its shape.
    pub shape: Sizes,
    /// Whether it is defined in the strips.
    pub is_inside: bool,
    /// From the memory to the operand.
    steps: Vec<Step>,
}

/// The numbers of a part of a memref: for each dimension its first element, the number of elements, and their distance.
pub type PartNumbers = [Number; 3];

/// The sizes of a memref type, -1 where they are dynamic.
fn sizes_of(value: Val<'_>) -> Option<Sizes> {
    let dimensions = i64::try_from(rank(type_of(value))?).ok()?;
    let size = |at| static_dimension(type_of(value), at).unwrap_or(-1);
    Some((0..dimensions).map(size).collect())
}

/// Whether each element of memory has an address of its own.
pub fn has_distinct_elements(memory: Val<'_>, semantics: &mut Semantics) -> bool {
    let mut memory = memory;
    loop {
        let r#type = type_of(memory);
        if is_injective(r#type) || element_count(r#type) == Some(0) {
            return true;
        }
        // A view has each element of its source at most once.
        let Some(Origin::Result(op, 0)) = origin(memory) else {
            return false;
        };
        let is_apart = match semantics.view_step(op) {
            Some(ViewStep::Slice(slice)) => {
                let mut strides = slice.strides.iter();
                strides.all(|stride| stride.constant().is_some_and(|stride| stride > 0))
            }
            step => step.is_some(),
        };
        match operands(op).next().filter(|_| is_apart) {
            Some(source) => memory = source,
            None => return false,
        }
    }
}

/// Most elements of memory that is followed, so that sums and products of its rows fit.
const MOST_ELEMENTS: i64 = 1 << 48;

fn is_static(sizes: &Sizes) -> bool {
    let count = sizes
        .iter()
        .fold(1_i64, |count, size| count.saturating_mul((*size).max(1)));
    sizes.iter().all(|size| *size >= 0) && count <= MOST_ELEMENTS
}

/// Follows a value to its memory. Views outside of the strips are those of the program before it was split: they are followed
/// if they are static.
pub fn follow<'c>(
    value: Val<'c>,
    is_inside: &dyn Fn(Op<'c>) -> bool,
    places: &mut Places<'_, 'c>,
    semantics: &mut Semantics,
) -> Option<Chain<'c>> {
    let (mut at, mut steps) = (value, Vec::new());
    loop {
        let next = match origin(at) {
            Some(Origin::Result(op, 0)) => step(op, at, is_inside(op), places, semantics),
            _ => None,
        };
        let Some((source, step)) = next else { break };
        steps.extend(step);
        at = source;
    }
    steps.reverse();
    let shape = places.shape(at, semantics).filter(is_static)?;
    let is_inside = match origin(at) {
        Some(Origin::Result(op, _)) => is_inside(op),
        _ => false,
    };
    Some(Chain {
        root: at,
        shape,
        is_inside,
        steps,
    })
}

fn step<'c>(
    op: Op<'c>,
    view: Val<'c>,
    is_inside: bool,
    places: &mut Places<'_, 'c>,
    semantics: &mut Semantics,
) -> Option<(Val<'c>, Option<Step>)> {
    let step = semantics.view_step(op)?;
    let source = operands(op).next()?;
    let (from, to) = (sizes_of(source)?, sizes_of(view)?);
    let is_known = is_inside || places.has_lengths() || (is_static(&from) && is_static(&to));
    if !is_known {
        return None;
    }
    let step = match step {
        ViewStep::Same => None,
        ViewStep::Permuted(order) => Some(Step::Permuted(order)),
        ViewStep::Divided(groups) => Some(Step::Divided(groups, to)),
        ViewStep::Merged(groups) => Some(Step::Merged(groups)),
        ViewStep::Slice(slice) => {
            // Views outside of the strips were followed only where their places are constants.
            let may_depend = [is_inside, is_inside || places.has_lengths(), is_inside];
            let dropped = dropped_dimensions(op, slice.sizes.len())?;
            let mut part = Vec::with_capacity(dropped.len());
            for (at, dropped) in dropped.into_iter().enumerate() {
                let given = [slice.offsets[at], slice.sizes[at], slice.strides[at]];
                let mut numbers = [Number::Constant(0); 3];
                for ((number, given), may_depend) in numbers.iter_mut().zip(given).zip(may_depend) {
                    *number = match given {
                        Given::Constant(number) => Number::Constant(number),
                        Given::Value(value) if may_depend => places.number(value, semantics)?,
                        Given::Value(_) => return None,
                    };
                }
                part.push((numbers, dropped));
            }
            Some(Step::Part(part))
        }
    };
    Some((source, step))
}

/// The product of sizes.
fn product<'s>(sizes: impl Iterator<Item = &'s i64>) -> Result<i64, Stop> {
    let mut sizes = sizes.copied();
    sizes.try_fold(1_i64, i64::checked_mul).ok_or(Stop::Number)
}

/// What a chain is in one strip: the shapes from the memory to the operand.
pub struct Seen<'a, 'c> {
    chain: &'a Chain<'c>,
    values: &'a Values,
    shapes: SmallVec<[Sizes; 4]>,
}

impl<'c> Chain<'c> {
    /// The numbers of the parts that it sees.
    pub fn parts(&self) -> impl Iterator<Item = &PartNumbers> {
        let parts = self.steps.iter().filter_map(|step| match step {
            Step::Part(part) => Some(part),
            _ => None,
        });
        parts.flatten().map(|(numbers, _)| numbers)
    }

    /// In the strip with these numbers.
    pub fn seen<'a>(&'a self, values: &'a Values) -> Result<Seen<'a, 'c>, Stop> {
        let mut shapes: SmallVec<[Sizes; 4]> = smallvec![self.shape.clone()];
        for step in &self.steps {
            let next = shape_after(step, &shapes[shapes.len() - 1], values)?;
            shapes.push(next);
        }
        Ok(Seen {
            chain: self,
            values,
            shapes,
        })
    }
}

fn shape_after(step: &Step, from: &Sizes, values: &Values) -> Result<Sizes, Stop> {
    Ok(match step {
        Step::Part(part) => {
            let mut sizes = Sizes::new();
            for (([offset, size, stride], dropped), all) in part.iter().zip(from) {
                let [offset, size, stride] = [offset, size, stride].map(|one| values.get(*one));
                let steps = (size - 1).checked_mul(stride).ok_or(Stop::Number)?;
                let last = offset.checked_add(steps).ok_or(Stop::Number)?;
                if offset < 0 || size < 1 || stride < 1 || last >= *all {
                    return Err(Stop::Bounds);
                }
                if !dropped {
                    sizes.push(size);
                }
            }
            sizes
        }
        Step::Permuted(order) => order.iter().map(|at| from[*at as usize]).collect(),
        Step::Divided(groups, to) => {
            let mut sizes = to.clone();
            for (group, all) in groups.iter().zip(from) {
                let known = group.iter().map(|at| &to[*at as usize]);
                let rest = product(known.filter(|size| **size >= 0))?;
                for at in group {
                    if to[*at as usize] < 0 {
                        sizes[*at as usize] = all.checked_div(rest).ok_or(Stop::Number)?;
                    }
                }
                if product(group.iter().map(|at| &sizes[*at as usize]))? != *all {
                    return Err(Stop::Bounds);
                }
            }
            sizes
        }
        Step::Merged(groups) => {
            let size = |group: &Vec<u32>| product(group.iter().map(|at| &from[*at as usize]));
            groups.iter().map(size).collect::<Result<_, _>>()?
        }
    })
}

impl Seen<'_, '_> {
    /// The shape of the operand.
    pub fn shape(&self) -> &Sizes {
        &self.shapes[self.shapes.len() - 1]
    }

    /// The indices in the memory of an element of the operand.
    pub fn indices(&self, own: &Indices, extents: &[i64]) -> Result<Indices, Stop> {
        let mut indices = own.clone();
        let shapes = self.shapes.iter().zip(&self.shapes[1..]);
        for (step, shapes) in self.chain.steps.iter().zip(shapes).rev() {
            indices = self.before(step, shapes, &indices, extents)?;
        }
        Ok(indices)
    }

    fn before(
        &self,
        step: &Step,
        (from, to): (&Sizes, &Sizes),
        view: &Indices,
        extents: &[i64],
    ) -> Result<Indices, Stop> {
        Ok(match step {
            Step::Part(part) => {
                let mut kept = view.iter();
                let mut indices = Indices::new();
                for ([offset, _, stride], dropped) in part {
                    let mut index = Sum::of(self.values.get(*offset));
                    if !dropped {
                        let seen = kept.next().ok_or(Stop::Number)?;
                        index.add(seen, self.values.get(*stride))?;
                    }
                    indices.push(index);
                }
                indices
            }
            Step::Permuted(order) => {
                let mut indices: Indices = from.iter().map(|_| Sum::default()).collect();
                for (index, at) in view.iter().zip(order) {
                    indices[*at as usize] = index.clone();
                }
                indices
            }
            Step::Divided(groups, _) => {
                let mut indices = Indices::new();
                for group in groups {
                    let (mut index, mut rows) = (Sum::default(), 1_i64);
                    for at in group.iter().rev() {
                        index.add(&view[*at as usize], rows)?;
                        rows = rows.checked_mul(to[*at as usize]).ok_or(Stop::Number)?;
                    }
                    indices.push(index);
                }
                indices
            }
            Step::Merged(groups) => {
                let mut indices: Indices = from.iter().map(|_| Sum::default()).collect();
                for (group, index) in groups.iter().zip(view) {
                    let mut rest = index.clone();
                    for (place, at) in group.iter().enumerate().rev() {
                        let size = from[*at as usize];
                        let one = match place {
                            0 => rest.clone(),
                            _ => rest.clone().remainder(size, extents)?,
                        };
                        rest = rest.quotient(size, extents)?;
                        indices[*at as usize] = one;
                    }
                }
                indices
            }
        })
    }
}
