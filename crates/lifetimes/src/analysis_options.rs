//! Options that restrict which allocations are planned.

use crate::{Reason, program::Program, read::Handles};
use memplan_mlir::{
    ir::{Op, has_mark, operands},
    layout::MAX_BYTES,
};
use memplan_semantics::{Semantics, attributes::KEEP, bounds::Bounds};

/// Which allocations are planned. The limits apply to static sizes, in bytes, and are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// Smallest size.
    pub min_size: u64,
    /// Largest size.
    pub max_size: u64,
    /// Plan allocations of dynamic size.
    pub dynamic: bool,
    /// Buffers of dynamic size with upper bounds are planned as if they were that large.
    pub bounds: BoundsUse,
    /// Plan `memref.alloca` of static size, too.
    pub allocas: bool,
    /// Plan allocations whose address is taken, if the address is dead after the function returns.
    pub addressed: bool,
}

/// Where upper bounds of sizes are used: a buffer then takes the bytes of its largest size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoundsUse {
    /// Nowhere.
    #[default]
    Never,
    /// In functions whose arguments have `memplan.bounds`.
    Given,
    /// Everywhere, by what the program says: assertions, minima, loops.
    Known,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            min_size: 0,
            max_size: u64::MAX,
            dynamic: false,
            bounds: BoundsUse::Never,
            allocas: false,
            addressed: false,
        }
    }
}

impl AnalysisOptions {
    /// Makes the sizes with upper bounds static.
    pub(crate) fn bound<'c>(
        &self,
        function: Op<'c>,
        semantics: &mut Semantics,
        program: &mut Program,
        handles: &Handles<'c>,
    ) {
        let has_dynamic =
            |program: &Program| program.buffers.iter().any(|one| one.dynamic.is_some());
        if self.bounds == BoundsUse::Never || !has_dynamic(program) {
            return;
        }
        let bounds = Bounds::of(function, semantics);
        if self.bounds == BoundsUse::Given && !bounds.are_given() {
            return;
        }
        for (fact, op) in program.buffers.iter_mut().zip(&handles.buffers) {
            let Some(bytes) = fact.dynamic.filter(|_| fact.skip.is_none()) else {
                continue;
            };
            let mut sizes = operands(*op).map(|size| bounds.most(size, *op, semantics));
            let product = sizes.try_fold(bytes, |product, size| product.checked_mul(size?));
            if let Some(bytes) = product.filter(|bytes| *bytes <= MAX_BYTES) {
                fact.size = bytes;
                fact.dynamic = None;
                fact.is_bounded = true;
            }
        }
    }

    /// Records the reason to skip each buffer that the options exclude.
    pub(crate) fn apply(&self, program: &mut Program, handles: &Handles<'_>) {
        for (fact, op) in program.buffers.iter_mut().zip(&handles.buffers) {
            if fact.skip.is_none() {
                fact.skip = if has_mark(*op, KEEP) {
                    Some(Reason::Kept)
                } else if fact.dynamic.is_some() {
                    (!self.dynamic).then_some(Reason::DynamicSize)
                } else if fact.size < self.min_size {
                    Some(Reason::BelowMinSize)
                } else if fact.size > self.max_size {
                    Some(Reason::AboveMaxSize)
                } else {
                    None
                };
            }
        }
    }
}
