//! Operands of operations in strips: the part of a buffer, or of what a strip holds of it, seen through the same views.

use super::numbers::Numbers;
use memplan_mlir::{
    build::{BuildError, Index},
    ir::Val,
};
use memplan_strips::views::{Groups, Scale, Step, View};
use smallvec::SmallVec;

/// A dimension that is split: rows of the memory from `start` on, of which the operand sees `count`.
#[derive(Clone, Copy)]
pub struct Rows<'c> {
    /// The dimension of the memory.
    pub dimension: u32,
    /// The first row.
    pub start: Index<'c>,
    /// Rows that the operand sees.
    pub count: Index<'c>,
}

type Sizes<'c> = SmallVec<[Index<'c>; 4]>;

/// A memref, and what is seen of it next.
struct Pending<'c> {
    value: Val<'c>,
    /// Its shape.
    shape: Sizes<'c>,
    offsets: Sizes<'c>,
    sizes: Sizes<'c>,
    strides: SmallVec<[i64; 4]>,
}

impl<'c> Pending<'c> {
    fn new(value: Val<'c>, shape: Sizes<'c>) -> Self {
        Self {
            value,
            offsets: shape.iter().map(|_| Index::Constant(0)).collect(),
            sizes: shape.clone(),
            strides: shape.iter().map(|_| 1).collect(),
            shape,
        }
    }

    /// Creates the view, without the dimensions that are dropped.
    fn flush(&mut self, numbers: &Numbers<'_, 'c>, dropped: &[bool]) -> Result<(), BuildError> {
        let is_all = !dropped.contains(&true)
            && self.sizes == self.shape
            && self
                .offsets
                .iter()
                .all(|offset| *offset == Index::Constant(0))
            && self.strides.iter().all(|stride| *stride == 1);
        if is_all {
            return Ok(());
        }
        // With one row, MLIR tells by the stride which dimensions are dropped.
        let strides = self.strides.iter().zip(&self.sizes);
        let strides: Sizes<'c> = strides
            .map(|(stride, size)| match size {
                Index::Constant(1) => Index::Constant(1),
                _ => Index::Constant(*stride),
            })
            .collect();
        let all = [&self.offsets[..], &self.sizes[..], &strides[..]];
        let value = if are_clear(&self.sizes, dropped) {
            numbers.builder.part(self.value, all, dropped)
        } else {
            let none: SmallVec<[bool; 4]> = dropped.iter().map(|_| false).collect();
            let part = numbers.builder.part(self.value, all, &none);
            numbers.builder.collapsed(part, &groups(dropped))?
        };
        let kept = self
            .sizes
            .iter()
            .zip(dropped)
            .filter(|(_, dropped)| !**dropped);
        *self = Self::new(value, kept.map(|(size, _)| *size).collect());
        Ok(())
    }

    fn flush_all(&mut self, numbers: &Numbers<'_, 'c>) -> Result<(), BuildError> {
        let none: SmallVec<[bool; 4]> = self.sizes.iter().map(|_| false).collect();
        self.flush(numbers, &none)
    }
}

