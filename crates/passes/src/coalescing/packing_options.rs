//! Options that affect the bytes of the plan that follows.

use memplan_declarations::packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE};
use memplan_lifetimes::{Analysis, AnalysisOptions, Callees, analyse_with_options};
use memplan_mlir::{ir::Op, pass::OptionValues};
use memplan_semantics::Semantics;

/// Options of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PackingOptions {
    /// Which allocations are planned.
    pub wanted: AnalysisOptions,
    /// Least alignment of a slice, in bytes.
    pub alignment: u64,
    /// Whether buffers may reuse the bytes of buffers whose live ranges end where theirs begin.
    pub in_place: bool,
}

impl PackingOptions {
    /// Reads the options [`ALIGNMENT`], [`IN_PLACE`], [`MIN_SIZE`] and [`MAX_SIZE`] of a pass. Allocations of
    /// dynamic size are included.
    pub fn of(pass: &str, values: &OptionValues) -> Result<Self, String> {
        Ok(Self {
            alignment: values.integer(ALIGNMENT.name) as u64,
            ..Self::without_alignment(pass, values)?
        })
    }

    /// As [`PackingOptions::of`], for a pass without [`ALIGNMENT`].
    pub fn without_alignment(pass: &str, values: &OptionValues) -> Result<Self, String> {
        let wanted = AnalysisOptions {
            min_size: values.integer(MIN_SIZE.name) as u64,
            max_size: values.integer(MAX_SIZE.name) as u64,
            dynamic: true,
            ..AnalysisOptions::default()
        };
        if wanted.min_size > wanted.max_size {
            return Err(format!(
                "{pass}: min-size={} is above max-size={}: no allocation would be planned",
                wanted.min_size, wanted.max_size
            ));
        }
        Ok(Self {
            wanted,
            alignment: 1,
            in_place: values.flag(IN_PLACE.name),
        })
    }

    /// Live ranges of the buffers of a function, and the takeovers.
    pub fn analyse<'c>(
        &self,
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
    ) -> Analysis<'c> {
        let mut analysis = analyse_with_options(function, semantics, callees, &self.wanted);
        if !self.in_place {
            analysis.takeovers.clear();
        }
        analysis
    }
}
