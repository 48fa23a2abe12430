//! What is in memory: for each row, and each column if there are two split dimensions, a tag.

use super::{fault::Stop, numbers::Sizes};
use smallvec::{SmallVec, smallvec};

/// A set of the operations that write a buffer.
pub type Writers = u128;

/// Most operations that write one buffer.
pub const MOST_WRITERS: usize = 128;

/// Most rows times columns of one memory.
const MOST_CELLS: i64 = 1 << 22;

/// What a cell of memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The operations that have written it.
    pub writers: Writers,
    /// The buffer that it is part of; [`Tag::NONE`] if nothing was written.
    pub buffer: u32,
    /// The row of that buffer.
    pub row: u32,
    /// The column of that buffer.
    pub column: u32,
    /// The strip that has written it.
    pub strip: i32,
}

impl Tag {
    /// Nothing was written.
    pub const NONE: Self = Self {
        writers: 0,
        buffer: u32::MAX,
        row: 0,
        column: 0,
        strip: 0,
    };

    /// Whether it is a row and column of a buffer.
    pub const fn is_of(&self, buffer: usize, (row, column): (i64, i64)) -> bool {
        self.buffer as usize == buffer && self.row as i64 == row && self.column as i64 == column
    }
}

/// The split dimensions of memory, for rows and for columns.
pub type Dimensions = [Option<usize>; 2];

/// Memory with tags.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its split dimensions.
    pub dimensions: Dimensions,
    sizes: [i64; 2],
    tags: SmallVec<[Tag; 4]>,
}

impl Memory {
    /// Memory of this shape, in which nothing was written.
    pub fn new(dimensions: Dimensions, shape: &Sizes) -> Result<Self, Stop> {
        let size = |at: Option<usize>| at.map_or(Some(1), |at| shape.get(at).copied());
        let sizes = [size(dimensions[0]), size(dimensions[1])];
        let [Some(rows), Some(columns)] = sizes else {
            return Err(Stop::NotFollowed(
                "memory has fewer dimensions than what it holds",
            ));
        };
        let cells = rows
            .checked_mul(columns)
            .filter(|cells| *cells <= MOST_CELLS);
        let cells = cells.ok_or(Stop::TooMuch)?;
        Ok(Self {
            dimensions,
            sizes: [rows, columns],
            tags: smallvec![Tag::NONE; cells as usize],
        })
    }

    /// The tag of a row and column.
    pub fn at(&mut self, (row, column): (i64, i64)) -> Result<&mut Tag, Stop> {
        let is_inside = (0..self.sizes[0]).contains(&row) && (0..self.sizes[1]).contains(&column);
        let place = is_inside.then(|| (row * self.sizes[1] + column) as usize);
        place
            .and_then(|place| self.tags.get_mut(place))
            .ok_or(Stop::Bounds)
    }
}
