//! Chains along a number that is known only at run time: of rows, or of items.

use super::{items::split_items, lengths::split_lengths};
use crate::coalescing::PackingOptions;
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::{build::BuildError, ir::Op, melior::ir::Location};
use memplan_semantics::Semantics;

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

/// Splits an analysed function along such numbers. Returns the analysis, too, if nothing was.
pub fn split_unknown<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    how: &PackingOptions,
    analysis: Analysis<'c>,
) -> Result<(Vec<WrittenUnknown<'c>>, Option<Analysis<'c>>), BuildError> {
    let (mut written, analysis) = split_lengths(function, semantics, callees, how, analysis)?;
    let analysis = analysis.unwrap_or_else(|| how.analyse(function, semantics, callees));
    let (items, analysis) = split_items(function, semantics, callees, how, analysis)?;
    written.extend(items);
    Ok((written, analysis))
}
