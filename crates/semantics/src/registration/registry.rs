//! Which operations are described by whom.

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

/// Describes an operation, or says what is wrong with it.
pub(crate) type Describe = dyn Fn(Op<'_>, &mut Description) -> Result<(), String> + Send + Sync;

/// Why an operation cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegisterError {
    /// No operation has this name.
    #[error(
        "'{0}' is not the name of an operation: it has a dialect and a name, as in 'npu.start'"
    )]
    Name(String),
    /// Somebody has registered it before.
    #[error("'{0}' is registered already")]
    Twice(String),
    /// A pass has decided by what it knew of it.
    #[error("a pass has asked what '{0}' does before: register operations before passes run")]
    Asked(String),
    /// It is in memplan's own table.
    #[error("memplan knows what '{0}' does: to replace that, override it")]
    Known(String),
}

/// Whether a description may replace what memplan's own table says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// It may not: that is an error.
    #[default]
    No,
    /// It may.
    Yes,
}

#[derive(Default)]
struct Registry {
    described: BTreeMap<String, Arc<Describe>>,
    /// Names that somebody has looked up.
    asked: FxHashSet<String>,
}

/// Most compilers register nothing.
static ANY: AtomicBool = AtomicBool::new(false);
static REGISTRY: RwLock<Option<Registry>> = RwLock::new(None);

/// From now on, `describe` is asked about all operations of this name, in all contexts of the process, in place of MLIR's
/// interfaces. An error, a panic, or a description that contradicts itself fails the pass that asks, at the operation;
/// so does an operation with regions, one that ends a block, and a call.
///
/// # Errors
///
/// The name is registered already, a pass has asked about it, or memplan's own table has it: see [`register_override`].
pub fn register(
    name: impl Into<String>,
    describe: impl Fn(Op<'_>, &mut Description) -> Result<(), String> + Send + Sync + 'static,
) -> Result<(), RegisterError> {
    register_as(name.into(), Override::No, Arc::new(describe))
}

/// The same, also for operations of memplan's own table, whose row the description replaces. Passes still write such
/// operations where they write them today, and treat loops, calls and branches as they are.
///
/// # Errors
///
/// The name is registered already, or a pass has asked about it.
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
        return Err(RegisterError::Name(name));
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    let registry = registry.get_or_insert_default();
    if registry.described.contains_key(&name) {
        return Err(RegisterError::Twice(name));
    }
    if registry.asked.contains(&name) {
        return Err(RegisterError::Asked(name));
    }
    if may_override == Override::No && dialects::is_known(&name) {
        return Err(RegisterError::Known(name));
    }
    registry.described.insert(name, describe);
    ANY.store(true, Ordering::Release);
    Ok(())
}

/// Who describes operations of this name, if somebody does; from now on nobody can register it.
pub(crate) fn ask(name: &str) -> Option<Arc<Describe>> {
    {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(registry) = registry.as_ref()
            && registry.asked.contains(name)
        {
            return registry.described.get(name).map(Arc::clone);
        }
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    let registry = registry.get_or_insert_default();
    registry.asked.insert(name.to_owned());
    registry.described.get(name).map(Arc::clone)
}

/// As [`ask`], without a look at the name where nothing is registered.
pub(crate) fn ask_if_any(op: Op<'_>) -> Option<Arc<Describe>> {
    use memplan_mlir::melior::ir::operation::OperationLike;
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let name = op.name();
    ask(name.as_string_ref().as_str().ok()?)
}