/// Whether MLIR can tell which dimensions a part drops: of two with one element and the same stride, it cannot.
fn are_clear(sizes: &[Index<'_>], dropped: &[bool]) -> bool {
    let both = sizes.iter().zip(dropped);
    let mut kept = both.filter(|(_, dropped)| !**dropped);
    !dropped.contains(&true) || kept.all(|(size, _)| *size != Index::Constant(1))
}

/// The number of dimensions in each group, where those that are dropped belong to a neighbour.
fn groups(dropped: &[bool]) -> SmallVec<[isize; 4]> {
    let mut groups: SmallVec<[isize; 4]> = SmallVec::new();
    let mut leading = 0;
    for is_dropped in dropped {
        match (is_dropped, groups.last_mut()) {
            (true, Some(last)) => *last += 1,
            (true, None) => leading += 1,
            (false, _) => groups.push(1),
        }
    }
    if let Some(first) = groups.first_mut() {
        *first += leading;
    }
    groups
}

/// The operand that sees these rows of a memory of this shape through a view.
pub fn operand<'c>(
    numbers: &Numbers<'_, 'c>,
    memory: Val<'c>,
    shape: &[i64],
    view: &View,
    rows: &[Rows<'c>],
) -> Result<Val<'c>, BuildError> {
    let levels = rows.iter().map(|rows| levels(numbers, view, rows));
    let levels: Vec<Vec<Level<'c>>> = levels.collect::<Result<_, _>>()?;
    let shape = shape.iter().map(|size| numbers.size(*size));
    let shape: Sizes<'c> = shape.collect::<Result<_, _>>()?;
    let mut pending = Pending::new(memory, shape);
    for (rows, levels) in rows.iter().zip(&levels) {
        let at = rows.dimension as usize;
        pending.offsets[at] = rows.start;
        pending.sizes[at] = levels[0].count;
    }
    for (number, step) in view.steps.iter().enumerate() {
        let [from, to] = [number, number + 1].map(|at| levels.iter().map(move |all| all[at]));
        let splits: SmallVec<[(Level<'c>, Level<'c>); 2]> = from.zip(to).collect();
        match step {
            Step::Part { .. } => part(numbers, &mut pending, step, &splits)?,
            Step::Transpose { order } => {
                pending.flush_all(numbers)?;
                let places: Vec<i64> = order.iter().map(|from| i64::from(*from)).collect();
                let value = numbers.builder.transposed(pending.value, &places);
                let shape = order.iter().map(|from| pending.shape[*from as usize]);
                pending = Pending::new(value, shape.collect());
            }
            Step::Expand(groups) => {
                pending.flush_all(numbers)?;
                let shape = groups.shape.iter().map(|size| numbers.size(*size));
                let mut shape: Sizes<'c> = shape.collect::<Result<_, _>>()?;
                for (_, to) in &splits {
                    shape[to.dimension as usize] = to.count;
                }
                let value = numbers
                    .builder
                    .expanded(pending.value, &shape, &sizes(groups))?;
                pending = Pending::new(value, shape);
            }
            Step::Collapse(groups) => {
                pending.flush_all(numbers)?;
                let value = numbers.builder.collapsed(pending.value, &sizes(groups))?;
                let size = |group: &SmallVec<[u32; 4]>| {
                    let size = group.iter().map(|at| groups.shape[*at as usize]);
                    numbers.size(size.product())
                };
                let shape = groups.groups.iter().map(size);
                let mut shape: Sizes<'c> = shape.collect::<Result<_, _>>()?;
                for (_, to) in &splits {
                    shape[to.dimension as usize] = to.count;
                }
                pending = Pending::new(value, shape);
            }
        }
    }
    pending.flush_all(numbers)?;
    Ok(pending.value)
}

fn sizes(groups: &Groups) -> Vec<isize> {
    groups
        .groups
        .iter()
        .map(|group| group.len() as isize)
        .collect()
}

/// A split dimension at a step of a view.
#[derive(Clone, Copy)]
struct Level<'c> {
    dimension: u32,
    count: Index<'c>,
}

/// A split dimension before each step of a view, and after the last one.
fn levels<'c>(
    numbers: &Numbers<'_, 'c>,
    view: &View,
    rows: &Rows<'c>,
) -> Result<Vec<Level<'c>>, BuildError> {
    let mut dimensions = vec![(rows.dimension, Scale::Same)];
    for step in &view.steps {
        let (at, _) = dimensions[dimensions.len() - 1];
        dimensions.push(step.to_view(at).ok_or_else(BuildError::unexpected)?);
    }
    let mut count = rows.count;
    let mut levels = Vec::with_capacity(dimensions.len());
    for (dimension, scale) in dimensions.into_iter().rev() {
        levels.push(Level { dimension, count });
        count = match scale {
            Scale::Same => count,
            Scale::Part { stride, .. } => numbers.linear(count, stride, 1 - stride)?,
            Scale::Wider(rows) => numbers.linear(count, rows, 0)?,
            Scale::Narrower(rows) => numbers.quotient(count, rows)?,
        };
    }
    levels.reverse();
    Ok(levels)
}

/// Sees a part of what is seen so far.
fn part<'c>(
    numbers: &Numbers<'_, 'c>,
    pending: &mut Pending<'c>,
    step: &Step,
    splits: &[(Level<'c>, Level<'c>)],
) -> Result<(), BuildError> {
    let Step::Part {
        offsets,
        sizes,
        strides,
        becomes,
    } = step
    else {
        return Ok(());
    };
    for at in 0..offsets.len() {
        let split = splits
            .iter()
            .find(|(from, _)| from.dimension as usize == at);
        match split {
            // Its first row is where it starts.
            Some((_, to)) => pending.sizes[at] = to.count,
            None => {
                let by = offsets[at] * pending.strides[at];
                pending.offsets[at] = numbers.linear(pending.offsets[at], 1, by)?;
                pending.sizes[at] = numbers.size(sizes[at])?;
            }
        }
        pending.strides[at] *= strides[at];
    }
    if becomes.contains(&None) {
        let dropped: SmallVec<[bool; 4]> = becomes.iter().map(Option::is_none).collect();
        pending.flush(numbers, &dropped)?;
    }
    Ok(())
}
