//! Several buffers of dynamic size in one slot at once.

use super::facts::Size;

/// Where the buffers of a slot are in it.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The size that all numbers are multiples of.
    pub unit: Size,
    /// The power of two that the unit is rounded up to at run time.
    pub rounding: u64,
    /// For each member of the slot, the number of units before it.
    pub offsets: Vec<u64>,
    /// For each member, the number of units that it takes.
    pub sizes: Vec<u64>,
    /// Units of the slot.
    pub units: u64,
}

impl Layout {
    /// Text for reports: a number of units, without their rounding.
    pub fn text(&self, units: u64) -> String {
        Size {
            bytes: self.unit.bytes.saturating_mul(units),
            dims: self.unit.dims.clone(),
        }
        .text()
    }
}
