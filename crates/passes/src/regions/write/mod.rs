//! Writes the decision: versions of functions first, then what each of them does.

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
use runtime::{Runtime, SymbolConflict};

pub use memplan_semantics::attributes::{DESTINATION, REGIONS as MARK};

/// What the name of another version ends with.
const REGION_SUFFIX: &str = "_in_region";
/// The same for results that the caller frees.
const HEAP_SUFFIX: &str = "_on_heap";

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<'c> {
    /// MLIR refused an operation.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A name is taken.
    #[error(
        "'{name}' is not the runtime function, which is a private function without a body, with \
        llvm.emit_c_interface, of type {wanted}"
    )]
    Taken {
        /// The operation that has it.
        op: Op<'c>,
        /// The name.
        name: &'static str,
        /// The type that it should have.
        wanted: &'static str,
    },
}

impl<'c> From<SymbolConflict<'c>> for WriteError<'c> {
    fn from(taken: SymbolConflict<'c>) -> Self {
        Self::Taken {
            op: taken.op,
            name: taken.name,
            wanted: taken.wanted,
        }
    }
}

/// A version of a function that is to be written.
struct Work<'c, 'p> {
    reading: Reading<'c>,
    plan: &'p Plan,
}

/// What was written.
pub struct Written {
    /// How many versions.
    pub count: usize,
    /// For each function that was looked into, how its versions are called.
    pub symbols: Vec<[String; 2]>,
}

/// Writes all versions. Nothing has been changed where a name is taken.
pub fn write<'c>(
    root: Op<'c>,
    readings: Vec<Option<Reading<'c>>>,
    plans: &Plans,
    roots: &[Root],
    settings: &Settings,
    semantics: &mut Semantics,
) -> Result<Written, WriteError<'c>> {
    let mut runtime = Runtime::default();
    let changes = |plans: &[Option<Plan>; 2]| plans.iter().flatten().any(|plan| !plan.is_nothing());
    for (reading, plans) in readings.iter().zip(plans) {
        if let Some(reading) = reading.as_ref().filter(|_| changes(plans)) {
            runtime.check(reading.op, semantics.names())?;
        }
    }
    let mut fresh = FreshNames::default();
    let mut symbols: Vec<[String; 2]> = vec![Default::default(); readings.len()];
    let mut works: Vec<Work<'c, '_>> = Vec::new();
    for (at, reading) in readings.into_iter().enumerate() {
        let Some(reading) = reading else { continue };
        let name = symbol_name(reading.op);
        symbols[at] = [name.clone(), name.clone()];
        let (first, other) = in_place(roots[at], &plans[at]);
        if let (Some(plan), Some(_)) = (other, first) {
            let suffix = match plan.version {
                Version::Region => REGION_SUFFIX,
                Version::Heap => HEAP_SUFFIX,
            };
            let other = fresh.fresh(reading.op, &format!("{name}{suffix}"));
            let copy =
                symbols::copy_function(reading.op, &other).ok_or_else(BuildError::signature)?;
            symbols[at][plan.version as usize] = other;
            let reading = reread(copy, &reading, semantics).ok_or_else(BuildError::signature)?;
            works.push(Work { reading, plan });
        }
        if let Some(plan) = first {
            works.push(Work { reading, plan });
        }
    }
    let mut count = 0;
    for work in works
        .iter()
        .filter(|work| !work.plan.is_nothing() || calls_copy(work, &symbols))
    {
        body::write(
            work,
            &symbols,
            settings,
            &mut runtime,
            &mut fresh,
            semantics.names(),
        )?;
        build::mark(work.reading.op, MARK);
        count += 1;
    }
    runtime.declare(root)?;
    Ok(Written { count, symbols })
}

/// Does a function call another one than it did?
fn calls_copy(work: &Work<'_, '_>, symbols: &[[String; 2]]) -> bool {
    let calls = work.reading.function.calls.iter().zip(&work.plan.calls);
    let mut versions = calls.map(|(call, plan)| &symbols[call.callee][plan.version as usize]);
    let mut now = work.reading.calls.iter().map(|call| body::called(*call));
    versions.any(|name| now.next().flatten().as_ref() != Some(name))
}

/// The version that a function becomes, and the one that its copy does.
pub fn in_place(root: Root, plans: &[Option<Plan>; 2]) -> (Option<&Plan>, Option<&Plan>) {
    let [heap, region] = plans;
    match (heap.as_ref(), region.as_ref()) {
        (Some(heap), Some(region)) if root == Root::Region => (Some(region), Some(heap)),
        (Some(heap), region) => (Some(heap), region),
        (None, region) => (region, None),
    }
}

/// A copy of a function, which is the same data.
fn reread<'c>(copy: Op<'c>, of: &Reading<'c>, semantics: &mut Semantics) -> Option<Reading<'c>> {
    let mut callees = of.callees.iter().copied();
    let mut callee = |_: Op<'c>| callees.next().unwrap_or(read::Callee::Unknown);
    read::read(copy, function_body(copy)?, &mut callee, semantics)
}
