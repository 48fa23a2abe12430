//! The planners that others have registered, by name: functions from a problem to offsets.

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

/// Gives each buffer of a problem, in its order, an offset in bytes; or says why not.
///
/// It may be called by several threads at once. The same problem has to give the same offsets, or the
/// output of a compiler depends on more than its input.
pub type Plan = dyn Fn(&Problem) -> Result<Vec<u64>, String> + Send + Sync;

static REGISTRY: RwLock<BTreeMap<&'static str, Arc<Plan>>> = RwLock::new(BTreeMap::new());

/// Why a planner of this kind gave no plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CustomError {
    /// It said so.
    #[error("{0}")]
    Refused(String),
    /// It panicked.
    #[error("it panicked: {0}")]
    Panicked(String),
    /// What it gave is no plan.
    #[error("its plan is wrong, and was not used: {0}")]
    Wrong(#[from] Violation),
}

/// Registers `plan` by a name, in place of one that had it before.
pub(crate) fn insert(name: &str, plan: Arc<Plan>) -> &'static str {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    // A name lives as long as the process, once.
    let name = match registry.get_key_value(name) {
        Some((known, _)) => *known,
        None => Box::leak(name.to_owned().into_boxed_str()),
    };
    registry.insert(name, plan);
    name
}

/// The name as it was registered, if it was.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.get_key_value(name).map(|(known, _)| *known)
}

/// The names that were registered, sorted.
pub fn names() -> Vec<&'static str> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.keys().copied().collect()
}

/// What a registered planner makes of a problem that makes sense, validated, whatever its capacity.
pub(crate) fn solve(name: &str, problem: &Problem) -> Result<Solution, CustomError> {
    let plan = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        registry.get(name).map(Arc::clone)
    };
    let plan = plan.ok_or_else(|| CustomError::Refused("nobody has registered it".to_owned()))?;
    let offsets = catch_unwind(AssertUnwindSafe(|| plan(problem)))
        .map_err(|panic| CustomError::Panicked(text(&*panic)))?
        .map_err(CustomError::Refused)?;
    let solution = Solution::new(problem, offsets);
    let unbounded = Problem {
        capacity: None,
        ..problem.clone()
    };
    validate(&unbounded, &solution)?;
    Ok(solution)
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no text").to_owned()
}
