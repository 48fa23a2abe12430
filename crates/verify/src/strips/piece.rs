//! Runs one operation on the rows of a strip.

use super::{
    body::{Access, Piece},
    buffers::{Rows, are_equal, rows_of},
    chain::{Indices, Seen},
    fault::Stop,
    machine::{Machine, place},
    memory::{Memory, Tag, Writers},
    numbers::Sizes,
    sum::Sum,
};
use smallvec::{SmallVec, smallvec};

/// The iterations of a strip.
struct Strip {
    /// Split loops with their first iteration.
    firsts: SmallVec<[(u32, i64); 2]>,
    /// The first iteration of each split loop, and one past the last one.
    ranges: SmallVec<[(i64, i64); 2]>,
    /// Extents of all loops.
    extents: SmallVec<[i64; 8]>,
}

/// The rows and columns of memory that an access touches.
struct Touched<'b, 'c> {
    access: &'b Access<'c>,
    indices: Indices,
    rows: Rows,
    columns: Rows,
}

fn wrong<T>(text: String) -> Result<T, Stop> {
    Err(Stop::Wrong(text))
}

impl<'b, 'c> Machine<'b, 'c> {
    /// Runs a piece: its reads, then its writes.
    pub fn piece(&mut self, number: usize) -> Result<(), Stop> {
        let body = self.body;
        let piece = &body.pieces[number];
        let mut touched: SmallVec<[Touched<'b, 'c>; 4]> = SmallVec::new();
        {
            let values = &self.values;
            let seen = piece
                .accesses
                .iter()
                .map(|access| access.chain.seen(values));
            let seen: SmallVec<[Seen<'_, 'c>; 4]> = seen.collect::<Result<_, _>>()?;
            let Some(strip) = self.strip(piece, &seen)? else {
                return Ok(());
            };
            for (split, shift) in &piece.shifts {
                if values.get(*shift) != strip.ranges[*split].0 {
                    let text = "the number of an iteration is not that of the operation";
                    return wrong(text.to_owned());
                }
            }
            for (access, seen) in piece.accesses.iter().zip(&seen) {
                let one = self.touched(access, seen, &strip)?;
                if access.writes && !access.is_sum {
                    let facts = &body.buffers[access.buffer];
                    for (which, rows) in [&one.rows, &one.columns].into_iter().enumerate() {
                        let Some(range) = strip.ranges.get(which) else {
                            continue;
                        };
                        let mut rows = rows.iter();
                        let part = rows
                            .find(|(_, row)| !facts.is_whole(access.writer, which, *row, *range));
                        if let Some((_, row)) = part {
                            let what = ["row", "column"][which];
                            return wrong(format!("a strip writes only a part of {what} {row}"));
                        }
                    }
                }
                touched.push(one);
            }
            let done = strip.ranges.iter().map(|(first, end)| end - first);
            let done = done.fold(1_i64, i64::saturating_mul);
            self.done[number] = self.done[number].saturating_add(done);
        }
        for one in touched
            .iter()
            .filter(|one| one.access.reads && !one.access.is_sum)
        {
            self.read(number, one)?;
        }
        in_step(piece, &touched)?;
        for one in touched
            .iter()
            .filter(|one| one.access.writes && !one.access.is_sum)
        {
            self.write(number, one)?;
        }
        Ok(())
    }

    /// The iterations of a piece; `None` if there are none.
    fn strip(&self, piece: &Piece<'c>, seen: &[Seen<'_, 'c>]) -> Result<Option<Strip>, Stop> {
        let claim = &piece.claim;
        let mut strip = Strip {
            firsts: SmallVec::new(),
            ranges: SmallVec::new(),
            extents: SmallVec::new(),
        };
        for (split, place) in claim.splits.iter().zip(&piece.strips) {
            let at = self.values.at(*place);
            let (first, end) = (split.first(at), split.end(at));
            strip.firsts.push((split.number, first));
            strip.ranges.push((first, end));
        }
        for (number, was) in claim.extents.iter().enumerate() {
            let split = strip
                .firsts
                .iter()
                .position(|(split, _)| *split as usize == number);
            let expected = match split {
                Some(split) => strip.ranges[split].1 - strip.ranges[split].0,
                None => *was,
            };
            if let Some((extent, lower)) = piece.extents.get(number) {
                let extent = self.values.get(*extent).saturating_sub(*lower).max(0);
                if extent != expected {
                    return wrong(differs(number, extent, expected));
                }
                strip.extents.push(extent);
                continue;
            }
            let mut sizes = piece.sizes[number].iter();
            let sizes_are = sizes.try_fold(None, |known, (at, dimension)| {
                let size = seen[*at].shape()[*dimension];
                match known {
                    Some(known) if known != size => Err(()),
                    _ => Ok(Some(size)),
                }
            });
            match sizes_are {
                Ok(Some(size)) if size == expected => strip.extents.push(size),
                Ok(None) => return Err(Stop::NotFollowed("the extent of a loop is not known")),
                Ok(Some(size)) => {
                    return wrong(differs(number, size, expected));
                }
                Err(()) => return wrong(format!("operands differ in the extent of loop {number}")),
            }
        }
        let has_all = strip.extents.iter().all(|extent| *extent > 0);
        Ok(has_all.then_some(strip))
    }

