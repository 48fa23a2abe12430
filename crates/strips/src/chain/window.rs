//! Which rows an access touches.

use crate::{
    program::{Access, Linear, Node, Program},
    refusal::Refusal,
    views::{RowMap, Seen},
};

/// Which rows of a buffer an access touches in one iteration of the split loop: with x the iteration, rows
/// `coefficient * x` to `coefficient * x + high` (included) of what the operand sees. A strip sees the rows from the first
/// one of these on, so that the indices of the operation stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The dimension of the buffer.
    pub dimension: u32,
    /// The dimension of the operand.
    pub operand_dimension: u32,
    /// From rows of the operand to those of the buffer.
    pub map: RowMap,
    /// Rows from one iteration to the next, at least 1.
    pub coefficient: i64,
    /// The last row of the first iteration.
    pub high: i64,
}

impl Window {
    /// Whether one iteration touches the row of its number, and that alone.
    pub const fn is_row(&self) -> bool {
        self.coefficient == 1 && self.high == 0
    }

    /// The window of an access; `None` if it does not use the split loop. Views are only followed to buffers that the chain
    /// writes: others are seen as the operand sees them.
    pub(super) fn of(
        program: &Program,
        (node, access): (&Node, &Access),
        split: u32,
        is_written: bool,
    ) -> Result<Option<Self>, Refusal> {
        let uses = |index: &Linear| index.coefficient(split) != 0;
        let mut dimensions = access
            .indices
            .iter()
            .enumerate()
            .filter(|(_, index)| uses(index));
        let Some((dimension, index)) = dimensions.next() else {
            return Ok(None);
        };
        if dimensions.next().is_some() {
            return Err(Refusal::Diagonal);
        }
        let dimension = dimension as u32;
        let seen = program.view(access).from_view(dimension);
        let is_usable = |seen: &Seen| is_written || !seen.map.is_grouped();
        let seen = match seen.filter(is_usable) {
            Some(seen) => seen,
            None if is_written => return Err(Refusal::View),
            None => Seen {
                buffer: Self::UNKNOWN,
                view: dimension,
                map: RowMap::SAME,
            },
        };
        let (mut low, mut high) = (index.constant, index.constant);
        for (number, coefficient) in &index.terms {
            if *number != split {
                let last = coefficient * (node.loops[*number as usize].extent - 1);
                low += last.min(0);
                high += last.max(0);
            }
        }
        let window = Self {
            dimension: seen.buffer,
            operand_dimension: seen.view,
            map: seen.map,
            coefficient: index.coefficient(split),
            high,
        };
        if window.coefficient < 1 || low < 0 {
            return Err(Refusal::Backwards);
        }
        if (access.writes || window.map.is_grouped()) && !window.is_row() {
            return Err(Refusal::Window);
        }
        Ok(Some(window))
    }

    /// The dimension of a buffer that is not followed.
    pub const UNKNOWN: u32 = u32::MAX;
}
