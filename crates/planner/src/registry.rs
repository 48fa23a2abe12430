//! The registry of planners: names to functions from a problem to offsets.

use crate::{
    Problem, Solution,
    validate::{Violation, validate},
};
use std::{
    any::Any,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError, RwLock},
};
use thiserror::Error;

/// A registered planner: returns an offset in bytes for each buffer of a problem, in order, or a
/// message.
///
/// Several threads may call it at once. It must be deterministic, or the output of a compiler
/// depends on more than its input.
pub type PlanFn = dyn Fn(&Problem) -> Result<Vec<u64>, String> + Send + Sync;

static REGISTRY: RwLock<BTreeMap<&'static str, Arc<PlanFn>>> = RwLock::new(BTreeMap::new());

/// Why a registered planner returned no plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CustomError {
    /// It returned an error with this message.
    #[error("{0}")]
    Refused(String),
    /// It panicked with this message.
    #[error("it panicked: {0}")]
    Panicked(String),
    /// Its offsets are no valid plan.
    #[error("its plan is invalid, and was not used: {0}")]
    InvalidPlan(#[from] Violation),
}

/// Registers `plan` under `name`, and replaces a plan with the same name.
pub(crate) fn insert(name: &str, plan: Arc<PlanFn>) -> &'static str {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    // The string of a name is leaked once, for the lifetime of the process.
    let name = match registry.get_key_value(name) {
        Some((known, _)) => *known,
        None => Box::leak(name.to_owned().into_boxed_str()),
    };
    registry.insert(name, plan);
    name
}

/// The registered name with static lifetime.
pub(crate) fn registered_name(name: &str) -> Option<&'static str> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.get_key_value(name).map(|(known, _)| *known)
}

/// The registered names, sorted.
pub fn names() -> Vec<&'static str> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.keys().copied().collect()
}

/// Calls a registered planner for a valid problem and validates the solution, without the capacity.
pub(crate) fn solve(name: &str, problem: &Problem) -> Result<Solution, CustomError> {
    let plan = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        registry.get(name).map(Arc::clone)
    };
    let plan = plan.ok_or_else(|| CustomError::Refused("it is not registered".to_owned()))?;
    let offsets = catch_unwind(AssertUnwindSafe(|| plan(problem)))
        .map_err(|panic| CustomError::Panicked(panic_message(&*panic)))?
        .map_err(CustomError::Refused)?;
    let solution = Solution::new(problem, offsets);
    let unbounded = Problem {
        capacity: None,
        ..problem.clone()
    };
    validate(&unbounded, &solution)?;
    Ok(solution)
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no text").to_owned()
}
