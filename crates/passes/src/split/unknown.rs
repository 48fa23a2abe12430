//! Chains along a number that is known only at run time: of rows, or of items.

use memplan_mlir::melior::ir::Location;

/// A chain along a number that is known only at run time.
#[derive(Clone, Copy, Debug)]
pub struct WrittenUnknown<'c> {
    /// The location of its last operation.
    pub location: Location<'c>,
    /// Number of its operations.
    pub operations: usize,
    /// What there is a number of.
    pub along: Along,
}

/// What there is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Items, of which each is computed alone.
    Items,
    /// Rows, of which some may be needed more than once.
    Rows,
}
