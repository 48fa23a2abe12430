//! The registered descriptions, by operation name.

use super::description::Description;
use crate::dialects;
use memplan_mlir::ir::Op;
use rustc_hash::FxHashSet;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};
use thiserror::Error;

/// Describes an operation, or returns an error message.
pub(crate) type Describe = dyn Fn(Op<'_>, &mut Description) -> Result<(), String> + Send + Sync;

/// The reason why an operation cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegisterError {
    /// The name is not a valid operation name.
    #[error("'{0}' is not the name of an operation: write a dialect and a name, as in 'npu.start'")]
    InvalidName(String),
    /// The name is already registered.
    #[error("'{0}' is already registered")]
    AlreadyRegistered(String),
    /// A pass has already made decisions without the description.
    #[error("a pass already used the effects of '{0}': register operations before passes run")]
    AlreadyUsed(String),
    /// memplan's own table describes the operation.
    #[error("memplan has a description of '{0}': override it to replace that")]
    InTable(String),
}

/// Whether a description may replace an entry of memplan's own table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// It may not: this is an error.
    #[default]
    No,
    /// It may.
    Yes,
}

#[derive(Default)]
struct Registry {
    described: BTreeMap<String, Arc<Describe>>,
    /// The names that have been looked up.
    looked_up: FxHashSet<String>,
}

/// Whether any operation is registered. In most compilers, none is.
static ANY: AtomicBool = AtomicBool::new(false);
static REGISTRY: RwLock<Option<Registry>> = RwLock::new(None);

/// Registers `describe` for all operations of this name, in all contexts of the process. It replaces MLIR's
/// interfaces. The running pass fails at the operation in these cases: `describe` returns an error or panics, the
/// description contradicts itself, or the operation has regions, is a terminator or is a call.
///
/// # Errors
///
/// The name is already registered, a pass has already looked it up, or memplan's own table describes it; for the last
/// case, see [`register_override`].
pub fn register(
    name: impl Into<String>,
    describe: impl Fn(Op<'_>, &mut Description) -> Result<(), String> + Send + Sync + 'static,
) -> Result<(), RegisterError> {
    register_as(name.into(), Override::No, Arc::new(describe))
}

/// As [`register`], but also for operations of memplan's own table; the description replaces the table's row. Passes
/// still create such operations as before, and handle loops, calls and branches as before.
///
/// # Errors
///
/// The name is already registered, or a pass has already looked it up.
pub fn register_override(
    name: impl Into<String>,
    describe: impl Fn(Op<'_>, &mut Description) -> Result<(), String> + Send + Sync + 'static,
) -> Result<(), RegisterError> {
    register_as(name.into(), Override::Yes, Arc::new(describe))
}

fn register_as(
    name: String,
    may_override: Override,
    describe: Arc<Describe>,
) -> Result<(), RegisterError> {
    let is_name = name
        .split_once('.')
        .is_some_and(|(dialect, rest)| !dialect.is_empty() && !rest.is_empty());
    if !is_name {
        return Err(RegisterError::InvalidName(name));
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    let registry = registry.get_or_insert_default();
    if registry.described.contains_key(&name) {
        return Err(RegisterError::AlreadyRegistered(name));
    }
    if registry.looked_up.contains(&name) {
        return Err(RegisterError::AlreadyUsed(name));
    }
    if may_override == Override::No && dialects::is_known(&name) {
        return Err(RegisterError::InTable(name));
    }
    registry.described.insert(name, describe);
    ANY.store(true, Ordering::Release);
    Ok(())
}

/// The description registered for this name. From now on, the name can no longer be registered.
pub(crate) fn look_up(name: &str) -> Option<Arc<Describe>> {
    {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(registry) = registry.as_ref()
            && registry.looked_up.contains(name)
        {
            return registry.described.get(name).map(Arc::clone);
        }
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    let registry = registry.get_or_insert_default();
    registry.looked_up.insert(name.to_owned());
    registry.described.get(name).map(Arc::clone)
}

/// As [`look_up`], but skips the lookup of the name if nothing is registered.
pub(crate) fn look_up_if_any(op: Op<'_>) -> Option<Arc<Describe>> {
    use memplan_mlir::melior::ir::operation::OperationLike;
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let name = op.name();
    look_up(name.as_string_ref().as_str().ok()?)
}
