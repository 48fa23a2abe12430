//! Writes the plans into the IR: creates the versions of functions, then rewrites each of them.

mod body;
mod runtime;

use super::{
    decide::{Plans, Root},
    read::{self, Reading},
    region_placement::Plan,
    settings::Settings,
    summary::Version,
};
use memplan_mlir::symbols::FreshNames;
use memplan_mlir::{
    build::{self, BuildError},
    calls::function_body,
    ir::{Op, symbol_name},
    symbols,
};
use memplan_semantics::Semantics;
use memplan_semantics::record_rewritten;
use runtime::{Runtime, SymbolConflict};

pub use memplan_semantics::attributes::{DESTINATION, REGIONS as MARK};

/// Suffix of the name of a copy that receives a region.
const REGION_SUFFIX: &str = "_in_region";
/// Suffix of the name of a copy whose caller frees the results.
const HEAP_SUFFIX: &str = "_on_heap";

/// The reason why the IR cannot be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<'c> {
    /// MLIR rejects an operation.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Another symbol has the name of a runtime function.
    #[error(
        "'{name}' is not the runtime function, which is a private function without a body, with \
        llvm.emit_c_interface, of type {wanted}"
    )]
    NameTaken {
        /// The operation with that symbol.
        op: Op<'c>,
        /// The name.
        name: &'static str,
        /// The type of the runtime function.
        wanted: &'static str,
    },
}

impl<'c> From<SymbolConflict<'c>> for WriteError<'c> {
    fn from(conflict: SymbolConflict<'c>) -> Self {
        Self::NameTaken {
            op: conflict.op,
            name: conflict.name,
            wanted: conflict.wanted,
        }
    }
}

/// A version of a function, and its plan.
struct PlannedVersion<'c, 'p> {
    reading: Reading<'c>,
    plan: &'p Plan,
}

/// The result of the rewrite.
pub struct Written {
    /// Number of rewritten versions.
    pub count: usize,
    /// For each analysed function, the names of its versions.
    pub symbols: Vec<[String; 2]>,
}

/// Writes all versions. Changes nothing if the name of a runtime function is taken.
pub fn write<'c>(
    root: Op<'c>,
    readings: Vec<Option<Reading<'c>>>,
    plans: &Plans,
    roots: &[Root],
    settings: &Settings,
    semantics: &mut Semantics,
) -> Result<Written, WriteError<'c>> {
    let mut runtime = Runtime::default();
    let has_changes =
        |plans: &[Option<Plan>; 2]| plans.iter().flatten().any(|plan| !plan.is_unchanged());
    for (reading, plans) in readings.iter().zip(plans) {
        if let Some(reading) = reading.as_ref().filter(|_| has_changes(plans)) {
            runtime.check(reading.op, semantics.names())?;
        }
    }
    let mut fresh = FreshNames::default();
    let mut symbols: Vec<[String; 2]> = vec![Default::default(); readings.len()];
    let mut planned_versions: Vec<PlannedVersion<'c, '_>> = Vec::new();
    for (at, reading) in readings.into_iter().enumerate() {
        let Some(reading) = reading else { continue };
        let name = symbol_name(reading.op);
        symbols[at] = [name.clone(), name.clone()];
        let (first, other) = original_and_copy(roots[at], &plans[at]);
        if let (Some(plan), Some(_)) = (other, first) {
            let suffix = match plan.version {
                Version::Region => REGION_SUFFIX,
                Version::Heap => HEAP_SUFFIX,
            };
            let other = fresh.fresh(reading.op, &format!("{name}{suffix}"));
            let copy =
                symbols::copy_function(reading.op, &other).ok_or_else(BuildError::unexpected)?;
            symbols[at][plan.version as usize] = other;
            let reading =
                read_copy(copy, &reading, semantics).ok_or_else(BuildError::unexpected)?;
            planned_versions.push(PlannedVersion { reading, plan });
        }
        if let Some(plan) = first {
            planned_versions.push(PlannedVersion { reading, plan });
        }
    }
    let mut count = 0;
    for planned in planned_versions
        .iter()
        .filter(|planned| !planned.plan.is_unchanged() || calls_other_version(planned, &symbols))
    {
        body::write(
            planned,
            &symbols,
            settings,
            &mut runtime,
            &mut fresh,
            semantics.names(),
        )?;
        build::mark(planned.reading.op, MARK);
        record_rewritten(root, planned.reading.op);
        count += 1;
    }
    runtime.declare(root)?;
    Ok(Written { count, symbols })
}

/// Whether a function calls another version of a callee than before.
fn calls_other_version(planned: &PlannedVersion<'_, '_>, symbols: &[[String; 2]]) -> bool {
    let calls = planned
        .reading
        .function
        .calls
        .iter()
        .zip(&planned.plan.calls);
    let mut versions = calls.map(|(call, plan)| &symbols[call.callee][plan.version as usize]);
    let mut now = planned
        .reading
        .calls
        .iter()
        .map(|call| body::callee_name(*call));
    versions.any(|name| now.next().flatten().as_ref() != Some(name))
}

/// The plan of the original function, and the plan of its copy.
pub fn original_and_copy(root: Root, plans: &[Option<Plan>; 2]) -> (Option<&Plan>, Option<&Plan>) {
    let [heap, region] = plans;
    match (heap.as_ref(), region.as_ref()) {
        (Some(heap), Some(region)) if root == Root::Region => (Some(region), Some(heap)),
        (Some(heap), region) => (Some(heap), region),
        (None, region) => (region, None),
    }
}

/// Reads a copy of a function. The plain data equals that of the original.
fn read_copy<'c>(
    copy: Op<'c>,
    original: &Reading<'c>,
    semantics: &mut Semantics,
) -> Option<Reading<'c>> {
    let mut callees = original.callees.iter().copied();
    let mut callee = |_: Op<'c>| callees.next().unwrap_or(read::Callee::Unknown);
    read::read(copy, function_body(copy)?, &mut callee, semantics)
}
