//! Splits a function along numbers that are known only at run time.

use super::{items::split_items, lengths::split_lengths, unknown::WrittenUnknown};
use crate::coalescing::PackingOptions;
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::{build::BuildError, ir::Op};
use memplan_semantics::Semantics;

/// Splits an analysed function along lengths, and what is left along items. Returns the analysis, too, if nothing was.
pub fn split_unknown<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    how: &PackingOptions,
    analysis: Analysis<'c>,
) -> Result<(Vec<WrittenUnknown<'c>>, Option<Analysis<'c>>), BuildError> {
    let (mut written, analysis) = split_lengths(function, semantics, analysis)?;
    let analysis = analysis.unwrap_or_else(|| how.analyse(function, semantics, callees));
    let (items, analysis) = split_items(
        function,
        semantics,
        callees,
        how,
        analysis,
        written.len() as u64,
    )?;
    written.extend(items);
    Ok((written, analysis))
}
