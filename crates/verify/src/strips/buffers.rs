//! The buffers of the program as it was before it was split: which operations wrote their rows.

use super::{
    fault::Stop,
    memory::{Dimensions, MOST_WRITERS, Writers},
    sum::{Sum, each_point},
};
use smallvec::SmallVec;

/// Rows, or columns, that an operation wrote: for each the first and the last iteration of the split loop, if any.
#[derive(Clone, Debug, Default)]
struct Written {
    iterations: Vec<Option<(u32, u32)>>,
}

/// A buffer.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    /// Its number in the program.
    pub number: i64,
    /// Its split dimensions.
    pub dimensions: Dimensions,
    /// The operations that write it in tagged memory, by their order in the strips, with the rows and the columns.
    writers: Vec<(usize, [Written; 2])>,
    /// For each row, and for each column, the operations that wrote it.
    sets: [Vec<Writers>; 2],
}

/// Most rows or columns of a buffer.
const MOST_ROWS: i64 = 1 << 22;

impl Buffer {
    /// A buffer of this number.
    pub fn new(number: i64) -> Self {
        Self {
            number,
            ..Self::default()
        }
    }

    /// Adds a write, and returns its number: for rows and for columns the index, and the loop of the operation that is split.
    pub fn add_writer(
        &mut self,
        piece: usize,
        indices: [Option<(&Sum, u32)>; 2],
        extents: &[i64],
    ) -> Result<usize, Stop> {
        if self.writers.len() == MOST_WRITERS {
            return Err(Stop::NotFollowed("too many operations write one buffer"));
        }
        let set: Writers = 1 << self.writers.len();
        let mut written: [Written; 2] = Default::default();
        for (at, index) in indices.into_iter().enumerate() {
            let Some((index, split)) = index else {
                // All is one row.
                written[at].iterations = vec![Some((u32::MAX, 0))];
                continue;
            };
            let (least, most) = index.range(extents)?;
            if least < 0 || most >= MOST_ROWS {
                return Err(Stop::TooMuch);
            }
            let rows = &mut written[at].iterations;
            rows.resize(most as usize + 1, None);
            let loops = index.loops() | 1 << split;
            let is_done = each_point(loops, extents, |point| {
                let (row, iteration) = (index.at(point), point[split as usize] as u32);
                let (first, last) = rows[row as usize].unwrap_or((iteration, iteration));
                rows[row as usize] = Some((first.min(iteration), last.max(iteration)));
                true
            });
            is_done.ok_or(Stop::TooMuch)?;
        }
        for (set_of, written) in self.sets.iter_mut().zip(&written) {
            let rows = written.iterations.len().max(set_of.len());
            set_of.resize(rows, 0);
            for (writers, iterations) in set_of.iter_mut().zip(&written.iterations) {
                if iterations.is_some() {
                    *writers |= set;
                }
            }
        }
        self.writers.push((piece, written));
        Ok(self.writers.len() - 1)
    }

    /// The operations that wrote a row and column.
    pub fn writers(&self, (row, column): (i64, i64)) -> Writers {
        let of = |set: &Vec<Writers>, at: i64| set.get(at as usize).copied().unwrap_or(0);
        of(&self.sets[0], row) & of(&self.sets[1], column)
    }

    /// Those that come before an operation.
    pub fn before(&self, piece: usize) -> Writers {
        let count = self.writers.partition_point(|(writer, _)| *writer < piece);
        match count {
            MOST_WRITERS => Writers::MAX,
            count => (1 << count) - 1,
        }
    }

    /// Whether iterations from `first` to `end` (not included) of a write write all that it wrote of a row or column.
    pub fn is_whole(
        &self,
        writer: usize,
        which: usize,
        row: i64,
        (first, end): (i64, i64),
    ) -> bool {
        let Some((_, written)) = self.writers.get(writer) else {
            return false;
        };
        let iterations = written[which]
            .iterations
            .get(row as usize)
            .copied()
            .flatten();
        iterations.is_some_and(|(least, most)| i64::from(least) >= first && i64::from(most) < end)
    }

    /// Rows and columns that are written.
    pub fn sizes(&self) -> [usize; 2] {
        [self.sets[0].len(), self.sets[1].len()]
    }
}

/// Rows, or columns, that an access touches: where they are in memory, and which ones they are.
pub type Rows = SmallVec<[(i64, i64); 8]>;

/// The rows of two indices.
pub fn rows_of(physical: &Sum, original: &Sum, extents: &[i64]) -> Result<Rows, Stop> {
    let loops = physical.loops() | original.loops();
    let mut rows = Rows::new();
    let is_done = each_point(loops, extents, |point| {
        rows.push((physical.at(point), original.at(point)));
        true
    });
    is_done.ok_or(Stop::TooMuch)?;
    if !rows.is_sorted() {
        rows.sort_unstable();
    }
    rows.dedup();
    Ok(rows)
}

/// Whether two indices are equal in all iterations.
pub fn are_equal(one: &Sum, other: &Sum, extents: &[i64]) -> Result<bool, Stop> {
    if one == other {
        return Ok(true);
    }
    let is_equal = |point: &[i64]| one.at(point) == other.at(point);
    each_point(one.loops() | other.loops(), extents, is_equal).ok_or(Stop::TooMuch)
}
