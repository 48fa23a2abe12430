//! The rows of operations and buffers in a strip.

use super::{
    numbers::{Numbers, Operation},
    operand::Rows,
    writer::Writer,
};
use memplan_mlir::{
    affine_map::Expression,
    build::{BuildError, Builder, Index},
    ir::Val,
};
use memplan_strips::{
    chain::Window,
    frontiers::{BufferFrontier, Frontier, Frontiers},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Rows of a node in a strip, where they are not all or none.
#[derive(Clone, Copy)]
pub struct Clamped<'c> {
    pub first: Index<'c>,
    pub count: Index<'c>,
    exist: Option<Val<'c>>,
}

/// The strip that is executed, in one dimension.
pub struct CurrentStrip<'c> {
    pub strip: Val<'c>,
    /// The first strip, and the last one.
    all: (i64, i64),
    pub clamped: FxHashMap<Frontier, Clamped<'c>>,
}

impl<'c> CurrentStrip<'c> {
    pub(super) fn new(strip: Val<'c>, frontiers: &Frontiers) -> Self {
        Self {
            strip,
            all: (frontiers.first, frontiers.end - 1),
            clamped: FxHashMap::default(),
        }
    }

    /// `rate * strip + ahead`, at least 0 and at most `limit`.
    pub(super) fn clamped_row(
        &self,
        numbers: &Numbers<'_, 'c>,
        rate: i64,
        ahead: i64,
        limit: i64,
    ) -> Result<Index<'c>, BuildError> {
        let row = numbers.linear(Index::Value(self.strip), rate, ahead)?;
        let (first, last) = self.all;
        numbers.clamped(row, rate * first + ahead..=rate * last + ahead, limit)
    }
}

/// The rows of a buffer that a strip holds.
#[derive(Clone, Copy)]
pub struct Held {
    front: BufferFrontier,
    /// Whether rows that do not exist are left out at the start: then those that are made are at the start of each strip.
    is_clamped: bool,
}

impl Held {
    /// The first row.
    pub(super) fn first<'c>(
        &self,
        numbers: &Numbers<'_, 'c>,
        current: &CurrentStrip<'c>,
    ) -> Result<Index<'c>, BuildError> {
        let made = self.front.made;
        match self.is_clamped {
            true => current.clamped_row(numbers, made.rate, self.front.kept, made.limit),
            false => numbers.linear(Index::Value(current.strip), made.rate, self.front.kept),
        }
    }
}

/// The first iteration of a node in a strip.
pub fn first_row<'c>(
    numbers: &Numbers<'_, 'c>,
    current: &CurrentStrip<'c>,
    front: Frontier,
) -> Result<Index<'c>, BuildError> {
    match current.clamped.get(&front) {
        Some(clamped) => Ok(clamped.first),
        None => {
            let first = front.ahead - front.again;
            numbers.linear(Index::Value(current.strip), front.rate, first)
        }
    }
}

/// The number of iterations of a node in a strip.
pub fn iterations<'c>(current: &CurrentStrip<'c>, front: Frontier) -> Index<'c> {
    let clamped = current.clamped.get(&front);
    clamped.map_or(Index::Constant(front.rows()), |clamped| clamped.count)
}

/// The rows of memory that a node accesses in a strip; `held` if the memory has those of the strip only.
pub fn part_of<'c>(
    numbers: &Numbers<'_, 'c>,
    current: &CurrentStrip<'c>,
    window: &Window,
    front: Frontier,
    held: Option<Held>,
) -> Result<Rows<'c>, BuildError> {
    let clamped = current.clamped.get(&front);
    let iterations = iterations(current, front);
    // Rows of what the operand sees, if that is whole in memory.
    let (factor, add, per) = if held.is_none() {
        (window.coefficient, 0, 1)
    } else if window.map.is_grouped() {
        (window.map.rows, 0, window.map.per)
    } else {
        let stride = window.map.stride;
        (stride * window.coefficient, window.map.offset, 1)
    };
    let dimension = match held {
        Some(_) => window.dimension,
        None => window.operand_dimension,
    };
    let steps = window.high + 1 - window.coefficient;
    let count = numbers.linear(iterations, window.coefficient, steps)?;
    let strip = Index::Value(current.strip);
    let first = front.ahead - front.again;
    let start = match (clamped, held) {
        // Rows advance with the strips, so the place in a strip is the same in each.
        (None, Some(held)) => Index::Constant(factor * first / per + add - held.front.kept),
        (None, None) => {
            numbers.linear(strip, factor * front.rate / per, factor * first / per + add)?
        }
        (Some(clamped), held) => {
            let row = |numbers: &Numbers<'_, 'c>| {
                let row = numbers.quotient(numbers.linear(clamped.first, factor, 0)?, per)?;
                numbers.linear(row, 1, add)
            };
            match held {
                None => row(numbers)?,
                // What is made is at the start.
                Some(Held {
                    front: BufferFrontier { made, kept, .. },
                    is_clamped: true,
                }) if (factor, add, per) == (1, 0, 1)
                    && (front.rate, first) == (made.rate, kept) =>
                {
                    Index::Constant(0)
                }
                Some(held) => numbers.difference(row(numbers)?, held.first(numbers, current)?)?,
            }
        }
    };
    Ok(Rows {
        dimension,
        start,
        count,
    })
}

