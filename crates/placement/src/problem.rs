//! The problem, as plain data.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thiserror::Error;

/// Most spaces of a problem.
pub const MOST_SPACES: usize = 16;

/// Positions from the first one to the last one, which is excluded.
pub type Range = (u32, u32);

/// Some of the spaces of a problem, as bits.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct SpaceSet(pub u16);

impl SpaceSet {
    /// No space.
    pub const NONE: Self = Self(0);

    /// One space.
    #[must_use]
    pub const fn one(space: usize) -> Self {
        Self(1 << space)
    }

    /// The first spaces, so many.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        Self(if count >= MOST_SPACES {
            u16::MAX
        } else {
            (1 << count) - 1
        })
    }

    /// Whether a space is one of them.
    #[must_use]
    pub const fn has(self, space: usize) -> bool {
        self.0 & (1 << space) != 0
    }

    /// Those of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Each of them, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_SPACES).filter(move |space| self.has(*space))
    }
}

/// A memory space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// Its bytes; `None` without a limit.
    pub capacity: Option<u64>,
    /// The cost of reading a byte.
    pub read: u64,
    /// The cost of writing a byte.
    pub write: u64,
}

/// An operation that uses a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// When the buffer is held for it. Ranges may be empty, where another buffer takes over its bytes.
    pub ranges: SmallVec<[Range; 1]>,
    /// Bytes that are read, all executions together.
    pub reads: u64,
    /// Bytes that are written, all executions together.
    pub writes: u64,
    /// Spaces in which the operation accepts the buffer.
    pub spaces: SpaceSet,
}

/// The time between two touches of a buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// When it is.
    pub ranges: SmallVec<[Range; 1]>,
    /// Spaces in which the buffer may be.
    pub spaces: SpaceSet,
    /// Whether the contents are not needed any more: the next touch overwrites them.
    pub is_dead: bool,
    /// What computing the contents again before the next touch takes, if that is possible.
    pub again: Option<Again>,
}

/// What computing the contents of a buffer again takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The cost of repeated work, and of other memory that it uses.
    pub cost: u64,
    /// Bytes of the buffer that are read, all executions together.
    pub reads: u64,
    /// Bytes of the buffer that are written, all executions together.
    pub writes: u64,
}

impl Again {
    /// What it costs in a space.
    #[must_use]
    pub fn cost_in(&self, space: &Space) -> u128 {
        let reads = u128::from(self.reads) * u128::from(space.read);
        u128::from(self.cost) + reads + u128::from(self.writes) * u128::from(space.write)
    }
}

/// A buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// Bytes that it takes in a space.
    pub size: u64,
    /// Bytes that a copy of it moves, all executions together.
    pub copied: u64,
    /// Its uses, in order; at least one.
    pub touches: Vec<Touch>,
    /// Between each touch and the next one.
    pub gaps: Vec<Gap>,
}

/// Bytes of a space that are used anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    /// The space, by index.
    pub space: usize,
    /// When.
    pub range: Range,
    /// How many.
    pub bytes: u64,
}

/// Which buffers are placed in which spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The spaces.
    pub spaces: Vec<Space>,
    /// The number of positions.
    pub positions: u32,
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// What else is in the spaces.
    pub fixed: Vec<Fixed>,
}

/// Why a problem is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// There are too many spaces, or none.
    #[error("{0} spaces, from 1 to {MOST_SPACES} are possible")]
    Spaces(usize),
    /// A buffer has no touch, or not one gap between each two.
    #[error("buffer {0} has not one gap between each two of its touches, or no touch")]
    Gaps(usize),
    /// A touch accepts no space of the problem.
    #[error("touch {touch} of buffer {buffer} accepts no space of the problem")]
    NoSpace {
        /// The buffer, by index.
        buffer: usize,
        /// The touch, by index.
        touch: usize,
    },
    /// A buffer cannot be anywhere between two touches, or in no space of the problem.
    #[error("buffer {buffer} can be nowhere after touch {gap}, or in no space of the problem")]
    NoSpaceBetween {
        /// The buffer, by index.
        buffer: usize,
        /// The gap, by index.
        gap: usize,
    },
    /// Positions are beyond the last one, or a range ends before it starts.
    #[error("a range of buffer {0} is not within the positions")]
    Range(usize),
    /// Fixed bytes are in no space, or beyond the positions.
    #[error("fixed bytes {0} are in no space, or not within the positions")]
    Fixed(usize),
}

impl Problem {
    /// Checks that indices and ranges are valid.
    ///
    /// # Errors
    ///
    /// The first thing that is not.
    pub fn validate(&self) -> Result<(), ProblemError> {
        let count = self.spaces.len();
        if count == 0 || count > MOST_SPACES {
            return Err(ProblemError::Spaces(count));
        }
        let is_range = |range: &Range| range.0 <= range.1 && range.1 <= self.positions;
        for (index, buffer) in self.buffers.iter().enumerate() {
            if buffer.gaps.len() + 1 != buffer.touches.len() {
                return Err(ProblemError::Gaps(index));
            }
            for (number, touch) in buffer.touches.iter().enumerate() {
                if touch.spaces.is_empty()
                    || !touch.spaces.without(SpaceSet::first(count)).is_empty()
                {
                    return Err(ProblemError::NoSpace {
                        buffer: index,
                        touch: number,
                    });
                }
            }
            let is_somewhere =
                |gap: &Gap| !gap.spaces.is_empty() || gap.is_dead || gap.again.is_some();
            let is_known = |gap: &Gap| gap.spaces.without(SpaceSet::first(count)).is_empty();
            if let Some(gap) = buffer
                .gaps
                .iter()
                .position(|gap| !is_somewhere(gap) || !is_known(gap))
            {
                return Err(ProblemError::NoSpaceBetween { buffer: index, gap });
            }
            let touches = buffer.touches.iter().flat_map(|touch| &touch.ranges);
            let gaps = buffer.gaps.iter().flat_map(|gap| &gap.ranges);
            if !touches.chain(gaps).all(is_range) {
                return Err(ProblemError::Range(index));
            }
        }
        let is_fixed = |fixed: &Fixed| fixed.space < count && is_range(&fixed.range);
        match self.fixed.iter().position(|fixed| !is_fixed(fixed)) {
            Some(index) => Err(ProblemError::Fixed(index)),
            None => Ok(()),
        }
    }
}

impl Buffer {
    /// The number of its touches and gaps.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.touches.len() + self.gaps.len()
    }

    /// When a layer is: touches have even numbers, gaps odd ones.
    #[must_use]
    pub fn ranges(&self, layer: usize) -> &[Range] {
        match layer % 2 {
            0 => &self.touches[layer / 2].ranges,
            _ => &self.gaps[layer / 2].ranges,
        }
    }

    /// What a touch costs in a space.
    #[must_use]
    pub fn touch_cost(&self, touch: usize, space: &Space) -> u128 {
        let touch = &self.touches[touch];
        let reads = u128::from(touch.reads) * u128::from(space.read);
        reads + u128::from(touch.writes) * u128::from(space.write)
    }

    /// What a copy costs.
    #[must_use]
    pub fn copy_cost(&self, from: &Space, to: &Space) -> u128 {
        u128::from(self.copied) * (u128::from(from.read) + u128::from(to.write))
    }
}
