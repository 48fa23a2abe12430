//! The plan of a kernel.

use crate::insert::{Inserted, insert_barriers};
use crate::{Analysis, BufferId, Interference, Kernel, Options, PlanError};
use memplan_flow::PrimaryMap;
use memplan_planner::Planner;

/// Where the buffers of a kernel lie.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The offset of each buffer in bytes.
    pub offsets: PrimaryMap<BufferId, u64>,
    /// The bytes of all buffers together: the largest end.
    pub bytes: u64,
    /// The largest sum of sizes in a barrier interval. Of buffers on different edges of a uniform branch, it counts those that
    /// interfere pairwise.
    pub interval_bytes: u64,
    /// No plan of the same kernel with the same barriers has fewer bytes. At least `interval_bytes`; more where alignment
    /// forces it.
    pub lower_bound: u64,
    /// The bytes without any sharing, each size rounded up to its alignment.
    pub separate_bytes: u64,
    /// Which buffers do not share bytes, with the barriers that were added.
    pub interference: Interference,
    /// The barriers to add, in the order of their places. Empty without [`Options::insert_barriers`].
    pub inserted: Vec<Inserted>,
}

/// Plans a kernel. The barriers of the plan must be added to it: [`Kernel::with_barriers`].
///
/// # Errors
///
/// The kernel is invalid, the planner rejects its sizes and alignments, or its plan is wrong.
pub fn plan(kernel: &Kernel, options: &Options) -> Result<Plan, PlanError> {
    let inserted = match options.insert_barriers {
        true => insert_barriers(kernel, options)?,
        false => Vec::new(),
    };
    let places: Vec<_> = inserted.iter().map(|barrier| barrier.place).collect();
    let kernel = kernel.with_barriers(&places);
    let analysis = Analysis::of(&kernel)?;
    let planner_options = memplan_planner::Options::default().with_effort(options.effort);
    let outcome = Planner::Auto.solve_with(&analysis.problem(&kernel), &planner_options)?;
    let offsets: PrimaryMap<BufferId, u64> = outcome.solution.offsets.into_iter().collect();
    if let Some((one, other)) = analysis.interference().overlap(&kernel, &offsets) {
        return Err(PlanError::Overlap { one, other });
    }
    Ok(Plan {
        offsets,
        bytes: outcome.solution.peak,
        interval_bytes: outcome.bounds.load,
        lower_bound: outcome.bounds.lower_bound,
        separate_bytes: outcome.bounds.naive,
        interference: analysis.interference().clone(),
        inserted,
    })
}