impl<'c> Writer<'_, 'c> {
    pub(super) fn held(&self, dimension: usize, place: usize) -> Held {
        Held {
            front: *self.buffer_front(dimension, place),
            is_clamped: self.clamped[dimension][place],
        }
    }

    /// For each split buffer, whether strips of it start at a row that exists: no rows stay, and the number of rows of each
    /// node that accesses it is computed. Others take the place of rows for granted.
    pub(super) fn clamped(&self, dimension: usize) -> Vec<bool> {
        let frontiers = self.splits[dimension].1;
        let mut clamped: Vec<bool> = frontiers
            .buffers
            .iter()
            .map(|front| !front.is_carried())
            .collect();
        for (link, front) in self.spread().links.iter().zip(&frontiers.nodes) {
            for access in &self.reading.program.node(link.node).accesses {
                if let Some(place) = self.spread().place(access.buffer) {
                    clamped[place] &= !self.is_even(front);
                }
            }
        }
        clamped
    }

    /// Computes rows of a strip that are not all or none.
    pub(super) fn clamp(
        &self,
        builder: &Builder<'c>,
        current: &mut CurrentStrip<'c>,
        front: Frontier,
    ) -> Result<(), BuildError> {
        if self.is_even(&front) || current.clamped.contains_key(&front) {
            return Ok(());
        }
        let numbers = self.numbers(builder);
        let done = |ahead: i64| current.clamped_row(&numbers, front.rate, ahead, front.limit);
        let (first, end) = (
            done(front.ahead - front.again)?,
            done(front.ahead + front.rate)?,
        );
        let clamped = Clamped {
            first,
            count: numbers.difference(end, first)?,
            exist: numbers.is_less(first, end)?,
        };
        current.clamped.insert(front, clamped);
        Ok(())
    }

    /// The conditions under which a strip has rows of an item in a dimension.
    pub(super) fn has_rows(
        &self,
        builder: &Builder<'c>,
        current: &CurrentStrip<'c>,
        dimension: usize,
        front: Frontier,
    ) -> Result<SmallVec<[Val<'c>; 2]>, BuildError> {
        let mut conditions = SmallVec::new();
        let numbers = self.numbers(builder);
        if self.kind.lengths().is_some() && self.is_even(&front) {
            let from = -front.ahead;
            if from > self.splits[dimension].1.first {
                let from = self.constants.get(from)?;
                conditions.push(numbers.binary(Operation::LessOrEqual, from, current.strip)?);
            }
            let to = self.end_of(&front)?;
            if self.ends()? != [to.clone()] {
                let to = self.constants.computed(&to)?;
                conditions.push(numbers.binary(Operation::Less, current.strip, to)?);
            }
            return Ok(conditions);
        }
        let even = match self.kind.lengths() {
            Some(_) => None,
            None => front.even_strips(),
        };
        match even {
            None => {
                conditions.extend(
                    current
                        .clamped
                        .get(&front)
                        .and_then(|clamped| clamped.exist),
                );
            }
            Some((from, to)) => {
                let frontiers = self.splits[dimension].1;
                if from > frontiers.first {
                    let from = self.constants.get(from)?;
                    conditions.push(numbers.binary(Operation::LessOrEqual, from, current.strip)?);
                }
                if to < frontiers.end {
                    let to = self.constants.get(to)?;
                    conditions.push(numbers.binary(Operation::Less, current.strip, to)?);
                }
            }
        }
        Ok(conditions)
    }

    /// One past the last strip that has rows of a node, along a length that is known only at run time; or a little more.
    fn end_of(&self, front: &Frontier) -> Result<Expression, BuildError> {
        let lengths = self.kind.lengths();
        let limit = lengths.and_then(|lengths| lengths.expression(front.limit));
        let limit = limit.ok_or_else(BuildError::unexpected)?.clone();
        let more = Expression::Constant(front.rate - 1 - front.ahead);
        let rows = Expression::Sum(Box::new([limit, more]));
        Ok(Expression::Quotient(Box::new(rows), front.rate).simplified())
    }

    /// One past the last strip along a length that is known only at run time: the largest of these.
    pub(super) fn ends(&self) -> Result<Vec<Expression>, BuildError> {
        let mut ends = Vec::new();
        for front in &self.splits[0].1.nodes {
            let end = self.end_of(front)?;
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        Ok(ends)
    }
}