    /// What an access touches: where the rows are, and which ones they are.
    fn touched(
        &self,
        access: &'b Access<'c>,
        seen: &Seen<'_, 'c>,
        strip: &Strip,
    ) -> Result<Touched<'b, 'c>, Stop> {
        let extents = &strip.extents;
        let own = access.own.iter().map(|index| Sum::of_index(index, extents));
        let own: Indices = own.collect::<Result<_, _>>()?;
        check_bounds(access, &own, seen.shape(), extents)?;
        let indices = seen.indices(&own, extents)?;
        let operand = access.operand;
        if indices.len() != access.original.len() {
            return wrong(format!(
                "operand {operand} has other dimensions than the operation's"
            ));
        }
        let dimensions = match access.is_between {
            true => self.body.buffers[access.buffer].dimensions,
            false => self.body.roots[access.root].dimensions.unwrap_or_default(),
        };
        let mut rows: [Option<(Rows, u64)>; 2] = [None, None];
        for (at, (index, original)) in indices.iter().zip(&access.original).enumerate() {
            let original = original.shifted(&strip.firsts, extents)?;
            let which = dimensions.iter().position(|one| *one == Some(at));
            let is_same_index = which.is_none() || !access.is_between;
            if is_same_index && !are_equal(index, &original, extents)? {
                return wrong(differ(access, at, index, &original, extents));
            }
            if let Some(which) = which {
                let loops = index.loops() | original.loops();
                rows[which] = Some((rows_of(index, &original, extents)?, loops));
            }
        }
        let [rows, columns] = rows;
        if let (Some((_, one)), Some((_, other))) = (&rows, &columns)
            && one & other != 0
        {
            return Err(Stop::NotFollowed("rows and columns depend on each other"));
        }
        let all =
            |rows: Option<(Rows, u64)>| rows.map_or_else(|| smallvec![(0, 0)], |(rows, _)| rows);
        Ok(Touched {
            access,
            indices,
            rows: all(rows),
            columns: all(columns),
        })
    }

    fn read(&mut self, number: usize, one: &Touched<'b, 'c>) -> Result<(), Stop> {
        let access = one.access;
        let facts = &self.body.buffers[access.buffer];
        let is_tagged = access.is_between || self.body.roots[access.root].dimensions.is_some();
        if !is_tagged {
            return Ok(());
        }
        self.spend(one.rows.len() * one.columns.len())?;
        let before = facts.before(number);
        let strip = self.strip_of(number);
        let memory = &mut self.memories[access.root];
        for (at_row, row) in &one.rows {
            for (at_column, column) in &one.columns {
                let was = (*row, *column);
                let expected = facts.writers(was) & before;
                let found = match memory {
                    Some(memory) if memory.dimensions != dimensions_of(self.body, access) => {
                        return Err(Stop::NotFollowed("a strip is seen in other dimensions"));
                    }
                    Some(memory) => *memory.at((*at_row, *at_column))?,
                    None => Tag::NONE,
                };
                let is_right = match expected {
                    // What is between was not written by the program either, so that it may be anything.
                    0 => access.is_between || found == Tag::NONE,
                    expected => found.is_of(access.buffer, was) && found.writers == expected,
                };
                if !is_right {
                    return wrong(self.unexpected(access, was, found));
                }
                if expected != 0 {
                    self.oldest = self.oldest.max(strip - i64::from(found.strip));
                }
            }
        }
        Ok(())
    }

    /// The strip, of the innermost loop, in which a piece runs.
    fn strip_of(&self, number: usize) -> i64 {
        let place = self.body.pieces[number].strips.first();
        place.map_or(0, |place| self.values.at(*place))
    }

    /// In words, what an operand reads.
    fn unexpected(&self, access: &Access<'c>, was: (i64, i64), found: Tag) -> String {
        let buffers = &self.body.buffers;
        let has_columns = buffers[access.buffer].dimensions[1].is_some();
        let expected = place(was, has_columns);
        let operand = access.operand;
        let found = match buffers.get(found.buffer as usize) {
            None => "nothing is written there".to_owned(),
            Some(_) if found.is_of(access.buffer, was) => {
                "other operations have written it there".to_owned()
            }
            Some(buffer) => {
                let at = (i64::from(found.row), i64::from(found.column));
                let at = place(at, buffer.dimensions[1].is_some());
                match found.buffer as usize == access.buffer {
                    true => format!("{at} is there"),
                    false => format!("{at} of buffer {} is there", buffer.number),
                }
            }
        };
        let number = buffers[access.buffer].number;
        format!("operand {operand} should read {expected} of buffer {number}, but {found}")
    }

