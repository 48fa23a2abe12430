//! The memory of strips: which buffers share it, and what stays in it.

use super::{
    numbers::{Computed, Numbers},
    rows::CurrentStrip,
    writer::{Item, Memory, Writer},
};
use memplan_mlir::{
    build::{BuildError, Builder, Index},
    ir::{Identity, Origin, Type, Val, origin, results, type_of},
    layout::with_shape,
    melior::ir::operation::OperationLike,
};
use smallvec::SmallVec;

/// Least alignment of what strips hold, in bytes.
const ALIGNMENT: u64 = 64;

impl<'c> Writer<'_, 'c> {
    /// Memory for a buffer, with so many rows in each split dimension.
    pub(super) fn allocate(
        &self,
        builder: &Builder<'c>,
        place: usize,
        rows: impl Fn(usize) -> i64,
    ) -> Result<Memory<'c>, BuildError> {
        let id = self.spread().buffers[place].buffer;
        let mut shape = self.reading.program.buffer(id).shape.clone();
        for (at, (spread, _)) in self.splits.iter().enumerate() {
            shape[spread.buffers[place].dimension as usize] = rows(at);
        }
        let like = self.reading.buffers[id.index()].ok_or_else(BuildError::unexpected)?;
        let sizes = shape.iter().map(|size| self.constants.size(*size));
        let sizes: SmallVec<[Index<'c>; 4]> = sizes.collect::<Result<_, _>>()?;
        let alignment = self.reading.alignments[id.index()].max(ALIGNMENT);
        // Who reads a plan sees whose rows these are.
        let builder = match origin(like) {
            Some(Origin::Result(op, _)) => builder.located(op.location()),
            _ => *builder,
        };
        let op = builder.alloc_like(type_of(like), &sizes, alignment as i64)?;
        let value = results(op).next().ok_or_else(BuildError::unexpected)?;
        Ok((value, shape))
    }

    /// For each buffer, the one whose strip it is in, as one takes over from the other.
    pub(super) fn hosts(&self) -> Vec<Option<usize>> {
        let spread = self.spread();
        let is_strip = |place: usize| self.is_between(place) && !self.has_lines(place);
        let mut touched: Vec<Option<(usize, usize)>> = vec![None; spread.buffers.len()];
        for (at, item) in self.work.iter().enumerate() {
            let mut touch = |place: usize| {
                let first = touched[place].map_or(at, |(first, _)| first);
                touched[place] = Some((first, at));
            };
            match item {
                Item::Load(place) | Item::Store(place) => touch(*place),
                Item::Link(link) => {
                    for access in &self.reading.program.node(self.link(*link).node).accesses {
                        spread.place(access.buffer).into_iter().for_each(&mut touch);
                    }
                }
            }
        }
        let mut hosts = vec![None; spread.buffers.len()];
        // What is done for an item may be split, and the plan has the same memory for both.
        if self.kind.items().is_some() {
            return hosts;
        }
        for (at, item) in self.work.iter().enumerate() {
            let Item::Link(link) = item else { continue };
            for &(from, into) in self.pairs.at(self.link(*link).node) {
                let (Some(from), Some(into)) = (spread.place(from), spread.place(into)) else {
                    continue;
                };
                let host = hosts[from].unwrap_or(from);
                let fits = is_strip(from)
                    && is_strip(into)
                    && host != into
                    && touched[host].is_some_and(|(_, last)| last == at)
                    && touched[into].is_some_and(|(first, _)| first == at)
                    && self.have_one_place(host, into);
                if fits {
                    let last = touched[into].map_or(at, |(_, last)| last);
                    touched[host] = touched[host].map(|(first, _)| (first, last));
                    hosts[into] = Some(host);
                    break;
                }
            }
        }
        self.share_before_strips(&mut hosts, &mut touched);
        hosts
    }

    /// Of memory that is allocated before strips, as no plan knows its size: one takes the place of another that is not used
    /// any more in a strip.
    fn share_before_strips(
        &self,
        hosts: &mut [Option<usize>],
        touched: &mut [Option<(usize, usize)>],
    ) {
        let places = 0..hosts.len();
        let may_share = |place: &usize| self.is_before_strips(*place) && !self.has_lines(*place);
        let mut places: Vec<usize> = places
            .filter(|place| hosts[*place].is_none())
            .filter(may_share)
            .collect();
        places.sort_by_key(|place| touched[*place]);
        let mut open: Vec<(usize, Type<'c>)> = Vec::new();
        for place in places {
            let (Some((first, last)), Some(own)) = (touched[place], self.strip_type(place)) else {
                continue;
            };
            let free = open.iter().find(|(host, r#type)| {
                *r#type == own && touched[*host].is_some_and(|(_, last)| last < first)
            });
            let Some((host, _)) = free.copied() else {
                open.push((place, own));
                continue;
            };
            touched[host] = touched[host].map(|(first, _)| (first, last));
            let inside = hosts.iter_mut().enumerate();
            for (_, one) in inside.filter(|(at, one)| *at == place || **one == Some(place)) {
                *one = Some(host);
            }
        }
    }

    /// The type of a strip of a buffer, where numbers stand for sizes that are not known.
    fn strip_type(&self, place: usize) -> Option<Type<'c>> {
        let id = self.spread().buffers[place].buffer;
        let mut shape = self.reading.program.buffer(id).shape.clone();
        let dimension = self.spread().buffers[place].dimension as usize;
        shape[dimension] = self.buffer_front(0, place).rows();
        let like = self.reading.buffers[id.index()]?;
        with_shape(type_of(like), &shape)
    }

    /// Whether strips of two buffers have the same type, and rows of one number in one place.
    pub(super) fn have_one_place(&self, one: usize, other: usize) -> bool {
        let buffer = |place: usize| {
            let id = self.spread().buffers[place].buffer;
            self.reading.program.buffer(id)
        };
        let is_same = |dimension: usize| {
            let (one, other) = (
                self.buffer_front(dimension, one),
                self.buffer_front(dimension, other),
            );
            (one.made.rate, one.kept, one.rows()) == (other.made.rate, other.kept, other.rows())
        };
        let clamped = |dimension: usize| {
            let clamped = &self.clamped[dimension];
            // Their first rows may end at others.
            clamped[one] == clamped[other]
        };
        let dimensions_are_same = self
            .splits
            .iter()
            .all(|(spread, _)| spread.buffers[one].dimension == spread.buffers[other].dimension);
        buffer(one).r#type == buffer(other).r#type
            && dimensions_are_same
            && (0..self.splits.len()).all(|dimension| is_same(dimension) && clamped(dimension))
    }

    /// Moves the rows of a line buffer that stay to its start, in pieces that do not overlap.
    pub(super) fn keep(
        &self,
        builder: &Builder<'c>,
        place: usize,
        (lines, shape): &Memory<'c>,
    ) -> Result<(), BuildError> {
        let front = *self.buffer_front(0, place);
        let dimension = self.spread().buffers[place].dimension as usize;
        let mut done = 0;
        while done < front.overlap() {
            let rows = front.made.rate.min(front.overlap() - done);
            let part = |start: i64| {
                let [from, count] = [start, rows].map(Index::Constant);
                let computed = Computed::Lines(lines.key(), start, rows);
                self.known.get_or_build(computed, || {
                    rows_of(
                        &self.numbers(builder),
                        *lines,
                        shape,
                        &[(dimension, from, count)],
                    )
                })
            };
            let (from, to) = (part(front.made.rate + done)?, part(done)?);
            builder
                .copy_elements(from, to)
                .ok_or_else(BuildError::unexpected)?;
            done += rows;
        }
        Ok(())
    }

    /// Copies rows of a strip from or to a border.
    pub(super) fn border(
        &self,
        builder: &Builder<'c>,
        place: usize,
        loads: bool,
        both: [Option<&CurrentStrip<'c>>; 2],
        memory: &[Option<Memory<'c>>],
    ) -> Result<(), BuildError> {
        let numbers = self.numbers(builder);
        let (Some(current), Some((strip, shape)), Some((border, border_shape))) =
            (both[0], &memory[place], self.borders.get(&place))
        else {
            return Err(BuildError::unexpected());
        };
        let (front, outer) = (self.buffer_front(0, place), self.buffer_front(1, place));
        let made = front.made;
        let clamped = current.clamped.get(&made);
        let (row, count, place_in_strip) = match clamped {
            None => (
                numbers.linear(Index::Value(current.strip), made.rate, made.ahead)?,
                Index::Constant(made.rate),
                Index::Constant(front.overlap()),
            ),
            Some(clamped) => {
                let base = self.held(0, place).first(&numbers, current)?;
                (
                    clamped.first,
                    clamped.count,
                    numbers.difference(clamped.first, base)?,
                )
            }
        };
        let dimensions = [0, 1].map(|at| self.splits[at].0.buffers[place].dimension as usize);
        let part = |value: Val<'c>, shape: &[i64], rows: Index<'c>, columns: i64| {
            let [first, kept] = [columns, outer.overlap()].map(Index::Constant);
            let rows = [(dimensions[0], rows, count), (dimensions[1], first, kept)];
            rows_of(&numbers, value, shape, &rows)
        };
        // The border is at the start of a strip, and becomes the end of the one before.
        let columns = if loads { 0 } else { outer.made.rate };
        let in_strip = part(*strip, shape, place_in_strip, columns)?;
        let in_border = part(*border, border_shape, row, 0)?;
        let (from, to) = match loads {
            true => (in_border, in_strip),
            false => (in_strip, in_border),
        };
        builder
            .copy_elements(from, to)
            .ok_or_else(BuildError::unexpected)?;
        Ok(())
    }
}

/// The part of a memref with these rows: dimensions, each with the first row and the number of rows.
fn rows_of<'c>(
    numbers: &Numbers<'_, 'c>,
    memref: Val<'c>,
    shape: &[i64],
    rows: &[(usize, Index<'c>, Index<'c>)],
) -> Result<Val<'c>, BuildError> {
    let all = |number: i64| shape.iter().map(move |_| Index::Constant(number));
    let mut offsets: SmallVec<[Index<'c>; 4]> = all(0).collect();
    let sizes = shape.iter().map(|size| numbers.size(*size));
    let mut sizes: SmallVec<[Index<'c>; 4]> = sizes.collect::<Result<_, _>>()?;
    let strides: SmallVec<[Index<'c>; 4]> = all(1).collect();
    for (dimension, first, count) in rows {
        offsets[*dimension] = *first;
        sizes[*dimension] = *count;
    }
    let none: SmallVec<[bool; 4]> = shape.iter().map(|_| false).collect();
    let part = [&offsets[..], &sizes[..], &strides[..]];
    Ok(numbers.builder.part(memref, part, &none))
}
