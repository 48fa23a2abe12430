//! How often operations run in strips, and how much of memory they access then.

use crate::memory_spaces::uses::executions;
use memplan_mlir::{
    attributes::{elements, entries, integers},
    build::integer,
    ir::{Op, parent},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{ROWS, STRIPS},
};

/// How often an operation runs.
#[derive(Clone, Copy)]
pub struct Times {
    /// In all strips together.
    pub all: u64,
    /// As often as all of its strips together do the work that it did before.
    pub whole: u64,
}

impl Times {
    /// Those of an operation that accesses memory of `base`, or of the caller.
    pub fn of(user: Op<'_>, base: Option<Op<'_>>, semantics: &mut Semantics) -> Self {
        let executions = executions(user, semantics);
        let strips = strips_around(user);
        // Some strips have no rows of it.
        let own = runs(user).map_or(strips, |runs| runs.min(strips));
        let all = (executions / strips).max(1).saturating_mul(own);
        let around = base.map_or(1, strips_around);
        Self {
            all,
            whole: match strips > around {
                true => (executions / (strips / around)).max(1),
                // Each strip has memory of its own.
                false => all,
            },
        }
    }
}

/// The number of strips around an operation, where it is known.
fn strips_around(op: Op<'_>) -> u64 {
    let (mut strips, mut at) = (1_u64, parent(op));
    while let Some(op) = at {
        let own = integer(op, STRIPS).and_then(|own| u64::try_from(own).ok());
        strips = strips.saturating_mul(own.unwrap_or(1).max(1));
        at = parent(op);
    }
    strips
}

/// The number of strips in which an operation has rows, if it says so.
fn runs(op: Op<'_>) -> Option<u64> {
    let rows = entries(op.attribute(ROWS).ok()?)?;
    let (_, split) = rows.into_iter().find(|(name, _)| name == "split")?;
    let mut runs = 1_u64;
    for dimension in elements(split)? {
        let [_, height, _, extent, ..] = integers(dimension)?[..] else {
            return None;
        };
        let (height, extent) = (u64::try_from(height).ok()?, u64::try_from(extent).ok()?);
        runs = runs.saturating_mul(extent.div_ceil(height.max(1)).max(1));
    }
    Some(runs)
}