    fn write(&mut self, number: usize, one: &Touched<'b, 'c>) -> Result<(), Stop> {
        let access = one.access;
        let strip = self.strip_of(number);
        self.spend(one.rows.len() * one.columns.len())?;
        let dimensions = dimensions_of(self.body, access);
        let is_of_strips = self.body.roots[access.root].dimensions.is_none();
        let memory = match &mut self.memories[access.root] {
            Some(memory) if memory.dimensions == dimensions => memory,
            // A buffer that is split along another dimension takes the memory. What was there is not found any more.
            Some(memory) if is_of_strips => {
                *memory = Memory::new(dimensions, &access.chain.shape)?;
                memory
            }
            Some(_) => return Err(Stop::NotFollowed("a strip is seen in other dimensions")),
            none => none.insert(Memory::new(dimensions, &access.chain.shape)?),
        };
        let mine: Writers = 1 << access.writer;
        let has_columns = dimensions[1].is_some();
        for (at_row, row) in &one.rows {
            for (at_column, column) in &one.columns {
                let was = (*row, *column);
                let tag = memory.at((*at_row, *at_column))?;
                if !tag.is_of(access.buffer, was) {
                    *tag = Tag {
                        writers: mine,
                        buffer: access.buffer as u32,
                        row: *row as u32,
                        column: *column as u32,
                        strip: strip as i32,
                    };
                    continue;
                }
                // Those that come later have larger bits.
                if tag.writers >= mine {
                    let place = place(was, has_columns);
                    return wrong(format!(
                        "it writes {place} of its result twice, or too late"
                    ));
                }
                tag.writers |= mine;
            }
        }
        Ok(())
    }
}

/// In words, that a loop has another extent.
fn differs(number: usize, extent: i64, expected: i64) -> String {
    format!("loop {number} has extent {extent} in a strip, but should have {expected}")
}

fn dimensions_of(body: &super::body::Body<'_>, access: &Access<'_>) -> super::memory::Dimensions {
    match access.is_between {
        true => body.buffers[access.buffer].dimensions,
        false => body.roots[access.root].dimensions.unwrap_or_default(),
    }
}

/// Whether all indices are inside of the operand.
fn check_bounds(
    access: &Access<'_>,
    own: &Indices,
    shape: &Sizes,
    extents: &[i64],
) -> Result<(), Stop> {
    for (index, size) in own.iter().zip(shape) {
        let (least, most) = index.range(extents)?;
        if least < 0 || most >= *size {
            let operand = access.operand;
            return wrong(format!(
                "it reads beyond the end of operand {operand}: index {most} of {size}"
            ));
        }
    }
    Ok(())
}

/// In words, how an index of memory differs from that of the operation.
fn differ(access: &Access<'_>, at: usize, index: &Sum, original: &Sum, extents: &[i64]) -> String {
    let point: SmallVec<[i64; 8]> = smallvec![0; extents.len()];
    let (index, original, operand) = (index.at(&point), original.at(&point), access.operand);
    match index == original {
        true => {
            format!("operand {operand} has other indices than the operation's in dimension {at}")
        }
        false => format!(
            "operand {operand} begins at index {index} of dimension {at}, but should begin at {original}"
        ),
    }
}

/// Whether what is read is read before something else is written in its place.
fn in_step(piece: &Piece<'_>, touched: &[Touched<'_, '_>]) -> Result<(), Stop> {
    for written in touched.iter().filter(|one| one.access.writes) {
        for read in touched.iter().filter(|one| one.access.reads) {
            let (from, to) = (read.access, written.access);
            if from.root != to.root || from.buffer == to.buffer {
                continue;
            }
            let overlap = |one: &Rows, other: &Rows| {
                one.iter()
                    .any(|(row, _)| other.iter().any(|(at, _)| at == row))
            };
            let overlaps =
                overlap(&read.rows, &written.rows) && overlap(&read.columns, &written.columns);
            // Each iteration reads the element that it writes, and no other one.
            let is_in_step = piece.is_parallel && read.indices == written.indices;
            if overlaps && !is_in_step {
                let (from, to) = (from.operand, to.operand);
                return wrong(format!("operand {to} overwrites what operand {from} reads"));
            }
        }
    }
    Ok(())
}
